/**
 * A finding and its recommendations as lines that people read, the same in every channel: five with labels and one for each
 * alternative, or two for a message. No sentence is longer than 25 words.
 */
import { figure } from '../../core/figures.ts';
import type { AnyEvidence } from '../../core/schemas/finding.ts';
import type { FindingKind } from '../../core/schemas/finding-kinds.ts';
import { costWords } from './cost.ts';
import type { KindWords, WordedFinding, WordsOfKinds } from './facts.ts';
import { hostStatisticsText } from './host-statistics.ts';
import { latencyWords } from './latency.ts';
import { costText, effectText, fixInShort, fixText, orText } from './recommendation.ts';
import { stripeAndCardWords } from './stripes-and-cards.ts';
import { throttlingWords } from './throttling.ts';
import { lowered, resourceText, timeText } from './words.ts';

const words: WordsOfKinds<FindingKind> = {
  ...throttlingWords,
  ...costWords,
  ...latencyWords,
  ...stripeAndCardWords,
};
const wordsOf = ({ kind }: WordedFinding): KindWords<FindingKind> => words[kind];

/** "Ongoing since 22 Nov 14:47 UTC."; what is standing or to come says it in the problem. */
function statusText({ status, firstSeen, lastSeen }: WordedFinding): string {
  if (status === 'ongoing')
    return firstSeen === null ? ' Ongoing.' : ` Ongoing since ${timeText(firstSeen)}.`;
  if (status !== 'ended') return '';
  return lastSeen === null ? ' Ended.' : ` Ended ${timeText(lastSeen)}.`;
}

/** Of a stripe how many of its members it is. */
function membersText({ resource, evidence }: WordedFinding): string {
  const { members = [], membersConcerned = members }: AnyEvidence = evidence;
  const [all, some] = [members.length, membersConcerned.length];
  if (resource.type !== 'stripe' || all === 0) return '';
  return ` ${some === all ? `All ${all}` : `${some} of ${all}`} members of the stripe.`;
}

const problemText = (finding: WordedFinding): string =>
  `${wordsOf(finding).problem(finding)}${membersText(finding)}${statusText(finding)}`;

/** Where the host decided, what else it rests on is no reason for it, but for what CloudWatch was as sure of. */
function confidenceText(finding: WordedFinding): string {
  const { hostStatistics }: AnyEvidence = finding.evidence;
  const isOfHost = hostStatistics !== undefined && hostStatistics.confidenceBefore !== finding.confidence;
  const basis = isOfHost ? null : wordsOf(finding).basis(finding);
  return `Confidence ${finding.confidence}${basis === null ? '' : `: ${basis}`}.`;
}

const decidedText = ({ hostStatistics }: AnyEvidence): string =>
  hostStatistics === undefined || hostStatistics.says === 'says-nothing'
    ? ''
    : ` ${hostStatisticsText(hostStatistics)}`;

/** What shows it, and how sure that is. */
function evidenceText(finding: WordedFinding): string {
  const { provisional, evidenceWindow } = finding;
  const { stripeConfidence }: AnyEvidence = finding.evidence;
  const shown = wordsOf(finding).shown(finding);
  const hours = 24 * (evidenceWindow?.days ?? 0);
  const little = provisional ? ` Provisional: ${figure(hours, 0)} h of metrics.` : '';
  const isGuess = finding.resource.type === 'stripe' && stripeConfidence === 'low';
  const stripe = isGuess ? ' Confidence low that they are one stripe.' : '';
  const host = decidedText(finding.evidence);
  return `${shown === null ? '' : `${shown} `}${confidenceText(finding)}${host}${stripe}${little}`;
}

export interface FindingLine {
  label: 'Problem' | 'Evidence' | 'Fix' | 'Effect' | 'Cost' | 'Or';
  text: string;
}

const maxAlternatives = 3;

/** Those that have something to say, in the order in which they are read. */
export function findingLines(finding: WordedFinding): FindingLine[] {
  const [first, ...others] = finding.recommendations;
  const lines: [FindingLine['label'], string | null][] = [
    ['Problem', problemText(finding)],
    ['Evidence', evidenceText(finding)],
    ['Fix', first === undefined ? null : fixText(first)],
    ['Effect', first === undefined ? null : effectText(first)],
    ['Cost', first === undefined ? null : costText(first)],
    ...others.slice(0, maxAlternatives).map((one): ['Or', string] => ['Or', orText(one)]),
  ];
  return lines.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}

/** Below it the text of each line begins. */
export const labelWidth = 'Evidence'.length + 2;

/** "Problem   Throttled at its maximum of 3,000 IOPS." */
export const labelledLine = ({ label, text }: { label: string; text: string }): string =>
  `${label.padEnd(labelWidth)}${text}`;

/** What is wrong in a few words: "burst credits exhausted: limited to its baseline of 100 IOPS, ongoing, 1,440 throttled min". */
export function problemInShort(finding: WordedFinding): string {
  const { kind, status } = finding;
  const [problem = ''] = wordsOf(finding)
    .problem(finding)
    .split(/\.(?: |$)/, 1);
  const { throttledMinutesPeak24h: minutes }: AnyEvidence = finding.evidence;
  const word = kind === 'stalled' ? 'stalled' : 'throttled';
  const parts = [
    lowered(problem),
    ...(status === 'ongoing' || status === 'ended' ? [status] : []),
    ...(minutes === undefined ? [] : [`${figure(minutes, 0)} ${word} min`]),
  ];
  return parts.join(', ');
}

interface TwoLines {
  resource: string;
  problem: string;
  /** Null where nothing is recommended. */
  fix: string | null;
}

/** What it is about and what is wrong, and below it what is recommended: two lines of a message. */
export function inTwoLines(finding: WordedFinding, what: string | null): TwoLines {
  const [first] = finding.recommendations;
  return {
    resource: resourceText(finding.resource, what),
    problem: problemInShort(finding),
    fix: first === undefined ? null : `Fix: ${fixInShort(first)}`,
  };
}
