/** The functions of the benchmark, each with what it may do and no more. */
import { Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { benchmarkHostsFolder } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { campaignTag, launchTemplateTag } from '../../core/benchmark/campaign/cells.ts';
import type { Config } from '../../core/config/config.ts';
import type { Env as CheckEnv } from '../../lambdas/check-campaign/env.ts';
import type { Env as EndEnv } from '../../lambdas/end-command/env.ts';
import type { Env as FindEnv } from '../../lambdas/find-host/env.ts';
import type { Env as GradeEnv } from '../../lambdas/grade-campaign/env.ts';
import type { Env as LaunchEnv } from '../../lambdas/launch-host/env.ts';
import type { Env as NextEnv } from '../../lambdas/next-command/env.ts';
import type { Env as RunEnv } from '../../lambdas/run-command/env.ts';
import type { Env as TerminateEnv } from '../../lambdas/terminate-host/env.ts';
import { NodeFunction, type NodeFunctionProps } from '../shared/node-function.ts';
import { listObjects, onEverything, onObjects, type Permission, permission } from '../shared/permissions.ts';
import type { BenchDocuments } from './documents.ts';
import { endHosts, findInstances, launchFrom } from './host-permissions.ts';
import type { HostTemplates } from './host-templates.ts';

export interface BenchFunctionsProps {
  benchmark: NonNullable<Config['benchmark']>;
  logsDays: number;
  bucket: IBucket;
  waiting: TableV2;
  templates: HostTemplates;
  documents: BenchDocuments;
}

const readHosts = onEverything(
  'Systems Manager lets managed instances and commands be listed and read on everything only.',
  'ssm:DescribeInstanceInformation',
);
const readCommands = onEverything(
  'Systems Manager lets managed instances and commands be listed and read on everything only.',
  'ssm:GetCommandInvocation',
);
const answerTasks = onEverything(
  'a task is answered by its token, which only who was given it has: its state machine comes after this function.',
  'states:SendTaskSuccess',
  'states:SendTaskFailure',
);

export class BenchFunctions extends Construct {
  readonly checkCampaign: LambdaFunction;
  readonly launchHost: LambdaFunction;
  readonly findHost: LambdaFunction;
  readonly nextCommand: LambdaFunction;
  readonly runCommand: LambdaFunction;
  readonly endCommand: LambdaFunction;
  readonly terminateHost: LambdaFunction;
  readonly gradeCampaign: LambdaFunction;

  /** Those that the workflow runs. */
  get steps(): LambdaFunction[] {
    return [
      this.checkCampaign,
      this.launchHost,
      this.findHost,
      this.nextCommand,
      this.runCommand,
      this.terminateHost,
      this.gradeCampaign,
    ];
  }

  constructor(scope: Construct, id: string, props: BenchFunctionsProps) {
    super(scope, id);
    const { benchmark, logsDays, bucket, waiting, templates, documents } = props;
    const { partition, region, account } = Stack.of(this);
    const environment = { BUCKET: bucket.bucketName };
    const read = onObjects(bucket, 'campaigns/', 's3:GetObject');
    const write = onObjects(bucket, 'campaigns/', 's3:PutObject');
    const record = onObjects(bucket, benchmarkHostsFolder, 's3:PutObject');
    const make = <Env extends object>(
      id: string,
      one: Omit<NodeFunctionProps<Env>, 'logsDays' | 'memoryMiB' | 'timeout'> & { timeout?: Duration },
    ): LambdaFunction =>
      new NodeFunction<Env>(this, id, {
        ...one,
        logsDays,
        memoryMiB: 512,
        timeout: one.timeout ?? Duration.minutes(2),
      }).function;

    this.checkCampaign = make<CheckEnv>('CheckCampaign', {
      name: 'check-campaign',
      description: 'stripewise: whether a campaign can be, and what it costs',
      environment: {
        ...environment,
        SUBNET_IDS: benchmark.subnetIds.join(','),
        MAX_COST_USD: `${benchmark.maxCostUsd}`,
        INSTANCE_TYPES: benchmark.instanceTypes.join(','),
        LABEL: benchmark.label ?? '',
      },
      may: [
        write,
        listObjects(bucket, 'catalog/'),
        onObjects(bucket, 'catalog/', 's3:GetObject'),
        onEverything("EC2's describe calls know no resources.", 'ec2:DescribeSubnets'),
        onEverything('Service Quotas knows no resources to be read by.', 'servicequotas:GetServiceQuota'),
      ],
    });
    this.launchHost = make<LaunchEnv>('LaunchHost', {
      name: 'launch-host',
      description: 'stripewise: launches a host of a campaign with its volumes',
      environment: { ...environment, ...templates.origin, KMS_KEY_ARN: benchmark.kmsKeyArn ?? '' },
      // A zone after the other.
      timeout: Duration.minutes(5),
      may: [read, record, findInstances, ...launchFrom(this, templates, benchmark)],
    });
    this.findHost = make<FindEnv>('FindHost', {
      name: 'find-host',
      description: 'stripewise: whether a host of a campaign takes commands',
      environment: { ...environment, ...templates.origin },
      may: [read, write, record, findInstances, readHosts],
    });
    this.nextCommand = make<NextEnv>('NextCommand', {
      name: 'next-command',
      description: 'stripewise: what a host of a campaign does next',
      environment,
      may: [read],
    });
    this.runCommand = make<RunEnv>('RunCommand', {
      name: 'run-command',
      description: 'stripewise: sends a command to a host of a campaign',
      environment: {
        ...environment,
        WAITING_TABLE: waiting.tableName,
        DOCUMENTS: Stack.of(this).toJsonString(documents.names),
      },
      may: [
        read,
        permission(['ssm:SendCommand'], ...documents.arns),
        sendToHosts(`arn:${partition}:ec2:${region}:${account}:instance/*`, templates),
        permission(['dynamodb:PutItem'], waiting.tableArn),
        readHosts,
        readCommands,
        onEverything('Systems Manager lets commands be listed on everything only.', 'ssm:ListCommands'),
        answerTasks,
      ],
    });
    this.endCommand = make<EndEnv>('EndCommand', {
      name: 'end-command',
      description: 'stripewise: tells a campaign that a command has ended',
      environment: { WAITING_TABLE: waiting.tableName },
      may: [
        permission(['dynamodb:GetItem', 'dynamodb:DeleteItem'], waiting.tableArn),
        readCommands,
        answerTasks,
      ],
    });
    this.terminateHost = make<TerminateEnv>('TerminateHost', {
      name: 'terminate-host',
      description: 'stripewise: ends a host of a campaign and what it has',
      environment: templates.origin,
      may: [findInstances, endHosts(this, templates)],
    });
    this.gradeCampaign = make<GradeEnv>('GradeCampaign', {
      name: 'grade-campaign',
      description: 'stripewise: the report of a campaign',
      environment,
      may: [
        listObjects(bucket, 'campaigns/'),
        read,
        write,
        onObjects(bucket, 'validations/', 's3:PutObject'),
        onEverything("CloudWatch's reads know no resources.", 'cloudwatch:GetMetricData'),
      ],
    });
  }
}

/** Hosts of campaigns alone: others of the account get no command of ours. */
const sendToHosts = (instances: string, { launchTemplateIds }: HostTemplates): Permission => ({
  actions: ['ssm:SendCommand'],
  resources: [instances],
  conditions: {
    StringLike: { [`ssm:resourceTag/${campaignTag}`]: '*' },
    StringEquals: { [`ssm:resourceTag/${launchTemplateTag}`]: Object.values(launchTemplateIds) },
  },
  reason:
    'hosts are not known before a campaign; only those of the launch templates of the stack may be sent to.',
});
