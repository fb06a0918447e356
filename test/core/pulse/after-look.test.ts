/** What a look says, and what it remembers. */
import { findingId } from '../../../core/diagnosis/finding-id.ts';
import { lastMinuteEnd, withMinutes } from '../../../core/pulse/held-back-minutes.ts';
import { ofVolumeNow, watchSchema } from '../../../core/pulse/watch.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { readsOf16KiB } from '../../fixtures/metric-set.ts';
import { aGp2, aWatch, lookAt, openFrom, start, times, told } from './watching.ts';

const volume = aVolume();
const none = times(10, 0);
/** Of ten minutes the last so many. */
const lastMinutes = (minutes: number): number[] => [...times(10 - minutes, 0), ...times(minutes, 1)];
const checks = (iops: number[], throughput: number[] = none) => ({
  VolumeIOPSExceededCheck: iops,
  VolumeThroughputExceededCheck: throughput,
});
const heldBack = (
  minutesAgo: readonly number[],
  cause: 'volume-iops' | 'volume-throughput' | 'volume-credits',
) =>
  withMinutes(
    null,
    minutesAgo.map((ago) => ({ epochSeconds: start - ago * 60, cause })),
    start,
  );

describe('throttled', () => {
  test.each([
    ['two of the last five minutes are nothing yet', lastMinutes(2), []],
    ['three are critical', lastMinutes(3), ['throttled-volume-iops critical']],
    ['three of five, not in a row, too', [...times(5, 0), 1, 0, 1, 0, 1], ['throttled-volume-iops critical']],
    ['three of six are not', [...times(4, 0), 1, 0, 0, 1, 0, 1], []],
  ])('%s', (_, iops, expected) => {
    const after = lookAt({
      volume,
      watch: aWatch(volume),
      atMinute: 10,
      parts: ['checks'],
      points: checks(iops),
    });
    expect(told(after)).toEqual(expected);
  });

  test('the fifth minute of a day is a warning, the sixtieth critical', () => {
    const one = checks([...times(9, 0), 1]);
    const before = (minutes: number) =>
      heldBack(
        Array.from({ length: minutes }, (_, i) => 60 + 10 * i),
        'volume-iops',
      );
    const at = (minutes: number) =>
      told(
        lookAt({
          volume,
          watch: aWatch(volume, { heldBack: before(minutes) }),
          atMinute: 10,
          parts: ['checks'],
          points: one,
        }),
      );
    expect(at(3)).toEqual([]);
    expect(at(4)).toEqual(['throttled-volume-iops warning']);
    expect(at(59)).toEqual(['throttled-volume-iops critical']);
  });

  test('too few by each limit count together, under the name of the one with more', () => {
    const watch = aWatch(volume, { heldBack: heldBack([200, 210, 220], 'volume-throughput') });
    const after = lookAt({
      volume,
      watch,
      atMinute: 10,
      parts: ['checks'],
      points: checks([...times(7, 0), 1, 0, 1]),
    });
    expect(told(after)).toEqual(['throttled-volume-throughput warning']);
  });

  test('the words say which limit, how long and since when', () => {
    const watch = aWatch(volume);
    const { sightings } = lookAt({
      volume,
      watch,
      atMinute: 10,
      parts: ['checks'],
      points: checks(lastMinutes(4)),
    });
    expect(sightings[0]).toMatchObject({
      findingId: findingId('throttled-volume-iops', {
        volumeId: 'vol-1',
        region: 'us-east-1',
        account: null,
      }),
      source: 'pulse',
      atEpochSeconds: start + 600,
      finding: {
        since: '2026-11-19T00:04:00Z', // the first of the four minutes that end at 00:08
        reason:
          'held back at its own limit of 3,000 IOPS in 4 min of the last 24 h, first at 2026-11-19 00:04 UTC; it goes on',
        volumeText: 'gp3 100 GiB',
        resource: { volumeId: 'vol-1', account: '111122223333' },
        advice: [],
      },
    });
  });

  test('what came and went between two looks is told as it was', () => {
    const points = checks([0, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
    const after = lookAt({ volume, watch: aWatch(volume), atMinute: 10, parts: ['checks'], points });
    expect(told(after)).toEqual(['throttled-volume-iops critical']);
    expect(after.sightings[0]?.finding?.reason).toMatch(/last at 00:01 UTC$/);
  });

  test('both checks at once: by the limit that it is nearer to', () => {
    const watch = aWatch(volume, { lately: { iops: 0.5, throughput: 0.9, atEpochSeconds: start } });
    const points = checks(lastMinutes(3), lastMinutes(3));
    expect(told(lookAt({ volume, watch, atMinute: 10, parts: ['checks'], points }))).toEqual([
      'throttled-volume-throughput critical',
    ]);
  });

  test('only one of two checks was asked for: nothing is taken back of what the other showed', () => {
    const watch = aWatch(volume, { heldBack: heldBack([3, 4, 5], 'volume-throughput') });
    const points = { VolumeIOPSExceededCheck: none };
    const after = lookAt({ volume, watch, atMinute: 2, untilMinute: 0, parts: ['checks'], points });
    expect(told(after)).toEqual(['throttled-volume-throughput critical']);
  });
});

describe('without checks', () => {
  const shared = aVolume({ multiAttach: true });
  const seen = (operations: number, queue: number) =>
    told(
      lookAt({
        ...{ volume: shared, watch: aWatch(shared), atMinute: 40, parts: ['queue', 'rates'] },
        points: {
          ...readsOf16KiB([...times(30, 6_000), ...times(5, operations)]),
          VolumeQueueLength: [...times(30, 0.1), ...times(5, queue)],
        },
      }),
    );

  test('a rate at 95 % of the limit with a queue is held back', () => {
    expect(seen(60 * 2_880, 30)).toEqual(['throttled-volume-iops critical']); // 2,880 of 3,000: 96 %
  });

  test('without a queue it is not', () => {
    expect(seen(60 * 2_880, 2.9)).toEqual([]); // 1 ms each, as in the calm minutes
  });

  test('nor below 95 %', () => {
    expect(seen(60 * 2_700, 30)).toEqual([]);
  });

  test('AWS should publish checks and does not: the rates tell from then on', () => {
    const points = { ...readsOf16KiB(times(20, 6_000)), VolumeQueueLength: times(20, 0.1) };
    const { watch } = lookAt({
      volume,
      watch: aWatch(volume),
      atMinute: 25,
      parts: ['queue', 'checks', 'rates'],
      points,
    });
    expect(watch.unchecked).toBe(true);
  });
});

describe('credits', () => {
  const gp2 = aGp2(100);
  /** The last of 31 minutes, and how much it fell in the thirty before it. */
  const falling = (last: number, fell: number): number[] =>
    Array.from({ length: 31 }, (_, i) => last + (fell * (30 - i)) / 30);
  const look = (BurstBalance: (number | undefined)[], watch = aWatch(gp2)) =>
    lookAt({ volume: gp2, watch, atMinute: 40, parts: ['balance'], points: { BurstBalance } });

  test.each([
    ['30 % fell, 70 % are left: 70 min', falling(70, 30), 'warning', 'empty in 70 min (01:48 UTC)'],
    ['30 % fell, 31 % are left: 31 min', falling(31, 30), 'warning', 'empty in 31 min'],
    [
      '30 % fell, 30 % are left: 30 min',
      falling(30, 30),
      'critical',
      '30 % of its burst credits are left, empty in 30 min',
    ],
    ['20 % fell, 80 % are left: 2 h', falling(80, 20), 'warning', 'empty in 120 min'],
  ])('%s', (_, balance, severity, words) => {
    const { sightings } = look(balance);
    expect(sightings).toMatchObject([{ kind: 'credits-will-exhaust', finding: { severity } }]);
    expect(sightings[0]?.finding?.reason).toContain(words);
    expect(sightings[0]?.finding?.reason).toContain(
      'at the rate of the last 30 minutes; without them it does 300 IOPS',
    );
  });

  test('a drain that began a moment ago: both rates', () => {
    const { sightings } = look([...Array.from({ length: 28 }, () => 21), 18, 15, 12]);
    expect(sightings[0]?.finding?.reason).toContain(
      'empty in 40 min (01:18 UTC) at the rate of the last 30 minutes, in 4 min (00:42 UTC) at that of the last one; without',
    );
  });

  test.each([
    ['19 % fell, 81 % are left: more than 2 h', falling(81, 19)],
    ['flat', falling(20, 0)],
    ['rising', falling(20, -10)],
    ['gone already', falling(0.5, 30)],
  ])('%s: no warning', (_, balance) => {
    expect(told(look(balance))).toEqual([]);
  });

  test('a load of five minutes counts as no more than what it took of the last half hour', () => {
    // 5 % fell in the half hour, 95 % are left: 9.5 h.
    expect(told(look([...times(26, 100), 99, 98, 97, 96, 95]))).toEqual([]);
  });

  test('idle until it began: what the balance was before counts', () => {
    const watch = aWatch(gp2, { balance: { percent: 60, untilEpochSeconds: start - 3_600 } });
    // 60 % before, 40 % now: 20 % in the half hour, 60 min left; the published points alone fell by 4 %.
    expect(told(look([44, 43, 42, 41, 40], watch))).toEqual(['credits-will-exhaust warning']);
  });

  test('a balance that is not published is no empty one', () => {
    const watch = aWatch(gp2, { balance: { percent: 50, untilEpochSeconds: start - 120 } });
    const after = look([], watch);
    expect(told(after)).toEqual([]);
    expect(after.watch.balance).toEqual({ percent: 50, untilEpochSeconds: start - 120 });
  });

  test('empty under load is exhausted, and no limit of its own', () => {
    const points = { ...checks(lastMinutes(3)), BurstBalance: [...times(7, 2), ...times(3, 0)] };
    const after = lookAt({
      volume: gp2,
      watch: aWatch(gp2),
      atMinute: 10,
      parts: ['balance', 'checks'],
      points,
    });
    expect(told(after)).toEqual(['credits-exhausted warning']);
    expect(after.sightings[0]?.finding).toMatchObject({
      reason:
        'its burst credits were used up under load in 3 min of the last 24 h, first at 2026-11-19 00:05 UTC; it goes on; without them it does 300 IOPS',
      advice: [{ action: expect.stringContaining('Change it in place to gp3 with 3,000 IOPS') }],
    });
  });

  test('from fifteen minutes on it is critical', () => {
    const watch = aWatch(gp2, {
      heldBack: heldBack(
        Array.from({ length: 14 }, (_, i) => i + 20),
        'volume-credits',
      ),
    });
    const points = { ...checks(lastMinutes(1)), BurstBalance: times(10, 0) };
    expect(told(lookAt({ volume: gp2, watch, atMinute: 10, parts: ['balance', 'checks'], points }))).toEqual([
      'credits-exhausted critical',
    ]);
  });

  test('empty without load is nothing', () => {
    const points = { ...checks(none), BurstBalance: times(10, 0) };
    expect(
      told(lookAt({ volume: gp2, watch: aWatch(gp2), atMinute: 10, parts: ['balance', 'checks'], points })),
    ).toEqual([]);
  });

  test('an empty bucket calls for the checks at once', () => {
    const after = look(
      falling(0.2, 30),
      aWatch(gp2, { askedEpochSeconds: { balance: start, queue: start, checks: start, rates: start } }),
    );
    expect(after.watch.nextLookEpochSeconds).toBeLessThanOrEqual(start + 40 * 60);
  });

  test('a bucket that falls fast is near its limit: the checks come soon', () => {
    // 2,700 credits a second of 5.4 M are 3 % a minute: 3,000 IOPS.
    const { watch } = look(Array.from({ length: 31 }, (_, i) => 100 - Math.max(0, i - 27) * 3));
    expect(watch.lately?.iops).toBeCloseTo(1);
  });
});

describe('unknown', () => {
  test('a look that brought nothing says nothing, takes nothing back and asks again in its time', () => {
    const open = {
      severity: 'critical',
      sinceEpochSeconds: start,
      gone: false,
      fromEpochSeconds: start,
      times: 4,
      saidEpochSeconds: start,
    } as const;
    const before = aWatch(volume, {
      open: { 'throttled-volume-iops': open },
      heldBack: heldBack([1, 2, 3], 'volume-iops'),
    });
    const after = lookAt({ volume, watch: before, atMinute: 5, parts: ['queue', 'checks'] });
    expect(told(after)).toEqual([]);
    expect(after.watch.open).toEqual(before.open);
    expect(lastMinuteEnd(after.watch.heldBack)).toBe(start);
    expect(after.watch.seenUntilEpochSeconds).toBe(start - 120);
  });

  test('a look without checks says nothing of what is held back', () => {
    const watch = aWatch(volume, { heldBack: heldBack([1, 2, 3], 'volume-iops') });
    expect(
      told(lookAt({ volume, watch, atMinute: 5, parts: ['queue'], points: { VolumeQueueLength: none } })),
    ).toEqual([]);
  });
});

describe('the queue', () => {
  const look = (
    inFlight: number,
    watch = aWatch(volume, {
      askedEpochSeconds: { balance: null, queue: start, checks: start, rates: start - 3_600 },
    }),
  ) =>
    lookAt({
      volume,
      watch,
      atMinute: 15,
      parts: ['queue'],
      points: { VolumeQueueLength: [...times(9, 0.1), inFlight] },
    }).watch;

  test('as long as at half of the limit it calls for all metrics at once', () => {
    // 3 are in flight at the limit.
    expect(look(1.6)).toMatchObject({ suspect: true, nextLookEpochSeconds: 0 });
    expect(look(1.4).suspect).toBe(false);
  });

  test('not again where the rates were there a few minutes ago, unless it speaks of more than the limit', () => {
    const lately = { askedEpochSeconds: { balance: null, queue: start, checks: start, rates: start + 600 } };
    expect(look(1.6, aWatch(volume, lately)).suspect).toBe(false);
    expect(look(3.7, aWatch(volume, lately)).suspect).toBe(true);
  });

  test('a load that grows is looked at more often', () => {
    expect(look(0.3).nextLookEpochSeconds - start).toBe(30 * 60); // 10 %
    expect(look(1.0).nextLookEpochSeconds - start).toBe(25 * 60); // 33 %
    expect(look(1.4).nextLookEpochSeconds - start).toBe(20 * 60); // 47 %
  });
});

describe('learning', () => {
  const hourOf = (operations: number[], queue: number[]) => ({
    ...readsOf16KiB(operations),
    VolumeQueueLength: queue,
    VolumeIOPSExceededCheck: times(operations.length, 0),
    VolumeThroughputExceededCheck: times(operations.length, 0),
  });
  const parts = ['queue', 'checks', 'rates'] as const;

  test('a whole hour is learned by its highest share, and what is in flight at the limit', () => {
    const watch = aWatch(volume, { learnedUntilEpochSeconds: start, hours: '.'.repeat(168) });
    // 1,500 of 3,000 IOPS in one minute, with 1.2 in flight: 2.4 at the limit.
    const points = hourOf(
      [...times(40, 600), 90_000, ...times(21, 600)],
      [...times(40, 0.01), 1.2, ...times(21, 0.01)],
    );
    const after = lookAt({ volume, watch, atMinute: 64, untilMinute: 62, parts: [...parts], points }).watch;
    expect(after.hours[0]).toBe('P'); // 25 steps of 2 %
    expect(after.hours.slice(1)).toBe('.'.repeat(167));
    expect(after).toMatchObject({ learnedUntilEpochSeconds: start + 3_600, queueAtLimit: 2.4 });
  });

  test('minutes that were held back tell nothing of what is in flight when nothing waits', () => {
    const watch = aWatch(volume, { queueAtLimit: 3 });
    const points = { ...hourOf(times(20, 90_000), times(20, 26)), VolumeIOPSExceededCheck: times(20, 1) };
    expect(lookAt({ volume, watch, atMinute: 22, parts: [...parts], points }).watch.queueAtLimit).toBe(3);
  });
});

describe('life', () => {
  const held = lookAt({
    volume,
    watch: aWatch(volume),
    atMinute: 10,
    parts: ['checks'],
    points: checks(lastMinutes(3)),
  });
  const next = (watch: typeof held.watch, atMinute: number, iops: number[]) =>
    lookAt({ volume, watch, atMinute, parts: ['checks'], points: checks(iops) });

  test('what goes on is said four times in a quarter of an hour, and then every half hour', () => {
    let { watch } = held;
    const said: number[] = [];
    for (let minute = 11; minute <= 110; minute++) {
      const after = next(watch, minute, times(10, 1));
      if (after.sightings.length > 0) said.push(minute);
      watch = after.watch;
    }
    expect(said).toEqual([15, 20, 25, 55, 85]);
  });

  test('what is over is said to be gone for twenty minutes, and then forgotten', () => {
    let { watch } = held;
    const said: string[] = [];
    for (let minute = 30; minute <= 80; minute += 5) {
      const after = next(watch, minute, none);
      said.push(...told(after));
      watch = after.watch;
    }
    expect(said).toEqual(times(5, 'throttled-volume-iops gone'));
    expect(watch.open).toEqual({});
  });

  test('two rounds of one tick never say two things at one time', () => {
    const again = next(held.watch, 10, none);
    const first = held.sightings[0]?.atEpochSeconds as number;
    for (const { atEpochSeconds } of again.sightings) expect(atEpochSeconds).toBeGreaterThan(first);
  });

  test('a volume that was changed is looked at anew, and what was told of it stays to be taken back', () => {
    const changed = { ...volume, iops: 6_000 };
    const watch = ofVolumeNow(held.watch, changed);
    expect(watch).toMatchObject({
      heldBack: null,
      lately: null,
      balance: null,
      askedEpochSeconds: { checks: null },
    });
    expect(Object.keys(watch.open)).toEqual(['throttled-volume-iops']);
    expect(ofVolumeNow(held.watch, { ...volume, name: 'renamed' })).toBe(held.watch);
    const after = lookAt({ volume: changed, watch, atMinute: 20, points: checks(none) });
    expect(told(after)).toEqual(['throttled-volume-iops gone']);
  });

  test('what is open of credits is said to be gone where the volume has none any more', () => {
    const gp2 = aGp2(100);
    const gp3 = { ...gp2, volumeType: 'gp3', iops: 3_000, throughputMiBps: 125 };
    const open = openFrom(start);
    const before = aWatch(gp2, { open: { 'credits-exhausted': open, 'credits-will-exhaust': open } });
    const watch = ofVolumeNow(before, gp3);
    const after = lookAt({ volume: gp3, watch, atMinute: 20, points: checks(none) });
    expect(told(after)).toEqual(['credits-exhausted gone', 'credits-will-exhaust gone']);
  });

  test('tags go with what is told, for routes', () => {
    const tagged = aVolume({ tags: { team: 'payments' } });
    const { sightings } = lookAt({
      volume: tagged,
      watch: aWatch(tagged),
      atMinute: 10,
      parts: ['checks'],
      points: checks(lastMinutes(3)),
    });
    expect(sightings[0]?.finding?.resource.tags).toEqual({ team: 'payments' });
  });

  test('a watch is the same after a trip through JSON', () => {
    expect(watchSchema.parse(JSON.parse(JSON.stringify(held.watch)))).toEqual(held.watch);
  });
});
