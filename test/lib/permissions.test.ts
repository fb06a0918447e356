/** All that is allowed anywhere in the stack: nothing with a wildcard in its action, `*` with a reason only. */
import { everyChannel } from '../../tools/every-channel.ts';
import { idOf, type Statement, type Synthesised, shortly, synthesiser } from './synthesised.ts';

const synthesise = synthesiser();
let stack: Synthesised;
beforeAll(() => {
  stack = synthesise({ ...everyChannel, ...{ pulse: {}, advisory: {} }, keep: { findingsOnDestroy: false } });
}, 120_000);

/** Actions that AWS lets be allowed on `*` only. */
const knowNoResources = {
  'ec2:DescribeInstances': 'EC2 describes the whole Region',
  'ec2:DescribeVolumes': 'EC2 describes the whole Region',
  'ec2:DescribeInstanceTypes': 'EC2 describes the whole Region',
  'pricing:GetProducts': 'prices are no resources',
  'cloudwatch:GetMetricData': 'metrics are no resources',
  'cloudwatch:ListMetrics': 'metrics are no resources',
  'xray:PutTelemetryRecords': 'traces are no resources',
  'xray:PutTraceSegments': 'traces are no resources',
  'xray:GetSamplingRules': 'a state machine asks which requests it shall trace',
  'xray:GetSamplingTargets': 'a state machine asks which requests it shall trace',
  'logs:CreateLogDelivery': 'a state machine logs through deliveries of the account',
  'logs:DeleteLogDelivery': 'a state machine logs through deliveries of the account',
  'logs:DescribeLogGroups': 'a state machine logs through deliveries of the account',
  'logs:DescribeResourcePolicies': 'a state machine logs through deliveries of the account',
  'logs:GetLogDelivery': 'a state machine logs through deliveries of the account',
  'logs:ListLogDeliveries': 'a state machine logs through deliveries of the account',
  'logs:PutResourcePolicy': 'a state machine logs through deliveries of the account',
  'logs:UpdateLogDelivery': 'a state machine logs through deliveries of the account',
};

const allowed = (): [string, Statement][] =>
  stack.all('AWS::IAM::Role').flatMap(([role]) => {
    const statements = stack.statementsOf(role).filter(({ Effect }) => Effect === 'Allow');
    return statements.map((statement): [string, Statement] => [role, statement]);
  });

test('every policy belongs to a role, and no managed policy is used', () => {
  const text = JSON.stringify(stack.json);
  expect(text).not.toContain('ManagedPolicyArns');
  for (const [, { Properties }] of stack.all('AWS::IAM::Policy')) expect(Properties['Roles']).toHaveLength(1);
});

test('no action has a wildcard', () => {
  const actions = allowed().flatMap(([role, { Action }]) => Action.map((action) => `${role}: ${action}`));
  expect(actions.length).toBeGreaterThan(40);
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

test('what is allowed on everything is what knows no resources', () => {
  const onEverything = allowed().flatMap(([, { Action, Resource }]) =>
    Resource.includes('*') ? Action : [],
  );
  expect([...new Set(onEverything)].sort()).toEqual(Object.keys(knowNoResources).sort());
});

test('the state machine invokes its functions, works in work/ of the bucket and runs itself', () => {
  const machine = stack.one('AWS::StepFunctions::StateMachine', 'Workflow');
  const execution = 'arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:WorkflowStateMachine';
  const rules = stack
    .statementsOf(idOf(machine.Properties['RoleArn']))
    .filter(({ Resource }) => !Resource.includes('*'))
    .map(({ Action, Resource, Condition }) => [Action, Resource.map(shortly), Condition]);
  expect(rules).toEqual([
    [
      ['lambda:InvokeFunction'],
      [
        'AdvisoryTellFindingsFunction',
        'AuditCollectFindingsFunction',
        'AuditDiscoverVolumesFunction',
        'AuditDrawDashboardFunction',
        'AuditJudgeBatchFunction',
        'AuditListTargetsFunction',
        'AuditRefreshMarketFunction',
        'AuditWriteReportFunction',
      ],
      undefined,
    ],
    [['s3:ListBucket'], ['Runs'], { StringLike: { 's3:prefix': 'work/*' } }],
    [
      ['s3:AbortMultipartUpload', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
      ['Runs/work/*'],
      undefined,
    ],
    [['states:StartExecution'], ['WorkflowStateMachine'], undefined],
    [['states:DescribeExecution', 'states:StopExecution'], [`${execution}:*`], undefined],
    [['states:RedriveExecution'], [`${execution}/*:*`], undefined],
  ]);
});

test('the scheduler starts the state machine and puts what it gives up into its queue', () => {
  const role = stack.one('AWS::IAM::Role', 'ScheduleRole').id;
  expect(stack.statementsOf(role).map(({ Action, Resource }) => [Action, Resource.map(shortly)])).toEqual([
    [['states:StartExecution'], ['WorkflowStateMachine']],
    [['sqs:SendMessage'], ['ScheduleNotStarted']],
  ]);
});

test.each([
  ['AdvisoryRetellRole', 'AdvisoryTellFindingsFunction'],
  ['AdvisoryDigestScheduleRole', 'AdvisoryTellDigestFunction'],
  ['PulseScheduleRole', 'PulseWatchVolumesFunction'],
])('the role %s of a schedule calls %s, and nothing else', (name, called) => {
  const role = stack.one('AWS::IAM::Role', name).id;
  expect(stack.statementsOf(role).map(({ Action, Resource }) => [Action, Resource.map(shortly)])).toEqual([
    [['lambda:InvokeFunction'], [called]],
  ]);
});

test.each([
  ['states.amazonaws.com', 1],
  ['scheduler.amazonaws.com', 4], // audits, what waited, the digest, the pulse
])('each role of %s is for this account alone', (service, count) => {
  const roles = stack
    .all('AWS::IAM::Role')
    .map(([, { Properties }]) => JSON.stringify(Properties['AssumeRolePolicyDocument']))
    .filter((document) => document.includes(service));
  expect(roles).toHaveLength(count);
  for (const role of roles) expect(role).toContain('"aws:SourceAccount":{"Ref":"AWS::AccountId"}');
});

test('who may be called from outside, and by whom: buttons and links by anybody, who delivers by its queue', () => {
  const invoked = stack
    .all('AWS::Lambda::Permission')
    .map(([, { Properties }]) =>
      [Properties['Principal'], shortly(Properties['FunctionName'])].join(' calls '),
    );
  expect([...new Set(invoked)].sort()).toEqual([
    '* calls AdvisoryActionsSlackActionsFunction',
    '* calls LinksOpenReportFunction',
  ]);
});
