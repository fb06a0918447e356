/** us-east-1: volumes that nothing throttles although many look as if something did, and a few that idle or stall. */
import { database, diurnal, stream, windows, workers } from '../loads.ts';
import type { InstancePlan, VolumePlan } from '../plan.ts';

const longTag =
  `${'quarterly close and everything that was ever copied next to it, '.repeat(4)}do not delete`.slice(
    0,
    250,
  );

const stripeMember = (member: number): VolumePlan => ({
  name: `scratch-stripe-${member}`,
  volumeType: 'gp3',
  sizeGiB: 250,
  load: workers(64, windows(300, [500, 120, 1_500])),
});

export const quietUsEast1: readonly InstancePlan[] = [
  {
    name: 'app-us',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'm5.12xlarge',
    volumes: [
      {
        name: 'app-84-percent',
        volumeType: 'gp3',
        sizeGiB: 100,
        load: workers(8, 2_520),
        tag: '<script>alert("orders & returns")</script>',
      },
      { name: 'app-90-percent', volumeType: 'gp3', sizeGiB: 200, iops: 10_000, load: workers(4, 9_000) },
      {
        name: 'app-88-percent',
        volumeType: 'io1',
        sizeGiB: 200,
        iops: 4_000,
        load: workers(8, 3_500),
        tag: '🐘 postgres · primär · データ',
      },
      { name: 'app-82-percent', volumeType: 'gp2', sizeGiB: 1_500, load: workers(8, 3_690) },
      {
        name: 'app-stream',
        volumeType: 'gp3',
        sizeGiB: 1_000,
        throughputMiBps: 250,
        load: stream(128, 1_720),
      },
      {
        name: 'app-twice',
        volumeType: 'gp3',
        sizeGiB: 100,
        load: workers(8, windows(700, [500, 1, 4_000], [900, 1, 4_000]), { maxWaitingIo: 64 }),
      },
    ],
  },
  {
    name: 'crm-us',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'c5.9xlarge',
    volumes: [
      {
        name: 'crm-data',
        volumeType: 'gp3',
        sizeGiB: 800,
        iops: 6_000,
        throughputMiBps: 250,
        load: database(8, diurnal(500, 4_200, 15)),
        quirks: ['split-series'],
      },
      {
        name: 'crm-hot',
        volumeType: 'io2',
        sizeGiB: 400,
        iops: 20_000,
        load: database(8, diurnal(2_000, 12_000, 14)),
      },
      {
        name: 'crm-history',
        volumeType: 'gp2',
        sizeGiB: 1_000,
        load: database(8, diurnal(300, 1_900, 16)),
        tag: '\u202Egnp.eciovni\u202C ٱلْفَوَاتِير',
      },
      {
        name: 'crm-backup',
        volumeType: 'gp3',
        sizeGiB: 1_000,
        load: stream(256, windows(20, [300, 60, 300])),
      },
      {
        name: 'crm-gap',
        volumeType: 'gp3',
        sizeGiB: 60,
        load: database(8, diurnal(100, 900, 13)),
        quirks: ['missing-hour'],
      },
      {
        name: 'crm-repeats',
        volumeType: 'gp3',
        sizeGiB: 60,
        load: database(8, diurnal(100, 800, 12)),
        quirks: ['repeated-timestamps'],
      },
      {
        name: 'crm-new-type',
        volumeType: 'gp3',
        sizeGiB: 64,
        load: workers(8, 200),
        quirks: ['unheard-type'],
      },
    ],
  },
  {
    name: 'node-a',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'r5b.4xlarge',
    volumes: [
      {
        name: 'cluster-shared',
        volumeType: 'io2',
        sizeGiB: 200,
        iops: 16_000,
        load: database(8, diurnal(1_000, 9_000, 12)),
        alsoOn: ['node-b'],
      },
      { name: 'cluster-92-percent', volumeType: 'io2', sizeGiB: 100, iops: 16_000, load: workers(8, 14_700) },
    ],
  },
  {
    name: 'node-b',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'r5b.4xlarge',
    volumes: [1, 2, 3].map(stripeMember),
  },
  {
    name: 'web-us',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'm5.2xlarge',
    volumes: [
      { name: 'web-root', volumeType: 'gp3', sizeGiB: 20, load: workers(4, 0.05) },
      {
        name: 'web-content',
        volumeType: 'gp2',
        sizeGiB: 150,
        load: workers(16, diurnal(20, 300, 18)),
        tag: longTag,
      },
      { name: 'web-idle-cheap', volumeType: 'gp3', sizeGiB: 8, load: workers(4, 0.005), planted: 'idle' },
      // 200 GiB x 0.125 + 3,000 x 0.065 = 220 USD a month for nothing.
      {
        name: 'web-idle-dear',
        volumeType: 'io2',
        sizeGiB: 200,
        iops: 3_000,
        load: workers(4, 0),
        planted: 'idle',
      },
      {
        name: 'web-files',
        volumeType: 'gp3',
        sizeGiB: 200,
        load: workers(16, 400, { stalled: (minute) => minute >= 700 && minute < 703 }),
        planted: 'stalled',
      },
      {
        name: 'web-mail',
        volumeType: 'io1',
        sizeGiB: 100,
        iops: 3_000,
        load: workers(8, 250, { stalled: (minute) => minute >= 1_000 && minute < 1_006 }),
        planted: 'stalled',
      },
    ],
  },
  {
    name: 'retired-us',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm5.2xlarge',
    state: 'stopped',
    volumes: [
      { name: 'retired-root', volumeType: 'gp3', sizeGiB: 50 },
      { name: 'retired-data', volumeType: 'gp2', sizeGiB: 400 },
    ],
  },
];
