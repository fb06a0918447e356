/** What a bucket came back from, by hour of the day. */
import fc from 'fast-check';
import { lowestBefore, noLowest, withBalances } from '../../../core/monitoring/watch.ts';
import { metricSet } from '../../fixtures/metric-set.ts';
import { start } from './watching.ts';

const hour = 3_600;
const day = 24 * hour;

function after(
  lowest: string,
  values: (number | undefined)[],
  fromEpochSeconds: number,
  untilEpochSeconds: number | null,
) {
  const series = metricSet({ BurstBalance: values }, 60, fromEpochSeconds).get('BurstBalance');
  if (series === undefined) return lowest;
  return withBalances(lowest, series, untilEpochSeconds === null ? null : { percent: 0, untilEpochSeconds });
}

/** An hour at midnight that fell to so much, and the first minute of the next. */
const midnight = (percent: number): string =>
  after(noLowest, [...Array.from({ length: 59 }, () => 90), percent, 100], start, null);

test('the lowest of an hour is known to the same hour of the next day', () => {
  expect(lowestBefore(midnight(41), start + day, start + day)).toBe(40); // steps of two, rounded down
  expect(lowestBefore(midnight(41), start + day - 2 * hour, start + day + hour)).toBe(40);
  expect(lowestBefore(midnight(41), start + day + 2 * hour, start + day + 5 * hour)).toBeNull();
});

test('an hour that ran dry is no comfort', () => {
  expect(lowestBefore(midnight(1.9), start + day, start + day)).toBeNull();
});

test('the hour that is not over does not hide the day before', () => {
  const today = after(midnight(41), [30, 20, 10], start + day, start + hour + 60);
  expect(lowestBefore(today, start + day + 180, start + day + 180)).toBe(40);
  const nextHour = after(today, [12], start + day + hour, start + day + 180);
  expect(lowestBefore(nextHour, start + 2 * day, start + 2 * day)).toBe(10);
});

test('however the minutes of days are cut into polls, it is the lowest of each hour', () => {
  const minutes = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 1_800 });
  fc.assert(
    fc.property(minutes, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (values, cuts) => {
      let [lowest, seen] = [noLowest, 0];
      for (let i = 0; seen < values.length; i++) {
        const end = Math.min(values.length, seen + (cuts[i % cuts.length] as number));
        // Each poll reads a quarter of an hour once more.
        const from = Math.max(0, seen - 15);
        const until = seen === 0 ? null : start + seen * 60;
        lowest = after(lowest, values.slice(from, end), start + from * 60, until);
        seen = end;
      }
      const hours = Math.floor((values.length - 1) / 60);
      for (let h = Math.max(0, hours - 24); h < hours; h++) {
        const least = Math.min(...values.slice(h * 60, h * 60 + 60));
        const expected = least < 2 ? null : 2 * Math.floor(least / 2);
        const found = lowestBefore(lowest, start + h * hour, start + h * hour);
        expect(found === null ? null : Math.round(found)).toBe(expected);
      }
    }),
    { seed: 8, numRuns: 100 },
  );
});
