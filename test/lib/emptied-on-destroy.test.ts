/** What goes with the stack, in which order, and what stays. CloudFormation removes a resource after all that refer to it. */
import { goesBefore } from './removal.ts';
import { idOf, patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let keeping: Synthesized;
let going: Synthesized;
beforeAll(async () => {
  keeping = await synthesized('askingHosts');
  going = await synthesized('everything');
}, patience);

const emptiedType = 'Custom::StripewiseEmptiedBucket';
test('by default the bucket stays, and nothing is there that could empty it', () => {
  expect(keeping.one('AWS::S3::Bucket', 'Runs')).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
  expect(keeping.all(emptiedType)).toEqual([]);
  expect(JSON.stringify(keeping.json)).not.toContain('s3:DeleteObject');
});

test('nothing but the bucket is kept when the stack goes, and that only by default', () => {
  const retained = (stack: Synthesized) =>
    Object.entries(stack.json.Resources).flatMap(([id, { DeletionPolicy = 'Delete' }]) =>
      DeletionPolicy === 'Delete' ? [] : [shortly({ Ref: id })],
    );
  expect(retained(keeping)).toEqual(['Runs']);
  expect(retained(going)).toEqual([]);
});

test('a bucket that an update replaces stays, whatever goes with the stack', () => {
  for (const stack of [keeping, going])
    expect(stack.one('AWS::S3::Bucket', 'Runs')).toMatchObject({ UpdateReplacePolicy: 'Retain' });
});

test('the resource that empties is deleted once what writes is gone: schedule, state machine, functions, their roles', () => {
  const emptied = going.one(emptiedType, 'EmptiedOnDestroy').id;
  const writers = going
    .all('AWS::IAM::Role')
    .filter(([id]) =>
      going.statementsOf(id).some(({ Action }) => Action.some((action) => action === 's3:PutObject')),
    );
  expect(writers.map(([id]) => shortly({ Ref: id })).sort()).toEqual([
    'AuditCollectFindingsRole',
    'AuditCommitArchiveRole',
    'AuditDiscoverVolumesRole',
    'AuditEvaluateBatchRole',
    'AuditRefreshCatalogRole',
    'AuditWriteReportRole',
    'MonitoringWatchVolumesRole',
    'NotificationsNotifyFindingsRole',
    'WorkflowRole',
  ]);
  const first = [
    ...writers.map(([id]) => id),
    going.one('AWS::Scheduler::Schedule', 'Schedule').id,
    going.one('AWS::Scheduler::Schedule', 'MonitoringSchedule').id,
    going.one('AWS::StepFunctions::StateMachine', 'Workflow').id,
    ...going.all('AWS::Lambda::Function').flatMap(([id]) => (/^(Audit|Monitoring)/.test(id) ? [id] : [])),
  ];
  for (const id of first) expect([id, goesBefore(going, id, emptied)]).toEqual([id, true]);
});

test('then goes the function with its role and log, and the bucket last', () => {
  const emptied = going.one(emptiedType, 'EmptiedOnDestroy').id;
  const bucket = going.one('AWS::S3::Bucket', 'Runs').id;
  const emptyBucket = going.one('AWS::Lambda::Function', 'EmptiedOnDestroy').id;
  const role = going.one('AWS::IAM::Role', 'EmptiedOnDestroy').id;
  const log = going.one('AWS::Logs::LogGroup', 'EmptiedOnDestroy').id;
  expect(goesBefore(going, emptied, emptyBucket)).toBe(true);
  expect(goesBefore(going, emptyBucket, role)).toBe(true);
  expect(goesBefore(going, role, log)).toBe(true);
  expect(goesBefore(going, role, bucket)).toBe(true);
});

test('the function has its 15 minutes, and CloudFormation waits for it little longer', () => {
  expect(going.one('AWS::Lambda::Function', 'EmptiedOnDestroy').Properties).toMatchObject({ Timeout: 900 });
  const { Properties } = going.one(emptiedType, 'EmptiedOnDestroy');
  expect(Properties).toMatchObject({ ServiceTimeout: '1200' });
  expect(idOf(Properties['ServiceToken'])).toBe(going.one('AWS::Lambda::Function', 'EmptiedOnDestroy').id);
});

test('who draws the dashboard goes before it: what a late run drew would stay', () => {
  for (const stack of [keeping, going]) {
    const role = stack.one('AWS::IAM::Role', 'AuditDrawDashboard').id;
    expect(goesBefore(stack, role, stack.one('AWS::CloudWatch::Dashboard', 'VolumesAtRisk').id)).toBe(true);
  }
});

test('nobody may make a log group: one that is gone does not come back with a late line', () => {
  for (const stack of [keeping, going])
    expect(JSON.stringify(stack.json)).not.toContain('logs:CreateLogGroup');
});
