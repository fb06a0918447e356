/** The page of a run, and the run among those that have one. */
import { runKeys } from '../../core/audit/run-keys.ts';
import { auditReport, type PackedSeries, type ReportWithSeries } from '../../core/report/audit-report.ts';
import { type RunEntry, type RunManifest, runEntry, withRun } from '../../core/report/run-manifest.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { resourceIdOf } from '../../core/schemas/finding.ts';

export interface ReportRequest extends Pick<RunEntry, 'madeAt' | 'byHand'> {
  result: AuditResult;
  label: string | null;
}

export interface ReportFrom {
  readSeries(): Promise<PackedSeries[]>;
  draw(report: ReportWithSeries): Promise<string>;
  putPage(key: string, page: string): Promise<void>;
  /** Of runs that end together each sees what the others wrote. */
  changeManifest(change: (before: RunManifest | null) => RunManifest): Promise<RunManifest>;
}

export interface WrittenReport {
  /** The key of the page. */
  report: string;
  reportBytes: number;
  findingsDrawn: number;
  runsInManifest: number;
}

/** The page first: what is in the manifest can be opened. */
export async function writeReport(
  { result, madeAt, byHand, label }: ReportRequest,
  { readSeries, draw, putPage, changeManifest }: ReportFrom,
): Promise<WrittenReport> {
  const { report: key } = runKeys(result.runId);
  const report = auditReport(result, await readSeries(), { madeAt, label });
  const page = await draw(report);
  await putPage(key, page);
  const entry = runEntry(result, { madeAt, byHand, report: key });
  const { runs } = await changeManifest((before) => withRun(before, entry));
  const withSeries = new Set(report.report.withSeries);
  return {
    report: key,
    reportBytes: Buffer.byteLength(page),
    findingsDrawn: result.findings.filter(({ resource }) => withSeries.has(resourceIdOf(resource))).length,
    runsInManifest: runs.length,
  };
}
