/** A check of 1 throttles where the average of its minute is near the limit: until that is known nothing is said of it. */
import fc from 'fast-check';
import { unknown } from '../../../core/known.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import { afterPoll } from '../../../core/monitoring/after-poll.ts';
import { lastUndecided } from '../../../core/monitoring/checked-minutes.ts';
import { dueOfParts } from '../../../core/monitoring/next-poll.ts';
import { type Poll, queriesOfPoll } from '../../../core/monitoring/queries-of-poll.ts';
import { urgencyOf } from '../../../core/monitoring/say.ts';
import { minutesByCause } from '../../../core/monitoring/throttled-minutes.ts';
import { newWatch, type Watch, watchSchema } from '../../../core/monitoring/watch.ts';
import { bytesPerMiB } from '../../../core/units.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { readsOf16KiB } from '../../fixtures/metric-set.ts';
import { atLimit, aWatch, checks, notified, pollAt, start, tickSeconds, times, watched } from './watching.ts';

const volume = aVolume();
const minute = 60;
const lastThree = [...times(7, 0), 1, 1, 1];
const checksAlone = (watch = aWatch(volume), iops = lastThree, atMinute = 10) =>
  pollAt({ volume, watch, atMinute, parts: ['checks'], points: checks(iops) });
/** Minutes after the start. */
const ratesDue = (watch: Watch, atMinute: number): number =>
  (dueOfParts(watch, watched(volume), start + atMinute * minute, tickSeconds).rates - start) / minute;
const limitMinutes = (watch: Watch): number[] =>
  minutesByCause(watch.throttled, start + 600)['volume-iops'].map((time) => (time - start) / minute);

test('checks alone say nothing yet, and call for the rates at once', () => {
  const after = checksAlone();
  expect(notified(after)).toEqual([]);
  expect(after.watch).toMatchObject({ throttled: null, nextPollEpochSeconds: 0 });
  const poll = queriesOfPoll(after.watch, watched(volume), start + 600, tickSeconds);
  expect(poll?.parts).toEqual(['queue', 'rates']);
});

test('with the rates, in the same tick, it is said as of the minutes of the checks', () => {
  const { watch } = checksAlone();
  const after = pollAt({
    ...{ volume, watch, atMinute: 10, parts: ['queue', 'rates'] },
    points: readsOf16KiB(times(10, 170_000)), // 2,833 of 3,000 IOPS
  });
  expect(notified(after)).toEqual(['throttled-volume-iops critical']);
  expect(limitMinutes(after.watch)).toEqual([5, 6, 7]);
  expect(lastUndecided(after.watch.checked)).toBeNull();
});

test.each([
  ['just below 80 % of the limit is a micro-burst, which monitoring leaves to the audit', 143_000, []],
  ['80 % of it is throttled', 144_000, [5, 6, 7]],
])('%s', (_, operations, expected) => {
  const points = { ...readsOf16KiB(times(10, operations)), ...checks(lastThree) };
  const after = pollAt({ volume, watch: aWatch(volume), atMinute: 10, parts: ['checks', 'rates'], points });
  expect(limitMinutes(after.watch)).toEqual(expected);
  expect(after.watch.lately?.iops).toBeCloseTo(expected.length === 0 ? 0.794 : 1, 3);
});

test('a micro-burst that is seen again is not asked for again', () => {
  const points = { ...readsOf16KiB(times(10, 60_000)), ...checks(lastThree) };
  const { watch } = pollAt({
    volume,
    watch: aWatch(volume),
    atMinute: 10,
    parts: ['checks', 'rates'],
    points,
  });
  const again = checksAlone(watch, [...lastThree.slice(1), 0], 11);
  expect(lastUndecided(again.watch.checked)).toBeNull();
  expect(ratesDue(again.watch, 11)).toBe(6 * 60 + 10);
});

test('what is said stands while newer minutes are undecided', () => {
  const held = pollAt({
    volume,
    watch: aWatch(volume),
    atMinute: 10,
    parts: ['checks', 'rates'],
    points: atLimit(lastThree),
  });
  expect(notified(held)).toEqual(['throttled-volume-iops critical']);
  // Minutes 10 to 19, ten minutes after the last that counted: said as of minute 11.
  const after = checksAlone(held.watch, times(10, 1), 22);
  expect(notified(after)).toEqual(['throttled-volume-iops critical']);
  // Minute 4 came late: said as of minute 10, and not of minute 4.
  const late = checksAlone(held.watch, [...times(4, 0), ...times(4, 1), 0, 0], 12);
  expect(lastUndecided(late.watch.checked)).toBe(start + 4 * minute);
  expect(late.watch.open['throttled-volume-iops']).toMatchObject({ severity: 'critical', gone: false });
});

test('rates that decide are as urgent as a suspect', () => {
  const { watch } = checksAlone();
  const now = start + 10 * minute;
  const urgency = (of: Watch, parts: Poll['parts']): number =>
    urgencyOf(
      { ...of, nextPollEpochSeconds: now },
      watched(volume),
      { volumeId: volume.volumeId, region: volume.region, parts, queries: [], fromEpochSeconds: start },
      now,
    );
  expect(urgency(watch, ['rates'])).toBe(urgency({ ...watch, suspect: true }, ['queue']));
  expect(urgency(watch, ['queue'])).toBeLessThan(urgency(watch, ['rates']));
});

test('rates that come later decide it then; meanwhile they are asked for every three minutes, for half an hour', () => {
  const late = pollAt({
    volume,
    watch: checksAlone().watch,
    atMinute: 10,
    parts: ['queue', 'rates'],
    points: readsOf16KiB(times(5, 170_000)),
    untilMinute: 3,
  });
  expect(notified(late)).toEqual([]);
  expect(ratesDue(late.watch, 10)).toBe(13);
  const there = pollAt({
    volume,
    watch: late.watch,
    atMinute: 13,
    parts: ['queue', 'rates'],
    points: readsOf16KiB(times(10, 170_000)),
  });
  expect(limitMinutes(there.watch)).toEqual([5, 6, 7]);
  expect(ratesDue(late.watch, 37)).toBe(13);
  expect(ratesDue(late.watch, 38)).toBe(10 + 15);
});

test('on an empty bucket a check of 1 is for want of credits, whatever the average', () => {
  const gp2 = aVolume({ volumeType: 'gp2', iops: 300, throughputMiBps: null });
  const points = { ...checks(lastThree), BurstBalance: times(10, 0) };
  const after = pollAt({
    volume: gp2,
    watch: aWatch(gp2),
    atMinute: 10,
    parts: ['balance', 'checks'],
    points,
  });
  expect(notified(after)).toEqual(['credits-exhausted warning']);
  expect(lastUndecided(after.watch.checked)).toBeNull();
});

test('a minute before the bucket was empty stays one of the limit, though it is empty when its rates come', () => {
  const gp2 = aVolume({ volumeType: 'gp2', iops: 300, throughputMiBps: null });
  const points = { ...checks([...times(5, 0), 1, 1, 1, 0, 0]), BurstBalance: [...times(8, 3), 0.5, 0.5] };
  const { watch } = pollAt({
    volume: gp2,
    watch: aWatch(gp2),
    atMinute: 10,
    parts: ['balance', 'checks'],
    points,
  });
  const after = pollAt({
    ...{ volume: gp2, watch, atMinute: 10, parts: ['queue', 'rates'] },
    points: readsOf16KiB(times(10, 170_000)),
  });
  expect(limitMinutes(after.watch)).toEqual([3, 4, 5]);
});

test('a balance that comes later than the rates: it was for want of credits, and counts once', () => {
  const gp2 = aVolume({ volumeType: 'gp2', iops: 300, throughputMiBps: null });
  const parts: Poll['parts'] = ['balance', 'queue', 'checks', 'rates'];
  const points = { ...readsOf16KiB(times(10, 18_000)), ...checks([...times(9, 0), 1]) };
  const early = { ...points, BurstBalance: [...times(9, 2), undefined] };
  const first = pollAt({
    ...{ volume: gp2, watch: aWatch(gp2), atMinute: 12, untilMinute: 10, parts },
    points: early,
  });
  expect(first.watch.throttled).toBeNull();
  let { watch } = first;
  for (const atMinute of [13, 14]) {
    const later = { ...points, BurstBalance: [...times(9, 2), 0.5] };
    watch = pollAt({ ...{ volume: gp2, watch, atMinute, untilMinute: 10, parts }, points: later }).watch;
    expect(minutesByCause(watch.throttled, start + 600)['volume-credits']).toEqual([start + 9 * minute]);
  }
});

interface SimulatedMinute {
  byIops: boolean;
  byThroughput: boolean;
  /** Of both limits, on average. */
  share: number;
  /** Minutes from its end until its checks are there, and its rates. */
  checksLate: number;
  ratesLate: number;
}

const calm: SimulatedMinute = { byIops: false, byThroughput: false, share: 0.1, checksLate: 2, ratesLate: 2 };
/** So long after the last minute everything was asked for once more, as it is every six hours. */
const afterwards = 400;

/** Ticks of monitoring over these minutes and some hours more, each with two rounds at most. */
function watchedOver(minutes: readonly SimulatedMinute[], firstAsked: number): Watch {
  const of = watched(volume);
  let watch: Watch = { ...newWatch(volume, start), nextPollEpochSeconds: start + firstAsked * minute };
  for (let now = firstAsked; now < minutes.length + afterwards; now++) {
    for (let round = 0; round < 2 && watch.nextPollEpochSeconds <= start + now * minute; round++) {
      const poll = queriesOfPoll(watch, of, start + now * minute, tickSeconds);
      if (poll === null) break;
      const collector = new MetricCollector(minute);
      for (const { metric } of poll.queries) {
        const [times, values]: [number[], number[]] = [[], []];
        minutes.forEach((one, i) => {
          const late = metric.endsWith('Check') ? one.checksLate : one.ratesLate;
          const time = start + i * minute;
          if (i + 1 + late > now || time < poll.fromEpochSeconds) return;
          times.push(time);
          values.push(pointOf(metric, one));
        });
        collector.add(volume.volumeId, metric, times, values);
      }
      const context = {
        ...{ nowEpochSeconds: start + now * minute, tickSeconds, delaySeconds: null },
        advising: () => unknown({ code: 'no-ebs-prices' as const, region: volume.region }),
      };
      watch = afterPoll(watch, of, poll, collector.finish().of(volume.volumeId), context).watch;
      watch = watchSchema.parse(JSON.parse(JSON.stringify(watch)));
    }
  }
  return watch;
}

function pointOf(metric: string, { byIops, byThroughput, share }: SimulatedMinute): number {
  if (metric === 'VolumeIOPSExceededCheck') return byIops ? 1 : 0;
  if (metric === 'VolumeThroughputExceededCheck') return byThroughput ? 1 : 0;
  if (metric === 'VolumeReadOps') return share * 3_000 * minute;
  if (metric === 'VolumeReadBytes') return share * 125 * bytesPerMiB * minute;
  return metric === 'VolumeQueueLength' ? 1 + 30 * share : 0;
}

test('whatever comes late, and however it is polled: each minute counts once or not at all, and none is lost', () => {
  const one = fc.record({
    byIops: fc.boolean(),
    byThroughput: fc.boolean(),
    share: fc.constantFrom(0.1, 0.5, 0.79, 0.81, 1),
    checksLate: fc.integer({ min: 1, max: 12 }),
    ratesLate: fc.integer({ min: 1, max: 25 }),
  });
  const minutes = fc.array(one, { minLength: 1, maxLength: 120, size: 'max' });
  let counted = 0;
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 30 }), (chosen, firstAsked) => {
      const simulated = [...times(3, calm), ...chosen];
      const watch = watchedOver(simulated, firstAsked);
      const found = minutesByCause(watch.throttled, start + (simulated.length + afterwards) * minute);
      const all = [...found['volume-iops'], ...found['volume-throughput']].sort((a, b) => a - b);
      const expected = simulated.flatMap(({ byIops, byThroughput, share }, i) =>
        (byIops || byThroughput) && share >= 0.8 ? [start + i * minute] : [],
      );
      expect(all).toEqual(expected);
      expect(lastUndecided(watch.checked)).toBeNull();
      expect(found['volume-credits']).toEqual([]);
      counted += all.length;
    }),
    { seed: 5, numRuns: 150 },
  );
  expect(counted).toBeGreaterThan(1_000);
});
