/** What is left of a notification when its most urgent findings got messages of their own: a line each, or counted. */
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { addressOrNull } from '../address.ts';
import { byUrgency, plainIdOf } from '../change.ts';
import { cut } from '../marks.ts';
import { inShort, restHeadline, restText } from '../wording/message.ts';
import { openButton, type SlackPost, withChangeId } from './finding-message.ts';
import { iconOf } from './icons.ts';
import { escapeMrkdwn, headerBlock } from './message.ts';
import { packedLines } from './packed-lines.ts';

const mostLineCharacters = 600;

function line(finding: NotifiedFinding): string {
  const { resource, what } = inShort(finding);
  return cut(
    `${iconOf(finding)} *${escapeMrkdwn(`${resource}:`)}* ${escapeMrkdwn(what)}`,
    mostLineCharacters,
  );
}

/** @param shownCount how many of its findings have a message of their own, the most urgent ones. */
export function slackSummary(notification: Notification, shownCount: number): SlackPost | null {
  const rest = byUrgency(notification.notified).slice(shownCount);
  const count = rest.length + notification.notShown;
  if (count === 0) return null;
  const { blocks, shown } = packedLines(rest.map(line));
  const left = count - shown;
  const title = restHeadline(count);
  const open = openButton(addressOrNull(notification.reportUrl));
  const rests = [restText(left, notification, open.length > 0)]
    .filter((text) => text !== '')
    .map(escapeMrkdwn);
  const message = {
    text: title,
    blocks: [
      headerBlock(title),
      ...blocks,
      ...packedLines(rests).blocks,
      ...(open.length === 0 ? [] : [{ type: 'actions' as const, elements: open }]),
    ],
    unfurl_links: false as const,
  };
  return withChangeId(message, plainIdOf(`${notification.id}:summary`));
}
