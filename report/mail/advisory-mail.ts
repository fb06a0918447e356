/** An advisory as a plain-text e-mail: the message that a channel gets, and below it all lines of each finding. */
import { mostInMessage } from '../../core/advisory/advisory.ts';
import type { Advisory, ToldFinding } from '../../core/schemas/advisory.ts';
import { addressOrNull, openReport } from '../address.ts';
import { blockLines, blockTitle, headline, plainLine, runLines, shownInShort } from '../wording/message.ts';
import { bytesOf, type Mail, mailLine, mostBytes, subjectOf } from './mail.ts';

/** What is told goes before links: some room is kept for these. */
const mostBytesWithLinks = 64 * 1_024;

export function textOf(finding: ToldFinding, withLinks: boolean): string {
  const url = withLinks ? addressOrNull(finding.url) : null;
  return [
    `${blockTitle(finding)} (${finding.severity})`,
    ...blockLines(finding).map(mailLine),
    ...(url === null ? [] : [`  ${url}`]),
    '',
  ].join('\n');
}

/** Those that matter most in two lines each, where there are more than a reader takes in. */
function summary({ told }: Advisory): string[] {
  if (told.length <= mostInMessage) return [];
  const lines = shownInShort(told).flatMap((one, i) => [
    `${i + 1}. ${plainLine(one)}`,
    ...(one.next === null ? [] : [`   ${one.next}`]),
  ]);
  return [...lines, ''];
}

export function advisoryMail(advisory: Advisory): Mail {
  const { told, notShown } = advisory;
  const reportUrl = addressOrNull(advisory.reportUrl);
  const shown: string[] = [];
  let bytes = 0;
  for (const finding of told) {
    const text = textOf(finding, false);
    bytes += bytesOf(text);
    if (bytes > mostBytes) break;
    shown.push(text);
  }
  for (const [index, text] of shown.entries()) {
    const linked = textOf(told[index] as ToldFinding, true);
    const more = bytesOf(linked) - bytesOf(text);
    if (bytes + more > mostBytesWithLinks) break;
    bytes += more;
    shown[index] = linked;
  }
  const left = told.length - shown.length + notShown;
  const rest = left > 0 ? [`and ${left} more, less urgent`, ''] : [];
  const open = reportUrl === null ? [] : [`${openReport}: ${reportUrl}`];
  const title = headline(advisory);
  return {
    subject: subjectOf(title),
    text: [title, '', ...summary(advisory), ...shown, ...rest, ...open, ...runLines(advisory)].join('\n'),
  };
}
