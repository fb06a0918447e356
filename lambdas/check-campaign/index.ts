import { z } from 'zod';
import { subnetsFor } from '../../adapters/aws/bench/places.ts';
import { quotaOf, quotasClient } from '../../adapters/aws/bench/quotas.ts';
import { campaignIdSchema, campaignKeys } from '../../core/benchmark/campaign/campaign.ts';
import { noticeText } from '../../report/wording/audit-notices.ts';
import { campaignClients } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { regionCatalogToEvaluate } from '../shared/stored-catalog.ts';
import { checkCampaign } from './check-campaign.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({ campaignId: campaignIdSchema, request: z.unknown() });

export const handler = createHandler(eventSchema, async ({ campaignId, request }) => {
  const { BUCKET, SUBNET_IDS, MAX_COST_USD, INSTANCE_TYPES, LABEL } = env();
  const store = runStore(BUCKET);
  const { region, ec2 } = campaignClients();
  const quotas = quotasClient(region);
  const campaign = await checkCampaign(
    {
      ...{ campaignId, region, maxCostUsd: MAX_COST_USD, instanceTypes: INSTANCE_TYPES.split(',') },
      label: LABEL === '' ? null : LABEL,
    },
    request,
    {
      readRegionCatalog: async () => {
        const { regionCatalog, notices, incomplete } = await regionCatalogToEvaluate(store, region);
        return { regionCatalog, notices: notices.map(noticeText), incomplete: incomplete.map(noticeText) };
      },
      findSubnets: () => subnetsFor(ec2, region, SUBNET_IDS.split(',')),
      readQuota: (quota) => quotaOf(quotas, region, quota),
      now: () => new Date(),
    },
  );
  await store.putJson(campaignKeys(campaignId).campaign, campaign);
  const { estimatedUsd, estimatedHours, notes, cells } = campaign;
  logger.info('campaign', { campaignId, estimatedUsd, estimatedHours, cells: cells.length, notes });
  return {
    cellIds: cells.map(({ id }) => id),
    hostsAtOnce: campaign.request.hostsAtOnce,
    estimatedUsd,
  };
});
