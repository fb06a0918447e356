/** What to do about performance that cannot be reached, and about volumes on the wrong EBS card. */

import type { RegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { ebsCardImbalance, unreachablePerformance } from '../../../core/diagnosis/unreachable.ts';
import type { Volume } from '../../../core/inventory.ts';
import type { VolumeNeed } from '../../../core/recommendations/savings.ts';
import {
  ebsCardRecommendation,
  largerForAll,
  loweringOf,
  lowerRecommendation,
} from '../../../core/recommendations/unreachable-recommendation.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const instance = anInstance({ instanceId: 'i-0123456789abcdef0' });
const type = anInstanceType({ instanceType: 'm6i.xlarge' });
const larger = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_500) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5 };

const recommend = (
  volumes: Volume[],
  regionCatalog: RegionCatalog = aRegionCatalog([type, larger], usdPerHour),
  needs: Record<string, VolumeNeed> = {},
) => {
  const { ebs: prices } = regionCatalog.prices;
  const found = unreachablePerformance(instance, type, volumes, prices, new Set(), defaultThresholds);
  if (found === null || !prices.known) throw new Error('nothing exceeds');
  const lowering = loweringOf(found, (id) => needs[id] ?? null, prices.value);
  return [
    lowerRecommendation(lowering, defaultThresholds),
    ...largerForAll(found, instance, type, volumes.length, regionCatalog),
  ];
};
const whole = (iops: number, throughputMiBps: number): VolumeNeed => ({
  rates: { iops, throughputMiBps },
  confidence: 'high',
});
const atLeast = (iops: number, throughputMiBps: number): VolumeNeed => ({
  rates: { iops, throughputMiBps },
  confidence: null,
});

const gp3 = aVolume({ volumeId: 'vol-0123456789abcdef0', sizeGiB: 1_000, iops: 8_000, throughputMiBps: 250 });
const io1 = aVolume({
  volumeId: 'vol-0123456789abcdef1',
  volumeType: 'io1',
  sizeGiB: 1_000,
  iops: 6_000,
  throughputMiBps: null,
});

test('lower the volumes in place, each with the figures that it is to have', () => {
  // 14,000 of 10,000: 4,000 off io1 at 0.065 = 260; 250 + 500 = 750 of 500, and io1 of 2,000 still has 500: 125 off gp3 at 0.04 = 5
  const [lower] = recommend([gp3, io1]);
  expect(lower?.monthlyUsdDelta).toBe(-265);
  expect(commandsOf(lower)).toEqual([
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef0 --region us-east-1 --volume-type gp3 --iops 8000 --throughput 125',
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef1 --region us-east-1 --volume-type io1 --iops 2000',
  ]);
  expect(lower).toMatchObject({
    ...{ action: 'modify', purpose: 'lower-to-reach', inPlace: true },
    ...{ sizedBy: 'current-maximum', headroomPercent: null },
    change: {
      of: 'volumes',
      volumes: [
        { from: { iops: 8_000, throughputMiBps: 250 }, to: { iops: 8_000, throughputMiBps: 125 } },
        { from: { iops: 6_000 }, to: { iops: 2_000 } },
      ],
    },
    risks: [{ code: 'volumes-peak-together' }, { code: 'stripes-alike' }, { code: 'same-saving' }],
  });
  expect(lower?.steps.at(-1)).toEqual({ code: 'modification-limit', most: 4, hours: 24 });
});

test('or take the instance that can use it all the time, with what that costs', () => {
  const [, more] = recommend([gp3, io1]);
  expect(more).toMatchObject({
    ...{ action: 'resize-instance', purpose: 'use-figures', sizedBy: 'provisioned' },
    change: { of: 'instance', from: instance.instanceType, to: 'm6i.8xlarge', monthlyUsd: 1_095 },
    sizedFor: { iops: 14_000, throughputMiBps: 750 },
    monthlyUsdDelta: 949, // (1.5 - 0.2) x 730
    risks: [{ code: 'downtime' }],
  });
});

test('where instance prices are not known it says so, and the saving stays', () => {
  const [lower, more] = recommend([gp3, io1], aRegionCatalog([type, larger], null));
  expect(lower?.monthlyUsdDelta).toBe(-265);
  expect(more).toMatchObject({
    ...{ change: null, monthlyUsdDelta: null, steps: [], sizedFor: { iops: 14_000, throughputMiBps: 750 } },
    priceUnknownReason: { code: 'no-instance-price', instanceType: 'm6i.8xlarge', region: 'us-east-1' },
  });
});

test('an id that is none stays out of the command lines', () => {
  const [lower] = recommend([
    { ...gp3, volumeId: 'vol-1 && rm' },
    { ...io1, region: 'x; y' },
  ]);
  expect(commandsOf(lower).join('\n')).not.toMatch(/rm|x; y/);
  expect(commandsOf(lower)[0]).toContain('--volume-id <volume-id> --region us-east-1');
});

test('a volume goes to the other card by detaching and attaching, never one member of a running stripe', () => {
  const cards = [ebs(5_000, 250), ebs(5_000, 250)];
  const onCard0 = [gp3, { ...gp3, volumeId: 'vol-0123456789abcdef2' }].map((volume) => ({
    ...volume,
    iops: 4_000,
    attachments: [{ instanceId: instance.instanceId, ebsCardIndex: 0 }],
  }));
  const found = ebsCardImbalance(instance, { ...type, cards }, onCard0);
  const [recommendation] = found === null ? [] : ebsCardRecommendation(found, instance);
  // 8,000 of 5,000 on card 0: one of the two moves.
  expect(recommendation).toMatchObject({
    ...{ action: 'move-card', inPlace: false, monthlyUsdDelta: 0 },
    change: { of: 'cards', moves: [{ volumeId: 'vol-0123456789abcdef0', toCard: 1 }] },
    risks: [{ code: 'downtime' }, { code: 'stripe-in-use' }],
  });
  expect(recommendation?.steps.map(({ code }) => code)).toEqual([
    ...['stop-and-unmount', 'run', 'run', 'run', 'start-and-mount'],
  ]);
  expect(commandsOf(recommendation)).toContain(
    'aws ec2 detach-volume --volume-id vol-0123456789abcdef0 --region us-east-1',
  );
  expect(commandsOf(recommendation)).toContain(
    'aws ec2 attach-volume --volume-id vol-0123456789abcdef0 --instance-id i-0123456789abcdef0 --region us-east-1 --device <device> --ebs-card-index 1',
  );
});

test('a volume with an id that is none stays out of the command lines', () => {
  const cards = [ebs(5_000, 250), ebs(5_000, 250)];
  const onCard0 = ['vol-1; rm', 'vol-2; rm'].map((volumeId) => ({
    ...{ ...gp3, volumeId, iops: 4_000 },
    attachments: [{ instanceId: instance.instanceId, ebsCardIndex: 0 }],
  }));
  const found = ebsCardImbalance(instance, { ...type, cards }, onCard0);
  const [recommendation] = found === null ? [] : ebsCardRecommendation(found, instance);
  expect(commandsOf(recommendation)).not.toEqual([]);
  expect(commandsOf(recommendation).join('\n')).not.toContain('rm');
  expect(commandsOf(recommendation)[0]).toBe(
    'aws ec2 detach-volume --volume-id <volume-id> --region us-east-1',
  );
});

describe('volumes whose load shows what they need', () => {
  // 8,000 + 5,000 = 13,000 of 10,000
  const other = aVolume({ volumeId: 'vol-0123456789abcdef2', sizeGiB: 1_000, iops: 5_000 });

  test('each goes to its own need and not below, whatever the instance can do', () => {
    const [lower] = recommend([gp3, other], undefined, {
      [gp3.volumeId]: whole(3_500, 150),
      [other.volumeId]: whole(4_000, 100),
    });
    // (8,000 - 3,500) x 0.005 + (250 - 150) x 0.04 = 26.50 and 1,000 x 0.005 = 5
    expect(lower?.monthlyUsdDelta).toBe(-31.5);
    expect(lower).toMatchObject({
      ...{ purpose: 'lower-to-need', sizedBy: 'headroom', headroomPercent: 25 },
      risks: [{ code: 'stripes-alike' }, { code: 'same-saving' }],
    });
    expect(commandsOf(lower)).toEqual([
      `aws ec2 modify-volume --volume-id ${gp3.volumeId} --region us-east-1 --volume-type gp3 --iops 3500 --throughput 150`,
      `aws ec2 modify-volume --volume-id ${other.volumeId} --region us-east-1 --volume-type gp3 --iops 4000 --throughput 125`,
    ]);
  });

  test('beside one whose load is known the others stay as they are', () => {
    const [lower] = recommend([gp3, other], undefined, {
      [gp3.volumeId]: whole(3_500, 150),
      [other.volumeId]: atLeast(100, 10),
    });
    expect(lower?.monthlyUsdDelta).toBe(-26.5);
    expect(lower?.risks).toContainEqual({ code: 'need-unknown', count: 1 });
  });

  test('where each needs what it has, nothing is lowered', () => {
    const [lower] = recommend([gp3, other], undefined, {
      [gp3.volumeId]: whole(9_000, 300),
      [other.volumeId]: whole(5_000, 125),
    });
    expect(lower).toMatchObject({
      ...{ action: 'investigate', purpose: 'keep-figures', change: null },
      ...{ monthlyUsdDelta: null, steps: [], risks: [] },
    });
  });

  test('io1 goes to what its throughput takes: 400 MiB/s are 1,600 IOPS', () => {
    const [lower] = recommend([gp3, io1], undefined, { [io1.volumeId]: whole(1_000, 400) });
    expect(lower?.monthlyUsdDelta).toBe(-286); // 4,400 x 0.065
    expect(commandsOf(lower)[0]).toMatch(/--volume-type io1 --iops 1600$/);
  });

  test('where no load shows it whole, all are lowered together, and none below what it was served', () => {
    const [lower] = recommend([gp3, other], undefined, {
      [gp3.volumeId]: atLeast(7_000, 100),
      [other.volumeId]: atLeast(100, 10),
    });
    // 13,000 to 10,000: 7,000 + 3,000; 3,000 x 0.005 = 15. MiB/s do not exceed and stay.
    expect(lower?.monthlyUsdDelta).toBe(-15);
    expect(lower?.risks).toContainEqual({ code: 'volumes-peak-together' });
    expect(commandsOf(lower)[0]).toContain('--iops 7000 --throughput 250');
    expect(commandsOf(lower)[1]).toContain('--iops 3000 --throughput 125');
  });
});
