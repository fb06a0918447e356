/** Times of a day, and what clocks of a zone show. */
import fc from 'fast-check';
import { epochSecondsOf } from '../../core/units.ts';
import {
  hoursAndMinutes,
  momentOf,
  secondsOfDay,
  timeOfDayPattern,
  toLocalSeconds,
} from '../../core/wall-clock.ts';
import { timeZones } from '../fixtures/time-zones.ts';

test.each([
  ['00:00', { hours: 0, minutes: 0 }, 0],
  ['07:30', { hours: 7, minutes: 30 }, 27_000], // 7 x 3,600 + 30 x 60
  ['23:59', { hours: 23, minutes: 59 }, 86_340],
])('%s is a time of the day', (time, parts, seconds) => {
  expect(time).toMatch(timeOfDayPattern);
  expect(hoursAndMinutes(time)).toEqual(parts);
  expect(secondsOfDay(time)).toBe(seconds);
});

test.each(['', '7:30', '24:00', '12:60', '12:30:00', '12', 'noon'])('%j is none', (text) => {
  expect(text).not.toMatch(timeOfDayPattern);
});

test.each([
  ['UTC', '2026-11-20T23:30:00Z', '2026-11-20T23:30:00Z'],
  // An hour ahead in winter, two in summer.
  ['Europe/Berlin', '2026-11-20T23:30:00Z', '2026-11-21T00:30:00Z'],
  ['Europe/Berlin', '2026-07-20T22:00:00Z', '2026-07-21T00:00:00Z'],
  ['Asia/Kolkata', '2026-11-20T23:30:07Z', '2026-11-21T05:00:07Z'],
])('clocks of %s at %s show %s', (timeZone, now, shown) => {
  expect(toLocalSeconds(epochSecondsOf(now), timeZone)).toBe(epochSecondsOf(shown));
});

test('what clocks show at the moment at which they show something is that, but for an hour that is not there', () => {
  const zone = fc.constantFrom(...timeZones);
  const wall = fc.integer({ min: 1_767_225_600, max: 1_830_297_600 });
  fc.assert(
    fc.property(wall, zone, (wallSeconds, timeZone) => {
      expect([0, 3_600]).toContain(toLocalSeconds(momentOf(wallSeconds, timeZone), timeZone) - wallSeconds);
    }),
  );
  const skipped = epochSecondsOf('2026-03-29T02:30:00Z');
  expect(toLocalSeconds(momentOf(skipped, 'Europe/Berlin'), 'Europe/Berlin')).toBe(skipped + 3_600);
});
