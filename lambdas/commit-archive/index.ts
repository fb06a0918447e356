/** What the batches of a target have read becomes part of the archive. */
import { z } from 'zod';
import { commit } from '../../adapters/archive/commit.ts';
import type { ArchiveStore } from '../../adapters/archive/store.ts';
import { putTable } from '../../adapters/archive/write-tables.ts';
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { dayOf } from '../../core/archive/keys.ts';
import { findingCells, inventoryCells } from '../../core/archive/tables.ts';
import { nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { auditResultSchema, type VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import { batchSchema, placeSchema, readingPlanSchema } from '../../core/schemas/batch.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { msPerSecond, secondsPerHour } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { archiveBucket, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

const regionSchema = z.object({ batches: z.array(z.string()) });

const eventSchema = placeSchema.extend({ runId: z.string().min(1), plan: readingPlanSchema });

/** Of a day of as many volumes as fit into one call. */
const dayMs = 240_000;

/** A run of another time finds what was then, in what is there now: neither is of a day. */
const presentSeconds = secondsPerHour;

/** The inventory and the findings of the day; a batch without a result has no findings, and says so by its status. */
async function writeTables(
  runs: RunStore,
  archive: ArchiveStore,
  { runId, plan, ...target }: z.infer<typeof eventSchema>,
): Promise<void> {
  if (Date.now() / msPerSecond - plan.endEpochSeconds > presentSeconds) return;
  const keys = runKeys(runId);
  const { account, region } = target;
  const { batches } = await runs.getJson(keys.region(account, region), regionSchema);
  const results = new Set((await runs.list(keys.resultsOf(account, region))).map(nameInFolder));
  const fleet = { volumes: [] as Volume[], instances: [] as Instance[] };
  const [evaluations, findings]: [VolumeEvaluation[], Finding[]] = [[], []];
  for (const name of batches) {
    const batch = await runs.getJson(`${keys.batches}${name}`, batchSchema);
    fleet.volumes.push(...batch.volumes);
    fleet.instances.push(...batch.instances);
    if (!results.has(name)) continue;
    const result = await runs.getJson(`${keys.results}${name}`, auditResultSchema);
    evaluations.push(...result.volumes);
    findings.push(...result.findings);
  }
  const place = { account, region, day: dayOf(plan.endEpochSeconds) };
  await putTable(archive, place, 'inventory', inventoryCells(fleet, evaluations));
  await putTable(archive, place, 'findings', findingCells({ findings }));
}

/** @returns isWhole: false where there is more to put than fits into this call: call it again. */
export const handler = createHandler(eventSchema, async (event, context) => {
  const { runId, account, region } = event;
  const { BUCKET } = env();
  const [runs, archive] = [runStore(BUCKET), archiveBucket(BUCKET)];
  const { days, written, broken, isWhole } = await commit(
    archive,
    { account, region },
    () => context.getRemainingTimeInMillis() > dayMs,
  );
  const committed = { account, region, days: days.length, written: written.length, isWhole };
  logger.info('committed', { ...committed, broken: broken.length });
  if (isWhole) {
    const incomplete = broken.map(
      ({ key, reason }): AuditNotice => ({ code: 'archive-file-not-read', file: key, reason }),
    );
    await writeTables(runs, archive, event);
    await runs.putJson(runKeys(runId).archived(account, region), { incomplete });
  }
  return committed;
});
