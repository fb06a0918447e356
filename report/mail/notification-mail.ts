/** A notification as a plain-text e-mail: the message that a channel gets, and below it all lines of each finding. */
import { mostInMessage } from '../../core/lifecycle/notification.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { addressOrNull, openReport } from '../address.ts';
import { blockLines, blockTitle, headline, plainLine, runLines, shownInShort } from '../wording/message.ts';
import { bytesOf, type Mail, mailLine, mostBytes, subjectOf } from './mail.ts';

/** What is notified goes before links: some room is kept for these. */
const mostBytesWithLinks = 64 * 1_024;

export function textOf(finding: NotifiedFinding, withLinks: boolean): string {
  const url = withLinks ? addressOrNull(finding.url) : null;
  return [
    `${blockTitle(finding)} (${finding.severity})`,
    ...blockLines(finding).map(mailLine),
    ...(url === null ? [] : [`  ${url}`]),
    '',
  ].join('\n');
}

/** Those that matter most in two lines each, where there are more than a reader takes in. */
function summary({ notified }: Notification): string[] {
  if (notified.length <= mostInMessage) return [];
  const lines = shownInShort(notified).flatMap((one, i) => [
    `${i + 1}. ${plainLine(one)}`,
    ...(one.next === null ? [] : [`   ${one.next}`]),
  ]);
  return [...lines, ''];
}

export function notificationMail(notification: Notification): Mail {
  const { notified, notShown } = notification;
  const reportUrl = addressOrNull(notification.reportUrl);
  const shown: string[] = [];
  let bytes = 0;
  for (const finding of notified) {
    const text = textOf(finding, false);
    bytes += bytesOf(text);
    if (bytes > mostBytes) break;
    shown.push(text);
  }
  for (const [index, text] of shown.entries()) {
    const linked = textOf(notified[index] as NotifiedFinding, true);
    const more = bytesOf(linked) - bytesOf(text);
    if (bytes + more > mostBytesWithLinks) break;
    bytes += more;
    shown[index] = linked;
  }
  const left = notified.length - shown.length + notShown;
  const rest = left > 0 ? [`and ${left} more, less urgent`, ''] : [];
  const open = reportUrl === null ? [] : [`${openReport}: ${reportUrl}`];
  const title = headline(notification);
  return {
    subject: subjectOf(title),
    text: [title, '', ...summary(notification), ...shown, ...rest, ...open, ...runLines(notification)].join(
      '\n',
    ),
  };
}
