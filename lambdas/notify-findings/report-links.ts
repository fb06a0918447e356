/** Links to the report of a run: a help beside what is notified, which nothing that is notified waits for. */
import { type LinkOf, linksTo, reportPageKey } from '../../core/report/report-link.ts';
import type { RunManifest } from '../../core/report/run-manifest.ts';
import { secondsPerDay } from '../../core/units.ts';

export interface LinksFrom {
  /** Of the endpoint that opens reports; empty where there is none. */
  baseUrl: string;
  linkDays: number;
  readKey(): Promise<string>;
  /** The runs that have a report, the newest first. */
  readManifest(): Promise<RunManifest>;
  /** Called with why there are none. */
  onNone(reason: string): void;
}

interface ReportOfRun {
  /** Null: the newest one that has a report. */
  runId: string | null;
  /** The key of its report as it was written; null where none was. */
  report: string | null;
}

async function newestReport(readManifest: LinksFrom['readManifest']): Promise<ReportOfRun> {
  const [newest] = (await readManifest()).runs;
  return newest ?? { runId: null, report: null };
}

/** @returns null where there is no report to link to, or links are off. */
export async function linksToReport(
  { nowEpochSeconds, ...of }: ReportOfRun & { nowEpochSeconds: number },
  { baseUrl, linkDays, readKey, readManifest, onNone }: LinksFrom,
): Promise<LinkOf | null> {
  if (baseUrl === '') return null;
  try {
    const { runId, report } = of.runId === null ? await newestReport(readManifest) : of;
    if (runId === null || report === null) return null;
    const target = { kind: 'runs', id: runId } as const;
    if (report !== reportPageKey(target)) {
      onNone(`the report is not where links lead: ${report}`);
      return null;
    }
    const untilEpochSeconds = nowEpochSeconds + linkDays * secondsPerDay;
    const links = linksTo(baseUrl, { ...target, untilEpochSeconds }, await readKey());
    if (links === null) onNone('no link can name a run of this name');
    return links;
  } catch (error) {
    onNone((error as Error).message);
    return null;
  }
}
