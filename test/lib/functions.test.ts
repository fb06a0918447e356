/** Every function: what it runs on, and exactly what it may do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  idOf,
  patience,
  root,
  type Synthesized,
  shortly,
  synthesized,
  synthesizedBenchmark,
} from './synthesized.ts';

let stack: Synthesized;
let other: Synthesized;
beforeAll(async () => {
  stack = await synthesized('everyFunction');
  other = await synthesized('otherValues');
}, patience);

const functionType = 'AWS::Lambda::Function';

/** On which resource each function has which actions, besides its log and its traces. */
const mayDo = {
  AuditListTargets: {},
  AuditDiscoverVolumes: {
    '*': ['cloudwatch:ListMetrics', 'ec2:DescribeInstances', 'ec2:DescribeVolumes'],
    'Runs if prefix campaign-hosts/*': ['s3:ListBucket'],
    'Runs/work/*': ['s3:PutObject'],
  },
  AuditRefreshCatalog: {
    '*': ['ec2:DescribeInstanceTypes', 'pricing:GetProducts'],
    'Runs if prefix catalog/*': ['s3:ListBucket'],
    'Runs/catalog/*': ['s3:GetObject', 's3:PutObject'],
  },
  AuditEvaluateBatch: {
    '*': ['cloudwatch:GetMetricData'],
    'Runs/work/*': ['s3:GetObject', 's3:PutObject'],
    'Runs if prefix catalog/*': ['s3:ListBucket'],
    'Runs/catalog/*': ['s3:GetObject'],
  },
  AuditCollectFindings: {
    'Runs if prefix work/*': ['s3:ListBucket'],
    'Runs/work/*': ['s3:GetObject'],
    'Runs if prefix catalog/*': ['s3:ListBucket'],
    'Runs/catalog/*': ['s3:GetObject'],
    'Runs/runs/*': ['s3:PutObject'],
    Spend: ['dynamodb:UpdateItem'],
  },
  AuditWriteReport: {
    'Runs if prefix work/*/series/*': ['s3:ListBucket'],
    'Runs/work/*/series/*': ['s3:GetObject'],
    'Runs if prefix runs/manifest.json*': ['s3:ListBucket'],
    'Runs/runs/*': ['s3:GetObject', 's3:PutObject'],
  },
  AuditDrawDashboard: {
    'Runs/runs/*': ['s3:GetObject'],
    'arn:AWS::Partition:cloudwatch::AWS::AccountId:dashboard/VolumesAtRisk': ['cloudwatch:PutDashboard'],
  },
  NotificationsNotifyFindings: {
    'Runs/runs/*': ['s3:GetObject'],
    'Runs/messages/*': ['s3:PutObject'],
    'Runs if prefix validations/*': ['s3:ListBucket'],
    'Runs/validations/*': ['s3:GetObject'],
    NotificationsRecords: ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
    'NotificationsRecords/index/open': ['dynamodb:Query'],
    'NotificationsRecords/index/toNotify': ['dynamodb:Query'],
    NotificationsFindings: ['sns:ListSubscriptionsByTopic', 'sns:Publish'],
    NotificationsChannelSecrets: ['secretsmanager:GetSecretValue'],
    LinksKey: ['secretsmanager:GetSecretValue'],
  },
  NotificationsNotifyDigest: {
    NotificationsRecords: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan'],
    NotificationsFindings: ['sns:Publish'],
  },
  NotificationsDeliveryDeliverMessages: {
    NotificationsDeliveryQueue: [
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:ReceiveMessage',
      'sqs:SendMessage',
    ],
    NotificationsDeliveryDeadLetters: ['sqs:SendMessage'],
    NotificationsChannelSecrets: ['secretsmanager:GetSecretValue'],
    NotificationsPosted: ['dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
    NotificationsRecords: ['dynamodb:BatchGetItem'],
    'Runs/messages/*': ['s3:GetObject'],
    NotificationsDeliveryTopicschat: ['sns:Publish'],
    NotificationsDeliveryTopicsmail: ['sns:Publish'],
    'arn:AWS::Partition:events:AWS::Region:AWS::AccountId:event-bus/storage': ['events:PutEvents'],
    'Runs/runs/*/report.html': ['s3:GetObject'],
    'Runs if prefix runs/*/report.html*': ['s3:ListBucket'],
  },
  NotificationsActionsSlackActions: {
    NotificationsChannelSecrets: ['secretsmanager:GetSecretValue'],
    NotificationsPosted: ['dynamodb:PutItem'],
    NotificationsRecords: ['dynamodb:BatchGetItem', 'dynamodb:PutItem'],
  },
  MonitoringWatchVolumes: {
    '*': ['cloudwatch:GetMetricData', 'cloudwatch:ListMetrics', 'ec2:DescribeVolumes'],
    'Runs if prefix campaign-hosts/*': ['s3:ListBucket'],
    'Runs if prefix monitoring/*': ['s3:ListBucket'],
    'Runs/monitoring/*': ['s3:GetObject', 's3:PutObject'],
    'Runs if prefix catalog/*': ['s3:ListBucket'],
    'Runs/catalog/*': ['s3:GetObject'],
    MonitoringWatches: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
    'MonitoringWatches/index/due': ['dynamodb:Query'],
    NotificationsRecords: ['dynamodb:BatchGetItem', 'dynamodb:PutItem'],
    Spend: ['dynamodb:UpdateItem'],
    NotificationsNotifyFindingsFunction: ['lambda:InvokeFunction'],
  },
  LinksOpenReport: {
    LinksKey: ['secretsmanager:GetSecretValue'],
    'Runs/runs/*/report.html': ['s3:GetObject'],
    'Runs/campaigns/*/report.html': ['s3:GetObject'],
    'Runs if prefix runs/*/report.html*': ['s3:ListBucket'],
    'Runs if prefix campaigns/*/report.html*': ['s3:ListBucket'],
  },
  EmptiedOnDestroyEmptyBucket: {
    'AWS::StackId': ['cloudformation:DescribeStacks'],
    Runs: ['s3:ListBucketVersions'],
    'Runs/*': ['s3:DeleteObject', 's3:DeleteObjectVersion'],
  },
};
const names = Object.keys(mayDo) as (keyof typeof mayDo)[];

function permissionsOf(roleId: string): Record<string, string[]> {
  const actions: Record<string, string[]> = {};
  for (const { Effect, Action, Resource, Condition } of stack.statementsOf(roleId)) {
    expect(Effect).toBe('Allow');
    const prefix = /"s3:prefix":"([^"]+)"/.exec(JSON.stringify(Condition ?? null))?.[1];
    for (const resource of Resource.map(shortly)) {
      const on = prefix === undefined ? resource : `${resource} if prefix ${prefix}`;
      actions[on] = [...(actions[on] ?? []), ...Action].sort();
    }
  }
  return actions;
}

test('the table below names every function', () => {
  const ids = stack.all(functionType).map(([id]) => id);
  expect(ids.map((id) => id.replace(/Function\w{8}$/, '')).sort()).toEqual([...names].sort());
});

test.each(names)('%s runs on arm64 and Node 24, traced, with its own log of the configured days', (name) => {
  const { Properties } = stack.one(functionType, `${name}Function`);
  expect(Properties).toMatchObject({
    Architectures: ['arm64'],
    Runtime: 'nodejs24.x',
    TracingConfig: { Mode: 'Active' },
  });
  const { LogGroup } = Properties['LoggingConfig'] as { LogGroup: unknown };
  const log = stack.one('AWS::Logs::LogGroup', `${name}Logs`);
  expect(idOf(LogGroup)).toBe(log.id);
  expect(log.Properties['RetentionInDays']).toBe(60);
});

test.each(names)('%s may do what the table says and nothing else', (name) => {
  const role = idOf(stack.one(functionType, `${name}Function`).Properties['Role']);
  const traces = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
  const table: Record<string, string[]> = mayDo[name];
  expect(permissionsOf(role)).toEqual({
    ...table,
    [`${name}Logs`]: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    '*': [...(table['*'] ?? []), ...traces].sort(),
  });
  expect(stack.json.Resources[role]?.Properties).not.toHaveProperty('ManagedPolicyArns');
});

test('no two functions share a role', () => {
  const roles = stack.all(functionType).map(([, { Properties }]) => idOf(Properties['Role']));
  expect(new Set(roles).size).toBe(names.length);
});

test('without Regions in the configuration the Region of the stack is audited', () => {
  const { Environment } = stack.one(functionType, 'AuditListTargets').Properties;
  expect(Environment).toMatchObject({ Variables: { REGIONS: { Ref: 'AWS::Region' } } });
});

test('the list of runs forgets them when their pages go', () => {
  const { Environment } = other.one(functionType, 'AuditWriteReport').Properties;
  expect(Environment).toMatchObject({ Variables: { RUNS_DAYS: '90' } });
});

test('who delivers may publish, put events and read pages only where a channel needs it', () => {
  // One of each kind that needs nothing of it: a webhook, a bot without pictures, Teams.
  const role = idOf(other.one(functionType, 'NotificationsDeliveryDeliverMessages').Properties['Role']);
  const services = other
    .statementsOf(role)
    .flatMap(({ Action }) => Action.map((action) => action.split(':')[0]));
  expect([...new Set(services)].sort()).toEqual(['dynamodb', 'logs', 's3', 'secretsmanager', 'sqs', 'xray']);
  const s3 = other
    .statementsOf(role)
    .filter(({ Action }) => Action.some((action) => action.startsWith('s3:')));
  // Of S3 the messages that a topic cannot carry whole.
  expect(s3.map(({ Action }) => Action)).toEqual([['s3:GetObject']]);
});

describe('concurrency', () => {
  const reserved = (of: Synthesized): [string, number][] =>
    of
      .all(functionType)
      .flatMap(([id, { Properties }]) =>
        Properties['ReservedConcurrentExecutions'] === undefined
          ? []
          : [[shortly({ Ref: id }), Number(Properties['ReservedConcurrentExecutions'])]],
      );

  test('is reserved by nobody who did not ask for it: an account with a low quota could not deploy', () => {
    expect(reserved(stack)).toEqual([]);
  });

  test('is kept for what no workflow tries again, where it is asked for', async () => {
    const everything = await synthesized('everything');
    const benchmark = await synthesizedBenchmark('everything');
    const calls = Object.fromEntries([...reserved(everything), ...reserved(benchmark)]);
    expect(calls).toEqual({
      ...{
        NotificationsNotifyFindingsFunction: 5,
        NotificationsNotifyDigestFunction: 1,
        MonitoringWatchVolumesFunction: 2,
      },
      ...{ NotificationsDeliveryDeliverMessagesFunction: 2, BenchmarkCleanupCleanUpOrphansFunction: 2 },
      ...{ LinksOpenReportFunction: 5, NotificationsActionsSlackActionsFunction: 5 },
    });
    // Each page says how much that is.
    const sum = Object.values(calls).reduce((all, one) => all + one, 0);
    for (const page of ['docs/reference/configuration.md', 'stripewise.yaml'])
      expect(readFileSync(join(root, page), 'utf8')).toMatch(
        new RegExp(`${sum} calls at one time[^]*${100 + sum}`),
      );
  });

  test('a queue brings no more messages at one time than its function may take', async () => {
    const everything = await synthesized('everything');
    const [[, { Properties }] = ['', { Properties: {} }]] = everything.all('AWS::Lambda::EventSourceMapping');
    expect(Properties).toMatchObject({ ScalingConfig: { MaximumConcurrency: 2 } });
  });
});
