/**
 * A fleet as accounts have them: a thousand volumes on several hundred instances of mixed types, one in twenty in trouble.
 * Inventory and loads only; what CloudWatch has of it is made when it is asked for (two-pass-series.ts).
 */
import type { Instance, Volume } from '../../core/inventory.ts';
import { type VolumeType, volumeLimits } from '../../core/limits/volume-limits.ts';
import { uniformSource } from '../../test/simulator/random.ts';
import type { SyntheticLoad } from './two-pass-series.ts';

const region = 'us-east-1';
const account = '111122223333';
const fleetSize = 1_000;

type Trouble = NonNullable<SyntheticLoad['trouble']>;

export interface VolumePlan {
  volumeType: VolumeType;
  sizeGiB: number;
  iops?: number;
  throughputMiBps?: number;
  /** Operations a second on an average day, of which a volume has a third to three times as many. */
  usualIops: number;
  /** The hour in the night in which most is done, as a share of what the volume can do. */
  nightShare: number;
  ioKiB: number;
  trouble?: Trouble | 'unattached';
}

interface Kind {
  count: number;
  types: readonly string[];
  volumes: readonly VolumePlan[];
}

const boot: VolumePlan = { volumeType: 'gp3', sizeGiB: 30, usualIops: 1.5, nightShare: 0.1, ioKiB: 16 };
const bootGp2: VolumePlan = { ...boot, volumeType: 'gp2', sizeGiB: 20 };
const data: VolumePlan = { volumeType: 'gp3', sizeGiB: 100, usualIops: 40, nightShare: 0.3, ioKiB: 16 };
const logs: VolumePlan = { ...data, usualIops: 20, nightShare: 0.1, ioKiB: 32 };
/** 1,500 IOPS all the time. */
const dataGp2: VolumePlan = { ...data, volumeType: 'gp2', sizeGiB: 500, usualIops: 30, nightShare: 0.15 };
const paid: VolumePlan = {
  ...{ ...data, sizeGiB: 1_000, iops: 4_000, throughputMiBps: 200 },
  ...{ usualIops: 600, nightShare: 0.85 },
};
const io2: VolumePlan = {
  ...{ ...data, volumeType: 'io2', sizeGiB: 200, iops: 3_000 },
  ...{ usualIops: 500, nightShare: 0.85 },
};
const st1: VolumePlan = {
  ...{ ...data, volumeType: 'st1', sizeGiB: 2_000, ioKiB: 1_024 },
  ...{ usualIops: 8, nightShare: 0.15 },
};
const sc1: VolumePlan = { ...st1, volumeType: 'sc1', sizeGiB: 4_000, usualIops: 4, nightShare: 0.1 };
const member: VolumePlan = { ...data, sizeGiB: 300, usualIops: 300 };
const held: VolumePlan = {
  ...{ ...data, iops: 12_000, throughputMiBps: 250, sizeGiB: 200 },
  ...{ usualIops: 800, trouble: 'throttled-by-instance' },
};

const medium = ['m6i.xlarge', 'm7g.xlarge', 'r6i.xlarge', 'c6i.2xlarge'];

/** What runs well. */
const healthy: readonly Kind[] = [
  { count: 120, types: ['m6i.large', 'c6i.large', 'm7g.large', 'm5.large'], volumes: [boot, data] },
  { count: 60, types: medium, volumes: [boot, data, logs] },
  { count: 70, types: ['m5.large', 'm5.xlarge', 't3.large'], volumes: [bootGp2, dataGp2] },
  { count: 25, types: ['r6i.2xlarge', 'r6i.4xlarge'], volumes: [boot, paid, logs] },
  { count: 12, types: ['r6i.4xlarge'], volumes: [boot, io2, logs] },
  { count: 12, types: ['m6i.4xlarge'], volumes: [boot, st1, sc1] },
  { count: 4, types: ['m6i.4xlarge'], volumes: [boot, member, member, member, member] },
  { count: 10, types: ['m4.large', 'm4.xlarge'], volumes: [bootGp2, { ...dataGp2, sizeGiB: 100 }] },
];

const withTrouble = (count: number, plan: VolumePlan, trouble: Trouble, types = medium): Kind => ({
  count,
  types,
  volumes: [boot, { ...plan, trouble }],
});

/** One in twenty, of every kind; volumes beside them on the same instances are well. */
const troubled: readonly Kind[] = [
  withTrouble(6, data, 'throttled-iops'),
  withTrouble(5, data, 'throttled-throughput'),
  withTrouble(5, data, 'micro-bursts'),
  withTrouble(5, dataGp2, 'credits-exhausted'),
  withTrouble(2, dataGp2, 'credits-will-exhaust'),
  withTrouble(1, st1, 'credits-exhausted', ['m6i.4xlarge']),
  withTrouble(3, data, 'stalls'),
  withTrouble(4, data, 'idle'),
  withTrouble(3, { ...paid, iops: 12_000, throughputMiBps: 500 }, 'unused', ['r6i.4xlarge']),
  withTrouble(2, { ...io2, iops: 10_000 }, 'unused', ['r6i.4xlarge']),
  withTrouble(1, { ...io2, volumeType: 'io1' }, 'unused', ['r6i.4xlarge']),
  withTrouble(1, st1, 'unused', ['m6i.4xlarge']),
  // Used, but four gp3 without paid figures do the same.
  {
    count: 1,
    types: ['r6i.4xlarge'],
    volumes: [boot, { ...paid, iops: 10_000, throughputMiBps: 400 }],
  },
  { count: 2, types: ['m5.xlarge'], volumes: [boot, held, held] },
  { count: 1, types: ['t3.small'], volumes: [boot, { ...data, trouble: 'throttled-by-credits' }] },
  // 32,000 IOPS are paid for on an instance that does 18,750.
  {
    count: 1,
    types: ['m5.2xlarge'],
    volumes: [boot, { ...paid, iops: 16_000 }, { ...paid, iops: 16_000, sizeGiB: 900 }],
  },
  { count: 4, types: [], volumes: [{ ...data, trouble: 'unattached' }] },
];

const hex = (kind: string, index: number): string => `${kind}-0${index.toString(16).padStart(16, '0')}`;

export interface TwoPassFleet {
  volumes: Volume[];
  instances: Instance[];
  /** By volume id; a volume that is attached to nothing has none. */
  loads: Map<string, SyntheticLoad>;
}

class FleetBuilder {
  readonly fleet: TwoPassFleet = { volumes: [], instances: [], loads: new Map() };
  private readonly seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  add({ count, types, volumes }: Kind): void {
    for (let i = 0; i < count; i++) {
      const instanceType = types[i % Math.max(1, types.length)];
      const instanceId = instanceType === undefined ? null : this.instance(instanceType);
      // Members of one stripe have one load.
      for (const plan of volumes) this.volume(plan, instanceId, plan === member ? instanceId : null);
    }
  }

  private instance(instanceType: string): string {
    const instanceId = hex('i', this.fleet.instances.length);
    const described = { state: 'running', region, account, name: null, bandwidthWeighting: null };
    this.fleet.instances.push({ instanceId, instanceType, ...described });
    return instanceId;
  }

  private volume(plan: VolumePlan, instanceId: string | null, rhythm: string | null): void {
    const { volumeType, sizeGiB, iops, throughputMiBps, trouble } = plan;
    const volumeId = hex('vol', this.fleet.volumes.length);
    const limits = volumeLimits({ volumeType, sizeGiB, iops, throughputMiBps, deployment: 'region' });
    const isGp3 = volumeType === 'gp3';
    this.fleet.volumes.push({
      ...{ volumeId, volumeType, sizeGiB, region, account, deployment: 'region', multiAttach: false },
      iops: volumeType === 'st1' || volumeType === 'sc1' ? null : limits.baselineIops,
      throughputMiBps: isGp3 ? limits.baselineMiBps : null,
      state: instanceId === null ? 'available' : 'in-use',
      attachments: instanceId === null ? [] : [{ instanceId, ebsCardIndex: null }],
      name: null,
      stripeTag: null,
      tags: {},
    });
    if (instanceId === null || trouble === 'unattached') return;
    const uniform = uniformSource(this.seed, `usual ${rhythm ?? volumeId}`);
    this.fleet.loads.set(volumeId, {
      seed: this.seed,
      rhythm: rhythm ?? volumeId,
      limits,
      usualIops: plan.usualIops * 3 ** (2 * uniform() - 1),
      nightIops: Math.min(limits.burstIops, (limits.burstMiBps * 1_024) / plan.ioKiB) * plan.nightShare,
      ioKiB: plan.ioKiB,
      trouble: trouble ?? null,
    });
  }
}

/** Always the same for a seed. */
export function twoPassFleet(seed: number): TwoPassFleet {
  const builder = new FleetBuilder(seed);
  for (const kind of [...healthy, ...troubled]) builder.add(kind);
  const rest = fleetSize - builder.fleet.volumes.length;
  builder.add({ count: rest, types: ['t3.small', 't3.medium', 'm7g.large'], volumes: [boot] });
  return builder.fleet;
}
