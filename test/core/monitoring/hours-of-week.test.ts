import { pace } from '../../../core/monitoring/pace.ts';
import { expectedShare, noHours, withHour } from '../../../core/monitoring/watch.ts';
import { start } from './watching.ts';

const hour = 3_600;
const day = 24 * hour;

test('what an hour brought is expected of the same hour a week later, and a quarter of an hour before it', () => {
  const hours = withHour('0'.repeat(168), start + 10 * hour, 0.9);
  expect(expectedShare(hours, start + 7 * day + 10.5 * hour)).toBeCloseTo(0.9);
  expect(expectedShare(hours, start + 7 * day + 9.8 * hour)).toBeCloseTo(0.9);
  expect(expectedShare(hours, start + 7 * day + 9.5 * hour)).toBe(0);
});

test('it is expected of the next day too, and of no other', () => {
  const hours = withHour('0'.repeat(168), start + 10 * hour, 0.9);
  expect(expectedShare(hours, start + day + 10.5 * hour)).toBeCloseTo(0.9);
  expect(expectedShare(hours, start + 2 * day + 10.5 * hour)).toBe(0);
});

test('what did not come again fades, and is gone after some weeks', () => {
  let hours = withHour(noHours, start, 1);
  hours = withHour(hours, start + 7 * day, 0);
  expect(expectedShare(hours, start + 14 * day + 1_800)).toBeCloseTo(0.7);
  for (let week = 2; week < 20; week++) hours = withHour(hours, start + week * 7 * day, 0);
  expect(expectedShare(hours, start + 20 * 7 * day + 1_800)).toBeLessThan(0.05);
});

test('an hour that was never seen is no quiet one', () => {
  expect(expectedShare(noHours, start)).toBe(pace.unseenShare);
  expect(expectedShare(withHour(noHours, start, 0), start + 1_800)).toBe(0);
});

test('more than the limit is kept as such', () => {
  expect(expectedShare(withHour(noHours, start, 3), start + 1_800)).toBeGreaterThan(1.2);
});
