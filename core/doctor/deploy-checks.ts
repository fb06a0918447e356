/** What `cdk deploy` needs of an account. */

import { functionsAtOnce } from '../audit/at-once.ts';
import type { Config } from '../config/config.ts';
import { shards } from '../monitoring/shards.ts';
import type { DoctorCheck } from '../schemas/doctor-answer.ts';
import { checkOf, notReadOf, ofRead } from './account-checks.ts';
import type { DeployFacts, SimulatedAction } from './facts.ts';

/** Of the bootstrap's resources, as the CDK names them where nobody chose others. */
const qualifier = 'hnb659fds';

export const bootstrapParameter = `/cdk-bootstrap/${qualifier}/version`;
/** What the CDK's own synthesizer asks for: a test holds it against a template. */
export const neededBootstrapVersion = 6;

export interface Place {
  partition: string;
  account: string;
  region: string;
}

export const cdkRole = (
  kind: 'deploy' | 'file-publishing' | 'cfn-exec',
  { partition, account, region }: Place,
): string => `arn:${partition}:iam::${account}:role/cdk-${qualifier}-${kind}-role-${account}-${region}`;

/** What CloudFormation calls for each kind of resource, as far as a policy would refuse it: making one, and what it always comes with. */
const actionsByType: Readonly<Record<string, readonly string[]>> = {
  'AWS::Athena::NamedQuery': ['athena:CreateNamedQuery'],
  'AWS::Athena::WorkGroup': ['athena:CreateWorkGroup'],
  'AWS::CloudWatch::Alarm': ['cloudwatch:PutMetricAlarm'],
  'AWS::CloudWatch::Dashboard': ['cloudwatch:PutDashboard'],
  'AWS::DynamoDB::GlobalTable': ['dynamodb:CreateTable'],
  'AWS::EC2::LaunchTemplate': ['ec2:CreateLaunchTemplate'],
  'AWS::EC2::SecurityGroup': ['ec2:CreateSecurityGroup', 'ec2:AuthorizeSecurityGroupEgress'],
  'AWS::Events::Rule': ['events:PutRule', 'events:PutTargets'],
  'AWS::Glue::Database': ['glue:CreateDatabase'],
  'AWS::Glue::Table': ['glue:CreateTable'],
  'AWS::IAM::InstanceProfile': ['iam:CreateInstanceProfile', 'iam:AddRoleToInstanceProfile'],
  'AWS::IAM::Policy': ['iam:PutRolePolicy'],
  'AWS::IAM::Role': ['iam:CreateRole', 'iam:PassRole'],
  'AWS::Lambda::EventInvokeConfig': ['lambda:PutFunctionEventInvokeConfig'],
  'AWS::Lambda::EventSourceMapping': ['lambda:CreateEventSourceMapping'],
  'AWS::Lambda::Function': ['lambda:CreateFunction'],
  'AWS::Lambda::Permission': ['lambda:AddPermission'],
  'AWS::Lambda::Url': ['lambda:CreateFunctionUrlConfig'],
  'AWS::Logs::LogGroup': ['logs:CreateLogGroup', 'logs:PutRetentionPolicy'],
  'AWS::S3::Bucket': ['s3:CreateBucket', 's3:PutLifecycleConfiguration', 's3:PutEncryptionConfiguration'],
  'AWS::S3::BucketPolicy': ['s3:PutBucketPolicy'],
  'AWS::SNS::Subscription': ['sns:Subscribe'],
  'AWS::SNS::Topic': ['sns:CreateTopic'],
  'AWS::SNS::TopicPolicy': ['sns:SetTopicAttributes'],
  'AWS::SQS::Queue': ['sqs:CreateQueue'],
  'AWS::SQS::QueuePolicy': ['sqs:SetQueueAttributes'],
  'AWS::SSM::Document': ['ssm:CreateDocument'],
  'AWS::SSM::Parameter': ['ssm:PutParameter'],
  'AWS::Scheduler::Schedule': ['scheduler:CreateSchedule'],
  'AWS::SecretsManager::Secret': ['secretsmanager:CreateSecret'],
  'AWS::StepFunctions::StateMachine': ['states:CreateStateMachine'],
  'Custom::StripewiseEmptiedBucket': ['lambda:InvokeFunction'],
  'Custom::StripewiseHostsEnded': ['lambda:InvokeFunction'],
};

/** Kinds of resources that the templates of a configuration have, that of its benchmark too. */
export function resourceTypesOf(config: Config): string[] {
  const { archive, benchmark, audit, monitoring, notifications, report, channels, keep } = config;
  const hasBenchmark = benchmark !== undefined;
  const hasButtons = Object.values(channels).some((one) => one.kind === 'slack-bot' && one.buttons);
  const hasUrls = report.links || hasButtons;
  const isCalledByClock = monitoring.enabled || notifications.digest !== 'none';
  const onlyWith: Readonly<Record<string, boolean>> = {
    'AWS::Athena::NamedQuery': archive !== undefined,
    'AWS::Athena::WorkGroup': archive !== undefined,
    'AWS::Glue::Database': archive !== undefined,
    'AWS::Glue::Table': archive !== undefined,
    'AWS::EC2::LaunchTemplate': hasBenchmark,
    'AWS::EC2::SecurityGroup': hasBenchmark,
    'AWS::Events::Rule': hasBenchmark,
    'AWS::IAM::InstanceProfile': hasBenchmark,
    'Custom::StripewiseHostsEnded': hasBenchmark,
    'AWS::Lambda::EventInvokeConfig': hasBenchmark || isCalledByClock,
    'AWS::Lambda::Permission': hasBenchmark || hasUrls,
    'AWS::Lambda::Url': hasUrls,
    'AWS::SSM::Document': hasBenchmark || audit.hostDiscovery,
    'Custom::StripewiseEmptiedBucket': keep.removalPolicy === 'destroy',
  };
  return Object.keys(actionsByType).filter((type) => onlyWith[type] ?? true);
}

export const actionsToDeploy = (config: Config): string[] => [
  ...new Set(resourceTypesOf(config).flatMap((type) => actionsByType[type] ?? [])),
];

const bootstrapCheck = ({ bootstrapVersion }: DeployFacts, { account, region }: Place): DoctorCheck =>
  ofRead('bootstrap', bootstrapVersion, (version) => {
    if (version === null)
      return checkOf('bootstrap', 'trouble', { code: 'not-bootstrapped', account, region });
    const needed = neededBootstrapVersion;
    return version < needed
      ? checkOf('bootstrap', 'trouble', { code: 'bootstrap-too-old', version, needed, account, region })
      : checkOf('bootstrap', 'ok', { code: 'bootstrapped', version });
  });

function roleCheck({ roles }: DeployFacts): DoctorCheck {
  const refused = roles.flatMap(({ role, notRead }) =>
    notRead?.isRefused ? [{ role, byOrganization: notRead.byOrganization, reason: notRead.reason }] : [],
  );
  if (refused.length > 0) return checkOf('cdk-roles', 'trouble', { code: 'roles-refused', roles: refused });
  const failed = roles.find(({ notRead }) => notRead !== null)?.notRead;
  if (failed) return notReadOf('cdk-roles', failed);
  return checkOf('cdk-roles', 'ok', { code: 'roles-assumed', roles: roles.map(({ role }) => role) });
}

const deniedBy = ({ allowedByOrganization, allowedByBoundary }: SimulatedAction) => {
  if (allowedByOrganization === false) return 'organization';
  return allowedByBoundary === false ? 'boundary' : 'policy';
};

const executionCheck = ({ simulated, executionRole }: DeployFacts): DoctorCheck =>
  ofRead('execution-role', simulated, (actions) => {
    if (actions === null)
      return checkOf('execution-role', 'trouble', { code: 'no-execution-role', role: executionRole });
    const denied = actions.flatMap((one) =>
      one.isAllowed ? [] : [{ action: one.action, by: deniedBy(one) } as const],
    );
    return denied.length > 0
      ? checkOf('execution-role', 'trouble', { code: 'actions-denied', denied })
      : checkOf('execution-role', 'ok', { code: 'actions-allowed', actions: actions.length });
  });

/** What functions.reserveConcurrency keeps, in all (test/lib holds it against the template). */
export const reservedCallsOf = ({ organization }: Pick<Config, 'organization'>): number =>
  organization === undefined ? 22 : 22 + shards;
/** AWS leaves so many to functions without a reservation. Source: Lambda developer guide, reserved concurrency. */
const neverReserved = 100;

const concurrencyCheck = ({ unreservedConcurrency }: DeployFacts, config: Config): DoctorCheck =>
  ofRead('lambda-concurrency', unreservedConcurrency, (unreserved) => {
    const toReserve = { unreserved, needed: reservedCallsOf(config) + neverReserved };
    if (config.functions.reserveConcurrency && unreserved < toReserve.needed)
      return checkOf('lambda-concurrency', 'trouble', { code: 'concurrency-not-to-reserve', ...toReserve });
    const figures = { unreserved, needed: reservedCallsOf(config) + functionsAtOnce(config) };
    return unreserved < figures.needed
      ? checkOf('lambda-concurrency', 'warning', { code: 'concurrency-low', ...figures })
      : checkOf('lambda-concurrency', 'ok', { code: 'concurrency-enough', ...figures });
  });

export const deployChecks = (facts: DeployFacts, config: Config, place: Place): DoctorCheck[] => [
  bootstrapCheck(facts, place),
  roleCheck(facts),
  executionCheck(facts),
  concurrencyCheck(facts, config),
];
