import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyPersistenceLayerError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { z } from 'zod';
import { unreadable } from '../../adapters/aws/failure.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { readWebhookUrl } from '../../adapters/aws/webhook-secret.ts';
import { postMessage } from '../../adapters/slack/post-message.ts';
import { Unavailable } from '../../core/errors.ts';
import { secondsPerDay } from '../../core/units.ts';
import { edge } from '../shared/edge.ts';
import { environmentOf } from '../shared/environment.ts';
import { logger, metrics } from '../shared/powertools.ts';
import { envSchema } from './env.ts';
import { type PostWith, postToSlack } from './post-to-slack.ts';

const env = environmentOf(envSchema);

/** What SNS hands to a function, as far as we read it. */
const eventSchema = z.object({
  Records: z.array(z.object({ Sns: z.object({ MessageId: z.string(), Message: z.string() }) })),
});

const rememberDays = 7;

const idempotency = new IdempotencyConfig({
  eventKeyJmesPath: 'id',
  expiresAfterSeconds: rememberDays * secondsPerDay,
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

let wired: PostWith | undefined;
function wire(): PostWith {
  const { WEBHOOK_SECRET_ARN, POSTED_TABLE } = env();
  const postOnce = makeIdempotent(
    ({ webhookUrl, message }: Parameters<PostWith['postOnce']>[0]) => postMessage(webhookUrl, message),
    {
      persistenceStore: new DynamoDBPersistenceLayer({
        tableName: POSTED_TABLE,
        clientConfig: ownResources,
      }),
      config: idempotency,
    },
  );
  return {
    webhookUrl: () => readWebhookUrl(WEBHOOK_SECRET_ARN),
    postOnce: (posting) => withCause(postOnce(posting)),
  };
}

export const handler = edge(eventSchema, async ({ Records }, context) => {
  // A posting that dies with the function may be tried again when the function's time is over, and not days later.
  idempotency.registerLambdaContext(context);
  wired ??= wire();
  for (const { Sns } of Records) {
    const posted = await postToSlack({ messageId: Sns.MessageId, text: Sns.Message }, wired);
    logger.info('message of the topic', { messageId: Sns.MessageId, posted });
    metrics.addMetric(posted === 'posted' ? 'SlackPosted' : 'SlackSkipped', MetricUnit.Count, 1);
  }
});
