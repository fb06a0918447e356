/** An account in which nothing is in trouble, as the SDK's mocks answer; a test plants one trouble in it. */
import { CloudWatchClient, GetMetricDataCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import {
  DescribeInstancesCommand,
  DescribeRegionsCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  DescribeVpcEndpointsCommand,
  DescribeVpcsCommand,
  EC2Client,
  GetEbsDefaultKmsKeyIdCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import {
  AssumeRoleCommand,
  DecodeAuthorizationMessageCommand,
  GetCallerIdentityCommand,
  STSClient,
} from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { awsError } from '../adapters/aws/aws-error.ts';

const accountId = '111122223333';
const principal = `arn:aws:iam::${accountId}:user/ops`;
const vol = (digit: number): string => `vol-0123456789abcdef${digit}`;

/** As runCli has the time. */
const now = new Date('2026-11-20T12:34:56Z').getTime();
const minutesAgo = (minutes: number): Date => new Date(Math.floor(now / 60_000) * 60_000 - minutes * 60_000);

export const aVolume = (digit: number, more: object = {}): object => ({
  ...{ VolumeId: vol(digit), VolumeType: 'gp3', Size: 100, Iops: 3_000, Throughput: 125 },
  ...{ State: 'in-use', AvailabilityZone: 'us-east-1a' },
  Attachments: [{ InstanceId: 'i-0123456789abcdef0' }],
  ...more,
});

/** The newest point of each metric began so many minutes ago. */
export const pointsUntil = (minutes: number, ids: readonly string[] = ['m0', 'm1', 'm2', 'm3']): object => ({
  MetricDataResults: ids.map((Id) => ({
    ...{ Id, StatusCode: 'Complete', Timestamps: [minutes + 1, minutes].map(minutesAgo), Values: [1, 2] },
  })),
});

export const allowed = (...actions: string[]): object[] =>
  actions.map((EvalActionName) => ({
    ...{ EvalActionName, EvalDecision: 'allowed' },
    OrganizationsDecisionDetail: { AllowedByOrganizations: true },
  }));

const dryRun = (name: string, message = 'Request would have succeeded, but DryRun flag is set.'): Error =>
  awsError(name, message, 412);
export const denied = (message = 'You may not.'): Error => awsError('AccessDeniedException', message, 403);

export function healthyAccount() {
  const account = {
    ec2: mockClient(EC2Client),
    sts: mockClient(STSClient),
    cloudWatch: mockClient(CloudWatchClient),
    quotas: mockClient(ServiceQuotasClient),
    ssm: mockClient(SSMClient),
    iam: mockClient(IAMClient),
    lambda: mockClient(LambdaClient),
  };
  const { ec2, sts, cloudWatch, quotas, ssm, iam, lambda } = account;
  const mocks = Object.values(account);
  beforeEach(() => {
    for (const mock of mocks) mock.reset();
    sts.on(GetCallerIdentityCommand).resolves({ Account: accountId, Arn: principal });
    sts.on(AssumeRoleCommand).resolves({});
    sts.on(DecodeAuthorizationMessageCommand).rejects(denied());
    ec2.on(DescribeRegionsCommand).callsFake(({ Filters }) => ({
      Regions: Filters[0].Values.map((RegionName: string) => ({ RegionName, OptInStatus: 'opted-in' })),
    }));
    ec2.on(DescribeVolumesCommand).resolves({ Volumes: [aVolume(1), aVolume(2)] as never });
    ec2.on(DescribeInstancesCommand).resolves({ Reservations: [] });
    ec2.on(DescribeVpcsCommand).resolves({ Vpcs: [{ VpcId: 'vpc-11111111' }] });
    ec2.on(DescribeSubnetsCommand).resolves({
      Subnets: [
        {
          ...{ SubnetId: 'subnet-11111111', VpcId: 'vpc-11111111' },
          ...{ AvailableIpAddressCount: 4_000, MapPublicIpOnLaunch: true },
        },
      ],
    });
    ec2.on(DescribeRouteTablesCommand).resolves({
      RouteTables: [
        {
          Associations: [{ Main: true }],
          Routes: [{ DestinationCidrBlock: '0.0.0.0/0', GatewayId: 'igw-1', State: 'active' }],
        },
      ],
    });
    ec2.on(DescribeVpcEndpointsCommand).resolves({ VpcEndpoints: [] });
    ec2.on(GetEbsDefaultKmsKeyIdCommand).resolves({ KmsKeyId: 'alias/aws/ebs' });
    ec2.on(RunInstancesCommand).rejects(dryRun('DryRunOperation'));
    cloudWatch.on(ListMetricsCommand).resolves({ Metrics: [] });
    cloudWatch.on(GetMetricDataCommand).resolves(pointsUntil(3));
    quotas
      .on(GetServiceQuotaCommand)
      .callsFake(({ QuotaCode }) => ({ Quota: { Value: QuotaCode === 'L-5E141212' ? 500 : 640 } }));
    ssm.on(GetParameterCommand).resolves({ Parameter: { Value: '25' } });
    iam
      .on(SimulatePrincipalPolicyCommand)
      .callsFake(({ ActionNames }) => ({ EvaluationResults: allowed(...ActionNames) }));
    lambda
      .on(GetAccountSettingsCommand)
      .resolves({ AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } });
  });
  afterAll(() => {
    for (const mock of mocks) mock.restore();
  });
  return account;
}
