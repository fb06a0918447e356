/** The load of one volume over time, from CloudWatch metrics or from a recorded series. */
import { ssdMiBPerIo } from '../limits/volume-limits.ts';
import { mibFromBytes } from '../units.ts';
import type { MetricName } from './metrics.ts';
import { alignTo, periodOf, type Series, unionOfTimes } from './series.ts';

export type MetricSet = ReadonlyMap<MetricName, Series>;

/**
 * Columns on one time axis; NaN where a period's figure is unknown, null where the metric is not there at all.
 * `iops` and `mibps` are averages over the period, `busy*` over the seconds in which the volume was not idle.
 */
export interface VolumeLoad {
  periodSeconds: number;
  epochSeconds: Float64Array;
  ops: Float64Array;
  iops: Float64Array;
  mibps: Float64Array;
  busyIops: Float64Array | null;
  busyMiBps: Float64Array | null;
  queueLength: Float64Array | null;
  /** Time whose operations are known; where two periods overlap it counts once. */
  knownSeconds: number;
}

const sum = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, i) => value + (b[i] as number));

/** No operations carry no bytes: where a period has no byte count but had no operation either, its bytes are 0. */
function bytesWhereOpsSay(bytes: Float64Array | null, ops: Float64Array): Float64Array {
  return ops.map((count, i) => {
    const value = bytes === null ? Number.NaN : (bytes[i] as number);
    return Number.isNaN(value) && count === 0 ? 0 : value;
  });
}

/**
 * Rate per second of the seconds in which something was in flight: Sum(ops) / max(1, ceil(P - Sum(VolumeIdleTime))).
 * It shows bursts that the average hides; source: AWS's micro-burst estimate. Idle time comes in pieces shorter than a
 * second too, so it overstates a steady light load of fast I/O: evidence, not proof.
 */
function busyRate(total: Float64Array, idleSeconds: Float64Array, periodSeconds: number): Float64Array {
  return total.map((value, i) => value / Math.max(1, Math.ceil(periodSeconds - (idleSeconds[i] as number))));
}

function knownTime(epochSeconds: Float64Array, ops: Float64Array, periodSeconds: number): number {
  let seconds = 0;
  for (let i = 0; i < ops.length; i++) {
    const toNext = (epochSeconds[i + 1] ?? Number.POSITIVE_INFINITY) - (epochSeconds[i] as number);
    if (!Number.isNaN(ops[i] as number)) seconds += Math.min(periodSeconds, toNext);
  }
  return seconds;
}

/** The load of a volume, or null where there is no point of its operations. */
export function volumeLoad(metrics: MetricSet): VolumeLoad | null {
  const readOps = metrics.get('VolumeReadOps');
  const writeOps = metrics.get('VolumeWriteOps');
  if (readOps === undefined || writeOps === undefined) return null;
  const epochSeconds = unionOfTimes([readOps, writeOps]);
  const periodSeconds = periodOf(epochSeconds) ?? readOps.periodSeconds;
  const column = (name: MetricName): Float64Array | null => {
    const series = metrics.get(name);
    return series === undefined ? null : alignTo(epochSeconds, series);
  };
  const reads = alignTo(epochSeconds, readOps);
  const writes = alignTo(epochSeconds, writeOps);
  const ops = sum(reads, writes);
  const bytes = sum(
    bytesWhereOpsSay(column('VolumeReadBytes'), reads),
    bytesWhereOpsSay(column('VolumeWriteBytes'), writes),
  );
  const mib = bytes.map(mibFromBytes);
  const idleSeconds = column('VolumeIdleTime');
  return {
    periodSeconds,
    epochSeconds,
    ops,
    iops: ops.map((value) => value / periodSeconds),
    mibps: mib.map((value) => value / periodSeconds),
    busyIops: idleSeconds && busyRate(ops, idleSeconds, periodSeconds),
    busyMiBps: idleSeconds && busyRate(mib, idleSeconds, periodSeconds),
    queueLength: column('VolumeQueueLength'),
    knownSeconds: knownTime(epochSeconds, ops, periodSeconds),
  };
}

/**
 * Operations as an SSD volume counts them: one of more than 256 KiB splits, so 160 MiB/s of 1 MiB I/O is 640 IOPS.
 * @returns at least `iops`; unknown throughput leaves `iops` as it is.
 */
export const countedSsdIops = (iops: number, mibps: number): number =>
  Number.isNaN(mibps) ? iops : Math.max(iops, mibps / ssdMiBPerIo);
