/** The watch between two audits: when it beats, what it knows, and that there is nothing of it where nobody wants it. */
import { patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let stack: Synthesized;
let other: Synthesized;
let without: Synthesized;
let organized: Synthesized;
beforeAll(async () => {
  stack = await synthesized('usual');
  other = await synthesized('otherValues');
  without = await synthesized('everyChannel');
  organized = await synthesized('organization');
}, patience);

const functionType = 'AWS::Lambda::Function';
const variablesOf = (of: Synthesized, name = 'MonitoringWatchVolumes'): Record<string, unknown> =>
  (of.one(functionType, name).Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;

test.each([
  ['by default each minute', () => stack, 'rate(1 minute)'],
  ['as the configuration says', () => other, 'rate(5 minutes)'],
])('it beats %s; what could not be called within a minute is left to the next beat', (_, of, expression) => {
  const { Properties } = of().one('AWS::Scheduler::Schedule', 'MonitoringSchedule');
  expect(Properties).toMatchObject({ ScheduleExpression: expression, State: 'ENABLED' });
  const target = Properties['Target'] as Record<string, unknown>;
  expect(target).toMatchObject({
    Input: '{}',
    RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 60 },
  });
  expect(shortly(target['Arn'])).toBe('MonitoringWatchVolumesFunction');
});

test('it watches the Region of the stack, by the rules of the audit, within the default budget', () => {
  expect(variablesOf(stack)).toMatchObject({
    ACCOUNT: { Ref: 'AWS::AccountId' },
    REGIONS: { Ref: 'AWS::Region' },
    ...{ EVERY_MINUTES: '1', API_USD_PER_MONTH: '50', MIN_SEVERITY: 'warning' },
    ...{ RETENTION_DAYS: '90', AUDIT_EVERY_HOURS: '24' },
  });
});

test('or what the configuration says', () => {
  expect(variablesOf(other)).toMatchObject({
    ...{ REGIONS: 'eu-west-1,eu-west-3', EVERY_MINUTES: '5', API_USD_PER_MONTH: '12.5' },
    ...{ MIN_SEVERITY: 'critical', RETENTION_DAYS: '30', AUDIT_EVERY_HOURS: '6' },
  });
  const evaluate = variablesOf(other, 'AuditEvaluateBatch');
  expect(variablesOf(other)['THRESHOLDS']).toBe(evaluate['THRESHOLDS']);
  expect(String(evaluate['THRESHOLDS'])).toContain('throttledWarningMinutes');
  const discover = variablesOf(other, 'AuditDiscoverVolumes');
  for (const name of ['EXCLUDE_TAGS', 'TAG_KEYS']) expect(variablesOf(other)[name]).toBe(discover[name]);
});

test('audit and monitoring together ask for no more of the points quota than the configuration says', () => {
  const rates = (of: Synthesized, name: string): unknown =>
    JSON.parse(String(variablesOf(of, name)['POINT_RATES']));
  // Of half of 180,000 and of 396,000 monitoring has a half and a sixth; four batches have the rest.
  expect(rates(stack, 'MonitoringWatchVolumes')).toEqual({ recent: 45_000, older: 33_000 });
  expect(rates(stack, 'AuditEvaluateBatch')).toEqual({ recent: 11_250, older: 41_250 });
  // They are made as large as they can be read.
  expect(rates(stack, 'AuditDiscoverVolumes')).toEqual(rates(stack, 'AuditEvaluateBatch'));
  // 90 %, seven batches: 162,000 / 2 / 7; 356,400 x 5/6 / 7.
  expect(rates(other, 'AuditEvaluateBatch')).toEqual({ recent: 11_571, older: 42_428 });
  // Without monitoring: 198,000 / 4.
  expect(rates(without, 'AuditEvaluateBatch')).toEqual({ recent: 22_500, older: 49_500 });
});

test('it writes into the records that the notify function reads, adds to what audits cost, and calls the notify function', () => {
  const monitoring = variablesOf(stack);
  expect(monitoring['FINDINGS_TABLE']).toEqual(
    variablesOf(stack, 'NotificationsNotifyFindings')['FINDINGS_TABLE'],
  );
  expect(monitoring['SPEND_TABLE']).toEqual(variablesOf(stack, 'AuditCollectFindings')['SPEND_TABLE']);
  expect(shortly(monitoring['NOTIFY_FUNCTION_ARN'])).toBe('NotificationsNotifyFindingsFunction');
  expect(shortly(monitoring['WATCHES_TABLE'])).toBe('MonitoringWatches');
});

const rightsOf = (of: Synthesized): string[] => {
  const roleId = of.one('AWS::IAM::Role', 'MonitoringWatchVolumesRole').id;
  return of
    .statementsOf(roleId)
    .flatMap(({ Action, Resource }) => Action.flatMap((action) => Resource.map((on) => [action, on])))
    .map(([action, on]) => `${action} on ${shortly(on)}`)
    .sort();
};

test('of one account nothing of several is there: no right, no variable, no name of a role, no event of a shard', () => {
  const [usual, several] = [new Set(rightsOf(stack)), rightsOf(organized)];
  expect(several.filter((right) => !usual.has(right))).toEqual([
    'dynamodb:UpdateItem on MonitoringWatches',
    'lambda:InvokeFunction on MonitoringWatchVolumesFunction',
    's3:GetObject on Runs/runs/targets.json',
    'sts:AssumeRole on arn:AWS::Partition:iam::*:role/StripewiseMember',
  ]);
  expect([...usual].filter((right) => !several.includes(right))).toEqual([]);
  const added = Object.keys(variablesOf(organized)).filter((name) => !(name in variablesOf(stack)));
  expect(added).toEqual(['MEMBER_ROLE']);
  const monitoringOf = (of: Synthesized) =>
    Object.entries(of.json.Resources).filter(([id]) => id.startsWith('Monitoring'));
  const idsOf = (of: Synthesized) => monitoringOf(of).map(([id]) => id);
  expect(idsOf(organized).filter((id) => !idsOf(stack).includes(id))).toEqual([
    expect.stringMatching(/^MonitoringShards[0-9A-F]{8}$/),
  ]);
  expect(stack.one('AWS::IAM::Role', 'MonitoringWatchVolumesRole').Properties).not.toHaveProperty('RoleName');
  const asyncOf = (of: Synthesized) => of.one('AWS::Lambda::EventInvokeConfig', 'Monitoring').Properties;
  expect(asyncOf(stack)).not.toHaveProperty('MaximumEventAgeInSeconds');
  expect(asyncOf(organized)).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
  // The table, and what the schedule sends, are the same.
  for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::Scheduler::Schedule'])
    expect(organized.one(type, 'Monitoring')).toEqual(stack.one(type, 'Monitoring'));
});

test('of several accounts its role has a name that members can trust', () => {
  const { Properties } = organized.one('AWS::IAM::Role', 'MonitoringWatchVolumesRole');
  expect(shortly(Properties['RoleName'])).toBe('AWS::StackName-hub-WatchVolumes');
  expect(JSON.parse(String(variablesOf(organized)['MEMBER_ROLE']))).toEqual({
    ...{ memberRoleName: 'StripewiseMember', externalId: 'of-the-members' },
  });
});

test('without it there is nothing of it', () => {
  expect(Object.keys(without.json.Resources).filter((id) => id.startsWith('Monitoring'))).toEqual([]);
});
