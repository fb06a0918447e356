import { z } from 'zod';
import { shards } from '../../core/monitoring/shards.ts';
import { createHandler } from '../shared/create-handler.ts';
import { logger } from '../shared/powertools.ts';
import { watchOwnAccount } from './handler/own-account.ts';
import { handShardsOn, watchOneShard } from './handler/several-accounts.ts';
import { env } from './handler/tick-parts.ts';

/** A schedule sends none of this; where several accounts are watched this function sends them to itself. */
const eventSchema = z.looseObject({
  isListed: z.boolean().default(true),
  shard: z
    .int()
    .min(0)
    .max(shards - 1)
    .optional(),
  of: z.int().min(1).max(shards).default(shards),
});

export const handler = createHandler(eventSchema, async ({ shard, of, isListed }, { invokedFunctionArn }) => {
  const { MEMBER_ROLE: memberRole } = env();
  if (memberRole !== null && shard === undefined) return { shards: await handShardsOn(invokedFunctionArn) };
  const tick =
    memberRole === null || shard === undefined
      ? await watchOwnAccount()
      : await watchOneShard({ shard, of, isListed }, memberRole, invokedFunctionArn);
  if (tick !== null) return tick;
  logger.info('another tick is under way', { shard });
  return { isSkipped: true };
});
