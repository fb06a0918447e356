/** What the fleet is made of before it runs: instances, their volumes, what is planted on which. */
import type { VolumeType } from '../../core/limits/volume-types.ts';
import type { InstanceTypeName } from './instance-types.ts';
import type { Load } from './loads.ts';

export const troubleKinds = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'credits-exhausted',
  'credits-will-exhaust',
  'throttled-instance-iops',
  'throttled-instance-throughput',
  'instance-credits-exhausted',
  'micro-burst',
  'stalled',
  'idle',
  'unattached',
] as const;

/** What an instance has by its plan, whatever its load does. */
export const setupKinds = ['unreachable-performance', 'ebs-card-imbalance'] as const;

export type TroubleKind = (typeof troubleKinds)[number] | (typeof setupKinds)[number];

/** What CloudWatch or the CLI can do to a reply. */
type Quirk =
  | 'missing-hour'
  | 'repeated-timestamps'
  | 'split-series'
  | 'no-metrics'
  | 'unheard-type'
  | 'creating';

export interface VolumePlan {
  name: string;
  volumeType: VolumeType;
  sizeGiB: number;
  iops?: number;
  throughputMiBps?: number;
  /** None where nothing is attached or nothing runs. */
  load?: Load;
  startBalancePercent?: number;
  planted?: TroubleKind;
  quirks?: readonly Quirk[];
  /** Told of types with several EBS cards only. */
  ebsCardIndex?: number;
  /** The Name tag, where it is not the name. */
  tag?: string;
  /** More instances (by name) the volume is attached to. Its load comes from the instance it is planned on. */
  alsoOn?: readonly string[];
}

export interface InstancePlan {
  name: string;
  region: string;
  zone: string;
  instanceType: InstanceTypeName;
  state?: 'running' | 'stopped';
  outpost?: boolean;
  planted?: TroubleKind;
  volumes: readonly VolumePlan[];
}

/** Volumes attached to nothing. */
export interface LoosePlan {
  region: string;
  zone: string;
  volumes: readonly VolumePlan[];
}

export interface FleetPlan {
  instances: readonly InstancePlan[];
  loose: readonly LoosePlan[];
}
