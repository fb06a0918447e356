/** The minutes of one volume by given limits: read like a batch of one volume, and evaluated like it. */
import { audit } from '../../core/audit/audit.ts';
import { type AuditBatch, queriesOfBatch, type ReadingPlan } from '../../core/audit/batches.ts';
import type { RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import type { Minute } from '../../core/changes/verify.ts';
import { causes } from '../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import type { Thresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds, MetricCollector, type MetricQuery } from '../../core/load/metrics.ts';
import type { VolumeSettings } from '../../core/schemas/volume-change.ts';

export interface MinutesFrom {
  /** Adds what is there to the collector. */
  readMetrics(queries: readonly MetricQuery[], plan: ReadingPlan, collector: MetricCollector): Promise<void>;
  regionCatalogs: RegionCatalogs;
  thresholds: Thresholds;
}

const numberOf = (values: Float64Array | null, i: number): number | null => {
  const value = values?.[i];
  return value === undefined || Number.isNaN(value) ? null : value;
};

/** A stalled minute is no throttled one, and of an unknown one nothing is said. */
function isThrottled(cause: (typeof causes)[number] | undefined): boolean | null {
  if (cause === undefined || cause === 'unknown') return null;
  return cause !== 'none' && cause !== 'stalled';
}

/** @param batch of the one volume and its instances. @param settings by which it is evaluated. */
export async function minutesOfVolume(
  batch: AuditBatch,
  settings: VolumeSettings,
  window: Pick<ReadingPlan, 'startEpochSeconds' | 'endEpochSeconds'>,
  { readMetrics, regionCatalogs, thresholds }: MinutesFrom,
): Promise<Minute[]> {
  const volumes = batch.volumes.map((volume) => ({ ...volume, ...settings }));
  const plan = { ...window, periodSeconds: finestEbsPeriodSeconds };
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  await readMetrics(queriesOfBatch({ ...batch, volumes }, plan.periodSeconds), plan, collector);
  let found: DiagnosedVolume | null = null;
  audit({
    runId: 'change',
    inventory: { volumes, instances: batch.instances },
    read: {
      ...{ metrics: collector.finish(), window: plan, notices: [], incomplete: [] },
      cost: { apiCalls: 0, metricsRequested: 0, points: 0, usd: 0 },
    },
    rules: { regionCatalogs, thresholds },
    onDiagnosed: (diagnosed) => {
      found = diagnosed;
    },
  });
  const diagnosed = found as DiagnosedVolume | null;
  if (diagnosed === null) return [];
  const { load, attribution } = diagnosed;
  return Array.from(load.epochSeconds, (epochSeconds, i) => ({
    epochSeconds,
    isThrottled: isThrottled(causes[attribution.cause[i] as number]),
    operations: numberOf(load.ops, i),
    queue: numberOf(load.queueLength, i),
  }));
}
