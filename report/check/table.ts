/** The check for a terminal: the headline, a block of each finding, what the volumes cost, what was not checked. */
import { styleText } from 'node:util';
import { figure } from '../../core/figures.ts';
import type { CheckAnswer, CheckFinding } from '../../core/schemas/check-answer.ts';
import { hanging, widthOf } from '../terminal/text.ts';
import {
  checkHeadline,
  checkNotes,
  checkProblem,
  firstWayOut,
  placeText,
  priceTitle,
  ruleTexts,
  targetText,
  wayOutText,
} from '../wording/check.ts';
import { counted, usdDeltaText } from '../wording/words.ts';

/** A title after a colon; "AWS" and "IOPS" keep their capitals. */
const withinSentence = (title: string): string =>
  /^[A-Z][a-z ]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;
const labelWidth = 10;

function block(finding: CheckFinding, columns: number, color: boolean): string[] {
  const { severity, rule, wayOut } = finding;
  const head = `${severity} ${targetText(finding)}: ${withinSentence(ruleTexts[rule].title)} (${rule})`;
  const painted = color
    ? head.replace(severity, () => styleText(colors[severity], severity, { validateStream: false }))
    : head;
  const labelled = (label: string, text: string): string[] =>
    hanging(`  ${label.padEnd(labelWidth - 2)}${text}`, columns, labelWidth);
  return [
    painted,
    ...labelled('Problem', checkProblem(finding)),
    ...labelled('Fix', firstWayOut(finding)),
    ...wayOut.slice(1).flatMap((way) => labelled('Or', wayOutText(way))),
    ...labelled('At', placeText(finding, 160)),
    '',
  ];
}

/** The most urgent are first; nobody reads more. */
const maxFindings = 30;
const maxPriced = 10;

function priceLines({ price }: CheckAnswer): string[] {
  const shown = price.resources.slice(0, maxPriced);
  const rest = price.resources.length - shown.length;
  if (shown.length === 0) return [];
  return [
    `${priceTitle(price)}:`,
    ...shown.map((one) => {
      const copies = one.copies === 1 ? '' : ` (${figure(one.copies)} copies)`;
      return `  ${usdDeltaText(one.monthlyUsdDifference)}  ${targetText(one)}${copies}`;
    }),
    ...(rest > 0 ? [`  and ${counted(rest, 'more volume')}`] : []),
    '',
  ];
}

/** @param terminalColumns null: it is no terminal. */
export function checkText(
  answer: CheckAnswer,
  { columns: terminalColumns, color }: { columns: number | null; color: boolean },
): string[] {
  const columns = widthOf(terminalColumns);
  const rest = answer.findings.length - maxFindings;
  return [
    checkHeadline(answer),
    '',
    ...answer.findings.slice(0, maxFindings).flatMap((finding) => block(finding, columns, color)),
    ...(rest > 0 ? [`and ${counted(rest, 'more finding')}: --format json has all`, ''] : []),
    ...priceLines(answer),
    ...checkNotes(answer).flatMap((note) => hanging(note, columns, 2)),
  ];
}
