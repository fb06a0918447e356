/** What a load is replayed against: the rates and credits of a whole layout, and of the instance it is on. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { type CreditBucket, creditBucket, instanceBuckets } from '../credits/credits.ts';
import { causeCode } from '../diagnosis/causes.ts';
import { BadInput } from '../errors.ts';
import {
  type Deployment,
  isHdd,
  ssdMiBPerIo,
  type VolumeLimits,
  volumeLimits,
} from '../limits/volume-limits.ts';
import { type Layout, provisioned, sharingMembers, slack, writePenalty } from '../plan/layout.ts';
import { mibFromKiB } from '../units.ts';

/** A rate that ends a load, with the credits to exceed it for a while. Of a layout: of all its members together. */
export interface CreditedRate {
  /** Infinite where this measure is no limit. */
  baselinePerSecond: number;
  /** The same as the baseline where there are no credits. */
  burstPerSecond: number;
  /** Credits of a full bucket; 0 where there is none. */
  creditCapacity: number;
  startCredits: number;
  /** What an idle second earns at least. */
  minRefillPerSecond: number;
}

/** How the I/O of an application become those that are counted. */
interface Counting {
  /** MiB of one piece of an I/O that is cut between members; infinite where it is not cut. */
  chunkMiB: number;
  /** MiB that EBS counts as one I/O; infinite on HDD, where bytes count. */
  unitMiB: number;
  /** Member I/O per write. */
  writePenalty: number;
}

export interface ReplayConfiguration {
  counting: Counting;
  volumeIops: CreditedRate;
  volumeMiBps: CreditedRate;
  /** Null: no instance is part of it. */
  instance: { iops: CreditedRate; mibps: CreditedRate } | null;
}

/** Balances in percent at the start. */
export interface StartPercent {
  volume: number;
  instanceIo: number;
  instanceBytes: number;
}

export interface ConfigurationOptions {
  deployment?: Deployment;
  chunkKiB?: number;
  /** What of its members' sum a stripe delivers. */
  stripeEfficiency?: number;
  instance?: EbsFigures | null;
  startPercent?: Partial<StartPercent>;
}

const steady = (perSecond: number): CreditedRate => ({
  baselinePerSecond: perSecond,
  burstPerSecond: perSecond,
  creditCapacity: 0,
  startCredits: 0,
  minRefillPerSecond: 0,
});

/**
 * The rate of so many alike, whose buckets drain alike; what is all the time where there is no bucket, or it is never
 * spent.
 */
function credited(
  bucket: CreditBucket | null,
  times: number,
  percent: number,
  allTheTime: number,
): CreditedRate {
  if (!(percent >= 0 && percent <= 100))
    throw new BadInput(`balance ${percent} % cannot be: give 0 to 100, as BurstBalance reports it`);
  if (bucket === null || bucket.burstPerSecond <= bucket.baselinePerSecond) return steady(allTheTime * times);
  const { baselinePerSecond, burstPerSecond, capacity, refillFactor } = bucket;
  return {
    baselinePerSecond: baselinePerSecond * times,
    burstPerSecond: burstPerSecond * times,
    creditCapacity: capacity * times,
    startCredits: (capacity * times * percent) / 100,
    minRefillPerSecond: baselinePerSecond * times * refillFactor,
  };
}

function volumeRates(
  limits: VolumeLimits,
  times: number,
  percent: number,
): Pick<ReplayConfiguration, 'volumeIops' | 'volumeMiBps'> {
  const bucket = creditBucket(limits);
  if (isHdd(limits.volumeType))
    return {
      volumeIops: steady(Number.POSITIVE_INFINITY),
      volumeMiBps: credited(bucket, times, percent, limits.baselineMiBps),
    };
  const mibps = limits.approximate === undefined ? limits.burstMiBps : limits.baselineMiBps;
  return {
    volumeIops: credited(bucket, times, percent, limits.baselineIops),
    volumeMiBps: steady(mibps * times),
  };
}

/** How many times one member's figures a layout has; several deliver what the efficiency says of their sum. */
export function membersTimes(layout: Pick<Layout, 'kind' | 'members'>, stripeEfficiency: number): number {
  const members = sharingMembers(layout);
  return members === 1 ? 1 : members * stripeEfficiency;
}

function instanceLimits(
  figures: EbsFigures,
  { instanceIo = 100, instanceBytes = 100 }: Partial<StartPercent> = {},
): ReplayConfiguration['instance'] {
  const { io, bytes } = instanceBuckets(figures);
  return {
    iops: credited(io, 1, instanceIo, figures.baselineIops),
    mibps: credited(bytes, 1, instanceBytes, figures.baselineMiBps),
  };
}

/**
 * An instance alone, as if its volumes had no limits; I/O counts as it is given, whatever its bytes.
 * @throws BadInput where a balance cannot be.
 */
export const instanceConfiguration = (
  figures: EbsFigures,
  startPercent?: Partial<StartPercent>,
): ReplayConfiguration => ({
  counting: { chunkMiB: Number.POSITIVE_INFINITY, unitMiB: Number.POSITIVE_INFINITY, writePenalty: 1 },
  volumeIops: noLimit,
  volumeMiBps: noLimit,
  instance: instanceLimits(figures, startPercent),
});

/**
 * What a replay needs of a layout and an instance.
 * - Rates are the sum of the members (on several, times the efficiency); their buckets drain alike and count as one.
 *   Of a linear layout they are one member's: what is read and written often may lie on it.
 * - gp2 spends I/O, st1 and sc1 MiB. The MiB/s of a gp2 without credits follow from its IOPS, as 256 KiB are the most
 *   that one I/O counts for. HDD counts bytes alone: its I/O is taken as sequential, merged to 1 MiB.
 * - `standard` is taken at what AWS says it does on average.
 * - The instance has two buckets, see `credits/instance-credits.ts`; full at the start unless said otherwise.
 * @throws IllegalConfiguration where EBS would refuse the volumes, BadInput where a balance cannot be.
 */
export function replayConfiguration(
  layout: Layout,
  {
    deployment = 'region',
    chunkKiB = 64,
    stripeEfficiency = 1,
    instance,
    startPercent,
  }: ConfigurationOptions,
): ReplayConfiguration {
  const limits = volumeLimits(provisioned(layout, deployment));
  const { kind, volumeType } = layout;
  const { volume = 100 } = startPercent ?? {};
  const times = membersTimes(layout, stripeEfficiency);
  const hdd = isHdd(volumeType);
  return {
    counting: {
      chunkMiB: sharingMembers(layout) === 1 || hdd ? Number.POSITIVE_INFINITY : mibFromKiB(chunkKiB),
      unitMiB: hdd ? Number.POSITIVE_INFINITY : ssdMiBPerIo,
      writePenalty: writePenalty(kind),
    },
    ...volumeRates(limits, times, volume),
    instance: instance ? instanceLimits(instance, startPercent) : null,
  };
}

// The arithmetic of one limit in one period; small functions of numbers, which cost nothing in the loop.

export const noLimit: CreditedRate = {
  baselinePerSecond: Number.POSITIVE_INFINITY,
  burstPerSecond: Number.POSITIVE_INFINITY,
  creditCapacity: 0,
  startCredits: 0,
  minRefillPerSecond: 0,
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
  refillFactor: Math.max(1, rate.minRefillPerSecond / rate.baselinePerSecond),
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
