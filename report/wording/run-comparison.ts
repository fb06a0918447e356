/**
 * Two runs compared, in words: the same in a terminal and in the page of the later run. Each finding that changed reads as in
 * every channel.
 */
import { figure, usdText } from '../../core/figures.ts';
import {
  type ComparisonNote,
  type FindingChange,
  findingChanges,
} from '../../core/schemas/finding-changes.ts';
import { severities } from '../../core/schemas/finding-kinds.ts';
import type { ComparedFinding, ComparedRun, RunComparison } from '../../core/schemas/run-comparison.ts';
import { inTwoLines, problemInShort } from './finding-lines.ts';
import { counted, shortText } from './words.ts';

export const changeTexts: Record<FindingChange, string> = {
  ...{ new: 'new', worse: 'worse', better: 'better', resolved: 'resolved', ongoing: 'ongoing' },
  'not-evaluated': 'not evaluated',
};

const maxNamed = 3;

/** "us-east-1, us-west-2 and 4 more". */
function namesText(names: readonly string[]): string {
  const named = names.slice(0, maxNamed).map((name) => shortText(name, 30));
  const rest = names.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}` || 'none';
}

const noteTexts: Record<ComparisonNote, (comparison: RunComparison) => string> = {
  'same-run': () => 'Both are the same run.',
  'first-is-later': () => 'The first run ends later than the second: give the earlier one first.',
  'other-accounts': ({ before, after }) =>
    `Accounts differ: before ${namesText(before.accounts ?? [])}; after ${namesText(after.accounts ?? [])}.`,
  'other-regions': ({ before, after }) =>
    `Regions differ: before ${namesText(before.regions)}; after ${namesText(after.regions)}.`,
  'other-window-length': () => 'The windows differ in length: a longer one may have a worse peak.',
  'other-thresholds': () =>
    'The runs used different thresholds: a finding may be new or resolved for that alone.',
  'more-excluded': () =>
    'The later run excludes more volumes: what it does not have may be excluded, and is not resolved.',
};

const whole = (value: number): string => figure(value, 0);
const signed = (value: number, text: (value: number) => string): string =>
  value > 0 ? `+${text(value)}` : text(value);

/** Findings by what became of them; those that could not be compared stand there where there are any. */
export const changeCounts = ({ counts }: RunComparison): { change: FindingChange; count: number }[] =>
  findingChanges
    .map((change) => ({ change, count: counts[change] ?? 0 }))
    .filter(({ change, count }) => change !== 'not-evaluated' || count > 0);

export const comparisonHeadline = (comparison: RunComparison): string =>
  `${changeCounts(comparison)
    .map(({ change, count }) => `${whole(count)} ${changeTexts[change]}`)
    .join(', ')}.`;

/** With its year: two runs may be far apart. */
const minuteText = (iso: string): string => shortText(iso.slice(0, 16).replace('T', ' '), 20);

/** "run-1, 2026-11-06 00:00 to 2026-11-20 00:00 UTC". */
export function comparedRunText({ runId, window }: ComparedRun): string {
  const when =
    window === null ? 'no metrics' : `${minuteText(window.start)} to ${minuteText(window.end)} UTC`;
  return `${shortText(runId, 80)}, ${when}`;
}

interface ComparedFigure {
  what: string;
  before: string;
  after: string;
  change: string;
}

const countFigure = (what: string, was: number, is: number): ComparedFigure => ({
  ...{ what, before: whole(was), after: whole(is), change: signed(is - was, whole) },
});

const notKnown = 'unknown';
const usdOrUnknown = (usd: number | null): string => (usd === null ? notKnown : usdText(usd));

/** @param without what has no price, in each run. */
const usdFigure = (
  what: string,
  [was, is]: readonly [number | null, number | null],
  [withoutBefore, withoutAfter]: readonly [string | null, string | null],
  change: string,
): ComparedFigure => {
  const notified = (usd: number | null, without: string | null): string =>
    without === null ? usdOrUnknown(usd) : `${usdOrUnknown(usd)}, ${without} without a price`;
  return { what, before: notified(was, withoutBefore), after: notified(is, withoutAfter), change };
};

const orNone = (count: number, one: string): string | null => (count === 0 ? null : counted(count, one));

/** What both runs count, and the money of both. */
export function comparedFigures(comparison: RunComparison): ComparedFigure[] {
  const { before, after, costChange, savingsChangeMonthlyUsd, throttledMinutesChange } = comparison;
  const { monthlyUsd, volumesLeftOut } = costChange;
  const leftOut = volumesLeftOut === 0 ? '' : `, ${counted(volumesLeftOut, 'volume')} left out`;
  return [
    ...severities.map((severity) =>
      countFigure(severity, before.findings[severity] ?? 0, after.findings[severity] ?? 0),
    ),
    {
      what: 'throttled volume-minutes, peak 24 h',
      before: whole(before.throttledMinutesPeak24h),
      after: whole(after.throttledMinutesPeak24h),
      change: throttledMinutesChange === null ? notKnown : signed(throttledMinutesChange, whole),
    },
    countFigure('volumes', before.volumes, after.volumes),
    countFigure('volumes unknown', before.unknownVolumes, after.unknownVolumes),
    usdFigure(
      'volumes cost a month',
      [before.costMonthlyUsd, after.costMonthlyUsd],
      [orNone(before.volumesWithoutPrice, 'volume'), orNone(after.volumesWithoutPrice, 'volume')],
      `${monthlyUsd === null ? notKnown : signed(monthlyUsd, usdText)}${leftOut}`,
    ),
    usdFigure(
      'possible savings a month',
      [before.savingsMonthlyUsd, after.savingsMonthlyUsd],
      [orNone(before.findingsWithoutPrice, 'finding'), orNone(after.findingsWithoutPrice, 'finding')],
      savingsChangeMonthlyUsd === null ? notKnown : signed(savingsChangeMonthlyUsd, usdText),
    ),
  ];
}

const noChange = [whole(0), usdText(0)];

/** One line, once where it is the same: 8.00 USD -> 10.50 USD (+2.50 USD). */
export const figureText = ({ before, after, change }: ComparedFigure): string =>
  before === after && noChange.includes(change) ? after : `${before} -> ${after} (${change})`;

type Side = NonNullable<ComparedFinding['before']>;

/** As it was and as it is, once where that is the same. @param none where a run has no figure of it. */
function bothSides<T>(
  { before, after }: ComparedFinding,
  of: (side: Side) => T | null,
  [text, none]: readonly [(value: T) => string, string],
): string {
  const texts = [before, after].flatMap((side) => {
    if (side === null) return [];
    const value = of(side);
    return value === null ? [none] : [text(value)];
  });
  return [...new Set(texts)].join(' -> ');
}

export const severityText = (finding: ComparedFinding): string =>
  bothSides(finding, ({ severity }) => severity, [String, '']);

/** Of the peak 24 h. @param none where no minutes are counted. */
export const throttledText = (finding: ComparedFinding, none: string): string =>
  bothSides(finding, ({ throttledMinutesPeak24h }) => throttledMinutesPeak24h, [whole, none]);

/** Of its best option. @param none where none saves, or no price is known. */
export const savingText = (finding: ComparedFinding, none: string): string =>
  bothSides(finding, ({ savingMonthlyUsd }) => savingMonthlyUsd, [usdText, none]);

/** Of what the later run does not have nothing goes on, and nothing is to be done. */
const asItIs = ({ finding, after }: ComparedFinding): ComparedFinding['finding'] =>
  after === null ? { ...finding, status: 'standing', recommendations: [] } : finding;

/** What is wrong, or was: "throttled at its maximum of 3,000 IOPS, ongoing, 90 throttled min." */
export const comparedProblem = (one: ComparedFinding): string => `${problemInShort(asItIs(one))}.`;

/** "Peak 24 h: 12 -> 90 min. Best saving: none known -> -3.00 USD a month."; null where neither changed. */
function changedFigures(one: ComparedFinding): string | null {
  const [minutes, saving] = [throttledText(one, 'not counted'), savingText(one, 'none known')];
  const sentences = [
    ...(minutes.includes(' -> ') ? [`Peak 24 h: ${minutes} min.`] : []),
    ...(saving.includes(' -> ') ? [`Best saving: ${saving} a month.`] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** A finding that changed in at most three lines: what is wrong, which figures changed, what is recommended. */
export function comparedLines(one: ComparedFinding): string[] {
  const { resource, fix } = inTwoLines(asItIs(one), one.volumeText);
  const first = `${severityText(one)}: ${resource}: ${comparedProblem(one)}`;
  return [first, changedFigures(one), fix].filter((line) => line !== null);
}

/** Findings that one run alone has, and of which the other says nothing. */
function notEvaluatedLines({ findings }: RunComparison): string[] {
  const not = findings.filter(({ change }) => change === 'not-evaluated');
  const ofEarlier = not.filter(({ after }) => after === null).length;
  const ofLater = not.length - ofEarlier;
  return [
    ...(ofEarlier === 0
      ? []
      : [
          `The later run did not evaluate ${counted(ofEarlier, 'finding')} of the earlier one: resolved or not is unknown.`,
        ]),
    ...(ofLater === 0
      ? []
      : [
          `The earlier run did not evaluate ${counted(ofLater, 'finding')} of the later one: new or not is unknown.`,
        ]),
  ];
}

/** Null where both runs read everything. */
export function partialText({ before, after }: Pick<RunComparison, 'before' | 'after'>): string | null {
  if (before.partial && after.partial) return 'Both runs are partial: not all metrics could be read.';
  if (!before.partial && !after.partial) return null;
  return `The ${before.partial ? 'earlier' : 'later'} run is partial: not all metrics could be read.`;
}

/** What a reader should know before the figures are believed. */
export function noteLines(comparison: RunComparison): string[] {
  const { notes, volumesAdded, volumesRemoved } = comparison;
  const partial = partialText(comparison);
  return [
    ...notes.map((note) => noteTexts[note](comparison)),
    ...(volumesAdded + volumesRemoved === 0
      ? []
      : [
          `${counted(volumesAdded, 'volume')} in the later run alone, ${whole(volumesRemoved)} in the earlier one alone.`,
        ]),
    ...notEvaluatedLines(comparison),
    ...(partial === null ? [] : [partial]),
  ];
}
