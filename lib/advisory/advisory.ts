/** Tells people: a memory of what was told, a topic, and a function that posts to Slack. */
import { Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Env as SlackEnv } from '../../lambdas/post-to-slack/env.ts';
import type { Env as TellEnv } from '../../lambdas/tell-findings/env.ts';
import type { Config } from '../config.ts';
import type { ReportLinks } from '../report/report-links.ts';
import { deadLetters } from '../shared/dead-letters.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { listObjects, onObjects, permission } from '../shared/permissions.ts';

export interface AdvisoryProps {
  config: Config;
  bucket: IBucket;
  /** Null where reports are not opened by links. */
  links: ReportLinks | null;
}

export class Advisory extends Construct {
  readonly tellFindings: LambdaFunction;
  /** One message for each run that found something new. */
  readonly findings: Topic;
  /** Holds the address of the Slack webhook. */
  readonly slackWebhook: Secret;
  /** Alarms of the service itself. */
  readonly alarms: Topic;
  /** Messages that Slack did not take. */
  readonly notPosted: Queue;

  constructor(scope: Construct, id: string, { config, bucket, links }: AdvisoryProps) {
    super(scope, id);
    const { advisory, alarms, keep } = config;
    const { logsDays } = keep;

    this.findings = new Topic(this, 'Findings', { displayName: 'stripewise findings', enforceSSL: true });
    this.alarms = new Topic(this, 'Alarms', { displayName: 'stripewise itself', enforceSSL: true });
    this.letAlarmsPublish();
    for (const address of advisory.emails) this.findings.addSubscription(new EmailSubscription(address));
    for (const address of alarms.emails) this.alarms.addSubscription(new EmailSubscription(address));

    this.slackWebhook = new Secret(this, 'SlackWebhook', {
      description:
        'stripewise: {"webhookUrl": "https://hooks.slack.com/services/..."}, or null in it for no Slack',
      // No secret yet: the address is put in by hand, and a later deployment leaves it.
      secretStringValue: SecretValue.unsafePlainText('{"webhookUrl": null}'),
    });
    Validations.of(this.slackWebhook).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Slack has no call that makes a new address of a webhook: a person does, and puts it in.',
    });
    const posted = this.table('Posted', 'id', 'expiration');
    this.notPosted = deadLetters(this, 'NotPosted');
    const slack = new NodeFunction<SlackEnv>(this, 'PostToSlack', {
      name: 'post-to-slack',
      description: 'stripewise: posts what the topics say to Slack',
      environment: { WEBHOOK_SECRET_ARN: this.slackWebhook.secretArn, POSTED_TABLE: posted.tableName },
      memoryMiB: 256,
      timeout: Duration.seconds(30),
      logsDays,
      may: [
        permission(['secretsmanager:GetSecretValue'], this.slackWebhook.secretArn),
        permission(
          // No GetItem: a conditional write that is refused brings what is there.
          ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
          posted.tableArn,
        ),
        permission(['sqs:SendMessage'], this.notPosted.queueArn),
      ],
    }).function;
    slack.configureAsyncInvoke({
      onFailure: new SqsDestination(this.notPosted),
      retryAttempts: 2,
      maxEventAge: Duration.hours(6),
    });
    const told = this.table('Told', 'findingId', 'expiresEpochSeconds');
    this.tellFindings = new NodeFunction<TellEnv>(this, 'TellFindings', {
      name: 'tell-findings',
      description: 'stripewise: tells the findings that are new, once',
      environment: {
        BUCKET: bucket.bucketName,
        TOLD_TABLE: told.tableName,
        TOPIC_ARN: this.findings.topicArn,
        SLACK_FUNCTION_ARN: slack.functionArn,
        WEBHOOK_SECRET_ARN: this.slackWebhook.secretArn,
        LEAST_SEVERITY: advisory.leastSeverity,
        FORGET_AFTER_DAYS: `${advisory.forgetAfterDays}`,
        REPORT_URL: links?.url ?? '',
        LINK_KEY_SECRET_ARN: links?.key.secretArn ?? '',
        LINK_DAYS: `${config.report.linkDays}`,
      },
      memoryMiB: 512,
      timeout: Duration.minutes(5),
      logsDays,
      may: [
        onObjects(bucket, 'runs/', 's3:GetObject'),
        // What benchmarks of findings showed.
        listObjects(bucket, 'proofs/'),
        onObjects(bucket, 'proofs/', 's3:GetObject'),
        permission(['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], told.tableArn),
        permission(['sns:Publish', 'sns:ListSubscriptionsByTopic'], this.findings.topicArn),
        // Whether it holds an address: without one nobody listens, and the news waits.
        permission(['secretsmanager:GetSecretValue'], this.slackWebhook.secretArn),
        // It signs the links.
        ...(links === null ? [] : [permission(['secretsmanager:GetSecretValue'], links.key.secretArn)]),
      ],
    }).function;

    this.findings.addSubscription(new LambdaSubscription(slack));
    this.alarms.addSubscription(new LambdaSubscription(slack));
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

  private table(id: string, key: string, timeToLiveAttribute: string): TableV2 {
    return new TableV2(this, id, {
      partitionKey: { name: key, type: AttributeType.STRING },
      timeToLiveAttribute,
      billing: Billing.onDemand(),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}
