/** The report of a campaign, from what its hosts wrote: whatever of it there is. */
import { type Campaign, campaignKeys } from '../../core/benchmark/campaign/campaign.ts';
import {
  type CellEnd,
  campaignReport,
  type Measured,
} from '../../core/benchmark/campaign/campaign-report.ts';
import { fewOf } from '../../core/few.ts';
import type { RunFioResult } from '../../core/reportcard/fio-result.ts';
import type { CampaignReport } from '../../core/schemas/campaign-report.ts';

export interface GradeFrom {
  /** Keys below a prefix. */
  list(prefix: string): Promise<string[]>;
  readResult(key: string): Promise<RunFioResult>;
  now(): Date;
}

/** r2 before r10. */
const byNumber = (a: { runId: string }, b: { runId: string }): number =>
  Number(a.runId.slice(1)) - Number(b.runId.slice(1));

export async function gradeCampaign(
  campaign: Campaign,
  ends: readonly CellEnd[],
  { list, readResult, now }: GradeFrom,
): Promise<CampaignReport> {
  const keys = campaignKeys(campaign.campaignId);
  const measured: Map<string, { runId: string; result: RunFioResult }[]> = new Map();
  const unread: string[] = [];
  for (const { id } of campaign.cells) {
    const prefix = keys.results(id);
    const results: { runId: string; result: RunFioResult }[] = [];
    for (const key of await list(prefix)) {
      const [, runId] = /^([rp]\d+)\.json$/.exec(key.slice(prefix.length)) ?? [];
      if (runId === undefined) continue;
      try {
        results.push({ runId, result: await readResult(key) });
      } catch (error) {
        unread.push(`${key}: ${(error as Error).message}`);
      }
    }
    measured.set(id, results.sort(byNumber));
  }
  const report = campaignReport(campaign, ends, measured satisfies Measured, now().toISOString());
  return unread.length === 0
    ? report
    : { ...report, notes: [...report.notes, `results that could not be read: ${fewOf(unread)}`] };
}
