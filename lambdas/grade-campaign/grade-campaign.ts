/** The report of a campaign, from what its hosts wrote: whatever of it there is. */
import { type Campaign, campaignKeys } from '../../core/benchmark/campaign/campaign.ts';
import { type CellEnd, campaignReport } from '../../core/benchmark/campaign/campaign-report.ts';
import { NotYet } from '../../core/errors.ts';
import type { ExceededChecks, Span } from '../../core/report-card/exceeded-checks.ts';
import type { RunFioResult } from '../../core/report-card/fio-result.ts';
import { isLeftToCloudWatch } from '../../core/report-card/fio-tests.ts';
import type { CampaignReport, Unread } from '../../core/schemas/campaign-report.ts';
import { epochSecondsOf } from '../../core/units.ts';

/** From the first step of a cell to the end of its last. */
function spanOf(results: readonly RunFioResult[]): Span {
  const steps = results.flatMap((result) => result.steps);
  const starts = steps.map(({ startedAt }) => epochSecondsOf(startedAt));
  const ends = steps.map(({ members: [first] }, index) => {
    const seconds = first === undefined ? 0 : first.after.uptimeSeconds - first.before.uptimeSeconds;
    return (starts[index] ?? 0) + seconds;
  });
  return { fromEpochSeconds: Math.min(...starts), toEpochSeconds: Math.max(...ends) };
}

export interface GradeFrom {
  /** Keys below a prefix. */
  list(prefix: string): Promise<string[]>;
  readResult(key: string): Promise<RunFioResult>;
  /** What CloudWatch says of the limits of a cell's host, as it is stored or asked for now. */
  readChecks(cellId: string, span: Span): Promise<ExceededChecks>;
  now(): Date;
}

/** r2 before r10. */
const byNumber = (a: { runId: string }, b: { runId: string }): number =>
  Number(a.runId.slice(1)) - Number(b.runId.slice(1));

/** @throws NotYet where CloudWatch has not got the last minutes of a host: then all is asked for again. */
export async function gradeCampaign(
  campaign: Campaign,
  ends: readonly CellEnd[],
  { list, readResult, readChecks, now }: GradeFrom,
): Promise<CampaignReport> {
  const keys = campaignKeys(campaign.campaignId);
  const measured = new Map<string, { runId: string; result: RunFioResult }[]>();
  const checks = new Map<string, ExceededChecks>();
  const unread: Unread[] = [];
  for (const { id } of campaign.cells) {
    const prefix = keys.results(id);
    const results: { runId: string; result: RunFioResult }[] = [];
    for (const key of await list(prefix)) {
      const [, runId] = /^([rp]\d+)\.json$/.exec(key.slice(prefix.length)) ?? [];
      if (runId === undefined) continue;
      try {
        results.push({ runId, result: await readResult(key) });
      } catch (error) {
        unread.push({ code: 'result', key, reason: (error as Error).message });
      }
    }
    measured.set(id, results.sort(byNumber));
    const all = results.map(({ result }) => result);
    try {
      if (all.some(isLeftToCloudWatch)) checks.set(id, await readChecks(id, spanOf(all)));
    } catch (error) {
      if (error instanceof NotYet) throw error;
      unread.push({ code: 'limits', cellId: id, reason: (error as Error).message });
    }
  }
  const report = campaignReport(campaign, ends, measured, now().toISOString(), checks);
  return unread.length === 0 ? report : { ...report, notes: [...report.notes, { code: 'not-read', unread }] };
}
