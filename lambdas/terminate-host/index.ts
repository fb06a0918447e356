import { z } from 'zod';
import { findOrphans, terminateInstances } from '../../adapters/aws/bench/orphans.ts';
import { campaignIdSchema, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { hostOrigin } from '../shared/host-origin.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { envSchema } from './env.ts';
import { terminateHost } from './terminate-host.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({ campaignId: campaignIdSchema, cellId: cellIdSchema });

export const handler = createHandler(eventSchema, async ({ campaignId, cellId }) => {
  const { region, ec2 } = campaignClients();
  const ended = await terminateHost(campaignId, {
    findOrphans: () => findOrphans(ec2, region, hostOrigin(env()), { campaignId, cellId }),
    terminate: (ids) => terminateInstances(ec2, region, ids),
    now: () => new Date(),
  });
  logger.info('host ended', { campaignId, cellId, ...ended });
  return { endedAt: ended.endedAt, hostEnded: ended.hostEnded };
});
