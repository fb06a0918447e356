/** What is advised against what held a volume back: tried by replay, and only what helps. */
import type { AdviceInput } from '../../../core/advice/advice-input.ts';
import { firstAdvice } from '../../../core/advice/first-advice.ts';
import type { Sized, Wanted } from '../../../core/advice/held-back/wanted.ts';
import { builtInMarket } from '../../../core/catalogue/market.ts';
import type { Volume } from '../../../core/inventory.ts';
import { known, unknown } from '../../../core/known.ts';
import { configurationOf } from '../../../core/limits/volume-configuration.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import type { FindingKind } from '../../../core/schemas/finding.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const { ebs } = builtInMarket('us-east-1').prices;
const volumeId = 'vol-0123456789abcdef0';

const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 };
const gp2 = { volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null };
const io1 = { volumeType: 'io1', sizeGiB: 200, iops: 4_000, throughputMiBps: null };
const io2 = { volumeType: 'io2', sizeGiB: 100, iops: 4_000, throughputMiBps: null };
const st1 = { volumeType: 'st1', sizeGiB: 500, iops: null, throughputMiBps: null };

const sizedFor = (iops: number, throughputMiBps = iops / 64): Sized => ({
  rates: { iops, throughputMiBps },
  cutIops: iops,
});

interface Load {
  /** IOPS and MiB/s that it takes to hold nothing back. */
  iops: number;
  mibps?: number;
  likelyIops?: number;
  minutes?: number;
  /** What the instance does: more than that is held back on it. */
  instanceIops?: number;
}

/** Held back for all its minutes with less than it takes, for none with as much. */
function wantedBy({ iops, mibps = iops / 64, likelyIops = iops, minutes = 40, instanceIops }: Load): Wanted {
  const does = ({ members, ...each }: Layout) => ({
    iops: members * each.iops,
    mibps: members * each.throughputMiBps,
  });
  return {
    most: sizedFor(iops, mibps),
    likely: sizedFor(likelyIops, (mibps * likelyIops) / iops),
    heldBackMinutes: minutes,
    openMinutes: 0,
    ioKiB: (1_024 * mibps) / iops,
    isComing: false,
    isMember: false,
    instance:
      instanceIops === undefined
        ? null
        : {
            instanceId: 'i-0123456789abcdef0',
            instanceType: 'm4.xlarge',
            iops: instanceIops,
            throughputMiBps: 1_000,
          },
    heldBackMinutesWith: (layout, { line = 'high', withoutInstance = false } = {}) => {
      const need = line === 'high' ? iops : likelyIops;
      const has = does(layout);
      const isEnough = has.iops >= need && has.mibps >= (mibps * need) / iops;
      const isCarried = withoutInstance || instanceIops === undefined || need <= instanceIops;
      return isEnough && isCarried ? 0 : minutes;
    },
    coming: () => null,
  };
}

function advise(
  volume: Partial<Volume>,
  wanted: Wanted | null,
  others: Partial<AdviceInput> & { kind?: FindingKind } = {},
) {
  const all = aVolume({ volumeId, ...volume });
  const configured = configurationOf(all);
  if (!configured.known) throw new Error(configured.because);
  const { kind = 'throttled-volume-iops', ...rest } = others;
  return firstAdvice({
    volume: all,
    ...configured.value,
    prices: ebs,
    usd: known(0),
    draft: { kind, severity: 'warning', since: null, reason: '', evidence: {} },
    siblings: [],
    wanted,
    freeAttachments: null,
    ...rest,
  });
}

const actionsOf = (...asked: Parameters<typeof advise>): string[] =>
  advise(...asked).advice.map(({ action }) => action.replace(/:.*/, ''));

describe('what helps', () => {
  test('gp3 that wants 5,000 IOPS at most is raised in place: 2,000 x 0.005 = 10.00', () => {
    const [first, ...others] = advise(gp3, wantedBy({ iops: 5_000 })).advice;
    expect(first).toMatchObject({
      monthlyUsdDelta: 10,
      throttledMinutesBefore: 40,
      throttledMinutesAfter: 0,
    });
    // 5,000 of 16 KiB are 78 MiB/s, with a quarter of headroom still within the 125 that it has
    expect(first?.action).toBe(
      'Change it in place to gp3 with 5,000 IOPS and 125 MiB/s: by replay of the load 0 min held back instead of 40 min; sized for 5,000 IOPS, 78 MiB/s, what it wants at most and a quarter above what is likely.',
    );
    expect(first?.how).toContain(
      `aws ec2 modify-volume --region us-east-1 --volume-id ${volumeId} --volume-type gp3 --size 100 --iops 5000 --throughput 125`,
    );
    // io2 does it too, for more: gp3 is as durable as today
    expect(others).toEqual([]);
  });

  test('gp2 without credits: gp3 of the same figures is cheaper, 8.00 instead of 10.00', () => {
    const [first] = advise(gp2, wantedBy({ iops: 2_500 }), { kind: 'credits-exhausted' }).advice;
    expect(first).toMatchObject({
      monthlyUsdDelta: -2,
      throttledMinutesBefore: 40,
      throttledMinutesAfter: 0,
    });
    expect(first?.action).toContain('Change it in place to gp3 with 3,000 IOPS and 125 MiB/s');
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
    const { advice } = advise(large, wantedBy({ iops: 24_000, mibps: 1_000 }), { freeAttachments: 20 });
    expect(advice.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([140, 0]);
    // 1 - (1 - 0.002)^8 = 1.6 %
    expect(advice[1]?.action).toContain(
      'It takes a migration with downtime, a root volume cannot be a stripe, and any member that fails takes the data with it: 1.6 % a year instead of 0.2 %.',
    );
  });

  test.each([
    { why: 'its instance has no room', freeAttachments: 1, isMember: false },
    { why: 'nobody knows of room', freeAttachments: null, isMember: false },
    { why: 'it is one of several already', freeAttachments: 20, isMember: true },
  ])('no stripe where $why', ({ freeAttachments, isMember }) => {
    const wanted = { ...wantedBy({ iops: 24_000, mibps: 1_000 }), isMember };
    expect(advise({ ...gp3, sizeGiB: 1_000 }, wanted, { freeAttachments }).advice).toHaveLength(1);
  });
});

describe('growing in place', () => {
  test('gp3 of 6 GiB has 3,000 IOPS: 4,000 take 8 GiB', () => {
    // 500 x 8 = 4,000; 2 x 0.08 + 1,000 x 0.005 = 5.16; io2 of 6 GiB would cost 0.27 + 260
    const [first] = advise({ ...gp3, sizeGiB: 6 }, wantedBy({ iops: 4_000 })).advice;
    expect(first?.action).toContain('Change it in place to gp3 of 8 GiB with 4,000 IOPS and 125 MiB/s');
    expect(first?.action).toContain('A volume grows in place and never shrinks again.');
    expect(first?.monthlyUsdDelta).toBe(5.16);
    expect(first?.how.join('\n')).toContain('--size 8 --iops 4000');
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
    expect(large.advice[0]?.action).toContain('Change it in place to st1 of 8,704 GiB');
    expect(large.advice[0]?.monthlyUsdDelta).toBe(23.04);
    expect(large.advice[0]?.action).toContain('Its credits suffice for that.');
  });

  test('small random I/O on st1 goes to gp3 and to no larger st1', () => {
    const wanted = { ...wantedBy({ iops: 250, mibps: 4 }), ioKiB: 16 };
    const { advice, notAdvised } = advise({ ...st1, sizeGiB: 1_024 }, wanted, { kind: 'credits-exhausted' });
    expect(advice).toHaveLength(1);
    expect(advice[0]?.action).toContain('gp3 with 3,000 IOPS and 125 MiB/s');
    expect(advice[0]?.action).toContain('Its I/O of 16 KiB cost as much as 1 MiB each on st1');
    expect(notAdvised).toEqual([]);
  });
});

describe('what a change gives up', () => {
  test('io1 to gp3: how often performance is kept', () => {
    const [first] = advise(io1, wantedBy({ iops: 6_000 })).advice;
    expect(first?.action).toContain(
      'gp3 keeps its performance 99 % of the time, io1 99.9 %; they are as durable.',
    );
  });

  test('io2 stays io2 first, though gp3 costs less: durability is given up by choice alone', () => {
    const { advice } = advise(io2, wantedBy({ iops: 6_000 }), { freeAttachments: 20 });
    expect(advice.map(({ action }) => action.replace(/:.*/, ''))).toEqual([
      'Change it in place to io2 with 6,000 IOPS',
      'Change it in place to gp3 with 6,000 IOPS and 125 MiB/s',
    ]);
    expect(advice[1]?.action).toContain('0.2 % of gp3 volumes fail in a year, 0.001 % of io2');
    // 2,000 x 0.065; 8 + 15 instead of 12.50 + 260
    expect(advice.map(({ monthlyUsdDelta }) => monthlyUsdDelta)).toEqual([130, -249.5]);
  });

  test('standard (magnetic) is not modified in place', () => {
    const standard = { volumeType: 'standard', sizeGiB: 200, iops: null, throughputMiBps: null };
    const [first] = advise(standard, wantedBy({ iops: 300, mibps: 2 })).advice;
    expect(first?.action).toMatch(/^Move it through a snapshot to gp3 with 3,000 IOPS and 125 MiB\/s: /);
  });
});

describe('what does not help is not advised', () => {
  test('where the instance is the limit it says so, and what was tried', () => {
    const wanted = wantedBy({ iops: 7_500, instanceIops: 6_000 });
    const { advice, notAdvised } = advise({ ...gp3, iops: 6_000 }, wanted);
    expect(advice).toHaveLength(1);
    expect(advice[0]).toMatchObject({ monthlyUsdDelta: null, throttledMinutesBefore: 40, how: [] });
    expect(advice[0]?.action).toMatch(
      /^Its instance is the limit, no faster volume helps: on i-0123456789abcdef0 \(m4\.xlarge, at most 6,000 IOPS, 1,000 MiB\/s\)/,
    );
    // gp3 of 6,000 is there already; 7,500 are beyond its instance: tried to see who is the limit
    expect(notAdvised).toEqual([
      'io2 with 6,000 IOPS: 40 min held back by replay, 40 min today',
      'gp3 with 7,500 IOPS and 125 MiB/s: 40 min held back by replay, 40 min today',
      'io2 with 7,500 IOPS: 40 min held back by replay, 40 min today',
    ]);
    expect(advice[0]?.action).toContain(
      'gp3 with 7,500 IOPS and 125 MiB/s would be held back for 40 min by replay, on an instance that is no limit for 0 min.',
    );
  });

  test('where the instance would be the limit after it, it says what that changes', () => {
    const { advice, notAdvised } = advise(gp3, wantedBy({ iops: 40_000, instanceIops: 30_000 }));
    expect(advice[0]?.action).toMatch(
      /^A faster volume does more and is held back as long: then its instance is the limit: on i-/,
    );
    expect(notAdvised[0]).toBe(
      'gp3 with 30,000 IOPS and 625 MiB/s: 40 min held back by replay, 40 min today',
    );
  });

  test('what is as fast as today does not help', () => {
    const top = { ...gp3, sizeGiB: 200, iops: 80_000, throughputMiBps: 2_000 };
    // Held back by replay whatever it is: 300,000 IOPS are more than any has
    const { advice, notAdvised } = advise(top, wantedBy({ iops: 300_000, mibps: 1_000 }));
    expect(notAdvised).toEqual([
      'gp3 with 80,000 IOPS and 1,250 MiB/s: 40 min held back by replay, 40 min today',
      'io2 with 200,000 IOPS: 40 min held back by replay, 40 min today',
      'io2 of 256 GiB with 256,000 IOPS: 40 min held back by replay, 40 min today',
    ]);
    expect(advice[0]?.action).toMatch(/^No other volume helps by replay of the load\./);
  });

  test('fewer minutes than were measured are not enough where today’s replay shows as few', () => {
    const wanted = { ...wantedBy({ iops: 5_000 }), heldBackMinutesWith: () => 30 };
    expect(advise(gp3, wanted).advice[0]).toMatchObject({
      monthlyUsdDelta: null,
      throttledMinutesAfter: null,
    });
  });
});

describe('how much is promised', () => {
  test('where only what is likely would be served, nothing is, and both are told', () => {
    // At most 100,000, more than its instance and any gp3 has; likely 5,000
    const wanted = wantedBy({ iops: 100_000, mibps: 400, likelyIops: 5_000, instanceIops: 30_000 });
    const [first] = advise(gp3, wanted).advice;
    expect(first?.throttledMinutesAfter).toBeNull();
    expect(first?.action).toBe(
      'Change it in place to gp3 with 5,000 IOPS and 125 MiB/s: by replay of the load 0 min held back instead of 40 min if it wants what is likely (5,000 IOPS, 20 MiB/s with a quarter of headroom), 40 min if it wants all that it may (100,000 IOPS, 400 MiB/s): look again after the change.',
    );
  });

  test('where averages show nothing of it: a quarter above the limit, neither figure below today, no promise', () => {
    const wanted = { ...wantedBy({ iops: 3_750, mibps: 20 }), openMinutes: 40 };
    const fast = { ...gp3, throughputMiBps: 500 };
    const { advice } = advise(fast, wanted, { kind: 'micro-burst', freeAttachments: 20 });
    expect(advice[0]?.throttledMinutesAfter).toBeNull();
    expect(advice[0]?.action).toBe(
      'Change it in place to gp3 with 3,750 IOPS and 500 MiB/s: 25 % more than the limit that held it back: averages do not show how much it wanted, so look again after the change.',
    );
    // A burst can also be spread; nobody migrates on a guess.
    expect(advice[1]?.action).toMatch(/^Spread the burst/);
    expect(advice).toHaveLength(2);
  });

  test('a few of the minutes unseen: the promise stands, and says what it rests on', () => {
    const wanted = { ...wantedBy({ iops: 5_000 }), openMinutes: 3 };
    const [first] = advise(gp3, wanted).advice;
    expect(first?.throttledMinutesAfter).toBe(0);
    expect(first?.action).toContain('In 3 min of them averages do not show how much it wanted');
  });
});

describe('without a price', () => {
  test('a Region whose prices are not known: the same way and minutes, no money', () => {
    const prices = unknown('EBS prices of eu-central-1 are not known');
    const [first] = advise(gp3, wantedBy({ iops: 5_000 }), { prices }).advice;
    expect(first).toMatchObject({ monthlyUsdDelta: null, throttledMinutesAfter: 0 });
    expect(first?.action).toMatch(/What it costs is not known: EBS prices of eu-central-1 are not known\.$/);
  });

  test('on an Outpost gp3 goes to 16,000 IOPS, and nobody knows that it has io2', () => {
    const outpost = { ...gp3, deployment: 'outposts' as const };
    const { advice, notAdvised } = advise(outpost, wantedBy({ iops: 20_000 }), { freeAttachments: 20 });
    expect(advice[0]?.action).toMatch(/^No other volume helps/);
    expect(notAdvised).toEqual([
      'gp3 with 16,000 IOPS and 313 MiB/s: 40 min held back by replay, 40 min today',
    ]);
    const [first] = advise(outpost, wantedBy({ iops: 10_000 })).advice;
    expect(first).toMatchObject({ monthlyUsdDelta: null, throttledMinutesAfter: 0 });
    expect(first?.action).toContain('See first that the Outpost offers the type.');
  });
});

describe('credits that will run out', () => {
  const coming = { ...wantedBy({ iops: 3_000, mibps: 128, minutes: 80 }), isComing: true };
  const willExhaust = { kind: 'credits-will-exhaust' } as const;

  test('by replay of the next two hours: gp3 that holds nothing back of them', () => {
    // 8.00 + 3 x 0.04 instead of 10.00
    const [first] = advise(gp2, { ...wantedBy({ iops: 3_000 }), coming: () => coming }, willExhaust).advice;
    expect(first).toMatchObject({
      monthlyUsdDelta: -1.88,
      throttledMinutesBefore: 80,
      throttledMinutesAfter: 0,
    });
    expect(first?.action).toContain(
      'by replay of the next 2 hours at the rate of the last 30 minutes 0 min held back instead of 80 min',
    );
  });

  test('where that rate does not empty it: the burst of gp2 all the time, for less', () => {
    const [first] = advise(gp2, null, willExhaust).advice;
    expect(first).toMatchObject({ monthlyUsdDelta: -1.88, throttledMinutesAfter: null });
    expect(first?.action).toContain('the gp2 burst all the time, without credits');
    const [ofHdd] = advise(st1, null, willExhaust).advice;
    expect(ofHdd?.action).toMatch(/^A larger volume of this type has a higher baseline/);
  });
});
