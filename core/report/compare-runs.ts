/**
 * Two runs compared: which findings are new, worse, better, resolved or ongoing, and what the fleet costs and could save. A
 * finding has the same id in every run. What one run alone has is new or resolved only where the other evaluated its resource.
 */

import { regionsOfRun } from '../audit/accounts.ts';
import { volumeText } from '../lifecycle/observations.ts';
import { withRememberedEvidence } from '../lifecycle/remembered-evidence.ts';
import { roundUsd } from '../prices/prices.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { type Finding, severityRank } from '../schemas/finding.ts';
import {
  type ComparisonNote,
  comparisonNotes,
  type FindingChange,
  findingChanges,
} from '../schemas/finding-changes.ts';
import type { ComparedFinding, ComparedRun, RunComparison } from '../schemas/run-comparison.ts';
import { epochSecondsOf, secondsPerHour } from '../units.ts';
import { evaluatedIn, excludedIn } from './evaluated-in.ts';
import { runFigures } from './run-manifest.ts';
import { bestSavingOf, peakMinutesOf } from './top-recommendations.ts';

/** At the same severity: so many times the minutes, and so many more. */
const [changedTimes, changedMinutes] = [2, 5];

/** Windows of the same schedule differ by minutes. */
const sameLengthWithinSeconds = secondsPerHour;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** @param without how many are not among the amounts: where there is none beside them the sum is not known. */
const sumUsd = (amounts: readonly number[], without: number): number | null =>
  amounts.length === 0 && without > 0 ? null : roundUsd(sum(amounts));

function comparedRun(result: AuditResult): ComparedRun {
  const { findingsWithoutPrice, partial, volumes, unknown, findings } = runFigures(result);
  const { possibleSavingsMonthlyUsd, throttledMinutesPeak24h } = result.summary;
  const prices = result.volumes.flatMap(({ monthlyUsd }) => (monthlyUsd === null ? [] : [monthlyUsd]));
  const volumesWithoutPrice = result.volumes.length - prices.length;
  return {
    ...{ runId: result.runId, window: result.window, partial },
    ...{ accounts: result.accounts ?? null, regions: regionsOfRun(result).sort() },
    ...{ volumes, unknownVolumes: unknown, findings, throttledMinutesPeak24h },
    ...{ savingsMonthlyUsd: possibleSavingsMonthlyUsd, findingsWithoutPrice },
    costMonthlyUsd: sumUsd(prices, volumesWithoutPrice),
    volumesWithoutPrice,
  };
}

const sideOf = (finding: Finding): NonNullable<ComparedFinding['before']> => ({
  severity: finding.severity,
  throttledMinutesPeak24h: peakMinutesOf(finding),
  savingMonthlyUsd: bestSavingOf(finding),
});

const isMuchMore = (more: number | null, less: number | null): boolean =>
  more !== null && less !== null && more >= changedTimes * less && more - less >= changedMinutes;

function changeOf(before: Finding, after: Finding): FindingChange {
  const urgency = severityRank(after.severity) - severityRank(before.severity);
  if (urgency !== 0) return urgency < 0 ? 'worse' : 'better';
  const [was, is] = [peakMinutesOf(before), peakMinutesOf(after)];
  if (isMuchMore(is, was)) return 'worse';
  return isMuchMore(was, is) ? 'better' : 'ongoing';
}

/** The findings of a run, each with what its lines are made from. */
function lineFacts({
  volumes,
}: AuditResult): (finding: Finding) => Pick<ComparedFinding, 'finding' | 'volumeText'> {
  const statuses = new Map(volumes.map((status) => [status.volumeId, status]));
  return (finding) => {
    const status = statuses.get(finding.resource.id);
    return {
      finding: withRememberedEvidence(finding),
      volumeText: status === undefined ? null : volumeText(status),
    };
  };
}

type Evaluated = ReturnType<typeof evaluatedIn>;

function comparedFindings(before: AuditResult, after: AuditResult, evaluated: Evaluated): ComparedFinding[] {
  const were = new Map(before.findings.map((finding) => [finding.id, finding]));
  const are = new Set(after.findings.map(({ id }) => id));
  const [factsBefore, factsAfter] = [lineFacts(before), lineFacts(after)];
  const present = after.findings.map((finding): ComparedFinding => {
    const was = were.get(finding.id);
    const facts = { ...factsAfter(finding), after: sideOf(finding) };
    if (was !== undefined) return { change: changeOf(was, finding), ...facts, before: sideOf(was) };
    return {
      change: evaluated.before.isEvaluated(finding) ? 'new' : 'not-evaluated',
      ...facts,
      before: null,
    };
  });
  const gone = before.findings
    .filter(({ id }) => !are.has(id))
    .map(
      (finding): ComparedFinding => ({
        change: evaluated.after.isEvaluated(finding) ? 'resolved' : 'not-evaluated',
        ...{ ...factsBefore(finding), before: sideOf(finding), after: null },
      }),
    );
  const order = (change: FindingChange): number => findingChanges.indexOf(change);
  // Within a change the order of the runs: the most urgent first.
  return [...present, ...gone].toSorted((a, b) => order(a.change) - order(b.change));
}

const lengthSeconds = ({ window }: AuditResult): number =>
  window === null ? 0 : epochSecondsOf(window.end) - epochSecondsOf(window.start);

const thresholdsIn = ({ thresholds = {} }: AuditResult): string =>
  JSON.stringify(Object.entries(thresholds).sort(([a], [b]) => a.localeCompare(b, 'en')));

const isOtherList = (one: readonly string[], other: readonly string[]): boolean =>
  one.join(' ') !== other.join(' ');

function notesOf(before: AuditResult, after: AuditResult): ComparisonNote[] {
  const holds: Record<ComparisonNote, boolean> = {
    'same-run': before.runId === after.runId,
    'first-is-later':
      before.window !== null &&
      after.window !== null &&
      epochSecondsOf(before.window.end) > epochSecondsOf(after.window.end),
    'other-accounts':
      before.accounts !== undefined &&
      after.accounts !== undefined &&
      isOtherList(before.accounts, after.accounts),
    'other-regions': isOtherList(regionsOfRun(before).sort(), regionsOfRun(after).sort()),
    'other-window-length': Math.abs(lengthSeconds(before) - lengthSeconds(after)) > sameLengthWithinSeconds,
    'other-thresholds': thresholdsIn(before) !== thresholdsIn(after),
    'more-excluded': excludedIn(after) > excludedIn(before),
  };
  return comparisonNotes.filter((note) => holds[note]);
}

/** Volumes of one that the other does not have. */
const besides = (one: AuditResult, other: AuditResult): number => {
  const ids = new Set(other.volumes.map(({ volumeId }) => volumeId));
  return one.volumes.filter(({ volumeId }) => !ids.has(volumeId)).length;
};

/**
 * Volume by volume: a price that one of the runs does not have is no change of the cost, and neither is a volume that it may
 * not have read.
 */
function costChangeOf(
  before: AuditResult,
  after: AuditResult,
  evaluated: Evaluated,
): RunComparison['costChange'] {
  const statuses = ({ volumes }: AuditResult) => new Map(volumes.map((status) => [status.volumeId, status]));
  const [was, is] = [statuses(before), statuses(after)];
  const changes: number[] = [];
  let volumesLeftOut = 0;
  for (const volumeId of new Set([...was.keys(), ...is.keys()])) {
    const [from, to] = [was.get(volumeId), is.get(volumeId)];
    const { region = '', account = null } = from ?? to ?? {};
    const isWhole = (run: Evaluated['before']): boolean => run.isWhole({ region, account });
    const isKnown = (from ?? isWhole(evaluated.before)) && (to ?? isWhole(evaluated.after));
    if (!isKnown || from?.monthlyUsd === null || to?.monthlyUsd === null) volumesLeftOut++;
    else changes.push((to?.monthlyUsd ?? 0) - (from?.monthlyUsd ?? 0));
  }
  return { monthlyUsd: sumUsd(changes, volumesLeftOut), volumesLeftOut };
}

type Side = NonNullable<ComparedFinding['before']>;

/** Whether a run alone counts something of a finding that the other did not evaluate: then the change of the sum is not known. */
const isLost = (findings: readonly ComparedFinding[], of: keyof Omit<Side, 'severity'>): boolean =>
  findings.some(
    ({ change, before, after }) => change === 'not-evaluated' && (after ?? before)?.[of] !== null,
  );

function sumChanges(
  { savingsMonthlyUsd: saved, throttledMinutesPeak24h: throttled, ...before }: ComparedRun,
  after: ComparedRun,
  findings: readonly ComparedFinding[],
): Pick<RunComparison, 'savingsChangeMonthlyUsd' | 'throttledMinutesChange'> {
  const withoutPrice = before.findingsWithoutPrice + after.findingsWithoutPrice;
  const isMoneyLost = withoutPrice > 0 || isLost(findings, 'savingMonthlyUsd');
  return {
    savingsChangeMonthlyUsd: isMoneyLost ? null : roundUsd(after.savingsMonthlyUsd - saved),
    throttledMinutesChange: isLost(findings, 'throttledMinutesPeak24h')
      ? null
      : after.throttledMinutesPeak24h - throttled,
  };
}

/** @param before the earlier run; what it calls a finding is the same in the later one. */
export function compareRuns(before: AuditResult, after: AuditResult): RunComparison {
  const evaluated = evaluatedIn(before, after);
  const findings = comparedFindings(before, after, evaluated);
  const [was, is] = [comparedRun(before), comparedRun(after)];
  const count = (change: FindingChange): number => findings.filter((one) => one.change === change).length;
  return {
    ...{ before: was, after: is },
    counts: {
      ...{ new: count('new'), worse: count('worse'), better: count('better') },
      ...{ resolved: count('resolved'), ongoing: count('ongoing') },
      'not-evaluated': count('not-evaluated'),
    },
    costChange: costChangeOf(before, after, evaluated),
    ...sumChanges(was, is, findings),
    volumesAdded: besides(after, before),
    volumesRemoved: besides(before, after),
    findings,
    notes: notesOf(before, after),
  };
}

/** What a page has of them: the first recommendation alone, without its steps. What is ongoing is counted, and not listed. */
export const changesOf = (comparison: RunComparison): RunComparison => ({
  ...comparison,
  findings: comparison.findings
    .filter(({ change }) => change !== 'ongoing')
    .map(({ finding, ...beside }) => {
      const recommendations = finding.recommendations.slice(0, 1).map((one) => ({ ...one, steps: [] }));
      return { ...beside, finding: { ...finding, recommendations } };
    }),
});
