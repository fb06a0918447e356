/** The large fleet: who is on which instance, and what load each volume has. Loads come again: series are made once each. */
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { SyntheticLoad } from '../../../tools/bench/two-pass-series.ts';
import { type InstancePlan, plansOf, type VolumePlan } from './plans.ts';

export const fleetSize = 20_000;

/** A load comes in so many variants: other noise, another hour of the night. */
const variants = 4;

export interface LargeVolume {
  volumeId: string;
  plan: VolumePlan;
  /** Volumes of one load have the same figures; null where CloudWatch has none. */
  load: { key: string; load: SyntheticLoad } | null;
}

export interface LargeInstance {
  instanceId: string;
  /** Null for a volume that is attached to nothing. */
  instanceType: string | null;
  plan: InstancePlan;
  /** Instances of one key have the same figures. */
  key: string;
  volumes: LargeVolume[];
}

const hex = (kind: string, index: number): string => `${kind}-0${index.toString(16).padStart(16, '0')}`;

function loadOf(plan: VolumePlan, key: string): LargeVolume['load'] {
  const { volumeType, sizeGiB, iops, throughputMiBps } = plan;
  const limits = volumeLimits({ volumeType, sizeGiB, iops, throughputMiBps, deployment: 'region' });
  const most = Math.min(limits.burstIops, (limits.burstMiBps * 1_024) / plan.ioKiB);
  const load: SyntheticLoad = {
    ...{ seed: 1, rhythm: key, limits, usualIops: plan.usualIops, ioKiB: plan.ioKiB },
    nightIops: most * plan.nightShare,
    trouble: plan.trouble ?? null,
  };
  return { key, load };
}

/** Always the same. */
export function largeFleet(size = fleetSize): LargeInstance[] {
  const instances: LargeInstance[] = [];
  let volumes = 0;
  plansOf(size).forEach((plan, planIndex) => {
    for (let i = 0; i < plan.count; i++) {
      const key = `${plan.service} ${i % variants}`;
      const runs = plan.types.length > 0 && plan.stopped !== true;
      instances.push({
        instanceId: hex('i', planIndex * 100_000 + i),
        instanceType: plan.types[i % plan.types.length] ?? null,
        plan,
        key,
        volumes: plan.volumes.map((volume, at) => ({
          volumeId: hex('vol', volumes++),
          plan: volume,
          load: runs && volume.silent !== true ? loadOf(volume, `${key} ${at}`) : null,
        })),
      });
    }
  });
  return instances;
}

/** So many of a hundred instances, of each kind. */
export const partOf = (fleet: readonly LargeInstance[], ofHundred: number): LargeInstance[] =>
  fleet.filter((_, at) => at % 100 < ofHundred);

/** Whose the fleet is: each account has its share of it in each Region. */
export interface Spread {
  /** Volumes of the whole fleet, of which a part is there (partOf). */
  size: number;
  ofHundred: number;
  accounts: readonly string[];
  regions: readonly string[];
}

/** What an account has, by Region: instances go to each account and Region in turn. */
export function shareOf(
  fleet: readonly LargeInstance[],
  { accounts, regions, ofHundred }: Spread,
  account: string,
): Map<string, LargeInstance[]> {
  const targets = accounts.length * regions.length;
  const first = accounts.indexOf(account) * regions.length;
  return new Map(
    regions.map((region, index) => [
      region,
      first < 0 ? [] : partOf(fleet, ofHundred).filter((_, at) => at % targets === first + index),
    ]),
  );
}

export interface Truth {
  volumes: number;
  instances: number;
  inTrouble: number;
  /** Volume ids by what they were made to suffer. */
  idsByTrouble: Map<string, string[]>;
  unknown: number;
}

export function truthOf(fleet: readonly LargeInstance[]): Truth {
  const idsByTrouble = new Map<string, string[]>();
  let [volumes, unknown, inTrouble] = [0, 0, 0];
  for (const { instanceType, plan, volumes: its } of fleet) {
    for (const { volumeId, plan: own, load } of its) {
      volumes++;
      const trouble = instanceType === null ? 'unattached' : own.trouble;
      if (trouble !== undefined) {
        inTrouble++;
        idsByTrouble.set(trouble, [...(idsByTrouble.get(trouble) ?? []), volumeId]);
      }
      if (instanceType !== null && (plan.stopped === true || load === null)) unknown++;
    }
  }
  const instances = fleet.filter(({ instanceType }) => instanceType !== null).length;
  return { volumes, instances, inTrouble, idsByTrouble, unknown };
}
