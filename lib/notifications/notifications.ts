/** Tells people what changed: the records of findings, a topic, the notify function, and who brings it to the channels. */
import { Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, ProjectionType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Policy, PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type CfnSubscription, type Subscription, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Config } from '../../core/config/config.ts';
import { channelNeedsOf, lifecycleVariablesOf } from '../../core/config/variables.ts';
import { wholeMessagesFolder } from '../../core/lifecycle/stored-message.ts';
import { hoursAndMinutes } from '../../core/wall-clock.ts';
import type { Env as DigestEnv } from '../../lambdas/notify-digest/env.ts';
import type { Env as NotifyEnv } from '../../lambdas/notify-findings/env.ts';
import { archiveRights } from '../audit/archive.ts';
import type { ReportLinks } from '../report/report-links.ts';
import { FunctionSchedule } from '../shared/function-schedule.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { listObjects, onObjects, permission, policyOf } from '../shared/permissions.ts';
import { tableOnDemand } from '../shared/table.ts';
import { channelSecrets } from './channel-secrets.ts';
import { Delivery } from './delivery.ts';
import { SlackActions } from './slack-actions.ts';

export interface NotificationProps {
  config: Config;
  bucket: IBucket;
  /** Null where reports are not opened by links. */
  links: ReportLinks | null;
}

/** What waited, for a day or for somebody who died, is notified within this time. */
const retellEvery = Duration.minutes(5);

/** An alarm that is new becomes OK within minutes: nobody wants a mail of each. Channels leave that out themselves. */
function leaveOutFirstOk(subscription: Subscription): void {
  const resource = subscription.node.defaultChild as CfnSubscription;
  resource.filterPolicyScope = 'MessageBody';
  resource.filterPolicy = { $or: [{ NewStateValue: ['ALARM'] }, { OldStateValue: ['ALARM'] }] };
}

export class Notification extends Construct {
  readonly notifyFindings: LambdaFunction;
  /** Null where no digest is wanted. */
  readonly notifyDigest: LambdaFunction | null;
  private digestRole: Role | null = null;
  /** One message for each observation that changed something. */
  readonly findings: Topic;
  /** Alarms of the service itself. */
  readonly alarms: Topic;
  /** The life of each finding. */
  readonly records: TableV2;
  /** What channels need to be reached. */
  readonly secrets: Secret;
  readonly delivery: Delivery;
  /** Null where no channel has buttons. */
  readonly actions: SlackActions | null;

  constructor(scope: Construct, id: string, { config, bucket, links }: NotificationProps) {
    super(scope, id);
    const { notifications, alarms, channels } = config;

    this.findings = new Topic(this, 'Findings', { displayName: 'stripewise findings', enforceSSL: true });
    this.alarms = new Topic(this, 'Alarms', { displayName: 'stripewise itself', enforceSSL: true });
    this.letAlarmsPublish();
    for (const address of notifications.emails) this.findings.addSubscription(new EmailSubscription(address));
    for (const address of alarms.emails)
      leaveOutFirstOk(this.alarms.addSubscription(new EmailSubscription(address)));

    this.records = this.recordsTable();
    this.secrets = channelSecrets(this, 'ChannelSecrets');
    const posted = tableOnDemand(this, 'Posted', { key: 'id', timeToLiveAttribute: 'expiration' });
    this.delivery = new Delivery(this, 'Delivery', {
      ...{ config, bucket, posted, secrets: this.secrets, records: this.records },
      topics: [this.findings, this.alarms],
    });
    const hasButtons = Object.values(channels).some(
      (channel) => channel.kind === 'slack-bot' && channel.buttons,
    );
    this.actions = hasButtons
      ? new SlackActions(this, 'Actions', { config, posted, secrets: this.secrets, findings: this.records })
      : null;
    this.notifyFindings = this.notifier({ config, bucket, links });
    new FunctionSchedule(this, 'NotifyPending', {
      description: 'stripewise: tells what waited',
      schedule: ScheduleExpression.rate(retellEvery),
      function: this.notifyFindings,
      mostLate: retellEvery,
    });
    this.notifyDigest =
      notifications.digest === 'none' ? null : this.digest(notifications.digest, config, bucket);
  }

  private recordsTable(): TableV2 {
    const index = (name: string) => ({ name, type: AttributeType.STRING });
    return tableOnDemand(this, 'Records', {
      key: 'findingId',
      timeToLiveAttribute: 'expiresEpochSeconds',
      globalSecondaryIndexes: [
        { indexName: 'open', partitionKey: index('openIn') },
        {
          indexName: 'toNotify',
          partitionKey: index('toNotify'),
          sortKey: { name: 'notifyFromEpochSeconds', type: AttributeType.NUMBER },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });
  }

  private notifier({ config, bucket, links }: NotificationProps): LambdaFunction {
    const { report, keep } = config;
    const { tableArn, tableName } = this.records;
    return new NodeFunction<NotifyEnv>(this, 'NotifyFindings', {
      name: 'notify-findings',
      description: 'stripewise: tells what changed, once',
      environment: {
        BUCKET: bucket.bucketName,
        FINDINGS_TABLE: tableName,
        TOPIC_ARN: this.findings.topicArn,
        DELIVERIES_QUEUE_ARN: this.delivery.queue.queueArn,
        CHANNEL_NEEDS: channelNeedsOf(config),
        CHANNEL_SECRETS_ARN: this.secrets.secretArn,
        ...lifecycleVariablesOf(config),
        REPORT_URL: links?.url ?? '',
        LINK_KEY_SECRET_ARN: links?.key.secretArn ?? '',
        LINK_DAYS: `${report.linkDays}`,
      },
      memoryMiB: 512,
      timeout: Duration.minutes(5),
      logsDays: keep.logsDays,
      may: [
        onObjects(bucket, 'runs/', 's3:GetObject'),
        onObjects(bucket, wholeMessagesFolder, 's3:PutObject'),
        // What benchmarks of findings showed.
        listObjects(bucket, 'validations/'),
        onObjects(bucket, 'validations/', 's3:GetObject'),
        permission(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:PutItem'], tableArn),
        permission(['dynamodb:Query'], `${tableArn}/index/open`, `${tableArn}/index/toNotify`),
        permission(['sns:Publish', 'sns:ListSubscriptionsByTopic'], this.findings.topicArn),
        // Whether anything is in it: without it nobody listens, and the news waits.
        permission(['secretsmanager:GetSecretValue'], this.secrets.secretArn),
        // It signs the links.
        ...(links === null ? [] : [permission(['secretsmanager:GetSecretValue'], links.key.secretArn)]),
      ],
    }).function;
  }

  private digest(
    digest: 'daily' | 'weekly',
    { archive, notifications, keep }: Config,
    bucket: IBucket,
  ): LambdaFunction {
    const { function: notifyDigest, role } = new NodeFunction<DigestEnv>(this, 'NotifyDigest', {
      name: 'notify-digest',
      description: 'stripewise: how many findings there are, what came and went',
      environment: {
        FINDINGS_TABLE: this.records.tableName,
        TOPIC_ARN: this.findings.topicArn,
        DIGEST: digest,
        DIGEST_AT: notifications.digestAt,
        ...(archive === undefined ? {} : { BUCKET: bucket.bucketName }),
      },
      memoryMiB: 256,
      timeout: Duration.minutes(5),
      logsDays: keep.logsDays,
      may: [
        permission(['dynamodb:Scan', 'dynamodb:GetItem', 'dynamodb:PutItem'], this.records.tableArn),
        permission(['sns:Publish'], this.findings.topicArn),
        ...(archive === undefined ? [] : archiveRights(bucket).notifies),
      ],
    });
    this.digestRole = role;
    const { hours, minutes } = hoursAndMinutes(notifications.digestAt);
    new FunctionSchedule(this, 'DigestSchedule', {
      description: `stripewise: the ${digest} digest`,
      // A weekly one too: the call after a lost one makes up for it, and an alarm sees within a day that none comes.
      schedule: ScheduleExpression.cron({ hour: `${hours}`, minute: `${minutes}` }),
      function: notifyDigest,
      mostLate: Duration.hours(6),
    });
    return notifyDigest;
  }

  /** The digest says once a month what changes of volumes came to. @param ledger of changes */
  saysChangesOf(ledger: TableV2): void {
    if (this.notifyDigest === null || this.digestRole === null) return;
    const variable: keyof DigestEnv = 'CHANGES_TABLE';
    this.notifyDigest.addEnvironment(variable, ledger.tableName);
    new Policy(this, 'MayReadChanges', {
      document: policyOf([permission(['dynamodb:Scan'], ledger.tableArn)]),
      roles: [this.digestRole],
    });
  }

  /**
   * With a policy of its own (enforceSSL) the topic has lost the one that SNS gives it, which let the account's alarms
   * publish: an alarm comes as the service and not under a role.
   */
  private letAlarmsPublish(): void {
    const { partition, region, account } = Stack.of(this);
    this.alarms.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowAlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.alarms.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:cloudwatch:${region}:${account}:alarm:*` },
        },
      }),
    );
  }
}
