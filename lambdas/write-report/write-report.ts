/** The page of a run, and the run among those that have one. */
import { runKeys } from '../../core/audit/run-keys.ts';
import { inertFirstLine } from '../../core/inert.ts';
import { auditReport, type PackedSeries, type ReportWithSeries } from '../../core/report/audit-report.ts';
import { type RunEntry, type RunManifest, runEntry, withRun } from '../../core/report/run-manifest.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';

export interface ReportRequest extends Pick<RunEntry, 'madeAt' | 'byHand'> {
  result: AuditResult;
  label: string | null;
  /** For how long pages are kept, and what is said of them. */
  runsDays: number;
}

export interface ReportFrom {
  readSeries(): Promise<PackedSeries[]>;
  draw(report: ReportWithSeries): Promise<string>;
  putPage(key: string, page: string): Promise<void>;
  /** Of runs that end together each sees what the others wrote. */
  changeManifest(change: (before: RunManifest | null) => RunManifest): Promise<RunManifest>;
  /** Told of a list that could not be changed. */
  onTrouble(trouble: Error): void;
}

export interface WrittenReport {
  /** The key of the page. */
  report: string;
  reportBytes: number;
  findingsDrawn: number;
  /** Null where it could not be changed. */
  runsInManifest: number | null;
  /** Why it could not be, in a line: the run fails for it at its end. Null where it could. */
  manifestFailure: string | null;
}

type Listed = Pick<WrittenReport, 'runsInManifest' | 'manifestFailure'>;
const mostCharacters = 1_000;

/** The page is there by then and can be linked to, whatever becomes of the list. */
async function listed(
  change: (before: RunManifest | null) => RunManifest,
  { changeManifest, onTrouble }: Pick<ReportFrom, 'changeManifest' | 'onTrouble'>,
): Promise<Listed> {
  try {
    const { runs } = await changeManifest(change);
    return { runsInManifest: runs.length, manifestFailure: null };
  } catch (error) {
    const trouble = error as Error;
    onTrouble(trouble);
    const manifestFailure = inertFirstLine(`${trouble.name}: ${trouble.message}`, mostCharacters);
    return { runsInManifest: null, manifestFailure };
  }
}

/** The page first: what is in the manifest can be opened. */
export async function writeReport(
  { result, madeAt, byHand, label, runsDays }: ReportRequest,
  { readSeries, draw, putPage, ...list }: ReportFrom,
): Promise<WrittenReport> {
  const { report: key } = runKeys(result.runId);
  const report = auditReport(result, await readSeries(), { madeAt, label });
  const page = await draw(report);
  await putPage(key, page);
  const entry = runEntry(result, { madeAt, byHand, report: key });
  const withSeries = new Set(report.report.withSeries);
  return {
    report: key,
    reportBytes: Buffer.byteLength(page),
    findingsDrawn: result.findings.filter(({ resource }) => withSeries.has(resource.id)).length,
    ...(await listed((before) => withRun(before, entry, runsDays), list)),
  };
}
