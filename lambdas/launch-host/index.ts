import { z } from 'zod';
import { findHosts } from '../../adapters/aws/bench/find-host.ts';
import { launchHost as launchByTemplate } from '../../adapters/aws/bench/launch-host.ts';
import { benchmarkHostKey } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { campaignIdSchema, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { hostOrigin } from '../shared/host-origin.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { readCampaign, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { launchHost } from './launch-host.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  campaignId: campaignIdSchema,
  cellId: cellIdSchema,
  askedAt: z.iso.datetime(),
});

export const handler = createHandler(eventSchema, async ({ campaignId, cellId, askedAt }) => {
  const { BUCKET, KMS_KEY_ARN } = env();
  const origin = hostOrigin(env());
  const { region, ec2 } = campaignClients();
  const store = runStore(BUCKET);
  const launched = await launchHost(await readCampaign(store, campaignId), cellId, askedAt, {
    findHosts: () => findHosts(ec2, region, origin, { campaignId, cellId }),
    launch: ({ architecture, ...request }) =>
      launchByTemplate(ec2, {
        ...{ region, launchTemplateId: origin.launchTemplateIds[architecture], ...request },
        kmsKeyArn: KMS_KEY_ARN === '' ? null : KMS_KEY_ARN,
      }),
    record: (instanceId) => store.putJson(benchmarkHostKey(region, instanceId), { campaignId, cellId }),
  });
  logger.info('host', { campaignId, cellId, ...launched });
  return launched;
});
