/** Every finding of the simulated fleet is planned so that it could be launched, or refused with its reason. */

import { audit } from '../../../../core/audit/audit.ts';
import { queriesOfBatch } from '../../../../core/audit/batches.ts';
import { preflight } from '../../../../core/benchmark/campaign/preflight.ts';
import { benchRequestSchema } from '../../../../core/benchmark/campaign/request.ts';
import { seenFinding } from '../../../../core/benchmark/from-finding/found.ts';
import type { SeenVolume } from '../../../../core/benchmark/from-finding/observed-load.ts';
import {
  type NotProvable,
  type ValidationPlan,
  validationFor,
} from '../../../../core/benchmark/from-finding/request.ts';
import { builtInRegionCatalog } from '../../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../../core/diagnosis/thresholds.ts';
import type { Known } from '../../../../core/known.ts';
import { MetricCollector } from '../../../../core/load/metrics.ts';
import type { Finding } from '../../../../core/schemas/finding.ts';
import { simulatedAccount } from '../../../fixtures/simulated-account.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');
/** Draining the credits of HDD takes hours. */
const options = { repeats: 1, ceilingUsd: 50, hoursAtMost: 12, hostsAtOnce: 4 };

async function validationsOfFleet(): Promise<
  { finding: Finding; validation: Known<ValidationPlan, NotProvable> }[]
> {
  const { volumes, instances, plan, readMetrics } = simulatedAccount();
  const batch = { region: 'us-east-1', account: '111122223333', volumes, instances, published: null };
  const collector = new MetricCollector();
  await readMetrics(queriesOfBatch(batch, plan.periodSeconds), plan, () => collector);
  const seen: SeenVolume[] = [];
  const result = audit({
    runId: 'run-1',
    inventory: { volumes, instances },
    read: { metrics: collector.finish(), window: plan },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
    onDiagnosed: (diagnosed, metrics) => seen.push({ diagnosed, metrics }),
  });
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  return result.findings.map((finding) => {
    const about = seenFinding(finding, result, seen, (id) => byId.get(id) ?? null);
    return { finding, validation: validationFor(about.found, about.seen, regionCatalog, options) };
  });
}

test('each is planned or refused', async () => {
  const validations = await validationsOfFleet();
  const planned = validations.flatMap(({ finding, validation }) =>
    validation.known ? [{ finding, ...validation.value }] : [],
  );
  expect(planned.length).toBeGreaterThan(30);
  for (const { finding, request, observed } of planned) {
    const asked = benchRequestSchema.parse(request);
    expect(() => preflight(asked, regionCatalog)).not.toThrow();
    expect(asked.findingId).toBe(finding.id);
    expect(asked.layouts.length * asked.instanceTypes.length).toBe(2);
    if (observed.demandIops.known)
      expect(observed.demandIops.value).toBeGreaterThanOrEqual(observed.servedIops);
  }
  const refused = new Set(
    validations.flatMap(({ finding, validation }) =>
      validation.known ? [] : [`${finding.kind}: ${validation.reason.code}`],
    ),
  );
  // What a volume could have is measured, unless it is on an Outpost.
  expect([...refused].filter((line) => /^(credits|throttled-volume|micro|cheaper|over)/.test(line))).toEqual([
    'throttled-volume-iops: on-outpost',
  ]);
}, 60_000);
