import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { z } from 'zod';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { StoredMessages } from '../../adapters/aws/stored-messages.ts';
import { sentMessage, voidMessage } from '../../core/lifecycle/stored-message.ts';
import { msPerSecond } from '../../core/units.ts';
import { digestMail } from '../../report/mail/mail.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, environmentOf, logger, skippedRecord } from '../shared/powertools.ts';
import { envSchema } from './env.ts';
import { notifyDigest } from './notify-digest.ts';

const env = environmentOf(envSchema);

export const handler = createHandler(z.object({}), async () => {
  const { FINDINGS_TABLE, TOPIC_ARN, DIGEST, DIGEST_AT } = env();
  const nowEpochSeconds = Math.floor(Date.now() / msPerSecond);
  const table = recordsClient(new DynamoDBClient(ownResources));
  const records = new FindingRecords(table, FINDINGS_TABLE, skippedRecord);
  const messages = new StoredMessages(table, FINDINGS_TABLE);
  const sns = new SNSClient(ownResources);
  const notified = await notifyDigest(
    { every: DIGEST, atSecondsOfDay: DIGEST_AT, nowEpochSeconds },
    {
      allRecords: () => records.all(),
      wasSent: async (id) => (await messages.read(id)) !== null,
      publish: (digest) => publishJson(sns, TOPIC_ARN, digest, digestMail(digest)),
      // Where another call was faster it is marked all the same.
      markSent: async (id) => {
        await messages.write(sentMessage(voidMessage(id, nowEpochSeconds)), 0);
      },
    },
  );
  logger.info('the digest', { notified });
  addMetric('digestsSent', notified === 'notified' ? 1 : 0);
  return { notified };
});
