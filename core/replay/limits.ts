/** The arithmetic of one limit in one period; small functions of numbers, which cost nothing in the loop. */
import { causeCode } from '../diagnosis/causes.ts';
import { slack } from '../plan/need.ts';
import type { CreditedRate } from './configuration.ts';

export const noLimit: CreditedRate = {
  baselinePerSecond: Number.POSITIVE_INFINITY,
  burstPerSecond: Number.POSITIVE_INFINITY,
  creditCapacity: 0,
  startCredits: 0,
  leastRefillPerSecond: 0,
};

/** A rate with its credits, in quantities of a period. */
export interface PeriodLimit {
  base: number;
  burst: number;
  capacity: number;
  start: number;
  /** Credits earned for each unit of the baseline that is not used. */
  refillFactor: number;
}

export const ofPeriod = (rate: CreditedRate, seconds: number): PeriodLimit => ({
  base: rate.baselinePerSecond * seconds,
  burst: rate.burstPerSecond * seconds,
  capacity: rate.creditCapacity,
  start: rate.startCredits,
  refillFactor: Math.max(1, rate.leastRefillPerSecond / rate.baselinePerSecond),
});

/** What a period lets through: a bucket that runs dry within it gives what it has. */
export const most = ({ base, burst }: PeriodLimit, credits: number): number =>
  Math.min(base + credits, burst);

/** Credits after a period: refilled by what the baseline leaves of `used`, spent by what exceeds it. */
export function settled(
  credits: number,
  { base, capacity, refillFactor }: PeriodLimit,
  used: number,
): number {
  const unused = base - used;
  const after = credits + (unused > 0 ? unused * refillFactor : unused);
  return Math.min(Math.max(after, 0), capacity);
}

/** I/O as EBS counts them: cut by the chunk, and at least one for each unit of bytes. */
export function counted(io: number, mib: number, chunkMiB: number, unitsPerMiB: number): number {
  // Bytes without I/O, which a recording can have, are no pieces.
  const pieces = mib > io * chunkMiB && io > 0 ? io * Math.ceil(mib / (io * chunkMiB * slack)) : io;
  return Math.max(mib * unitsPerMiB, pieces);
}

const { none } = causeCode;
const volumeIops = causeCode['volume-iops'];
const volumeThroughput = causeCode['volume-throughput'];
const instanceIops = causeCode['instance-iops'];
const instanceThroughput = causeCode['instance-throughput'];

export const volumeCause = (isByIo: boolean): number => (isByIo ? volumeIops : volumeThroughput);
export const instanceCause = (isByIo: boolean): number => (isByIo ? instanceIops : instanceThroughput);

/** The limit that is exceeded most, by what is asked of each as a share of it; `none` where all fits. */
export function exceededMost(
  ofIo: number,
  ofMiB: number,
  ofInstanceIo: number,
  ofInstanceMiB: number,
): number {
  const ofVolume = Math.max(ofIo, ofMiB);
  const ofInstance = Math.max(ofInstanceIo, ofInstanceMiB);
  if (ofVolume <= slack && ofInstance <= slack) return none;
  return ofVolume >= ofInstance ? volumeCause(ofIo >= ofMiB) : instanceCause(ofInstanceIo >= ofInstanceMiB);
}

/** Dry buckets, by the limit that they belong to: then it is the credits that would do. */
export function orCredits(
  cause: number,
  isIoDry: boolean,
  isMiBDry: boolean,
  isInstanceIoDry: boolean,
  isInstanceMiBDry: boolean,
): number {
  if ((cause === volumeIops && isIoDry) || (cause === volumeThroughput && isMiBDry))
    return causeCode['volume-credits'];
  if ((cause === instanceIops && isInstanceIoDry) || (cause === instanceThroughput && isInstanceMiBDry))
    return causeCode['instance-credits'];
  return cause;
}
