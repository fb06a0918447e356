import { z } from 'zod';
import { readExceededChecks } from '../../adapters/aws/bench/exceeded-checks.ts';
import { campaignIdSchema, campaignKeys, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { failureOf } from '../../core/failure-text.ts';
import { runFioSchema } from '../../core/report-card/fio-result.ts';
import type { CellFailure } from '../../core/schemas/campaign-report.ts';
import { cardPage } from '../../report/pages/card-page.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf } from '../shared/powertools.ts';
import { readCampaign, readHost, runStore } from '../shared/read-run.ts';
import { readingClients } from '../shared/reading-clients.ts';
import { envSchema } from './env.ts';
import { gradeCampaign } from './grade-campaign.ts';
import { keepReport } from './keep-report.ts';
import { settledChecks } from './settled-checks.ts';

const env = environmentOf(envSchema);

/** As the workflow caught it. */
const failureSchema = z.object({
  step: z.string(),
  Error: z.string().optional(),
  Cause: z.string().optional(),
});

const eventSchema = z.object({
  campaignId: campaignIdSchema,
  cells: z.array(
    z.object({
      cellId: cellIdSchema,
      launchedAt: z.string().nullish(),
      endedAt: z.string().nullish(),
      failure: failureSchema.nullish(),
      leftBehind: failureSchema.nullish(),
      hostEnded: z.string().nullish(),
    }),
  ),
});

const cellFailure = (failure: z.infer<typeof failureSchema> | null | undefined): CellFailure | null =>
  failure ? { step: failure.step, ...failureOf(failure.Error, failure.Cause) } : null;

export const handler = createHandler(eventSchema, async ({ campaignId, cells }) => {
  const store = runStore(env().BUCKET);
  const keys = campaignKeys(campaignId);
  const ends = cells.map(({ cellId, launchedAt, endedAt, failure, leftBehind, hostEnded = null }) => ({
    ...{ cellId, launchedAt: launchedAt ?? null, endedAt: endedAt ?? null },
    ...{ failure: cellFailure(failure), leftBehind: cellFailure(leftBehind), hostEnded },
  }));
  const report = await gradeCampaign(await readCampaign(store, campaignId), ends, {
    list: (prefix) => store.list(prefix),
    readResult: (key) => store.getJson(key, runFioSchema),
    readChecks: async (cellId, span) => {
      const { region } = campaignClients();
      const { cloudWatch } = readingClients({ region });
      const host = await readHost(store, campaignId, cellId);
      const checks = await settledChecks(span, {
        read: () => readExceededChecks(cloudWatch, region, host, span),
        now: () => new Date(),
      });
      // So that the report can be made anew when CloudWatch has forgotten them.
      await store.putJson(keys.checks(cellId), checks);
      return checks;
    },
    now: () => new Date(),
  });
  return keepReport(report, {
    putJson: (key, document) => store.putJson(key, document),
    draw: cardPage,
    putPage: (key, page) => store.putPage(key, page),
  });
});
