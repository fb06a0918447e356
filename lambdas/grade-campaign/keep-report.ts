/** What is kept of a graded campaign: the report for machines, the proof of a finding, the page for people. */
import { campaignKeys, validationKey } from '../../core/benchmark/campaign/campaign.ts';
import { campaignCard } from '../../core/report/campaign-card.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import type { CampaignReport } from '../../core/schemas/campaign-report.ts';

export interface KeepIn {
  putJson(key: string, report: CampaignReport): Promise<void>;
  draw(card: CardReport): Promise<string>;
  putPage(key: string, page: string): Promise<void>;
}

/** The page last: one that cannot be drawn fails the step, and everything else is there. */
export async function keepReport(report: CampaignReport, { putJson, draw, putPage }: KeepIn) {
  const { campaignId, findingId, cells, usd } = report;
  const keys = campaignKeys(campaignId);
  const measured = cells.filter(({ status }) => status === 'measured').length;
  await putJson(keys.report, report);
  if (findingId !== null && measured > 0) await putJson(validationKey(findingId), report);
  await putPage(keys.page, await draw(campaignCard(report)));
  return { campaignId, measured, cells: cells.length, usd, report: keys.report, page: keys.page };
}
