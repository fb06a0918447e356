import { setTimeout as after } from 'node:timers/promises';
import { answerCloudFormation } from '../../adapters/aws/answer-cloudformation.ts';
import { findOrphans, terminateInstances } from '../../adapters/aws/bench/orphans.ts';
import { resourceRequestSchema } from '../../core/resource-request.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { hostOrigin } from '../shared/host-origin.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { endHosts } from './end-hosts.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

export const handler = createHandler(resourceRequestSchema, async (request, context) => {
  const { region, ec2 } = campaignClients();
  const outcome = await endHosts(request.RequestType, {
    findOrphans: () => findOrphans(ec2, region, hostOrigin(env()), {}),
    terminate: (ids) => terminateInstances(ec2, region, ids),
    wait: (ms) => after(ms),
    remainingMs: () => context.getRemainingTimeInMillis(),
  });
  logger.info('hosts of the stack', { request: request.RequestType, ...outcome });
  await answerCloudFormation(request, outcome);
});
