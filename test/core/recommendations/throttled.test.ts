/** What is advised against what throttled a volume: tried by replay, the best first. */
import { layoutOf } from '../../../core/schemas/finding-kinds.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { changesOf, demandBy, gp2, gp3, io1, io2, recommend, riskOf, st1, volumeId } from './throttled.ts';

describe('what helps', () => {
  test('gp3 that wants 5,000 IOPS at most is raised in place: 2,000 x 0.005 = 10.00', () => {
    const [first, ...others] = recommend(gp3, demandBy({ iops: 5_000 })).recommendations;
    expect(first).toMatchObject({
      ...{ action: 'modify', purpose: 'throttle-nothing', inPlace: true, monthlyUsdDelta: 10 },
      effect: { method: 'simulated', throttledMinutesBefore: 40, throttledMinutesAfter: 0 },
      // 5,000 of 16 KiB are 78 MiB/s, with a quarter of headroom still within the 125 that it has
      change: { of: 'volume', to: { volumeType: 'gp3', iops: 5_000, throughputMiBps: 125 } },
      ...{ sizedBy: 'demand', headroomPercent: null },
      sizedFor: { iops: 5_000, throughputMiBps: 78.125 },
      risks: [],
    });
    expect(commandsOf(first)).toContain(
      `aws ec2 modify-volume --region us-east-1 --volume-id ${volumeId} --volume-type gp3 --size 100 --iops 5000 --throughput 125`,
    );
    // io2 does it too, for more: gp3 is as durable as today
    expect(others).toEqual([]);
  });

  test('gp2 without credits: gp3 of the same figures is cheaper, 8.00 instead of 10.00', () => {
    const [first] = recommend(gp2, demandBy({ iops: 2_500 }), { kind: 'credits-exhausted' }).recommendations;
    expect(first).toMatchObject({
      ...{ action: 'modify', monthlyUsdDelta: -2, sizedBy: 'type-minimum' },
      effect: { throttledMinutesBefore: 40, throttledMinutesAfter: 0 },
      change: { to: { volumeType: 'gp3', iops: 3_000, throughputMiBps: 125 } },
    });
  });

  test('what did not throttle keeps a quarter of headroom, as far as it has so much', () => {
    // 4,000 IOPS and 500 MiB/s of io1; 6,000 demanded, of 16 KiB = 93.75 MiB/s: x 1.25 = 118 < 125
    expect(changesOf(io1, demandBy({ iops: 6_000 }))[0]).toMatchObject({
      ...{ action: 'modify', volumeType: 'gp3', iops: 6_000, throughputMiBps: 125 },
    });
    // 300 MiB/s: x 1.25 = 375
    expect(changesOf(io1, demandBy({ iops: 6_000, mibps: 300 }))[0]).toMatchObject({
      ...{ action: 'modify', volumeType: 'gp3', iops: 6_000, throughputMiBps: 375 },
    });
  });

  test('what throttles for fewer minutes comes first, in place before a stripe, then what costs less', () => {
    // 90,000 IOPS: gp3 ends at 80,000; io2 has them in place, a stripe of gp3 after a migration
    const large = { ...gp3, sizeGiB: 1_000 };
    expect(changesOf(large, demandBy({ iops: 90_000, mibps: 1_000 }), { freeAttachments: 20 })).toMatchObject(
      [
        { action: 'modify', kind: 'single', members: 1, volumeType: 'io2', sizeGiB: 1_000, iops: 90_000 },
        {
          ...{ action: 'migrate', kind: 'stripe', members: 8, volumeType: 'gp3', sizeGiB: 125 },
          ...{ iops: 11_250, throughputMiBps: 125 },
        },
      ],
    );
  });

  test('a stripe is reported where it saves 20 USD and 20 %, with its risk', () => {
    // In place 80 + 21,000 x 0.005 + (1,000 - 125) x 0.04 = 220; eight of 125 GiB at no charge 80
    const large = { ...gp3, sizeGiB: 1_000 };
    const { recommendations: recommendation } = recommend(large, demandBy({ iops: 24_000, mibps: 1_000 }), {
      freeAttachments: 20,
    });
    expect(recommendation.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([140, 0]);
    expect(recommendation[1]).toMatchObject({
      action: 'migrate',
      // 1 - (1 - 0.002)^8 = 1.6 %
      risks: [
        { code: 'downtime' },
        { code: 'no-root-volume' },
        { code: 'data-loss-rate', from: 0.002, to: expect.closeTo(0.0159, 4) },
      ],
    });
  });

  test.each([
    { why: 'its instance has no room', freeAttachments: 1, isMember: false },
    { why: 'nobody knows of room', freeAttachments: null, isMember: false },
    { why: 'it is one of several already', freeAttachments: 20, isMember: true },
  ])('no stripe where $why', ({ freeAttachments, isMember }) => {
    const demand = { ...demandBy({ iops: 24_000, mibps: 1_000 }), isMember };
    expect(recommend({ ...gp3, sizeGiB: 1_000 }, demand, { freeAttachments }).recommendations).toHaveLength(
      1,
    );
  });
});

describe('growing in place', () => {
  test('gp3 of 6 GiB has 3,000 IOPS: 4,000 take 8 GiB', () => {
    // 500 x 8 = 4,000; 2 x 0.08 + 1,000 x 0.005 = 5.16; io2 of 6 GiB would cost 0.27 + 260
    const [first] = recommend({ ...gp3, sizeGiB: 6 }, demandBy({ iops: 4_000 })).recommendations;
    expect(first).toMatchObject({
      ...{ action: 'modify', inPlace: true, monthlyUsdDelta: 5.16 },
      change: { to: { volumeType: 'gp3', sizeGiB: 8, iops: 4_000, throughputMiBps: 125 } },
      risks: [{ code: 'never-shrinks', from: 6, to: 8 }],
    });
    expect(commandsOf(first).join('\n')).toContain('--size 8 --iops 4000');
  });

  test('io1 of 60 GiB has 3,000 IOPS: io2 and gp3 of its size have more, so it need not grow', () => {
    expect(changesOf({ ...io1, sizeGiB: 60, iops: 3_000 }, demandBy({ iops: 5_000 }))).toMatchObject([
      { action: 'modify', volumeType: 'gp3', sizeGiB: 60, iops: 5_000, throughputMiBps: 125 },
    ]);
  });

  test('with Multi-Attach io1 stays io1, and grows: 5,000 / 50 = 100 GiB', () => {
    const shared = { ...io1, sizeGiB: 60, iops: 3_000, multiAttach: true };
    expect(changesOf(shared, demandBy({ iops: 5_000 }), { freeAttachments: 20 })).toMatchObject([
      { action: 'modify', volumeType: 'io1', sizeGiB: 100, iops: 5_000 },
    ]);
  });

  test('st1 that lacks MiB/s: larger, or gp3, the cheaper first', () => {
    // 100 MiB/s all the time: 100 / 40 x 1,024 = 2,560 GiB for 115.20; gp3 of 500 GiB 40.00
    const changes = changesOf(st1, demandBy({ iops: 100, mibps: 100 }), { kind: 'credits-exhausted' });
    expect(changes).toMatchObject([
      { action: 'modify', volumeType: 'gp3', iops: 3_000, throughputMiBps: 125 },
    ]);
    // 500 GiB of 8 TiB: 300 MiB/s take 320 + x of st1 or 655.36 + 7.00 of gp3
    const large = recommend({ ...st1, sizeGiB: 8_192 }, demandBy({ iops: 340, mibps: 340 }));
    // 340 / 40 x 1,024 = 8,704 GiB: 512 x 0.045 = 23.04 more
    expect(large.recommendations[0]).toMatchObject({
      ...{ action: 'modify', monthlyUsdDelta: 23.04 },
      change: { to: { volumeType: 'st1', sizeGiB: 8_704 } },
      risks: [{ code: 'never-shrinks', from: 8_192, to: 8_704 }, { code: 'on-credits' }],
    });
  });

  test('small random I/O on st1 goes to gp3 and to no larger st1', () => {
    const demand = { ...demandBy({ iops: 250, mibps: 4 }), ioKiB: 16 };
    const { recommendations: recommendation, notRecommended } = recommend(
      { ...st1, sizeGiB: 1_024 },
      demand,
      {
        kind: 'credits-exhausted',
      },
    );
    expect(recommendation).toHaveLength(1);
    expect(recommendation[0]).toMatchObject({
      change: { to: { volumeType: 'gp3', iops: 3_000, throughputMiBps: 125 } },
      risks: [{ code: 'small-io-costs-credits', ioKiB: 16 }],
    });
    expect(notRecommended).toEqual([]);
  });
});

describe('what a change gives up', () => {
  test('io1 to gp3: how often performance is kept', () => {
    const [first] = recommend(io1, demandBy({ iops: 6_000 })).recommendations;
    expect(riskOf(first, 'less-consistent')).toEqual({ code: 'less-consistent', from: 99.9, to: 99 });
    // They are as durable.
    expect(riskOf(first, 'less-durable')).toBeUndefined();
  });

  test('io2 stays io2 first, though gp3 costs less: durability is given up by choice alone', () => {
    const { recommendations: recommendation } = recommend(io2, demandBy({ iops: 6_000 }), {
      freeAttachments: 20,
    });
    expect(recommendation.map(layoutOf)).toMatchObject([
      { volumeType: 'io2', iops: 6_000 },
      { volumeType: 'gp3', iops: 6_000, throughputMiBps: 125 },
    ]);
    expect(recommendation.map(({ action }) => action)).toEqual(['modify', 'modify']);
    // 0.2 % of gp3 volumes fail in a year, 0.001 % of io2
    expect(riskOf(recommendation[1], 'less-durable')).toEqual({
      code: 'less-durable',
      from: 0.000_01,
      to: 0.002,
    });
    // 2,000 x 0.065; 8 + 15 instead of 12.50 + 260
    expect(recommendation.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([130, -249.5]);
  });

  test('standard (magnetic) is not modified in place', () => {
    const standard = { volumeType: 'standard', sizeGiB: 200, iops: null, throughputMiBps: null };
    const [first] = recommend(standard, demandBy({ iops: 300, mibps: 2 })).recommendations;
    expect(first).toMatchObject({
      ...{ action: 'recreate', inPlace: false },
      change: { to: { volumeType: 'gp3', iops: 3_000, throughputMiBps: 125 } },
    });
  });
});
