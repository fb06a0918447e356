/** What is advised against what held a volume back: tried by replay, the best first. */
import { actionsOf, advise, gp2, gp3, io1, io2, st1, volumeId, wantedBy } from './held-back.ts';

describe('what helps', () => {
  test('gp3 that wants 5,000 IOPS at most is raised in place: 2,000 x 0.005 = 10.00', () => {
    const [first, ...others] = advise(gp3, wantedBy({ iops: 5_000 })).recommendations;
    expect(first).toMatchObject({
      monthlyUsdDelta: 10,
      effect: { throttledMinutesBefore: 40, throttledMinutesAfter: 0 },
    });
    // 5,000 of 16 KiB are 78 MiB/s, with a quarter of headroom still within the 125 that it has
    expect(first?.text).toBe(
      'Change it in place to gp3 with 5,000 IOPS and 125 MiB/s: by replay of the load 0 min held back instead of 40 min; sized for 5,000 IOPS, 78 MiB/s, what it wants at most and a quarter above what is likely.',
    );
    expect(first?.steps).toContain(
      `aws ec2 modify-volume --region us-east-1 --volume-id ${volumeId} --volume-type gp3 --size 100 --iops 5000 --throughput 125`,
    );
    // io2 does it too, for more: gp3 is as durable as today
    expect(others).toEqual([]);
  });

  test('gp2 without credits: gp3 of the same figures is cheaper, 8.00 instead of 10.00', () => {
    const [first] = advise(gp2, wantedBy({ iops: 2_500 }), { kind: 'credits-exhausted' }).recommendations;
    expect(first).toMatchObject({
      monthlyUsdDelta: -2,
      effect: { throttledMinutesBefore: 40, throttledMinutesAfter: 0 },
    });
    expect(first?.text).toContain('Change it in place to gp3 with 3,000 IOPS and 125 MiB/s');
  });

  test('what did not hold back keeps a quarter of headroom, as far as it has so much', () => {
    // 4,000 IOPS and 500 MiB/s of io1; 6,000 wanted, of 16 KiB = 93.75 MiB/s: x 1.25 = 118 < 125
    expect(actionsOf(io1, wantedBy({ iops: 6_000 }))[0]).toBe(
      'Change it in place to gp3 with 6,000 IOPS and 125 MiB/s',
    );
    // 300 MiB/s: x 1.25 = 375
    expect(actionsOf(io1, wantedBy({ iops: 6_000, mibps: 300 }))[0]).toBe(
      'Change it in place to gp3 with 6,000 IOPS and 375 MiB/s',
    );
  });

  test('what holds back for fewer minutes comes first, in place before a stripe, then what costs less', () => {
    // 90,000 IOPS: gp3 ends at 80,000; io2 has them in place, a stripe of gp3 after a migration
    const large = { ...gp3, sizeGiB: 1_000 };
    expect(actionsOf(large, wantedBy({ iops: 90_000, mibps: 1_000 }), { freeAttachments: 20 })).toEqual([
      'Change it in place to io2 with 90,000 IOPS',
      'Move it to a stripe of 8 gp3, each 125 GiB with 11,250 IOPS and 125 MiB/s',
    ]);
  });

  test('a stripe is told where it saves 20 USD and 20 %, with its risk', () => {
    // In place 80 + 21,000 x 0.005 + (1,000 - 125) x 0.04 = 220; eight of 125 GiB at no charge 80
    const large = { ...gp3, sizeGiB: 1_000 };
    const { recommendations: advice } = advise(large, wantedBy({ iops: 24_000, mibps: 1_000 }), {
      freeAttachments: 20,
    });
    expect(advice.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([140, 0]);
    // 1 - (1 - 0.002)^8 = 1.6 %
    expect(advice[1]?.text).toContain(
      'It takes a migration with downtime, a root volume cannot be a stripe, and any member that fails takes the data with it: 1.6 % a year instead of 0.2 %.',
    );
  });

  test.each([
    { why: 'its instance has no room', freeAttachments: 1, isMember: false },
    { why: 'nobody knows of room', freeAttachments: null, isMember: false },
    { why: 'it is one of several already', freeAttachments: 20, isMember: true },
  ])('no stripe where $why', ({ freeAttachments, isMember }) => {
    const wanted = { ...wantedBy({ iops: 24_000, mibps: 1_000 }), isMember };
    expect(advise({ ...gp3, sizeGiB: 1_000 }, wanted, { freeAttachments }).recommendations).toHaveLength(1);
  });
});

describe('growing in place', () => {
  test('gp3 of 6 GiB has 3,000 IOPS: 4,000 take 8 GiB', () => {
    // 500 x 8 = 4,000; 2 x 0.08 + 1,000 x 0.005 = 5.16; io2 of 6 GiB would cost 0.27 + 260
    const [first] = advise({ ...gp3, sizeGiB: 6 }, wantedBy({ iops: 4_000 })).recommendations;
    expect(first?.text).toContain('Change it in place to gp3 of 8 GiB with 4,000 IOPS and 125 MiB/s');
    expect(first?.text).toContain('A volume grows in place and never shrinks again.');
    expect(first?.monthlyUsdDelta).toBe(5.16);
    expect(first?.steps.join('\n')).toContain('--size 8 --iops 4000');
  });

  test('io1 of 60 GiB has 3,000 IOPS: io2 and gp3 of its size have more, so it need not grow', () => {
    const actions = actionsOf({ ...io1, sizeGiB: 60, iops: 3_000 }, wantedBy({ iops: 5_000 }));
    expect(actions).toEqual(['Change it in place to gp3 with 5,000 IOPS and 125 MiB/s']);
  });

  test('with Multi-Attach io1 stays io1, and grows: 5,000 / 50 = 100 GiB', () => {
    const shared = { ...io1, sizeGiB: 60, iops: 3_000, multiAttach: true };
    expect(actionsOf(shared, wantedBy({ iops: 5_000 }), { freeAttachments: 20 })).toEqual([
      'Change it in place to io1 of 100 GiB with 5,000 IOPS',
    ]);
  });

  test('st1 that lacks MiB/s: larger, or gp3, the cheaper first', () => {
    // 100 MiB/s all the time: 100 / 40 x 1,024 = 2,560 GiB for 115.20; gp3 of 500 GiB 40.00
    const actions = actionsOf(st1, wantedBy({ iops: 100, mibps: 100 }), { kind: 'credits-exhausted' });
    expect(actions).toEqual(['Change it in place to gp3 with 3,000 IOPS and 125 MiB/s']);
    // 500 GiB of 8 TiB: 300 MiB/s take 320 + x of st1 or 655.36 + 7.00 of gp3
    const large = advise({ ...st1, sizeGiB: 8_192 }, wantedBy({ iops: 340, mibps: 340 }));
    // 340 / 40 x 1,024 = 8,704 GiB: 512 x 0.045 = 23.04 more
    expect(large.recommendations[0]?.text).toContain('Change it in place to st1 of 8,704 GiB');
    expect(large.recommendations[0]?.monthlyUsdDelta).toBe(23.04);
    expect(large.recommendations[0]?.text).toContain('Its credits suffice for that.');
  });

  test('small random I/O on st1 goes to gp3 and to no larger st1', () => {
    const wanted = { ...wantedBy({ iops: 250, mibps: 4 }), ioKiB: 16 };
    const { recommendations: advice, notAdvised } = advise({ ...st1, sizeGiB: 1_024 }, wanted, {
      kind: 'credits-exhausted',
    });
    expect(advice).toHaveLength(1);
    expect(advice[0]?.text).toContain('gp3 with 3,000 IOPS and 125 MiB/s');
    expect(advice[0]?.text).toContain('Its I/O of 16 KiB cost as much as 1 MiB each on st1');
    expect(notAdvised).toEqual([]);
  });
});

describe('what a change gives up', () => {
  test('io1 to gp3: how often performance is kept', () => {
    const [first] = advise(io1, wantedBy({ iops: 6_000 })).recommendations;
    expect(first?.text).toContain(
      'gp3 keeps its performance 99 % of the time, io1 99.9 %; they are as durable.',
    );
  });

  test('io2 stays io2 first, though gp3 costs less: durability is given up by choice alone', () => {
    const { recommendations: advice } = advise(io2, wantedBy({ iops: 6_000 }), { freeAttachments: 20 });
    expect(advice.map(({ text }) => text.replace(/:.*/, ''))).toEqual([
      'Change it in place to io2 with 6,000 IOPS',
      'Change it in place to gp3 with 6,000 IOPS and 125 MiB/s',
    ]);
    expect(advice[1]?.text).toContain('0.2 % of gp3 volumes fail in a year, 0.001 % of io2');
    // 2,000 x 0.065; 8 + 15 instead of 12.50 + 260
    expect(advice.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([130, -249.5]);
  });

  test('standard (magnetic) is not modified in place', () => {
    const standard = { volumeType: 'standard', sizeGiB: 200, iops: null, throughputMiBps: null };
    const [first] = advise(standard, wantedBy({ iops: 300, mibps: 2 })).recommendations;
    expect(first?.text).toMatch(/^Move it through a snapshot to gp3 with 3,000 IOPS and 125 MiB\/s: /);
  });
});
