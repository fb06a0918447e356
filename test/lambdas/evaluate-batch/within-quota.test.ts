/** A run of several batches at once in the local CloudWatch: what it takes in a second of what all of an account share. */
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { limitAsync } from 'es-toolkit/promise';
import { getMetricData } from '../../../adapters/aws/get-metric-data.ts';
import { PointsPace } from '../../../adapters/aws/points-pace.ts';
import { connectedGroups } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultConfig } from '../../../core/config/check.ts';
import { defaultThresholds as thresholds } from '../../../core/diagnosis/thresholds.ts';
import { sharedPointRates } from '../../../core/load/point-rates.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { startCloudWatch } from '../../../local/cloudwatch/server.ts';
import {
  endEpochSeconds,
  syntheticInventory,
  syntheticStore,
} from '../../../tools/bench/synthetic-account.ts';
import { VirtualClock } from '../../adapters/aws/virtual-clock.ts';

const region = 'us-east-1';
const plan = {
  startEpochSeconds: endEpochSeconds - 3 * secondsPerDay,
  endEpochSeconds,
  periodSeconds: 300,
};
const { audit, monitoring } = defaultConfig();

/** Batches of 20 volumes on five instances. */
function batches(volumes: number) {
  const inventory = syntheticInventory(volumes);
  const groups = connectedGroups(inventory.volumes, inventory.instances);
  return Array.from({ length: Math.ceil(groups.length / 5) }, (_, i) => {
    const some = groups.slice(5 * i, 5 * (i + 1));
    return {
      volumes: some.flatMap((group) => group.volumes),
      instances: some.flatMap((group) => group.instances),
      published: null,
    };
  });
}

test('four batches at once stay at half of the points quota in every second, and all volumes are evaluated', async () => {
  const clock = new VirtualClock();
  const pages: { atMs: number; points: number }[] = [];
  const server = await startCloudWatch({
    store: syntheticStore,
    monotonicMs: clock.nowMs,
    onDatapoints: (_, points) => pages.push({ atMs: clock.nowMs(), points }),
  });
  const client = new CloudWatchClient({
    ...{ endpoint: server.url, region, maxAttempts: 1 },
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  });
  clock.watch(client);
  const evaluate = limitAsync(async (batch: ReturnType<typeof batches>[number]) => {
    const rates = sharedPointRates({ ...audit, maxQuotaPercent: 50, isMonitoring: monitoring.enabled }).batch;
    const pace = new PointsPace(rates, { isSuccessor: true, clock });
    const request = { runId: 'run', batch, plan, regionCatalogs: builtInRegionCatalog, thresholds };
    return evaluateBatch(
      { ...request, notices: [], incomplete: [] },
      {
        readMetrics: (queries, when, collectorOf) =>
          getMetricData({ client, region, pace }, queries, when, collectorOf),
        apiCalls: () => 0,
      },
    );
  }, audit.batchesAtOnce);
  try {
    const results = await clock.run(Promise.all(batches(160).map(evaluate)));
    expect(results.flatMap(({ coverage }) => coverage.incomplete)).toEqual([]);
    expect(results.reduce((sum, { coverage }) => sum + coverage.evaluated, 0)).toBe(160);
  } finally {
    client.destroy();
    await server.stop();
  }
  const inSecondFrom = (from: number): number =>
    pages
      .filter(({ atMs }) => atMs >= from && atMs < from + 1_000)
      .reduce((sum, { points }) => sum + points, 0);
  const most = Math.max(...pages.map(({ atMs }) => inSecondFrom(atMs)));
  expect(most).toBeLessThanOrEqual(198_000); // half of 396,000
  // It does use what it may: five sixths, four batches of 41,250 each.
  expect(most).toBeGreaterThan(120_000);
}, 60_000);
