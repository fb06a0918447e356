/** A campaign as its report card shows it. */
import type { CampaignReport } from '../schemas/campaign-report.ts';
import type { CardReport } from './card-report.ts';

export const campaignCard = ({ grades, ...campaign }: CampaignReport): CardReport => ({
  version: 1,
  madeAt: campaign.gradedAt,
  title: `Campaign ${campaign.campaignId}`,
  label: campaign.label,
  grades,
  campaign,
});
