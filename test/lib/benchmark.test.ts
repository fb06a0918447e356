/** The benchmark in the template: what hosts are launched from, who ends them, and that it is not there unasked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../../core/benchmark/campaign/commands.ts';
import {
  idOf,
  patience,
  root,
  runsBucket,
  type Synthesized,
  shortly,
  synthesized,
  synthesizedBenchmark,
} from './synthesized.ts';

let without: Synthesized;
/** The stack of the audit beside it. */
let audit: Synthesized;
let stack: Synthesized;
let withValues: Synthesized;
beforeAll(async () => {
  without = await synthesized('usual');
  audit = await synthesized('benchmark');
  stack = await synthesizedBenchmark('benchmark');
  withValues = await synthesizedBenchmark('benchmarkWithValues');
}, patience);

/** One for each architecture. */
const templates = () =>
  stack
    .all('AWS::EC2::LaunchTemplate')
    .map(([, { Properties }]) => Properties['LaunchTemplateData'] as Record<string, unknown>);
const template = () => templates()[0];
const group = () => stack.one('AWS::EC2::SecurityGroup', 'BenchmarkHosts').Properties;

describe('it is a stack of its own', () => {
  test('the stack of the audit has nothing of it', () => {
    const ids = Object.keys(audit.json.Resources);
    expect(ids.filter((id) => id.startsWith('Benchmark'))).toEqual([]);
    expect(JSON.stringify(audit.json)).not.toMatch(/AWS::EC2|ec2:RunInstances|iam:PassRole|vpc-/);
  });

  test('the stack of the audit is the same with and without it', () => {
    expect(audit.json).toEqual(without.json);
  });

  test('where nobody asks for it there is none', async () => {
    await expect(synthesizedBenchmark('usual')).rejects.toThrow('ENOENT');
  });

  test('it finds what it needs of the other by names that the other writes: no exports, no imports', () => {
    for (const { json } of [audit, stack])
      expect(JSON.stringify(json)).not.toMatch(/"Export"|Fn::ImportValue|Fn::GetStackOutput/);
    const shared = audit.all('AWS::SSM::Parameter').map(([, { Properties }]) => Properties);
    expect(shared).toMatchObject([
      {
        Name: { 'Fn::Join': ['', ['/stripewise/', { Ref: 'AWS::StackName' }, '/RunsBucket']] },
        Value: { Ref: audit.one('AWS::S3::Bucket', 'Runs').id },
      },
      {
        Name: { 'Fn::Join': ['', ['/stripewise/', { Ref: 'AWS::StackName' }, '/AlarmsTopic']] },
        Value: { Ref: audit.one('AWS::SNS::Topic', 'NotificationsAlarms').id },
      },
    ]);
    const type = 'AWS::SSM::Parameter::Value<String>';
    expect(stack.json['Parameters']).toMatchObject({
      RunsBucketParameter: { Type: type, Default: '/stripewise/Stripewise/RunsBucket' },
      AlarmsTopicParameter: { Type: type, Default: '/stripewise/Stripewise/AlarmsTopic' },
    });
  });
});

describe('a host', () => {
  test('of each architecture has a template, alike but for the image, which is the newest of Amazon Linux 2023', () => {
    const { Environment } = stack.one('AWS::Lambda::Function', 'BenchmarkFunctionsLaunchHost').Properties;
    const variables = (Environment as { Variables: Record<string, unknown> }).Variables;
    const all = new Map(stack.all('AWS::EC2::LaunchTemplate'));
    expect(all.size).toBe(2);
    const of = (variable: string) =>
      all.get(idOf(variables[variable]))?.Properties['LaunchTemplateData'] as object;
    const [x86, arm] = [of('LAUNCH_TEMPLATE_X86_64'), of('LAUNCH_TEMPLATE_ARM64')];
    const newest = 'resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-';
    expect(x86).toMatchObject({ ImageId: `${newest}x86_64` });
    expect(arm).toEqual({ ...x86, ImageId: `${newest}arm64` });
  });

  test('has its root volume encrypted with the key of the configuration, where it names one', () => {
    const keysOf = (of: Synthesized): unknown[] =>
      of
        .all('AWS::EC2::LaunchTemplate')
        .map(([, { Properties }]) => JSON.stringify(Properties['LaunchTemplateData']))
        .map((data) => /"KmsKeyId":"([^"]*)"/.exec(data)?.[1] ?? null);
    expect(keysOf(stack)).toEqual([null, null]);
    const key = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
    expect(keysOf(withValues)).toEqual([key, key]);
  });

  test('hands its credentials to who asks with a token, and to nobody behind it', () => {
    expect(template()).toMatchObject({
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
    });
  });

  test('is gone when it shuts itself down, with its encrypted root volume', () => {
    expect(template()).toMatchObject({
      InstanceInitiatedShutdownBehavior: 'terminate',
      BlockDeviceMappings: [
        { DeviceName: '/dev/xvda', Ebs: { Encrypted: true, DeleteOnTermination: true, VolumeSize: 8 } },
      ],
    });
  });

  test('is EBS-optimised, and carries the profile of its own role and a group of its own', () => {
    const profile = stack.one('AWS::IAM::InstanceProfile', 'BenchmarkHosts');
    expect(profile.Properties['Roles']).toHaveLength(1);
    expect(template()).toMatchObject({
      EbsOptimized: true,
      IamInstanceProfile: { Arn: { 'Fn::GetAtt': [profile.id, 'Arn'] } },
      SecurityGroupIds: [{ 'Fn::GetAtt': [expect.stringMatching(/^BenchmarkHostsGroup/), 'GroupId'] }],
    });
  });

  test('has no key and takes nothing in', () => {
    expect(template()).not.toHaveProperty('KeyName');
    expect(group()).not.toHaveProperty('SecurityGroupIngress');
    expect(stack.all('AWS::EC2::SecurityGroupIngress')).toEqual([]);
  });

  test('is in the VPC of the configuration, and reaches out by HTTPS over IPv4 alone', () => {
    const { VpcId, SecurityGroupEgress } = group();
    const description = 'Systems Manager, S3 and packages';
    expect([VpcId, SecurityGroupEgress]).toEqual([
      'vpc-12345678',
      [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: '0.0.0.0/0', Description: description }],
    ]);
    expect(stack.all('AWS::EC2::SecurityGroupEgress')).toEqual([]);
  });

  test('may take commands and write results, and nothing else', () => {
    const role = stack.one('AWS::IAM::Role', 'BenchmarkHostsRole').id;
    const [commands, results, ...others] = stack.statementsOf(role);
    expect(others).toEqual([]);
    expect([results?.Action, results?.Resource.map(shortly)]).toEqual([
      ['s3:PutObject'],
      [`${runsBucket}/campaigns/*/results/*`],
    ]);
    expect(commands?.Resource).toEqual(['*']);
    for (const action of commands?.Action ?? [])
      expect(action).toMatch(/^(ssm:UpdateInstanceInformation|ssmmessages:\w+|ec2messages:\w+)$/);
  });
});

test('no managed policy, and every policy belongs to a role', () => {
  expect(JSON.stringify(stack.json)).not.toContain('ManagedPolicyArns');
  for (const [, { Properties }] of stack.all('AWS::IAM::Policy')) expect(Properties['Roles']).toHaveLength(1);
});

test('the configuration reaches the function that checks campaigns', () => {
  const variables = (of: Synthesized) =>
    of.one('AWS::Lambda::Function', 'BenchmarkFunctionsCheckCampaign').Properties['Environment'];
  expect(variables(stack)).toMatchObject({
    Variables: {
      SUBNET_IDS: 'subnet-12345678,subnet-87654321',
      MAX_COST_USD: '20',
      LABEL: '',
      INSTANCE_TYPES: expect.stringMatching(/^c5\*,/),
    },
  });
  expect(variables(withValues)).toMatchObject({ Variables: { MAX_COST_USD: '3', LABEL: 'emulated' } });
});

test('every document that campaigns use is deployed, and sent under the name that it has in the account', () => {
  expect(stack.all('AWS::SSM::Document')).toHaveLength(documents.length);
  const { Environment } = stack.one('AWS::Lambda::Function', 'BenchmarkFunctionsRunCommand').Properties;
  const text = JSON.stringify(Environment);
  for (const name of documents) expect(text).toContain(`\\"${name}\\":\\"`);
  for (const [id, { Properties }] of stack.all('AWS::SSM::Document')) {
    expect(text).toContain(`{"Ref":"${id}"}`);
    expect(Properties).toMatchObject({ DocumentType: 'Command', UpdateMethod: 'NewVersion' });
  }
});

test('the end of a command of ours, however it ends, calls who knows who waits', () => {
  const { Properties } = stack.one('AWS::Events::Rule', 'BenchmarkCommandEnded');
  const { EventPattern, Targets } = Properties as { EventPattern: unknown; Targets: { Arn: unknown }[] };
  expect(EventPattern).toMatchObject({
    source: ['aws.ssm'],
    'detail-type': ['EC2 Command Status-change Notification'],
    detail: { status: ['Success', 'Failed', 'TimedOut', 'Cancelled'] },
  });
  const { detail } = EventPattern as { detail: { 'document-name': unknown[] } };
  expect(detail['document-name'].map(idOf).sort()).toEqual(
    stack
      .all('AWS::SSM::Document')
      .map(([id]) => id)
      .sort(),
  );
  expect(Targets.map(({ Arn }) => shortly(Arn))).toEqual(['BenchmarkFunctionsEndCommandFunction']);
});

describe('the cleanup', () => {
  const targetsOf = (idStart: string) => {
    const { Properties } = stack.one('AWS::Events::Rule', idStart);
    return (Properties['Targets'] as { Arn: unknown }[]).map(({ Arn }) => shortly(Arn));
  };
  const cleanup = ['BenchmarkCleanupCleanUpOrphansFunction'];

  test('comes every 15 minutes', () => {
    const { Properties } = stack.one('AWS::Events::Rule', 'BenchmarkCleanupByTheClock');
    expect(Properties).toMatchObject({ ScheduleExpression: 'rate(15 minutes)', State: 'ENABLED' });
    expect(targetsOf('BenchmarkCleanupByTheClock')).toEqual(cleanup);
  });

  test('and when a campaign ends in another way than by itself', () => {
    const { Properties } = stack.one('AWS::Events::Rule', 'BenchmarkCleanupWhenOneEnds');
    expect(Properties['EventPattern']).toMatchObject({
      ...{ source: ['aws.states'], 'detail-type': ['Step Functions Execution Status Change'] },
      detail: {
        stateMachineArn: [{ Ref: stack.one('AWS::StepFunctions::StateMachine', 'BenchmarkWorkflow').id }],
        status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
      },
    });
    expect(targetsOf('BenchmarkCleanupWhenOneEnds')).toEqual(cleanup);
  });

  test('tells somebody when it fails twice in a row; the runbook has a heading for it', () => {
    const { Properties } = stack.one('AWS::CloudWatch::Alarm', 'BenchmarkCleanupFailing');
    expect(Properties).toMatchObject({
      ...{ Namespace: 'AWS/Lambda', MetricName: 'Errors', Statistic: 'Sum', Threshold: 1 },
      ...{ Period: 900, EvaluationPeriods: 2, TreatMissingData: 'notBreaching' },
    });
    expect((Properties['AlarmActions'] as unknown[]).map(shortly)).toEqual(['AlarmsTopicParameter']);
    expect(Properties['OKActions']).toEqual(Properties['AlarmActions']);
    const [, anchor] =
      /^Impact: \S.+\. Runbook: docs\/operate\/runbook\.md#(\S+) Trap: \S.+\.$/.exec(
        `${Properties['AlarmDescription']}`,
      ) ?? [];
    expect(anchor).toBe('cleanup-fails');
    expect(readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8').split('\n')).toContain(
      '## cleanup-fails',
    );
  });

  test.each([
    ['Missing', 'cleanup-is-missing', { MetricName: 'Invocations', TreatMissingData: 'breaching' }],
    ['Throttled', 'functions-throttled', { MetricName: 'Throttles', TreatMissingData: 'notBreaching' }],
  ])('the alarm %s tells somebody, and the runbook has the heading %s', (name, heading, watches) => {
    const { Properties } = stack.one('AWS::CloudWatch::Alarm', `BenchmarkCleanup${name}`);
    expect(Properties).toMatchObject({ Namespace: 'AWS/Lambda', Period: 900, ...watches });
    expect((Properties['AlarmActions'] as unknown[]).map(shortly)).toEqual(['AlarmsTopicParameter']);
    expect(Properties['OKActions']).toEqual(Properties['AlarmActions']);
    expect(Properties['AlarmDescription']).toMatch(
      new RegExp(`^Impact: \\S.+\\. Runbook: docs/operate/runbook\\.md#${heading} Trap: \\S.+\\.$`),
    );
    expect(readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8').split('\n')).toContain(
      `## ${heading}`,
    );
  });
});

test('outputs name what the command line and the runbook look for', () => {
  expect(Object.keys(stack.json['Outputs'] as object)).toEqual([
    ...['RunsBucket', 'BenchStateMachine', 'BenchCleanup'],
  ]);
});

test('when the stack goes, hosts are ended after what launches them and before what they need', () => {
  const ended = stack.one('Custom::StripewiseHostsEnded', 'BenchmarkHostsEnded');
  const launcher = stack.one('AWS::IAM::Role', 'BenchmarkFunctionsLaunchHost');
  expect([launcher['DependsOn']].flat()).toContain(ended.id);
  const { id, Properties } = stack.one('AWS::Lambda::Function', 'BenchmarkHostsEndedEndHosts');
  expect(idOf(ended.Properties['ServiceToken'])).toBe(id);
  expect(ended.Properties['ServiceTimeout']).toBe('900');
  expect(Properties['Timeout']).toBe(600);
  // The role of the function names the templates and the profile: these go after it.
  const role = JSON.stringify(stack.json.Resources[idOf(Properties['Role'])]);
  for (const needed of ['BenchmarkHostsTemplate', 'BenchmarkHostsProfile']) expect(role).toContain(needed);
});
