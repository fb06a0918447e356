/** What a poll says of a volume: throttled, and its credits. */

import { findingId } from '../../../core/diagnosis/draft.ts';
import { evidenceIn } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { readsOf16KiB } from '../../fixtures/metric-set.ts';
import {
  aGp2,
  atLimit,
  aWatch,
  checks,
  none,
  notified,
  openFrom,
  pollAt,
  start,
  throttled,
  times,
} from './watching.ts';

const volume = aVolume();
/** Of ten minutes the last so many. */
const lastMinutes = (minutes: number): number[] => [...times(10 - minutes, 0), ...times(minutes, 1)];

describe('throttled', () => {
  test.each([
    ['two of the last five minutes are nothing yet', lastMinutes(2), []],
    ['three are critical', lastMinutes(3), ['throttled-volume-iops critical']],
    ['three of five, not in a row, too', [...times(5, 0), 1, 0, 1, 0, 1], ['throttled-volume-iops critical']],
    ['three of six are not', [...times(4, 0), 1, 0, 0, 1, 0, 1], []],
  ])('%s', (_, iops, expected) => {
    const after = pollAt({
      volume,
      watch: aWatch(volume),
      atMinute: 10,
      parts: ['checks', 'rates'],
      points: atLimit(iops),
    });
    expect(notified(after)).toEqual(expected);
  });

  test('the fifth minute of a day is a warning, the sixtieth critical', () => {
    const one = atLimit([...times(9, 0), 1]);
    const before = (minutes: number) =>
      throttled(
        Array.from({ length: minutes }, (_, i) => 60 + 10 * i),
        'volume-iops',
      );
    const at = (minutes: number) =>
      notified(
        pollAt({
          volume,
          watch: aWatch(volume, { throttled: before(minutes) }),
          atMinute: 10,
          parts: ['checks', 'rates'],
          points: one,
        }),
      );
    expect(at(3)).toEqual([]);
    expect(at(4)).toEqual(['throttled-volume-iops warning']);
    expect(at(59)).toEqual(['throttled-volume-iops critical']);
  });

  test('too few by each limit count together, under the name of the one with more', () => {
    const watch = aWatch(volume, { throttled: throttled([200, 210, 220], 'volume-throughput') });
    const after = pollAt({
      volume,
      watch,
      atMinute: 10,
      parts: ['checks', 'rates'],
      points: atLimit([...times(7, 0), 1, 0, 1]),
    });
    expect(notified(after)).toEqual(['throttled-volume-throughput warning']);
  });

  test('it says which limit, how long and since when', () => {
    const watch = aWatch(volume);
    const { observations } = pollAt({
      volume,
      watch,
      atMinute: 10,
      parts: ['checks', 'rates'],
      points: atLimit(lastMinutes(4)),
    });
    expect(observations[0]).toMatchObject({
      findingId: findingId('throttled-volume-iops', { id: 'vol-1', region: 'us-east-1' }),
      source: 'monitoring',
      atEpochSeconds: start + 600,
      finding: {
        status: 'ongoing',
        firstSeen: '2026-11-19T00:04:00Z', // the first of the four minutes that end at 00:08
        lastSeen: '2026-11-19T00:08:00Z',
        limit: { what: 'maximum', value: 3_000, unit: 'IOPS', scope: 'volume' },
        evidence: { throttledMinutesPeak24h: 4, throttledMinutesInPeakHour: 4 },
        volumeText: 'gp3 100 GiB',
        resource: { type: 'volume', id: 'vol-1', account: '111122223333' },
        recommendations: [],
      },
    });
  });

  test('what came and went between two polls is reported as it was', () => {
    const points = atLimit([0, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
    const after = pollAt({ volume, watch: aWatch(volume), atMinute: 10, parts: ['checks', 'rates'], points });
    expect(notified(after)).toEqual(['throttled-volume-iops critical']);
    // The minutes that end at 00:02: an ISO time of the end of the last.
    expect(after.observations[0]?.finding).toMatchObject({
      status: 'ended',
      lastSeen: '2026-11-19T00:02:00Z',
    });
  });

  test('both checks at once: by the limit that it is nearer to', () => {
    const watch = aWatch(volume, { lately: { iops: 0.5, throughput: 0.9, atEpochSeconds: start } });
    const points = atLimit(lastMinutes(3), lastMinutes(3));
    expect(notified(pollAt({ volume, watch, atMinute: 10, parts: ['checks', 'rates'], points }))).toEqual([
      'throttled-volume-throughput critical',
    ]);
  });

  test('only one of two checks was asked for: nothing is taken back of what the other showed', () => {
    const watch = aWatch(volume, { throttled: throttled([3, 4, 5], 'volume-throughput') });
    const points = { VolumeIOPSExceededCheck: none };
    const after = pollAt({ volume, watch, atMinute: 2, untilMinute: 0, parts: ['checks', 'rates'], points });
    expect(notified(after)).toEqual(['throttled-volume-throughput critical']);
  });
});

describe('without checks', () => {
  const shared = aVolume({ multiAttach: true });
  const seen = (operations: number, queue: number) =>
    notified(
      pollAt({
        ...{ volume: shared, watch: aWatch(shared), atMinute: 40, parts: ['queue', 'rates'] },
        points: {
          ...readsOf16KiB([...times(30, 6_000), ...times(5, operations)]),
          VolumeQueueLength: [...times(30, 0.1), ...times(5, queue)],
        },
      }),
    );

  test('a rate at 95 % of the limit with a queue is throttled', () => {
    expect(seen(60 * 2_880, 30)).toEqual(['throttled-volume-iops critical']); // 2,880 of 3,000: 96 %
  });

  test('without a queue it is not', () => {
    expect(seen(60 * 2_880, 2.9)).toEqual([]); // 1 ms each, as in the calm minutes
  });

  test('a little below it too, where the rate stays the same while much waits', () => {
    expect(seen(60 * 2_700, 30)).toEqual(['throttled-volume-iops critical']);
  });

  test('nor far below', () => {
    expect(seen(60 * 2_400, 30)).toEqual([]);
  });

  test('AWS should publish checks and does not: the rates tell from then on', () => {
    const points = { ...readsOf16KiB(times(20, 6_000)), VolumeQueueLength: times(20, 0.1) };
    const { watch } = pollAt({
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
  /** The last of so many minutes and one, and how much it fell in each thirty of them. */
  const falling = (last: number, fell: number, minutes = 60): number[] =>
    Array.from({ length: minutes + 1 }, (_, i) => last + (fell * (minutes - i)) / 30);
  const poll = (BurstBalance: (number | undefined)[], watch = aWatch(gp2)) =>
    pollAt({ volume: gp2, watch, atMinute: 40, parts: ['balance'], points: { BurstBalance } });

  test.each([
    ['20 % fell, 60 % are left: 90 min', falling(60, 20), 'warning', 90],
    ['30 % fell, 31 % are left: 31 min', falling(31, 30), 'warning', 31],
    ['30 % fell, 30 % are left: 30 min', falling(30, 30), 'critical', 30],
    ['15 % fell, 60 % are left: 2 h', falling(60, 15), 'warning', 120],
  ])('%s', (_, balance, severity, minutes) => {
    const { observations } = poll(balance);
    const limit = { what: 'baseline', value: 300, unit: 'IOPS', scope: 'volume' };
    expect(observations).toMatchObject([
      { kind: 'credits-will-exhaust', finding: { severity, limit, status: 'forecast' } },
    ]);
    const { secondsToEmpty, balancePercent, ...more } = evidenceIn(observations[0]?.finding ?? undefined);
    expect(secondsToEmpty).toBeCloseTo(60 * minutes, 6);
    expect(balancePercent).toBe(balance.at(-1));
    // The last minute is as the thirty before it.
    expect(more).toEqual({});
  });

  test('a drain that began a moment ago: both rates', () => {
    const { observations } = poll([...Array.from({ length: 28 }, () => 21), 18, 15, 12]);
    // 9 % in 30 minutes, 3 % in the last: 12 % are gone in 40 minutes, or in 4.
    const { secondsToEmpty, secondsToEmptyAtLastMinute } = evidenceIn(observations[0]?.finding ?? undefined);
    expect(secondsToEmpty).toBeCloseTo(2_400, 6);
    expect(secondsToEmptyAtLastMinute).toBeCloseTo(240, 6);
  });

  test.each([
    ['14 % fell, 60 % are left: more than 2 h', falling(60, 14)],
    ['flat', falling(20, 0)],
    ['rising', falling(20, -10)],
    ['gone already', falling(0.5, 30)],
  ])('%s: no warning', (_, balance) => {
    expect(notified(poll(balance))).toEqual([]);
  });

  describe('a load that will end is not warned of', () => {
    const open = (severity: 'warning' | 'critical') =>
      aWatch(gp2, { open: { 'credits-will-exhaust': { ...openFrom(start), severity } } });
    /** Every hour of the day before came to so much at least; 'P' is 50 %, in steps of two. */
    const lowest = (step: string) => aWatch(gp2, { lowest: step.repeat(25) });

    test('it goes on for half an hour: it is taken to go on as long again, not four times', () => {
      // 30 % fell in the only half hour: 70 min by its rate, 140 by that of the hour.
      const before = { balance: { percent: 100, untilEpochSeconds: start - 3_600 } };
      expect(notified(poll(falling(70, 30, 30), aWatch(gp2, before)))).toEqual([]);
      // 50 % in 40 minutes, 50 left: 60 min by the hour.
      expect(notified(poll(falling(50, 37.5, 40), aWatch(gp2, before)))).toEqual([
        'credits-will-exhaust warning',
      ]);
    });

    test('it ended five minutes ago: no warning, and one that stands holds by the last half hour', () => {
      const ended = [...falling(45, 30, 54), ...times(6, 45)];
      expect(notified(poll(ended))).toEqual([]);
      expect(notified(poll(ended, open('warning')))).toEqual(['credits-will-exhaust warning']);
    });

    test('the day before it came back from half at this hour: a warning below four fifths of that', () => {
      expect(notified(poll(falling(41, 25), lowest('P')))).toEqual([]);
      expect(notified(poll(falling(39, 25), lowest('P')))).toEqual(['credits-will-exhaust warning']);
      // Below two percent it did not come back.
      expect(notified(poll(falling(41, 25), lowest('0')))).toEqual(['credits-will-exhaust warning']);
    });

    test('what is usual is not critical either, but within five minutes', () => {
      // 8.5, 7.7, 8.4 and 4.8 minutes are left, and at full speed twice 340 s, and 280.
      expect(notified(poll(falling(17, 60), lowest('A')))).toEqual([]);
      expect(notified(poll(falling(17, 66), lowest('A')))).toEqual(['credits-will-exhaust warning']);
      expect(notified(poll(falling(14, 50), lowest('8')))).toEqual(['credits-will-exhaust warning']);
      expect(notified(poll(falling(14, 88), lowest('8')))).toEqual(['credits-will-exhaust critical']);
    });

    test('what could be empty in five minutes at full speed is always said', () => {
      // 2,000 s are a whole bucket: 15 % of it are 300 s.
      expect(notified(poll(falling(15.5, 10), lowest('7')))).toEqual([]);
      expect(notified(poll(falling(14.5, 10), lowest('7')))).toEqual(['credits-will-exhaust warning']);
    });

    test('critical stays critical while the last half hour says so', () => {
      const slower = [...falling(27, 40, 50), ...times(10, 0).map((_, i) => 26.9 - i / 10)];
      expect(notified(poll(slower, open('critical')))).toEqual(['credits-will-exhaust critical']);
      expect(notified(poll(slower, open('warning')))).toEqual(['credits-will-exhaust warning']);
    });
  });

  test('a load of five minutes counts as no more than what it took of the last half hour', () => {
    // 5 % fell in the half hour, 95 % are left: 9.5 h.
    expect(notified(poll([...times(26, 100), 99, 98, 97, 96, 95]))).toEqual([]);
  });

  test('idle until it began: what the balance was before counts', () => {
    const watch = aWatch(gp2, { balance: { percent: 60, untilEpochSeconds: start - 3_600 } });
    // 60 % before, 40 % now: 20 % in the half hour, 60 min left; the published points alone fell by 4 %.
    expect(notified(poll([44, 43, 42, 41, 40], watch))).toEqual(['credits-will-exhaust warning']);
  });

  test('a balance that is not published is no empty one', () => {
    const watch = aWatch(gp2, { balance: { percent: 50, untilEpochSeconds: start - 120 } });
    const after = poll([], watch);
    expect(notified(after)).toEqual([]);
    expect(after.watch.balance).toEqual({ percent: 50, untilEpochSeconds: start - 120 });
  });

  test('empty under load is exhausted, and no limit of its own', () => {
    const points = { ...checks(lastMinutes(3)), BurstBalance: [...times(7, 2), ...times(3, 0)] };
    const after = pollAt({
      volume: gp2,
      watch: aWatch(gp2),
      atMinute: 10,
      parts: ['balance', 'checks'],
      points,
    });
    expect(notified(after)).toEqual(['credits-exhausted warning']);
    expect(after.observations[0]?.finding).toMatchObject({
      ...{ status: 'ongoing', firstSeen: '2026-11-19T00:05:00Z' },
      limit: { what: 'baseline', value: 300, unit: 'IOPS', scope: 'volume' },
      evidence: { throttledMinutesPeak24h: 3 },
      recommendations: [{ action: 'modify', change: { to: { volumeType: 'gp3', iops: 3_000 } } }],
    });
  });

  test('from fifteen minutes on it is critical', () => {
    const watch = aWatch(gp2, {
      throttled: throttled(
        Array.from({ length: 14 }, (_, i) => i + 20),
        'volume-credits',
      ),
    });
    const points = { ...checks(lastMinutes(1)), BurstBalance: times(10, 0) };
    expect(
      notified(pollAt({ volume: gp2, watch, atMinute: 10, parts: ['balance', 'checks'], points })),
    ).toEqual(['credits-exhausted critical']);
  });

  test('empty without load is nothing', () => {
    const points = { ...checks(none), BurstBalance: times(10, 0) };
    expect(
      notified(
        pollAt({ volume: gp2, watch: aWatch(gp2), atMinute: 10, parts: ['balance', 'checks'], points }),
      ),
    ).toEqual([]);
  });

  test('an empty bucket calls for the checks at once', () => {
    const after = poll(
      falling(0.2, 30),
      aWatch(gp2, { askedEpochSeconds: { balance: start, queue: start, checks: start, rates: start } }),
    );
    expect(after.watch.nextPollEpochSeconds).toBeLessThanOrEqual(start + 40 * 60);
  });

  test('a bucket that falls fast is near its limit: the checks come soon', () => {
    // 2,700 credits a second of 5.4 M are 3 % a minute: 3,000 IOPS.
    const { watch } = poll(Array.from({ length: 31 }, (_, i) => 100 - Math.max(0, i - 27) * 3));
    expect(watch.lately?.iops).toBeCloseTo(1);
  });
});
