import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { z } from 'zod';
import { isAnyChannelSetUp, readChannelSecrets } from '../../adapters/aws/channel-secrets.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { readLinkKey } from '../../adapters/aws/link-key.ts';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { StoredMessages } from '../../adapters/aws/stored-messages.ts';
import { topicListeners } from '../../adapters/aws/topic-listeners.ts';
import { runKeys, runManifestKey } from '../../core/audit/run-keys.ts';
import {
  findingIdOfValidation,
  validationKey,
  validationsFolder,
} from '../../core/benchmark/campaign/campaign.ts';
import { lifecycleRulesOf } from '../../core/config/variables.ts';
import { wholeMessageKey } from '../../core/lifecycle/stored-message.ts';
import { runManifestSchema } from '../../core/report/run-manifest.ts';
import { campaignReportSchema } from '../../core/schemas/campaign-report.ts';
import { msPerSecond } from '../../core/units.ts';
import { notificationMail } from '../../report/mail/mail.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, environmentOf, logger, skippedRecord } from '../shared/powertools.ts';
import { readRun, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { type NotifyWith, notifyDue, notifyRun } from './notify-findings.ts';
import { linksToReport } from './report-links.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  /** Without it what is due is notified, whoever saw it. */
  runId: z.string().min(1).optional(),
  /** The key of the run's report; null where none was written. */
  report: z.string().nullable().default(null),
  /** What somebody saw just now. */
  findingIds: z.array(z.string().min(1)).default([]),
});
type Event = z.infer<typeof eventSchema>;

function wire({ runId, report }: Event, nowEpochSeconds: number): NotifyWith {
  const { BUCKET, FINDINGS_TABLE, TOPIC_ARN, REPORT_URL, LINK_KEY_SECRET_ARN, LINK_DAYS } = env();
  const { DELIVERIES_QUEUE_ARN, CHANNEL_NEEDS, CHANNEL_SECRETS_ARN } = env();
  const table = recordsClient(new DynamoDBClient(ownResources));
  const records = new FindingRecords(table, FINDINGS_TABLE, skippedRecord);
  const messages = new StoredMessages(table, FINDINGS_TABLE);
  const sns = new SNSClient(ownResources);
  const store = runStore(BUCKET);
  return {
    records: {
      read: (ids, skip) => records.read(ids, skip),
      write: (record, beforeRevision) => records.write(record, beforeRevision),
      open: (regions) => records.open(regions),
      due: (now) => records.due(now),
      isNewestAudit: (region, endEpochSeconds) => records.isNewestAudit(region, endEpochSeconds),
    },
    messages: {
      read: (id) => messages.read(id),
      write: (message, beforeRevision) => messages.write(message, beforeRevision),
    },
    newMessageId: randomUUID,
    isAnybodyListening: async () => {
      const listeners = await topicListeners(sns, TOPIC_ARN);
      if (listeners.some((endpoint) => endpoint !== DELIVERIES_QUEUE_ARN)) return true;
      return isAnyChannelSetUp(CHANNEL_NEEDS, () => readChannelSecrets(CHANNEL_SECRETS_ARN, true));
    },
    publish: (notification) => publishJson(sns, TOPIC_ARN, notification, notificationMail(notification)),
    keepWhole: async (notification) => {
      const key = wholeMessageKey(notification.id);
      await store.putJson(key, notification);
      return key;
    },
    linksToReport: () =>
      linksToReport(
        { runId: runId ?? null, report, nowEpochSeconds },
        {
          ...{ baseUrl: REPORT_URL, linkDays: LINK_DAYS },
          // What it is now: a link that was signed with the key of before would open nothing.
          readKey: () => readLinkKey(LINK_KEY_SECRET_ARN, true),
          readManifest: () => store.getJson(runManifestKey, runManifestSchema),
          onNone: (reason) => logger.warn('the message has no links to a report', { runId, reason }),
        },
      ),
    listValidations: async () =>
      (await store.list(validationsFolder)).flatMap((key) => findingIdOfValidation(key) ?? []),
    readValidation: (findingId) => store.getJson(validationKey(findingId), campaignReportSchema),
    onUnread: (reason) => logger.warn('a proof could not be read', { runId, reason }),
    onTrouble: (reason) => logger.warn('left to the next call', { runId, reason }),
  };
}

export const handler = createHandler(eventSchema, async (event) => {
  const { BUCKET } = env();
  const { runId } = event;
  const nowEpochSeconds = Math.floor(Date.now() / msPerSecond);
  const rules = lifecycleRulesOf(env());
  const use = wire(event, nowEpochSeconds);
  const result =
    runId === undefined
      ? await notifyDue({ by: `due ${randomUUID()}`, nowEpochSeconds, rules }, use, event.findingIds)
      : await notifyRun(
          {
            result: await readRun(runStore(BUCKET), runId),
            location: `s3://${BUCKET}/${runKeys(runId).folder}`,
          },
          { by: runId, nowEpochSeconds, rules },
          use,
        );
  if (result.nobodyListens)
    logger.warn('nobody listens: no channel is set up, and nobody subscribed; the news waits', { runId });
  addMetric('findingsNotified', result.notified);
  return result;
});
