import { SNSClient } from '@aws-sdk/client-sns';
import { z } from 'zod';
import { readMinutes } from '../../adapters/archive/read-minutes.ts';
import { answerTask } from '../../adapters/aws/bench/task-answers.ts';
import { readKillSwitch } from '../../adapters/aws/change-workflow.ts';
import { describeInstances } from '../../adapters/aws/describe-instances.ts';
import { describeVolumes } from '../../adapters/aws/describe-volumes.ts';
import { getMetricData } from '../../adapters/aws/get-metric-data.ts';
import { latestModification, modifyVolume, volumeNow } from '../../adapters/aws/modify-volume.ts';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import { ownResources, type Session } from '../../adapters/aws/session.ts';
import { seriesOf } from '../../core/archive/resource-minutes.ts';
import { changeMessageOf } from '../../core/changes/message.ts';
import { phaseOf } from '../../core/changes/next-action.ts';
import { rulesOf } from '../../core/changes/rules.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { Unreadable } from '../../core/errors.ts';
import { partitionOf } from '../../core/ids.ts';
import { type PlannedChange, volumeChangeSchema } from '../../core/schemas/volume-change.ts';
import { msPerSecond } from '../../core/units.ts';
import { changeMail } from '../../report/mail/mail.ts';
import {
  clientOf,
  instanceTags,
  ledgerOf,
  ownClients,
  type PlaceOfChange,
  sessionOfChange,
} from '../shared/change-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { archiveBucket, runStore } from '../shared/read-run.ts';
import { accountOf, readingClients } from '../shared/reading-clients.ts';
import { regionCatalogToEvaluate } from '../shared/stored-catalog.ts';
import { type AdvanceWith, advanceChange, type Side } from './advance-change.ts';
import { envSchema } from './env.ts';
import { minutesOfVolume } from './minutes-of-volume.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  id: z.string().min(1),
  /** As it was asked for: the first step writes it. */
  change: volumeChangeSchema.nullable(),
  /** Where the execution waits for a person. */
  taskToken: z.string().optional(),
});

const nowSeconds = (): number => Math.floor(Date.now() / msPerSecond);

async function minutesFrom(
  session: Session,
  plan: PlannedChange,
  side: Side,
  window: { startEpochSeconds: number; endEpochSeconds: number },
) {
  const { BUCKET, THRESHOLDS } = env();
  const { account, region, volumeId } = plan;
  const { ec2, cloudWatch } = readingClients(session);
  const volumes = await describeVolumes(ec2, { region, account }, [volumeId]);
  const ids = volumes.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId));
  const { instances } =
    ids.length === 0 ? { instances: [] } : await describeInstances(ec2, { region, account }, ids);
  const { regionCatalog } = await regionCatalogToEvaluate(runStore(BUCKET), region);
  const batch = { account, region, volumes, instances, published: null };
  return minutesOfVolume(batch, side === 'before' ? plan.from : plan.to, window, {
    regionCatalogs: () => regionCatalog,
    thresholds: thresholdsOf(THRESHOLDS),
    readMetrics: async (queries, when, collector) => {
      if (side === 'after') {
        const { incomplete } = await getMetricData(
          { client: cloudWatch, region, pace: null },
          queries,
          when,
          () => collector,
        );
        if (incomplete.length > 0) throw new Unreadable(`metrics of ${volumeId} came in part`);
        return;
      }
      const target = { partition: partitionOf(region), account, region };
      const { minutes, broken } = await readMinutes(archiveBucket(BUCKET), target, {
        ...{ fromSeconds: when.startEpochSeconds, endSeconds: when.endEpochSeconds, evaluation: false },
        resourceIds: [...new Set(queries.map(({ resourceId }) => resourceId))],
        metrics: [...new Set(queries.map(({ metric }) => metric))],
      });
      for (const { key, reason } of broken)
        logger.warn('a file of the archive was not read', { key, reason });
      for (const one of minutes)
        for (const metric of one.metrics.keys()) {
          const series = seriesOf(one, metric);
          if (series !== null)
            collector.add(one.resourceId, metric, [...series.epochSeconds], [...series.values]);
        }
    },
  });
}

function wire(id: string, own: string): AdvanceWith {
  const { CHANGES_TABLE, CHANGES, KILL_SWITCH, TOPIC_ARN, MEMBER_ROLE } = env();
  const session = (place: PlaceOfChange) => sessionOfChange(place, MEMBER_ROLE ?? null, own);
  const client = async (place: PlaceOfChange, maxAttempts?: number) =>
    clientOf(await session(place), maxAttempts);
  const { ssm } = ownClients();
  const sns = new SNSClient(ownResources);
  return {
    ledger: ledgerOf(CHANGES_TABLE),
    ec2: {
      volumeNow: async (place) => volumeNow(await client(place), place.volumeId),
      latestModification: async (place) => latestModification(await client(place), place.volumeId),
      instanceTags: async (place, ids) => instanceTags(await client(place), place, ids),
      // Sent once: an answer is that of the only call.
      modify: async (place, settings) => modifyVolume(await client(place, 1), place.volumeId, settings),
    },
    killSwitch: async () => ((await readKillSwitch(ssm, KILL_SWITCH)) === 'stop' ? 'on' : 'off'),
    minutes: async (plan, side, startEpochSeconds, endEpochSeconds) =>
      minutesFrom(await session(plan), plan, side, { startEpochSeconds, endEpochSeconds }),
    notify: async (change, step) => {
      const message = changeMessageOf(change, step, CHANGES.approvals);
      await publishJson(sns, TOPIC_ARN, message, changeMail(message));
      logger.info('people are notified', { id, step, end: change.end });
    },
    onUnknown: (what, reason) => logger.warn('not known by now', { id, what, reason }),
    nowSeconds,
    rules: rulesOf(CHANGES),
    automatic: CHANGES.automatic,
    approvalsNeeded: CHANGES.approvals,
  };
}

/** Where the execution waits for a person: it goes on at once where there is nothing to wait for any more. */
async function waits(id: string, taskToken: string): Promise<void> {
  const { CHANGES_TABLE, CHANGES } = env();
  const ledger = ledgerOf(CHANGES_TABLE);
  await ledger.waits(id, taskToken);
  // Who decides writes that first and asks who waits then: one of both sees the other.
  const change = await ledger.read(id);
  if (change === null || phaseOf(change, CHANGES.approvals) !== 'approval')
    await answerTask(ownClients().stepFunctions, taskToken, { succeeded: true });
}

export const handler = createHandler(eventSchema, async ({ id, change, taskToken }, context) => {
  if (taskToken !== undefined) {
    await waits(id, taskToken);
    return { isEnded: false, needsApproval: true, waitSeconds: 0 };
  }
  return advanceChange(id, wire(id, accountOf(context)), change);
});
