/**
 * Reads and evaluates the synthetic account batch by batch, in a process of its own; prints what it took as JSON. With
 * "paced" as third argument as many batches at once as by default, each at its pace.
 */
import { limitAsync } from 'es-toolkit/promise';
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { getMetricData } from '../../adapters/aws/get-metric-data.ts';
import { PointsPace } from '../../adapters/aws/points-pace.ts';
import { cloudWatchClient } from '../../adapters/aws/session.ts';
import { type AuditBatch, batchesOf, queriesOfBatch } from '../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultConfig } from '../../core/config/check.ts';
import { pointRatesOf } from '../../core/config/variables.ts';
import { defaultThresholds as thresholds } from '../../core/diagnosis/thresholds.ts';
import { pointsOf, pointsPerCall, queriesPerCall } from '../../core/load/metrics.ts';
import { defaultQuotaPercent } from '../../core/load/point-rates.ts';
import { secondsPerDay } from '../../core/units.ts';
import { evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import { days, endEpochSeconds, periodSeconds, syntheticInventory } from './synthetic-account.ts';

const volumes = Number(process.argv[2]);
const maxBatches = Number(process.argv[3] ?? Number.POSITIVE_INFINITY);
const windowSeconds = days * secondsPerDay;
const plan = { startEpochSeconds: endEpochSeconds - windowSeconds, endEpochSeconds, periodSeconds };

const inventory = syntheticInventory(volumes);
const batches = batchesOf(inventory.volumes, inventory.instances, null, { periodSeconds, windowSeconds });
const evaluatedBatches = batches.slice(0, maxBatches);
const counter = new CallCounter();
const client = cloudWatchClient({ region: 'us-east-1' }, counter);
const start = process.hrtime.bigint();
let evaluated = 0;
const isPaced = process.argv[4] === 'paced';
const config = defaultConfig();
const evaluateOne = limitAsync(
  async (batch: AuditBatch) => {
    const rates = pointRatesOf({
      ...config,
      audit: { ...config.audit, maxQuotaPercent: defaultQuotaPercent },
    }).batch;
    const pace = isPaced && rates !== null ? new PointsPace(rates, { isSuccessor: true }) : null;
    const result = await evaluateBatch(
      {
        runId: 'bench',
        batch,
        plan,
        regionCatalogs: builtInRegionCatalog,
        thresholds,
        notices: [],
        incomplete: [],
      },
      {
        readMetrics: (queries, when, collectorOf) =>
          getMetricData({ client, region: 'us-east-1', pace }, queries, when, collectorOf),
        apiCalls: () => counter.total,
      },
    );
    evaluated += result.coverage.evaluated;
  },
  isPaced ? config.audit.batchesAtOnce : 1,
);
await Promise.all(evaluatedBatches.map(evaluateOne));
const queries = evaluatedBatches.flatMap((batch) => queriesOfBatch(batch, periodSeconds));
const points = queries.reduce((total, query) => total + pointsOf(query, windowSeconds), 0);
console.log(
  JSON.stringify({
    evaluated,
    batches: evaluatedBatches.length,
    metrics: queries.length,
    points,
    calls: counter.total,
    minCalls: Math.max(Math.ceil(queries.length / queriesPerCall), Math.ceil(points / pointsPerCall)),
    seconds: Number(process.hrtime.bigint() - start) / 1e9,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
