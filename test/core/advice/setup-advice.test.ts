/** What to do about performance that cannot be reached, and about volumes on the wrong EBS card. */

import { ebsCardAdvice } from '../../../core/advice/ebs-card-advice.ts';
import { loweringOf } from '../../../core/advice/lowering.ts';
import type { VolumeNeed } from '../../../core/advice/savings/observed-need.ts';
import { largerForAll, lowerAdvice } from '../../../core/advice/unreachable-advice.ts';
import type { Market } from '../../../core/catalogue/market.ts';
import { ebsCardImbalance } from '../../../core/diagnosis/ebs-cards.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { unreachablePerformance } from '../../../core/diagnosis/unreachable.ts';
import type { Volume } from '../../../core/inventory.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { aMarket, anInstanceType, ebs } from '../../fixtures/market.ts';

const instance = anInstance({ instanceId: 'i-0123456789abcdef0' });
const type = anInstanceType({ instanceType: 'm6i.xlarge' });
const larger = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_500) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5 };

const advise = (
  volumes: Volume[],
  market: Market = aMarket([type, larger], usdPerHour),
  needs: Record<string, VolumeNeed> = {},
) => {
  const { ebs: prices } = market.prices;
  const found = unreachablePerformance(instance, type, volumes, prices, new Set(), defaultThresholds);
  if (found === null || !prices.known) throw new Error('nothing exceeds');
  const lowering = loweringOf(found, (id) => needs[id] ?? null, prices.value);
  return [
    lowerAdvice(lowering, defaultThresholds),
    largerForAll(found, instance, type, volumes.length, market),
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
  const [lower] = advise([gp3, io1]);
  expect(lower?.monthlyUsdDelta).toBe(-265);
  expect(lower?.steps.slice(0, 2)).toEqual([
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef0 --region us-east-1 --volume-type gp3 --iops 8000 --throughput 125',
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef1 --region us-east-1 --volume-type io1 --iops 2000',
  ]);
  expect(lower?.text).toContain('volumes rarely peak together');
  expect(lower?.text).toContain('its own peak');
});

test('or take the instance that can use it all the time, with what that costs', () => {
  const [, more] = advise([gp3, io1]);
  expect(more?.text).toBe(
    'If the performance is wanted: the cheapest type that can use 14,000 IOPS and 750 MiB/s all the time is m6i.8xlarge (+949.00 USD a month; 50,000 IOPS, 1,500 MiB/s); On-Demand, Linux.',
  );
  expect(more?.monthlyUsdDelta).toBe(949); // (1.5 - 0.2) x 730
});

test('where instance prices are not known it says so, and the saving stays', () => {
  const [lower, more] = advise([gp3, io1], aMarket([type, larger], null));
  expect(lower?.monthlyUsdDelta).toBe(-265);
  expect(more).toMatchObject({ monthlyUsdDelta: null, steps: [] });
  expect(more?.text).toContain('not known: no-instance-price');
});

test('an id that is none stays out of the command lines', () => {
  const [lower] = advise([
    { ...gp3, volumeId: 'vol-1 && rm' },
    { ...io1, region: 'x; y' },
  ]);
  expect(lower?.steps.join('\n')).not.toMatch(/rm|x; y/);
  expect(lower?.steps[0]).toContain('--volume-id <volume-id> --region us-east-1');
});

test('a volume goes to the other card by detaching and attaching, never one member of a running stripe', () => {
  const cards = [ebs(5_000, 250), ebs(5_000, 250)];
  const onCard0 = [gp3, { ...gp3, volumeId: 'vol-0123456789abcdef2' }].map((volume) => ({
    ...volume,
    iops: 4_000,
    attachments: [{ instanceId: instance.instanceId, ebsCardIndex: 0 }],
  }));
  const found = ebsCardImbalance(instance, { ...type, cards }, onCard0);
  const [advice] = found === null ? [] : ebsCardAdvice(found, instance);
  // 8,000 of 5,000 on card 0: one of the two moves.
  expect(advice?.text).toMatch(/^Move vol-0123456789abcdef0 to card 1: detach and attach again/);
  expect(advice?.text).toContain('Never detach one member of a stripe while the stripe is in use');
  expect(advice?.monthlyUsdDelta).toBe(0);
  expect(advice?.steps).toContain(
    'aws ec2 detach-volume --volume-id vol-0123456789abcdef0 --region us-east-1',
  );
  expect(advice?.steps).toContain(
    'aws ec2 attach-volume --volume-id vol-0123456789abcdef0 --instance-id i-0123456789abcdef0 --region us-east-1 --device <device> --ebs-card-index 1',
  );
});

test('a volume with an id that is none is not named in the words either', () => {
  const cards = [ebs(5_000, 250), ebs(5_000, 250)];
  const onCard0 = ['vol-1; rm', 'vol-2; rm'].map((volumeId) => ({
    ...{ ...gp3, volumeId, iops: 4_000 },
    attachments: [{ instanceId: instance.instanceId, ebsCardIndex: 0 }],
  }));
  const found = ebsCardImbalance(instance, { ...type, cards }, onCard0);
  const [advice] = found === null ? [] : ebsCardAdvice(found, instance);
  expect(advice?.text).toMatch(/^Move <volume-id> to card 1: /);
});

describe('volumes whose load shows what they need', () => {
  // 8,000 + 5,000 = 13,000 of 10,000
  const other = aVolume({ volumeId: 'vol-0123456789abcdef2', sizeGiB: 1_000, iops: 5_000 });

  test('each goes to its own need and not below, whatever the instance can do', () => {
    const [lower] = advise([gp3, other], undefined, {
      [gp3.volumeId]: whole(3_500, 150),
      [other.volumeId]: whole(4_000, 100),
    });
    // (8,000 - 3,500) x 0.005 + (250 - 150) x 0.04 = 26.50 and 1,000 x 0.005 = 5
    expect(lower?.monthlyUsdDelta).toBe(-31.5);
    expect(lower?.text).toContain('each keeps what it needs for its own busiest time');
    expect(lower?.text).toContain('it is the same money');
    expect(lower?.steps.slice(0, 2)).toEqual([
      `aws ec2 modify-volume --volume-id ${gp3.volumeId} --region us-east-1 --volume-type gp3 --iops 3500 --throughput 150`,
      `aws ec2 modify-volume --volume-id ${other.volumeId} --region us-east-1 --volume-type gp3 --iops 4000 --throughput 125`,
    ]);
  });

  test('beside one whose load is known the others stay as they are', () => {
    const [lower] = advise([gp3, other], undefined, {
      [gp3.volumeId]: whole(3_500, 150),
      [other.volumeId]: atLeast(100, 10),
    });
    expect(lower?.monthlyUsdDelta).toBe(-26.5);
    expect(lower?.text).toContain('1 more stays as it is, since its load does not show what is needed');
  });

  test('where each needs what it has, nothing is lowered', () => {
    const [lower] = advise([gp3, other], undefined, {
      [gp3.volumeId]: whole(9_000, 300),
      [other.volumeId]: whole(5_000, 125),
    });
    expect(lower).toMatchObject({ monthlyUsdDelta: null, steps: [] });
    expect(lower?.text).toMatch(
      /^Lower none of them: each volume needs what it has for its own busiest time, though not all at once\. /,
    );
  });

  test('io1 goes to what its throughput takes: 400 MiB/s are 1,600 IOPS', () => {
    const [lower] = advise([gp3, io1], undefined, { [io1.volumeId]: whole(1_000, 400) });
    expect(lower?.monthlyUsdDelta).toBe(-286); // 4,400 x 0.065
    expect(lower?.steps[0]).toMatch(/--volume-type io1 --iops 1600$/);
  });

  test('where no load shows it whole, all are lowered together, and none below what it was served', () => {
    const [lower] = advise([gp3, other], undefined, {
      [gp3.volumeId]: atLeast(7_000, 100),
      [other.volumeId]: atLeast(100, 10),
    });
    // 13,000 to 10,000: 7,000 + 3,000; 3,000 x 0.005 = 15. MiB/s do not exceed and stay.
    expect(lower?.monthlyUsdDelta).toBe(-15);
    expect(lower?.text).toContain('volumes rarely peak together');
    expect(lower?.steps[0]).toContain('--iops 7000 --throughput 250');
    expect(lower?.steps[1]).toContain('--iops 3000 --throughput 125');
  });
});
