import { z } from 'zod';
import { describeInstances } from '../../adapters/aws/describe-instances.ts';
import { describeVolumes } from '../../adapters/aws/describe-volumes.ts';
import { listPublishedChecks } from '../../adapters/aws/list-published-checks.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import { benchmarkHostsIn, benchmarkHostsOf } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { placeSchema, readingPlanSchema } from '../../core/schemas/batch.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { readingClients } from '../shared/reading-clients.ts';
import { discoverVolumes } from './discover-volumes.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  runId: z.string().min(1),
  plan: readingPlanSchema,
  target: placeSchema,
});

const digits = 5;

export const handler = createHandler(eventSchema, async ({ runId, plan, target }, { awsRequestId }) => {
  const { region, account } = target;
  const { ec2, cloudWatch, counter } = readingClients({ region });
  const { BUCKET, EXCLUDE_TAGS: excludeTags, TAG_KEYS: tagKeys, THRESHOLDS, POINT_RATES } = env();
  const store = runStore(BUCKET);
  const { batches, volumes, excludedIds, benchmarkIds, incomplete } = await discoverVolumes(
    {
      describeVolumes: (ids) => describeVolumes(ec2, target, ids, tagKeys),
      describeInstances: (ids) => describeInstances(ec2, target, ids, tagKeys),
      listPublishedChecks: () => listPublishedChecks(cloudWatch, region),
      benchmarkHosts: async () => benchmarkHostsOf(await store.list(benchmarkHostsIn(region))),
      now: () => new Date(),
    },
    plan,
    thresholdsOf(THRESHOLDS),
    excludeTags,
    POINT_RATES,
  );
  const keys = runKeys(runId);
  // Of an attempt that died half-way there may be batches: those of this one have names of their own.
  const names = batches.map(
    (_, index) => `${account}-${region}-${String(index + 1).padStart(digits, '0')}-${awsRequestId}.json`,
  );
  for (const [index, batch] of batches.entries()) {
    await store.putJson(`${keys.batches}${names[index]}`, { region, account, ...batch });
  }
  await store.putJson(keys.region(account, region), { batches: names });
  return {
    ...{ account, region, batches: batches.length, volumes, excluded: excludedIds.length },
    ...{ benchmarkVolumes: benchmarkIds.length, incomplete, apiCalls: counter.total },
  };
});
