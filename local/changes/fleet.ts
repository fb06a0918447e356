/** Volumes that were never there, for the demo of changes: what each wants by the hour, and what a later day brings that nobody had seen. */
import { minutesPerHour, secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { type ByMinute, closedLoop, type Load } from '../../test/simulator/loads.ts';
import type { InstancePlan } from '../../test/simulator/plan.ts';
import { publish } from '../../test/simulator/publish.ts';
import { simulateInstance, volumeIdOf } from '../../test/simulator/simulate.ts';
import { localRegion } from '../services.ts';

const seed = 33;
const hoursPerDay = 24;

/** Hours of the day in UTC, the last not in it. */
type Hours = readonly [from: number, to: number];
const isIn = ([from, to]: Hours, minute: number): boolean => {
  const hour = Math.floor(minute / minutesPerHour) % hoursPerDay;
  return hour >= from && hour < to;
};

const stackOf = (name: string): string =>
  `arn:aws:cloudformation:${localRegion}:111122223333:stack/${name}/0d4e5f60-7182-11f0-93a4-b5c6d7e8f901`;

interface Living {
  name: string;
  sizeGiB: number;
  iops: number;
  throughputMiBps: number;
  tags?: Record<string, string>;
  /** Of an I/O and the pause after it: 5.9 ms on gp3, so that a worker makes 170 I/O a second where nothing throttles it. */
  workers: ByMinute;
}

const office: Hours = [9, 12];
const gp3 = { iops: 3_000, throughputMiBps: 125 } as const;

/** @param laterMinute of the epoch, from which on `reports` wants what nobody had seen. */
const livingVolumes = (laterMinute: number): Living[] => [
  {
    // Each morning 5,100 IOPS are wanted, and 3,000 are there.
    ...{ name: 'orders', sizeGiB: 200, ...gp3 },
    workers: (minute) => (isIn(office, minute) ? 30 : 7),
  },
  {
    // 900 IOPS are wanted, and 8,000 are there. Later 6,100 are wanted.
    ...{ name: 'reports', sizeGiB: 500, iops: 8_000, throughputMiBps: 250 },
    workers: (minute) => (minute >= laterMinute && isIn(office, minute) ? 36 : 5),
  },
  {
    ...{ name: 'billing', sizeGiB: 300, ...gp3 },
    tags: {
      'aws:cloudformation:stack-name': 'billing',
      'aws:cloudformation:stack-id': stackOf('billing'),
      'aws:cloudformation:logical-id': 'DataVolume',
    },
    workers: (minute) => (isIn([18, 21], minute) ? 28 : 6),
  },
  { ...{ name: 'sessions', sizeGiB: 100, ...gp3 }, workers: (minute) => (isIn([7, 22], minute) ? 11 : 4) },
  { ...{ name: 'search', sizeGiB: 150, ...gp3 }, workers: () => 9 },
];

export type FleetVolume = 'orders' | 'reports' | 'billing';

export interface FleetOfChanges {
  volumeIdOf(name: FleetVolume): string;
  /** As the local EC2 takes it. */
  inventory: { Volumes: object[]; Reservations: object[] };
  /** By volume, in minutes of the epoch. */
  loads: Record<string, Load>;
}

/** @param laterSeconds of the epoch, from which on one of them wants more than ever. */
export function fleetOfChanges(laterSeconds: number): FleetOfChanges {
  const living = livingVolumes(laterSeconds / secondsPerMinute);
  const window = { startEpochSeconds: laterSeconds - secondsPerDay, minutes: 0, seed };
  const instances = living.map(({ name, sizeGiB, iops, throughputMiBps }) => {
    const volume = { name, volumeType: 'gp3', sizeGiB, iops, throughputMiBps } as const;
    const place = { name, region: localRegion, zone: `${localRegion}a` };
    const plan: InstancePlan = { ...place, instanceType: 'm5.4xlarge', volumes: [volume] };
    return simulateInstance(plan, window);
  });
  const { describeVolumes, describeInstances } = publish(instances, window);
  const idOf = (name: string): string => volumeIdOf({ name } as never, seed);
  const tagsOf = new Map(living.map(({ name, tags = {} }) => [idOf(name), tags]));
  return {
    volumeIdOf: idOf,
    inventory: {
      Volumes: (describeVolumes.Volumes as { VolumeId: string; Tags: object[] }[]).map((volume) => ({
        ...volume,
        Tags: [
          ...volume.Tags,
          ...Object.entries(tagsOf.get(volume.VolumeId) ?? {}).map(([Key, Value]) => ({ Key, Value })),
        ],
      })),
      Reservations: describeInstances.Reservations,
    },
    loads: Object.fromEntries(
      living.map(({ name, workers }) => [idOf(name), closedLoop({ ioKiB: 8, thinkMs: 5, workers })]),
    ),
  };
}
