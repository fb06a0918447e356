/** A run put together from its parts: what is missing is said, and what is empty is no trouble. */

import { isPartial } from '../../../core/audit/audit.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { NotRead } from '../../../core/schemas/audit-notice.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import {
  type CollectFrom,
  type CollectRequest,
  collectFindings,
} from '../../../lambdas/collect-findings/collect-findings.ts';
import { aFinding, aResult, onVolume } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const plan = { startEpochSeconds: 1_795_046_400, endEpochSeconds: 1_795_132_800, periodSeconds: 300 };
const read = {
  region: 'us-east-1',
  failed: false,
  whole: true,
  excluded: 2,
  benchmarkVolumes: 3,
  apiCalls: 3,
  incomplete: [],
  notices: [],
};

const denied = { region: 'us-east-1', reason: 'denied' };
const notRefreshed = {
  code: 'prices-not-refreshed',
  ...denied,
  used: 'those-of-before',
  asOf: null,
} as const;

const from = (results: Record<string, AuditResult>, others: Partial<CollectFrom> = {}): CollectFrom => ({
  listBatches: async () => Object.keys(results),
  listResults: async () => Object.keys(results),
  readBatch: async () => Promise.reject(new Error('no batch is missing')),
  readResult: async (name) => results[name] as AuditResult,
  readFailures: async () => Promise.reject(new Error('nothing failed')),
  readRegionCatalog: async () => Promise.reject(new Error('every batch has a result')),
  ...others,
});

test('an empty account is a whole run of nothing', async () => {
  const result = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'run-1', plan, targets: [read] },
    from({}),
  );
  expect(result).toEqual({
    runId: 'run-1',
    summary: {
      findingsBySeverity: { critical: 0, warning: 0, info: 0 },
      ...{ possibleSavingsMonthlyUsd: 0, increasesMonthlyUsd: 0 },
      ...{ throttledMinutesPeak24h: 0, unknownPrices: 0 },
    },
    window: { start: '2026-11-19T00:00:00Z', end: '2026-11-20T00:00:00Z' },
    wholeRegions: ['us-east-1'],
    coverage: {
      volumes: 0,
      excluded: 2,
      benchmarkVolumes: 3,
      evaluated: 0,
      unknown: [],
      instances: { total: 0, evaluated: 0, notEvaluated: [] },
      incomplete: [],
      metricsWithoutResource: [],
    },
    findings: [],
    volumes: [],
    stripes: [],
    prices: [],
    notices: [],
    cost: { apiCalls: 3, metricsRequested: 0, points: 0, usd: 0 },
  });
  expect(isPartial(result)).toBe(false);
});

test('findings of all batches are most urgent first again, and costs add up: 3 + 10 + 10 calls', async () => {
  const finding = (id: string, severity: 'critical' | 'warning' | 'info') =>
    aFinding({ id, severity, resource: onVolume(id) });
  const results = {
    'a.json': aResult([finding('info-1', 'info'), finding('warning-1', 'warning')]),
    'b.json': aResult([finding('critical-1', 'critical'), finding('warning-2', 'warning')]),
  };
  const { findings, cost, coverage } = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [read] },
    from(results),
  );
  expect(findings.map(({ id }) => id)).toEqual(['critical-1', 'warning-1', 'warning-2', 'info-1']);
  expect(cost).toEqual({ apiCalls: 23, metricsRequested: 2_000, usd: 0.02 });
  expect(coverage.volumes).toBe(4);
});

test('a Region that failed is a line of the run, which is partial', async () => {
  const notice = {
    code: 'region-not-read',
    ...{ region: 'eu-central-1', reason: 'AccessDenied: no' },
  } as const;
  const failed = {
    region: 'eu-central-1',
    failed: true,
    whole: false,
    excluded: 0,
    benchmarkVolumes: 0,
    apiCalls: 0,
    incomplete: [notice],
    notices: [],
  };
  const result = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [read, failed] },
    from({}),
  );
  expect(result.coverage.incomplete).toEqual([notice]);
  expect(isPartial(result)).toBe(true);
  expect(result.wholeRegions).toEqual(['us-east-1']);
  expect(result.notices).toEqual([{ code: 'cost-is-at-least' }]);
});

test('what the prices of a Region are is said once, though each of its batches says it', async () => {
  const unreadable = { ...denied, code: 'stored-prices-unreadable' } as const;
  const results = {
    'a.json': aResult([], { notices: [unreadable] }),
    'b.json': aResult([], { notices: [unreadable] }),
  };
  const target = { ...read, notices: [notRefreshed] };
  const { notices } = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [target] },
    from(results),
  );
  expect(notices).toEqual([notRefreshed, unreadable]);
});

test('two Regions whose archives begin late say it once', async () => {
  const begins = (region: string, start: string) =>
    aResult([], { notices: [{ code: 'archive-begins', start, regions: [region] }] });
  const { notices } = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [read] },
    from({
      'a.json': begins('us-east-1', '2026-11-08T07:00:00Z'),
      'b.json': begins('us-east-1', '2026-11-08T07:00:00Z'),
      'c.json': begins('eu-central-1', '2026-11-09T07:00:00Z'),
    }),
  );
  expect(notices).toEqual([
    { code: 'archive-begins', start: '2026-11-09T07:00:00Z', regions: ['eu-central-1', 'us-east-1'] },
  ]);
});

test('what several batches could not read is said once, with how often; the Region comes first', async () => {
  const hosts = { code: 'hosts-denied', reason: 'denied' } as const;
  const metric = {
    code: 'metric-in-part',
    ...{ from: 'us-east-1', resourceId: 'vol-1', metric: 'VolumeReadOps', status: null },
  } as const;
  const part = (...incomplete: NotRead[]) => {
    const result = aResult([]);
    return { ...result, coverage: { ...result.coverage, incomplete } };
  };
  const results = {
    'a.json': part(hosts, metric),
    'b.json': part(hosts),
    'c.json': part(hosts),
  };
  const target = { ...read, incomplete: [notRefreshed] };
  const result = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [target] },
    from(results),
  );
  expect(result.coverage.incomplete).toEqual([notRefreshed, { ...hosts, times: 3 }, metric]);
  expect(isPartial(result)).toBe(true);
});

test('why batches failed is asked only where one has no result', async () => {
  const whole = from({ 'a.json': aResult([]) });
  await expect(
    collectFindings(
      { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [] },
      whole,
    ),
  ).resolves.toBeDefined();
  const missing = from({}, { listBatches: async () => ['a.json'] });
  await expect(
    collectFindings(
      { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [] },
      missing,
    ),
  ).rejects.toThrow('nothing failed');
});

test('a result that nobody discovered a batch for is not counted', async () => {
  const { coverage } = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [] },
    from({ 'a.json': aResult([]) }, { listBatches: async () => [] }),
  );
  expect(coverage.volumes).toBe(0);
});

test('a lost batch of one unattached volume evaluates it all the same', async () => {
  const volume = aVolume({ state: 'available', attachments: [] });
  const { findings, coverage, notices } = await collectFindings(
    { thresholds: defaultThresholds, monitoring: null, runId: 'r', plan, targets: [] },
    from(
      {},
      {
        listBatches: async () => ['a.json'],
        readBatch: async () => ({
          region: 'us-east-1',
          account: '1',
          volumes: [volume],
          instances: [],
          published: {},
        }),
        readFailures: async () => new Map([['a.json', 'Throttled: slow down']]),
        readRegionCatalog: async (region) => ({
          regionCatalog: builtInRegionCatalog(region),
          notices: [notRefreshed],
          incomplete: [{ ...denied, code: 'stored-prices-denied' }],
        }),
      },
    ),
  );
  expect(findings.map(({ kind }) => kind)).toEqual(['unattached']);
  expect(coverage.incomplete).toEqual([
    { code: 'batch-not-read', volumes: 1, reason: 'Throttled: slow down' },
    { ...denied, code: 'stored-prices-denied' },
  ]);
  expect(notices).toContainEqual(notRefreshed);
});

describe('a budget that bounds monitoring', () => {
  const unattached = aFinding({ id: 'unattached', kind: 'unattached', resource: onVolume('vol-0') });
  const result: AuditResult = {
    ...aResult([unattached]),
    coverage: { ...aResult([]).coverage, volumes: 3_000, evaluated: 3_000 },
    cost: { apiCalls: 1, metricsRequested: 14_100, usd: 0.14 },
  };
  const noticesWith = async (monitoring: CollectRequest['monitoring']) => {
    const request = { thresholds: defaultThresholds, runId: 'r', plan, targets: [read] };
    return (await collectFindings({ ...request, monitoring }, from({ 'a.json': result }))).notices;
  };
  const byDefault = { everyMinutes: 1, budgetUsd: 50, auditsAMonth: 30, ofAccounts: [] };

  test('is said of a run of 3,000 volumes, one of which is not polled, with what would be enough', async () => {
    // 30 audits x 0.14 = 4.20 USD; 2,999 volumes x 44.09 / 1,000 = 132.2
    expect(await noticesWith(byDefault)).toEqual([
      expect.objectContaining({ code: 'monitoring-bounded', volumes: 2_999, enoughUsd: 137 }),
    ]);
  });

  test('is not where it is enough, and not where nothing is bounded', async () => {
    expect(await noticesWith({ ...byDefault, budgetUsd: 137 })).toEqual([]);
    expect(await noticesWith({ ...byDefault, budgetUsd: null })).toEqual([]);
    expect(await noticesWith(null)).toEqual([]);
  });
});
