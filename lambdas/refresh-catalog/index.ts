import { z } from 'zod';
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { describeInstanceTypes } from '../../adapters/aws/describe-instance-types.ts';
import { getPrices } from '../../adapters/aws/get-prices.ts';
import { ec2Client, pricingClient } from '../../adapters/aws/session.ts';
import { storedCatalogKey } from '../../core/audit/run-keys.ts';
import { placeSchema } from '../../core/schemas/batch.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { storedCatalog } from '../shared/stored-catalog.ts';
import { envSchema } from './env.ts';
import { refreshCatalog } from './refresh-catalog.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  /** In whichever account: its prices are the same. */
  target: placeSchema.pick({ region: true }),
});

export const handler = createHandler(eventSchema, async ({ target: { region } }) => {
  const { BUCKET, REFRESH_AFTER_DAYS } = env();
  const counter = new CallCounter();
  const store = runStore(BUCKET);
  const { refreshed, notices, incomplete } = await refreshCatalog(
    { region, refreshAfterDays: REFRESH_AFTER_DAYS },
    {
      readStored: () => storedCatalog(store, region),
      describeInstanceTypes: () => describeInstanceTypes(ec2Client({ region }, counter), region),
      getPrices: () => getPrices(pricingClient({ region }, counter), region),
      writeStored: (regionCatalog) => store.putJson(storedCatalogKey(region), regionCatalog),
      now: () => new Date(),
    },
  );
  logger.info('prices', { region, refreshed, notices, incomplete, apiCalls: counter.total });
  return { notices, incomplete, apiCalls: counter.total };
});
