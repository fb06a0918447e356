/**
 * The plan by trying: every legal volume of a grid, in every number and kind, on every instance. It shares with the
 * optimiser what EBS allows (`volumeLimits`) and what it costs, and nothing else: what a layout delivers, how likely it
 * fails and what an instance carries is written down here a second time.
 */
import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import { type Deployment, type VolumeType, volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { Layout, Need, PlannedKind } from '../../../core/plan/layout.ts';
import { type EbsPrices, exactMonthlyUsd } from '../../../core/prices/prices.ts';

type Volume = Pick<Layout, 'volumeType' | 'sizeGiB' | 'iops' | 'throughputMiBps'>;

export interface PricedVolume extends Volume {
  usd: number;
}

export interface Asked {
  need: Need;
  types: readonly VolumeType[];
  kinds: readonly PlannedKind[];
  maxMembers: number;
  maxAnnualFailureRate: number;
  stripeEfficiency: number;
  chunkKiB: number;
}

/** What a volume has all the time; null where EBS refuses it. */
export function legalVolume(
  volumeType: VolumeType,
  sizeGiB: number,
  iops: number | undefined,
  throughputMiBps: number | undefined,
  deployment: Deployment,
): Volume | null {
  try {
    const limits = volumeLimits({ volumeType, sizeGiB, iops, throughputMiBps, deployment });
    return { volumeType, sizeGiB, iops: limits.baselineIops, throughputMiBps: limits.baselineMiBps };
  } catch {
    return null;
  }
}

const grid = {
  sizeGiB: [1, 4, 6, 16, 33, 64, 125, 171, 200, 334, 500, 1_000, 2_000, 4_096, 12_800, 16_384, 65_536],
  iops: [100, 500, 3_000, 3_500, 5_000, 8_000, 16_000, 40_000, 80_000, 256_000],
  throughputMiBps: [125, 150, 250, 500, 750, 1_000, 2_000],
};

/** Every legal volume of the grid with its price. */
export function volumesOfGrid(deployment: Deployment, prices: EbsPrices): PricedVolume[] {
  const volumes: Volume[] = [];
  const add = (volume: Volume | null): void => {
    if (volume !== null) volumes.push(volume);
  };
  for (const sizeGiB of grid.sizeGiB) {
    for (const type of ['gp2', 'st1', 'sc1'] as const)
      add(legalVolume(type, sizeGiB, undefined, undefined, deployment));
    for (const iops of grid.iops) {
      for (const type of ['io1', 'io2'] as const)
        add(legalVolume(type, sizeGiB, iops, undefined, deployment));
      for (const mibps of grid.throughputMiBps) add(legalVolume('gp3', sizeGiB, iops, mibps, deployment));
    }
  }
  return volumes.map((volume) => ({ ...volume, usd: usdOf(volume, deployment, prices) }));
}

export function usdOf(volume: Volume, deployment: Deployment, prices: EbsPrices): number {
  const { volumeType, iops, throughputMiBps } = volume;
  const paysIops = volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';
  const config = {
    ...volume,
    iops: paysIops ? iops : undefined,
    throughputMiBps: volumeType === 'gp3' ? throughputMiBps : undefined,
    deployment,
  };
  return exactMonthlyUsd(config, prices).total;
}

const isHdd = (type: VolumeType): boolean => type === 'st1' || type === 'sc1';

/** I/O of the members for one I/O of the application, redundancy included. */
function ioFactor({ need, chunkKiB }: Asked, type: VolumeType, kind: PlannedKind, members: number): number {
  const writes = { single: 1, stripe: 1, raid10: 2, raid5: 4 }[kind];
  const redundancy = need.readShare * 1 + (1 - need.readShare) * writes;
  if (isHdd(type)) return (need.ioSizeKiB / 1_024) * redundancy;
  if (members === 1) return Math.ceil(need.ioSizeKiB / 256) * redundancy;
  const pieces = Math.ceil(need.ioSizeKiB / chunkKiB);
  return pieces * Math.ceil(Math.min(chunkKiB, need.ioSizeKiB) / 256) * redundancy;
}

const byteFactor = ({ need }: Asked, kind: PlannedKind): number =>
  need.readShare + (1 - need.readShare) * { single: 1, stripe: 1, raid10: 2, raid5: 4 }[kind];

export function failureRate(kind: PlannedKind, members: number, type: VolumeType): number {
  const a = type === 'io2' ? 0.000_01 : 0.002;
  if (kind === 'raid10') return 1 - (1 - a * a) ** (members / 2);
  if (kind === 'raid5') return 1 - (1 - a) ** members - members * a * (1 - a) ** (members - 1);
  return 1 - (1 - a) ** members;
}

/** Members that a kind can have. */
const isCount = (kind: PlannedKind, members: number): boolean =>
  ({
    single: members === 1,
    stripe: members >= 2,
    raid10: members >= 4 && members % 2 === 0,
    raid5: members >= 3,
  })[kind];

/** Needs are quotients: equal but for the last digits is enough. */
const near = 1 + 1e-9;

/** Is it good enough, and allowed to be taken? */
export function isGoodEnough(asked: Asked, volume: Volume, kind: PlannedKind, members: number): boolean {
  const { need, stripeEfficiency } = asked;
  const { volumeType: type } = volume;
  if (isHdd(type) && (need.access === 'random' || need.ioSizeKiB < 64)) return false;
  if (!isCount(kind, members) || members > asked.maxMembers) return false;
  if (failureRate(kind, members, type) > asked.maxAnnualFailureRate * near) return false;
  const holds = { single: 1, stripe: members, raid10: members / 2, raid5: members - 1 }[kind];
  const efficiency = members === 1 ? 1 : stripeEfficiency;
  return (
    volume.sizeGiB * holds * near >= need.capacityGiB &&
    volume.iops * members * efficiency * near >= need.iops * ioFactor(asked, type, kind, members) &&
    volume.throughputMiBps * members * efficiency * near >= need.throughputMiBps * byteFactor(asked, kind)
  );
}

/** Does it carry the load all the time, however the volumes are put on its cards? */
export function carries(
  type: InstanceType,
  asked: Asked,
  volumeType: VolumeType,
  kind: PlannedKind,
  members: number,
): boolean {
  const { need } = asked;
  const { ebs, attachments, cards } = type;
  if (ebs === null || attachments === null || members > attachments.most - 1) return false;
  const iops =
    need.iops * (isHdd(volumeType) ? byteFactor(asked, kind) : ioFactor(asked, volumeType, kind, members));
  const mibps = need.throughputMiBps * byteFactor(asked, kind);
  const fits = (limits: { baselineIops: number; baselineMiBps: number }, volumes: number): boolean =>
    (iops * volumes) / members <= limits.baselineIops * near &&
    (mibps * volumes) / members <= limits.baselineMiBps * near;
  if (!fits(ebs, members)) return false;
  const [first, second] = cards;
  if (first === undefined || second === undefined) return true;
  for (let onFirst = 0; onFirst <= members; onFirst++)
    if (fits(first, onFirst) && fits(second, members - onFirst)) return true;
  return false;
}

/** The cheapest of the grid, in USD a month; infinite where there is none. */
export function cheapestOfGrid(
  asked: Asked,
  volumes: readonly PricedVolume[],
  instances: readonly { type: InstanceType; usd: number }[] | null,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (const kind of asked.kinds) {
    for (let members = 1; members <= asked.maxMembers; members++) {
      if (!isCount(kind, members)) continue;
      const instanceUsd = new Map<VolumeType, number>();
      for (const volume of volumes) {
        const volumesUsd = volume.usd * members;
        if (volumesUsd >= least || !asked.types.includes(volume.volumeType)) continue;
        if (!isGoodEnough(asked, volume, kind, members)) continue;
        if (!instanceUsd.has(volume.volumeType)) {
          const fit = instances?.filter(({ type }) => carries(type, asked, volume.volumeType, kind, members));
          instanceUsd.set(
            volume.volumeType,
            fit === undefined ? 0 : Math.min(Number.POSITIVE_INFINITY, ...fit.map(({ usd }) => usd)),
          );
        }
        least = Math.min(least, volumesUsd + (instanceUsd.get(volume.volumeType) ?? 0));
      }
    }
  }
  return least;
}
