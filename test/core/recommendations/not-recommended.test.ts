/** What does not help a volume that was throttled is not recommended, and what is not sure is not promised. */
import { unknown } from '../../../core/known.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import { aDraft } from '../../fixtures/findings.ts';
import { demandBy, gp2, gp3, recommend, riskOf, st1 } from './throttled.ts';

/** What was tried in vain: throttled for so many minutes whatever it is, today as well. */
const inVain = (layout: Partial<Layout>, minutes = 40) => ({
  layout: expect.objectContaining(layout),
  ...{ throttledMinutesNow: minutes, throttledMinutes: minutes, throttledMinutesIfLikely: minutes },
});

describe('what does not help is not recommended', () => {
  test('where the instance is the limit it says so, and what was tried', () => {
    const demand = demandBy({ iops: 7_500, instanceIops: 6_000 });
    const { recommendations: recommendation, notRecommended } = recommend({ ...gp3, iops: 6_000 }, demand);
    expect(recommendation).toHaveLength(1);
    expect(recommendation[0]).toMatchObject({
      ...{ action: 'investigate', purpose: 'instance-first', monthlyUsdDelta: null, steps: [] },
      effect: { throttledMinutesBefore: 40 },
      risks: [
        {
          ...{ code: 'limited-by-instance', instanceId: 'i-0123456789abcdef0', instanceType: 'm4.xlarge' },
          ...{ iops: 6_000, throughputMiBps: 1_000 },
          layout: { volumeType: 'gp3', iops: 7_500, throughputMiBps: 125 },
          // On an instance that is no limit it would be throttled for none.
          ...{ throttledMinutes: 40, throttledMinutesWithoutIt: 0 },
        },
      ],
    });
    // gp3 of 6,000 is there already; 7,500 are beyond its instance: tried to see who is the limit
    expect(notRecommended).toEqual([
      inVain({ volumeType: 'io2', iops: 6_000 }),
      inVain({ volumeType: 'gp3', iops: 7_500, throughputMiBps: 125 }),
      inVain({ volumeType: 'io2', iops: 7_500 }),
    ]);
  });

  test('a faster volume that its instance has room for is reported, without a promise', () => {
    const { recommendations: recommendation } = recommend(
      gp3,
      demandBy({ iops: 40_000, instanceIops: 30_000 }),
    );
    expect(recommendation[0]).toMatchObject({
      ...{ action: 'modify', purpose: 'faster', inPlace: true, sizedFor: null },
      change: { to: { volumeType: 'gp3', iops: 30_000, throughputMiBps: 625 } },
      effect: { method: 'unknown', throttledMinutesBefore: 40, throttledMinutesAfter: null },
      risks: [{ code: 'demand-unknown' }],
    });
  });

  test('where the instance would be the limit after it, it says what that changes', () => {
    const { recommendations: recommendation, notRecommended } = recommend(
      gp3,
      demandBy({ iops: 40_000, instanceIops: 30_000 }),
      {
        kind: 'credits-exhausted',
      },
    );
    expect(recommendation[0]).toMatchObject({ action: 'investigate', purpose: 'instance-after' });
    expect(riskOf(recommendation[0], 'limited-by-instance')).toMatchObject({
      instanceId: 'i-0123456789abcdef0',
    });
    expect(notRecommended[0]).toEqual(inVain({ volumeType: 'gp3', iops: 30_000, throughputMiBps: 625 }));
  });

  test('what is as fast as today does not help', () => {
    const top = { ...gp3, sizeGiB: 200, iops: 80_000, throughputMiBps: 2_000 };
    // Throttled by replay whatever it is: 300,000 IOPS are more than any has
    const { recommendations: recommendation, notRecommended } = recommend(
      top,
      demandBy({ iops: 300_000, mibps: 1_000 }),
    );
    expect(notRecommended).toEqual([
      inVain({ volumeType: 'gp3', iops: 80_000, throughputMiBps: 1_250 }),
      inVain({ volumeType: 'io2', sizeGiB: 200, iops: 200_000 }),
      inVain({ volumeType: 'io2', sizeGiB: 256, iops: 256_000 }),
    ]);
    expect(recommendation[0]).toMatchObject({ action: 'investigate', purpose: 'spread-the-load', risks: [] });
  });

  test('fewer minutes than were measured are not enough where today’s replay shows as few', () => {
    const demand = { ...demandBy({ iops: 5_000 }), throttledMinutesWith: () => 30 };
    expect(recommend(gp3, demand).recommendations[0]).toMatchObject({
      monthlyUsdDelta: null,
      effect: { throttledMinutesAfter: null },
    });
  });
});

describe('how much is promised', () => {
  test('where only what is likely would be served, nothing is, and both are reported', () => {
    // At most 100,000, more than its instance and any gp3 has; likely 5,000
    const demand = demandBy({ iops: 100_000, mibps: 400, likelyIops: 5_000, instanceIops: 30_000 });
    const [first] = recommend(gp3, demand).recommendations;
    expect(first).toMatchObject({
      action: 'modify',
      change: { to: { volumeType: 'gp3', iops: 5_000, throughputMiBps: 125 } },
      effect: {
        ...{ method: 'estimated', throttledMinutesBefore: 40, throttledMinutesAfter: 0 },
        // If the demand is the 100,000 IOPS that it may be.
        throttledMinutesAfterAtMost: 40,
      },
      ...{ sizedBy: 'headroom', headroomPercent: 25 },
      sizedFor: { iops: 5_000, throughputMiBps: 20 },
      risks: [{ code: 'demand-unknown' }],
    });
  });

  test('where averages show nothing of it: steps of a quarter, neither figure below today, nothing to run', () => {
    const demand = { ...demandBy({ iops: 3_750, mibps: 20 }), openMinutes: 40 };
    const fast = { ...gp3, throughputMiBps: 500 };
    const { recommendations: recommendation } = recommend(fast, demand, {
      kind: 'micro-burst',
      freeAttachments: 20,
    });
    expect(recommendation).toMatchObject([
      {
        ...{ action: 'modify', purpose: 'raise-in-steps', sizedBy: 'limit-headroom', steps: [] },
        ...{ monthlyUsdDelta: 3.75, headroomPercent: 25, sizedFor: null },
        effect: { method: 'unknown', throttledMinutesBefore: 40, throttledMinutesAfter: null },
        change: {
          of: 'volume',
          to: {
            ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 100 },
            ...{ iops: 3_750, throughputMiBps: 500 }, // 3,000 x 1.25
          },
        },
      },
    ]);
  });

  test.each([
    { atMost: 500_000, kind: 'throttled-volume-iops', sizedBy: 'twice-served' },
    { atMost: null, kind: 'throttled-volume-iops', sizedBy: 'twice-served' },
    // What is limited for want of credits may have had all of its burst.
    { atMost: 500_000, kind: 'credits-exhausted', sizedBy: 'twice-served-or-burst' },
  ] as const)('an interval from 3,000 to $atMost of $kind promises nothing', ({ atMost, kind, sizedBy }) => {
    const evidence = { demandIopsAtLeast: 3_000, demandIopsAtMost: atMost };
    const draft = aDraft({ kind, evidence });
    const [first] = recommend(gp3, demandBy({ iops: 6_000 }), { draft }).recommendations;
    expect(first).toMatchObject({
      action: 'modify',
      change: { to: { volumeType: 'gp3', iops: 6_000, throughputMiBps: 125 } },
      effect: { method: 'unknown', throttledMinutesAfter: null },
      ...{ sizedBy, headroomPercent: null },
      sizedFor: { iops: 6_000, throughputMiBps: 93.75 },
      risks: [{ code: 'demand-unknown' }],
    });
    const narrow = { ...draft, evidence: { demandIopsAtLeast: 4_000, demandIopsAtMost: 6_000 } };
    expect(
      recommend(gp3, demandBy({ iops: 6_000 }), { draft: narrow }).recommendations[0]?.effect
        .throttledMinutesAfter,
    ).toBe(0);
  });

  test('a few of the minutes unseen: the promise stands, and says what it rests on', () => {
    const demand = { ...demandBy({ iops: 5_000 }), openMinutes: 3 };
    const [first] = recommend(gp3, demand).recommendations;
    expect(first?.effect.throttledMinutesAfter).toBe(0);
    expect(first?.risks).toEqual([{ code: 'demand-hidden', minutes: 3, headroomPercent: 25 }]);
  });
});

describe('without a price', () => {
  test('a Region whose prices are not known: the same way and minutes, no money', () => {
    const prices = unknown({ code: 'no-ebs-prices' as const, region: 'eu-central-1' });
    const volume = { ...gp3, region: 'eu-central-1' };
    const [first] = recommend(volume, demandBy({ iops: 5_000 }), { prices }).recommendations;
    expect(first).toMatchObject({
      ...{ monthlyUsdDelta: null, effect: { throttledMinutesAfter: 0 } },
      priceUnknownReason: { code: 'no-ebs-prices', region: 'eu-central-1' },
    });
  });

  test('on an Outpost gp3 goes to 16,000 IOPS, and nobody knows that it has io2', () => {
    const outpost = { ...gp3, deployment: 'outposts' as const };
    const { recommendations: recommendation, notRecommended } = recommend(
      outpost,
      demandBy({ iops: 20_000 }),
      {
        freeAttachments: 20,
      },
    );
    expect(recommendation[0]).toMatchObject({ action: 'investigate', purpose: 'spread-the-load' });
    expect(notRecommended).toEqual([inVain({ volumeType: 'gp3', iops: 16_000, throughputMiBps: 313 })]);
    const [first] = recommend(outpost, demandBy({ iops: 10_000 })).recommendations;
    expect(first).toMatchObject({
      ...{ monthlyUsdDelta: null, effect: { throttledMinutesAfter: 0 } },
      priceUnknownReason: { code: 'billed-by-rack' },
      risks: [{ code: 'type-on-outpost' }],
    });
  });
});

describe('credits that will run out', () => {
  const coming = { ...demandBy({ iops: 3_000, mibps: 128, minutes: 80 }), isComing: true };
  const willExhaust = { kind: 'credits-will-exhaust' } as const;

  test('by replay of the next two hours: gp3 that throttles nothing of them', () => {
    // 8.00 + 3 x 0.04 instead of 10.00
    const [first] = recommend(
      gp2,
      { ...demandBy({ iops: 3_000 }), coming: () => coming },
      willExhaust,
    ).recommendations;
    expect(first).toMatchObject({
      monthlyUsdDelta: -1.88,
      effect: {
        ...{ method: 'simulated', throttledMinutesBefore: 80, throttledMinutesAfter: 0 },
        forecastHours: 2,
      },
    });
  });

  test('where that rate does not empty it: the burst of gp2 all the time, for less', () => {
    const [first] = recommend(gp2, null, willExhaust).recommendations;
    expect(first).toMatchObject({
      ...{ purpose: 'leave-the-bucket', monthlyUsdDelta: -1.88, sizedBy: 'current-maximum' },
      effect: { method: 'estimated', throttledMinutesAfter: null },
      change: { to: { volumeType: 'gp3', iops: 3_000, throughputMiBps: 128 } },
      sizedFor: { iops: 3_000, throughputMiBps: 128 },
      risks: [{ code: 'no-more-credits' }],
    });
    expect(first?.effect.forecastHours).toBeUndefined();
    const [ofHdd] = recommend(st1, null, willExhaust).recommendations;
    expect(ofHdd).toMatchObject({ action: 'modify', purpose: 'larger-or-other-type', change: null });
  });
});
