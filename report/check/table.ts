/** The check for a terminal: the headline, a block of each finding, what the volumes cost, what was not checked. */
import { styleText } from 'node:util';
import { figure } from '../../core/figures.ts';
import type { CheckAnswer, CheckFinding } from '../../core/schemas/check-answer.ts';
import { hanging, widthOf } from '../terminal/text.ts';
import {
  checkHeadline,
  checkNotes,
  placeText,
  priceFigure,
  priceTitle,
  ruleTexts,
  targetText,
} from '../wording/check.ts';
import { checkFindingLines } from '../wording/check-finding.ts';
import { labelledLine, labelWidth } from '../wording/finding-lines.ts';
import { counted } from '../wording/words.ts';

/** A title after a colon; "AWS" and "IOPS" keep their capitals. */
const withinSentence = (title: string): string =>
  /^[A-Z][a-z ]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;
const indent = 2;

function block(finding: CheckFinding, columns: number, color: boolean): string[] {
  const { severity, rule } = finding;
  const title = `${severity} ${targetText(finding)}: ${withinSentence(ruleTexts[rule].title)} (${rule})`;
  const [head = '', ...more] = hanging(title, columns, indent);
  const painted = color
    ? head.replace(severity, () => styleText(colors[severity], severity, { validateStream: false }))
    : head;
  const lines = [...checkFindingLines(finding), { label: 'At', text: placeText(finding, 160) }];
  return [
    painted,
    ...more,
    ...lines.flatMap((line) =>
      hanging(`${' '.repeat(indent)}${labelledLine(line)}`, columns, indent + labelWidth),
    ),
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
  const usd = shown.map((one) => priceFigure(price, one.monthlyUsdDifference));
  const width = Math.max(...usd.map(({ length }) => length));
  return [
    `${priceTitle(price)}:`,
    ...shown.map((one, i) => {
      const copies = one.copies === 1 ? '' : ` (${figure(one.copies)} copies)`;
      return `  ${(usd[i] ?? '').padStart(width)}  ${targetText(one)}${copies}`;
    }),
    ...(rest > 0 ? [`  and ${counted(rest, 'more resource')}`] : []),
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
    ...hanging(checkHeadline(answer), columns, indent),
    '',
    ...answer.findings.slice(0, maxFindings).flatMap((finding) => block(finding, columns, color)),
    ...(rest > 0 ? [`and ${counted(rest, 'more finding')}: --format json has all`, ''] : []),
    ...priceLines(answer),
    ...checkNotes(answer).flatMap((note) => hanging(note, columns, 2)),
  ];
}
