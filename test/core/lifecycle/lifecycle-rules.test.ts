/** How long what is better must stay so, and how long what was seen counts. */
import { lifecycleRules } from '../../../core/lifecycle/lifecycle-rules.ts';

const rulesOf = (auditEveryHours: number) =>
  lifecycleRules({ minSeverity: 'warning', retentionDays: 90, auditEveryHours });

test.each([
  // Half of the time between two runs; three runs, and three days at least.
  [1, 1_800, 259_200],
  [24, 43_200, 259_200],
  [48, 86_400, 518_400],
])('audits each %i hours: two observations over %i s, stale after %i s', (hours, seconds, staleSeconds) => {
  const rules = rulesOf(hours);
  expect(rules.settle.audit).toEqual({ observations: 2, seconds });
  expect(rules.staleSeconds.audit).toBe(staleSeconds);
});

test('monitoring polls three times over a quarter of an hour, however often audits are', () => {
  expect(rulesOf(1).settle.monitoring).toEqual({ observations: 3, seconds: 900 });
});
