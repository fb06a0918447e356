/** Which news is more urgent, and which is none to look at. */
import { changes, isResolved, isResolvedOrBetter, newsRank } from '../../../core/schemas/changes.ts';
import { moreUrgent, type Severity, severities } from '../../../core/schemas/finding-kinds.ts';

test('news sorts by severity, and what is over comes after all of it', () => {
  const news = changes.flatMap((change) => severities.map((severity) => ({ change, severity })));
  const sorted = news.toSorted((a, b) => newsRank(a) - newsRank(b));
  expect(sorted.slice(-3).map(({ change }) => change)).toEqual(['resolved', 'resolved', 'resolved']);
  const open = sorted.slice(0, -3).map(({ severity }) => severity);
  expect(open).toEqual(severities.flatMap((severity) => Array(5).fill(severity)));
});

test.each([
  ['opened', false, false],
  ['worse', false, false],
  ['better', false, true],
  ['resolved', true, true],
  ['reopened', false, false],
  ['validated', false, false],
] as const)('%s', (change, over, resolvedOrBetter) => {
  expect(isResolved({ change })).toBe(over);
  expect(isResolvedOrBetter({ change })).toBe(resolvedOrBetter);
});

test.each<[Severity | null, Severity | null, Severity | null]>([
  ['critical', 'warning', 'critical'],
  ['info', 'warning', 'warning'],
  ['info', 'info', 'info'],
  [null, 'info', 'info'],
  ['warning', null, 'warning'],
  [null, null, null],
])('of %s and %s the more urgent is %s', (a, b, expected) => {
  expect(moreUrgent(a, b)).toBe(expected);
});
