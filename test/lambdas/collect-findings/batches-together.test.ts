/** The deployed audit's use cases, one after the other in memory: batches together say what one audit says. */

import { type AuditBatch, batchesOf } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { auditResultSchema } from '../../../core/schemas/audit-result.ts';
import { batchSchema, type StoredBatch } from '../../../core/schemas/batch.ts';
import { collectFindings } from '../../../lambdas/collect-findings/collect-findings.ts';
import { evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { simulatedAccount } from '../../fixtures/simulated-account.ts';

const { volumes, instances, plan, readMetrics } = simulatedAccount();
const everything: AuditBatch = { volumes, instances, published: null };
/** As if two weeks and more were read, so that a few volumes fill a batch. */
const batches = batchesOf(volumes, instances, null, { periodSeconds: 60, windowSeconds: 30 * 86_400 });

const through = <T>(value: T): unknown => JSON.parse(JSON.stringify(value));
/** A batch goes through S3 as JSON, and so does its result. */
const stored = (batch: AuditBatch): StoredBatch =>
  batchSchema.parse(through({ region: 'us-east-1', account: '111122223333', ...batch }));
const evaluated = new Map<string, AuditResult>();
let atOnce: AuditResult;

beforeAll(async () => {
  const evaluate = (batch: AuditBatch): Promise<AuditResult> =>
    evaluateBatch(
      {
        thresholds: defaultThresholds,
        runId: 'run-1',
        batch,
        plan,
        regionCatalogs: builtInRegionCatalog,
        notices: [],
        incomplete: [],
      },
      { readMetrics, apiCalls: () => 0 },
    );
  atOnce = await evaluate(everything);
  for (const [i, batch] of batches.entries()) {
    evaluated.set(`${i}.json`, auditResultSchema.parse(through(await evaluate(stored(batch)))));
  }
});

/** Collects what was evaluated; these have no result, with what the workflow knows of them. */
const collect = (failed: ReadonlyMap<string, string | null> = new Map()): Promise<AuditResult> =>
  collectFindings(
    {
      thresholds: defaultThresholds,
      monitoring: null,
      runId: 'run-1',
      plan,
      targets: [
        {
          region: 'us-east-1',
          failed: false,
          whole: true,
          excluded: 0,
          benchmarkVolumes: 0,
          apiCalls: 3,
          incomplete: [],
          notices: [],
        },
      ],
    },
    {
      listBatches: async () => [...evaluated.keys()],
      listResults: async () => [...evaluated.keys()].filter((name) => !failed.has(name)),
      readBatch: async (name) => stored(batches[Number.parseInt(name, 10)] as AuditBatch),
      readResult: async (name) => evaluated.get(name) as AuditResult,
      readFailures: async () =>
        new Map([...failed].flatMap(([name, why]) => (why === null ? [] : [[name, why]]))),
      readRegionCatalog: async (region) => ({
        regionCatalog: builtInRegionCatalog(region),
        notices: [],
        incomplete: [],
      }),
    },
  );

const byId = <T extends { volumeId?: string; instanceId?: string }>(values: readonly T[]): T[] =>
  [...values].sort((a, b) =>
    (a.volumeId ?? a.instanceId ?? '').localeCompare(b.volumeId ?? b.instanceId ?? ''),
  );

test('the fleet is in several batches', () => {
  expect(batches.length).toBeGreaterThanOrEqual(5);
});

test('findings are the same in the same order, and there are many', async () => {
  const { findings } = await collect();
  expect(findings.length).toBeGreaterThan(20);
  expect(findings).toEqual(through(atOnce.findings));
});

test('every volume has the same evaluation with the same figures', async () => {
  const collected = await collect();
  expect(collected.volumes).toHaveLength(volumes.length);
  expect(byId(collected.volumes)).toEqual(through(byId(atOnce.volumes)));
});

test('the coverage is the same: volumes, unknown ones and why, instances', async () => {
  const { coverage, window } = await collect();
  const { unknown, instances: ofInstances, ...counts } = coverage;
  const { unknown: unknownAtOnce, instances: instancesAtOnce, ...countsAtOnce } = atOnce.coverage;
  expect(counts).toEqual(countsAtOnce);
  expect(byId(unknown)).toEqual(byId(unknownAtOnce));
  expect({ ...ofInstances, notEvaluated: byId(ofInstances.notEvaluated) }).toEqual({
    ...instancesAtOnce,
    notEvaluated: byId(instancesAtOnce.notEvaluated),
  });
  expect(window).toEqual(atOnce.window);
});

test('the cost is that of the batches and of the discovery', async () => {
  const { cost } = await collect();
  expect(cost).toMatchObject({ apiCalls: 3, metricsRequested: atOnce.cost.metricsRequested });
  expect(cost.usd).toBeCloseTo(cost.metricsRequested * 0.000_01, 6); // 0.01 USD per 1,000
});

describe('a batch without a result', () => {
  const lost = '1.json';
  const reason = 'States.Timeout: ';
  const ofBatch = batches[1] as AuditBatch;

  test('its attached volumes are unknown with the words of the failure, and the others as they were', async () => {
    const { coverage, volumes: statuses } = await collect(new Map([[lost, reason]]));
    const attached = ofBatch.volumes.filter(({ state }) => state === 'in-use');
    expect(attached.length).toBeGreaterThan(0);
    const reasons = new Map(coverage.unknown.map((one) => [one.volumeId, one.reason]));
    for (const { volumeId } of attached) {
      const found = reasons.get(volumeId);
      if (found?.code !== 'volume-type-unknown' && found?.code !== 'configuration-refused')
        expect(found).toEqual({ code: 'batch-failed', reason });
    }
    expect(coverage.volumes).toBe(volumes.length);
    const lostIds = new Set(ofBatch.volumes.map(({ volumeId }) => volumeId));
    const others = (all: AuditResult['volumes']) =>
      byId(all.filter(({ volumeId }) => !lostIds.has(volumeId)));
    expect(others(statuses)).toEqual(through(others(atOnce.volumes)));
  });

  test('the run is partial, and says how many volumes and why', async () => {
    const { coverage } = await collect(new Map([[lost, reason]]));
    expect(coverage.incomplete).toEqual([
      { code: 'batch-not-read', volumes: ofBatch.volumes.length, reason },
    ]);
    expect(coverage.instances.notEvaluated).toEqual(
      expect.arrayContaining(
        ofBatch.instances.map(({ instanceId }) => expect.objectContaining({ instanceId })),
      ),
    );
  });

  test('of which the workflow knows nothing, it ended without a result', async () => {
    const { coverage } = await collect(new Map([[lost, null]]));
    expect(coverage.incomplete).toEqual([
      { code: 'batch-not-read', volumes: ofBatch.volumes.length, reason: null },
    ]);
  });
});

test('all batches lost: what the inventory alone tells is still found, all attached volumes are unknown', async () => {
  const { findings, coverage } = await collect(new Map([...evaluated.keys()].map((name) => [name, 'lost'])));
  const unattached = atOnce.findings.filter(({ kind }) => kind === 'unattached');
  expect(unattached.length).toBeGreaterThan(0);
  const ofInstances = findings.filter(({ resource }) => resource.type === 'instance');
  expect(findings.filter((finding) => !ofInstances.includes(finding))).toEqual(through(unattached));
  expect(new Set(ofInstances.map(({ kind }) => kind))).toEqual(
    new Set(['unreachable-performance', 'ebs-card-imbalance']),
  );
  expect(coverage.evaluated).toBe(unattached.length);
  expect(coverage.evaluated + coverage.unknown.length).toBe(volumes.length);
});
