/**
 * The cheapest volume of a type for a need. Every part of a price rises with its figure, and each rule of EBS only asks
 * for more of one figure where another is higher: so the smallest legal figures that meet the need are the cheapest.
 */
import {
  gp2Figures,
  gp3Figures,
  hddFigures,
  hddMiBPerIo,
  provisionedFigures,
  sizeBoundsGiB,
  ssdMiBPerIo,
  volumeLimits,
} from '../limits/volume-limits.ts';
import type { Deployment, VolumeConfiguration, VolumeType } from '../limits/volume-types.ts';
import { gibPerTiB } from '../units.ts';
import type { Layout } from './layout.ts';
import type { Rates } from './need.ts';

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
  leastGiB: number,
  { min, max }: SizeBounds = sizeBoundsGiB[config.volumeType],
): MemberOrWhyNot {
  const sizeGiB = Math.max(min, leastGiB, whole(need.sizeGiB));
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
  const leastGiB = iops > freeIops ? Math.ceil(iops / iopsPerGiB) : 1;
  const bounds = { min: sizeBoundsGiB.gp3.min, max: maxSizeGiB };
  return sized({ volumeType: 'gp3', iops, throughputMiBps, deployment }, need, leastGiB, bounds);
}

/** io1 gives 256 KiB an operation up to 500 MiB/s, then 16 KiB an operation from 32,000 IOPS on. */
const io1IopsFor = (mibps: number): number => (isAbove(mibps, 500) ? mibps * 64 : mibps / ssdMiBPerIo);

function provisioned(need: MemberNeed, volumeType: 'io1' | 'io2', deployment: Deployment): MemberOrWhyNot {
  const { minIops, maxIops, maxMiBps, iopsPerGiB } = provisionedFigures[volumeType];
  if (isAbove(need.iops, maxIops)) return beyond('iops', need.iops, maxIops);
  const { throughputMiBps } = need;
  if (isAbove(throughputMiBps, maxMiBps)) return beyond('throughput', throughputMiBps, maxMiBps);
  const forMiBps = volumeType === 'io1' ? io1IopsFor(throughputMiBps) : throughputMiBps / ssdMiBPerIo;
  const iops = Math.max(minIops, whole(need.iops), whole(forMiBps));
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
