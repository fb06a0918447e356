/** What the batches of a target have read becomes part of the archive. */
import { z } from 'zod';
import { commit } from '../../adapters/archive/commit.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { placeSchema } from '../../core/schemas/batch.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { archiveBucket, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

const eventSchema = placeSchema.extend({ runId: z.string().min(1) });

/** Of a day of as many volumes as fit into one call. */
const dayMs = 240_000;

/** @returns isWhole: false where there is more to put than fits into this call: call it again. */
export const handler = createHandler(eventSchema, async ({ runId, account, region }, context) => {
  const { BUCKET } = env();
  const target = { account, region };
  const { days, written, broken, isWhole } = await commit(
    archiveBucket(BUCKET),
    target,
    () => context.getRemainingTimeInMillis() > dayMs,
  );
  const committed = { account, region, days: days.length, written: written.length, isWhole };
  logger.info('committed', { ...committed, broken: broken.length });
  if (isWhole) {
    const incomplete = broken.map(
      ({ key, reason }): AuditNotice => ({ code: 'archive-file-not-read', file: key, reason }),
    );
    await runStore(BUCKET).putJson(runKeys(runId).archived(account, region), { incomplete });
  }
  return committed;
});
