/** Findings as a table of Markdown, for an issue or a pull request: text of the account formats, links and mentions nothing. */
import { accountsNotWhole } from '../../core/audit/accounts.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { SecondOpinion } from '../../core/schemas/second-opinion.ts';
import { type ComparedSource, comparedSources, notAgreed } from '../../core/second-opinion/totals.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { zeroWidthSpace } from '../marks.ts';
import { accountOfResource, notReadLine } from '../wording/accounts.ts';
import { auditHeadline, leftText } from '../wording/audit-totals.ts';
import { problemInShort } from '../wording/finding-lines.ts';
import { firstFixOf } from '../wording/finding-row.ts';
import {
  opinionHeadline,
  opinionLabelTexts,
  opinionNotes,
  opinionReasonText,
  recommendedText,
  sourceNames,
  usdColumnNote,
} from '../wording/second-opinion.ts';
import { counted, resourceText, shortText } from '../wording/words.ts';
import { type WhatItIs, whatItIsOf } from './findings.ts';
import { opinionUsdCell } from './second-opinion.ts';

/**
 * What GitHub and GitLab make of plain text too: #12, GH-12, !12 and $12 refer to something (`fixes #12` closes it), between
 * dollars stands mathematics.
 */
const references = /[#!$](?=\S)|\bGH(?=-\d)/gi;

const cellOf = (text: string): string =>
  escapeMarkdown(text).replaceAll(references, (mark) => `${mark}${zeroWidthSpace}`);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const maxNotRead = 10;

const heads = ['Severity', 'Resource', 'Problem', 'Fix'];

function rowOf(finding: Finding, whatItIs: WhatItIs, isOfSeveral: boolean): string {
  const { accountName: _, ...resource } = finding.resource;
  return row([
    finding.severity,
    cellOf(resourceText(resource, whatItIs(finding))),
    cellOf(problemInShort(finding)),
    cellOf(firstFixOf(finding) ?? ''),
    ...(isOfSeveral ? [cellOf(accountOfResource(finding.resource) ?? '')] : []),
  ]);
}

const opinionHeads = ['Label', 'Volume', 'It recommends', 'Reason', 'USD a month'];

const opinionRow = (opinion: SecondOpinion): string =>
  row([
    opinionLabelTexts[opinion.label],
    cellOf(
      [opinion.volumeId, ...(opinion.name ? [`"${shortText(opinion.name, 60)}"`] : []), opinion.region]
        .map((text) => shortText(text, 80))
        .join(' '),
    ),
    cellOf(recommendedText(opinion)),
    cellOf(opinionReasonText(opinion)),
    opinionUsdCell(opinion),
  ]);

/** Below the findings; its headline is above them. */
function comparedMarkdown(compared: ComparedSource, top: number): string[] {
  const all = notAgreed(compared.rows);
  const shown = all.slice(0, top);
  const left = all.length - shown.length;
  return [
    ...(shown.length === 0
      ? []
      : [
          ...['', `Compared with ${sourceNames[compared.source]}`, ''],
          ...[row(opinionHeads), row(opinionHeads.map(() => '---')), ...shown.map(opinionRow)],
          ...(left === 0 ? [] : ['', `... and ${counted(left, 'more volume')}`]),
          ...['', usdColumnNote],
        ]),
    ...opinionNotes(compared).flatMap((note) => ['', cellOf(note)]),
  ];
}

/** @param findings in their order. @param top how many have a row. */
export function findingsMarkdown(result: AuditResult, findings: readonly Finding[], top: number): string[] {
  const whatItIs = whatItIsOf(result);
  const shown = findings.slice(0, top);
  const left = findings.length - shown.length;
  const isOfSeveral = result.accountCoverage !== undefined;
  const allHeads = isOfSeveral ? [...heads, 'Account'] : heads;
  const notRead = accountsNotWhole(result).flatMap((account) => notReadLine(account) ?? []);
  const moreNotRead = notRead.length - maxNotRead;
  const compared = comparedSources(result);
  return [
    `**${auditHeadline(result)}**`,
    ...compared.flatMap((one) => ['', `**${opinionHeadline(one)}**`]),
    ...notRead.slice(0, maxNotRead).flatMap((line) => ['', cellOf(line)]),
    ...(moreNotRead > 0 ? ['', `and ${counted(moreNotRead, 'more account')} not read in whole`] : []),
    ...(shown.length === 0
      ? []
      : [
          '',
          row(allHeads),
          row(allHeads.map(() => '---')),
          ...shown.map((finding) => rowOf(finding, whatItIs, isOfSeveral)),
        ]),
    ...(left === 0 ? [] : ['', leftText(left)]),
    ...compared.flatMap((one) => comparedMarkdown(one, top)),
  ];
}
