/** What to do about performance that cannot be reached, and about volumes on the wrong EBS card. */
import { ebsCardAdvice } from '../../../core/advice/ebs-card-advice.ts';
import { unreachableAdvice } from '../../../core/advice/unreachable-advice.ts';
import type { Market } from '../../../core/catalogue/market.ts';
import { ebsCardImbalance } from '../../../core/diagnosis/ebs-cards.ts';
import { unreachablePerformance } from '../../../core/diagnosis/unreachable.ts';
import type { Volume } from '../../../core/inventory.ts';
import type { Rates } from '../../../core/plan/need.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { aMarket, anInstanceType, ebs } from '../../fixtures/market.ts';

const instance = anInstance({ instanceId: 'i-0123456789abcdef0' });
const type = anInstanceType({ instanceType: 'm6i.xlarge' });
const larger = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_500) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5 };

const advise = (
  volumes: Volume[],
  market: Market = aMarket([type, larger], usdPerHour),
  needs: Record<string, Rates> = {},
) => {
  const needOf = (id: string): Rates | null => needs[id] ?? null;
  const found = unreachablePerformance(instance, type, volumes, market.prices.ebs, new Set(), needOf);
  if (found === null) throw new Error('nothing exceeds');
  return unreachableAdvice(found, instance, type, volumes.length, market);
};

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
  expect(lower?.how.slice(0, 2)).toEqual([
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef0 --region us-east-1 --volume-type gp3 --iops 8000 --throughput 125',
    'aws ec2 modify-volume --volume-id vol-0123456789abcdef1 --region us-east-1 --volume-type io1 --iops 2000',
  ]);
  expect(lower?.action).toContain('volumes rarely peak together');
  expect(lower?.action).toContain('its own peak');
});

test('or take the instance that can use it all the time, with what that costs', () => {
  const [, more] = advise([gp3, io1]);
  expect(more?.action).toBe(
    'If the performance is wanted: the cheapest type that can use 14,000 IOPS and 750 MiB/s all the time is m6i.8xlarge (50,000 IOPS, 1,500 MiB/s); On-Demand, Linux.',
  );
  expect(more?.monthlyUsdDelta).toBe(949); // (1.5 - 0.2) x 730
});

test('where instance prices are not known it says so, and the saving stays', () => {
  const [lower, more] = advise([gp3, io1], aMarket([type, larger], null));
  expect(lower?.monthlyUsdDelta).toBe(-265);
  expect(more).toMatchObject({ monthlyUsdDelta: null, how: [] });
  expect(more?.action).toContain('not known: instance prices of us-east-1 are not known');
});

test('an id that is none stays out of the command lines', () => {
  const [lower] = advise([
    { ...gp3, volumeId: 'vol-1 && rm' },
    { ...io1, region: 'x; y' },
  ]);
  expect(lower?.how.join('\n')).not.toMatch(/rm|x; y/);
  expect(lower?.how[0]).toContain('--volume-id <volume-id> --region us-east-1');
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
  expect(advice?.action).toContain('Never detach one member of a stripe while the stripe is in use');
  expect(advice?.monthlyUsdDelta).toBe(0);
  expect(advice?.how).toContain('aws ec2 detach-volume --volume-id vol-0123456789abcdef0 --region us-east-1');
  expect(advice?.how).toContain(
    'aws ec2 attach-volume --volume-id vol-0123456789abcdef0 --instance-id i-0123456789abcdef0 --region us-east-1 --device <device> --ebs-card-index 1',
  );
});

describe('volumes whose load is known', () => {
  // 8,000 + 5,000 = 13,000 of 10,000: 3,000 x 0.005 = 15 off the first, and 250 + 125 is below 500.
  const other = aVolume({ volumeId: 'vol-0123456789abcdef2', sizeGiB: 1_000, iops: 5_000 });

  test('one that needs its figures for its own busiest time stays as it is, and the other is lowered', () => {
    const [lower] = advise([gp3, other], undefined, {
      [gp3.volumeId]: { iops: 7_500, throughputMiBps: 100 },
    });
    // The other can go to 3,000 only: 2,000 x 0.005 = 10
    expect(lower?.monthlyUsdDelta).toBe(-10);
    expect(lower?.action).toContain('One stays as it is: their own busiest time needs it');
    expect(lower?.how[0]).toContain(`${other.volumeId} --region us-east-1 --volume-type gp3 --iops 3000`);
  });

  test('where each needs what it has, nothing is lowered', () => {
    const [lower] = advise([gp3, other], undefined, {
      [gp3.volumeId]: { iops: 7_500, throughputMiBps: 100 },
      [other.volumeId]: { iops: 4_900, throughputMiBps: 100 },
    });
    expect(lower?.monthlyUsdDelta).toBeNull();
    expect(lower?.how).toEqual([]);
    expect(lower?.action).toMatch(/^Lower none of them/);
  });
});
