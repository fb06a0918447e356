import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyPersistenceLayerError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { delay } from 'es-toolkit/promise';
import { z } from 'zod';
import { readChannelSecrets } from '../../adapters/aws/channel-secrets.ts';
import { ChannelState } from '../../adapters/aws/channel-state.ts';
import { unreadable } from '../../adapters/aws/failure.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import { putEvents } from '../../adapters/aws/put-events.ts';
import { changeVisibility, sendText } from '../../adapters/aws/queue-messages.ts';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { postByBot, postedByBot, uploadPicture } from '../../adapters/slack/bot.ts';
import { postMessage } from '../../adapters/slack/post-message.ts';
import { postCard } from '../../adapters/teams/post-card.ts';
import { unpackChannels } from '../../core/config/variables.ts';
import { Unavailable } from '../../core/errors.ts';
import { notificationSchema } from '../../core/schemas/notification.ts';
import { msPerSecond, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, environmentOf, logger, skippedRecord } from '../shared/powertools.ts';
import { type ChannelUse, postsOf } from './channel-posts.ts';
import { type DeliverWith, deliver } from './deliver.ts';
import { envSchema } from './env.ts';
import { findingPicture } from './finding-picture.ts';

const env = environmentOf(envSchema);

/** What Lambda hands to who consumes a queue, as far as we read it. */
const eventSchema = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      receiptHandle: z.string(),
      body: z.string(),
      attributes: z.object({ ApproximateReceiveCount: z.coerce.number() }),
    }),
  ),
});

/** Longer than a message lies in the queue, and then in that of what was not delivered, before somebody sends it once more. */
const retentionDays = 30;
/** A try before this one was made in this time. */
const repeatedSeconds = secondsPerDay;

const idempotency = new IdempotencyConfig({
  eventKeyJmesPath: 'key',
  expiresAfterSeconds: retentionDays * secondsPerDay,
  throwOnNoIdempotencyKey: true,
});

const unfinished =
  'a try before this one began to post, and its end was not written: it died, or dynamodb:UpdateItem or dynamodb:DeleteItem failed (the log says which)';

/** The library says that it could not remember; why is in its cause, and that is for a person to read. */
async function withCause(post: Promise<void>): Promise<void> {
  try {
    await post;
  } catch (error) {
    if (error instanceof IdempotencyAlreadyInProgressError) throw new Unavailable(unfinished);
    const isOfTable = error instanceof IdempotencyPersistenceLayerError && error.cause instanceof Error;
    throw isOfTable ? unreadable('dynamodb, what was posted before', error.cause) : error;
  }
}

const nowEpochSeconds = (): number => Math.floor(Date.now() / msPerSecond);

function channelUse(memory: ChannelState): ChannelUse {
  const { CHANNEL_SECRETS_ARN, TOPIC_ARNS, BUCKET, LABEL, CHANGES } = env();
  const label = LABEL === '' ? null : LABEL;
  const topicArns = z.record(z.string(), z.string()).parse(JSON.parse(TOPIC_ARNS));
  const [sns, events] = [new SNSClient(ownResources), new EventBridgeClient(ownResources)];
  const store = new RunStore(new S3Client(ownResources), BUCKET);
  const readPage = async (key: string) => ((await store.has(key)) ? await store.getText(key) : null);
  return {
    secretOf: async (name, isFresh = false) =>
      (await readChannelSecrets(CHANNEL_SECRETS_ARN, isFresh)).of(name),
    // Asked right after a fresh look at the secret.
    isAnySetUp: async () => (await readChannelSecrets(CHANNEL_SECRETS_ARN)).names.length > 0,
    topicOf: (name) => (Object.hasOwn(topicArns, name) ? topicArns[name] : undefined),
    postToSlackWebhook: postMessage,
    postCard,
    publish: (topicArn, body, mail) => publishJson(sns, topicArn, body, mail),
    hasChanges: CHANGES === 'on',
    putEvents: (bus, entries) => putEvents(events, bus, entries),
    bot: {
      post: postByBot,
      upload: uploadPicture,
      posted: (slack, changeId, threadTs) =>
        postedByBot(slack, changeId, {
          threadTs,
          sinceEpochSeconds: nowEpochSeconds() - repeatedSeconds,
        }),
      thread: (name, findingId) => memory.thread(name, findingId, nowEpochSeconds()),
      keepThread: (name, findingId, ts) => memory.keepThread(name, findingId, ts, nowEpochSeconds()),
      pictureOf: (notification, findingId) => findingPicture(notification, findingId, { readPage, label }),
      onNoPicture: (findingId, error) =>
        logger.warn('a finding has no picture', { findingId, reason: error.message }),
    },
  };
}

let wired: DeliverWith | undefined;
function wire(): DeliverWith {
  const { CHANNELS, POSTED_TABLE, DEAD_LETTER_QUEUE_URL, FINDINGS_TABLE, BUCKET, QUEUE_URL } = env();
  const { channels, routes } = unpackChannels(CHANNELS);
  const memory = new ChannelState(
    DynamoDBDocumentClient.from(new DynamoDBClient(ownResources)),
    POSTED_TABLE,
  );
  const records = new FindingRecords(
    recordsClient(new DynamoDBClient(ownResources)),
    FINDINGS_TABLE,
    skippedRecord,
  );
  const store = new RunStore(new S3Client(ownResources), BUCKET);
  const sqs = new SQSClient(ownResources);
  const once = makeIdempotent(({ act }: { key: string; act: () => Promise<void> }) => act(), {
    persistenceStore: new DynamoDBPersistenceLayer({ tableName: POSTED_TABLE, clientConfig: ownResources }),
    config: idempotency,
  });
  const use = channelUse(memory);
  return {
    channels: Object.entries(channels).map(([name, config]) => ({ name, config })),
    routes,
    nowEpochSeconds,
    monotonicMs: () => performance.now(),
    posts: (channel, message) => postsOf(channel, message, use),
    once: (key, act) => withCause(once({ key, act })),
    takeOfHour: (name, hour, most) => memory.takeOfHour(name, hour, most),
    giveBackOfHour: (name, hour) => memory.giveBackOfHour(name, hour),
    beginSaying: (name, saying) => memory.beginSaying(name, saying, nowEpochSeconds()),
    noteSaid: (name, saying) => memory.noteSaid(name, saying, nowEpochSeconds()),
    noteWaiting: (name, saying) => memory.noteWaiting(name, saying, nowEpochSeconds()),
    readWhole: (key) => store.getJson(key, notificationSchema),
    findingsNow: (findingIds) => records.read(findingIds),
    isNewestOfAlarm: (arn, changedAtMs) => memory.isNewestOfAlarm(arn, changedAtMs, nowEpochSeconds()),
    waitAnew: (waiting) => sendText(sqs, QUEUE_URL, JSON.stringify(waiting)),
    keepRefused: (refused) => sendText(sqs, DEAD_LETTER_QUEUE_URL, JSON.stringify(refused)),
    onTrouble: (channel, error) => logger.error('not delivered', { channel, reason: error.message }),
    pause: delay,
  };
}

/** SQS takes twelve hours in all since it handed the message out, some minutes ago; the message asks again then. */
const maxInvisibleSeconds = 11.5 * secondsPerHour;

export const handler = createHandler(eventSchema, async ({ Records }, context) => {
  // A posting that dies with the function may be tried again when the function's time is over, and not days later.
  idempotency.registerLambdaContext(context);
  wired ??= wire();
  const { QUEUE_URL } = env();
  const sqs = new SQSClient(ownResources);
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const { messageId, receiptHandle, body, attributes } of Records) {
    const receiveCount = attributes.ApproximateReceiveCount;
    const delivered = await deliver({ messageId, text: body, receiveCount }, wired);
    logger.info('message of a topic', { messageId, ...delivered });
    addMetric('delivered', delivered.posted);
    addMetric('refused', delivered.refused.length);
    if (delivered.againInSeconds === null) continue;
    const seconds = Math.min(maxInvisibleSeconds, Math.ceil(delivered.againInSeconds));
    await changeVisibility(sqs, { queueUrl: QUEUE_URL, receiptHandle }, seconds);
    batchItemFailures.push({ itemIdentifier: messageId });
  }
  return { batchItemFailures };
});
