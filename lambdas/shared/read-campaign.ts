import type { RunStore } from '../../adapters/aws/run-store.ts';
import {
  type Campaign,
  type CampaignHost,
  campaignKeys,
  campaignSchema,
  hostSchema,
} from '../../core/benchmark/campaign/campaign.ts';

export const readCampaign = (store: RunStore, campaignId: string): Promise<Campaign> =>
  store.getJson(campaignKeys(campaignId).campaign, campaignSchema);

export const readHost = (store: RunStore, campaignId: string, cellId: string): Promise<CampaignHost> =>
  store.getJson(campaignKeys(campaignId).host(cellId), hostSchema);
