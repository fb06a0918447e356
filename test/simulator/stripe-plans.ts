/** Volumes that carry one load together, as RAID 0 or LVM stripes do: the same I/O in each minute on every member. */
import type { VolumeType } from '../../core/limits/volume-limits.ts';
import { type OpenLoad, workers } from './loads.ts';
import type { InstancePlan, VolumePlan } from './plan.ts';

/** One member's part of a load (one that is drawn from its rate) that is spread evenly over so many. */
function memberLoad(load: OpenLoad, members: number): OpenLoad {
  const { burst } = load;
  const part: OpenLoad = {
    ...load,
    ioPerSecond: (minute) => load.ioPerSecond(minute) / members,
    maxWaitingIo: load.maxWaitingIo / members,
  };
  if (burst === undefined) return part;
  return {
    ...part,
    burst: (minute) => {
      const now = burst(minute);
      return now === null ? null : { ...now, ioPerSecond: now.ioPerSecond / members };
    },
  };
}

export interface StripeOptions {
  name: string;
  members: number;
  volumeType: VolumeType;
  sizeGiB: number;
  iops?: number;
  throughputMiBps?: number;
  /** Of the whole stripe. */
  load: OpenLoad;
  /** The member (from 0) on which an I/O takes so many times as long. */
  straggler?: { member: number; serviceFactor: number };
}

/** The members of one stripe: NAME-0, NAME-1 and so on. */
export function stripeMembers({ name, members, load, straggler, ...volume }: StripeOptions): VolumePlan[] {
  const part = memberLoad(load, members);
  return Array.from({ length: members }, (_, member): VolumePlan => {
    const plan = { name: `${name}-${member}`, stripe: name, load: part, ...volume };
    return straggler?.member === member ? { ...plan, serviceFactor: straggler.serviceFactor } : plan;
  });
}

/** An instance with one stripe of four gp3, busy at a third of its limits; with a straggler where one is asked for. */
export const stripedInstance = (options: Partial<StripeOptions> = {}): InstancePlan => ({
  name: 'striped',
  region: 'us-east-1',
  zone: 'us-east-1a',
  instanceType: 'm5.8xlarge',
  volumes: stripeMembers({
    name: 'array',
    members: 4,
    volumeType: 'gp3',
    sizeGiB: 200,
    load: workers(16, 4_000),
    ...options,
  }),
});
