/** The page of a run, and the run among those that have one. */
import { runKeys } from '../../core/audit/run-keys.ts';
import { known, unknown } from '../../core/known.ts';
import {
  type AuditReport,
  auditReport,
  type PackedSeries,
  type ReportWithSeries,
} from '../../core/report/audit-report.ts';
import { changesOf, compareRuns } from '../../core/report/compare-runs.ts';
import {
  type RunEntry,
  type RunManifest,
  runBefore,
  runEntry,
  withRun,
} from '../../core/report/run-manifest.ts';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';

export interface ReportRequest extends Pick<RunEntry, 'madeAt' | 'byHand'> {
  result: AuditResult;
  label: string | null;
  /** For how long pages are kept, and what is said of them. */
  runsDays: number;
}

export interface ReportFrom {
  /** Null: there is none yet. */
  readManifest(): Promise<RunManifest | null>;
  /** What an earlier run found. */
  readEarlier(runId: string): Promise<AuditResult>;
  readSeries(): Promise<PackedSeries[]>;
  draw(report: ReportWithSeries): Promise<string>;
  putPage(key: string, page: string): Promise<void>;
  /** Of runs that end together each sees what the others wrote. */
  changeManifest(change: (before: RunManifest | null) => RunManifest): Promise<RunManifest>;
  /** Called with an earlier run that could not be read: the page has no comparison with it. */
  onNotCompared(trouble: Error): void;
  /** Called with a list that could not be changed. */
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
const maxCharacters = 1_000;

const lineOf = ({ name, message }: Error): string => sanitizeFirstLine(`${name}: ${message}`, maxCharacters);

/** With the usual run before it. The page is made also where that cannot be read, and says why. */
async function comparedWithEarlier(
  result: AuditResult,
  { readManifest, readEarlier, onNotCompared }: ReportFrom,
): Promise<AuditReport['comparison']> {
  try {
    const earlier = runBefore(await readManifest(), result);
    if (earlier === null) return null;
    return known(changesOf(compareRuns(await readEarlier(earlier.runId), result)));
  } catch (error) {
    onNotCompared(error as Error);
    return unknown(lineOf(error as Error));
  }
}

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
    return { runsInManifest: null, manifestFailure: lineOf(trouble) };
  }
}

/** The page first: what is in the manifest can be opened. */
export async function writeReport(
  { result, madeAt, byHand, label, runsDays }: ReportRequest,
  from: ReportFrom,
): Promise<WrittenReport> {
  const { readSeries, draw, putPage } = from;
  const { report: key } = runKeys(result.runId);
  // Before the series: the earlier run is no longer in memory when they are.
  const comparison = byHand ? null : await comparedWithEarlier(result, from);
  const report = auditReport(result, await readSeries(), { madeAt, label, comparison });
  const page = await draw(report);
  await putPage(key, page);
  const entry = runEntry(result, { madeAt, byHand, report: key });
  const withSeries = new Set(report.report.withSeries);
  return {
    report: key,
    reportBytes: Buffer.byteLength(page),
    findingsDrawn: result.findings.filter(({ resource }) => withSeries.has(resource.id)).length,
    ...(await listed((before) => withRun(before, entry, runsDays), from)),
  };
}
