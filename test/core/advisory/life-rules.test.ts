/** How long what is better must stay so, and how long what was seen counts. */
import { lifeRules } from '../../../core/advisory/life-rules.ts';

const rulesOf = (auditEveryHours: number) =>
  lifeRules({ leastSeverity: 'warning', rememberDays: 90, auditEveryHours });

test.each([
  // Half of the time between two runs; three runs, and three days at least.
  [1, 1_800, 259_200],
  [24, 43_200, 259_200],
  [48, 86_400, 518_400],
])('audits each %i hours: two looks over %i s, stale after %i s', (hours, seconds, staleSeconds) => {
  const rules = rulesOf(hours);
  expect(rules.settle.audit).toEqual({ looks: 2, seconds });
  expect(rules.staleSeconds.audit).toBe(staleSeconds);
});

test('the pulse looks three times over a quarter of an hour, however often audits are', () => {
  expect(rulesOf(1).settle.pulse).toEqual({ looks: 3, seconds: 900 });
});
