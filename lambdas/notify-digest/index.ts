import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { ChangeLedger } from '../../adapters/aws/change-ledger.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { StoredMessages } from '../../adapters/aws/stored-messages.ts';
import { lastSevenDays } from '../../core/archive/fleet-days.ts';
import { fleetDaysKey } from '../../core/archive/keys.ts';
import { sentMessage, voidMessage } from '../../core/lifecycle/stored-message.ts';
import { type FleetSpan, fleetDaysSchema } from '../../core/schemas/fleet-days.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';
import { msPerSecond } from '../../core/units.ts';
import { digestMail } from '../../report/mail/mail.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, environmentOf, logger, skippedRecord } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { notifyDigest } from './notify-digest.ts';

const env = environmentOf(envSchema);

/** The digest goes out without it where it cannot be read. */
async function readWeeks(store: RunStore, atEpochSeconds: number): Promise<readonly FleetSpan[] | null> {
  try {
    if (!(await store.has(fleetDaysKey))) return null;
    return lastSevenDays((await store.getJson(fleetDaysKey, fleetDaysSchema)).days, atEpochSeconds);
  } catch (error) {
    logger.warn('the fleet by day was not read', { reason: (error as Error).message });
    return null;
  }
}

/** The digest goes out without it where it cannot be read. */
async function readChanges(table: string): Promise<readonly VolumeChange[] | null> {
  try {
    return await new ChangeLedger(DynamoDBDocumentClient.from(new DynamoDBClient(ownResources)), table).all();
  } catch (error) {
    logger.warn('the ledger of changes was not read', { reason: (error as Error).message });
    return null;
  }
}

export const handler = createHandler(z.object({}), async () => {
  const { BUCKET, CHANGES_TABLE, FINDINGS_TABLE, TOPIC_ARN, DIGEST, DIGEST_AT } = env();
  const nowEpochSeconds = Math.floor(Date.now() / msPerSecond);
  const table = recordsClient(new DynamoDBClient(ownResources));
  const records = new FindingRecords(table, FINDINGS_TABLE, skippedRecord);
  const messages = new StoredMessages(table, FINDINGS_TABLE);
  const sns = new SNSClient(ownResources);
  const notified = await notifyDigest(
    { every: DIGEST, atSecondsOfDay: DIGEST_AT, nowEpochSeconds },
    {
      allRecords: () => records.all(),
      ...(BUCKET === undefined ? {} : { readWeeks: (at: number) => readWeeks(runStore(BUCKET), at) }),
      ...(CHANGES_TABLE === undefined ? {} : { readChanges: () => readChanges(CHANGES_TABLE) }),
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
