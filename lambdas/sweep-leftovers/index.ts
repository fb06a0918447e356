import { z } from 'zod';
import { executionStatus } from '../../adapters/aws/bench/campaign-executions.ts';
import { findLeftovers, terminateInstances } from '../../adapters/aws/bench/leftovers.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { edge } from '../shared/edge.ts';
import { environmentOf } from '../shared/environment.ts';
import { hostOrigin } from '../shared/host-origin.ts';
import { logger } from '../shared/powertools.ts';
import { envSchema } from './env.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';

const env = environmentOf(envSchema);

/** By the clock, or because a campaign has ended: it looks at all hosts of the stack either way. */
export const handler = edge(z.unknown(), async () => {
  const { STATE_MACHINE_ARN } = env();
  const { region, ec2, stepFunctions } = campaignClients();
  const swept = await sweepLeftovers({
    findLeftovers: () => findLeftovers(ec2, region, hostOrigin(env()), {}),
    executionStatus: (campaignId) => executionStatus(stepFunctions, STATE_MACHINE_ARN, campaignId),
    terminate: (ids) => terminateInstances(ec2, region, ids),
    now: () => new Date(),
  });
  logger.info('swept', { ...swept });
  return swept;
});
