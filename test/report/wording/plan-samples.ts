/** Every code of a plan, with figures, in the forms that its words have. */
import type { PlanNote, PlanReason } from '../../../core/schemas/plan-answer.ts';
import type { RefusedNearest, RefusedReason, RefusedWhat } from '../../../core/schemas/plan-refused.ts';
import type { RouteMember, RouteReason } from '../../../core/schemas/plan-steps.ts';
import { samplesOf } from './samples-of.ts';

const notPlaced = { shownAs: null, lowerRisk: null };
const lowerRisk = { annualFailureRate: 0.002, cheapestAnnualFailureRate: 0.015_888 };
const gp3 = { members: 5, iops: 3_000, throughputMiBps: 125, paidIops: 0, paidMiBps: 0 };

export const reasons = samplesOf<PlanReason>({
  cheapest: [{ layouts: 16 }],
  'same-price': [
    { hasMoreMembers: true, ...notPlaced },
    { hasMoreMembers: false, shownAs: 'in-place', lowerRisk },
  ],
  'price-unknown': [{ ...notPlaced }],
  dearer: [
    { monthlyUsdMore: 124.68, isPricedElsewhere: false, shownAs: 'cheapest-single', lowerRisk },
    { monthlyUsdMore: 20.12, isPricedElsewhere: true, ...notPlaced },
    // Rates that read the same are no reason.
    {
      ...{ monthlyUsdMore: 20.12, isPricedElsewhere: false, shownAs: null },
      lowerRisk: { annualFailureRate: 0.002, cheapestAnnualFailureRate: 0.002_000_01 },
    },
  ],
  'gp3-included': [gp3, { ...gp3, members: 1, paidIops: 12_000 }, { ...gp3, paidIops: 2_000, paidMiBps: 84 }],
  'io2-promises': [{}],
  'io1-promises': [{}],
  'gp2-baseline': [{ iopsPerGiB: 3 }],
  'hdd-baseline': [
    { volumeType: 'st1', baselineMiBpsPerTiB: 40 },
    { volumeType: 'sc1', baselineMiBpsPerTiB: 12 },
  ],
  'loses-data-more-often': [{ annualFailureRate: 0.002, currentAnnualFailureRate: 0.000_01 }],
  'smallest-of-its-type': [{ volumeType: 'st1', totalGiB: 250, smallestGiB: 125 }],
  'size-for-speed': [{ volumeType: 'st1', totalGiB: 4_096 }],
  'capacity-alone': [{}],
  'first-limit': [
    { limits: ['iops', 'throughput'], roomShare: 0 },
    { limits: ['instance-iops'], roomShare: 0.25 },
    { limits: ['throughput', 'instance-iops', 'instance-throughput'], roomShare: 0.001 },
  ],
  redundancy: [{ kind: 'stripe' }, { kind: 'raid10' }, { kind: 'raid5' }],
  'write-penalty': [{ writeShare: 0.3, memberIoPerIo: 1.9 }],
  'io-split': [{ ioSizeKiB: 256, chunkKiB: 64, pieces: 4 }],
  'no-room-in-stripe': [{ measuredEfficiency: 0.98, minRoomShare: 0.02 }],
  'merging-not-counted': [{ ioSizeKiB: 16, merged: 16, unitKiB: 256 }],
  'instance-baseline': [
    { instanceType: 'm5.large', baselineIops: 3_600, baselineMiBps: 81.25, maximumIops: 18_750 },
    { instanceType: 'm5.24xlarge', baselineIops: 80_000, baselineMiBps: 2_375, maximumIops: 80_000 },
  ],
  arm64: [{ instanceType: 'm7g.large' }],
  'cpu-credits': [{ instanceType: 't3.large' }],
  'previous-generation': [{ instanceType: 'm4.large' }],
  'usual-instance': [{ instanceType: 'm7i.large', monthlyUsd: 73.584 }],
  'ebs-cards': [{ volumes: [4, 3] }],
  'instance-price-unknown': [
    {
      reason: {
        ...{ code: 'no-instance-price', instanceType: 'm2.large', region: 'us-east-1' },
        asOf: '2026-11-21',
      },
    },
  ],
});

const shapes = { kind: 'stripe', volumeType: 'io2', fewest: 7, most: 8 } as const;

export const whats = samplesOf<RefusedWhat>({
  layouts: [
    shapes,
    { kind: 'single', volumeType: 'gp3', fewest: 1, most: 1 },
    { kind: 'raid10', volumeType: 'gp3', fewest: 4, most: 4 },
    { kind: 'raid5', volumeType: null, fewest: 3, most: null },
  ],
  'volume-type': [{ volumeType: 'st1' }, { volumeType: 'standard' }],
  'instance-type': [
    { instanceType: 'm5.2xlarge', under: [] },
    { instanceType: 'm5.2xlarge', under: [shapes] },
  ],
  instances: [
    { vcpus: 16, memoryGiB: 128, architecture: null, under: [] },
    { vcpus: 16, memoryGiB: 128, architecture: 'arm64', under: [shapes, { ...shapes, kind: 'raid10' }] },
  ],
  'instance-store': [{}],
});

const ofVolume = { deployment: 'region', countedFrom: null } as const;
const older = { members: 1, sizeGiB: 1_000, isPricedElsewhere: false };

export const becauses = samplesOf<RefusedReason>({
  'volume-limit': [
    { ...ofVolume, limit: 'iops', volumeType: 'io2', asked: 3_000_000, atMost: 256_000 },
    { ...ofVolume, limit: 'throughput', volumeType: 'gp3', asked: 4_000, atMost: 2_000 },
    { ...ofVolume, limit: 'capacity', volumeType: 'gp3', asked: 102_400, atMost: 65_536 },
    {
      limit: 'iops',
      volumeType: 'gp3',
      asked: 80_000,
      atMost: 16_000,
      deployment: 'outposts',
      countedFrom: null,
    },
    {
      ...{ limit: 'throughput', volumeType: 'st1', asked: 1_000, atMost: 500, deployment: 'region' },
      countedFrom: { iops: 4_000, ioSizeKiB: 256 },
    },
  ],
  'failure-rate': [{ annualFailureRate: 0.003_996, ceiling: 0.003, volumeAnnualFailureRate: 0.002 }],
  'hdd-random': [{}],
  'hdd-small-io': [{ ioSizeKiB: 63, minKiB: 64 }],
  'no-promise': [{}],
  'max-members': [{ maxMembers: 1 }, { maxMembers: 3 }],
  'older-type': [
    { volumeType: 'gp2', ...older, monthlyUsdMore: 20, gp3SavesShare: 0.2 },
    { volumeType: 'io1', ...older, monthlyUsdMore: 240, isPricedElsewhere: true, gp3SavesShare: null },
  ],
  'instance-limits-unknown': [
    { strongest: null, reason: { code: 'no-ebs-limits', instanceType: 't2.micro' } },
  ],
  'instance-limits': [
    {
      strongest: null,
      iops: { asked: 20_000, maximum: 18_750, baseline: 12_000 },
      throughputMiBps: null,
    },
    {
      strongest: 'm1.large',
      iops: { asked: 20_000, maximum: 18_750, baseline: 12_000 },
      throughputMiBps: { asked: 900, maximum: 593.75, baseline: 287.5 },
    },
  ],
  'ebs-cards': [
    { strongest: null, cards: 2, baselineIopsEach: 40_000, volumes: 1 },
    { strongest: 'm1.large', cards: 2, baselineIopsEach: 40_000, volumes: 3 },
  ],
  attachments: [{ strongest: null, dataVolumes: 3 }],
  'no-such-instance': [{}],
  'data-on-the-instance': [{ isOnlyWay: false }, { isOnlyWay: true }],
});

const carries = {
  instanceType: 'm5.8xlarge',
  baselineIops: 30_000,
  baselineMiBps: 811,
  monthlyUsd: 1_121.28,
};

export const nearests = samplesOf<RefusedNearest>({
  rates: [
    { iops: 2_048_000, throughputMiBps: 32_000, members: 8, volumeType: 'io2' },
    { iops: null, throughputMiBps: 500, members: 1, volumeType: 'st1' },
  ],
  capacity: [{ capacityGiB: 65_536, members: 1, volumeType: 'gp3' }],
  members: [{ members: 5 }],
  'failure-rate': [{ annualFailureRate: 0.000_01, members: 1, volumeType: 'io2' }],
  'failure-rate-offered': [{ annualFailureRate: 0.000_01 }],
  sequential: [{ minKiB: 64 }],
  gp3: [{ iops: 3_000, fromGiB: 1 }],
  'allow-members': [{ members: 4 }],
  'plan-with-type': [{ volumeType: 'gp2' }],
  instance: [carries, { ...carries, monthlyUsd: null }],
  'no-instance-carries': [{ strongest: null }, { strongest: carries }],
  'largest-instances': [
    {
      vcpus: { instanceType: 'u7inh-32tb.480xlarge', vcpus: 1_920 },
      memory: { instanceType: 'u7inh-32tb.480xlarge', memoryGiB: 32_768 },
    },
  ],
  'instance-store': [
    { instanceType: 'i4i.large', disks: 1, isSsd: true, totalGB: 468 },
    { instanceType: 'd3.2xlarge', disks: 6, isSsd: false, totalGB: 11_880 },
  ],
  'no-instance-store': [{ capacityGiB: 500_000 }],
});

const unchanged = { maxMembers: null, chunkKiB: null, maxAnnualFailureRate: null };
const wider = { members: 10, volumeType: 'gp3', annualFailureRate: 0.019_821 } as const;

export const notes = samplesOf<PlanNote>({
  'no-capacity-asked': [{}],
  'no-instance-carries': [
    {
      ...{ iops: 2_000_000, throughputMiBps: 31_250 },
      ...{ instanceType: 'r8gb.48xlarge', baselineIops: 1_440_000, baselineMiBps: 37_500 },
    },
  ],
  'instance-must-carry': [{ iops: 15_000, throughputMiBps: 625 }],
  'wider-limit': [
    { ...unchanged, maxMembers: 10, ...wider, monthlyUsd: 530, monthlyUsdLess: 30.32 },
    { ...unchanged, chunkKiB: 1_024, ...wider, monthlyUsd: null, monthlyUsdLess: null },
    {
      ...unchanged,
      maxMembers: 10,
      maxAnnualFailureRate: 0.02,
      ...wider,
      monthlyUsd: 530,
      monthlyUsdLess: null,
    },
  ],
  deployment: [
    { note: { code: 'on-outposts', gp3: { maxSizeGiB: 16_384, maxIops: 16_000, maxMiBps: 1_000 } } },
    { note: { code: 'on-outposts', gp3: null } },
  ],
  'price-source': [
    {
      source: {
        ...{ part: 'ebs', region: 'us-east-1', asOf: '2026-11-20' },
        ...{ source: 'the Price List', insteadOf: null },
      },
    },
  ],
  'prices-of-another-region': [
    {
      ...{ region: 'eu-west-3', rankingRegion: 'us-east-1' },
      reason: { code: 'no-ebs-prices', region: 'eu-west-3' },
    },
  ],
  'built-in-instance-types': [{ region: 'eu-west-3' }],
  'built-in-tables': [{}],
});

const member: RouteMember = { volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 };
const gp2: RouteMember = { volumeType: 'gp2', sizeGiB: 500, iops: null, throughputMiBps: null };

export const routes = samplesOf<RouteReason>({
  'nothing-stands': [{}],
  unchanged: [{ member }],
  'modify-volume': [
    { members: 1, from: gp2, to: member },
    { members: 5, from: member, to: { ...member, iops: 6_000 } },
  ],
  'other-layout': [
    { from: { kind: 'single', members: 1 }, to: { kind: 'stripe', members: 5 } },
    { from: { kind: 'raid5', members: 3 }, to: { kind: 'raid10', members: 4 } },
  ],
  'never-shrinks': [{ fromGiB: 1_500, toGiB: 499 }],
  'joined-by-unknown': [{ kind: 'stripe', members: 5 }],
  'mdadm-stripe-grown': [{}],
  'lvm-raid-grown': [{ kind: 'raid10', members: 4 }],
  magnetic: [{}],
});
