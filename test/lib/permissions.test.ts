/** All that is allowed anywhere in the stack: nothing with a wildcard in its action, `*` with a reason only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPermissions } from '../requests/check-requests.ts';
import { organizations } from '../requests/organizations.ts';
import { decide } from '../requests/simulate.ts';
import {
  idOf,
  patience,
  root,
  type Statement,
  type Synthesized,
  shortly,
  synthesized,
  synthesizedBenchmark,
} from './synthesized.ts';

let stack: Synthesized;
/** Both stacks with all that there can be. */
let everything: Synthesized[];
/** What is off by default also where all else is on. */
let changes: Synthesized;
let comparing: Synthesized;
beforeAll(async () => {
  stack = await synthesized('everyFunction');
  changes = await synthesized('changes');
  comparing = await synthesized('comparing');
  everything = [await synthesized('everything'), await synthesizedBenchmark('everything')];
}, patience);

const allowed = (of: Synthesized): [string, Statement][] =>
  of.all('AWS::IAM::Role').flatMap(([role]) => {
    const statements = of.statementsOf(role).filter(({ Effect }) => Effect === 'Allow');
    return statements.map((statement): [string, Statement] => [role, statement]);
  });

test('every policy belongs to a role, and no managed policy is used', () => {
  for (const one of everything) {
    expect(JSON.stringify(one.json)).not.toContain('ManagedPolicyArns');
    for (const [, { Properties }] of one.all('AWS::IAM::Policy')) expect(Properties['Roles']).toHaveLength(1);
  }
});

test('no action has a wildcard', () => {
  const actions = everything
    .flatMap(allowed)
    .flatMap(([role, { Action }]) => Action.map((action) => `${role}: ${action}`));
  expect(actions.length).toBeGreaterThan(40);
  expect(actions.filter((action) => action.includes('*'))).toEqual([]);
});

test('what roles allow with everything on is in permissions.json, which says what of it is used', () => {
  const { granted } = readPermissions();
  const known = new Set(
    Object.values(granted)
      .flat()
      .map((line) => line.split(' ').slice(0, 2).join(' ')),
  );
  const pairs = everything
    .flatMap(allowed)
    .flatMap(([role, { Action }]) => Action.map((action) => `${shortly({ Ref: role })} ${action}`));
  // The bucket that goes with its stack is emptied by a function that no deployed test has.
  const isElsewhere = (pair: string): boolean => /EmptyBucketRole/.test(pair);
  expect(pairs.filter((pair) => !known.has(pair) && !isElsewhere(pair))).toEqual([]);
});

test('an organization without public function URLs refuses nothing by default; of all there is, the two that are opt-in', async () => {
  const name = 'no public function URL';
  const { policy } = organizations[name] ?? { policy: { Version: '', Statement: [] } };
  const deploys = {
    ...{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'lambda:*', Resource: '*' }] },
  };
  const refusedIn = async (of: readonly Synthesized[]): Promise<string[]> => {
    const urls = of.flatMap((one) => one.all('AWS::Lambda::Url'));
    const decisions = await Promise.all(
      urls.map(async ([id, { Properties }]) => {
        const about = {
          ...{
            action: 'lambda:CreateFunctionUrlConfig',
            resource: 'arn:aws:lambda:us-east-1:111122223333:function:f',
          },
          context: { 'lambda:FunctionUrlAuthType': String(Properties['AuthType']) },
        };
        const who = { roleName: 'deploys', policies: [{ name: 'May', policy: deploys }] };
        const { allowed: isAllowed } = await decide(who, about, [{ name, policy }]);
        return isAllowed ? [] : [shortly({ Ref: id })];
      }),
    );
    return decisions.flat().sort();
  };
  expect(await refusedIn([await synthesized('usual'), await synthesizedBenchmark('benchmark')])).toEqual([]);
  expect(await refusedIn(everything)).toEqual([
    'LinksOpenReportFunctionFunctionUrl',
    'NotificationsActionsSlackActionsFunctionFunctionUrl',
  ]);
});

describe('what is allowed on everything', () => {
  const functions = readdirSync(join(root, 'lambdas')).filter((name) => name !== 'shared');
  const pascal = (name: string): string =>
    name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  /** Other roles, as the page calls them. */
  const otherRoles = { WorkflowRole: 'state machines', BenchmarkHostsRole: 'hosts of campaigns' };
  const names = [
    ...functions.map((name): [string, string] => [`${pascal(name)}Role`, name]),
    ...Object.entries(otherRoles),
  ];
  const nameOf = (role: string): string =>
    names.find(([end]) => shortly({ Ref: role }).endsWith(end))?.[1] ?? role;

  type Actions = Record<string, string[]>;
  function byName(pairs: readonly (readonly [name: string, action: string])[]): Actions {
    const all = new Map<string, Set<string>>();
    for (const [name, action] of pairs) all.set(name, new Set([...(all.get(name) ?? []), action]));
    return Object.fromEntries([...all].map(([name, actions]) => [name, [...actions].sort()]));
  }

  /** The rows of the table: who, which actions, and a reason. */
  function documented(): Actions {
    const page = readFileSync(join(root, 'docs/operate/permissions.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]+?) +\| (`[a-z\d-]+:[^|]+?) +\| \S[^|]* \|$/gm)];
    return byName(
      rows.flatMap(([, who = '', actions = '']) => {
        const called = who === 'every function' ? functions : who.split(', ');
        const each = [...actions.matchAll(/`([^`]+)`/g)].map(([, action = '']) => action);
        return called.flatMap((name) => each.map((action) => [name, action] as const));
      }),
    );
  }

  test('is what knows no resources: the table in docs/operate/permissions.md, with a reason for each', () => {
    const actual = [...everything, changes, comparing]
      .flatMap(allowed)
      .flatMap(([role, { Action, Resource }]) =>
        Resource.includes('*') ? Action.map((action) => [nameOf(role), action] as const) : [],
      );
    expect(byName(actual)).toEqual(documented());
  });
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
        'AuditCollectFindingsFunction',
        'AuditDiscoverVolumesFunction',
        'AuditDrawDashboardFunction',
        'AuditEvaluateBatchFunction',
        'AuditListTargetsFunction',
        'AuditRefreshCatalogFunction',
        'AuditWriteReportFunction',
        'NotificationsNotifyFindingsFunction',
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
  ['NotificationsNotifyPendingRole', 'NotificationsNotifyFindingsFunction'],
  ['NotificationsDigestScheduleRole', 'NotificationsNotifyDigestFunction'],
  ['MonitoringScheduleRole', 'MonitoringWatchVolumesFunction'],
])('the role %s of a schedule calls %s, and nothing else', (name, called) => {
  const role = stack.one('AWS::IAM::Role', name).id;
  expect(stack.statementsOf(role).map(({ Action, Resource }) => [Action, Resource.map(shortly)])).toEqual([
    [['lambda:InvokeFunction'], [called]],
  ]);
});

test.each([
  ['states.amazonaws.com', 1],
  ['scheduler.amazonaws.com', 4], // audits, what waited, the digest, monitoring
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
    '* calls LinksOpenReportFunction',
    '* calls NotificationsActionsSlackActionsFunction',
  ]);
});
