/** The load of one volume over time, from CloudWatch metrics or from a recorded series. */

import { type Known, known, unknown } from '../known.ts';
import { ssdMiBPerIo } from '../limits/volume-limits.ts';
import { mibFromBytes, msPerSecond } from '../units.ts';
import type { MetricSet } from './fleet-metrics.ts';
import { type MetricName, metricDefinitions } from './metrics.ts';
import { alignTo, periodOf, type Series, secondRhythm, type TimeAxis, unionOfTimes } from './series.ts';

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
  latencyMs: Float64Array | null;
  /** Time whose operations are known; where two periods overlap it counts once. */
  knownSeconds: number;
}

/** Reads and writes of each period together; NaN where either is unknown. */
function sum(a: Float64Array, b: Float64Array): Float64Array {
  const total = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) total[i] = (a[i] as number) + (b[i] as number);
  return total;
}

/** No operations carry no bytes: where a period has no byte count but had no operation either, its bytes are 0. */
function bytesAt(bytes: Float64Array | null, ops: Float64Array, i: number): number {
  const value = bytes === null ? Number.NaN : (bytes[i] as number);
  return Number.isNaN(value) && ops[i] === 0 ? 0 : value;
}

interface Counters {
  ops: Float64Array;
  bytes: Float64Array | null;
}

/** MiB a period; NaN where the bytes of its operations are not known. */
function mibOf(reads: Counters, writes: Counters): Float64Array {
  const mib = new Float64Array(reads.ops.length);
  for (let i = 0; i < mib.length; i++) {
    mib[i] = mibFromBytes(bytesAt(reads.bytes, reads.ops, i) + bytesAt(writes.bytes, writes.ops, i));
  }
  return mib;
}

function perSecond(total: Float64Array, periodSeconds: number): Float64Array {
  const rate = new Float64Array(total.length);
  for (let i = 0; i < total.length; i++) rate[i] = (total[i] as number) / periodSeconds;
  return rate;
}

/** Whole seconds of a period in which something was in flight, one at least: ceil(P - Sum(VolumeIdleTime)). */
export const busySeconds = (periodSeconds: number, idleSeconds: number): number =>
  Math.max(1, Math.ceil(periodSeconds - idleSeconds));

/**
 * Rate per second of the seconds in which something was in flight: Sum(ops) / max(1, ceil(P - Sum(VolumeIdleTime))).
 * It shows bursts that the average hides; source: AWS's micro-burst estimate. Idle time comes in pieces shorter than a
 * second too, so it overstates a steady light load of fast I/O: evidence, not proof.
 */
function busyRate(total: Float64Array, idleSeconds: Float64Array, periodSeconds: number): Float64Array {
  const rate = new Float64Array(total.length);
  for (let i = 0; i < total.length; i++) {
    rate[i] = (total[i] as number) / busySeconds(periodSeconds, idleSeconds[i] as number);
  }
  return rate;
}

function knownTime(epochSeconds: Float64Array, ops: Float64Array, periodSeconds: number): number {
  let seconds = 0;
  for (let i = 0; i < ops.length; i++) {
    const toNext = (epochSeconds[i + 1] ?? Number.POSITIVE_INFINITY) - (epochSeconds[i] as number);
    if (!Number.isNaN(ops[i] as number)) seconds += Math.min(periodSeconds, toNext);
  }
  return seconds;
}

/** Milliseconds an operation took on average: Sum(time) / Sum(ops) x 1000; NaN where there was none. */
function latency(
  reads: Float64Array | null,
  writes: Float64Array | null,
  ops: Float64Array,
): Float64Array | null {
  if (reads === null || writes === null) return null;
  const ms = new Float64Array(ops.length);
  for (let i = 0; i < ops.length; i++) {
    const count = ops[i] as number;
    const seconds = (reads[i] as number) + (writes[i] as number);
    ms[i] = count > 0 ? (seconds / count) * msPerSecond : Number.NaN;
  }
  return ms;
}

const regularShare = 0.9;
const fewestForRhythm = 12;

/** Nearly every step is the period: dense, and not sparse for want of activity. */
function isRegular({ epochSeconds, periodSeconds }: Series): boolean {
  let regular = 0;
  for (let i = 1; i < epochSeconds.length; i++) {
    if ((epochSeconds[i] as number) - (epochSeconds[i - 1] as number) === periodSeconds) regular++;
  }
  return epochSeconds.length > fewestForRhythm && regular >= regularShare * (epochSeconds.length - 1);
}

/** Of the periods with operations, this share must have a point for a sparse Sum to be one of the same period. */
const sparseShare = 0.9;

/**
 * A Sum whose points stand for more than a period of the load cannot be divided among them. A check is no such Sum: its
 * point at a time proves at least that period.
 */
function isCoarser(name: MetricName, series: Series, axis: TimeAxis, ops: Float64Array): boolean {
  if (name.endsWith('Check') || series.periodSeconds <= axis.periodSeconds) return false;
  const points = alignTo(axis, series, 'Sum');
  let active = 0;
  let withPoint = 0;
  ops.forEach((count, i) => {
    if (!(count > 0)) return;
    active++;
    if (!Number.isNaN(points[i] as number)) withPoint++;
  });
  return withPoint < sparseShare * active;
}

/** Metrics by name on the axis of the load; null where a metric is not there or cannot be put on it. */
export type LoadColumn = (name: MetricName) => Float64Array | null;

export function columnsOf(metrics: MetricSet, axis: TimeAxis, ops: Float64Array): LoadColumn {
  return (name) => {
    const series = metrics.get(name);
    const { statistic } = metricDefinitions[name];
    if (series === undefined || (statistic === 'Sum' && isCoarser(name, series, axis, ops))) return null;
    return alignTo(axis, series, statistic);
  };
}

/** The load of a volume; unknown where its operations have no points, or none that can be read. */
export function volumeLoad(metrics: MetricSet): Known<VolumeLoad> {
  const readOps = metrics.get('VolumeReadOps');
  const writeOps = metrics.get('VolumeWriteOps');
  if (readOps === undefined || writeOps === undefined) {
    return unknown('no datapoints of its operations (VolumeReadOps, VolumeWriteOps) in the window');
  }
  const epochSeconds = unionOfTimes([readOps, writeOps]);
  const periodSeconds = periodOf(epochSeconds);
  if (periodSeconds === null) return unknown('one datapoint alone does not tell how long it stands for');
  const second = secondRhythm(epochSeconds, periodSeconds);
  if (second !== null) {
    return unknown(
      `its points come every ${periodSeconds} s and in part every ${second} s: replies of different periods are mixed`,
    );
  }
  const coarse = [readOps, writeOps].find(
    (series) => series.periodSeconds > periodSeconds && isRegular(series),
  );
  if (coarse !== undefined) {
    return unknown(
      `its reads and writes come every ${periodSeconds} s and every ${coarse.periodSeconds} s: replies of different periods are mixed`,
    );
  }
  const axis = { epochSeconds, periodSeconds };
  const reads = alignTo(axis, readOps, 'Sum');
  const writes = alignTo(axis, writeOps, 'Sum');
  const ops = sum(reads, writes);
  const knownSeconds = knownTime(epochSeconds, ops, periodSeconds);
  if (knownSeconds === 0) return unknown('its reads and writes are never known at the same time');
  const column = columnsOf(metrics, axis, ops);
  const mib = mibOf(
    { ops: reads, bytes: column('VolumeReadBytes') },
    { ops: writes, bytes: column('VolumeWriteBytes') },
  );
  const idleSeconds = column('VolumeIdleTime');
  return known({
    periodSeconds,
    epochSeconds,
    ops,
    iops: perSecond(ops, periodSeconds),
    mibps: perSecond(mib, periodSeconds),
    busyIops: idleSeconds && busyRate(ops, idleSeconds, periodSeconds),
    busyMiBps: idleSeconds && busyRate(mib, idleSeconds, periodSeconds),
    queueLength: column('VolumeQueueLength'),
    latencyMs: latency(column('VolumeTotalReadTime'), column('VolumeTotalWriteTime'), ops),
    knownSeconds,
  });
}

/**
 * Operations as an SSD volume counts them: one of more than 256 KiB splits, so 160 MiB/s of 1 MiB I/O is 640 IOPS.
 * @returns at least `iops`; unknown throughput leaves `iops` as it is.
 */
export const countedSsdIops = (iops: number, mibps: number): number =>
  Number.isNaN(mibps) ? iops : Math.max(iops, mibps / ssdMiBPerIo);
