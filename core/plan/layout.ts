/** Volumes as one device: one volume, or several alike in a stripe, RAID10 or RAID5. */
import {
  type Deployment,
  hddMiBPerIo,
  isHdd,
  ssdMiBPerIo,
  takesIops,
  type VolumeConfiguration,
  type VolumeType,
} from '../limits/volume-limits.ts';
import { kibFromMiB, mibFromKiB } from '../units.ts';

/** What a plan can propose. */
export const plannedKinds = ['single', 'stripe', 'raid10', 'raid5'] as const;
export type PlannedKind = (typeof plannedKinds)[number];
/** `linear`: one volume after the other (LVM). It can stand, and is never proposed: its load may lie on one member. */
export const layoutKinds = [...plannedKinds, 'linear'] as const;
export type LayoutKind = (typeof layoutKinds)[number];

/** Volumes that a kind has at least. */
export const minMembers: Readonly<Record<LayoutKind, number>> = {
  single: 1,
  stripe: 2,
  raid10: 4,
  raid5: 3,
  linear: 2,
};

/** Figures per member. */
export interface Layout {
  kind: LayoutKind;
  members: number;
  volumeType: VolumeType;
  sizeGiB: number;
  /** Provisioned on gp3, io1 and io2; on other types what it has all the time. */
  iops: number;
  /** Provisioned on gp3; on other types what it has all the time. */
  throughputMiBps: number;
}

/** Only what can be set: the IOPS of a gp2 follow from its size, and EC2 refuses them as a parameter. */
export function provisioned(
  { volumeType, sizeGiB, iops, throughputMiBps }: Layout,
  deployment: Deployment,
): VolumeConfiguration {
  return {
    volumeType,
    sizeGiB,
    ...(takesIops(volumeType) ? { iops } : {}),
    ...(volumeType === 'gp3' ? { throughputMiBps } : {}),
    deployment,
  };
}

// What a load needs, and what a layout of volumes makes of it.

export const accessKinds = ['random', 'sequential'] as const;
export type Access = (typeof accessKinds)[number];

/** IOPS and MiB/s are both demanded, as the application sees them; 0 asks for nothing. */
export interface Need {
  iops: number;
  throughputMiBps: number;
  capacityGiB: number;
  ioSizeKiB: number;
  access: Access;
  /** Share of the I/O that reads, 0 to 1. */
  readShare: number;
}

/** SSD counts an I/O by this unit, HDD by the other. */
export const ssdUnitKiB = kibFromMiB(ssdMiBPerIo);
const hddUnitKiB = kibFromMiB(hddMiBPerIo);

/** What is a quotient may lie beside what it should be by its last digits. */
export const slack = 1 + 1e-9;

/** Smaller I/O is not merged to whole MiB often enough: AWS flags an average below it on HDD. */
export const minHddIoKiB = 64;

/** What is asked, with the rate that was left out following from the other at the I/O size. */
export function needOf(
  asked: Omit<Need, 'iops' | 'throughputMiBps'> & { iops: number | null; throughputMiBps: number | null },
): Need {
  const { iops, throughputMiBps, ioSizeKiB } = asked;
  return {
    ...asked,
    iops: iops ?? kibFromMiB(throughputMiBps ?? 0) / ioSizeKiB,
    throughputMiBps: throughputMiBps ?? mibFromKiB((iops ?? 0) * ioSizeKiB),
  };
}

/** A layout without its figures: of what, how many, cut how. */
export interface Shape {
  kind: LayoutKind;
  members: number;
  volumeType: VolumeType;
  chunkKiB: number;
  /** What of the members' sum a stripe delivers. */
  stripeEfficiency: number;
}

/** Members whose capacity holds data once. */
export function dataMembers({ kind, members }: Pick<Shape, 'kind' | 'members'>): number {
  if (kind === 'raid10') return members / 2;
  return kind === 'raid5' ? members - 1 : members;
}

/** Members that share a load at worst: of a linear layout, what is read and written often may lie on one. */
export const sharingMembers = ({ kind, members }: Pick<Shape, 'kind' | 'members'>): number =>
  kind === 'linear' ? 1 : members;

/** Member I/O per I/O of the application: RAID10 writes twice; RAID5 reads data and parity and writes both. */
export function writePenalty(kind: LayoutKind): number {
  if (kind === 'raid10') return 2;
  return kind === 'raid5' ? 4 : 1;
}

/** Pieces that an I/O is cut into between members. */
export const piecesOf = ({ ioSizeKiB }: Need, { chunkKiB, ...shape }: Shape): number =>
  sharingMembers(shape) === 1 ? 1 : Math.ceil(ioSizeKiB / chunkKiB);

/**
 * How often EBS counts one I/O of the application, before redundancy: SSD counts each piece by 256 KiB (small
 * sequential I/O can merge there, which is not relied on), HDD merges sequential I/O to 1 MiB and counts any other as 1 MiB.
 */
export function countedPerIo(need: Need, shape: Shape): number {
  if (isHdd(shape.volumeType)) {
    const units = need.ioSizeKiB / hddUnitKiB;
    return need.access === 'sequential' ? units : Math.max(1, units);
  }
  const pieceKiB = sharingMembers(shape) === 1 ? need.ioSizeKiB : Math.min(need.ioSizeKiB, shape.chunkKiB);
  return piecesOf(need, shape) * Math.ceil(pieceKiB / ssdUnitKiB);
}

/** Member I/O per I/O, by the mix of reads and writes. */
export const redundancyFactor = ({ readShare }: Need, kind: LayoutKind): number =>
  readShare + (1 - readShare) * writePenalty(kind);

export interface Rates {
  iops: number;
  throughputMiBps: number;
}

/** What each member must have. */
export function memberNeed(need: Need, shape: Shape): Rates & { sizeGiB: number } {
  const { kind, stripeEfficiency } = shape;
  const members = sharingMembers(shape);
  const share = redundancyFactor(need, kind) / (members * (members === 1 ? 1 : stripeEfficiency));
  return {
    iops: need.iops * countedPerIo(need, shape) * share,
    throughputMiBps: need.throughputMiBps * share,
    sizeGiB: need.capacityGiB / dataMembers(shape),
  };
}

/** What passes through the instance: I/O on HDD as the instance sends it, elsewhere as EBS counts it. */
export function instanceNeed(need: Need, shape: Shape): Rates {
  const factor = redundancyFactor(need, shape.kind);
  const perIo = isHdd(shape.volumeType) ? 1 : countedPerIo(need, shape);
  return { iops: need.iops * perIo * factor, throughputMiBps: need.throughputMiBps * factor };
}

/** What the application gets of members that have these rates each. */
export function deliveredBy(member: Rates, need: Need, shape: Shape): Rates {
  const { kind, stripeEfficiency } = shape;
  const members = sharingMembers(shape);
  const of = (members * (members === 1 ? 1 : stripeEfficiency)) / redundancyFactor(need, kind);
  return {
    iops: (member.iops * of) / countedPerIo(need, shape),
    throughputMiBps: member.throughputMiBps * of,
  };
}
