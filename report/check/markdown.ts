/**
 * The check as one comment of a pull request. Its first line is a mark that no reader sees: who posts it looks for the mark and
 * updates that comment. Text of files formats, links and mentions nothing.
 */
import type { CheckAnswer, CheckFinding } from '../../core/schemas/check-answer.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { zeroWidthSpace } from '../marks.ts';
import {
  checkHeadline,
  checkNotes,
  placeText,
  priceFigure,
  priceTitle,
  targetText,
} from '../wording/check.ts';
import { checkFindingText } from '../wording/check-finding.ts';
import { counted } from '../wording/words.ts';

export const commentMark = '<!-- stripewise-check -->';

/** What GitHub and GitLab make of plain text too: #12, GH-12, !12 and $12 refer to something. */
const references = /[#!$](?=\S)|\bGH(?=-\d)/gi;

/** "6,000 → 3,000": what is left of an arrow of two characters is none. */
const cellOf = (text: string): string =>
  escapeMarkdown(text.replaceAll(' -> ', ' → ')).replaceAll(references, (mark) => `${mark}${zeroWidthSpace}`);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A comment has room for 65,536 characters; nobody reads so many rows. */
const maxFindings = 30;
const maxPriced = 20;

/** What is read first, and in smaller letters what is behind it. */
const cellsOf = (first: string, below: string | null): string =>
  `${cellOf(first)}${below === null ? '' : `<br><sub>${cellOf(below)}</sub>`}`;

/** Alternatives are left to the table: a comment is short. */
function rowOf(finding: CheckFinding): string {
  const { severity, rule } = finding;
  const { problem, evidence, fix, effect, cost } = checkFindingText(finding);
  return row([
    `**${severity}**<br><sub>${rule}</sub>`,
    cellsOf(targetText(finding), placeText(finding, 80)),
    cellsOf(problem, evidence),
    cellsOf(fix, effect),
    cellOf(cost ?? ''),
  ]);
}

function priceRows({ price }: CheckAnswer): string[] {
  const shown = price.resources.slice(0, maxPriced);
  const rest = price.resources.length - shown.length;
  if (shown.length === 0) return [];
  return [
    ...['', `<details><summary>${priceTitle(price)}</summary>`, ''],
    row(['Resource', 'Copies', 'USD a month']),
    row(['---', '---:', '---:']),
    ...shown.map((one) =>
      row([cellOf(targetText(one)), `${one.copies}`, priceFigure(price, one.monthlyUsdDifference)]),
    ),
    ...(rest > 0 ? ['', `and ${counted(rest, 'more resource')}`] : []),
    ...['', '</details>'],
  ];
}

function noteRows(answer: CheckAnswer): string[] {
  return [
    ...['', '<details><summary>What was read, and what was not checked</summary>', ''],
    ...checkNotes(answer).map((note) => `- ${cellOf(note)}`),
    ...['', '</details>'],
  ];
}

/**
 * What was not read may have what is not found.
 * @param minUsd below it, and without findings, nothing else is worth a comment.
 */
function isWorthAComment({ findings, price, coverage }: CheckAnswer, minUsd: number): boolean {
  const usd = Math.abs(price.monthlyUsdDifference);
  return findings.length > 0 || coverage.unreadable.length > 0 || (usd > 0 && usd >= minUsd);
}

/** Not among the notes alone, which are folded. */
function unreadRows({ coverage }: CheckAnswer): string[] {
  const files = new Set(coverage.unreadable.map(({ file }) => file)).size;
  return files === 0
    ? []
    : ['', `**Not read, whole or in part: ${counted(files, 'file')}.** What is in it is not checked.`];
}

/** Lines; none where it is not worth a comment. */
export function checkMarkdown(answer: CheckAnswer, minUsd: number): string[] {
  if (!isWorthAComment(answer, minUsd)) return [];
  const shown = answer.findings.slice(0, maxFindings);
  const rest = answer.findings.length - shown.length;
  const heads = ['Severity', 'Resource', 'Problem', 'Fix', 'Cost'];
  return [
    commentMark,
    `**${cellOf(checkHeadline(answer))}**`,
    ...unreadRows(answer),
    ...(shown.length === 0 ? [] : ['', row(heads), row(heads.map(() => '---')), ...shown.map(rowOf)]),
    ...(rest > 0 ? ['', `and ${counted(rest, 'more finding')}`] : []),
    ...priceRows(answer),
    ...noteRows(answer),
  ];
}
