/** What does not help a volume that was held back is not advised, and what is not sure is not promised. */
import { unknown } from '../../../core/known.ts';
import { aDraft } from '../../fixtures/findings.ts';
import { advise, gp2, gp3, st1, wantedBy } from './held-back.ts';

describe('what does not help is not advised', () => {
  test('where the instance is the limit it says so, and what was tried', () => {
    const wanted = wantedBy({ iops: 7_500, instanceIops: 6_000 });
    const { recommendations: advice, notAdvised } = advise({ ...gp3, iops: 6_000 }, wanted);
    expect(advice).toHaveLength(1);
    expect(advice[0]).toMatchObject({
      ...{ action: 'investigate', purpose: 'instance-first', monthlyUsdDelta: null, steps: [] },
      effect: { throttledMinutesBefore: 40 },
    });
    expect(advice[0]?.text).toMatch(
      /^Its instance is the limit, no faster volume helps: on i-0123456789abcdef0 \(m4\.xlarge, at most 6,000 IOPS, 1,000 MiB\/s\)/,
    );
    // gp3 of 6,000 is there already; 7,500 are beyond its instance: tried to see who is the limit
    expect(notAdvised).toEqual([
      'io2 with 6,000 IOPS: 40 min held back by replay, 40 min today',
      'gp3 with 7,500 IOPS and 125 MiB/s: 40 min held back by replay, 40 min today',
      'io2 with 7,500 IOPS: 40 min held back by replay, 40 min today',
    ]);
    expect(advice[0]?.text).toContain(
      'gp3 with 7,500 IOPS and 125 MiB/s would be held back for 40 min by replay, on an instance that is no limit for 0 min.',
    );
  });

  test('a faster volume that its instance has room for is told, without a promise', () => {
    const { recommendations: advice } = advise(gp3, wantedBy({ iops: 40_000, instanceIops: 30_000 }));
    expect(advice[0]).toMatchObject({ effect: { throttledMinutesBefore: 40, throttledMinutesAfter: null } });
    expect(advice[0]?.text).toBe(
      'Change it in place to gp3 with 30,000 IOPS and 625 MiB/s: a faster volume does more; how much longer it is held back does not show, so look again after the change.',
    );
  });

  test('where the instance would be the limit after it, it says what that changes', () => {
    const { recommendations: advice, notAdvised } = advise(
      gp3,
      wantedBy({ iops: 40_000, instanceIops: 30_000 }),
      {
        kind: 'credits-exhausted',
      },
    );
    expect(advice[0]?.text).toMatch(
      /^A faster volume does more and is held back as long: then its instance is the limit: on i-/,
    );
    expect(notAdvised[0]).toBe(
      'gp3 with 30,000 IOPS and 625 MiB/s: 40 min held back by replay, 40 min today',
    );
  });

  test('what is as fast as today does not help', () => {
    const top = { ...gp3, sizeGiB: 200, iops: 80_000, throughputMiBps: 2_000 };
    // Held back by replay whatever it is: 300,000 IOPS are more than any has
    const { recommendations: advice, notAdvised } = advise(top, wantedBy({ iops: 300_000, mibps: 1_000 }));
    expect(notAdvised).toEqual([
      'gp3 with 80,000 IOPS and 1,250 MiB/s: 40 min held back by replay, 40 min today',
      'io2 with 200,000 IOPS: 40 min held back by replay, 40 min today',
      'io2 of 256 GiB with 256,000 IOPS: 40 min held back by replay, 40 min today',
    ]);
    expect(advice[0]?.text).toMatch(/^No other volume helps by replay of the load\./);
  });

  test('fewer minutes than were measured are not enough where today’s replay shows as few', () => {
    const wanted = { ...wantedBy({ iops: 5_000 }), heldBackMinutesWith: () => 30 };
    expect(advise(gp3, wanted).recommendations[0]).toMatchObject({
      monthlyUsdDelta: null,
      effect: { throttledMinutesAfter: null },
    });
  });
});

describe('how much is promised', () => {
  test('where only what is likely would be served, nothing is, and both are told', () => {
    // At most 100,000, more than its instance and any gp3 has; likely 5,000
    const wanted = wantedBy({ iops: 100_000, mibps: 400, likelyIops: 5_000, instanceIops: 30_000 });
    const [first] = advise(gp3, wanted).recommendations;
    expect(first?.effect).toMatchObject({ method: 'estimated', throttledMinutesAfter: 0 });
    expect(first?.text).toBe(
      'Change it in place to gp3 with 5,000 IOPS and 125 MiB/s: by replay of the load 0 min held back instead of 40 min if it wants what is likely (5,000 IOPS, 20 MiB/s with a quarter of headroom), 40 min if it wants all that it may (100,000 IOPS, 400 MiB/s): look again after the change.',
    );
  });

  test('where averages show nothing of it: steps of a quarter in words, neither figure below today, nothing to run', () => {
    const wanted = { ...wantedBy({ iops: 3_750, mibps: 20 }), openMinutes: 40 };
    const fast = { ...gp3, throughputMiBps: 500 };
    const { recommendations: advice } = advise(fast, wanted, { kind: 'micro-burst', freeAttachments: 20 });
    expect(advice).toMatchObject([
      {
        ...{ action: 'modify', purpose: 'raise-in-steps', sizedBy: 'limit-headroom', steps: [] },
        text: 'Spread the burst, or raise the volume in steps of a quarter until the queue is gone: averages do not show how much it wanted. The first step is gp3 with 3,750 IOPS and 500 MiB/s (+3.75 USD a month).',
        monthlyUsdDelta: 3.75,
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
    {
      atMost: 500_000,
      says: 'it wanted at most 500,000 IOPS; sized for 6,000 IOPS, 94 MiB/s, no more than twice what was served: look again after the change.',
    },
    {
      atMost: null,
      says: 'nothing shows how much it wanted at most; sized for 6,000 IOPS, 94 MiB/s, no more than twice what was served: look again after the change.',
    },
  ])('an interval from 3,000 to $atMost promises nothing', ({ atMost, says }) => {
    const evidence = { wantedIopsAtLeast: 3_000, wantedIopsAtMost: atMost };
    const draft = aDraft({ evidence });
    const [first] = advise(gp3, wantedBy({ iops: 6_000 }), { draft }).recommendations;
    expect(first?.effect.throttledMinutesAfter).toBeNull();
    expect(first?.text).toBe(`Change it in place to gp3 with 6,000 IOPS and 125 MiB/s: ${says}`);
    const narrow = { ...draft, evidence: { wantedIopsAtLeast: 4_000, wantedIopsAtMost: 6_000 } };
    expect(
      advise(gp3, wantedBy({ iops: 6_000 }), { draft: narrow }).recommendations[0]?.effect
        .throttledMinutesAfter,
    ).toBe(0);
  });

  test('a few of the minutes unseen: the promise stands, and says what it rests on', () => {
    const wanted = { ...wantedBy({ iops: 5_000 }), openMinutes: 3 };
    const [first] = advise(gp3, wanted).recommendations;
    expect(first?.effect.throttledMinutesAfter).toBe(0);
    expect(first?.text).toContain('In 3 min of them averages do not show how much it wanted');
  });
});

describe('without a price', () => {
  test('a Region whose prices are not known: the same way and minutes, no money', () => {
    const prices = unknown({ code: 'no-ebs-prices' as const, region: 'eu-central-1' });
    const [first] = advise(gp3, wantedBy({ iops: 5_000 }), { prices }).recommendations;
    expect(first).toMatchObject({ monthlyUsdDelta: null, effect: { throttledMinutesAfter: 0 } });
    expect(first?.text).toMatch(/What it costs is not known: no-ebs-prices\.$/);
  });

  test('on an Outpost gp3 goes to 16,000 IOPS, and nobody knows that it has io2', () => {
    const outpost = { ...gp3, deployment: 'outposts' as const };
    const { recommendations: advice, notAdvised } = advise(outpost, wantedBy({ iops: 20_000 }), {
      freeAttachments: 20,
    });
    expect(advice[0]?.text).toMatch(/^No other volume helps/);
    expect(notAdvised).toEqual([
      'gp3 with 16,000 IOPS and 313 MiB/s: 40 min held back by replay, 40 min today',
    ]);
    const [first] = advise(outpost, wantedBy({ iops: 10_000 })).recommendations;
    expect(first).toMatchObject({ monthlyUsdDelta: null, effect: { throttledMinutesAfter: 0 } });
    expect(first?.text).toContain('See first that the Outpost offers the type.');
  });
});

describe('credits that will run out', () => {
  const coming = { ...wantedBy({ iops: 3_000, mibps: 128, minutes: 80 }), isComing: true };
  const willExhaust = { kind: 'credits-will-exhaust' } as const;

  test('by replay of the next two hours: gp3 that holds nothing back of them', () => {
    // 8.00 + 3 x 0.04 instead of 10.00
    const [first] = advise(
      gp2,
      { ...wantedBy({ iops: 3_000 }), coming: () => coming },
      willExhaust,
    ).recommendations;
    expect(first).toMatchObject({
      monthlyUsdDelta: -1.88,
      effect: { throttledMinutesBefore: 80, throttledMinutesAfter: 0 },
    });
    expect(first?.text).toContain(
      'by replay of the next 2 hours at the rate of the last 30 minutes 0 min held back instead of 80 min',
    );
  });

  test('where that rate does not empty it: the burst of gp2 all the time, for less', () => {
    const [first] = advise(gp2, null, willExhaust).recommendations;
    expect(first).toMatchObject({ monthlyUsdDelta: -1.88, effect: { throttledMinutesAfter: null } });
    expect(first?.text).toContain('the gp2 burst all the time, without credits');
    const [ofHdd] = advise(st1, null, willExhaust).recommendations;
    expect(ofHdd?.text).toMatch(/^A larger volume of this type has a higher baseline/);
  });
});
