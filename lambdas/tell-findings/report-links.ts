/** Links to a run's report: a help beside what is told, which nothing that is told waits for. */
import { type LinkOf, linksTo, reportPageKey } from '../../core/report/report-link.ts';
import { secondsPerDay } from '../../core/units.ts';

export interface LinksFrom {
  /** Of the endpoint that opens reports; empty where there is none. */
  baseUrl: string;
  linkDays: number;
  readKey(): Promise<string>;
  /** Told why there are none. */
  onNone(because: string): void;
}

/** @param report the key of the run's report as it was written; null where none was. */
export async function linksToReport(
  { runId, report, nowEpochSeconds }: { runId: string; report: string | null; nowEpochSeconds: number },
  { baseUrl, linkDays, readKey, onNone }: LinksFrom,
): Promise<LinkOf | null> {
  if (baseUrl === '' || report === null) return null;
  const target = { kind: 'runs', id: runId } as const;
  if (report !== reportPageKey(target)) {
    onNone(`the report is not where links lead: ${report}`);
    return null;
  }
  try {
    const untilEpochSeconds = nowEpochSeconds + linkDays * secondsPerDay;
    const links = linksTo(baseUrl, { ...target, untilEpochSeconds }, await readKey());
    if (links === null) onNone('no link can name a run of this name');
    return links;
  } catch (error) {
    onNone((error as Error).message);
    return null;
  }
}
