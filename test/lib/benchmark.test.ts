/** The benchmark in the template: what hosts are launched from, who ends them, and that it is not there unasked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../../core/benchmark/campaign/commands.ts';
import { idOf, patience, root, type Synthesized, shortly, synthesized } from './synthesized.ts';

let without: Synthesized;
let stack: Synthesized;
let inVpc: Synthesized;
/** With all that there can be, and the bucket goes with the stack. */
let going: Synthesized;
beforeAll(async () => {
  without = await synthesized('usual');
  stack = await synthesized('benchmark');
  inVpc = await synthesized('benchmarkInVpc');
  going = await synthesized('everything');
}, patience);

/** One for each architecture. */
const templates = () =>
  stack
    .all('AWS::EC2::LaunchTemplate')
    .map(([, { Properties }]) => Properties['LaunchTemplateData'] as Record<string, unknown>);
const template = () => templates()[0];
const group = (of = stack) => of.one('AWS::EC2::SecurityGroup', 'BenchmarkHosts').Properties;

describe('where nobody asks for it', () => {
  test('nothing of it is there', () => {
    const ids = Object.keys(without.json.Resources);
    expect(ids.filter((id) => id.startsWith('Benchmark'))).toEqual([]);
    expect(JSON.stringify(without.json)).not.toMatch(/ec2:RunInstances|ec2:TerminateInstances|iam:PassRole/);
    expect(Object.keys(without.json['Outputs'] as object).filter((name) => name.startsWith('Bench'))).toEqual(
      [],
    );
  });

  test('the rest of the stack is the same with it', () => {
    const others = Object.entries(stack.json.Resources).filter(([id]) => !id.startsWith('Benchmark'));
    const bare = (resources: [string, object][]) =>
      Object.fromEntries(resources.filter(([id]) => id !== 'CDKMetadata'));
    expect(bare(others)).toEqual(bare(Object.entries(without.json.Resources)));
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
    for (const one of [stack, inVpc]) {
      expect(group(one)).not.toHaveProperty('SecurityGroupIngress');
      expect(one.all('AWS::EC2::SecurityGroupIngress')).toEqual([]);
    }
  });

  test('in a VPC that is named it reaches out by HTTPS alone', () => {
    expect(group(inVpc)).toMatchObject({
      VpcId: 'vpc-12345678',
      SecurityGroupEgress: [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: '0.0.0.0/0' }],
    });
  });

  test('may take commands and write results, and nothing else', () => {
    const role = stack.one('AWS::IAM::Role', 'BenchmarkHosts').id;
    const [commands, results, ...others] = stack.statementsOf(role);
    expect(others).toEqual([]);
    expect([results?.Action, results?.Resource.map(shortly)]).toEqual([
      ['s3:PutObject'],
      ['Runs/campaigns/*/results/*'],
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
      SUBNET_IDS: '',
      MAX_COST_USD: '20',
      LABEL: '',
      INSTANCE_TYPES: expect.stringMatching(/^c5\*,/),
    },
  });
  expect(variables(inVpc)).toMatchObject({
    Variables: { SUBNET_IDS: 'subnet-12345678,subnet-87654321', MAX_COST_USD: '3', LABEL: 'emulated' },
  });
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
    expect((Properties['AlarmActions'] as unknown[]).map(shortly)).toEqual(['NotificationsAlarms']);
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
    expect((Properties['AlarmActions'] as unknown[]).map(shortly)).toEqual(['NotificationsAlarms']);
    expect(Properties['AlarmDescription']).toMatch(
      new RegExp(`^Impact: \\S.+\\. Runbook: docs/operate/runbook\\.md#${heading} Trap: \\S.+\\.$`),
    );
    expect(readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8').split('\n')).toContain(
      `## ${heading}`,
    );
  });
});

test('outputs name what the command line and the runbook look for', () => {
  expect(Object.keys(stack.json['Outputs'] as object)).toEqual(
    expect.arrayContaining(['RunsBucket', 'BenchStateMachine', 'BenchCleanup']),
  );
});

test('where the bucket goes with the stack, nothing of a campaign writes after it was emptied', () => {
  const emptied = going.one('Custom::StripewiseEmptiedBucket', 'EmptiedOnDestroy').id;
  const writers = going
    .all('AWS::IAM::Role')
    .filter(([id]) => id.startsWith('Benchmark'))
    .filter(([id]) => going.statementsOf(id).some(({ Action }) => Action.includes('s3:PutObject')));
  expect(writers.map(([id]) => shortly({ Ref: id })).sort()).toEqual([
    'BenchmarkFunctionsCheckCampaignRole',
    'BenchmarkFunctionsFindHostRole',
    'BenchmarkFunctionsGradeCampaignRole',
    'BenchmarkHostsRole',
  ]);
  for (const [, role] of writers) expect([role['DependsOn'] ?? []].flat()).toContain(emptied);
});
