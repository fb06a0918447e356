/** A notification as a Slack message (Block Kit): the headline, five findings in two lines each, and one line for the rest. */
import type { Notification } from '../../core/schemas/notification.ts';
import { addressOrNull } from '../address.ts';
import { cut } from '../marks.ts';
import { headline, type InShort, restText, runNote, shownInShort } from '../wording/message.ts';
import { iconOf } from './icons.ts';
import { escapeMrkdwn, headerBlock, openLink, type SlackMessage, sectionBlock } from './message.ts';

/**
 * Slack takes 3,000 characters in a section (documented), and about 13,200 in a message (observed, undocumented). A text that is
 * escaped grows up to five times.
 */
const most = { text: 300, resource: 400, line: 600 } as const;

/** The resource leads to what the report says of it. */
export function slackLines({ finding, resource, what, next }: InShort): string {
  // With the colon: an emoji would end at one that is outside.
  const name = cut(escapeMrkdwn(`${resource}:`), most.resource);
  const url = addressOrNull(finding.url);
  const linked = url === null ? name : `<${url}|${name}>`;
  return [
    `${iconOf(finding)} *${linked}* ${cut(escapeMrkdwn(what), most.line)}`,
    ...(next === null ? [] : [cut(escapeMrkdwn(next), most.line)]),
  ].join('\n');
}

export function notificationMessage(notification: Notification): SlackMessage {
  const title = headline(notification);
  const shown = shownInShort(notification.notified);
  const left = notification.notified.length - shown.length + notification.notShown;
  const open = openLink(addressOrNull(notification.reportUrl));
  const rest = [escapeMrkdwn(restText(left, notification, open !== '')), open].filter((text) => text !== '');
  const last = [rest.join(': '), runNote(notification)].filter((text) => text !== '').join('. ');
  return {
    text: cut(escapeMrkdwn(title), most.text),
    blocks: [
      headerBlock(title),
      ...[...shown.map(slackLines), last].filter((text) => text !== '').map(sectionBlock),
    ],
    unfurl_links: false,
  };
}
