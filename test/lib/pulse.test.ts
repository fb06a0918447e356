/** The watch between two audits: when it beats, what it knows, and that there is nothing of it where nobody wants it. */
import { patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let stack: Synthesized;
let other: Synthesized;
let without: Synthesized;
beforeAll(async () => {
  stack = await synthesized('usual');
  other = await synthesized('otherValues');
  without = await synthesized('everyChannel');
}, patience);

const functionType = 'AWS::Lambda::Function';
const variablesOf = (of: Synthesized, name = 'PulseWatchVolumes'): Record<string, unknown> =>
  (of.one(functionType, name).Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;

test.each([
  ['by default each minute', () => stack, 'rate(1 minute)'],
  ['as the configuration says', () => other, 'rate(5 minutes)'],
])('it beats %s; what could not be called within a minute is left to the next beat', (_, of, expression) => {
  const { Properties } = of().one('AWS::Scheduler::Schedule', 'PulseSchedule');
  expect(Properties).toMatchObject({ ScheduleExpression: expression, State: 'ENABLED' });
  const target = Properties['Target'] as Record<string, unknown>;
  expect(target).toMatchObject({
    Input: '{}',
    RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 60 },
  });
  expect(shortly(target['Arn'])).toBe('PulseWatchVolumesFunction');
});

test('it watches the Region of the stack, by the rules of the audit, without a bound', () => {
  expect(variablesOf(stack)).toMatchObject({
    ACCOUNT: { Ref: 'AWS::AccountId' },
    REGIONS: { Ref: 'AWS::Region' },
    ...{ EVERY_MINUTES: '1', API_USD_PER_MONTH: '', LEAST_SEVERITY: 'warning' },
    ...{ REMEMBER_DAYS: '90', AUDIT_EVERY_HOURS: '24' },
  });
});

test('or what the configuration says', () => {
  expect(variablesOf(other)).toMatchObject({
    ...{ REGIONS: 'eu-west-1,eu-west-3', EVERY_MINUTES: '5', API_USD_PER_MONTH: '12.5' },
    ...{ LEAST_SEVERITY: 'critical', REMEMBER_DAYS: '30', AUDIT_EVERY_HOURS: '6' },
  });
  const judge = variablesOf(other, 'AuditJudgeBatch');
  expect(variablesOf(other)['THRESHOLDS']).toBe(judge['THRESHOLDS']);
  expect(String(judge['THRESHOLDS'])).toContain('throttledWarningMinutes');
  const discover = variablesOf(other, 'AuditDiscoverVolumes');
  for (const name of ['EXCLUDE_TAGS', 'TAG_KEYS']) expect(variablesOf(other)[name]).toBe(discover[name]);
});

test('it writes into the records that who tells reads, adds to what audits cost, and calls who tells', () => {
  const pulse = variablesOf(stack);
  expect(pulse['FINDINGS_TABLE']).toEqual(variablesOf(stack, 'AdvisoryTellFindings')['FINDINGS_TABLE']);
  expect(pulse['SPEND_TABLE']).toEqual(variablesOf(stack, 'AuditCollectFindings')['SPEND_TABLE']);
  expect(shortly(pulse['TELL_FUNCTION_ARN'])).toBe('AdvisoryTellFindingsFunction');
  expect(shortly(pulse['WATCHES_TABLE'])).toBe('PulseWatches');
});

test('without it there is nothing of it', () => {
  expect(Object.keys(without.json.Resources).filter((id) => id.startsWith('Pulse'))).toEqual([]);
});
