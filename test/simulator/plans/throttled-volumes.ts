/** Volumes throttled by their own limits, on instances with room to spare. */
import { burstsIn, database, repeated, stream, windows, workers } from '../loads.ts';
import type { InstancePlan } from '../plan.ts';

const every = (fromMinute: number, stepMinutes: number, times: number): number[] =>
  Array.from({ length: times }, (_, i) => fromMinute + i * stepMinutes);

const iops = { planted: 'throttled-volume-iops' } as const;
const throughput = { planted: 'throttled-volume-throughput' } as const;
const micro = { planted: 'micro-burst' } as const;

export const throttledVolumes: readonly InstancePlan[] = [
  {
    name: 'orders-db',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'm5.12xlarge',
    volumes: [
      {
        name: 'orders-wal',
        volumeType: 'gp3',
        sizeGiB: 100,
        load: workers(8, windows(900, [400, 20, 4_200])),
        ...iops,
      },
      {
        name: 'orders-data',
        volumeType: 'io1',
        sizeGiB: 200,
        iops: 4_000,
        load: database(16, windows(2_000, [600, 120, 5_000])),
        ...iops,
      },
      // An open loop: 600 I/O a second too many for an hour, and the backlog drains for minutes afterwards.
      {
        name: 'orders-index',
        volumeType: 'gp3',
        sizeGiB: 500,
        iops: 6_000,
        throughputMiBps: 250,
        load: workers(16, windows(1_500, [900, 60, 6_600]), { maxWaitingIo: Number.POSITIVE_INFINITY }),
        ...iops,
      },
      // Throttled in the last minutes of the window only.
      {
        name: 'orders-queue',
        volumeType: 'gp3',
        sizeGiB: 80,
        load: workers(8, windows(800, [1_552, 8, 4_000])),
        ...iops,
      },
    ],
  },
  {
    name: 'analytics',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'r5b.8xlarge',
    volumes: [
      {
        name: 'facts',
        volumeType: 'io2',
        sizeGiB: 100,
        iops: 12_000,
        load: database(8, windows(5_000, [700, 30, 15_000])),
        ...iops,
      },
      {
        name: 'staging',
        volumeType: 'gp3',
        sizeGiB: 1_000,
        load: stream(256, windows(100, [300, 30, 700])),
        ...throughput,
      },
      {
        name: 'warehouse',
        volumeType: 'gp3',
        sizeGiB: 2_000,
        iops: 4_000,
        throughputMiBps: 500,
        load: stream(256, windows(300, [800, 80, 2_600])),
        ...throughput,
      },
      {
        name: 'table-scans',
        volumeType: 'st1',
        sizeGiB: 13_000,
        load: stream(1_024, windows(100, [1_000, 25, 650])),
        ...throughput,
      },
      {
        name: 'magnetic-ledger',
        volumeType: 'standard',
        sizeGiB: 200,
        load: workers(8, windows(30, [500, 15, 300]), { maxWaitingIo: 64 }),
        ...iops,
      },
    ],
  },
  {
    name: 'search-eu',
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    instanceType: 'c5.9xlarge',
    volumes: [
      {
        name: 'search-shards',
        volumeType: 'gp3',
        sizeGiB: 400,
        iops: 16_000,
        throughputMiBps: 250,
        load: workers(8, windows(4_000, ...repeated(180, 75, 15, 5, 18_500))),
        ...iops,
      },
      {
        name: 'search-replica',
        volumeType: 'gp2',
        sizeGiB: 5_334,
        load: workers(8, windows(3_000, [1_200, 7, 19_000])),
        ...iops,
      },
      {
        name: 'search-snapshots',
        volumeType: 'io1',
        sizeGiB: 200,
        iops: 10_000,
        load: workers(64, windows(2_000, [400, 40, 9_500])),
        ...throughput,
      },
      {
        name: 'search-exports',
        volumeType: 'gp2',
        sizeGiB: 400,
        load: stream(128, windows(300, [600, 25, 2_400])),
        ...throughput,
      },
    ],
  },
  {
    name: 'outpost-pos',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm5.4xlarge',
    outpost: true,
    volumes: [
      {
        name: 'pos-journal',
        volumeType: 'gp3',
        sizeGiB: 200,
        iops: 4_000,
        load: workers(8, windows(1_200, [500, 25, 5_200])),
        ...iops,
      },
      { name: 'pos-catalog', volumeType: 'gp3', sizeGiB: 500, load: database(8, 700) },
    ],
  },
  {
    name: 'legacy-erp',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 'm4.10xlarge',
    volumes: [
      {
        name: 'erp-tables',
        volumeType: 'gp3',
        sizeGiB: 250,
        load: workers(8, windows(700, [650, 40, 4_000])),
        ...iops,
      },
      {
        name: 'erp-redo',
        volumeType: 'io1',
        sizeGiB: 150,
        iops: 3_000,
        load: workers(8, windows(0, [300, 200, 900], [900, 300, 1_100]), { readShare: 0 }),
      },
      { name: 'erp-archive', volumeType: 'gp2', sizeGiB: 120, load: workers(16, windows(0, [120, 60, 240])) },
    ],
  },
  {
    name: 'broker-us',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm6i.8xlarge',
    volumes: [
      {
        name: 'broker-log',
        volumeType: 'gp3',
        sizeGiB: 150,
        load: workers(4, 50, {
          maxWaitingIo: Number.POSITIVE_INFINITY,
          burst: burstsIn(every(400, 30, 12), { fromSecond: 10, seconds: 6, ioPerSecond: 5_000, spread: 1 }),
        }),
        ...micro,
      },
      {
        name: 'broker-dump',
        volumeType: 'gp3',
        sizeGiB: 300,
        load: stream(128, 20, {
          burst: burstsIn(every(500, 90, 4), { fromSecond: 20, seconds: 5, ioPerSecond: 1_900, spread: 0.5 }),
        }),
        ...micro,
      },
      {
        name: 'broker-index',
        volumeType: 'io2',
        sizeGiB: 60,
        iops: 10_000,
        load: workers(8, 500, {
          burst: burstsIn(every(650, 60, 4), { fromSecond: 40, seconds: 3, ioPerSecond: 16_000, spread: 1 }),
        }),
        ...micro,
      },
    ],
  },
  {
    name: 'broker-eu',
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    instanceType: 'r5.8xlarge',
    volumes: [
      {
        name: 'events-log',
        volumeType: 'io1',
        sizeGiB: 100,
        iops: 5_000,
        load: workers(8, 600, {
          maxWaitingIo: 512,
          burst: burstsIn(every(700, 120, 3), { fromSecond: 5, seconds: 8, ioPerSecond: 7_000, spread: 1 }),
        }),
        ...micro,
      },
      {
        name: 'events-state',
        volumeType: 'gp2',
        sizeGiB: 1_500,
        load: workers(8, 300, {
          burst: burstsIn(every(300, 45, 20), {
            fromSecond: 30,
            seconds: 10,
            ioPerSecond: 6_000,
            spread: 0.6,
          }),
        }),
        ...micro,
      },
    ],
  },
];
