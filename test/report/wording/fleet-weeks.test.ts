/** Seven days of the fleet and those before, as a digest says them in a line. */
import { digestLines } from '../../../report/digest-text.ts';
import { findingsOfWeek, weeksLines } from '../../../report/wording/fleet-weeks.ts';
import { aDigest, aFleetSpan } from '../../fixtures/digests.ts';

const fleet = aFleetSpan().fleet as NonNullable<ReturnType<typeof aFleetSpan>['fleet']>;
const before = aFleetSpan({
  ...{ from: '2026-11-06', to: '2026-11-12', throttledMinutes: 1_240 },
  fleet: { ...fleet, usdMonth: 4_900 },
});
const unknown = { daysEvaluated: 0, throttledMinutes: null, fleet: null };

test.each([
  [
    'all is known',
    [before, aFleetSpan()],
    '7 days to 2026-11-19: throttled minutes 312, in the 7 days before 1,240. EBS: 4,812.00 USD a month (a week before 4,900.00 USD).',
  ],
  [
    'nothing is known of the days before',
    [aFleetSpan(unknown), aFleetSpan()],
    '7 days to 2026-11-19: throttled minutes 312, in the 7 days before unknown. EBS: 4,812.00 USD a month.',
  ],
  [
    'days and prices are missing',
    [before, aFleetSpan({ daysEvaluated: 5, fleet: { ...fleet, unpriced: 2 } })],
    '7 days to 2026-11-19: throttled minutes 312 in 5 of 7 days, in the 7 days before 1,240. EBS: at least 4,812.00 USD a month (a week before 4,900.00 USD).',
  ],
  [
    'no price is known, and nothing was evaluated',
    [before, aFleetSpan({ ...unknown, fleet: { ...fleet, usdMonth: null } })],
    '7 days to 2026-11-19: throttled minutes unknown, in the 7 days before 1,240. EBS: USD a month unknown.',
  ],
])('where %s', (_, weeks, line) => {
  expect(weeksLines(weeks)).toEqual([line]);
  expect(digestLines(aDigest({ weeks })).at(-1)).toBe(line);
});

test('without an archive a digest is as it was', () => {
  expect(digestLines(aDigest())).toHaveLength(1);
});

test.each([
  [{}, '1 critical, 2 warnings'],
  [{ findings: { critical: 0, warning: 0, info: 0 } }, 'none'],
  [{ partial: true }, 'at least 1 critical, 2 warnings'],
  [{ findings: null }, null],
])('findings of a week: %j is %j', (of, text) => {
  expect(findingsOfWeek(aFleetSpan({ fleet: { ...fleet, ...of } }))).toBe(text);
});
