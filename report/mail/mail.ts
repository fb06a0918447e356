/** What a plain-text e-mail by SNS is made of. */

import { maxInMessage } from '../../core/lifecycle/notification.ts';
import type { Alarm } from '../../core/schemas/alarm.ts';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { addressOrNull, openReport } from '../address.ts';
import { alarmLines, alarmText } from '../alarm-text.ts';
import { asReported, digestHeadline, digestLines, leftOut } from '../digest-text.ts';
import { changeLines, changeTitle } from '../wording/changes.ts';
import { labelledLine } from '../wording/finding-lines.ts';
import {
  type BlockLine,
  blockLines,
  blockTitle,
  headline,
  openText,
  plainLine,
  runLines,
  shownInShort,
} from '../wording/message.ts';

export interface Mail {
  subject: string;
  text: string;
}

/** SNS takes 100 characters of ASCII as a subject. */
const maxSubjectCharacters = 99;
/** SNS carries 256 KiB with the JSON form in it. */
const maxBytes = 60 * 1_024;

/** The first sentences that have room; of a first one that has none, whole words. */
function subjectOf(title: string): string {
  const sentences = title.replaceAll(/[^\x20-\x7e]/g, '?').split(/(?<=\.) /);
  let subject = sentences.shift() ?? '';
  for (const sentence of sentences) {
    if (subject.length + 1 + sentence.length > maxSubjectCharacters) break;
    subject = `${subject} ${sentence}`;
  }
  if (subject.length <= maxSubjectCharacters) return subject;
  const head = subject.slice(0, maxSubjectCharacters - '...'.length);
  const end = head.lastIndexOf(' ');
  return `${end < head.length / 2 ? head : head.slice(0, end)}...`;
}

/** As JSON, as it is carried. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text), 'utf8');

/** Below what it is about. */
const mailLine = (line: BlockLine): string => `  ${labelledLine(line)}`;

// A CloudWatch alarm of the service itself as a plain-text e-mail.

const maxLineCharacters = 4_000;

export function alarmMail(alarm: Alarm): Mail {
  const text = alarmText(alarm, maxLineCharacters);
  return { subject: subjectOf(text.title), text: [text.title, '', ...alarmLines(text)].join('\n') };
}

// A step of a change of a volume as a plain-text e-mail.

export function changeMail(message: ChangeMessage): Mail {
  const title = `stripewise: ${changeTitle(message.change, message)}`;
  const lines = changeLines(message.change, message).map(({ label, text }) => `${label}: ${text}`);
  return { subject: subjectOf(title), text: [title, '', ...lines].join('\n') };
}

// A digest as a plain-text e-mail.

const maxFindings = 25;

export function digestMail(digest: Digest): Mail {
  const shown: string[] = [];
  let bytes = 0;
  for (const finding of digest.first.slice(0, maxFindings)) {
    const text = textOf(asReported(finding), true);
    bytes += bytesOf(text);
    if (bytes > maxBytes) break;
    shown.push(text);
  }
  const rest = leftOut(digest, shown.length);
  const title = digestHeadline(digest);
  const url = addressOrNull(digest.reportUrl);
  const open = url === null ? [] : [`${openReport}: ${url}`];
  const last = [rest, ...open].filter((line) => line !== '');
  return {
    subject: subjectOf(title),
    text: [title, '', ...digestLines(digest), '', ...shown, ...last].join('\n'),
  };
}

// A notification as a plain-text e-mail: the message that a channel gets, and below it all lines of each finding.

/** What is notified goes before links: some room is kept for these. */
const maxBytesWithLinks = 64 * 1_024;

function textOf(finding: NotifiedFinding, withLinks: boolean): string {
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
  if (notified.length <= maxInMessage) return [];
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
    if (bytes > maxBytes) break;
    shown.push(text);
  }
  for (const [index, text] of shown.entries()) {
    const linked = textOf(notified[index] as NotifiedFinding, true);
    const more = bytesOf(linked) - bytesOf(text);
    if (bytes + more > maxBytesWithLinks) break;
    bytes += more;
    shown[index] = linked;
  }
  const left = notified.length - shown.length + notShown;
  const rest = left > 0 ? [`and ${left} more, less urgent`, ''] : [];
  const open = reportUrl === null ? openText(notification) : `${openReport}: ${reportUrl}`;
  const title = headline(notification);
  return {
    subject: subjectOf(title),
    text: [
      title,
      '',
      ...summary(notification),
      ...shown,
      ...rest,
      ...(open === '' ? [] : [open]),
      ...runLines(notification),
    ].join('\n'),
  };
}
