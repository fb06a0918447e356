import { z } from 'zod';
import { campaignIdSchema, campaignKeys, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { runFioSchema } from '../../core/report-card/fio-result.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf } from '../shared/powertools.ts';
import { readCampaign, readHost, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { chooseNext } from './next-command.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  campaignId: campaignIdSchema,
  cellId: cellIdSchema,
  commandsDone: z.int().min(0),
});

export const handler = createHandler(eventSchema, async ({ campaignId, cellId, commandsDone }) => {
  const { BUCKET } = env();
  const store = runStore(BUCKET);
  const keys = campaignKeys(campaignId);
  const next = await chooseNext(
    { bucket: BUCKET, cellId, commandsDone },
    {
      readCampaign: () => readCampaign(store, campaignId),
      readHost: () => readHost(store, campaignId, cellId),
      readResult: (runId) => store.getJson(keys.result(cellId, runId), runFioSchema),
    },
  );
  return 'command' in next ? { command: next.command } : { command: null };
});
