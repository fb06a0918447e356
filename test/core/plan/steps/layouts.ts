/** Layouts that stand for all: every type, every kind, and the ends of what EBS allows. */
import type { Deployment, VolumeConfiguration } from '../../../../core/limits/volume-limits.ts';
import type { Layout } from '../../../../core/plan/layout.ts';

export const gp3 = (figures: Partial<Layout> = {}): Layout => ({
  kind: 'single',
  members: 1,
  volumeType: 'gp3',
  sizeGiB: 500,
  iops: 3_000,
  throughputMiBps: 125,
  ...figures,
});

export const gp2 = (figures: Partial<Layout> = {}): Layout =>
  gp3({ volumeType: 'gp2', iops: 1_500, throughputMiBps: 250, ...figures }); // 3 x 500 = 1,500

export interface Example {
  what: string;
  layout: Layout;
  deployment: Deployment;
  /** What has to arrive at each volume, written down by hand. */
  each: Omit<VolumeConfiguration, 'deployment'>;
}

const region = 'region' as const;

export const examples: Example[] = [
  {
    what: 'the smallest gp3',
    layout: gp3({ sizeGiB: 1 }),
    deployment: region,
    each: { volumeType: 'gp3', sizeGiB: 1, iops: 3_000, throughputMiBps: 125 },
  },
  {
    what: 'the largest gp3',
    layout: gp3({ sizeGiB: 65_536, iops: 80_000, throughputMiBps: 2_000 }),
    deployment: region,
    each: { volumeType: 'gp3', sizeGiB: 65_536, iops: 80_000, throughputMiBps: 2_000 },
  },
  {
    what: 'a stripe of 5 gp3',
    layout: gp3({ kind: 'stripe', members: 5, iops: 4_000, throughputMiBps: 250 }),
    deployment: region,
    each: { volumeType: 'gp3', sizeGiB: 500, iops: 4_000, throughputMiBps: 250 },
  },
  {
    what: 'a stripe of 8 gp3',
    layout: gp3({ kind: 'stripe', members: 8, iops: 16_000, throughputMiBps: 1_000 }),
    deployment: region,
    each: { volumeType: 'gp3', sizeGiB: 500, iops: 16_000, throughputMiBps: 1_000 },
  },
  {
    what: 'the fastest io2 at its smallest: 1,000 IOPS per GiB',
    layout: gp3({ volumeType: 'io2', sizeGiB: 256, iops: 256_000, throughputMiBps: 4_000 }),
    deployment: region,
    each: { volumeType: 'io2', sizeGiB: 256, iops: 256_000 },
  },
  {
    what: 'an io1',
    layout: gp3({ volumeType: 'io1', sizeGiB: 1_280, iops: 64_000, throughputMiBps: 1_000 }), // 50 x 1,280 = 64,000
    deployment: region,
    each: { volumeType: 'io1', sizeGiB: 1_280, iops: 64_000 },
  },
  {
    what: 'an st1',
    layout: gp3({ volumeType: 'st1', sizeGiB: 125, iops: 5, throughputMiBps: 5 }),
    deployment: region,
    each: { volumeType: 'st1', sizeGiB: 125 },
  },
  {
    what: 'an sc1',
    layout: gp3({ volumeType: 'sc1', sizeGiB: 16_384, iops: 192, throughputMiBps: 192 }), // 12 x 16 TiB
    deployment: region,
    each: { volumeType: 'sc1', sizeGiB: 16_384 },
  },
  { what: 'a gp2', layout: gp2(), deployment: region, each: { volumeType: 'gp2', sizeGiB: 500 } },
  {
    what: 'a magnetic',
    layout: gp3({ volumeType: 'standard', sizeGiB: 1_024, iops: 100, throughputMiBps: 40 }),
    deployment: region,
    each: { volumeType: 'standard', sizeGiB: 1_024 },
  },
  {
    what: 'a RAID10 of 4 gp3',
    layout: gp3({ kind: 'raid10', members: 4 }),
    deployment: region,
    each: { volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 },
  },
  {
    what: 'a RAID5 of 3 io2',
    layout: gp3({ kind: 'raid5', members: 3, volumeType: 'io2', iops: 10_000, throughputMiBps: 2_500 }),
    deployment: region,
    each: { volumeType: 'io2', sizeGiB: 500, iops: 10_000 },
  },
  {
    what: 'a stripe of 2 gp3 on an Outpost, at its ends there',
    layout: gp3({ kind: 'stripe', members: 2, sizeGiB: 16_384, iops: 16_000, throughputMiBps: 1_000 }),
    deployment: 'outposts',
    each: { volumeType: 'gp3', sizeGiB: 16_384, iops: 16_000, throughputMiBps: 1_000 },
  },
];
