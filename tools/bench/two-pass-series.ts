/**
 * What CloudWatch has of a synthetic volume, minute by minute: made for one volume at a time and forgotten. Plain on
 * purpose: a rate with a day's rhythm and a busy hour at night, cut at the limit, with the queue that follows (Little).
 */
import type { VolumeLimits } from '../../core/limits/volume-limits.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { bytesFromKiB, secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { uniformSource } from '../../test/simulator/random.ts';

export interface SyntheticLoad {
  seed: number;
  /** Volumes of one name have the same. */
  rhythm: string;
  limits: VolumeLimits;
  usualIops: number;
  nightIops: number;
  ioKiB: number;
  trouble:
    | 'throttled-iops'
    | 'throttled-throughput'
    | 'micro-bursts'
    | 'credits-exhausted'
    | 'credits-will-exhaust'
    | 'stalls'
    | 'idle'
    | 'unused'
    | 'throttled-by-instance'
    | 'throttled-by-credits'
    | null;
}

export const days = 14;
export const minutes = (days * secondsPerDay) / secondsPerMinute;
export const endEpochSeconds = 1_795_132_800;
export const startEpochSeconds = endEpochSeconds - days * secondsPerDay;
const minutesPerDay = secondsPerDay / secondsPerMinute;

const secondsPerIo = {
  gp3: 0.0008,
  gp2: 0.0009,
  io1: 0.0006,
  io2: 0.0003,
  st1: 0.006,
  sc1: 0.009,
  standard: 0.01,
};
const readShare = 0.6;
/** What waits where a limit binds. */
const waitingIo = 24;

/** The hour of the week, in minutes from its start, in which a trouble shows: Tuesdays from 10:00 on, in both weeks. */
const isTroubleTime = (minute: number): boolean => {
  const ofWeek = minute % (7 * minutesPerDay);
  return ofWeek >= 1 * minutesPerDay + 600 && ofWeek < 1 * minutesPerDay + 660;
};

/** Eight hours of the same days, in which credits are spent: minutes since their start; null outside. */
function minutesOfLongTime(minute: number): number | null {
  const since = (minute % (7 * minutesPerDay)) - minutesPerDay - 480;
  return since >= 0 && since < 480 ? since : null;
}

export interface VolumeMinutes {
  ops: Float64Array;
  mib: Float64Array;
  inFlight: Float64Array;
  iopsCheck: Float64Array;
  throughputCheck: Float64Array;
  stalled: Float64Array;
  /** Of the instance: minutes in which it throttled this volume. */
  throttledByInstance: Float64Array;
  balancePercent: Float64Array | null;
}

const column = (): Float64Array => new Float64Array(minutes);

/** A day's wave, an hour at night with a job of its own every night, and noise. */
function demandIops(load: SyntheticLoad, uniform: () => number): (minute: number) => number {
  const jobAt = Math.floor(uniform() * 180);
  const jobMinutes = 10 + Math.floor(uniform() * 40);
  const steady = load.trouble === 'unused' ? load.usualIops / 10 : load.usualIops;
  const job = load.trouble === 'unused' ? steady * 3 : Math.max(steady, load.nightIops);
  return (minute) => {
    const ofDay = minute % minutesPerDay;
    const noise = 0.8 + 0.4 * uniform();
    if (ofDay >= jobAt && ofDay < jobAt + jobMinutes) return job * (0.95 + 0.05 * uniform());
    return Math.min(job, steady * (1 + 0.6 * Math.sin((2 * Math.PI * ofDay) / minutesPerDay)) * noise);
  };
}

/** What a trouble asks for in its time, operations a second; null where it asks for nothing of its own. */
function troubleIops({ trouble, limits, ioKiB }: SyntheticLoad, minute: number): number | null {
  const ioMiB = ioKiB / 1_024;
  if (trouble === 'credits-will-exhaust') return minute >= minutes - 40 ? 0.8 * limits.burstIops : null;
  if (trouble === 'credits-exhausted' || trouble === 'throttled-by-credits') {
    const most = Math.min(0.9 * limits.burstIops, (0.9 * limits.burstMiBps) / ioMiB);
    return minutesOfLongTime(minute) === null ? null : most;
  }
  if (!isTroubleTime(minute)) return null;
  if (trouble === 'throttled-iops') return 1.3 * limits.burstIops;
  if (trouble === 'throttled-throughput') return (1.3 * limits.burstMiBps) / ioMiB;
  return trouble === 'throttled-by-instance' ? 10_500 : null;
}

/** Of a t3.small: (11,800 - 1,000) x 1,800 = 19.4 million I/O, spent at 1,700 a second for 190 minutes. */
const instanceCreditMinutes = 190;

/** What the instance leaves a volume: half of the 18,750 of an m5.xlarge; of a t3.small its baseline when credits are gone. */
function instanceLeaves({ trouble }: SyntheticLoad, minute: number): number {
  if (trouble === 'throttled-by-instance') return 9_375;
  const since = minutesOfLongTime(minute);
  const isSpent = trouble === 'throttled-by-credits' && since !== null && since >= instanceCreditMinutes;
  return isSpent ? 990 : Number.POSITIVE_INFINITY;
}

/** Throughput binds with large I/O. */
const ioMiBOf = ({ trouble, ioKiB }: SyntheticLoad, minute: number): number =>
  (trouble === 'throttled-throughput' && isTroubleTime(minute) ? 128 : ioKiB) / 1_024;

export function volumeMinutes(load: SyntheticLoad): VolumeMinutes {
  const { limits, trouble } = load;
  const uniform = uniformSource(load.seed, load.rhythm);
  const demand = demandIops(load, uniform);
  const latency = secondsPerIo[limits.volumeType];
  const isHdd = limits.bucket?.unit === 'mib';
  const capacity = limits.bucket?.capacity ?? 0;
  let credits = capacity;
  const made: VolumeMinutes = {
    ...{ ops: column(), mib: column(), inFlight: column() },
    ...{ iopsCheck: column(), throughputCheck: column(), stalled: column(), throttledByInstance: column() },
    balancePercent: limits.bucket === null ? null : column(),
  };
  for (let minute = 0; minute < minutes; minute++) {
    const usual = trouble === 'idle' ? (uniform() < 0.3 ? 1 / secondsPerMinute : 0) : demand(minute);
    const asked = troubleIops(load, minute) ?? usual;
    const ioMiB = ioMiBOf(load, minute);
    const empty = limits.bucket !== null && credits <= 0;
    const byIops = isHdd ? Number.POSITIVE_INFINITY : empty ? limits.baselineIops : limits.burstIops;
    const byMiB = (isHdd && empty ? limits.baselineMiBps : limits.burstMiBps) / ioMiB;
    const left = instanceLeaves(load, minute);
    const served = Math.min(asked, byIops, byMiB, left);
    const isStalled = trouble === 'stalls' && isTroubleTime(minute) && minute % 20 === 0;
    const isBurst = trouble === 'micro-bursts' && isTroubleTime(minute) && minute % 6 === 0;
    const isHeld = asked > served * 1.02;
    if (isHeld && served === left) made.throttledByInstance[minute] = 1;
    else if (isHeld) (byMiB < byIops && !isHdd ? made.throughputCheck : made.iopsCheck)[minute] = 1;
    if (isBurst) made.iopsCheck[minute] = 1;
    if (isStalled) made.stalled[minute] = 1;
    const rate = isStalled ? 0 : served;
    made.ops[minute] = Math.round(rate * secondsPerMinute);
    made.mib[minute] = (made.ops[minute] as number) * ioMiB;
    made.inFlight[minute] = rate * latency + (isHeld ? waitingIo : isStalled ? 4 : isBurst ? 2 : 0);
    if (limits.bucket === null || made.balancePercent === null) continue;
    const spent = isHdd ? rate * ioMiB : rate;
    const earned = isHdd ? limits.baselineMiBps : limits.baselineIops;
    credits = Math.min(capacity, Math.max(0, credits + (earned - spent) * secondsPerMinute));
    made.balancePercent[minute] = (100 * credits) / capacity;
  }
  return made;
}

/** A metric of a volume from its minutes; null where it has none of the name. */
export function volumeMetric(made: VolumeMinutes, metric: MetricName): Float64Array | null {
  const share = metric.includes('Read') ? readShare : 1 - readShare;
  switch (metric) {
    case 'VolumeReadOps':
    case 'VolumeWriteOps':
      return made.ops.map((ops) => Math.round(ops * share));
    case 'VolumeReadBytes':
    case 'VolumeWriteBytes':
      return made.mib.map((mib) => Math.round(mib * share * bytesFromKiB(1_024)));
    case 'VolumeTotalReadTime':
    case 'VolumeTotalWriteTime':
      return made.inFlight.map((inFlight) => inFlight * secondsPerMinute * share);
    case 'VolumeIdleTime':
      return made.inFlight.map((inFlight) => secondsPerMinute * Math.exp(-inFlight));
    case 'VolumeQueueLength':
      return made.inFlight;
    case 'BurstBalance':
      return made.balancePercent;
    case 'VolumeStalledIOCheck':
      return made.stalled;
    case 'VolumeIOPSExceededCheck':
      return made.iopsCheck;
    case 'VolumeThroughputExceededCheck':
      return made.throughputCheck;
    default:
      return null;
  }
}
