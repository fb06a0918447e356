/** Hours are counted from Thursday 1970-01-01 00:00 UTC. */
import fc from 'fast-check';
import { creditBucket, secondsToEmpty } from '../../../core/credits/credits.ts';
import { forecastByRhythm, type Rhythm, rhythmBases, rhythmOf } from '../../../core/credits/rhythm.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { uniformSource } from '../../simulator/random.ts';

const hour = 3_600;
const day = 24 * hour;

/** Five-minute points of a rate by the time of their start, up to now. */
function historyOf(rateAt: (epochSeconds: number) => number, fromSeconds: number, nowSeconds: number) {
  const epochSeconds = Float64Array.from(
    { length: (nowSeconds - fromSeconds) / 300 },
    (_, i) => fromSeconds + i * 300,
  );
  return { axis: { periodSeconds: 300, epochSeconds }, rates: epochSeconds.map(rateAt) };
}

function rhythmFor(rateAt: (epochSeconds: number) => number, nowSeconds: number, fromSeconds = 0): Rhythm {
  const { axis, rates } = historyOf(rateAt, fromSeconds, nowSeconds);
  const rhythm = rhythmOf(axis, rates, nowSeconds);
  if (!rhythm.known) throw new Error(rhythm.reason.code);
  return rhythm.value;
}

/** Beside a batch each day at 13:00, so that there is a rhythm whatever the nights do. */
const withAfternoons =
  (rateAt: (epochSeconds: number) => number) =>
  (time: number): number =>
    Math.floor(time / hour) % 24 === 13 ? 3_000 : rateAt(time);

const basisAt = ({ basis }: Rhythm, slot: number) => rhythmBases[basis[slot] as number];

/** `value` in the hour from 01:00 of the days that count, else 100. */
const nightly =
  (value: number, counts: (day: number) => boolean = () => true) =>
  (time: number): number =>
    Math.floor(time / hour) % 24 === 1 && counts(Math.floor(time / day)) ? value : 100;

test('the mean of the hour: 20 minutes at 900 and 40 at 300 are 500', () => {
  const rhythm = rhythmFor((time) => (time % hour < 1_200 ? 900 : 300), 3 * day);
  expect([...rhythm.ratePerSecond]).toEqual(Array(168).fill(500));
  expect(rhythm.historyDays).toBe(3);
});

describe('what an hour rests on', () => {
  test('from two weeks on the same hour of the week', () => {
    const isMonday = (dayNumber: number): boolean => dayNumber % 7 === 4; // day 0 is a Thursday
    const rhythm = rhythmFor(nightly(2_300, isMonday), 14 * day);
    expect(rhythm.ratePerSecond[4 * 24 + 1]).toBe(2_300);
    expect(rhythm.ratePerSecond[5 * 24 + 1]).toBe(100);
    expect(basisAt(rhythm, 4 * 24 + 1)).toBe('hour-of-week');
  });

  test('of two such hours the lower, of three the middle one: what came on one day is left out', () => {
    const on = (...days: number[]) =>
      rhythmFor(withAfternoons(nightly(2_300, (one) => days.includes(one))), 21 * day);
    expect(on(4).ratePerSecond[97]).toBe(100); // one of three Mondays
    expect(on(4, 11).ratePerSecond[97]).toBe(2_300); // two of three
    expect(rhythmFor(withAfternoons(nightly(2_300, (one) => one === 4)), 14 * day).ratePerSecond[97]).toBe(
      100,
    ); // one of two
  });

  test('from 7 days on an hour of the week seen once brings no more than the other days at this hour', () => {
    const nightlyInAWeek = rhythmFor(nightly(2_300), 8 * day);
    expect(nightlyInAWeek.ratePerSecond[97]).toBe(2_300);
    expect(basisAt(nightlyInAWeek, 97)).toBe('hour-of-day');
    const onlyMonday = rhythmFor(withAfternoons(nightly(2_300, (one) => one === 4)), 8 * day);
    expect(onlyMonday.ratePerSecond[97]).toBe(100);
    const notOnMonday = rhythmFor(
      nightly(2_300, (one) => one !== 4),
      8 * day,
    );
    expect(notOnMonday.ratePerSecond[97]).toBe(100);
  });

  test('before 7 days the hour of the day; of one day only it says so', () => {
    const three = rhythmFor(nightly(2_300), 3 * day);
    expect([three.ratePerSecond[97], basisAt(three, 97)]).toEqual([2_300, 'hour-of-day']);
    const one = rhythmFor(nightly(2_300), day);
    expect([one.ratePerSecond[97], basisAt(one, 97)]).toEqual([2_300, 'one-day']);
  });

  test('a load that stopped for as long as it ran is expected no more', () => {
    const stopped = rhythmFor(withAfternoons(nightly(2_300, (one) => one < 6)), 12 * day);
    expect(stopped.ratePerSecond[97]).toBe(100);
  });

  test('hours of which less than half is known are not counted; where all are so, the hour is unknown', () => {
    const known = (from: number) => (time: number) =>
      Math.floor(time / hour) % 24 === 1 && time % hour >= from ? Number.NaN : 100;
    expect(rhythmFor(known(1_800), 3 * day).ratePerSecond[1]).toBe(100);
    const unknown = rhythmFor(known(1_500), 3 * day);
    expect([unknown.ratePerSecond[1], basisAt(unknown, 1)]).toEqual([Number.NaN, 'nothing']);
  });

  test('the hour that runs is not counted, and what is older than 8 weeks neither', () => {
    const now = 3 * day + 1_800;
    expect(rhythmFor((time) => (time >= 3 * day ? 9_000 : 100), now).ratePerSecond[3 * 24]).toBe(100);
    const old = rhythmFor((time) => (time < 60 * day ? 9_000 : 100), 117 * day); // from day 61 on
    expect([old.historyDays, Math.max(...old.ratePerSecond)]).toEqual([56, 100]);
  });
});

describe('no rhythm', () => {
  test('hours that come at random are none, though two of them look alike here and there', () => {
    const uniform = uniformSource(1, 'hours');
    const atRandom = Array.from({ length: 14 * 24 }, () => (uniform() < 0.5 ? 2_300 : 100));
    const { axis, rates } = historyOf((time) => atRandom[Math.floor(time / hour)] as number, 0, 14 * day);
    expect(rhythmOf(axis, rates, 14 * day)).toEqual({
      known: false,
      reason: { code: 'hours-differ' },
    });
  });

  test('nights of which two of 21 were left out are one: two of three Mondays are enough', () => {
    const mostly = rhythmFor(
      nightly(2_300, (one) => one !== 4 && one !== 12),
      21 * day,
    );
    expect(mostly.ratePerSecond[4 * 24 + 1]).toBe(2_300);
  });

  test.each([
    [23.5 * hour, 300, { code: 'short-history', hours: 23 }],
    [14 * day, 7_200, { code: 'points-over-an-hour' }],
  ])('%d s in points of %d s', (seconds, periodSeconds, reason) => {
    const epochSeconds = Float64Array.from({ length: seconds / periodSeconds }, (_, i) => i * periodSeconds);
    const axis = { periodSeconds, epochSeconds };
    expect(
      rhythmOf(
        axis,
        epochSeconds.map(() => 100),
        seconds,
      ),
    ).toEqual({ known: false, reason });
  });
});

describe('the forecast', () => {
  const bucket = creditBucket(volumeLimits({ volumeType: 'gp2', sizeGiB: 100, deployment: 'region' }));
  if (bucket === null) throw new Error('gp2 of 100 GiB has a bucket');

  test('a nightly hour at 2,300 IOPS, half an hour before it: 1,800 + 3.06 million / 2,000 s', () => {
    const now = 3 * day + 1_800;
    const found = forecastByRhythm(bucket, 2_700_000, rhythmFor(nightly(2_300), now), now);
    // the 200 credits a second that are earned until then are 360,000: (2.7 + 0.36) million / 2,000 = 1,530
    expect(found).toEqual({ secondsToEmpty: 1_800 + 1_530, basis: 'hour-of-day' });
  });

  test('above the burst it spends no faster than the burst: 5.4 million / 2,700', () => {
    const found = forecastByRhythm(
      bucket,
      5_400_000,
      rhythmFor(() => 9_000, day),
      day,
    );
    expect(found?.secondsToEmpty).toBe(2_000);
  });

  test('a full bucket earns nothing more, and what does not come in 7 days does not come', () => {
    // 2,000 x 3,600 would take 7.2 million; at 1,700 IOPS 5.04 million, earned back by day
    const survives = rhythmFor(nightly(1_700), 14 * day);
    expect(forecastByRhythm(bucket, 5_400_000, survives, 14 * day)).toBeNull();
    const empties = rhythmFor(nightly(2_300), 14 * day);
    expect(forecastByRhythm(bucket, 5_400_000, empties, 14 * day)?.secondsToEmpty).toBe(hour + 2_700);
  });

  test('an hour that is not known ends the forecast', () => {
    const gap = rhythmFor((time) => (Math.floor(time / hour) % 24 === 0 ? Number.NaN : 2_300), 14 * day);
    expect(forecastByRhythm(bucket, 5_400_000, gap, 14 * day)).toBeNull();
  });

  test('a rate that never changes is forecast as the rate alone says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000 }),
        fc.double({ min: 1, max: 5_400_000, noNaN: true }),
        fc.integer({ min: 0, max: 3_599 }),
        (rate, credits, intoTheHour) => {
          const now = 14 * day + intoTheHour;
          const found = forecastByRhythm(
            bucket,
            credits,
            rhythmFor(() => rate, 14 * day),
            now,
          );
          const expected = secondsToEmpty(bucket, credits, rate);
          if (expected === null || expected > 7 * day) expect(found).toBeNull();
          else expect(found?.secondsToEmpty).toBeCloseTo(expected, 4);
        },
      ),
      { seed: 8, numRuns: 50 },
    );
  });
});
