/** Hosts whose programs were recorded in the EBS lab (test/recordings/lab): by day as recorded, by night a tenth of it. */
import type { InstancePlan, VolumePlan } from '../plan.ts';
import { type Hours, recordedLoad } from '../recorded-load.ts';

/** Eight hours from the tenth on. */
const byDay: Hours = { fromMinute: 600, minutes: 480 };

const gp3 = (name: string, sizeGiB: number): VolumePlan => ({
  name,
  ...{ volumeType: 'gp3', sizeGiB, load: recordedLoad(name, byDay) },
});

export const recordedHosts: readonly InstancePlan[] = [
  {
    name: 'recorded-databases',
    ...{ region: 'us-east-1', zone: 'us-east-1a', instanceType: 'm5.8xlarge' },
    volumes: [
      // pgbench all day and night: some 140 IOPS where 100 flow in, so its credits are gone after about two hours.
      {
        name: 'orders',
        ...{ volumeType: 'gp2', sizeGiB: 33, load: recordedLoad('orders'), startBalancePercent: 5 },
        planted: 'credits-exhausted',
      },
      {
        name: 'shop',
        ...{ volumeType: 'io1', sizeGiB: 20, iops: 150, load: recordedLoad('shop', byDay) },
        planted: 'throttled-volume-iops',
      },
    ],
  },
  {
    name: 'recorded-files',
    ...{ region: 'us-east-1', zone: 'us-east-1b', instanceType: 'm5.8xlarge' },
    volumes: [
      gp3('accounts', 50),
      gp3('uploads', 100),
      { ...gp3('scan', 200), planted: 'throttled-volume-throughput' },
      ...[1, 2, 3].map((member) => gp3(`index-${member}`, 100)),
    ],
  },
  {
    name: 'recorded-reports',
    ...{ region: 'us-east-1', zone: 'us-east-1a', instanceType: 'm5.large' },
    planted: 'instance-credits-exhausted',
    volumes: [gp3('extract', 100), gp3('archive', 100)],
  },
];
