/** Watches volumes between audits: a function each minute or few, and what it remembers of each volume. */
import { Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPolicy, type IRole } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { latestTargetsKey } from '../../core/audit/run-keys.ts';
import { benchmarkHostsFolder } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import type { Config } from '../../core/config/config.ts';
import {
  accountBudgetsOf,
  lifecycleVariablesOf,
  pointRatesOf,
  variablesOf,
} from '../../core/config/variables.ts';
import { pace } from '../../core/monitoring/pace.ts';
import { readingActions } from '../../core/reading-actions.ts';
import type { Env } from '../../lambdas/watch-volumes/env.ts';
import { hubRights } from '../audit/hub.ts';
import { FunctionSchedule } from '../shared/function-schedule.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { listObjects, mayRead, onObjects, permission, policyOf } from '../shared/permissions.ts';
import { tableOnDemand } from '../shared/table.ts';

export interface MonitoringProps {
  config: Config;
  bucket: IBucket;
  /** The life of each finding. */
  findings: TableV2;
  /** What reading cost. */
  spend: TableV2;
  /** Tells what monitoring saw. */
  notifyFindings: LambdaFunction;
}

export class Monitoring extends Construct {
  readonly watchVolumes: LambdaFunction;

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    const { config, bucket, findings, spend, notifyFindings } = props;
    const { monitoring, regions, budget, keep } = config;
    const watches = tableOnDemand(this, 'Watches', {
      ...{ key: 'shard', sortKey: 'volumeId' },
      globalSecondaryIndexes: [
        {
          indexName: 'due',
          partitionKey: { name: 'shard', type: AttributeType.STRING },
          sortKey: { name: 'nextPollEpochSeconds', type: AttributeType.NUMBER },
        },
      ],
    });
    const hub = hubRights(Stack.of(this), config, 'WatchVolumes');
    const isOrganized = config.organization !== undefined;
    this.watchVolumes = new NodeFunction<Env>(this, 'WatchVolumes', {
      name: 'watch-volumes',
      description: 'stripewise: polls the volumes that may be in trouble before the next audit',
      environment: {
        ACCOUNT: Stack.of(this).account,
        REGIONS: regions.length > 0 ? regions.join(',') : Stack.of(this).region,
        EVERY_MINUTES: `${monitoring.everyMinutes}`,
        API_USD_PER_MONTH: budget.apiUsdPerMonth === null ? '' : `${budget.apiUsdPerMonth}`,
        BUCKET: bucket.bucketName,
        WATCHES_TABLE: watches.tableName,
        FINDINGS_TABLE: findings.tableName,
        SPEND_TABLE: spend.tableName,
        NOTIFY_FUNCTION_ARN: notifyFindings.functionArn,
        ...lifecycleVariablesOf(config),
        ...variablesOf(config),
        POINT_RATES: JSON.stringify(pointRatesOf(config).monitoring),
        ...hub.environment,
        ...accountBudgetsOf(config),
      },
      memoryMiB: 512,
      timeout: Duration.seconds(pace.mostTickSeconds),
      logsDays: keep.logsDays,
      ...hub.role,
      may: [
        mayRead(readingActions.watchVolumes),
        listObjects(bucket, benchmarkHostsFolder),
        listObjects(bucket, 'monitoring/'),
        {
          ...onObjects(bucket, 'monitoring/', 's3:GetObject', 's3:PutObject'),
          reason: 'each Region has a key of its own below monitoring/.',
        },
        ...hub.may,
        ...(isOrganized
          ? [
              listObjects(bucket, latestTargetsKey),
              permission(['s3:GetObject'], bucket.arnForObjects(latestTargetsKey)),
              // What shards take of one budget.
              permission(['dynamodb:UpdateItem'], watches.tableArn),
            ]
          : []),
        // Prices of what is recommended.
        listObjects(bucket, 'catalog/'),
        {
          ...onObjects(bucket, 'catalog/', 's3:GetObject'),
          reason: 'each Region has a key of its own below catalog/.',
        },
        permission(
          ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
          watches.tableArn,
        ),
        permission(['dynamodb:Query'], `${watches.tableArn}/index/due`),
        permission(['dynamodb:BatchGetItem', 'dynamodb:PutItem'], findings.tableArn),
        permission(['dynamodb:UpdateItem'], spend.tableArn),
        permission(['lambda:InvokeFunction'], notifyFindings.functionArn),
      ],
    }).function;
    if (isOrganized) this.handsShardsToItself();
    // A tick that died has asked and paid: the next one comes in a minute anyhow.
    const every = Duration.minutes(monitoring.everyMinutes);
    this.watchVolumes.configureAsyncInvoke({
      retryAttempts: 0,
      // A shard that waits for a place to run is the next tick's by then.
      ...(isOrganized ? { maxEventAge: every } : {}),
    });
    new FunctionSchedule(this, 'Schedule', {
      description: 'stripewise: monitoring',
      schedule: ScheduleExpression.rate(every),
      function: this.watchVolumes,
      mostLate: Duration.minutes(1),
    });
  }

  /** Apart from its role: that one is there before the function. */
  private handsShardsToItself(): void {
    const { role, functionArn } = this.watchVolumes;
    const may = [permission(['lambda:InvokeFunction'], functionArn)];
    new CfnPolicy(this, 'Shards', {
      policyName: 'Shards',
      policyDocument: policyOf(may),
      roles: [(role as IRole).roleName],
    });
  }
}
