import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { readLinkKey } from '../../adapters/aws/link-key.ts';
import { publishAdvisory } from '../../adapters/aws/publish-advisory.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { ToldFindings } from '../../adapters/aws/told-findings.ts';
import { topicListeners } from '../../adapters/aws/topic-listeners.ts';
import { readWebhookUrl } from '../../adapters/aws/webhook-secret.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import { findingIdOfProof, proofKey, proofsFolder } from '../../core/benchmark/campaign/campaign.ts';
import { campaignReportSchema } from '../../core/schemas/campaign-report.ts';
import { msPerSecond } from '../../core/units.ts';
import { advisoryMail } from '../../report/mail/advisory-mail.ts';
import { edge } from '../shared/edge.ts';
import { environmentOf } from '../shared/environment.ts';
import { logger, metrics } from '../shared/powertools.ts';
import { readRun } from '../shared/read-run.ts';
import { runStore } from '../shared/run-store.ts';
import { envSchema } from './env.ts';
import { linksToReport } from './report-links.ts';
import { tellFindings } from './tell-findings.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  runId: z.string().min(1),
  /** The key of the run's report; null where none was written. */
  report: z.string().nullable().default(null),
});

export const handler = edge(eventSchema, async ({ runId, report }) => {
  const { BUCKET, TOLD_TABLE, TOPIC_ARN, LEAST_SEVERITY, FORGET_AFTER_DAYS } = env();
  const { SLACK_FUNCTION_ARN, WEBHOOK_SECRET_ARN } = env();
  const { REPORT_URL, LINK_KEY_SECRET_ARN, LINK_DAYS } = env();
  const nowEpochSeconds = Math.floor(Date.now() / msPerSecond);
  const told = new ToldFindings(DynamoDBDocumentClient.from(new DynamoDBClient(ownResources)), TOLD_TABLE);
  const sns = new SNSClient(ownResources);
  const store = runStore(BUCKET);
  const result = await tellFindings(
    await readRun(store, runId),
    `s3://${BUCKET}/${runKeys(runId).folder}`,
    {
      runId,
      nowEpochSeconds,
      leastSeverity: LEAST_SEVERITY,
      forgetAfterDays: FORGET_AFTER_DAYS,
    },
    {
      isAnybodyListening: async () => {
        const listeners = await topicListeners(sns, TOPIC_ARN);
        if (listeners.some((endpoint) => endpoint !== SLACK_FUNCTION_ARN)) return true;
        return listeners.length > 0 && (await readWebhookUrl(WEBHOOK_SECRET_ARN, true)) !== null;
      },
      readTold: (ids) => told.read(ids),
      claim: (record, before) => told.claim(record, before),
      publish: (advisory) => publishAdvisory(sns, TOPIC_ARN, advisory, advisoryMail(advisory)),
      confirm: (records) => told.confirm(records),
      remember: (records) => told.remember(records),
      linksToReport: () =>
        linksToReport(
          { runId, report, nowEpochSeconds },
          {
            ...{ baseUrl: REPORT_URL, linkDays: LINK_DAYS },
            // What it is now: a link that was signed with the key of before would open nothing.
            readKey: () => readLinkKey(LINK_KEY_SECRET_ARN, true),
            onNone: (because) => logger.warn('the advisory has no links to the report', { runId, because }),
          },
        ),
      listProofs: async () => (await store.list(proofsFolder)).flatMap((key) => findingIdOfProof(key) ?? []),
      readProof: (findingId) => store.getJson(proofKey(findingId), campaignReportSchema),
      onUnread: (because) => logger.warn('a proof could not be read', { runId, because }),
    },
  );
  if (result.nobodyListens) {
    logger.warn('nobody listens: neither a webhook nor a confirmed subscription; the news waits', { runId });
  }
  metrics.addMetric('FindingsTold', MetricUnit.Count, result.told);
  return result;
});
