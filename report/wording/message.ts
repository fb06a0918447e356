/**
 * A message to a channel: the headline with counts and money, the findings that matter most in two lines each, one line for the
 * rest. At most 12 lines and 2,500 characters, however many findings there are.
 */

import { figure, usdText } from '../../core/figures.ts';
import { maxInMessage } from '../../core/lifecycle/notification.ts';
import { topRecommendations } from '../../core/report/top-recommendations.ts';
import { type Change, isResolved, isResolvedOrBetter } from '../../core/schemas/changes.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { openReport } from '../address.ts';
import { byUrgency } from '../change.ts';
import { notReadInShort } from './accounts.ts';
import { monitoringBoundedText } from './audit-notices.ts';
import { validationText } from './benchmark.ts';
import type { WordedFinding } from './facts.ts';
import { type FindingLine, findingLines, inTwoLines } from './finding-lines.ts';
import { mayCostLessText } from './may-cost-less.ts';
import { severityText } from './severities.ts';
import { capitalized, counted, metricPriceNote, resourceText, shortText, timeText } from './words.ts';

const countsOf = (notified: readonly NotifiedFinding[]): Record<Severity, number> => ({
  critical: notified.filter(({ severity }) => severity === 'critical').length,
  warning: notified.filter(({ severity }) => severity === 'warning').length,
  info: notified.filter(({ severity }) => severity === 'info').length,
});

const leastWholeUsd = 100;

/** Null where there is nothing to save. */
export function savingText(usd: number): string | null {
  if (usd < 0.005) return null;
  const amount = usd >= leastWholeUsd ? `${figure(usd, 0)} USD` : usdText(usd);
  return `Up to ${amount} a month to save.`;
}

/** The first of these leads the headline; the others follow it. */
const inOrder: readonly Change[] = ['opened', 'worse', 'reopened', 'validated', 'better', 'resolved'];

/** What happened, to so many findings. */
const leads: Readonly<Record<Change, (findings: string) => string>> = {
  opened: (findings) => findings.replace(' ', ' new '),
  worse: (findings) => `${findings} worse`,
  reopened: (findings) => `${findings} back`,
  validated: (findings) => `${findings} benchmarked`,
  better: (findings) => `${findings} better`,
  resolved: (findings) => `${findings} resolved`,
};

const also: Readonly<Record<Change, string>> = {
  ...{ opened: 'new', worse: 'worse', reopened: 'back' },
  ...{ validated: 'benchmarked', better: 'better', resolved: 'resolved' },
};

/** "3 new findings (1 critical, 2 warnings). Also 1 worse, 2 resolved." */
function newsText({ notified, notShown }: Notification): string {
  const groups = inOrder
    .map((change) => ({ change, findings: notified.filter((finding) => finding.change === change) }))
    .filter(({ findings }) => findings.length > 0);
  const [lead, ...others] = groups;
  if (lead === undefined) return `${counted(notShown, 'finding')}.`;
  const { change, findings } = lead;
  const urgency = isResolvedOrBetter({ change }) ? '' : ` (${severityText(countsOf(findings))})`;
  const [only] = notified;
  const where =
    notified.length + notShown === 1 && only !== undefined ? ` on ${shortText(only.resource.id, 60)}` : '';
  const rest = [
    ...others.map((one) => `${figure(one.findings.length, 0)} ${also[one.change]}`),
    ...(notShown === 0 ? [] : [`${figure(notShown, 0)} more`]),
  ];
  return `${leads[change](counted(findings.length, 'finding'))}${urgency}${where}.${rest.length === 0 ? '' : ` Also ${rest.join(', ')}.`}`;
}

interface Totals {
  findingsBySeverity: Readonly<Record<Severity, number>>;
  /** Findings that are not among those. */
  more?: number;
  savingUsd: number;
  /** What was looked at; null where that is not known. */
  fleet: { volumes: number; regions: number; accounts?: number | undefined } | null;
}

function fleetText({ volumes, regions, accounts }: NonNullable<Totals['fleet']>): string {
  const among = accounts === undefined ? '' : `, ${counted(accounts, 'account')}`;
  return `${counted(volumes, 'volume')}, ${counted(regions, 'Region')}${among}.`;
}

/** "24 critical, 49 warnings. Up to 7,287 USD a month to save. 126 volumes, 2 Regions." */
export function totalsText({ findingsBySeverity, more = 0, savingUsd, fleet }: Totals): string {
  const counts = [severityText(findingsBySeverity), more === 0 ? '' : `${figure(more, 0)} more`];
  const said = counts.filter((text) => text !== '').join(', ');
  const parts = [said === '' ? null : `${said}.`, savingText(savingUsd), fleet && fleetText(fleet)];
  return parts.filter((part) => part !== null).join(' ');
}

/** Of what is there now; the same money once. */
const savedBy = (notified: readonly NotifiedFinding[]): number =>
  topRecommendations(notified.filter((finding) => !isResolved(finding))).savingMonthlyUsd;

/** Of the first audit how much there is; later what is new, worse or resolved. */
export function headline(notification: Notification): string {
  const { notified, notShown, isFirst, run } = notification;
  if (isFirst) {
    // As in the report and the terminal: also what is not urgent enough for a message.
    const savingUsd = run?.possibleSavingsMonthlyUsd ?? savedBy(notified);
    const totals = { findingsBySeverity: countsOf(notified), more: notShown, savingUsd, fleet: run };
    return `stripewise: ${totalsText(totals)}`;
  }
  const saving = savingText(savedBy(notified));
  return `stripewise: ${newsText(notification)}${saving === null ? '' : ` ${saving}`}`;
}

/** Of those that have no message of their own. */
export const restHeadline = (count: number): string =>
  `stripewise: ${counted(count, 'finding')} more, less urgent.`;

const changeWords: Readonly<Record<Change, string>> = { ...also, opened: '' };

/** A finding in a message. */
export interface InShort {
  finding: NotifiedFinding;
  resource: string;
  /** What is wrong, or what became of it. */
  what: string;
  /** What is recommended, or what a benchmark showed. */
  next: string | null;
}

const most = { what: 200, next: 200 } as const;

export function inShort(finding: NotifiedFinding): InShort {
  const { change, volumeText, validation } = finding;
  // Nothing is to be done about what is over, and its minutes are gone.
  const over: WordedFinding = { ...finding, status: 'standing', evidence: {}, recommendations: [] };
  const { resource, problem, fix } = inTwoLines(isResolved(finding) ? over : finding, volumeText);
  const word = changeWords[change];
  const next =
    change === 'validated' && validation !== null ? `Benchmark: ${validationText(validation)}` : fix;
  return {
    ...{ finding, resource },
    what: shortText(`${word === '' ? '' : `${word}: `}${problem}.`, most.what),
    next: next && shortText(next, most.next),
  };
}

/** "critical: vol-1 "db" gp3 100 GiB us-east-1: throttled at its maximum of 3,000 IOPS, ongoing, 12 throttled min." */
export const plainLine = ({ finding, resource, what }: InShort): string =>
  `${finding.severity}: ${resource}: ${what}`;

/** The most urgent of each resource; further ones of the same where there is room. */
function mostImportant(notified: readonly NotifiedFinding[]): NotifiedFinding[] {
  const seen = new Set<string>();
  const [firsts, others]: [NotifiedFinding[], NotifiedFinding[]] = [[], []];
  for (const finding of byUrgency(notified)) {
    const key = `${finding.resource.region} ${finding.resource.id}`;
    (seen.has(key) ? others : firsts).push(finding);
    seen.add(key);
  }
  return [...firsts, ...others];
}

const maxCharacters = 2_000;

/** The first that have room in a message; the headline and the line for the rest have theirs. */
export function shownInShort(
  notified: readonly NotifiedFinding[],
  maxFindings: number = maxInMessage,
): InShort[] {
  const shown: InShort[] = [];
  let characters = 0;
  for (const finding of mostImportant(notified).slice(0, maxFindings)) {
    const one = inShort(finding);
    characters += plainLine(one).length + (one.next?.length ?? 0);
    if (shown.length > 0 && characters > maxCharacters) break;
    shown.push(one);
  }
  return shown;
}

/** Of a run that a shell takes as one word: a message is pasted. */
const plainRunId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** The command that opens the report where no link does; null between two audits. */
const openCommand = ({ run }: Pick<Notification, 'run'>): string | null =>
  run !== null && plainRunId.test(run.runId) ? `stripewise report open --run ${run.runId}` : null;

/** "Open report: stripewise report open --run RUN"; empty where there is no such command. */
export function openText(notification: Pick<Notification, 'run'>): string {
  const command = openCommand(notification);
  return command === null ? '' : `${openReport}: ${command}`;
}

/** "and 68 more"; where no link opens the report, how to open it. */
export function restText(left: number, notification: Pick<Notification, 'run'>, hasLink: boolean): string {
  const more = left === 0 ? null : `and ${figure(left, 0)} more`;
  const how = hasLink ? null : openCommand(notification);
  return [more, how].filter((text) => text !== null).join(': ');
}

/** What a reader must know of the run; empty where it read everything. */
export function runNote({ run, madeAt }: Pick<Notification, 'run' | 'madeAt'>): string {
  if (run === null) return `Seen between two audits, ${timeText(madeAt)}.`;
  const { partial, partialBesides = false, mayCostLess = [], monitoringBounded: bounded } = run;
  const notRead = notReadInShort(run);
  const notes = [
    ...(notRead === null ? [] : [notRead]),
    ...(partial && (notRead === null || partialBesides)
      ? ['This audit is partial: not all metrics could be read.']
      : []),
    ...(mayCostLess.length === 0 ? [] : [mayCostLessText(mayCostLess)]),
    ...(bounded === undefined
      ? []
      : [
          `${monitoringBoundedText(bounded)} About ${figure(bounded.enoughUsd, 0)} USD would be enough${metricPriceNote(null)}.`,
        ]),
  ];
  return notes.join(' ');
}

export interface BlockLine {
  label: FindingLine['label'] | 'Benchmark';
  text: string;
}

/** The lines of a finding that changed: of what is over nothing is to be done. */
export function blockLines(finding: NotifiedFinding): BlockLine[] {
  const { change, validation } = finding;
  const over = isResolved(finding);
  const lines: BlockLine[] = findingLines(
    over ? { ...finding, status: 'standing', recommendations: [] } : finding,
  );
  const word = changeWords[change];
  const changed = lines.map((line) =>
    line.label === 'Problem' && word !== '' ? { ...line, text: `${capitalized(word)}. ${line.text}` } : line,
  );
  return [
    ...changed,
    ...(validation === null
      ? []
      : [{ label: 'Benchmark' as const, text: shortText(validationText(validation), 500) }]),
  ];
}

/** The resource with its account: what a block of lines is about. */
export function blockTitle({ resource, volumeText }: NotifiedFinding): string {
  const { account, accountName } = resource;
  // With its name it stands in the text of the resource.
  const number = account === null || accountName !== undefined ? '' : ` ${shortText(account, 30)}`;
  return `${resourceText(resource, volumeText)}${number}`;
}

/** What the run was, below all that a mail has room for: its window, what it covered, what it cost, where it is. */
export function runLines(notification: Pick<Notification, 'run' | 'madeAt'>): string[] {
  const { run } = notification;
  if (run === null) return [runNote(notification)];
  const { window, volumes, unknownVolumes, openFindings, cost, location } = run;
  const when = window === null ? 'No metrics' : `${timeText(window.start)} to ${timeText(window.end)}`;
  const note = runNote(notification);
  return [
    `${when}: ${counted(volumes, 'volume')}, ${counted(openFindings, 'finding')} in all, ${figure(unknownVolumes, 0)} unknown.`,
    ...(note === '' ? [] : [note]),
    `API cost ${usdText(cost.usd)}${metricPriceNote(null)}. Full results: ${shortText(location, 300)}`,
  ];
}
