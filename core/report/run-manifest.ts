/** The runs that have a report, the newest first: where somebody looks for one, and where a page finds those before it. */
import { z } from 'zod';
import { isPartial } from '../audit/audit.ts';
import { roundUsd } from '../prices/prices.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { type Finding, type Severity, severities } from '../schemas/finding.ts';
import { msPerSecond, secondsPerDay } from '../units.ts';
import { isAboutMoney, topRecommendations } from './top-recommendations.ts';

const runEntrySchema = z.object({
  runId: z.string(),
  window: z.object({ start: z.string(), end: z.string() }).nullable(),
  madeAt: z.string(),
  volumes: z.number(),
  unknown: z.number(),
  findings: z.record(z.enum(severities), z.number()),
  /** At most, as its page says. */
  savedMonthlyUsd: z.number(),
  /** About money whose price could not be read: what it would save is not in the sum. */
  findingsWithoutPrice: z.number().default(0),
  partial: z.boolean(),
  /** What the run itself cost. */
  costUsd: z.number(),
  /** Asked for with a window of its own: it told nobody. */
  byHand: z.boolean(),
  /** The key of the page. */
  report: z.string(),
});
export type RunEntry = z.infer<typeof runEntrySchema>;

export const runManifestSchema = z.object({ version: z.literal(1), runs: z.array(runEntrySchema) });
export type RunManifest = z.infer<typeof runManifestSchema>;

/** More than a year of daily runs. */
export const maxRuns = 500;

const isWithoutPrice = (finding: Finding): boolean =>
  isAboutMoney(finding) && finding.recommendations[0]?.monthlyUsdDelta === null;

/** A run in figures. */
export function runFigures(result: AuditResult): Omit<RunEntry, 'madeAt' | 'byHand' | 'report'> {
  const { runId, window, coverage, findings, cost } = result;
  const count = (of: Severity): number => findings.filter(({ severity }) => severity === of).length;
  return {
    ...{ runId, window },
    volumes: coverage.volumes,
    unknown: coverage.unknown.length,
    findings: { critical: count('critical'), warning: count('warning'), info: count('info') },
    savedMonthlyUsd: roundUsd(topRecommendations(findings).savingMonthlyUsd),
    findingsWithoutPrice: findings.filter(isWithoutPrice).length,
    partial: isPartial(result),
    costUsd: cost.usd,
  };
}

export const runEntry = (
  result: AuditResult,
  { madeAt, byHand, report }: Pick<RunEntry, 'madeAt' | 'byHand' | 'report'>,
): RunEntry => ({ ...runFigures(result), madeAt, byHand, report });

const newestFirst = (a: RunEntry, b: RunEntry): number =>
  b.madeAt.localeCompare(a.madeAt) || a.runId.localeCompare(b.runId);

/**
 * A run that is there already, from a try before, is there once: as it is now. Runs leave with their pages.
 * @param runsDays for how long pages are kept.
 */
export function withRun(manifest: RunManifest | null, entry: RunEntry, runsDays: number): RunManifest {
  const keptSinceMs = Date.parse(entry.madeAt) - runsDays * secondsPerDay * msPerSecond;
  const others = (manifest?.runs ?? []).filter(
    ({ runId, madeAt }) => runId !== entry.runId && Date.parse(madeAt) >= keptSinceMs,
  );
  return { version: 1, runs: [entry, ...others].sort(newestFirst).slice(0, maxRuns) };
}

/**
 * The newest run before one, as their windows end; null where there is none. None by hand: those have windows of their own.
 */
export function runBefore(
  manifest: RunManifest | null,
  { runId, window }: Pick<AuditResult, 'runId' | 'window'>,
): RunEntry | null {
  if (window === null) return null;
  const endMs = ({ window: of }: RunEntry): number => (of === null ? Number.NaN : Date.parse(of.end));
  const earlier = (manifest?.runs ?? []).filter(
    (entry) => entry.runId !== runId && !entry.byHand && endMs(entry) < Date.parse(window.end),
  );
  return earlier.toSorted((a, b) => endMs(b) - endMs(a))[0] ?? null;
}
