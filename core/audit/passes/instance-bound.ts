/** Which limits of an instance its volumes could reach: what cannot bind is not asked about. */
import { weightedFigures } from '../../catalog/bandwidth-weighting.ts';
import type { EbsFigures, InstanceType } from '../../catalog/instance-type.ts';
import type { AuditWindow } from '../../diagnosis/audit-window.ts';
import { fixedThresholds } from '../../diagnosis/thresholds.ts';
import type { Instance } from '../../inventory.ts';
import type { Configured } from '../../limits/volume-configuration.ts';
import { isHdd } from '../../limits/volume-types.ts';
import type { MetricName } from '../../load/metrics.ts';
import type { Series } from '../../load/series.ts';
import { kibFromMiB, secondsPerMinute } from '../../units.ts';
import { leastIoPerMiB, leastSecondsPerIo, mostSpentInDay, summedQueue } from './queue.ts';

export interface InstanceBound {
  /** Checks that could be 1. */
  asks: MetricName[];
  /** False where its volumes together stay so far below its maximum that their sum alone never points at it. */
  couldReadBound: boolean;
}

export const instanceChecks = {
  iops: 'InstanceEBSIOPSExceededCheck',
  throughput: 'InstanceEBSThroughputExceededCheck',
} as const;
const either: InstanceBound = {
  asks: [instanceChecks.iops, instanceChecks.throughput],
  couldReadBound: true,
};
const neither: InstanceBound = { asks: [], couldReadBound: false };

/** So long an instance does its maximum at least once in 24 h: what it may spend above its baseline in a day. */
const burstSeconds = 30 * secondsPerMinute;
/** Instance limits are reported for I/O of 16 KiB. Sequential I/O on HDD counts there one by one, not merged to 1 MiB. */
const instanceIoKiB = 16;

interface Sums {
  iops: number;
  mibps: number;
}

/** The most that the volumes can do together, credits and all. */
const mostOf = (volumes: readonly Configured[]): Sums =>
  volumes.reduce(
    (sum, { config, limits }) => ({
      iops:
        sum.iops +
        (isHdd(config.volumeType) ? kibFromMiB(limits.burstMiBps) / instanceIoKiB : limits.burstIops),
      mibps: sum.mibps + limits.burstMiBps,
    }),
    { iops: 0, mibps: 0 },
  );

/** The lowest that may bind: of a type with several EBS cards, those of one card. Null where it is not known. */
function lowestFigures({ bandwidthWeighting }: Instance, type: InstanceType): EbsFigures | null {
  const parts = type.cards.length > 1 ? type.cards : type.ebs === null ? [] : [type.ebs];
  // Nobody told how a type that can be weighted shares its bandwidth: it may have less for EBS than by default.
  if (parts.length === 0 || (bandwidthWeighting === null && type.bandwidthWeightings.length > 0)) return null;
  const weighted = parts.map((part) => weightedFigures(part, type.instanceType, bandwidthWeighting));
  if (weighted.some(({ mibpsUnknownReason }) => mibpsUnknownReason !== null)) return null;
  const least = (of: keyof EbsFigures): number => Math.min(...weighted.map(({ figures }) => figures[of]));
  return {
    baselineIops: least('baselineIops'),
    maximumIops: least('maximumIops'),
    baselineMiBps: least('baselineMiBps'),
    maximumMiBps: least('maximumMiBps'),
  };
}

interface OnInstance {
  instance: Instance;
  /** Undefined: not in the catalog. */
  type: InstanceType | undefined;
  /** All its volumes; null where one's configuration is not known. */
  volumes: readonly Configured[] | null;
  /** Queues of all its volumes; null where one was not read. */
  queues: readonly Series[] | null;
}

/**
 * A limit binds where the volumes can do more than it together. Between baseline and maximum that takes credits that are
 * gone: AWS gives half an hour at the maximum in any 24 h, so where the queues allow for less above the baseline than that,
 * they were not. Taken for granted: I/O is counted alike by the volumes and their instance; what was spent before the
 * window is not known. An instance without Nitro publishes no checks.
 */
export function instanceBound(
  { instance, type, volumes, queues }: OnInstance,
  window: AuditWindow,
  periodSeconds: number,
): InstanceBound {
  if (type?.nitro === false) return neither;
  const figures = type && lowestFigures(instance, type);
  if (!figures || volumes === null) return either;
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const most = mostOf(volumes);
  let inFlight: Float64Array | null = null;
  const binds = (sum: number, baseline: number, maximum: number, ioPerUnit: number): boolean => {
    if (sum <= baseline) return false;
    if (sum > maximum || queues === null) return true;
    inFlight ??= summedQueue(queues, window, periodSeconds);
    const unitsPerInFlight = 1 / (ioPerUnit * leastSecondsPerIo);
    const spent = mostSpentInDay(inFlight, periodSeconds, { baseline, most: sum, unitsPerInFlight });
    return spent >= (maximum - baseline) * burstSeconds;
  };
  return {
    asks: [
      ...(binds(most.iops, baselineIops, maximumIops, 1) ? [instanceChecks.iops] : []),
      ...(binds(most.mibps, baselineMiBps, maximumMiBps, leastIoPerMiB) ? [instanceChecks.throughput] : []),
    ],
    couldReadBound:
      most.iops >= fixedThresholds.atLimitShare * maximumIops ||
      most.mibps >= fixedThresholds.atLimitShare * maximumMiBps,
  };
}
