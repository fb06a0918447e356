/** What each function of the benchmark may do: hosts of campaigns are launched and ended, and no others. */
import {
  idOf,
  patience,
  runsBucket,
  type Synthesized,
  shortly,
  synthesizedBenchmark,
} from './synthesized.ts';

let stack: Synthesized;
beforeAll(async () => {
  stack = await synthesizedBenchmark('benchmark');
}, patience);

const functionType = 'AWS::Lambda::Function';
const ec2 = (resource: string, account = 'AWS::AccountId') =>
  `arn:AWS::Partition:ec2:AWS::Region:${account}:${resource}`;
const documents = ['BuildStripe', 'DrainCredits', 'InitializeVolumes', 'MeasureLoad', 'RunFio'].map(
  (name) => `arn:AWS::Partition:ssm:AWS::Region:AWS::AccountId:document/BenchmarkDocuments${name}`,
);
/** Whatever a launch is about, it comes from one of the templates. */
const aJoin = { 'Fn::Join': expect.anything() };
const fromTemplates = { ArnEquals: { 'ec2:LaunchTemplate': [aJoin, aJoin] } };
const templates = ['BenchmarkHostsTemplate', 'BenchmarkHostsTemplateArm64'];
const templateRefs = templates.map((id) => ({
  Ref: expect.stringMatching(new RegExp(`^${id}[0-9A-F]{8}$`)),
}));
/** By what nobody can write on an instance of others, nor take off a host. */
const endHosts = [
  ['ec2:TerminateInstances'],
  [ec2('instance/*')],
  {
    StringEquals: {
      'aws:ResourceTag/aws:ec2launchtemplate:id': templateRefs,
    },
    ArnEquals: {
      'ec2:InstanceProfile': { 'Fn::GetAtt': [expect.stringMatching(/^BenchmarkHostsProfile/), 'Arn'] },
    },
  },
];
const campaigns = (...actions: string[]) => [actions, [`${runsBucket}/campaigns/*`], undefined];
const recordsHosts = [['s3:PutObject'], [`${runsBucket}/campaign-hosts/*`], undefined];
const onEverything = (...actions: string[]) => [
  [...actions, 'xray:PutTelemetryRecords', 'xray:PutTraceSegments'].sort(),
  ['*'],
  undefined,
];

/** Actions, resources and conditions of each statement, besides the function's own log. */
const mayDo: Record<string, unknown[]> = {
  FunctionsCheckCampaign: [
    onEverything('ec2:DescribeSubnets', 'servicequotas:GetServiceQuota'),
    campaigns('s3:PutObject'),
    [['s3:ListBucket'], [runsBucket], { StringLike: { 's3:prefix': 'catalog/*' } }],
    [['s3:GetObject'], [`${runsBucket}/catalog/*`], undefined],
  ],
  FunctionsLaunchHost: [
    onEverything('ec2:DescribeInstances'),
    campaigns('s3:GetObject'),
    recordsHosts,
    [
      ['ec2:RunInstances'],
      [ec2('instance/*')],
      {
        ...fromTemplates,
        StringLike: {
          'aws:RequestTag/stripewise:campaign': '*',
          'ec2:InstanceType': expect.arrayContaining(['m5*', 'im4gn*']),
        },
      },
    ],
    [
      ['ec2:RunInstances'],
      [ec2('network-interface/*'), ec2('volume/*')],
      { ...fromTemplates, StringLike: { 'aws:RequestTag/stripewise:campaign': '*' } },
    ],
    [
      ['ec2:RunInstances'],
      [
        ec2('security-group/BenchmarkHostsGroup'),
        ...['subnet-12345678', 'subnet-87654321'].map((id) => ec2(`subnet/${id}`)),
      ],
      fromTemplates,
    ],
    [
      ['ec2:RunInstances'],
      [ec2('image/*', '')],
      { ...fromTemplates, Bool: { 'ec2:IsLaunchTemplateResource': 'true' } },
    ],
    [['ec2:RunInstances'], templates.toReversed().map((id) => ec2(`launch-template/${id}`)), undefined],
    [
      ['ssm:GetParameters'],
      ['arm64', 'x86_64'].map(
        (cpu) =>
          `arn:AWS::Partition:ssm:AWS::Region::parameter/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-${cpu}`,
      ),
      undefined,
    ],
    [
      ['ec2:CreateTags'],
      [ec2('instance/*'), ec2('network-interface/*'), ec2('volume/*')],
      { StringEquals: { 'ec2:CreateAction': 'RunInstances' } },
    ],
    [
      ['iam:PassRole'],
      ['BenchmarkHostsRole'],
      { StringEquals: { 'iam:PassedToService': 'ec2.amazonaws.com' } },
    ],
  ],
  FunctionsFindHost: [
    onEverything('ec2:DescribeInstances', 'ssm:DescribeInstanceInformation'),
    campaigns('s3:GetObject', 's3:PutObject'),
    recordsHosts,
  ],
  FunctionsNextCommand: [onEverything(), campaigns('s3:GetObject')],
  FunctionsRunCommand: [
    onEverything(
      ...['ssm:DescribeInstanceInformation', 'ssm:GetCommandInvocation', 'ssm:ListCommands'],
      ...['states:SendTaskFailure', 'states:SendTaskSuccess'],
    ),
    campaigns('s3:GetObject'),
    [['ssm:SendCommand'], documents, undefined],
    [
      ['ssm:SendCommand'],
      [ec2('instance/*')],
      {
        StringLike: { 'ssm:resourceTag/stripewise:campaign': '*' },
        StringEquals: {
          'ssm:resourceTag/aws:ec2launchtemplate:id': templateRefs,
        },
      },
    ],
    [['dynamodb:PutItem'], ['BenchmarkWaiting'], undefined],
  ],
  FunctionsEndCommand: [
    onEverything('ssm:GetCommandInvocation', 'states:SendTaskFailure', 'states:SendTaskSuccess'),
    [['dynamodb:DeleteItem', 'dynamodb:GetItem'], ['BenchmarkWaiting'], undefined],
  ],
  FunctionsTerminateHost: [onEverything('ec2:DescribeInstances'), endHosts],
  FunctionsGradeCampaign: [
    onEverything('cloudwatch:GetMetricData'),
    [['s3:ListBucket'], [runsBucket], { StringLike: { 's3:prefix': 'campaigns/*' } }],
    campaigns('s3:GetObject', 's3:PutObject'),
    [['s3:PutObject'], [`${runsBucket}/validations/*`], undefined],
  ],
  HostsEndedEndHosts: [onEverything('ec2:DescribeInstances'), endHosts],
  CleanupCleanUpOrphans: [
    onEverything('ec2:DescribeInstances'),
    endHosts,
    [
      ['states:DescribeExecution'],
      ['arn:AWS::Partition:states:AWS::Region:AWS::AccountId:execution:BenchmarkWorkflowStateMachine:*'],
      undefined,
    ],
  ],
};
const names = Object.keys(mayDo);
/** Of actions and resources. */
const textOf = (statement: unknown): string => JSON.stringify((statement as unknown[]).slice(0, 2));

test('the table above names every function', () => {
  const ids = stack.all(functionType).flatMap(([id]) => (id.startsWith('Benchmark') ? [id] : []));
  expect(ids.map((id) => id.replace(/^Benchmark/, '').replace(/Function\w{8}$/, '')).sort()).toEqual(
    [...names].sort(),
  );
});

test.each(names)('%s may do what the table says and nothing else', (name) => {
  const role = idOf(stack.one(functionType, `Benchmark${name}Function`).Properties['Role']);
  const order = (a: unknown, b: unknown) => textOf(a).localeCompare(textOf(b));
  const statements = stack
    .statementsOf(role)
    .map(({ Effect, Action, Resource, Condition }) => {
      expect(Effect).toBe('Allow');
      return { actions: [...Action].sort(), on: Resource.map(shortly), Condition };
    })
    .filter(({ on }) => on[0] !== `Benchmark${name}Logs`)
    .map(({ actions, on, Condition }) => [actions, on, Condition]);
  expect([...statements].sort(order)).toEqual([...(mayDo[name] ?? [])].sort(order));
});

test('a key of the configuration may be used through EC2 alone, by who launches hosts', async () => {
  const withKey = await synthesizedBenchmark('benchmarkWithValues');
  const role = idOf(withKey.one(functionType, 'BenchmarkFunctionsLaunchHost').Properties['Role']);
  const ofKeys = withKey
    .statementsOf(role)
    .filter(({ Action }) => Action.some((one) => one.startsWith('kms:')));
  expect(ofKeys.flatMap(({ Action }) => Action).sort()).toEqual([
    'kms:CreateGrant',
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ]);
  for (const { Action, Resource, Condition } of ofKeys) {
    expect(Resource).toEqual(['arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab']);
    expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    if (Action.includes('kms:CreateGrant'))
      expect(JSON.stringify(Condition)).toContain('kms:GrantIsForAWSResource');
  }
  const others = withKey
    .all('AWS::IAM::Role')
    .map(([id]) => id)
    .filter((id) => id !== role && JSON.stringify(withKey.statementsOf(id)).includes('kms:'));
  expect(others).toEqual([]);
});

test.each(names)('%s is traced, and has a role of its own', (name) => {
  const { Properties } = stack.one(functionType, `Benchmark${name}Function`);
  expect(Properties).toMatchObject({ Architectures: ['arm64'], TracingConfig: { Mode: 'Active' } });
  expect(shortly(Properties['Role'])).toBe(`Benchmark${name}Role`);
});

test('the state machine may run its steps, and neither who ends commands nor the cleanup', () => {
  const role = stack.one('AWS::IAM::Role', 'BenchmarkWorkflow').id;
  const invoke = stack.statementsOf(role).find(({ Action }) => Action.includes('lambda:InvokeFunction'));
  expect(invoke?.Resource.map(shortly).sort()).toEqual(
    [
      'CheckCampaign',
      'FindHost',
      'GradeCampaign',
      'LaunchHost',
      'NextCommand',
      'RunCommand',
      'TerminateHost',
    ].map((name) => `BenchmarkFunctions${name}Function`),
  );
});
