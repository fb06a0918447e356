/** The functions of the audit, each with what it may do and no more. */
import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Env as CollectEnv } from '../../lambdas/collect-findings/env.ts';
import type { Env as DiscoverEnv } from '../../lambdas/discover-volumes/env.ts';
import type { Env as DashboardEnv } from '../../lambdas/draw-dashboard/env.ts';
import type { Env as JudgeEnv } from '../../lambdas/judge-batch/env.ts';
import type { Env as TargetsEnv } from '../../lambdas/list-targets/env.ts';
import type { Config } from '../config.ts';
import { NodeFunction } from '../shared/node-function.ts';

export interface AuditFunctionsProps {
  config: Config;
  bucket: IBucket;
  dashboardName: string;
}

/** EC2's describe calls and CloudWatch's reads know no resources: AWS lets them be allowed on `*` only. */
const readEverything = (...actions: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources: ['*'] });

export class AuditFunctions extends Construct {
  readonly listTargets: LambdaFunction;
  readonly discoverVolumes: LambdaFunction;
  readonly judgeBatch: LambdaFunction;
  readonly collectFindings: LambdaFunction;
  readonly drawDashboard: LambdaFunction;

  constructor(scope: Construct, id: string, { config, bucket, dashboardName }: AuditFunctionsProps) {
    super(scope, id);
    const { regions, audit, keep } = config;
    const stack = Stack.of(this);
    const environment = { BUCKET: bucket.bucketName };
    const { logsDays } = keep;

    this.listTargets = new NodeFunction<TargetsEnv>(this, 'ListTargets', {
      name: 'list-targets',
      description: 'stripewise: which Regions a run reads, and over which time',
      environment: {
        REGIONS: regions.length > 0 ? regions.join(',') : stack.region,
        LOOKBACK_DAYS: `${audit.lookbackDays}`,
        PERIOD_SECONDS: `${audit.periodSeconds}`,
      },
      memoryMiB: 256,
      timeout: Duration.seconds(30),
      logsDays,
    }).function;

    this.discoverVolumes = new NodeFunction<DiscoverEnv>(this, 'DiscoverVolumes', {
      name: 'discover-volumes',
      description: 'stripewise: the volumes and instances of a Region, in batches',
      environment,
      memoryMiB: 1_024,
      timeout: Duration.minutes(10),
      logsDays,
    }).function;
    this.discoverVolumes.addToRolePolicy(
      readEverything('ec2:DescribeVolumes', 'ec2:DescribeInstances', 'cloudwatch:ListMetrics'),
    );
    bucket.grantPut(this.discoverVolumes, 'work/*');

    this.judgeBatch = new NodeFunction<JudgeEnv>(this, 'JudgeBatch', {
      name: 'judge-batch',
      description: 'stripewise: reads the metrics of a batch of volumes and judges them',
      environment,
      memoryMiB: 1_024,
      timeout: Duration.minutes(15),
      logsDays,
    }).function;
    this.judgeBatch.addToRolePolicy(readEverything('cloudwatch:GetMetricData'));
    bucket.grantRead(this.judgeBatch, 'work/*');
    bucket.grantPut(this.judgeBatch, 'work/*');

    this.collectFindings = new NodeFunction<CollectEnv>(this, 'CollectFindings', {
      name: 'collect-findings',
      description: 'stripewise: all batches of a run as one result',
      environment,
      memoryMiB: 1_024,
      timeout: Duration.minutes(10),
      logsDays,
    }).function;
    bucket.grantRead(this.collectFindings, 'work/*');
    bucket.grantPut(this.collectFindings, 'runs/*');

    this.drawDashboard = new NodeFunction<DashboardEnv>(this, 'DrawDashboard', {
      name: 'draw-dashboard',
      description: 'stripewise: the dashboard of the volumes at risk',
      environment: { ...environment, DASHBOARD_NAME: dashboardName },
      memoryMiB: 512,
      timeout: Duration.minutes(2),
      logsDays,
    }).function;
    bucket.grantRead(this.drawDashboard, 'runs/*');
    this.drawDashboard.addToRolePolicy(
      new PolicyStatement({
        actions: ['cloudwatch:PutDashboard'],
        resources: [`arn:${stack.partition}:cloudwatch::${stack.account}:dashboard/${dashboardName}`],
      }),
    );
  }
}
