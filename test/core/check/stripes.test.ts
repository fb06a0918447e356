/** A stripe that does more than one volume can: a case that is found, and those beside it that must not be. */
import { unknown } from '../../../core/known.ts';
import { checkFindingText } from '../../../report/wording/check-finding.ts';
import { checked, found, only } from '../../fixtures/checked.ts';
import { aDevice, anInstance, aVolume } from '../../fixtures/planned.ts';

describe('stripe-faster', () => {
  // 16,384 x 0.08 + 77,000 x 0.005 = 1,695.72 USD; of a stripe with as much 105.00 less, no fifth of it.
  const most = { type: 'gp3', gib: 16_384, iops: 80_000 };

  test('80,000 IOPS are the most of gp3: 8 x 20,000 cost 8 x 17,000 x 0.005 - 385 = 295.00 USD more', () => {
    const finding = only('stripe-faster', [aVolume(most)]);
    expect(finding).toMatchObject({
      severity: 'info',
      facts: { can: { iops: 80_000 }, stripe: { iops: 160_000, throughputMiBps: 125 }, instance: null },
      wayOut: [
        { code: 'stripe', layout: { members: 8, sizeGiB: 2_048, iops: 20_000 }, monthlyUsdDifference: 295 },
      ],
    });
    expect(checkFindingText(finding)).toMatchObject({
      evidence: expect.stringContaining('No instance is named: it must do as much as the stripe.'),
      fix: expect.stringMatching(/ If one member fails, all data is lost\.$/),
      effect: 'At most 80,000 -> 160,000 IOPS.', // 8 x 20,000
      cost: '+295.00 USD a month.',
    });
  });

  test('2,000 MiB/s are the most too, and its IOPS stay', () => {
    const finding = only('stripe-faster', [aVolume({ ...most, iops: 8_000, mibps: 2_000 })]);
    expect(finding.facts).toMatchObject({ stripe: { iops: 8_000, throughputMiBps: 4_000 } });
  });

  test('not where it asks for less, nor for gp3 as it comes, nor of a root volume', () => {
    expect(found('stripe-faster', [aVolume({ ...most, iops: 79_000 })])).toEqual([]);
    expect(found('stripe-faster', [aVolume({ type: 'gp3', gib: 6 })])).toEqual([]); // 500 x 6 = 3,000
    expect(found('stripe-faster', [anInstance('m7i.48xlarge', [aDevice(most, { isRoot: true })])])).toEqual(
      [],
    );
  });

  test('of 160 GiB the members have no more IOPS for each GiB: 500 x 160 = 80,000', () => {
    expect(found('stripe-faster', [aVolume({ ...most, gib: 160 })])).toEqual([]);
  });

  test('not where one gp3 can do it: gp2 has 16,000 IOPS at most, gp3 80,000', () => {
    expect(found('stripe-faster', [aVolume({ type: 'gp2', gib: 6_000 })])).toEqual([]);
  });

  test('where a stripe costs less that alone is said: 1,000 GiB, 80 + 385 instead of 80 + 280 USD', () => {
    const { findings } = checked([aVolume({ ...most, gib: 1_000 })]);
    expect(findings.map(({ rule }) => rule)).toEqual(['stripe-cheaper']);
  });

  test('its instance has what it has beside its other volumes', () => {
    const on = (type: string, ...others: number[]) => [
      anInstance(type, [
        aDevice(most),
        ...others.map((iops, i) => aDevice({ type: 'io2', gib: 500, iops }, { device: `/dev/sd${'gh'[i]}` })),
      ]),
    ];
    expect(found('stripe-faster', on('m5.large'))).toEqual([]); // 3,600
    expect(only('stripe-faster', on('m7i.24xlarge')).facts).toMatchObject({
      stripe: { iops: 120_000 },
      instance: { instanceType: 'm7i.24xlarge', baselineIops: 120_000 },
    });
    expect(only('stripe-faster', on('m7i.48xlarge')).facts).toMatchObject({ stripe: { iops: 160_000 } }); // of 240,000
    expect(found('stripe-faster', on('m7i.48xlarge', 130_000))).toEqual([]); // 110,000 are left, and 120,000 are half as many again
  });

  test('what of its instance is not known is said', () => {
    const later = { code: 'known-after-apply' as const, detail: null };
    const { findings, notChecked } = checked([
      anInstance('', [aDevice(most)], { instanceType: unknown(later) }),
    ]);
    expect(findings.filter(({ rule }) => rule === 'stripe-faster')).toEqual([]);
    expect(notChecked.flatMap(({ rules }) => rules)).toContain('stripe-faster');
  });
});
