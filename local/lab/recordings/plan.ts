/** What is recorded: which load on which volume, and what truly holds it back. */
import type { Cause } from '../../../core/diagnosis/causes.ts';
import type { VolumeConfiguration } from '../../../core/limits/volume-limits.ts';
import { fioAtPace, type ProgramLoad, pgbench, sysbenchFiles, sysbenchOltp } from './loads.ts';

export type TrueCause = Cause | 'slow-member';

export interface RecordedVolume {
  name: string;
  configuration: VolumeConfiguration;
  load: ProgramLoad;
  /** `volume-credits`: its bucket is empty from the start. */
  cause: TrueCause;
}

interface RecordedStripe {
  name: string;
  configuration: VolumeConfiguration;
  members: number;
  /** What one of them is held to by nobody's limit: it is slow. */
  slowIops: number;
  load: ProgramLoad;
}

const gp2 = (sizeGiB: number): VolumeConfiguration => ({ volumeType: 'gp2', sizeGiB, deployment: 'region' });
const gp3 = (sizeGiB: number): VolumeConfiguration => ({
  ...{ volumeType: 'gp3', sizeGiB, deployment: 'region' },
  ...{ iops: 3_000, throughputMiBps: 125 },
});
const io1 = (sizeGiB: number, iops: number): VolumeConfiguration => ({
  ...{ volumeType: 'io1', sizeGiB, iops, deployment: 'region' },
});

export interface RecordedHost {
  name: string;
  instanceType: string;
  /** What all volumes get together, where that is less than the volumes have. */
  limitMiBps: number | null;
  volumes: readonly RecordedVolume[];
  stripes: readonly RecordedStripe[];
}

/** m5.large has 650 Mbit/s without credits: 77.5 MiB/s. Source: DescribeInstanceTypes. */
const m5LargeMiBps = 650e6 / 8 / 1024 / 1024;

export const recordedHosts: readonly RecordedHost[] = [
  {
    name: 'databases',
    instanceType: 'm5.8xlarge',
    limitMiBps: null,
    volumes: [
      {
        name: 'orders',
        configuration: gp2(33),
        load: pgbench({ scale: 30, clients: 8, transactionsPerSecond: 30, script: 'tpcb-like' }),
        cause: 'volume-credits',
      },
      {
        name: 'shop',
        configuration: io1(20, 150),
        load: sysbenchOltp(8, 10),
        cause: 'volume-iops',
      },
    ],
    stripes: [],
  },
  {
    name: 'files',
    instanceType: 'm5.8xlarge',
    limitMiBps: null,
    volumes: [
      {
        name: 'accounts',
        configuration: gp3(50),
        load: pgbench({ scale: 30, clients: 4, transactionsPerSecond: 8, script: 'simple-update' }),
        cause: 'none',
      },
      { name: 'uploads', configuration: gp3(100), load: sysbenchFiles(8, 200), cause: 'none' },
      {
        name: 'scan',
        configuration: gp3(200),
        load: fioAtPace({ pattern: 'read', blockKiB: 1_024, jobs: 2, depth: 8, iops: 160 }),
        cause: 'volume-throughput',
      },
    ],
    stripes: [],
  },
  {
    name: 'search',
    instanceType: 'm5.8xlarge',
    limitMiBps: null,
    volumes: [],
    stripes: [
      {
        name: 'index',
        configuration: gp3(100),
        members: 3,
        slowIops: 60,
        load: fioAtPace({ pattern: 'randread', blockKiB: 8, jobs: 4, depth: 8, iops: 400 }),
      },
    ],
  },
  {
    name: 'reports',
    instanceType: 'm5.large',
    limitMiBps: m5LargeMiBps,
    volumes: [
      {
        name: 'extract',
        configuration: gp3(100),
        load: fioAtPace({ pattern: 'read', blockKiB: 256, jobs: 2, depth: 8, iops: 240 }),
        cause: 'instance-credits',
      },
      {
        name: 'archive',
        configuration: gp3(100),
        load: fioAtPace({ pattern: 'read', blockKiB: 256, jobs: 2, depth: 8, iops: 200 }),
        cause: 'instance-credits',
      },
    ],
    stripes: [],
  },
];
