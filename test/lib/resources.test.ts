/** Bucket, topics, queues, tables, secret and the schedule. */
import { patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let stack: Synthesized;
let other: Synthesized;
beforeAll(async () => {
  stack = await synthesized('usual');
  other = await synthesized('otherValues');
}, patience);

test('the bucket is closed to the public, encrypted, and stays when the stack goes, not when its creation fails', () => {
  const bucket = stack.one('AWS::S3::Bucket', 'Runs');
  expect(bucket.Properties['PublicAccessBlockConfiguration']).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  expect(JSON.stringify(bucket.Properties['BucketEncryption'])).toContain('AES256');
  expect(bucket).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
});

test.each([
  ['by default', () => stack, 14, 400],
  ['as configured', () => other, 3, 90],
])(
  'parts of a run, its result and prices are kept for days of their own: %s',
  (_, which, workDays, runsDays) => {
    const { Rules } = which().one('AWS::S3::Bucket', 'Runs').Properties['LifecycleConfiguration'] as {
      Rules: object[];
    };
    expect(Rules).toEqual([
      { Prefix: 'work/', ExpirationInDays: workDays, Status: 'Enabled' },
      { Prefix: 'runs/', ExpirationInDays: runsDays, Status: 'Enabled' },
      { Prefix: 'campaigns/', ExpirationInDays: runsDays, Status: 'Enabled' },
      { Prefix: 'campaign-hosts/', ExpirationInDays: 400, Status: 'Enabled' },
      { Prefix: 'messages/', ExpirationInDays: 35, Status: 'Enabled' },
      { Prefix: 'validations/', ExpirationInDays: runsDays, Status: 'Enabled' },
      { Prefix: 'hosts/', ExpirationInDays: 35, Status: 'Enabled' },
      { Prefix: 'catalog/', ExpirationInDays: 400, Status: 'Enabled' },
      { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
    ]);
  },
);

test.each([
  ['AWS::S3::BucketPolicy', 'Runs', 's3:*', ['Runs', 'Runs/*']],
  ['AWS::SNS::TopicPolicy', 'NotificationsFindings', 'sns:Publish', ['NotificationsFindings']],
  ['AWS::SNS::TopicPolicy', 'NotificationsAlarms', 'sns:Publish', ['NotificationsAlarms']],
  ['AWS::SQS::QueuePolicy', 'NotificationsDeliveryQueue', 'sqs:*', ['NotificationsDeliveryQueue']],
  [
    'AWS::SQS::QueuePolicy',
    'NotificationsDeliveryDeadLetters',
    'sqs:*',
    ['NotificationsDeliveryDeadLetters'],
  ],
  ['AWS::SQS::QueuePolicy', 'ScheduleNotStarted', 'sqs:*', ['ScheduleNotStarted']],
])('%s of %s refuses plain HTTP', (type, id, action, resources) => {
  const denied = stack.resourcePolicy(type, id).filter(({ Effect }) => Effect === 'Deny');
  expect(denied).toMatchObject([
    { Action: [action], Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
  ]);
  expect(denied[0]?.Resource.map(shortly)).toEqual(resources);
});

test('there are no buckets, topics and queues beside those', () => {
  expect(stack.all('AWS::S3::Bucket')).toHaveLength(1);
  expect(stack.all('AWS::SNS::Topic')).toHaveLength(2);
  expect(stack.all('AWS::SQS::Queue')).toHaveLength(3);
});

test('alarms of this account may publish: a topic with a policy of its own has lost the one that let them', () => {
  const allowed = stack
    .resourcePolicy('AWS::SNS::TopicPolicy', 'NotificationsAlarms')
    .filter(({ Effect }) => Effect === 'Allow');
  expect(allowed).toMatchObject([
    {
      Action: ['sns:Publish'],
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('e-mails go to the addresses of each topic', () => {
  const mails = (which: Synthesized) =>
    which
      .all('AWS::SNS::Subscription')
      .filter(([, { Properties }]) => Properties['Protocol'] === 'email')
      .map(([, { Properties }]) => [shortly(Properties['TopicArn']), Properties['Endpoint']]);
  expect(mails(stack)).toEqual([]);
  expect(mails(other)).toEqual([
    ['NotificationsFindings', 'storage@example.com'],
    ['NotificationsAlarms', 'on-call@example.com'],
  ]);
});

test('the schedule starts runs with an empty input, and what it gives up is kept', () => {
  const { Properties } = stack.one('AWS::Scheduler::Schedule', 'Schedule');
  expect(Properties).toMatchObject({ ScheduleExpression: 'rate(1 day)', State: 'ENABLED' });
  const target = Properties['Target'] as Record<string, unknown>;
  expect(target['Input']).toBe('{}');
  expect(shortly(target['Arn'])).toBe('WorkflowStateMachine');
  expect(shortly((target['DeadLetterConfig'] as { Arn: unknown }).Arn)).toBe('ScheduleNotStarted');
  expect(target['RetryPolicy']).toEqual({ MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 3600 });
  expect(other.one('AWS::Scheduler::Schedule', 'Schedule').Properties['ScheduleExpression']).toBe(
    'rate(6 hours)',
  );
});

test('the first run waits for all that the state machine may do', () => {
  const { DependsOn } = stack.one('AWS::Scheduler::Schedule', 'Schedule');
  expect(DependsOn).toContain(stack.one('AWS::IAM::Policy', 'WorkflowStateMachineRunsItself').id);
});

test('the secret is never generated, and no configuration changes it: a deployment leaves what was put in', () => {
  const type = 'AWS::SecretsManager::Secret';
  const secret = stack.one(type, 'NotificationsChannelSecrets');
  // CloudFormation writes a secret's value only where this property of the template is another than before.
  expect(secret.Properties['SecretString']).toBe('{}');
  expect(secret.Properties).not.toHaveProperty('GenerateSecretString');
  expect(other.one(type, 'NotificationsChannelSecrets')).toEqual(secret);
});

/** Keys, what is forgotten when, and the indexes of a table: `name(partition, sort)`. */
const tables = {
  NotificationsPosted: ['id', 'expiration'],
  NotificationsRecords: [
    'findingId',
    'expiresEpochSeconds',
    'open(openIn) ALL',
    'toNotify(toNotify, notifyFromEpochSeconds) KEYS_ONLY',
  ],
  MonitoringWatches: ['shard, volumeId', null, 'due(shard, nextPollEpochSeconds) ALL'],
  Spend: ['month', 'expires'],
};
const keyOf = (schema: unknown): string =>
  (schema as { AttributeName: string }[]).map(({ AttributeName }) => AttributeName).join(', ');

test('tables have the keys that the functions read and write by, and forget by time what has one', () => {
  const found = stack.all('AWS::DynamoDB::GlobalTable').map(([id, { Properties }]) => {
    const { AttributeName = null } = (Properties['TimeToLiveSpecification'] ?? {}) as {
      AttributeName?: string;
    };
    const indexes = (Properties['GlobalSecondaryIndexes'] ?? []) as {
      IndexName: string;
      KeySchema: unknown;
      Projection: { ProjectionType: string };
    }[];
    const inShort = indexes.map(
      ({ IndexName, KeySchema, Projection }) =>
        `${IndexName}(${keyOf(KeySchema)}) ${Projection.ProjectionType}`,
    );
    return [shortly({ Ref: id }), [keyOf(Properties['KeySchema']), AttributeName, ...inShort]];
  });
  expect(Object.fromEntries(found)).toEqual(tables);
});

test('what is compared as a number is one: times in sort keys', () => {
  const numbers = stack
    .all('AWS::DynamoDB::GlobalTable')
    .flatMap(([, { Properties }]) =>
      (Properties['AttributeDefinitions'] as { AttributeName: string; AttributeType: string }[]).flatMap(
        ({ AttributeName, AttributeType }) => (AttributeType === 'N' ? [AttributeName] : []),
      ),
    );
  expect(numbers.sort()).toEqual(['nextPollEpochSeconds', 'notifyFromEpochSeconds']);
});

test('tables cost nothing while nobody uses them, and go with the stack', () => {
  for (const [, table] of stack.all('AWS::DynamoDB::GlobalTable'))
    expect(table).toMatchObject({ Properties: { BillingMode: 'PAY_PER_REQUEST' }, DeletionPolicy: 'Delete' });
});
