/** What functions are given of the configuration is what they read. */
import { z } from 'zod';
import { checked } from '../../../core/config/check.ts';
import {
  lifecycleRulesOf,
  lifecycleVariables,
  lifecycleVariablesOf,
  maxHoursOf,
  readMinutesOf,
  variablesOf,
} from '../../../core/config/variables.ts';
import { lifecycleRules } from '../../../core/lifecycle/lifecycle-rules.ts';
import { envSchema as collectEnv } from '../../../lambdas/collect-findings/env.ts';
import { envSchema as discoverEnv } from '../../../lambdas/discover-volumes/env.ts';
import { envSchema as evaluateEnv } from '../../../lambdas/evaluate-batch/env.ts';

const said = {
  exclude: { tags: { environment: ['test', 'sandbox'], ignore: '*' } },
  thresholds: { throttledWarningMinutes: 10 },
  routes: [{ to: ['slack'], tags: { team: 'payments' } }],
};
const { config } = checked(said);
const variables = config === null ? null : variablesOf(config);

const ofCollecting = {
  ...{ BUCKET: 'b', SPEND_TABLE: 's', EVERY_MINUTES: '1', API_USD_PER_MONTH: '' },
  AUDIT_EVERY_HOURS: '24',
};

test('exclusions, the keys of tags and thresholds', () => {
  expect(discoverEnv.parse({ BUCKET: 'b', POINT_RATES: 'null', ...variables })).toEqual({
    BUCKET: 'b',
    EXCLUDE_TAGS: said.exclude.tags,
    TAG_KEYS: ['environment', 'ignore', 'team'],
    THRESHOLDS: said.thresholds,
    POINT_RATES: null,
  });
  const ofEvaluation = {
    ...{ BUCKET: 'b', STRIPES_DOCUMENT: '', STRIPES_REGION: 'us-east-1' },
    POINT_RATES: '{"recent":1,"older":2}',
  };
  expect(evaluateEnv.parse({ ...ofEvaluation, ...variables }).THRESHOLDS).toEqual(said.thresholds);
  expect(collectEnv.parse({ ...ofCollecting, ...variables }).THRESHOLDS).toEqual(said.thresholds);
});

test.each(['', 'x', '[]', '{"microBurstMinutes": 0}', '{"other": 1}'])(
  'a function that is given thresholds like %j does not evaluate by others: it fails',
  (THRESHOLDS) => {
    expect(collectEnv.safeParse({ ...ofCollecting, THRESHOLDS }).success).toBe(false);
  },
);

test('how findings live, by what a function was given, is how the configuration says', () => {
  const notifications = { minSeverity: 'critical', retentionDays: 30 };
  const { config } = checked({ notifications, audit: { everyHours: 6 } });
  const given = config === null ? {} : lifecycleVariablesOf(config);
  expect(given).toEqual({ MIN_SEVERITY: 'critical', RETENTION_DAYS: '30', AUDIT_EVERY_HOURS: '6' });
  const expected = lifecycleRules({ minSeverity: 'critical', retentionDays: 30, auditEveryHours: 6 });
  expect(lifecycleRulesOf(z.object(lifecycleVariables).parse(given))).toEqual(expected);
});

test.each([
  { everyHours: 24, maxHours: 12, readMinutes: 690 },
  { everyHours: 6, maxHours: 6, readMinutes: 330 },
  { everyHours: 1, maxHours: 1, readMinutes: 30 },
])('a run every $everyHours h ends within $maxHours h, of which it reads for $readMinutes min', (row) => {
  expect({ ...row, maxHours: maxHoursOf(row), readMinutes: readMinutesOf(row) }).toEqual(row);
});
