import { z } from 'zod';
import { manifestsOf } from '../../adapters/archive/archived-targets.ts';
import { describeInstances } from '../../adapters/aws/describe-instances.ts';
import { describeVolumeModifications } from '../../adapters/aws/describe-volume-modifications.ts';
import { describeVolumes } from '../../adapters/aws/describe-volumes.ts';
import { listPublishedChecks } from '../../adapters/aws/list-published-checks.ts';
import { recommendationsReader } from '../../adapters/aws/read-recommendations.ts';
import { refusedBy } from '../../adapters/aws/refusals.ts';
import type { Session } from '../../adapters/aws/session.ts';
import type { ReadingPlan } from '../../core/audit/batches.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import { benchmarkHostsIn, benchmarkHostsOf } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { type Target, targetSchema } from '../../core/schemas/accounts.ts';
import { readingPlanSchema } from '../../core/schemas/batch.ts';
import { opinionsOfBatch } from '../../core/second-opinion/given.ts';
import { msPerSecond } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { archiveBucket, runStore } from '../shared/read-run.ts';
import { accountOf, readingClients, sessionIn } from '../shared/reading-clients.ts';
import { archivedReads } from './archived.ts';
import { discoverVolumes } from './discover-volumes.ts';
import { discoveredOrRefused } from './discovered-or-refused.ts';
import { envWithOpinionsSchema } from './env.ts';
import { modificationsOrNone } from './modifications.ts';
import { readOpinions } from './second-opinion.ts';

const env = environmentOf(envWithOpinionsSchema);

const eventSchema = z.object({
  runId: z.string().min(1),
  plan: readingPlanSchema,
  target: targetSchema,
});

const digits = 5;

interface Discovery {
  runId: string;
  plan: ReadingPlan;
  target: Target;
  /** Of an attempt that died half-way there may be batches: those of this one have names of their own. */
  attempt: string;
}

async function discovered({ runId, plan, target, attempt }: Discovery, session: Session) {
  const { region, account } = target;
  const { ec2, cloudWatch, counter } = readingClients(session);
  const { ARCHIVE, BUCKET, EXCLUDE_TAGS: excludeTags, TAG_KEYS: tagKeys, THRESHOLDS, POINT_RATES } = env();
  const { COMPARE_WITH: compareWith } = env();
  const store = runStore(BUCKET);
  const { batches, volumes, excludedIds, benchmarkIds, incomplete } = await discoverVolumes(
    {
      describeVolumes: (ids) => describeVolumes(ec2, target, ids, tagKeys),
      describeInstances: (ids) => describeInstances(ec2, target, ids, tagKeys),
      listPublishedChecks: () => listPublishedChecks(cloudWatch, region),
      benchmarkHosts: async () => benchmarkHostsOf(await store.list(benchmarkHostsIn(region))),
      now: () => new Date(),
      archive:
        plan.isArchived && ARCHIVE !== undefined
          ? {
              keeps: ARCHIVE,
              read: () => archivedReads(manifestsOf(archiveBucket(BUCKET), target), plan, new Date()),
              readModifications: () =>
                modificationsOrNone(
                  () => describeVolumeModifications(ec2, region),
                  (reason) => logger.warn('modifications were not read: no schedules of IOPS', { reason }),
                ),
            }
          : null,
    },
    plan,
    thresholdsOf(THRESHOLDS),
    excludeTags,
    POINT_RATES,
  );
  const asked = await readOpinions(
    compareWith,
    { target, batches },
    recommendationsReader({ session, counter }, target),
  );
  const keys = runKeys(runId);
  const names = batches.map(
    (_, index) => `${account}-${region}-${String(index + 1).padStart(digits, '0')}-${attempt}.json`,
  );
  for (const [index, batch] of batches.entries()) {
    const opinions = asked === null ? {} : { opinions: opinionsOfBatch(asked.opinions, batch.volumes) };
    await store.putJson(`${keys.batches}${names[index]}`, { region, account, ...batch, ...opinions });
  }
  const discoveredSeconds = Math.floor(Date.now() / msPerSecond);
  await store.putJson(keys.region(account, region), { batches: names, discoveredSeconds });
  return {
    ...{ account, region, batches: batches.length, volumes, excluded: excludedIds.length },
    ...{ benchmarkVolumes: benchmarkIds.length, incomplete, apiCalls: counter.total },
    ...(asked === null ? {} : { opinionReads: asked.reads }),
  };
}

export const handler = createHandler(eventSchema, async ({ runId, plan, target }, context) => {
  const { MEMBER_ROLE: memberRole } = env();
  const discovery = { runId, plan, target, attempt: context.awsRequestId };
  if (memberRole === undefined || memberRole === null)
    return discovered(discovery, { region: target.region });
  const session = () => sessionIn(target, memberRole, { account: accountOf(context), runId });
  return discoveredOrRefused(target, async () => discovered(discovery, await session()), refusedBy);
});
