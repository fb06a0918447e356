/** Instances that hold their volumes back; none of these volumes comes near a limit of its own. */
import { type Load, stream, windows, workers } from '../loads.ts';
import type { InstancePlan, VolumePlan } from '../plan.ts';

const innocent = (name: string): VolumePlan => ({
  name,
  volumeType: 'gp3',
  sizeGiB: 30,
  load: workers(8, 40),
});

const gp3 = (name: string, iops: number, throughputMiBps: number, load: Load): VolumePlan => ({
  name,
  volumeType: 'gp3',
  sizeGiB: 500,
  iops,
  throughputMiBps,
  load,
});

const operations = { planted: 'throttled-instance-iops' } as const;
const bytes = { planted: 'throttled-instance-throughput' } as const;
const credits = { planted: 'instance-credits-exhausted' } as const;

export const heldInstances: readonly InstancePlan[] = [
  {
    name: 'pricing',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'm5.4xlarge',
    ...operations,
    // 2 x 11,000 = 22,000 of 18,750, and 12,000 are provisioned on each.
    volumes: [
      gp3('pricing-a', 12_000, 250, workers(8, windows(1_500, [400, 90, 11_000]))),
      gp3('pricing-b', 12_000, 250, workers(8, windows(1_400, [400, 90, 11_000]))),
      innocent('pricing-root'),
    ],
  },
  {
    name: 'reporting',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm5.2xlarge',
    ...operations,
    // 21,000 of the maximum 18,750 for 20 minutes: 6,750 x 1,200 s = 8.1 of 12.15 million credits, so some are left.
    volumes: [
      gp3('reporting-a', 12_000, 250, workers(8, windows(800, [700, 20, 10_500]))),
      gp3('reporting-b', 12_000, 250, workers(8, windows(700, [700, 20, 10_500]))),
    ],
  },
  {
    name: 'tickets',
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    instanceType: 'm5.4xlarge',
    ...operations,
    volumes: [
      {
        name: 'tickets-a',
        volumeType: 'io1',
        sizeGiB: 300,
        iops: 12_000,
        load: workers(8, windows(2_500, [900, 15, 11_000])),
      },
      {
        name: 'tickets-b',
        volumeType: 'io1',
        sizeGiB: 300,
        iops: 12_000,
        load: workers(8, windows(2_000, [900, 15, 11_000])),
      },
    ],
  },
  {
    name: 'etl',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'c5.4xlarge',
    ...bytes,
    // 2 x 425 MiB/s of 566.
    volumes: [
      gp3('etl-in', 4_000, 500, stream(256, windows(100, [800, 100, 1_700]))),
      gp3('etl-out', 4_000, 500, stream(256, windows(120, [800, 100, 1_700]))),
      innocent('etl-root'),
    ],
  },
  {
    name: 'media',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 'm5.8xlarge',
    ...bytes,
    volumes: [
      gp3('media-in', 4_000, 1_000, stream(256, windows(200, [500, 30, 2_400]))),
      gp3('media-out', 4_000, 1_000, stream(256, windows(150, [500, 30, 2_400]))),
    ],
  },
  {
    name: 'vault',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 'c5.4xlarge',
    ...bytes,
    volumes: [
      {
        name: 'vault-a',
        volumeType: 'st1',
        sizeGiB: 4_096,
        load: stream(1_024, windows(20, [600, 25, 400])),
      },
      {
        name: 'vault-b',
        volumeType: 'st1',
        sizeGiB: 4_096,
        load: stream(1_024, windows(30, [600, 25, 400])),
      },
    ],
  },
  {
    name: 'intranet',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm4.xlarge',
    ...bytes,
    // Xen: no check tells of it. 1,700 x 64 KiB = 106 MiB/s of the instance's 89, under the volume's 125.
    volumes: [
      gp3('intranet-files', 3_000, 125, workers(64, windows(150, [300, 40, 1_700]))),
      { ...innocent('intranet-root'), load: workers(8, windows(0, [100, 900, 20])) },
    ],
  },
  {
    name: 'ci-runner',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 't3.medium',
    ...credits,
    // (11,800 - 2,000) x 1,800 = 17.64 million credits / (5,400 - 2,000) = 5,188 s of the 9,000.
    volumes: [
      gp3('ci-workspace', 3_000, 125, workers(4, windows(100, [300, 150, 2_700]), { maxWaitingIo: 64 })),
      gp3('ci-docker', 3_000, 125, workers(4, windows(80, [300, 150, 2_700]), { maxWaitingIo: 64 })),
    ],
  },
  {
    name: 'gateway',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm5.large',
    ...credits,
    volumes: [
      gp3('gateway-spool', 3_000, 500, stream(256, windows(40, [500, 90, 1_600]))),
      innocent('gateway-root'),
    ],
  },
  {
    name: 'sessions',
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    instanceType: 'm6i.large',
    ...credits,
    volumes: [
      gp3('sessions-data', 20_000, 250, workers(4, windows(800, [600, 130, 16_000]))),
      innocent('sessions-root'),
    ],
  },
];
