/** What a poll remembers for the next one, and how often it says what it found. */
import { lastMinuteEnd } from '../../../core/monitoring/throttled-minutes.ts';
import { ofVolumeNow, watchSchema } from '../../../core/monitoring/watch.ts';
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

describe('unknown', () => {
  test('a poll that brought nothing says nothing, takes nothing back and asks again in its time', () => {
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
      throttled: throttled([1, 2, 3], 'volume-iops'),
    });
    const after = pollAt({ volume, watch: before, atMinute: 5, parts: ['queue', 'checks'] });
    expect(notified(after)).toEqual([]);
    expect(after.watch.open).toEqual(before.open);
    expect(lastMinuteEnd(after.watch.throttled)).toBe(start);
    expect(after.watch.seenUntilEpochSeconds).toBe(start - 120);
  });

  test('a poll without checks says nothing of what is throttled', () => {
    const watch = aWatch(volume, { throttled: throttled([1, 2, 3], 'volume-iops') });
    expect(
      notified(pollAt({ volume, watch, atMinute: 5, parts: ['queue'], points: { VolumeQueueLength: none } })),
    ).toEqual([]);
  });
});

describe('the queue', () => {
  const poll = (
    inFlight: number,
    watch = aWatch(volume, {
      askedEpochSeconds: { balance: null, queue: start, checks: start, rates: start - 3_600 },
    }),
  ) =>
    pollAt({
      volume,
      watch,
      atMinute: 15,
      parts: ['queue'],
      points: { VolumeQueueLength: [...times(9, 0.1), inFlight] },
    }).watch;

  test('as long as at half of the limit it calls for all metrics at once', () => {
    // 3 are in flight at the limit.
    expect(poll(1.6)).toMatchObject({ suspect: true, nextPollEpochSeconds: 0 });
    expect(poll(1.4).suspect).toBe(false);
  });

  test('ten minutes late: what is new since the last poll counts, however old', () => {
    const asked = { balance: null, queue: start, checks: start, rates: start - 3_600 };
    const watch = aWatch(volume, { askedEpochSeconds: asked, seenUntilEpochSeconds: start - 600 });
    const late = (inFlight: number[], untilMinute: number) =>
      pollAt({
        volume,
        watch,
        atMinute: 15,
        untilMinute,
        parts: ['queue'],
        points: { VolumeQueueLength: inFlight },
      });
    // Minutes -10 to 4, and the one before them, which an earlier poll saw.
    expect(late([1.6, ...times(14, 0.1)], 5).watch.suspect).toBe(true);
    expect(late([1.6, ...times(15, 0.1)], 5).watch.suspect).toBe(false);
  });

  test('not again where the rates were there a few minutes ago, unless it speaks of more than the limit', () => {
    const lately = { askedEpochSeconds: { balance: null, queue: start, checks: start, rates: start + 600 } };
    expect(poll(1.6, aWatch(volume, lately)).suspect).toBe(false);
    expect(poll(3.7, aWatch(volume, lately)).suspect).toBe(true);
  });

  test('a load that grows is polled more often', () => {
    expect(poll(0.3).nextPollEpochSeconds - start).toBe(30 * 60); // 10 %
    expect(poll(1.0).nextPollEpochSeconds - start).toBe(25 * 60); // 33 %
    expect(poll(1.4).nextPollEpochSeconds - start).toBe(20 * 60); // 47 %
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
    const after = pollAt({ volume, watch, atMinute: 64, untilMinute: 62, parts: [...parts], points }).watch;
    expect(after.hours[0]).toBe('P'); // 25 steps of 2 %
    expect(after.hours.slice(1)).toBe('.'.repeat(167));
    expect(after).toMatchObject({ learnedUntilEpochSeconds: start + 3_600, queueAtLimit: 2.4 });
  });

  test('minutes that were throttled tell nothing of what is in flight when nothing waits', () => {
    const watch = aWatch(volume, { queueAtLimit: 3 });
    const points = { ...hourOf(times(20, 90_000), times(20, 26)), VolumeIOPSExceededCheck: times(20, 1) };
    expect(pollAt({ volume, watch, atMinute: 22, parts: [...parts], points }).watch.queueAtLimit).toBe(3);
  });
});

describe('life', () => {
  const held = pollAt({
    volume,
    watch: aWatch(volume),
    atMinute: 10,
    parts: ['checks', 'rates'],
    points: atLimit(lastMinutes(3)),
  });
  const next = (watch: typeof held.watch, atMinute: number, iops: number[]) =>
    pollAt({ volume, watch, atMinute, parts: ['checks', 'rates'], points: atLimit(iops) });

  test('what goes on is said four times in a quarter of an hour, and then every half hour', () => {
    let { watch } = held;
    const said: number[] = [];
    for (let minute = 11; minute <= 110; minute++) {
      const after = next(watch, minute, times(10, 1));
      if (after.observations.length > 0) said.push(minute);
      watch = after.watch;
    }
    expect(said).toEqual([15, 20, 25, 55, 85]);
  });

  test('what is over is said to be gone for twenty minutes, and then forgotten', () => {
    let { watch } = held;
    const said: string[] = [];
    for (let minute = 30; minute <= 80; minute += 5) {
      const after = next(watch, minute, none);
      said.push(...notified(after));
      watch = after.watch;
    }
    expect(said).toEqual(times(5, 'throttled-volume-iops gone'));
    expect(watch.open).toEqual({});
  });

  test('two rounds of one tick never say two things at one time', () => {
    const again = next(held.watch, 10, none);
    const first = held.observations[0]?.atEpochSeconds as number;
    for (const { atEpochSeconds } of again.observations) expect(atEpochSeconds).toBeGreaterThan(first);
  });

  test('a volume that was changed is polled anew, and what was reported of it stays to be taken back', () => {
    const changed = { ...volume, iops: 6_000 };
    const watch = ofVolumeNow(held.watch, changed);
    expect(watch).toMatchObject({
      throttled: null,
      lately: null,
      balance: null,
      askedEpochSeconds: { checks: null },
    });
    expect(Object.keys(watch.open)).toEqual(['throttled-volume-iops']);
    expect(ofVolumeNow(held.watch, { ...volume, name: 'renamed' })).toBe(held.watch);
    const after = pollAt({ volume: changed, watch, atMinute: 20, points: checks(none) });
    expect(notified(after)).toEqual(['throttled-volume-iops gone']);
  });

  test('what is open of credits is said to be gone where the volume has none any more', () => {
    const gp2 = aGp2(100);
    const gp3 = { ...gp2, volumeType: 'gp3', iops: 3_000, throughputMiBps: 125 };
    const open = openFrom(start);
    const before = aWatch(gp2, { open: { 'credits-exhausted': open, 'credits-will-exhaust': open } });
    const watch = ofVolumeNow(before, gp3);
    const after = pollAt({ volume: gp3, watch, atMinute: 20, points: checks(none) });
    expect(notified(after)).toEqual(['credits-exhausted gone', 'credits-will-exhaust gone']);
  });

  test('tags go with what is reported, for routes', () => {
    const tagged = aVolume({ tags: { team: 'payments' } });
    const { observations } = pollAt({
      volume: tagged,
      watch: aWatch(tagged),
      atMinute: 10,
      parts: ['checks', 'rates'],
      points: atLimit(lastMinutes(3)),
    });
    expect(observations[0]?.finding?.resource.tags).toEqual({ team: 'payments' });
  });

  test('a watch is the same after a trip through JSON', () => {
    expect(watchSchema.parse(JSON.parse(JSON.stringify(held.watch)))).toEqual(held.watch);
  });
});
