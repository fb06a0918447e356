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
  checkProblem,
  firstWayOut,
  placeText,
  priceTitle,
  targetText,
} from '../wording/check.ts';
import { counted, usdDeltaText } from '../wording/words.ts';

export const commentMark = '<!-- stripewise-check -->';

/** What GitHub and GitLab make of plain text too: #12, GH-12, !12 and $12 refer to something. */
const references = /[#!$](?=\S)|\bGH(?=-\d)/gi;

const cellOf = (text: string): string =>
  escapeMarkdown(text).replaceAll(references, (mark) => `${mark}${zeroWidthSpace}`);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A comment has room for 65,536 characters; nobody reads so many rows. */
const maxFindings = 30;
const maxPriced = 20;

function rowOf(finding: CheckFinding): string {
  const { severity, rule } = finding;
  return row([
    `**${severity}**`,
    `${cellOf(targetText(finding))}<br><sub>${cellOf(placeText(finding, 80))}</sub>`,
    `${cellOf(checkProblem(finding))}<br><sub>${rule}</sub>`,
    cellOf(firstWayOut(finding)),
  ]);
}

function priceRows({ price }: CheckAnswer): string[] {
  const shown = price.resources.slice(0, maxPriced);
  const rest = price.resources.length - shown.length;
  if (shown.length === 0) return [];
  return [
    ...['', `<details><summary>${priceTitle(price)}</summary>`, ''],
    row(['Volume', 'Copies', 'USD a month']),
    row(['---', '---:', '---:']),
    ...shown.map((one) =>
      row([cellOf(targetText(one)), `${one.copies}`, cellOf(usdDeltaText(one.monthlyUsdDifference))]),
    ),
    ...(rest > 0 ? ['', `and ${counted(rest, 'more volume')}`] : []),
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

/** @param minUsd below it, and without findings, nothing is worth a comment. */
function isWorthAComment({ findings, price }: CheckAnswer, minUsd: number): boolean {
  const usd = Math.abs(price.monthlyUsdDifference);
  return findings.length > 0 || (usd > 0 && usd >= minUsd);
}

/** Lines; none where it is not worth a comment. */
export function checkMarkdown(answer: CheckAnswer, minUsd: number): string[] {
  if (!isWorthAComment(answer, minUsd)) return [];
  const shown = answer.findings.slice(0, maxFindings);
  const rest = answer.findings.length - shown.length;
  const heads = ['Severity', 'Resource', 'Problem', 'Fix'];
  return [
    commentMark,
    `**${cellOf(checkHeadline(answer))}**`,
    ...(shown.length === 0 ? [] : ['', row(heads), row(heads.map(() => '---')), ...shown.map(rowOf)]),
    ...(rest > 0 ? ['', `and ${counted(rest, 'more finding')}`] : []),
    ...priceRows(answer),
    ...noteRows(answer),
  ];
}
