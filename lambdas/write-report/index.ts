import { retry } from 'es-toolkit/function';
import { z } from 'zod';
import { runManifestKey } from '../../core/audit/run-keys.ts';
import { Throttled, Unavailable } from '../../core/errors.ts';
import { runManifestSchema } from '../../core/report/run-manifest.ts';
import { auditPage } from '../../report/pages/audit-page.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { readRun, readSeries, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { writeReport } from './write-report.ts';

const env = environmentOf(envSchema);

/** The workflow does not try it again: the page is there by then. */
const triedAgain = {
  retries: 4,
  delay: (tried: number) => 2_000 * 2 ** tried,
  shouldRetry: (error: unknown) => error instanceof Throttled || error instanceof Unavailable,
};

const eventSchema = z.object({
  runId: z.string().min(1),
  /** A usual run; others are asked for by hand. */
  notify: z.boolean(),
});

export const handler = createHandler(eventSchema, async ({ runId, notify }) => {
  const { BUCKET, LABEL, RUNS_DAYS } = env();
  const store = runStore(BUCKET);
  return writeReport(
    {
      result: await readRun(store, runId),
      madeAt: new Date().toISOString(),
      byHand: !notify,
      label: LABEL === '' ? null : LABEL,
      runsDays: RUNS_DAYS,
    },
    {
      readManifest: async () =>
        (await store.has(runManifestKey)) ? store.getJson(runManifestKey, runManifestSchema) : null,
      readEarlier: (earlier) => readRun(store, earlier),
      readSeries: () => readSeries(store, runId),
      draw: auditPage,
      putPage: (key, page) => store.putPage(key, page),
      changeManifest: (change) =>
        retry(() => store.changeJson(runManifestKey, runManifestSchema, change), triedAgain),
      onNotCompared: (trouble) => logger.warn('the earlier run could not be read', trouble),
      onTrouble: (trouble) => logger.error('the list of runs could not be changed', trouble),
    },
  );
});
