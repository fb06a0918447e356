/** The load of one volume over time, from CloudWatch metrics or from a recorded series. */

import { type Known, known, unknown } from '../known.ts';
import { ssdMiBPerIo } from '../limits/volume-limits.ts';
import type { LoadReason } from '../schemas/unknown-reasons.ts';
import { bytesPerMiB, msPerSecond } from '../units.ts';
import { type MetricName, type MetricSet, metricDefinitions } from './metrics.ts';
import { alignTo, rememberTop, rhythmOf, type Series, type TimeAxis, unionOfTimes } from './series.ts';

/**
 * Columns on one time axis; NaN where a period's figure is unknown, null where the metric is not there at all.
 * `iops` and `mibps` are averages over the period, `busy*` over the seconds in which the volume was not idle.
 */
export interface VolumeLoad {
  periodSeconds: number;
  epochSeconds: Float64Array;
  readonly ops: Float64Array;
  iops: Float64Array;
  mibps: Float64Array;
  readonly activeTimeIops: Float64Array | null;
  readonly busyMiBps: Float64Array | null;
  /** Seconds in which nothing was in flight; a load that was made otherwise has none. */
  idleSeconds?: Float64Array | null;
  queueLength: Float64Array | null;
  readonly latencyMs: Float64Array | null;
  /** Time whose operations are known; where two periods overlap it counts once. */
  knownSeconds: number;
}

/** Whole seconds of a period in which something was in flight, one at least: ceil(P - Sum(VolumeIdleTime)). */
export function activeSeconds(periodSeconds: number, idleSeconds: number): number {
  const active = Math.ceil(periodSeconds - idleSeconds);
  return active < 1 ? 1 : active;
}

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

type Rates = Pick<VolumeLoad, 'iops' | 'mibps'>;
type ActiveTimeRates = Pick<VolumeLoad, 'activeTimeIops' | 'busyMiBps'>;

/** Exact, as a MiB is a power of two: a multiplication is faster than `mibFromBytes`. */
const mibPerByte = 1 / bytesPerMiB;

/** No operations carry no bytes: where a period has no byte count but had no operation either, its bytes are 0. */
function bytesOf({ readOps, writeOps, readBytes, writeBytes }: Counters, i: number): number {
  const read = readOps[i] === 0 ? 0 : Number.NaN;
  const written = writeOps[i] === 0 ? 0 : Number.NaN;
  const known = (column: Float64Array | null, otherwise: number): number => {
    const bytes = column === null ? Number.NaN : (column[i] as number);
    return Number.isNaN(bytes) ? otherwise : bytes;
  };
  return known(readBytes, read) + known(writeBytes, written);
}

/**
 * Averages in one walk over the periods: a fleet has tens of millions of them. NaN where a figure is not known.
 * @returns how many periods have known operations, too.
 */
function ratesOf(counters: Counters, periodSeconds: number): Rates & { knownPeriods: number } {
  const { readOps, writeOps } = counters;
  const { length } = readOps;
  const noFigures = (): Float64Array => new Float64Array(length).fill(Number.NaN);
  const readBytes = counters.readBytes ?? noFigures();
  const writeBytes = counters.writeBytes ?? noFigures();
  const iops = new Float64Array(length);
  const mibps = new Float64Array(length);
  let topIops = -1;
  let topMiBps = -1;
  let knownPeriods = 0;
  let knownBytes = 0;
  for (let i = 0; i < length; i++) {
    const rate = ((readOps[i] as number) + (writeOps[i] as number)) / periodSeconds;
    const mib = (((readBytes[i] as number) + (writeBytes[i] as number)) * mibPerByte) / periodSeconds;
    iops[i] = rate;
    mibps[i] = mib;
    if (!Number.isNaN(rate)) knownPeriods++;
    if (!Number.isNaN(mib)) knownBytes++;
    if (rate > topIops) topIops = rate;
    if (mib > topMiBps) topMiBps = mib;
  }
  // Apart from the others: a call on the way costs each period.
  for (let i = 0; i < length && knownBytes < length; i++) {
    if (!Number.isNaN(mibps[i])) continue;
    const mib = (bytesOf(counters, i) * mibPerByte) / periodSeconds;
    mibps[i] = mib;
    if (mib > topMiBps) topMiBps = mib;
  }
  rememberTop(iops, topIops);
  rememberTop(mibps, topMiBps);
  return { iops, mibps, knownPeriods };
}

/** How many times the average a rate is over the busy seconds of a period. */
export const timesAverage = (periodSeconds: number, idleSeconds: number): number =>
  periodSeconds / activeSeconds(periodSeconds, idleSeconds);

/**
 * The rate of the busy seconds shows bursts that the average hides: Sum(ops) / `activeSeconds`; source: AWS's micro-burst
 * estimate. Idle time comes in pieces shorter than a second too, so it overstates a steady light load of fast I/O:
 * evidence, not proof.
 */
function activeTimeRatesOf(
  { iops, mibps }: Rates,
  periodSeconds: number,
  idleSeconds: Float64Array,
): ActiveTimeRates {
  const activeTimeIops = new Float64Array(iops.length);
  const busyMiBps = new Float64Array(iops.length);
  for (let i = 0; i < iops.length; i++) {
    const times = timesAverage(periodSeconds, idleSeconds[i] as number);
    activeTimeIops[i] = (iops[i] as number) * times;
    busyMiBps[i] = (mibps[i] as number) * times;
  }
  return { activeTimeIops, busyMiBps };
}

/** Milliseconds an operation took on average: Sum(time) / Sum(ops) x 1000; NaN where there was none. */
function latencyOf({ readOps, writeOps, readSeconds, writeSeconds }: Counters): Float64Array | null {
  if (readSeconds === null || writeSeconds === null) return null;
  const latencyMs = new Float64Array(readOps.length);
  for (let i = 0; i < latencyMs.length; i++) {
    const count = (readOps[i] as number) + (writeOps[i] as number);
    const seconds = (readSeconds[i] as number) + (writeSeconds[i] as number);
    latencyMs[i] = count > 0 ? (seconds / count) * msPerSecond : Number.NaN;
  }
  return latencyMs;
}

/** Where two periods overlap, what is known counts once. */
function knownTimeOf({ epochSeconds, periodSeconds }: TimeAxis, iops: Float64Array): number {
  const last = iops.length - 1;
  let seconds = Number.isNaN(iops[last]) ? 0 : periodSeconds;
  for (let i = 0; i < last; i++) {
    const step = (epochSeconds[i + 1] as number) - (epochSeconds[i] as number);
    if (!Number.isNaN(iops[i])) seconds += Math.min(step, periodSeconds);
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
function sumOf(a: Float64Array, b: Float64Array): Float64Array {
  const sum = new Float64Array(a.length);
  for (let i = 0; i < sum.length; i++) sum[i] = (a[i] as number) + (b[i] as number);
  return sum;
}

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
  const counters: Counters = {
    readOps: reads,
    writeOps: writes,
    readBytes: column('VolumeReadBytes'),
    writeBytes: column('VolumeWriteBytes'),
    readSeconds: column('VolumeTotalReadTime'),
    writeSeconds: column('VolumeTotalWriteTime'),
    idleSeconds: column('VolumeIdleTime'),
  };
  const { knownPeriods, ...rates } = ratesOf(counters, periodSeconds);
  const knownSeconds = rhythm.overlaps ? knownTimeOf(axis, rates.iops) : knownPeriods * periodSeconds;
  if (knownSeconds === 0) return unknown({ code: 'reads-and-writes-apart' });
  let ops: Float64Array | undefined;
  let latencyMs: Float64Array | null | undefined;
  const { idleSeconds } = counters;
  let busy: ActiveTimeRates | undefined;
  const activeTimeRates = (): ActiveTimeRates => {
    busy ??=
      idleSeconds === null
        ? { activeTimeIops: null, busyMiBps: null }
        : activeTimeRatesOf(rates, periodSeconds, idleSeconds);
    return busy;
  };
  return known({
    ...{ periodSeconds, epochSeconds, ...rates, queueLength: column('VolumeQueueLength'), knownSeconds },
    idleSeconds,
    // Of most volumes nobody asks for these.
    get ops() {
      ops ??= sumOf(reads, writes);
      return ops;
    },
    get activeTimeIops() {
      return activeTimeRates().activeTimeIops;
    },
    get busyMiBps() {
      return activeTimeRates().busyMiBps;
    },
    get latencyMs() {
      latencyMs ??= latencyOf(counters);
      return latencyMs;
    },
  });
}

/**
 * Operations as an SSD volume counts them: one of more than 256 KiB splits, so 160 MiB/s of 1 MiB I/O is 640 IOPS.
 * @returns at least `iops`; unknown throughput leaves `iops` as it is.
 */
export const countedSsdIops = (iops: number, mibps: number): number =>
  Number.isNaN(mibps) ? iops : Math.max(iops, mibps / ssdMiBPerIo);
