/** Takes a batch through the passes with metrics as plain numbers a minute; what is not given has no point. */

import { coarsestPeriodSeconds } from '../../../../core/audit/batches.ts';
import type { Cleared } from '../../../../core/audit/observed.ts';
import { TwoPasses } from '../../../../core/audit/passes/two-passes.ts';
import { builtInRegionCatalog, type RegionCatalogs } from '../../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../../core/diagnosis/thresholds.ts';
import type { Instance, Volume } from '../../../../core/inventory.ts';
import { MetricCollector, type MetricName, type MetricQuery } from '../../../../core/load/metrics.ts';
import type { HostEvidence } from '../../../../core/stripes/host-evidence.ts';
import { anInstance, aVolume } from '../../../fixtures/inventory.ts';

export const minutes = 1_440;

/** A value of every minute, or one of each; null leaves a point out. */
export type Values = number | ((minute: number) => number | null);
export type Metrics = Partial<Record<MetricName, Values>>;

/** A volume that nothing is wrong with: 30 operations a second of half a millisecond, and AWS says that it is in no trouble. */
export const quiet: Metrics = {
  VolumeQueueLength: 0.015,
  VolumeIOPSExceededCheck: 0,
  VolumeThroughputExceededCheck: 0,
  VolumeStalledIOCheck: 0,
  VolumeReadOps: 1_800,
  VolumeWriteOps: 0,
  VolumeReadBytes: 1_800 * 16_384,
  VolumeWriteBytes: 0,
  BurstBalance: 100,
  InstanceEBSIOPSExceededCheck: 0,
  InstanceEBSThroughputExceededCheck: 0,
};

/** Only in these minutes. */
export const during =
  (from: number, length: number, value: number, otherwise = 0): Values =>
  (minute) =>
    minute >= from && minute < from + length ? value : otherwise;

export interface PassRun {
  /** "id metric period" of each pass. */
  coarse: string[];
  secondRead: string[];
  fine: string[];
  suspectedBy(volumeId?: string): string | null;
  cleared: Cleared;
}

interface PassInput {
  volumes?: Volume[];
  instances?: Instance[];
  /** By id; others are quiet. */
  metrics?: Record<string, Metrics>;
  regionCatalogs?: RegionCatalogs;
  published?: null | Record<string, { metric: MetricName; instanceId: string | null }[]>;
  finePeriodSeconds?: number;
  hosts?: ReadonlyMap<string, HostEvidence>;
}

function answer(queries: readonly MetricQuery[], all: Record<string, Metrics>, to: MetricCollector): void {
  for (const { resourceId, metric, periodSeconds, statistic } of queries) {
    const value = (all[resourceId] ?? quiet)[metric];
    if (value === undefined) continue;
    const step = periodSeconds / 60;
    const [times, values]: [number[], number[]] = [[], []];
    for (let from = 0; from < minutes; from += step) {
      const inside = Array.from({ length: step }, (_, i) =>
        typeof value === 'number' ? value : value(from + i),
      ).filter((one) => one !== null);
      if (inside.length === 0) continue;
      const sum = inside.reduce((total, one) => total + one, 0);
      const byStatistic = {
        Sum: sum,
        Average: sum / inside.length,
        Minimum: Math.min(...inside),
        Maximum: 0,
      };
      times.push(from * 60);
      values.push(byStatistic[statistic]);
    }
    to.add(resourceId, metric, times, values);
  }
}

const notified = (queries: readonly MetricQuery[]): string[] =>
  queries.map(({ resourceId, metric, periodSeconds }) => `${resourceId} ${metric} ${periodSeconds}`);

export function runPasses(input: PassInput = {}): PassRun {
  const {
    volumes = [aVolume()],
    instances = [anInstance()],
    metrics = {},
    regionCatalogs = builtInRegionCatalog,
  } = input;
  const { finePeriodSeconds = 60 } = input;
  const batch = { volumes, instances, published: input.published ?? null };
  const plan = {
    ...{ startEpochSeconds: 0, endEpochSeconds: minutes * 60 },
    ...{ periodSeconds: finePeriodSeconds, coarsePeriodSeconds: coarsestPeriodSeconds },
  };
  const passes = new TwoPasses(batch, plan, regionCatalogs, defaultThresholds, input.hosts);
  const [coarse, fine] = [new MetricCollector(60), new MetricCollector(60)];
  const first = passes.firstQueries();
  answer(
    first.filter(({ periodSeconds }) => periodSeconds > finePeriodSeconds),
    metrics,
    coarse,
  );
  answer(
    first.filter(({ periodSeconds }) => periodSeconds === finePeriodSeconds),
    metrics,
    fine,
  );
  const second = passes.secondQueries({ coarse: coarse.finish(), fine: fine.finish() });
  answer(second, metrics, fine);
  passes.settle(fine.finish());
  return {
    coarse: notified(first),
    secondRead: notified(second),
    fine: notified(passes.fineQueries(batch)),
    suspectedBy: (volumeId = 'vol-1') => passes.suspectedBy(volumeId),
    cleared: passes.cleared(),
  };
}
