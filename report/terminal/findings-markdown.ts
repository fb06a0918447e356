/** Findings as a table of Markdown, for an issue or a pull request: text of the account formats, links and mentions nothing. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { zeroWidthSpace } from '../marks.ts';
import { auditHeadline, leftText } from '../wording/audit-totals.ts';
import { problemInShort } from '../wording/finding-lines.ts';
import { firstFixOf } from '../wording/finding-row.ts';
import { resourceText } from '../wording/words.ts';
import { type WhatItIs, whatItIsOf } from './findings.ts';

/**
 * What GitHub and GitLab make of plain text too: #12, GH-12, !12 and $12 refer to something (`fixes #12` closes it), between
 * dollars stands mathematics.
 */
const references = /[#!$](?=\S)|\bGH(?=-\d)/gi;

const cellOf = (text: string): string =>
  escapeMarkdown(text).replaceAll(references, (mark) => `${mark}${zeroWidthSpace}`);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const heads = ['Severity', 'Resource', 'Problem', 'Fix'];

const rowOf = (finding: Finding, whatItIs: WhatItIs): string =>
  row([
    finding.severity,
    cellOf(resourceText(finding.resource, whatItIs(finding))),
    cellOf(problemInShort(finding)),
    cellOf(firstFixOf(finding) ?? ''),
  ]);

/** @param findings in their order. @param top how many have a row. */
export function findingsMarkdown(result: AuditResult, findings: readonly Finding[], top: number): string[] {
  const whatItIs = whatItIsOf(result);
  const shown = findings.slice(0, top);
  const left = findings.length - shown.length;
  return [
    `**${auditHeadline(result)}**`,
    ...(shown.length === 0
      ? []
      : ['', row(heads), row(heads.map(() => '---')), ...shown.map((finding) => rowOf(finding, whatItIs))]),
    ...(left === 0 ? [] : ['', leftText(left)]),
  ];
}
