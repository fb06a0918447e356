/** What the batches of a target have read becomes part of the archive. */
import { once } from 'es-toolkit/function';
import { z } from 'zod';
import { commit } from '../../adapters/archive/commit.ts';
import type { ArchiveStore } from '../../adapters/archive/store.ts';
import { putTable } from '../../adapters/archive/write-tables.ts';
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { dayOf } from '../../core/archive/keys.ts';
import { tablesOfRun } from '../../core/archive/tables.ts';
import { nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { batchSchema, placeSchema, readingPlanSchema } from '../../core/schemas/batch.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { archiveBucket, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

const regionSchema = z.object({ batches: z.array(z.string()), discoveredSeconds: z.number() });

const eventSchema = placeSchema.extend({ runId: z.string().min(1), plan: readingPlanSchema });

/** Of a day of as many volumes as fit into one call. */
const dayMs = 240_000;

type Event = z.infer<typeof eventSchema>;

/** What the run discovered of the target, and when. */
async function readDiscovered(runs: RunStore, { runId, account, region }: Event) {
  const keys = runKeys(runId);
  const { batches: names, discoveredSeconds } = await runs.getJson(
    keys.region(account, region),
    regionSchema,
  );
  const fleet = { volumes: [] as Volume[], instances: [] as Instance[] };
  for (const name of names) {
    const { volumes, instances } = await runs.getJson(`${keys.batches}${name}`, batchSchema);
    fleet.volumes.push(...volumes);
    fleet.instances.push(...instances);
  }
  return { names, discoveredSeconds, fleet };
}

async function writeTables(
  runs: RunStore,
  archive: ArchiveStore,
  { runId, plan, account, region }: Event,
  { names, ...discovered }: Awaited<ReturnType<typeof readDiscovered>>,
): Promise<void> {
  const keys = runKeys(runId);
  const done = new Set((await runs.list(keys.resultsOf(account, region))).map(nameInFolder));
  const results: (AuditResult | null)[] = [];
  for (const name of names)
    results.push(done.has(name) ? await runs.getJson(`${keys.results}${name}`, auditResultSchema) : null);
  const place = { account, region, day: dayOf(plan.endEpochSeconds) };
  for (const [table, cells] of tablesOfRun({ ...discovered, ...plan, results }))
    await putTable(archive, place, table, cells);
}

/** @returns isWhole: false where there is more to put than fits into this call: call it again. */
export const handler = createHandler(eventSchema, async (event, context) => {
  const { runId, account, region } = event;
  const { BUCKET } = env();
  const [runs, archive] = [runStore(BUCKET), archiveBucket(BUCKET)];
  const discovered = once(() => readDiscovered(runs, event));
  const { days, written, broken, isWhole } = await commit(
    archive,
    { account, region },
    {
      mayGoOn: () => context.getRemainingTimeInMillis() > dayMs,
      discoveredIds: async () => {
        const { volumes, instances } = (await discovered()).fleet;
        return [...volumes.map(({ volumeId }) => volumeId), ...instances.map(({ instanceId }) => instanceId)];
      },
    },
  );
  const committed = { account, region, days: days.length, written: written.length, isWhole };
  logger.info('committed', { ...committed, broken: broken.length });
  if (isWhole) {
    const incomplete = broken.map(
      ({ key, reason }): AuditNotice => ({ code: 'archive-file-not-read', file: key, reason }),
    );
    // What a window of its own shows is for who asked: the day's tables are of usual runs.
    if (event.plan.isOfOwnWindow !== true) await writeTables(runs, archive, event, await discovered());
    await runs.putJson(runKeys(runId).archived(account, region), { incomplete });
  }
  return committed;
});
