/** Brings what the topics say to the channels: a queue that tries again, a function, and a queue of what was refused. */
import { Arn, Duration, Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { changesOf } from '../../core/config/changes.ts';
import type { Config } from '../../core/config/config.ts';
import { packChannels } from '../../core/config/variables.ts';
import { maxReceives } from '../../core/delivery/receives.ts';
import { wholeMessagesFolder } from '../../core/lifecycle/stored-message.ts';
import type { Env } from '../../lambdas/deliver-messages/env.ts';
import { deadLetters } from '../shared/dead-letters.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { listObjects, onObjects, type Permission, permission } from '../shared/permissions.ts';
import { ChannelTopics } from './channel-topics.ts';

export interface DeliveryProps {
  config: Config;
  bucket: IBucket;
  secrets: Secret;
  posted: TableV2;
  /** The records of findings. */
  records: TableV2;
  /** What they say is delivered. */
  topics: readonly Topic[];
}

const timeout = Duration.minutes(2);
/** Less than this a message is not tried again while a function still works at it. Source: Lambda's guide on SQS, read 2026-11-23. */
const visibilityTimeout = Duration.minutes(12);
export const messagesAtOnce = 2;

export class Delivery extends Construct {
  readonly deliver: LambdaFunction;
  /** Messages on their way. */
  readonly queue: Queue;
  /** What a channel refused, or did not take in four days. */
  readonly deadLetters: Queue;
  readonly topics: ChannelTopics;

  constructor(
    scope: Construct,
    id: string,
    { config, bucket, secrets, posted, records, topics }: DeliveryProps,
  ) {
    super(scope, id);
    this.deadLetters = deadLetters(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      enforceSSL: true,
      visibilityTimeout,
      retentionPeriod: Duration.days(14),
      // With pauses from half a minute to an hour: four days; where the function itself fails, most of a day.
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    });
    for (const topic of topics)
      topic.addSubscription(new SqsSubscription(this.queue, { rawMessageDelivery: true }));
    this.topics = new ChannelTopics(this, 'Topics', config);
    const arns = [...this.topics.byChannel].map(([name, { topicArn }]) => [name, topicArn] as const);
    this.deliver = new NodeFunction<Env>(this, 'DeliverMessages', {
      name: 'deliver-messages',
      description: 'stripewise: delivers notifications to Slack, Teams and the other channels, once',
      environment: {
        CHANNELS: packChannels(config),
        TOPIC_ARNS: Stack.of(this).toJsonString(Object.fromEntries(arns)),
        CHANNEL_SECRETS_ARN: secrets.secretArn,
        POSTED_TABLE: posted.tableName,
        FINDINGS_TABLE: records.tableName,
        QUEUE_URL: this.queue.queueUrl,
        DEAD_LETTER_QUEUE_URL: this.deadLetters.queueUrl,
        BUCKET: bucket.bucketName,
        LABEL: config.report.label ?? '',
        ...(changesOf(config) === null ? {} : { CHANGES: 'on' }),
      },
      // Pictures are drawn.
      memoryMiB: 1_024,
      timeout,
      logsDays: config.keep.logsDays,
      may: [
        permission(
          [
            'sqs:ReceiveMessage',
            'sqs:DeleteMessage',
            'sqs:GetQueueAttributes',
            'sqs:ChangeMessageVisibility',
          ],
          this.queue.queueArn,
        ),
        // What is refused; and an alarm that waits longer than the queue hands one message out.
        permission(['sqs:SendMessage'], this.deadLetters.queueArn, this.queue.queueArn),
        permission(['secretsmanager:GetSecretValue'], secrets.secretArn),
        // No GetItem: a conditional write that is refused brings what is there.
        permission(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'], posted.tableArn),
        // What is muted or over by now.
        permission(['dynamodb:BatchGetItem'], records.tableArn),
        onObjects(bucket, wholeMessagesFolder, 's3:GetObject'),
        ...(arns.length === 0 ? [] : [permission(['sns:Publish'], ...arns.map(([, arn]) => arn))]),
        ...this.mayPutEvents(config),
        ...mayDraw(config, bucket),
      ],
    }).function;
    this.deliver.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        maxConcurrency: messagesAtOnce,
      }),
    );
  }

  private mayPutEvents({ channels }: Config): Permission[] {
    const buses = Object.values(channels).flatMap((channel) =>
      channel.kind === 'eventbridge' ? [channel.bus] : [],
    );
    if (buses.length === 0) return [];
    const arns = [...new Set(buses)].map((resourceName) =>
      resourceName.startsWith('arn:')
        ? resourceName
        : Arn.format({ service: 'events', resource: 'event-bus', resourceName }, Stack.of(this)),
    );
    return [permission(['events:PutEvents'], ...arns)];
  }
}

/** Pictures are of what the page of a run has. */
function mayDraw({ channels }: Config, bucket: IBucket): Permission[] {
  const draws = Object.values(channels).some((channel) => channel.kind === 'slack-bot' && channel.charts);
  if (!draws) return [];
  const page = 'runs/*/report.html';
  return [
    {
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects(page)],
      reason: 'every run has a report of its own, not known before it.',
    },
    listObjects(bucket, page),
  ];
}
