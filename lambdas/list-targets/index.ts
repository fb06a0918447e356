import { z } from 'zod';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf } from '../shared/powertools.ts';
import { envSchema } from './env.ts';
import { listTargets, runRequestSchema } from './list-targets.ts';

const accountSchema = z.string().regex(/^\d{12}$/);

const env = environmentOf(envSchema);

export const handler = createHandler(runRequestSchema, async (request, { invokedFunctionArn }) => {
  const { REGIONS, LOOKBACK_DAYS, PERIOD_SECONDS, READ_MINUTES } = env();
  const defaults = {
    account: accountSchema.parse(invokedFunctionArn.split(':')[4]),
    regions: REGIONS.split(','),
    lookbackDays: LOOKBACK_DAYS,
    periodSeconds: PERIOD_SECONDS,
    readMinutes: READ_MINUTES,
  };
  return listTargets(request, defaults, new Date());
});
