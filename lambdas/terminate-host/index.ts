import { z } from 'zod';
import { deleteVolumes, findLeftovers, terminateInstances } from '../../adapters/aws/bench/leftovers.ts';
import { campaignIdSchema, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { edge } from '../shared/edge.ts';
import { logger } from '../shared/powertools.ts';
import { terminateHost } from './terminate-host.ts';

const eventSchema = z.object({ campaignId: campaignIdSchema, cellId: cellIdSchema });

export const handler = edge(eventSchema, async ({ campaignId, cellId }) => {
  const { region, ec2 } = campaignClients();
  const ended = await terminateHost(campaignId, {
    findLeftovers: () => findLeftovers(ec2, region, { campaignId, cellId }),
    terminate: (ids) => terminateInstances(ec2, region, ids),
    deleteVolumes: (ids) => deleteVolumes(ec2, region, ids),
    now: () => new Date(),
  });
  logger.info('host ended', { campaignId, cellId, ...ended });
  return { endedAt: ended.endedAt };
});
