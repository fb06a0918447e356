import { z } from 'zod';
import { executionStatus } from '../../adapters/aws/bench/campaign-executions.ts';
import { findOrphans, terminateInstances } from '../../adapters/aws/bench/orphans.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { hostOrigin } from '../shared/host-origin.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { cleanUpOrphans } from './clean-up-orphans.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

/** By the clock, or because a campaign has ended: it looks at all hosts of the stack either way. */
export const handler = createHandler(z.unknown(), async () => {
  const { STATE_MACHINE_ARN } = env();
  const { region, ec2, stepFunctions } = campaignClients();
  const cleanedUp = await cleanUpOrphans({
    findOrphans: () => findOrphans(ec2, region, hostOrigin(env()), {}),
    executionStatus: (campaignId) => executionStatus(stepFunctions, STATE_MACHINE_ARN, campaignId),
    terminate: (ids) => terminateInstances(ec2, region, ids),
    now: () => new Date(),
  });
  logger.info('cleanedUp', { ...cleanedUp });
  return cleanedUp;
});
