import { z } from 'zod';
import { findHosts, pingStatusOf } from '../../adapters/aws/bench/find-host.ts';
import { benchmarkHostKey } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { campaignIdSchema, campaignKeys, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { hostOrigin } from '../shared/host-origin.ts';
import { environmentOf } from '../shared/powertools.ts';
import { readCampaign, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { findHost } from './find-host.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  campaignId: campaignIdSchema,
  cellId: cellIdSchema,
  instanceId: z.string().min(1),
  launchedAt: z.iso.datetime(),
});

export const handler = createHandler(eventSchema, async ({ campaignId, cellId, ...launched }) => {
  const store = runStore(env().BUCKET);
  const { region, ec2, ssm } = campaignClients();
  const host = await findHost(await readCampaign(store, campaignId), cellId, launched, {
    findHosts: () => findHosts(ec2, region, hostOrigin(env()), { campaignId, cellId }),
    record: (volumeIds) =>
      store.putJson(benchmarkHostKey(region, launched.instanceId, volumeIds), { campaignId, cellId }),
    pingStatus: (id) => pingStatusOf(ssm, region, id),
    now: () => new Date(),
  });
  await store.putJson(campaignKeys(campaignId).host(cellId), host);
  return { volumes: host.volumeIds.length };
});
