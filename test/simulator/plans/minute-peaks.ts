/**
 * Volumes with a peak of a minute or two, as checkpoints and closing jobs make: five-minute averages hide them, points of a minute do
 * not, and what the volumes have carries them. Beside the fleet of the demo, for who compares what is made from five minutes.
 */
import { repeated, stream, windows, workers } from '../loads.ts';
import type { FleetPlan, InstancePlan, VolumePlan } from '../plan.ts';
import { fleetPlan } from './index.ts';

const hourly = (fromMinute: number, minutes: number, peak: number) =>
  repeated(fromMinute, 60, 25, minutes, peak);

const volumes: readonly VolumePlan[] = [
  // 9,000 for one minute of five and 600 for the others: 2,280 on average.
  {
    ...{ name: 'close-journal', volumeType: 'io2', sizeGiB: 100, iops: 12_000 },
    load: workers(8, windows(600, ...hourly(1, 1, 9_000))),
  },
  // 8,000 for two of them and 800 for three: 3,680.
  {
    ...{ name: 'close-ledger', volumeType: 'gp3', sizeGiB: 500, iops: 10_000, throughputMiBps: 125 },
    load: workers(8, windows(800, ...hourly(11, 2, 8_000))),
  },
  {
    ...{ name: 'close-index', volumeType: 'io1', sizeGiB: 300, iops: 8_000 },
    load: workers(16, windows(300, ...hourly(21, 1, 6_500))),
  },
  // 600 MiB/s for one of them and 25 for the others: 140.
  {
    ...{ name: 'close-export', volumeType: 'gp3', sizeGiB: 500, iops: 4_000, throughputMiBps: 1_000 },
    load: stream(256, windows(100, ...hourly(31, 1, 2_400))),
  },
  {
    ...{ name: 'close-archive', volumeType: 'gp2', sizeGiB: 3_000 },
    load: workers(8, windows(500, ...hourly(41, 1, 7_500))),
  },
  {
    ...{ name: 'close-search', volumeType: 'gp3', sizeGiB: 200, iops: 9_000, throughputMiBps: 250 },
    load: workers(16, windows(400, ...hourly(51, 1, 8_000))),
  },
];

const host: InstancePlan = {
  ...{ name: 'close', region: 'us-east-1', zone: 'us-east-1a', instanceType: 'r5b.8xlarge' },
  volumes,
};

export const withMinutePeaks: FleetPlan = { ...fleetPlan, instances: [...fleetPlan.instances, host] };
