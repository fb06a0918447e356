/**
 * The cheapest volume of a type for a need. Every part of a price rises with its figure, and each rule of EBS only asks
 * for more of one figure where another is higher: so the smallest legal figures that meet the need are the cheapest.
 */
import { figure } from '../figures.ts';
import { groupBy } from '../group-by.ts';
import {
  type Deployment,
  gp2Figures,
  gp3Figures,
  hddFigures,
  hddMiBPerIo,
  provisionedFigures,
  sizeBoundsGiB,
  ssdMiBPerIo,
  takesIops,
  type VolumeConfiguration,
  type VolumeType,
  volumeLimits,
} from '../limits/volume-limits.ts';
import { type EbsPrices, exactMonthlyUsd } from '../prices/prices.ts';
import { gibPerTiB } from '../units.ts';
import type { Layout, LayoutKind, Rates } from './layout.ts';

// How likely it is that a layout loses data within a year, by the failure rates that AWS states.

/** The upper end of what AWS states: 99.999 % durability for io2, 99.8 to 99.9 % for the others. */
export const volumeFailureRate = (volumeType: VolumeType): number =>
  volumeType === 'io2' ? 0.000_01 : 0.002;

const oneDigit = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 1 });

/** In words; a small rate keeps its first digit, as none is zero. */
export const rateText = (rate: number, digits = 4): string => {
  const percent = figure(rate * 100, digits);
  return `${percent === '0' ? oneDigit.format(rate * 100) : percent} %`;
};

/**
 * A stripe fails when any member does: 1 - (1 - a)^N. RAID10 when both of a pair do, RAID5 when two do, each without
 * repair within the year: 1 - (1 - a^2)^(N/2) and 1 - (1 - a)^N - N a (1 - a)^(N - 1).
 */
export function annualFailureRate(kind: LayoutKind, members: number, volumeType: VolumeType): number {
  const a = volumeFailureRate(volumeType);
  // 1 - (1 - x)^n without losing digits where x is small.
  const any = (x: number, n: number): number => -Math.expm1(n * Math.log1p(-x));
  if (kind === 'raid10') return any(a * a, members / 2);
  if (kind === 'raid5') return any(a, members) - members * a * (1 - a) ** (members - 1);
  return any(a, members);
}

type Member = Pick<Layout, 'sizeGiB' | 'iops' | 'throughputMiBps'>;
export type MemberNeed = Rates & { sizeGiB: number };

/** Which figure no volume of the type has, and how much of it there is at most. */
export interface OutOfReach {
  limit: 'iops' | 'throughput' | 'capacity';
  asked: number;
  atMost: number;
}

export type MemberOrWhyNot = { member: Member } | { outOfReach: OutOfReach };

/** A share of a need is a quotient: its last digits are no reason for one more, and none to refuse it. */
const trimmed = (value: number): number => value * (1 - 1e-12) - 1e-9;
const whole = (value: number): number => Math.ceil(trimmed(value));
const isAbove = (value: number, most: number): boolean => trimmed(value) > most;

const beyond = (limit: OutOfReach['limit'], asked: number, atMost: number): MemberOrWhyNot => ({
  outOfReach: { limit, asked, atMost },
});

interface SizeBounds {
  min: number;
  max: number;
}

/** The least size that holds the data and allows the rates; what such a volume has all the time is read off it. */
function sized(
  config: Omit<VolumeConfiguration, 'sizeGiB'>,
  need: MemberNeed,
  minGiB: number,
  { min, max }: SizeBounds = sizeBoundsGiB[config.volumeType],
): MemberOrWhyNot {
  const sizeGiB = Math.max(min, minGiB, whole(need.sizeGiB));
  if (sizeGiB > max) return beyond('capacity', need.sizeGiB, max);
  const { baselineIops, baselineMiBps } = volumeLimits({ ...config, sizeGiB });
  return { member: { sizeGiB, iops: baselineIops, throughputMiBps: baselineMiBps } };
}

function gp3(need: MemberNeed, deployment: Deployment): MemberOrWhyNot {
  const { freeIops, freeMiBps, iopsPerGiB } = gp3Figures;
  const { maxIops, maxMiBps, maxSizeGiB } = gp3Figures[deployment];
  if (isAbove(need.iops, maxIops)) return beyond('iops', need.iops, maxIops);
  const throughputMiBps = Math.max(freeMiBps, whole(need.throughputMiBps));
  if (throughputMiBps > maxMiBps) return beyond('throughput', need.throughputMiBps, maxMiBps);
  const iops = Math.max(freeIops, whole(need.iops), throughputMiBps / ssdMiBPerIo);
  const minGiB = iops > freeIops ? Math.ceil(iops / iopsPerGiB) : 1;
  const bounds = { min: sizeBoundsGiB.gp3.min, max: maxSizeGiB };
  return sized({ volumeType: 'gp3', iops, throughputMiBps, deployment }, need, minGiB, bounds);
}

/** io1 gives 256 KiB an operation up to 500 MiB/s, then 16 KiB an operation from 32,000 IOPS on. */
const io1IopsFor = (mibps: number): number => (isAbove(mibps, 500) ? mibps * 64 : mibps / ssdMiBPerIo);

function provisioned(need: MemberNeed, volumeType: 'io1' | 'io2', deployment: Deployment): MemberOrWhyNot {
  const { minIops, maxIops, maxMiBps, iopsPerGiB } = provisionedFigures[volumeType];
  if (isAbove(need.iops, maxIops)) return beyond('iops', need.iops, maxIops);
  const { throughputMiBps } = need;
  if (isAbove(throughputMiBps, maxMiBps)) return beyond('throughput', throughputMiBps, maxMiBps);
  const forMiBps = volumeType === 'io1' ? io1IopsFor(throughputMiBps) : throughputMiBps / ssdMiBPerIo;
  // At the most MiB/s their last digits ask for one IOPS more than there is.
  const iops = Math.min(maxIops, Math.max(minIops, whole(need.iops), whole(forMiBps)));
  return sized({ volumeType, iops, deployment }, need, Math.ceil(iops / iopsPerGiB));
}

/** What gp2 has all the time counts, not what it has while its credits last. */
function gp2(need: MemberNeed, deployment: Deployment): MemberOrWhyNot {
  const { iopsPerGiB, minIops, maxIops, smallGiB, smallMaxMiBps, maxMiBps } = gp2Figures;
  if (isAbove(need.iops, maxIops)) return beyond('iops', need.iops, maxIops);
  if (isAbove(need.throughputMiBps, maxMiBps)) return beyond('throughput', need.throughputMiBps, maxMiBps);
  const iops = Math.max(need.iops, need.throughputMiBps / ssdMiBPerIo);
  const forIops = isAbove(iops, minIops) ? whole(iops / iopsPerGiB) : 1;
  const forMiBps = isAbove(need.throughputMiBps, smallMaxMiBps) ? smallGiB + 1 : 1;
  return sized({ volumeType: 'gp2', deployment }, need, Math.max(forIops, forMiBps));
}

/** What HDD has all the time, without credits; an operation carries 1 MiB. */
function hdd(need: MemberNeed, volumeType: 'st1' | 'sc1', deployment: Deployment): MemberOrWhyNot {
  const { baselineMiBpsPerTiB, maxMiBps } = hddFigures[volumeType];
  const mibps = Math.max(need.throughputMiBps, need.iops * hddMiBPerIo);
  const largestTiB = sizeBoundsGiB[volumeType].max / gibPerTiB;
  const atMost = Math.min(maxMiBps, baselineMiBpsPerTiB * largestTiB);
  if (isAbove(mibps, atMost)) return beyond('throughput', mibps, atMost);
  return sized({ volumeType, deployment }, need, whole((mibps / baselineMiBpsPerTiB) * gibPerTiB));
}

/** @returns the volume, or which figure is out of reach. `standard` promises no figure and is none. */
export function cheapestMember(
  volumeType: Exclude<VolumeType, 'standard'>,
  need: MemberNeed,
  deployment: Deployment,
): MemberOrWhyNot {
  switch (volumeType) {
    case 'gp3':
      return gp3(need, deployment);
    case 'gp2':
      return gp2(need, deployment);
    case 'io1':
    case 'io2':
      return provisioned(need, volumeType, deployment);
    default:
      return hdd(need, volumeType, deployment);
  }
}

// Paid figures of an instance's volumes lowered, the dearest first, as far as the volumes together still reach what the
// instance can do: IOPS of io1 and io2, then MiB/s of gp3, then IOPS of gp3; of one price the highest first, so that
// volumes alike stay alike but for one IOPS or MiB/s. What this saves can be saved; where several io1 and io2 stand side
// by side, a search would now and then find a little more.

export type PaidConfiguration = VolumeConfiguration & { volumeType: 'gp3' | 'io1' | 'io2' };

/** Of a type whose figures are paid for apart. */
export const isPaid = (config: VolumeConfiguration): config is PaidConfiguration =>
  takesIops(config.volumeType);

export interface Lowerable {
  config: PaidConfiguration;
  /** What it has in any case. */
  keeps: Rates;
}

const tiny = 1e-6;
const isGp3 = ({ volumeType }: PaidConfiguration): boolean => volumeType === 'gp3';
const ratesOf = ({ iops, throughputMiBps }: PaidConfiguration): Rates => ({
  iops: iops ?? gp3Figures.freeIops,
  throughputMiBps: throughputMiBps ?? gp3Figures.freeMiBps,
});
const withRates = (config: PaidConfiguration, { iops, throughputMiBps }: Rates): PaidConfiguration =>
  isGp3(config) ? { ...config, iops, throughputMiBps } : { ...config, iops };

/** The lowest legal figures, by what a volume keeps; nothing to lower where it keeps more than its type has. */
function leastOf({ config, keeps }: Lowerable): Rates {
  const { volumeType, sizeGiB, deployment } = config;
  const found = cheapestMember(volumeType, { ...keeps, sizeGiB }, deployment);
  return 'outOfReach' in found ? ratesOf(config) : found.member;
}

function reach(volumes: readonly VolumeConfiguration[], need: Rates): boolean {
  const limits = volumes.map((config) => volumeLimits(config));
  const iops = limits.reduce((sum, { baselineIops }) => sum + baselineIops, 0);
  const mibps = limits.reduce((sum, { baselineMiBps }) => sum + baselineMiBps, 0);
  return iops >= need.iops - tiny && mibps >= need.throughputMiBps - tiny;
}

function usdOfLastIops(config: PaidConfiguration, prices: EbsPrices): number {
  const rates = ratesOf(config);
  const usd = (one: PaidConfiguration): number => exactMonthlyUsd(one, prices).iops;
  return usd(config) - usd(withRates(config, { ...rates, iops: rates.iops - 1 }));
}

type Bounds = { least: readonly Rates[]; need: Rates };

/** One figure of some of the volumes brought down to one level, the lowest that still reaches the need. */
function lower(now: PaidConfiguration[], which: number[], what: keyof Rates, of: Bounds): void {
  const today = now.map(ratesOf);
  const put = (i: number, level: number): void => {
    const [config, rates] = [now[i] as PaidConfiguration, today[i] as Rates];
    const byMiBps = what === 'iops' && isGp3(config) ? rates.throughputMiBps / ssdMiBPerIo : 0;
    const value = Math.min(rates[what], Math.max((of.least[i] as Rates)[what], byMiBps, level));
    now[i] = withRates(config, { ...rates, [what]: value });
  };
  const isEnough = (level: number): boolean => {
    for (const i of which) put(i, level);
    return reach(now, of.need);
  };
  let [low, high] = [0, Math.max(0, ...which.map((i) => (today[i] as Rates)[what]))];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  isEnough(low);
  for (const i of which) {
    put(i, low - 1);
    if (!reach(now, of.need)) put(i, low);
  }
}

/** The configurations in the order given. The need is what they must have together, at most what they have today. */
export function lowerToReach(
  volumes: readonly Lowerable[],
  need: Rates,
  prices: EbsPrices,
): PaidConfiguration[] {
  const now = volumes.map(({ config }) => config);
  const bounds = { least: volumes.map(leastOf), need };
  const gp3 = [...now.keys()].filter((i) => isGp3(now[i] as PaidConfiguration));
  const byUsd = groupBy(
    [...now.keys()].filter((i) => !gp3.includes(i)),
    (i) => usdOfLastIops(now[i] as PaidConfiguration, prices).toFixed(6),
  );
  const dearestFirst = [...byUsd].sort(([a], [b]) => Number(b) - Number(a));
  for (const [, which] of dearestFirst) lower(now, which, 'iops', bounds);
  lower(now, gp3, 'throughputMiBps', bounds);
  lower(now, gp3, 'iops', bounds);
  return now;
}
