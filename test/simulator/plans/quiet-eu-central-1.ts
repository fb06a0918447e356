/** eu-central-1: volumes that nothing throttles although many look as if something did, and a few that idle or stall. */
import { burstsIn, database, diurnal, repeated, steady, stream, windows, workers } from '../loads.ts';
import type { InstancePlan } from '../plan.ts';

export const quietEuCentral1: readonly InstancePlan[] = [
  {
    name: 'app-eu',
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    instanceType: 'm5.12xlarge',
    volumes: [
      {
        name: 'eu-data',
        volumeType: 'gp3',
        sizeGiB: 400,
        iops: 8_000,
        throughputMiBps: 250,
        load: database(8, diurnal(600, 5_500, 11)),
      },
      {
        name: 'eu-batch',
        volumeType: 'io2',
        sizeGiB: 100,
        iops: 10_000,
        load: workers(16, windows(300, [240, 90, 5_000])),
      },
      { name: 'eu-scan', volumeType: 'st1', sizeGiB: 13_000, load: stream(1_024, 400) },
      // Eight throttled minutes in 26 hours, but never more than four in any 24.
      {
        name: 'eu-spread',
        volumeType: 'gp3',
        sizeGiB: 100,
        load: workers(
          8,
          windows(600, ...repeated(10, 10, 4, 1, 4_000), ...repeated(1_500, 10, 4, 1, 4_000)),
          { maxWaitingIo: 64 },
        ),
      },
      // The size of the I/O changes at night, the rate hardly does.
      {
        name: 'eu-two-sizes',
        volumeType: 'gp3',
        sizeGiB: 500,
        load: workers(windows(8, [300, 90, 128]), windows(500, [300, 90, 700])),
      },
    ],
  },
  {
    name: 'small-eu',
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    instanceType: 'm6i.large',
    volumes: [
      // 4,400 above the baseline for 30 minutes: 7.9 of 65.5 million credits.
      {
        name: 'small-burst',
        volumeType: 'gp3',
        sizeGiB: 300,
        iops: 10_000,
        load: workers(8, windows(500, [500, 30, 8_000])),
      },
      { name: 'small-light', volumeType: 'gp2', sizeGiB: 30, load: workers(4, 0.06) },
    ],
  },
  {
    name: 'tiny-eu',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 't3.medium',
    volumes: [
      { name: 'tiny-root', volumeType: 'gp3', sizeGiB: 16, load: workers(8, diurnal(2, 60, 10)) },
      { name: 'tiny-magnetic', volumeType: 'standard', sizeGiB: 40, load: workers(8, 25) },
      { name: 'tiny-light', volumeType: 'sc1', sizeGiB: 500, load: workers(16, 0.04) },
      { name: 'tiny-idle', volumeType: 'gp2', sizeGiB: 30, load: workers(4, 0.006), planted: 'idle' },
      {
        name: 'tiny-stalls',
        volumeType: 'gp2',
        sizeGiB: 300,
        load: workers(8, 150, { stalled: (minute) => minute === 400 || minute === 800 }),
        planted: 'stalled',
      },
    ],
  },
  {
    name: 'pair-eu-1',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 'r5b.4xlarge',
    volumes: [
      {
        name: 'pair-shared',
        volumeType: 'io2',
        sizeGiB: 150,
        iops: 8_000,
        load: workers(8, steady(3_000)),
        alsoOn: ['pair-eu-2'],
      },
      // The three below look busy in the seconds in which they are busy at all, and are never throttled.
      { name: 'pair-small-io1', volumeType: 'io1', sizeGiB: 20, iops: 500, load: workers(8, 100) },
      { name: 'pair-small-io2', volumeType: 'io2', sizeGiB: 10, iops: 1_000, load: database(8, 300) },
      {
        name: 'pair-subsecond',
        volumeType: 'gp3',
        sizeGiB: 100,
        load: workers(8, 0.1, {
          burst: burstsIn(
            Array.from({ length: 120 }, (_, i) => 200 + i * 10),
            { fromSecond: 12, seconds: 10, ioPerSecond: 2_000, spread: 0.2 },
          ),
        }),
      },
    ],
  },
  {
    name: 'pair-eu-2',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 'r5b.4xlarge',
    volumes: [
      { name: 'pair-light', volumeType: 'io1', sizeGiB: 50, iops: 2_500, load: workers(4, 0.08) },
      { name: 'pair-silent', volumeType: 'gp3', sizeGiB: 100, load: workers(4, 5), quirks: ['no-metrics'] },
    ],
  },
];
