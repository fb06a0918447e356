/** A digest as a plain-text e-mail. */
import type { Digest } from '../../core/schemas/digest.ts';
import { openReport } from '../address.ts';
import { digestFindingText, digestHeadline, digestLines, leftOut } from '../digest-text.ts';
import { bytesOf, type Mail, mostBytes, subjectOf } from './mail.ts';

const mostFindings = 25;

function textOf(finding: Digest['first'][number]): string {
  const { severity, kind, what, advice, resource } = digestFindingText(finding);
  return [
    resource,
    `  ${severity}: ${kind}: ${what}`,
    ...advice.map((line) => `    -> ${line}`),
    ...(finding.url === null ? [] : [`    ${finding.url}`]),
    '',
  ].join('\n');
}

export function digestMail(digest: Digest): Mail {
  const shown: string[] = [];
  let bytes = 0;
  for (const text of digest.first.slice(0, mostFindings).map(textOf)) {
    bytes += bytesOf(text);
    if (bytes > mostBytes) break;
    shown.push(text);
  }
  const rest = leftOut(digest, shown.length);
  const title = digestHeadline(digest);
  const open = digest.reportUrl === null ? [] : [`${openReport}: ${digest.reportUrl}`];
  const last = [rest, ...open].filter((line) => line !== '');
  return {
    subject: subjectOf(title),
    text: [title, '', ...digestLines(digest), '', ...shown, ...last].join('\n'),
  };
}
