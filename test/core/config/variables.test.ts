/** What functions are given of the configuration is what they read. */
import { z } from 'zod';
import { lifeRules } from '../../../core/advisory/life-rules.ts';
import { checked } from '../../../core/config/check.ts';
import { lifeRulesOf, lifeVariables, lifeVariablesOf, variablesOf } from '../../../core/config/variables.ts';
import { envSchema as collectEnv } from '../../../lambdas/collect-findings/env.ts';
import { envSchema as discoverEnv } from '../../../lambdas/discover-volumes/env.ts';
import { envSchema as judgeEnv } from '../../../lambdas/judge-batch/env.ts';

const said = {
  exclude: { tags: { environment: ['test', 'sandbox'], ignore: '*' } },
  thresholds: { throttledWarningMinutes: 10 },
  routes: [{ to: ['slack'], tags: { team: 'payments' } }],
};
const { config } = checked(said);
const variables = config === null ? null : variablesOf(config);

test('exclusions, the keys of tags and thresholds', () => {
  expect(discoverEnv.parse({ BUCKET: 'b', ...variables })).toEqual({
    BUCKET: 'b',
    EXCLUDE_TAGS: said.exclude.tags,
    TAG_KEYS: ['environment', 'ignore', 'team'],
    THRESHOLDS: said.thresholds,
  });
  const ofJudge = { BUCKET: 'b', STRIPES_DOCUMENT: '', STRIPES_REGION: 'us-east-1' };
  expect(judgeEnv.parse({ ...ofJudge, ...variables }).THRESHOLDS).toEqual(said.thresholds);
  expect(collectEnv.parse({ BUCKET: 'b', SPEND_TABLE: 's', ...variables }).THRESHOLDS).toEqual(
    said.thresholds,
  );
});

test.each(['', 'x', '[]', '{"microBurstMinutes": 0}', '{"other": 1}'])(
  'a function that is given thresholds like %j does not judge by others: it fails',
  (THRESHOLDS) => {
    expect(collectEnv.safeParse({ BUCKET: 'b', THRESHOLDS }).success).toBe(false);
  },
);

test('how findings live, by what a function was given, is how the configuration says', () => {
  const advisory = { leastSeverity: 'critical', rememberDays: 30 };
  const { config } = checked({ advisory, audit: { everyHours: 6 } });
  const given = config === null ? {} : lifeVariablesOf(config);
  expect(given).toEqual({ LEAST_SEVERITY: 'critical', REMEMBER_DAYS: '30', AUDIT_EVERY_HOURS: '6' });
  const expected = lifeRules({ leastSeverity: 'critical', rememberDays: 30, auditEveryHours: 6 });
  expect(lifeRulesOf(z.object(lifeVariables).parse(given))).toEqual(expected);
});
