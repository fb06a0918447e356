/**
 * What a volume can do, by type, size, provisioned figures and deployment.
 * Source: EBS user guide (general-purpose, provisioned-iops, hdd-vols, ebs-volume-types), read 2026-11-21.
 */

import { IllegalConfiguration } from '../errors.ts';
import { figure } from '../figures.ts';
import { bytesFromKiB, bytesPerMiB, gibPerTiB, mibFromGiB } from '../units.ts';
import type { LimitNote } from './limit-note.ts';

/** The EBS volume types, and where a volume can stand. */
export const volumeTypes = ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1', 'standard'] as const;
export type VolumeType = (typeof volumeTypes)[number];

export const deployments = ['region', 'outposts'] as const;
export type Deployment = (typeof deployments)[number];

export const isVolumeType = (text: string): text is VolumeType =>
  (volumeTypes as readonly string[]).includes(text);

/** What a volume was asked to be. IOPS can be set on gp3, io1 and io2, throughput on gp3 only. */
export interface VolumeConfiguration {
  volumeType: VolumeType;
  sizeGiB: number;
  /** Provisioned IOPS; gp3 without it has 3,000. */
  iops?: number | undefined;
  /** Provisioned MiB/s; gp3 without it has 125. */
  throughputMiBps?: number | undefined;
  deployment: Deployment;
}

/** Whether its IOPS are provisioned, and paid for where they are more than what comes with it. */
export const takesIops = (volumeType: string): volumeType is 'gp3' | 'io1' | 'io2' =>
  volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';

export const isHdd = (volumeType: VolumeType): volumeType is 'st1' | 'sc1' =>
  volumeType === 'st1' || volumeType === 'sc1';

// How I/O of one size meets the two limits of a volume.

type BindingLimit = 'iops' | 'throughput' | 'iops+throughput';

interface Delivered {
  iops: number;
  mibps: number;
  binding: BindingLimit;
}

function delivered(limitIops: number, limitMiBps: number, mibPerIo: number, countedPerIo: number): Delivered {
  const byIops = limitIops / countedPerIo;
  const byThroughput = limitMiBps / mibPerIo;
  const iops = Math.min(byIops, byThroughput);
  const both = Math.abs(byIops - byThroughput) <= 1e-9 * iops;
  const nearer = byIops < byThroughput ? 'iops' : 'throughput';
  return { iops, mibps: iops * mibPerIo, binding: both ? 'iops+throughput' : nearer };
}

/**
 * What a volume delivers with random I/O of one size (in KiB), always and in a burst, and which limit ends it. An I/O
 * above the unit (256 KiB on SSD, 1 MiB on HDD) counts as several. Both limits are named when both bind: 16,000 IOPS of
 * 8 KiB are 125 MiB/s exactly.
 */
export function deliveredAtIoSize(
  limits: VolumeLimits,
  ioSizeKiB: number,
): { baseline: Delivered; burst: Delivered } {
  const mibPerIo = bytesFromKiB(ioSizeKiB) / bytesPerMiB;
  const unitMiB = isHdd(limits.volumeType) ? hddMiBPerIo : ssdMiBPerIo;
  const countedPerIo = Math.ceil(mibPerIo / unitMiB);
  return {
    baseline: delivered(limits.baselineIops, limits.baselineMiBps, mibPerIo, countedPerIo),
    burst: delivered(limits.burstIops, limits.burstMiBps, mibPerIo, countedPerIo),
  };
}

/** What a volume can do without credits (baseline) and with them (burst; equal where the type does not burst). */
export interface VolumeLimits {
  volumeType: VolumeType;
  sizeGiB: number;
  baselineIops: number;
  burstIops: number;
  baselineMiBps: number;
  burstMiBps: number;
  /** The credit bucket: I/O operations on gp2, MiB on st1 and sc1; null where credits are never spent. */
  bucket: { unit: 'io' | 'mib'; capacity: number } | null;
  /** Where AWS promises no figure: these are averages. */
  approximate?: true;
}

/** Throughput never exceeds IOPS x 0.25 MiB on SSD: one operation carries at most 256 KiB. */
export const ssdMiBPerIo = 0.25;
/** One HDD operation carries at most 1 MiB. */
export const hddMiBPerIo = 1;

export const gp2Figures = {
  iopsPerGiB: 3,
  minIops: 100,
  maxIops: 16_000,
  burstIops: 3_000,
  bucketIo: 5_400_000,
  /** Up to this size it has less throughput. */
  smallGiB: 170,
  smallMaxMiBps: 128,
  maxMiBps: 250,
} as const;

export const hddFigures = {
  st1: { baselineMiBpsPerTiB: 40, burstMiBpsPerTiB: 250, maxMiBps: 500 },
  sc1: { baselineMiBpsPerTiB: 12, burstMiBpsPerTiB: 80, maxMiBps: 250 },
} as const;

/** Default and bounds of gp3; an Outpost stops at the figures of before September 2025. */
export const gp3Figures = {
  freeIops: 3_000,
  freeMiBps: 125,
  iopsPerGiB: 500,
  region: { maxSizeGiB: 65_536, maxIops: 80_000, maxMiBps: 2_000 },
  outposts: { maxSizeGiB: 16_384, maxIops: 16_000, maxMiBps: 1_000 },
} as const;

/** IOPS that io1 and io2 can be given. */
export const provisionedFigures = {
  io1: { iopsPerGiB: 50, minIops: 100, maxIops: 64_000, maxMiBps: 1_000 },
  io2: { iopsPerGiB: 1_000, minIops: 100, maxIops: 256_000, maxMiBps: 4_000 },
} as const;

/** The most IOPS that a volume of this type and size can be given; null where they cannot be set. */
export function topIops({ volumeType, sizeGiB, deployment }: VolumeConfiguration): number | null {
  if (volumeType === 'gp3') {
    const { freeIops, iopsPerGiB } = gp3Figures;
    return Math.min(gp3Figures[deployment].maxIops, Math.max(freeIops, iopsPerGiB * sizeGiB));
  }
  if (volumeType !== 'io1' && volumeType !== 'io2') return null;
  const { iopsPerGiB, maxIops } = provisionedFigures[volumeType];
  return Math.min(maxIops, iopsPerGiB * sizeGiB);
}

export const sizeBoundsGiB: Record<VolumeType, { min: number; max: number }> = {
  gp2: { min: 1, max: 16_384 },
  gp3: { min: 1, max: gp3Figures.region.maxSizeGiB },
  io1: { min: 4, max: 16_384 },
  io2: { min: 4, max: 65_536 },
  st1: { min: 125, max: 16_384 },
  sc1: { min: 125, max: 16_384 },
  standard: { min: 1, max: 1_024 },
};

interface Bounds {
  min: number;
  /** Of this configuration. */
  max: number;
  /** Of the type, whatever else is set. */
  maxOfType: number;
}

/** @param rule in words: most configurations are legal, and it is not asked for. */
function requireWhole(what: string, value: number, { min, max }: Bounds, rule: () => string): void {
  const isWhole = Number.isInteger(value);
  if (isWhole && value >= min && value <= max) return;
  const given = Number.isFinite(value) ? figure(value) : value;
  throw new IllegalConfiguration(
    `${what} ${given} is not allowed: ${rule()}${isWhole ? '' : '; give a whole number'}`,
  );
}

/** "3,000 to 5,000 IOPS"; of one figure alone "3,000 IOPS and no more". */
const rangeText = (min: number, max: number, unit: string): string =>
  min === max ? `${figure(min)} ${unit} and no more` : `${figure(min)} to ${figure(max)} ${unit}`;

/**
 * "gp3 10 GiB has 3,000 to 5,000 IOPS; 16,000 need 32 GiB (500 per GiB)".
 * @param of what else is set, and bounds it: "10 GiB".
 * @param needed of what is set as much as this value needs, and the rule.
 */
function boundText(
  { type, of, unit }: { type: string; of: string; unit: string },
  value: number,
  { min, max, maxOfType }: Bounds,
  needed: (value: number) => string,
): string {
  if (max === maxOfType) return `${type} has ${rangeText(min, max, unit)}`;
  const bound = `${type} ${of} has ${rangeText(min, max, unit)}`;
  if (value <= max) return bound;
  return value > maxOfType
    ? `${bound}, and no ${type} more than ${figure(maxOfType)}`
    : `${bound}; ${figure(value)} need ${needed(value)}`;
}

const onOutposts = (deployment: Deployment): string => (deployment === 'outposts' ? ' on Outposts' : '');

function requireSize({ volumeType, sizeGiB, deployment }: VolumeConfiguration): void {
  const { min, max: maxInRegion } = sizeBoundsGiB[volumeType];
  const isGp3 = volumeType === 'gp3';
  const max = isGp3 ? gp3Figures[deployment].maxSizeGiB : maxInRegion;
  const type = `${volumeType}${isGp3 ? onOutposts(deployment) : ''}`;
  requireWhole(
    'size (GiB)',
    sizeGiB,
    { min, max, maxOfType: max },
    () => `${type} has ${rangeText(min, max, 'GiB')}`,
  );
}

/** IOPS by the size: as many a GiB. */
function requireIops(
  type: string,
  { sizeGiB }: VolumeConfiguration,
  iops: number,
  by: Bounds,
  perGiB: number,
) {
  requireWhole('IOPS', iops, by, () =>
    boundText(
      { type, of: `${figure(sizeGiB)} GiB`, unit: 'IOPS' },
      iops,
      by,
      (value) => `${figure(Math.ceil(value / perGiB))} GiB (${figure(perGiB)} per GiB)`,
    ),
  );
}

function refuseIops({ volumeType, iops }: VolumeConfiguration): void {
  if (iops === undefined) return;
  const follows =
    volumeType === 'gp2' ? 'they follow from its size (3 per GiB)' : 'nobody can set them on this type';
  throw new IllegalConfiguration(
    `IOPS ${figure(iops)} cannot be provisioned on ${volumeType}: ${follows}; leave them out, or take gp3`,
  );
}

function refuseThroughput({ volumeType, throughputMiBps }: VolumeConfiguration): void {
  if (throughputMiBps === undefined) return;
  throw new IllegalConfiguration(
    `throughput ${figure(throughputMiBps)} MiB/s cannot be provisioned on ${volumeType}: only gp3 has it; leave throughput out, or take gp3`,
  );
}

function requiredIops(config: VolumeConfiguration, volumeType: 'io1' | 'io2'): number {
  const { sizeGiB, iops } = config;
  const { iopsPerGiB, minIops: min, maxIops: maxOfType } = provisionedFigures[volumeType];
  const max = Math.min(maxOfType, iopsPerGiB * sizeGiB);
  if (iops === undefined) {
    throw new IllegalConfiguration(
      `${volumeType} needs provisioned IOPS: of ${figure(sizeGiB)} GiB give ${rangeText(min, max, 'IOPS')}`,
    );
  }
  requireIops(volumeType, config, iops, { min, max, maxOfType }, iopsPerGiB);
  return iops;
}

const steady = (
  config: VolumeConfiguration,
  iops: number,
  mibps: number,
): Omit<VolumeLimits, 'approximate'> => ({
  volumeType: config.volumeType,
  sizeGiB: config.sizeGiB,
  baselineIops: iops,
  burstIops: iops,
  baselineMiBps: mibps,
  burstMiBps: mibps,
  bucket: null,
});

/** 3 IOPS per GiB from 100 to 16,000, bursting to 3,000; 128 MiB/s to 170 GiB, 250 above, never over IOPS x 0.25. */
function gp2(config: VolumeConfiguration): VolumeLimits {
  refuseIops(config);
  refuseThroughput(config);
  const { iopsPerGiB, minIops, maxIops, bucketIo, smallGiB, smallMaxMiBps, maxMiBps } = gp2Figures;
  const baselineIops = Math.min(maxIops, Math.max(minIops, iopsPerGiB * config.sizeGiB));
  const bursts = baselineIops < gp2Figures.burstIops;
  const burstIops = bursts ? gp2Figures.burstIops : baselineIops;
  const capMiBps = config.sizeGiB <= smallGiB ? smallMaxMiBps : maxMiBps;
  return {
    ...steady(config, baselineIops, Math.min(capMiBps, baselineIops * ssdMiBPerIo)),
    burstIops,
    burstMiBps: Math.min(capMiBps, burstIops * ssdMiBPerIo),
    bucket: bursts ? { unit: 'io', capacity: bucketIo } : null,
  };
}

/** What is provisioned: 3,000 IOPS and 125 MiB/s at least, 500 IOPS per GiB and 0.25 MiB/s per IOPS at most. */
function gp3(config: VolumeConfiguration): VolumeLimits {
  const { deployment } = config;
  const { freeIops, freeMiBps, iopsPerGiB } = gp3Figures;
  const { maxIops, maxMiBps } = gp3Figures[deployment];
  const type = `gp3${onOutposts(deployment)}`;
  const iops = config.iops ?? freeIops;
  const byIops = { min: freeIops, max: topIops(config) ?? maxIops, maxOfType: maxIops };
  requireIops(type, config, iops, byIops, iopsPerGiB);
  const mibps = config.throughputMiBps ?? freeMiBps;
  const byMiB = {
    min: freeMiBps,
    max: Math.min(maxMiBps, Math.floor(iops * ssdMiBPerIo)),
    maxOfType: maxMiBps,
  };
  requireWhole('throughput (MiB/s)', mibps, byMiB, () =>
    boundText(
      { type, of: `with ${figure(iops)} IOPS`, unit: 'MiB/s' },
      mibps,
      byMiB,
      (value) => `${figure(Math.ceil(value / ssdMiBPerIo))} IOPS (${ssdMiBPerIo} MiB/s per IOPS)`,
    ),
  );
  return steady(config, iops, mibps);
}

/** 50 IOPS per GiB to 64,000; up to 32,000 IOPS 256 KiB each to 500 MiB/s, above 16 KiB each to 1,000 MiB/s. */
function io1(config: VolumeConfiguration): VolumeLimits {
  refuseThroughput(config);
  const iops = requiredIops(config, 'io1');
  return steady(config, iops, iops <= 32_000 ? Math.min(500, iops * ssdMiBPerIo) : iops / 64);
}

/** Every io2 volume is Block Express: 1,000 IOPS per GiB to 256,000; 256 KiB each to 4,000 MiB/s. */
function io2(config: VolumeConfiguration): VolumeLimits {
  refuseThroughput(config);
  const iops = requiredIops(config, 'io2');
  return steady(config, iops, Math.min(4_000, iops * ssdMiBPerIo));
}

/** Throughput by size with a bucket of 1 TiB per TiB; an operation carries at most 1 MiB, so IOPS = MiB/s. */
function hdd(config: VolumeConfiguration, volumeType: 'st1' | 'sc1'): VolumeLimits {
  const { baselineMiBpsPerTiB, burstMiBpsPerTiB, maxMiBps } = hddFigures[volumeType];
  refuseIops(config);
  refuseThroughput(config);
  const sizeTiB = config.sizeGiB / gibPerTiB;
  const baselineMiBps = Math.min(maxMiBps, baselineMiBpsPerTiB * sizeTiB);
  const burstMiBps = Math.max(baselineMiBps, Math.min(maxMiBps, burstMiBpsPerTiB * sizeTiB));
  return {
    ...steady(config, baselineMiBps / hddMiBPerIo, baselineMiBps),
    burstIops: burstMiBps / hddMiBPerIo,
    burstMiBps,
    bucket: { unit: 'mib', capacity: mibFromGiB(config.sizeGiB) },
  };
}

/** AWS promises none of them. */
export const magneticFigures = {
  ...{ averageIops: 100, lowestIops: 40, highestIops: 200 },
  ...{ lowestMiBps: 40, highestMiBps: 90 },
} as const;

/** Magnetic: AWS promises no figure; about 100 IOPS on average (40 to 200) and 40 to 90 MiB/s. */
function standard(config: VolumeConfiguration): VolumeLimits {
  const { averageIops, highestIops, lowestMiBps, highestMiBps } = magneticFigures;
  refuseIops(config);
  refuseThroughput(config);
  return {
    ...steady(config, averageIops, lowestMiBps),
    burstIops: highestIops,
    burstMiBps: highestMiBps,
    approximate: true,
  };
}

const limitsByType: Record<VolumeType, (config: VolumeConfiguration) => VolumeLimits> = {
  gp2,
  gp3,
  io1,
  io2,
  st1: (config) => hdd(config, 'st1'),
  sc1: (config) => hdd(config, 'sc1'),
  standard,
};

/**
 * What a volume of this configuration can do, in IOPS and MiB/s.
 * On Outposts gp3 has lower bounds; the other types have the Region's (which of them an Outpost offers depends on
 * its hardware and is not checked here).
 * @throws IllegalConfiguration naming the rule that EBS would refuse it by.
 */
export function volumeLimits(config: VolumeConfiguration): VolumeLimits {
  requireSize(config);
  return limitsByType[config.volumeType](config);
}

/**
 * AWS writes 0.256 MiB/s for each IOPS, to 4,000 at 16,000 IOPS, and 256 KiB an I/O: only 0.25 agrees with both. Null where
 * it makes no difference. Source: EBS user guide, provisioned-iops, read 2026-11-21.
 */
export const io2Note = (volumeType: VolumeType, { baselineMiBps }: VolumeLimits): LimitNote | null =>
  volumeType === 'io2' && baselineMiBps < provisionedFigures.io2.maxMiBps
    ? { code: 'io2-mibps-per-iops', computed: ssdMiBPerIo, alsoWritten: 0.256 }
    : null;

/** What to know of a volume on an Outpost; null in a Region. */
export const deploymentNote = ({ deployment, volumeType }: VolumeConfiguration): LimitNote | null =>
  deployment === 'region'
    ? null
    : { code: 'on-outposts', gp3: volumeType === 'gp3' ? gp3Figures.outposts : null };
