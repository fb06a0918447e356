/** Volumes that live on credits: emptied, about to be, and those that only look as if. */
import { stream, windows, workers } from '../loads.ts';
import type { InstancePlan } from '../plan.ts';

const exhausted = { planted: 'credits-exhausted' } as const;
const willExhaust = { planted: 'credits-will-exhaust' } as const;

export const creditVolumes: readonly InstancePlan[] = [
  {
    name: 'batch-us',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'm5.8xlarge',
    volumes: [
      // 5,400,000 / (2,500 - 300) = 2,455 s: 41 of the 80 minutes on credits, 39 without.
      {
        name: 'batch-root',
        volumeType: 'gp2',
        sizeGiB: 100,
        load: workers(8, windows(150, [300, 80, 2_500])),
        ...exhausted,
      },
      {
        name: 'batch-jobs',
        volumeType: 'gp2',
        sizeGiB: 500,
        startBalancePercent: 60,
        load: workers(8, windows(600, [700, 110, 2_900])),
        ...exhausted,
      },
      {
        name: 'batch-input',
        volumeType: 'st1',
        sizeGiB: 500,
        startBalancePercent: 30,
        load: stream(1_024, windows(5, [200, 110, 110])),
        ...exhausted,
      },
      // 16 KiB that cannot be merged cost 1 MiB each: 150 a second against a baseline of 40 MiB/s.
      {
        name: 'batch-random',
        volumeType: 'st1',
        sizeGiB: 1_024,
        startBalancePercent: 15,
        load: workers(16, windows(38, [200, 60, 150]), { maxWaitingIo: 32 }),
        ...exhausted,
      },
      // 1,000 credits a second for 50 minutes leave 2.4 million: 40 minutes.
      {
        name: 'batch-output',
        volumeType: 'gp2',
        sizeGiB: 200,
        load: workers(8, windows(200, [1_510, 50, 1_600])),
        ...willExhaust,
      },
      {
        name: 'batch-archive',
        volumeType: 'st1',
        sizeGiB: 1_024,
        load: stream(1_024, windows(20, [1_500, 60, 200])),
        ...willExhaust,
      },
    ],
  },
  {
    name: 'batch-eu',
    region: 'eu-central-1',
    zone: 'eu-central-1b',
    instanceType: 'r5.8xlarge',
    volumes: [
      {
        name: 'render-root',
        volumeType: 'gp2',
        sizeGiB: 20,
        load: workers(8, windows(40, [500, 140, 1_200])),
        ...exhausted,
      },
      {
        name: 'render-cold',
        volumeType: 'sc1',
        sizeGiB: 1_000,
        startBalancePercent: 20,
        load: stream(1_024, windows(10, [300, 120, 70])),
        ...exhausted,
      },
      // 1,200 credits a second for 50 minutes leave 1.8 million: 25 minutes.
      {
        name: 'render-cache',
        volumeType: 'gp2',
        sizeGiB: 33,
        load: workers(8, windows(40, [1_510, 50, 1_300])),
        ...willExhaust,
      },
      {
        name: 'render-vault',
        volumeType: 'sc1',
        sizeGiB: 2_048,
        load: stream(1_024, windows(12, [1_360, 200, 140])),
        ...willExhaust,
      },
      {
        name: 'render-assets',
        volumeType: 'gp2',
        sizeGiB: 200,
        load: workers(16, windows(150, [400, 20, 2_000])),
      },
    ],
  },
  {
    name: 'refill-us',
    region: 'us-east-1',
    zone: 'us-east-1b',
    instanceType: 'm5.12xlarge',
    volumes: [
      // Nearly all of the baseline is used, so the balance climbs by 40 credits a second only.
      {
        name: 'refill-slow',
        volumeType: 'gp2',
        sizeGiB: 300,
        startBalancePercent: 12,
        load: workers(8, 860),
      },
      {
        name: 'refill-scan',
        volumeType: 'st1',
        sizeGiB: 2_048,
        startBalancePercent: 8,
        load: stream(1_024, 70),
      },
      {
        name: 'nightly-scan',
        volumeType: 'st1',
        sizeGiB: 2_048,
        load: stream(1_024, windows(12, [400, 30, 300])),
      },
    ],
  },
];
