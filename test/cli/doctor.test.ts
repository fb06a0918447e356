/** `doctor`: a healthy account, each trouble planted, and each call refused. */
import { GetMetricDataCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import {
  DescribeInstancesCommand,
  DescribeRegionsCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  GetEbsDefaultKmsKeyIdCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import {
  AssumeRoleCommand,
  DecodeAuthorizationMessageCommand,
  GetCallerIdentityCommand,
} from '@aws-sdk/client-sts';
import { checkNames, type DoctorAnswer, doctorAnswerSchema } from '../../core/schemas/doctor-answer.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { tooLong } from '../fixtures/sentences.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { allowed, aVolume, denied, healthyAccount, pointsUntil } from './healthy-account.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const { ec2, sts, cloudWatch, quotas, ssm, iam, lambda } = healthyAccount();
const everything = ['--deploy', '--benchmark'];

/** By the defaults, whatever lies where the tests run. */
const configured = (said = '{}'): string[] => ['--config', directory.write('stripewise.yaml', said)];

async function doctor(
  options: string[] = everything,
  said?: string,
): Promise<DoctorAnswer & { code: number }> {
  const run = await runCli('doctor', '--region', 'us-east-1', ...configured(said), ...options, '--json');
  if (run.out === '') throw new Error(`doctor ended with ${run.code}: ${run.err}`);
  return { ...doctorAnswerSchema.parse(JSON.parse(run.out)), code: run.code };
}
const checkOf = (answer: DoctorAnswer, name: string) => answer.checks.find(({ check }) => check === name);
const notOk = ({ checks }: DoctorAnswer): string[] =>
  checks.filter(({ status }) => status !== 'ok').map(({ check, status }) => `${check}: ${status}`);

describe('a healthy account', () => {
  test('every check is ok, and the exit code is 0', async () => {
    const answer = await doctor();
    expect(answer.checks.map(({ check, status }) => `${check} ${status}`)).toEqual(
      checkNames.map((name) => `${name} ok`),
    );
    expect(answer).toMatchObject({ code: 0, counts: { ok: 17, warning: 0, trouble: 0, unknown: 0 } });
    expect(answer.checks.every(({ fix }) => fix === null)).toBe(true);
  });

  test('without a flag nothing is asked that an audit does not need', async () => {
    const { checks, code } = await doctor([]);
    expect(checks.map(({ check }) => check)).toEqual(checkNames.slice(0, 7));
    expect(code).toBe(0);
    for (const mock of [ssm, iam, lambda]) expect(mock.calls()).toEqual([]);
    expect(sts.commandCalls(AssumeRoleCommand)).toEqual([]);
    expect(ec2.commandCalls(RunInstancesCommand)).toEqual([]);
  });

  test('a line each, with what was asked for and what it costs', async () => {
    const run = await runCli('doctor', '--region', 'us-east-1', ...configured(), ...everything);
    expect(run).toMatchObject({ code: 0, err: '' });
    const lines = run.out.split('\n');
    expect(lines[0]).toMatch(
      /^What an audit and `cdk deploy` and a benchmark need in us-east-1, by .*stripewise\.yaml:$/,
    );
    expect(lines[2]).toBe(
      'ok  credentials       Account 111122223333, as arn:aws:iam::111122223333:user/ops.',
    );
    expect(lines.slice(2, -2)).toHaveLength(17);
    expect(lines.at(-1)).toMatch(
      /^17 ok, 0 warnings, 0 in trouble, 0 unknown\. .* 4 metrics requested \(less than 0\.01 USD\)\.$/,
    );
  });

  test('the launch is a dry run, of the smallest type that is configured', async () => {
    await doctor(
      ['--benchmark'],
      'benchmark: { vpcId: vpc-22222222, subnetIds: [subnet-11111111], instanceTypes: [m5.large, "r6i*"] }',
    );
    expect(ec2.commandCalls(RunInstancesCommand).map(({ args }) => args[0].input)).toEqual([
      expect.objectContaining({ DryRun: true, InstanceType: 'm5.large', SubnetId: 'subnet-11111111' }),
    ]);
  });

  test('the bill is of the volumes that are there: credits of gp2 are polled more often', async () => {
    const usd = async (): Promise<number> => {
      const fact = checkOf(await doctor([]), 'cost')?.fact;
      return fact?.code === 'cost-expected' ? fact.usd : Number.NaN;
    };
    const gp3 = await usd();
    expect(gp3).toBeCloseTo(2 * (0.00141 + 0.0372), 2); // audits 4.7 x 30.4 metrics, monitoring 3,720
    const gp2 = { VolumeType: 'gp2', Iops: 300, Throughput: undefined };
    ec2.on(DescribeVolumesCommand).resolves({ Volumes: [aVolume(1, gp2), aVolume(2, gp2)] as never });
    expect(await usd()).toBeGreaterThan(1.5 * gp3);
  });

  test('volumes of all configured Regions count, excluded and unattached ones do not cost', async () => {
    const tagged = { Tags: [{ Key: 'environment', Value: 'test' }] };
    ec2.on(DescribeVolumesCommand).resolves({
      Volumes: [aVolume(1), aVolume(2, tagged), aVolume(3, { State: 'available', Attachments: [] })] as never,
    });
    const said = 'regions: [us-east-1, eu-west-1]\nexclude: { tags: { environment: test } }';
    const answer = await doctor([], said);
    // The mock answers in both Regions with the same three.
    expect(checkOf(answer, 'volumes')?.fact).toEqual({ code: 'volumes-counted', volumes: 4, excluded: 2 });
    expect(checkOf(answer, 'cost')?.fact).toMatchObject({ volumes: 2 });
  });
});

const simulatedWith = (action: string, more: object): void => {
  iam.on(SimulatePrincipalPolicyCommand).callsFake(({ ActionNames }: { ActionNames: string[] }) => ({
    EvaluationResults: ActionNames.flatMap((one) =>
      one === action ? [{ EvalActionName: one, EvalDecision: 'implicitDeny', ...more }] : allowed(one),
    ),
  }));
};
const subnet = (more: object): void => {
  const usual = { SubnetId: 'subnet-11111111', VpcId: 'vpc-11111111', AvailableIpAddressCount: 9 };
  ec2.on(DescribeSubnetsCommand).resolves({ Subnets: [{ ...usual, ...more }] });
};
const routes = (...Routes: object[]): void => {
  ec2.on(DescribeRouteTablesCommand).resolves({ RouteTables: [{ Associations: [{ Main: true }], Routes }] });
};
const toInternet = { DestinationCidrBlock: '0.0.0.0/0' };
const ofScp = 'not authorized to perform: X with an explicit deny in a service control policy';
const vpc = 'benchmark: { vpcId: vpc-22222222, subnetIds: [subnet-11111111] }';

type Case = [what: string, check: string, status: string, fact: object, plant: () => void, said?: string];

const troubles: Case[] = [
  [
    'a Region that is not enabled',
    'region',
    'trouble',
    { code: 'regions-not-enabled', regions: ['us-east-1'] },
    () =>
      ec2
        .on(DescribeRegionsCommand)
        .resolves({ Regions: [{ RegionName: 'us-east-1', OptInStatus: 'not-opted-in' }] }),
  ],
  [
    'a Region that is none',
    'region',
    'trouble',
    { code: 'regions-not-there' },
    () => ec2.on(DescribeRegionsCommand).resolves({ Regions: [] }),
  ],
  [
    'an account without volumes',
    'volumes',
    'warning',
    { code: 'no-volumes' },
    () => {
      ec2.on(DescribeVolumesCommand).resolves({ Volumes: [] });
    },
  ],
  [
    'metrics that come late',
    'metric-delay',
    'warning',
    { code: 'delay-long', seconds: 476 },
    () => cloudWatch.on(GetMetricDataCommand).resolves(pointsUntil(8)),
  ], // 8 min 56 s, less the minute of the point
  [
    'a small quota of GetMetricData',
    'metric-quota',
    'warning',
    { code: 'metric-calls-few', perSecond: 10, callsAtOnce: 12 },
    () => quotas.on(GetServiceQuotaCommand, { QuotaCode: 'L-5E141212' }).resolves({ Quota: { Value: 10 } }),
  ],
  [
    'a budget below one audit',
    'cost',
    'warning',
    { code: 'budget-too-small', budgetUsd: 0.00001 },
    () => {},
    'budget: { apiUsdPerMonth: 0.00001 }',
  ],
  [
    'no bootstrap',
    'bootstrap',
    'trouble',
    { code: 'not-bootstrapped' },
    () => ssm.on(GetParameterCommand).rejects(awsError('ParameterNotFound', 'none')),
  ],
  [
    'an old bootstrap',
    'bootstrap',
    'trouble',
    { code: 'bootstrap-too-old', version: 5, needed: 6 },
    () => ssm.on(GetParameterCommand).resolves({ Parameter: { Value: '5' } }),
  ],
  [
    "a role of the CDK's that cannot be assumed",
    'cdk-roles',
    'trouble',
    {
      code: 'roles-refused',
      roles: [
        {
          byOrganization: false,
          role: 'arn:aws:iam::111122223333:role/cdk-hnb659fds-deploy-role-111122223333-us-east-1',
          reason: expect.anything(),
        },
      ],
    },
    () =>
      sts
        .on(AssumeRoleCommand, {
          RoleArn: 'arn:aws:iam::111122223333:role/cdk-hnb659fds-deploy-role-111122223333-us-east-1',
        })
        .rejects(awsError('AccessDenied', 'User is not authorized', 403)),
  ],
  [
    'a policy of the organization against the deployment',
    'execution-role',
    'trouble',
    { code: 'actions-denied', denied: [{ action: 'lambda:CreateFunctionUrlConfig', by: 'organization' }] },
    () =>
      simulatedWith('lambda:CreateFunctionUrlConfig', {
        OrganizationsDecisionDetail: { AllowedByOrganizations: false },
      }),
    'report: { links: true }',
  ],
  [
    'a permissions boundary',
    'execution-role',
    'trouble',
    { code: 'actions-denied', denied: [{ action: 'iam:CreateRole', by: 'boundary' }] },
    () =>
      simulatedWith('iam:CreateRole', {
        PermissionsBoundaryDecisionDetail: { AllowedByPermissionsBoundary: false },
      }),
  ],
  [
    'an execution role that may too little',
    'execution-role',
    'trouble',
    { code: 'actions-denied', denied: [{ action: 'sqs:CreateQueue', by: 'policy' }] },
    () => simulatedWith('sqs:CreateQueue', {}),
  ],
  [
    'no execution role',
    'execution-role',
    'trouble',
    { code: 'no-execution-role' },
    () => iam.on(SimulatePrincipalPolicyCommand).rejects(awsError('NoSuchEntityException', 'none', 404)),
  ],
  [
    'a new account with little concurrency',
    'lambda-concurrency',
    'warning',
    { code: 'concurrency-low', unreserved: 10 },
    () =>
      lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { UnreservedConcurrentExecutions: 10 } }),
  ],
  [
    'too little concurrency to reserve',
    'lambda-concurrency',
    'trouble',
    { code: 'concurrency-not-to-reserve', needed: 122 },
    () =>
      lambda
        .on(GetAccountSettingsCommand)
        .resolves({ AccountLimit: { UnreservedConcurrentExecutions: 121 } }),
    'functions: { reserveConcurrency: true }',
  ],
  [
    'no default VPC',
    'vpc',
    'trouble',
    { code: 'no-default-vpc' },
    () => ec2.on(DescribeVpcsCommand).resolves({ Vpcs: [] }),
  ],
  [
    'a VPC that is not there',
    'vpc',
    'trouble',
    { code: 'vpc-not-there', vpcId: 'vpc-22222222' },
    () => ec2.on(DescribeVpcsCommand).rejects(awsError('InvalidVpcID.NotFound', 'none')),
    vpc,
  ],
  [
    'no default subnets',
    'subnets',
    'trouble',
    { code: 'no-default-subnets' },
    () => ec2.on(DescribeSubnetsCommand).resolves({ Subnets: [] }),
  ],
  [
    'a subnet that is not there',
    'subnets',
    'trouble',
    { code: 'subnets-not-there', subnetIds: ['subnet-11111111'] },
    () => ec2.on(DescribeSubnetsCommand).resolves({ Subnets: [] }),
    vpc,
  ],
  [
    'a subnet of another VPC',
    'subnets',
    'trouble',
    { code: 'subnets-of-other-vpc', subnetIds: ['subnet-11111111'] },
    () => subnet({}),
    vpc,
  ],
  [
    'a subnet without an address',
    'subnets',
    'warning',
    { code: 'subnets-full' },
    () => subnet({ AvailableIpAddressCount: 0 }),
  ],
  [
    'an internet gateway without public addresses',
    'egress',
    'trouble',
    {
      code: 'egress-closed',
      subnets: [{ subnetId: 'subnet-11111111', why: 'no-public-address', endpoints: [] }],
    },
    () => subnet({ MapPublicIpOnLaunch: false }),
  ],
  [
    'a NAT gateway that is gone',
    'egress',
    'trouble',
    { code: 'egress-closed', subnets: [expect.objectContaining({ why: 'blackhole' })] },
    () => routes({ ...toInternet, NatGatewayId: 'nat-1', State: 'blackhole' }),
  ],
  [
    'no route and not all endpoints',
    'egress',
    'trouble',
    {
      code: 'egress-closed',
      subnets: [expect.objectContaining({ why: 'endpoints-missing', endpoints: ['ssmmessages', 's3'] })],
    },
    () => {
      routes({ DestinationCidrBlock: '10.0.0.0/8', GatewayId: 'local' });
      ec2.on(DescribeVpcEndpointsCommand).resolves({
        VpcEndpoints: [
          { ServiceName: 'com.amazonaws.us-east-1.ssm', State: 'Available' },
          { ServiceName: 'com.amazonaws.us-east-1.s3', State: 'Pending' },
        ],
      });
    },
  ],
  [
    'a route to what is not looked at',
    'egress',
    'unknown',
    { code: 'egress-not-seen', subnets: [{ subnetId: 'subnet-11111111', target: 'tgw-1' }] },
    () => routes({ ...toInternet, TransitGatewayId: 'tgw-1' }),
  ],
  [
    "a customer's default key",
    'ebs-key',
    'trouble',
    { code: 'key-of-customer', keyId: 'arn:aws:kms:us-east-1:111122223333:key/1' },
    () =>
      ec2.on(GetEbsDefaultKmsKeyIdCommand).resolves({ KmsKeyId: 'arn:aws:kms:us-east-1:111122223333:key/1' }),
  ],
  [
    'no vCPUs',
    'vcpu-quota',
    'trouble',
    { code: 'vcpus-too-few', quota: 0 },
    () => quotas.on(GetServiceQuotaCommand, { QuotaCode: 'L-1216C47A' }).resolves({ Quota: { Value: 0 } }),
  ],
  [
    'vCPUs for some types only',
    'vcpu-quota',
    'warning',
    { code: 'vcpus-too-few-for-some', tooLarge: ['m5.24xlarge'] },
    () => quotas.on(GetServiceQuotaCommand, { QuotaCode: 'L-1216C47A' }).resolves({ Quota: { Value: 32 } }),
    'benchmark: { vpcId: vpc-22222222, subnetIds: [subnet-11111111], instanceTypes: [m5.large, m5.24xlarge] }',
  ],
  [
    'types that nobody knows',
    'vcpu-quota',
    'unknown',
    { code: 'types-not-known' },
    () => {},
    'benchmark: { vpcId: vpc-22222222, subnetIds: [subnet-11111111], instanceTypes: [m99.large] }',
  ],
  [
    'a launch that is refused',
    'launch',
    'trouble',
    { code: 'launch-refused', byOrganization: true, decoded: null },
    () =>
      ec2
        .on(RunInstancesCommand)
        .rejects(
          awsError('UnauthorizedOperation', `${ofScp}. Encoded authorization failure message: abc`, 403),
        ),
  ],
  [
    'a launch that fails',
    'launch',
    'trouble',
    { code: 'launch-fails', error: 'VPCIdNotSpecified' },
    () => ec2.on(RunInstancesCommand).rejects(awsError('VPCIdNotSpecified', 'No default VPC')),
  ],
];

test.each(troubles.map((one) => [one[0], one] as const))('%s is found', async (_, planted) => {
  const [, check, status, fact, plant, said] = planted;
  plant();
  const answer = await doctor(everything, said);
  const found = checkOf(answer, check);
  expect(found).toMatchObject({ status, fact });
  expect(found?.fix).not.toBeNull();
  const { trouble, unknown } = answer.counts;
  expect(answer.code).toBe((trouble ?? 0) > 0 ? 1 : (unknown ?? 0) > 0 ? 3 : 0);
  if (status === 'trouble') expect(answer.code).toBe(1);
});

test("a customer's default key is no trouble where the configuration names a key", async () => {
  const key = 'arn:aws:kms:us-east-1:111122223333:key/1';
  ec2.on(GetEbsDefaultKmsKeyIdCommand).resolves({ KmsKeyId: key });
  const place = 'vpcId: vpc-22222222, subnetIds: [subnet-11111111]';
  const answer = await doctor(everything, `benchmark: { ${place}, kmsKeyArn: "${key}" }`);
  expect(checkOf(answer, 'ebs-key')).toMatchObject({
    ...{ status: 'ok', fact: { code: 'key-configured', keyId: key } },
  });
});

test('warnings alone are exit code 0', async () => {
  ec2.on(DescribeVolumesCommand).resolves({ Volumes: [aVolume(1)] as never });
  cloudWatch.on(GetMetricDataCommand).resolves(pointsUntil(8));
  const answer = await doctor();
  expect([answer.code, notOk(answer)]).toEqual([0, ['metric-delay: warning']]);
});

describe('a refusal of a launch is decoded as far as it may be', () => {
  const refuse = (): void => {
    const message =
      'You are not authorized to perform this operation. Encoded authorization failure message: abc-DEF_1';
    ec2.on(RunInstancesCommand).rejects(awsError('UnauthorizedOperation', message, 403));
  };
  const fact = async () => checkOf(await doctor(['--benchmark']), 'launch');

  test('what denies it is named', async () => {
    refuse();
    sts.on(DecodeAuthorizationMessageCommand, { EncodedMessage: 'abc-DEF_1' }).resolves({
      DecodedMessage: JSON.stringify({
        ...{ allowed: false, explicitDeny: true },
        matchedStatements: { items: [{ statementId: 'NoLargeTypes', effect: 'DENY' }] },
        context: { action: 'ec2:RunInstances', resource: 'arn:aws:ec2:us-east-1:111122223333:instance/*' },
      }),
    });
    expect(await fact()).toMatchObject({
      text: expect.stringContaining('is denied explicitly by NoLargeTypes.'),
      fact: { byOrganization: false, decoded: { isExplicit: true, statements: ['NoLargeTypes'] } },
    });
  });

  test.each(['{', '{"explicitDeny": "yes"}'])(
    'what cannot be read of it is left out: %s',
    async (DecodedMessage) => {
      refuse();
      sts.on(DecodeAuthorizationMessageCommand).resolves({ DecodedMessage });
      expect(await fact()).toMatchObject({ status: 'trouble', fact: { decoded: null } });
    },
  );
});

describe('a refused call', () => {
  const refusals: [action: string, refuse: (error: Error) => unknown, unknown: string[]][] = [
    ['ec2:DescribeRegions', (error) => ec2.on(DescribeRegionsCommand).rejects(error), ['region']],
    ['ec2:DescribeVolumes', (error) => ec2.on(DescribeVolumesCommand).rejects(error), ['volumes', 'cost']],
    [
      'cloudwatch:GetMetricData',
      (error) => cloudWatch.on(GetMetricDataCommand).rejects(error),
      ['metric-delay'],
    ],
    [
      'servicequotas:GetServiceQuota',
      (error) => quotas.on(GetServiceQuotaCommand).rejects(error),
      ['metric-quota', 'vcpu-quota'],
    ],
    ['ssm:GetParameter', (error) => ssm.on(GetParameterCommand).rejects(error), ['bootstrap']],
    [
      'iam:SimulatePrincipalPolicy',
      (error) => iam.on(SimulatePrincipalPolicyCommand).rejects(error),
      ['execution-role'],
    ],
    [
      'lambda:GetAccountSettings',
      (error) => lambda.on(GetAccountSettingsCommand).rejects(error),
      ['lambda-concurrency'],
    ],
    ['ec2:DescribeVpcs', (error) => ec2.on(DescribeVpcsCommand).rejects(error), ['vpc']],
    ['ec2:DescribeSubnets', (error) => ec2.on(DescribeSubnetsCommand).rejects(error), ['subnets', 'egress']],
    ['ec2:DescribeRouteTables', (error) => ec2.on(DescribeRouteTablesCommand).rejects(error), ['egress']],
    ['ec2:DescribeVpcEndpoints', (error) => ec2.on(DescribeVpcEndpointsCommand).rejects(error), ['egress']],
    [
      'ec2:GetEbsDefaultKmsKeyId',
      (error) => ec2.on(GetEbsDefaultKmsKeyIdCommand).rejects(error),
      ['ebs-key'],
    ],
  ];

  test.each(refusals)(
    '%s makes its checks unknown, and the line names it',
    async (action, refuse, unknown) => {
      refuse(denied());
      const answer = await doctor();
      for (const name of unknown)
        expect(checkOf(answer, name)).toMatchObject({
          ...{ status: 'unknown', fact: { action, isRefused: true } },
          ...{ text: expect.stringContaining(`${action} is refused`), fix: expect.stringContaining(action) },
        });
      expect(answer.code).toBe(notOk(answer).some((one) => one.endsWith('trouble')) ? 1 : 3);
    },
  );

  test.each([
    ['ec2:DescribeVolumes', (error: Error) => ec2.on(DescribeVolumesCommand).rejects(error)],
    ['ec2:DescribeInstances', (error: Error) => ec2.on(DescribeInstancesCommand).rejects(error)],
    ['cloudwatch:ListMetrics', (error: Error) => cloudWatch.on(ListMetricsCommand).rejects(error)],
    ['cloudwatch:GetMetricData', (error: Error) => cloudWatch.on(GetMetricDataCommand).rejects(error)],
  ])('%s is one that an audit needs: that is trouble', async (action, refuse) => {
    refuse(denied(ofScp));
    const answer = await doctor([]);
    expect(checkOf(answer, 'permissions')).toMatchObject({
      ...{
        status: 'trouble',
        text: expect.stringContaining(`${action} in us-east-1 (a policy of the organization`),
      },
      fact: { refused: [{ action, region: 'us-east-1', byOrganization: true }] },
    });
    expect(answer.code).toBe(1);
  });

  test('what fails otherwise says nothing of permissions', async () => {
    ec2.on(DescribeInstancesCommand).rejects(awsError('InternalError', 'Something broke', 500));
    const answer = await doctor([]);
    expect(checkOf(answer, 'permissions')).toMatchObject({
      ...{ status: 'unknown', fact: { isRefused: false }, fix: 'Try again later.' },
    });
    expect(answer.code).toBe(3);
  });

  test('a Region that everybody has and a policy forbids: the one that is asked about answers itself', async () => {
    ec2.on(DescribeRegionsCommand).callsFake(async (_, client) => {
      if ((await client().config.region()) === 'us-east-1') throw denied(ofScp);
      return { Regions: [{ RegionName: 'eu-west-1', OptInStatus: 'opt-in-not-required' }] };
    });
    const { out } = await runCli('doctor', '--region', 'eu-west-1', ...configured(), '--json');
    expect(checkOf(JSON.parse(out), 'region')).toMatchObject({ status: 'ok' });
  });
});

describe('credentials', () => {
  test.each([
    [
      'none',
      Object.assign(new Error('Could not load credentials from any providers'), {
        name: 'CredentialsProviderError',
      }),
    ],
    [
      'expired ones',
      awsError('ExpiredTokenException', 'The security token included in the request is expired', 403),
    ],
    [
      'wrong ones',
      awsError('InvalidClientTokenId', 'The security token included in the request is invalid.', 403),
    ],
  ])('%s are trouble, and nothing else is asked', async (_, error) => {
    sts.on(GetCallerIdentityCommand).rejects(error);
    const answer = await doctor();
    expect(answer.checks).toMatchObject([
      { check: 'credentials', status: 'trouble', fact: { code: 'not-signed-in' } },
    ]);
    expect(answer.code).toBe(1);
    expect(ec2.calls()).toEqual([]);
  });

  test('a network that does not answer is unknown', async () => {
    sts
      .on(GetCallerIdentityCommand)
      .rejects(Object.assign(new Error('getaddrinfo ENOTFOUND'), { name: 'Error', code: 'ENOTFOUND' }));
    expect(await doctor()).toMatchObject({ code: 3, checks: [{ check: 'credentials', status: 'unknown' }] });
  });
});

test('every line is of short sentences', async () => {
  for (const [, , , , plant, said] of troubles) {
    plant();
    const { checks } = await doctor(everything, said);
    expect(checks.flatMap(({ text, fix }) => tooLong([text, fix ?? '']))).toEqual([]);
  }
});

test.each([
  ['a Region of no form', ['--region', 'Frankfurt'], /--region "Frankfurt" is not a Region/],
  [
    'a configuration that is not there',
    ['--region', 'us-east-1', '--config', '/nowhere.yaml'],
    /\/nowhere\.yaml/,
  ],
])('%s is one line', async (_, options, line) => {
  await expectOneLine(['doctor', ...options], line);
});
