/** The load of one volume over time, from CloudWatch metrics or from a recorded series. */

import { type Known, known, unknown } from '../known.ts';
import { ssdMiBPerIo } from '../limits/volume-limits.ts';
import type { LoadReason } from '../schemas/unknown-reasons.ts';
import { mibFromBytes, msPerSecond } from '../units.ts';
import { type MetricName, type MetricSet, metricDefinitions } from './metrics.ts';
import { alignTo, rhythmOf, type Series, type TimeAxis, unionOfTimes } from './series.ts';

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
  activeTimeIops: Float64Array | null;
  busyMiBps: Float64Array | null;
  queueLength: Float64Array | null;
  latencyMs: Float64Array | null;
  /** Time whose operations are known; where two periods overlap it counts once. */
  knownSeconds: number;
}

/** Whole seconds of a period in which something was in flight, one at least: ceil(P - Sum(VolumeIdleTime)). */
export const activeSeconds = (periodSeconds: number, idleSeconds: number): number =>
  Math.max(1, Math.ceil(periodSeconds - idleSeconds));

/** Columns on one time axis; null where the metric is not there. */
interface Counters {
  readOps: Float64Array;
  writeOps: Float64Array;
  readBytes: Float64Array | null;
  writeBytes: Float64Array | null;
  readSeconds: Float64Array | null;
  writeSeconds: Float64Array | null;
  idleSeconds: Float64Array | null;
}

/** No operations carry no bytes: where a period has no byte count but had no operation either, its bytes are 0. */
function bytesAt(bytes: Float64Array | null, ops: Float64Array, i: number): number {
  const value = bytes === null ? Number.NaN : (bytes[i] as number);
  return Number.isNaN(value) && ops[i] === 0 ? 0 : value;
}

type Rates = Pick<VolumeLoad, 'ops' | 'iops' | 'mibps' | 'activeTimeIops' | 'busyMiBps' | 'latencyMs'>;

/**
 * All rates in one walk over the periods: a fleet has tens of millions of them. NaN where a figure is not known.
 * - The rate of the busy seconds shows bursts that the average hides: Sum(ops) / `activeSeconds`; source: AWS's micro-burst
 *   estimate. Idle time comes in pieces shorter than a second too, so it overstates a steady light load of fast I/O:
 *   evidence, not proof.
 * - Milliseconds an operation took on average: Sum(time) / Sum(ops) x 1000; NaN where there was none.
 */
function ratesOf(counters: Counters, periodSeconds: number): Rates {
  const { readOps, writeOps, readBytes, writeBytes, readSeconds, writeSeconds, idleSeconds } = counters;
  const { length } = readOps;
  const hasTimes = readSeconds !== null && writeSeconds !== null;
  const ops = new Float64Array(length);
  const iops = new Float64Array(length);
  const mibps = new Float64Array(length);
  const activeTimeIops = idleSeconds && new Float64Array(length);
  const busyMiBps = idleSeconds && new Float64Array(length);
  const latencyMs = hasTimes ? new Float64Array(length) : null;
  for (let i = 0; i < length; i++) {
    const count = (readOps[i] as number) + (writeOps[i] as number);
    const mib = mibFromBytes(bytesAt(readBytes, readOps, i) + bytesAt(writeBytes, writeOps, i));
    ops[i] = count;
    iops[i] = count / periodSeconds;
    mibps[i] = mib / periodSeconds;
    if (idleSeconds !== null && activeTimeIops !== null && busyMiBps !== null) {
      const busy = activeSeconds(periodSeconds, idleSeconds[i] as number);
      activeTimeIops[i] = count / busy;
      busyMiBps[i] = mib / busy;
    }
    if (latencyMs !== null && hasTimes) {
      const seconds = (readSeconds[i] as number) + (writeSeconds[i] as number);
      latencyMs[i] = count > 0 ? (seconds / count) * msPerSecond : Number.NaN;
    }
  }
  return { ops, iops, mibps, activeTimeIops, busyMiBps, latencyMs };
}

function knownTime({ epochSeconds, periodSeconds }: TimeAxis, ops: Float64Array): number {
  const last = ops.length - 1;
  if (!rhythmOf(epochSeconds)?.overlaps) {
    let known = 0;
    for (let i = 0; i <= last; i++) if (!Number.isNaN(ops[i])) known++;
    return known * periodSeconds;
  }
  let seconds = Number.isNaN(ops[last]) ? 0 : periodSeconds;
  for (let i = 0; i < last; i++) {
    const step = (epochSeconds[i + 1] as number) - (epochSeconds[i] as number);
    if (!Number.isNaN(ops[i])) seconds += Math.min(step, periodSeconds);
  }
  return seconds;
}

const regularShare = 0.9;
const minForRhythm = 12;

/** Nearly every step is the period: dense, and not sparse for want of activity. */
function isRegular({ epochSeconds, periodSeconds }: Series): boolean {
  let regular = 0;
  for (let i = 1; i < epochSeconds.length; i++) {
    if ((epochSeconds[i] as number) - (epochSeconds[i - 1] as number) === periodSeconds) regular++;
  }
  return epochSeconds.length > minForRhythm && regular >= regularShare * (epochSeconds.length - 1);
}

/** Of the periods with operations, this share must have a point for a sparse Sum to be one of the same period. */
const sparseShare = 0.9;

/**
 * A Sum whose points stand for more than a period of the load cannot be divided among them. A check is no such Sum: its
 * point at a time proves at least that period.
 */
function isCoarser(name: MetricName, series: Series, axis: TimeAxis, opsOf: () => Float64Array): boolean {
  if (name.endsWith('Check') || series.periodSeconds <= axis.periodSeconds) return false;
  const points = alignTo(axis, series, 'Sum');
  let active = 0;
  let withPoint = 0;
  opsOf().forEach((count, i) => {
    if (!(count > 0)) return;
    active++;
    if (!Number.isNaN(points[i] as number)) withPoint++;
  });
  return withPoint < sparseShare * active;
}

/** Metrics by name on the axis of the load; null where a metric is not there or cannot be put on it. */
export type LoadColumn = (name: MetricName) => Float64Array | null;

/** @param opsOf the operations of each period: asked for where a Sum comes in longer periods than the axis has. */
export function columnsOf(metrics: MetricSet, axis: TimeAxis, opsOf: () => Float64Array): LoadColumn {
  return (name) => {
    const series = metrics.get(name);
    const { statistic } = metricDefinitions[name];
    if (series === undefined || (statistic === 'Sum' && isCoarser(name, series, axis, opsOf))) return null;
    return alignTo(axis, series, statistic);
  };
}

/** Reads and writes of each period together; NaN where either is unknown. */
const sumOf = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, i) => value + (b[i] as number));

/** The load of a volume; unknown where its operations have no points, or none that can be read. */
export function volumeLoad(metrics: MetricSet): Known<VolumeLoad, LoadReason> {
  const readOps = metrics.get('VolumeReadOps');
  const writeOps = metrics.get('VolumeWriteOps');
  if (readOps === undefined || writeOps === undefined) {
    return unknown({ code: 'no-operations' });
  }
  const epochSeconds = unionOfTimes([readOps, writeOps]);
  const rhythm = rhythmOf(epochSeconds);
  if (rhythm === null) return unknown({ code: 'one-datapoint' });
  const { periodSeconds, secondSeconds } = rhythm;
  if (secondSeconds !== null) {
    return unknown({ code: 'mixed-periods', of: 'points', periodSeconds, otherPeriodSeconds: secondSeconds });
  }
  const coarse = [readOps, writeOps].find(
    (series) => series.periodSeconds > periodSeconds && isRegular(series),
  );
  if (coarse !== undefined) {
    const otherPeriodSeconds = coarse.periodSeconds;
    return unknown({ code: 'mixed-periods', of: 'reads-and-writes', periodSeconds, otherPeriodSeconds });
  }
  const axis = { epochSeconds, periodSeconds };
  const reads = alignTo(axis, readOps, 'Sum');
  const writes = alignTo(axis, writeOps, 'Sum');
  const column = columnsOf(metrics, axis, () => sumOf(reads, writes));
  const rates = ratesOf(
    {
      readOps: reads,
      writeOps: writes,
      readBytes: column('VolumeReadBytes'),
      writeBytes: column('VolumeWriteBytes'),
      readSeconds: column('VolumeTotalReadTime'),
      writeSeconds: column('VolumeTotalWriteTime'),
      idleSeconds: column('VolumeIdleTime'),
    },
    periodSeconds,
  );
  const knownSeconds = knownTime(axis, rates.ops);
  if (knownSeconds === 0) return unknown({ code: 'reads-and-writes-apart' });
  const queueLength = column('VolumeQueueLength');
  return known({ periodSeconds, epochSeconds, ...rates, queueLength, knownSeconds });
}

/**
 * Operations as an SSD volume counts them: one of more than 256 KiB splits, so 160 MiB/s of 1 MiB I/O is 640 IOPS.
 * @returns at least `iops`; unknown throughput leaves `iops` as it is.
 */
export const countedSsdIops = (iops: number, mibps: number): number =>
  Number.isNaN(mibps) ? iops : Math.max(iops, mibps / ssdMiBPerIo);
