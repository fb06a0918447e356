/**
 * A thousand volumes for monitoring: most of them those of the fleet that two passes are measured on (its troubles included),
 * the others such as make a watch hard: buckets of many sizes that run dry slowly and suddenly at all hours, volumes that
 * live near their limit, and loads with the shapes of recordings.
 */

import { builtInCatalog } from '../../core/catalog/instance-types.ts';
import type { Volume } from '../../core/inventory.ts';
import { type VolumeConfiguration, type VolumeType, volumeLimits } from '../../core/limits/volume-limits.ts';
import { expectedChecks, type PublishedCheck } from '../../core/load/metrics.ts';
import { uniformSource } from '../../test/simulator/random.ts';
import { usualRules } from '../../test/simulator/rules.ts';
import {
  type DemandAt,
  growing,
  hovering,
  labProgram,
  nightlyDrain,
  ramps,
  recordedDisk,
  recordedWrites,
  sawtooth,
  slowDrain,
  steps,
  suddenDrain,
  type Uniform,
} from './monitoring-loads.ts';
import { historyOf, historyOfSynthetic, type MinuteRules, type VolumeHistory } from './monitoring-minutes.ts';
import { twoPassFleet } from './two-pass-fleet.ts';
import { days, minutes } from './two-pass-series.ts';

export interface WatchedVolume {
  volume: Volume;
  /** Why it is in the fleet. */
  group: string;
  /** Null where AWS publishes no exceeded checks of it. */
  checks: PublishedCheck[];
  history: VolumeHistory;
}

const fleetSize = 1_000;
const region = 'us-east-1';

type Size = Pick<VolumeConfiguration, 'volumeType' | 'sizeGiB' | 'iops' | 'throughputMiBps'>;
const sized = (volumeType: VolumeType, sizesGiB: readonly number[]): Size[] =>
  sizesGiB.map((sizeGiB) => ({ volumeType, sizeGiB }));

const bucketSizes: readonly Size[] = [
  ...sized('gp2', [33, 50, 80, 100, 150, 170, 200, 250, 334, 400, 500, 600, 750, 900]),
  ...sized('st1', [125, 500, 1_000, 2_000, 5_000]),
  ...sized('sc1', [125, 500, 2_000, 4_000]),
];
const provisioned: readonly Size[] = [
  { volumeType: 'gp3', sizeGiB: 100 },
  { volumeType: 'gp3', sizeGiB: 500, iops: 6_000, throughputMiBps: 250 },
  { volumeType: 'gp3', sizeGiB: 1_000, iops: 16_000, throughputMiBps: 1_000 },
  { volumeType: 'io2', sizeGiB: 200, iops: 5_000 },
  { volumeType: 'io1', sizeGiB: 100, iops: 2_000 },
  { volumeType: 'gp2', sizeGiB: 1_500 },
  { volumeType: 'gp2', sizeGiB: 300 },
];
const programs = ['orders', 'shop', 'accounts', 'uploads', 'scan', 'index-1', 'extract', 'archive'];
const baselineShare = ({ volumeType, sizeGiB, iops, throughputMiBps }: Size): number => {
  const limits = volumeLimits({ volumeType, sizeGiB, iops, throughputMiBps, deployment: 'region' });
  return limits.bucket?.unit === 'mib'
    ? limits.baselineMiBps / limits.burstMiBps
    : limits.baselineIops / limits.burstIops;
};

interface Group {
  name: string;
  count: number;
  sizes: readonly Size[];
  load: (uniform: Uniform, size: Size, i: number) => DemandAt;
}

const all = [...bucketSizes, ...provisioned];
const groups: readonly Group[] = [
  { name: 'sudden drain', count: 40, sizes: bucketSizes, load: (uniform) => suddenDrain(uniform, minutes) },
  {
    name: 'slow drain',
    count: 20,
    sizes: bucketSizes,
    load: (uniform, size) => slowDrain(uniform, baselineShare(size)),
  },
  { name: 'daily drain', count: 20, sizes: bucketSizes, load: (uniform) => nightlyDrain(uniform, false) },
  { name: 'weekly drain', count: 10, sizes: bucketSizes, load: (uniform) => nightlyDrain(uniform, true) },
  {
    name: 'up and down',
    count: 15,
    sizes: bucketSizes,
    load: (uniform, size) => sawtooth(uniform, baselineShare(size)),
  },
  {
    name: 'growing',
    count: 15,
    sizes: bucketSizes,
    load: (uniform, size) => growing(uniform, baselineShare(size), minutes),
  },
  { name: 'near the limit', count: 40, sizes: provisioned, load: (uniform) => hovering(uniform, 0) },
  {
    name: 'near the limit from some day on',
    count: 20,
    sizes: provisioned,
    load: (uniform) => hovering(uniform, Math.floor(days * uniform())),
  },
  { name: 'steps', count: 20, sizes: provisioned, load: (uniform) => steps(uniform, minutes) },
  { name: 'ramps', count: 30, sizes: provisioned, load: (uniform) => ramps(uniform, minutes) },
  {
    name: 'recorded programs',
    count: 40,
    sizes: all,
    load: (uniform, _, i) =>
      labProgram(uniform, programs[i % programs.length] as string, 0.4 + 0.8 * uniform()),
  },
  {
    name: 'recorded writes',
    count: 40,
    sizes: all,
    load: (uniform, _, i) => recordedWrites(uniform, i, 0.3 + uniform()),
  },
  { name: 'recorded disk', count: 20, sizes: all, load: (uniform) => recordedDisk(uniform, 0.2 + uniform()) },
];

export const hex = (prefix: string, index: number): string =>
  `${prefix}-0${(0xf0000 + index).toString(16).padStart(16, '0')}`;

function madeVolume(size: Size, index: number): Volume {
  const limits = volumeLimits({ ...size, deployment: 'region' });
  return {
    ...{ volumeId: hex('vol', index), volumeType: size.volumeType, sizeGiB: size.sizeGiB, region },
    ...{ account: '111122223333', deployment: 'region', multiAttach: false, state: 'in-use' },
    iops: limits.bucket?.unit === 'mib' ? null : limits.baselineIops,
    throughputMiBps: size.volumeType === 'gp3' ? limits.baselineMiBps : null,
    attachments: [{ instanceId: hex('i', index), ebsCardIndex: null }],
    ...{ name: null, stripeTag: null, tags: {} },
  };
}

function madeOf(seed: number, rules: MinuteRules): WatchedVolume[] {
  const made: WatchedVolume[] = [];
  for (const { name, count, sizes, load } of groups) {
    for (let i = 0; i < count; i++) {
      const uniform = uniformSource(seed, `${name} ${i}`);
      const size = sizes[i % sizes.length] as Size;
      const volume = madeVolume(size, made.length);
      const isHdd = size.volumeType === 'st1' || size.volumeType === 'sc1';
      const ioKiB = isHdd ? 1_024 : i % 3 === 2 ? 128 : 16;
      const limits = volumeLimits({ ...size, deployment: 'region' });
      // One in twelve is attached to an instance of the old kind, of which AWS publishes no checks.
      const checks = i % 12 === 11 || rules.check === null ? [] : expectedChecks(volume);
      const history = historyOf(limits, ioKiB, load(uniform, size, i), uniform, { rules });
      made.push({ volume, group: name, checks, history });
    }
  }
  return made;
}

/** Always the same for a seed. The healthy ones at the head of the other fleet are left out as far as others take their place. */
export function monitoringFleet(seed: number, rules: MinuteRules = usualRules): WatchedVolume[] {
  const made = madeOf(seed, rules);
  const { volumes, instances, loads } = twoPassFleet(seed);
  const catalog = builtInCatalog();
  const nitro = new Set(
    instances
      .filter(({ instanceType }) => catalog.get(instanceType ?? '')?.nitro === true)
      .map(({ instanceId }) => instanceId),
  );
  const others = volumes
    .slice(volumes.length - (fleetSize - made.length))
    .flatMap((volume): WatchedVolume[] => {
      const load = loads.get(volume.volumeId);
      if (load === undefined) return [];
      const uniform = uniformSource(seed, `published ${volume.volumeId}`);
      const isNitro = nitro.has(volume.attachments[0]?.instanceId ?? '');
      return [
        {
          ...{ volume, group: load.trouble ?? 'usual' },
          checks: isNitro && rules.check !== null ? expectedChecks(volume) : [],
          history: historyOfSynthetic(load, uniform, rules),
        },
      ];
    });
  return [...made, ...others];
}
