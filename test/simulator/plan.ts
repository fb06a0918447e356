/** What the fleet is made of before it runs: instances, their volumes, what is planted on which. */

import type { VolumeType } from '../../core/limits/volume-limits.ts';
import type { FromSnapshot } from './first-reads.ts';
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

/** A metric that CloudWatch does not have: in some minutes of the window, or at all. */
export interface MissingMetric {
  metric: string;
  span?: { fromMinute: number; minutes: number };
}

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
  missing?: readonly MissingMetric[];
  /** Its exceeded checks stay 0, whatever it throttles: AWS does not say from when on they are 1. */
  silentChecks?: boolean;
  /** The array that it is a member of: members of the same see the same I/O arrive. */
  stripe?: string;
  /** How many times as long as usual an I/O takes: its rate stays, its queue and latency do not. */
  serviceFactor?: number;
  /** Without it the volume is from none, and of any age. */
  fromSnapshot?: FromSnapshot;
  /** Attached to another instance (by name) until this minute of the window, to the one it is planned on from then. */
  movedFrom?: { instance: string; atMinute: number };
  /** More instances (by name) the volume is attached to. Its load comes from the instance it is planned on. */
  alsoOn?: readonly string[];
}

export interface InstancePlan {
  name: string;
  region: string;
  zone: string;
  instanceType: InstanceTypeName;
  /** Of types that have one; EC2 says nothing of it without. */
  bandwidthWeighting?: 'default' | 'ebs-1';
  state?: 'running' | 'stopped';
  outpost?: boolean;
  planted?: TroubleKind;
  missing?: readonly MissingMetric[];
  /**
   * At its limit it serves all volumes the same part of what they ask, or each up to the same rate: then a small neighbour
   * waits for nothing. AWS says neither.
   */
  sharing?: 'in-proportion' | 'fair';
  startIoBalancePercent?: number;
  startByteBalancePercent?: number;
  /** Publishes the sums over its volumes, in points of a minute (detailed) or of five (basic); not at all without it. */
  monitoring?: 'basic' | 'detailed';
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
