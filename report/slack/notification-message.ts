/** A notification as a Slack message (Block Kit): the headline, five findings in two lines each, and one line for the rest. */

import type { Alarm } from '../../core/schemas/alarm.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { addressOrNull } from '../address.ts';
import { alarmLines, alarmText, noReason } from '../alarm-text.ts';
import { byUrgency, plainIdOf } from '../change.ts';
import { digestHeadline, digestInShort, digestLines, leftOut } from '../digest-text.ts';
import { cut } from '../marks.ts';
import {
  headline,
  type InShort,
  inShort,
  restHeadline,
  restText,
  runNote,
  shownInShort,
} from '../wording/message.ts';
import { openButton, type SlackPost, withChangeId } from './finding-message.ts';
import {
  escapeMrkdwn,
  headerBlock,
  iconOf,
  openLink,
  packedLines,
  type SlackMessage,
  sectionBlock,
} from './message.ts';

// What is left of a notification when its most urgent findings got messages of their own: a line each, or counted.

const maxLineCharacters = 600;

function line(finding: NotifiedFinding): string {
  const { resource, what } = inShort(finding);
  return cut(`${iconOf(finding)} *${escapeMrkdwn(`${resource}:`)}* ${escapeMrkdwn(what)}`, maxLineCharacters);
}

/**
 * @param shownCount how many of its findings have a message of their own, the most urgent ones.
 * @param hasButtons whether somebody hears them; the link is text where nobody does.
 */
export function slackSummary(
  notification: Notification,
  shownCount: number,
  hasButtons: boolean,
): SlackPost | null {
  const rest = byUrgency(notification.notified).slice(shownCount);
  const count = rest.length + notification.notShown;
  if (count === 0) return null;
  const { blocks, shown } = packedLines(rest.map(line));
  const left = count - shown;
  const title = restHeadline(count);
  const url = addressOrNull(notification.reportUrl);
  const open = openButton(hasButtons ? url : null);
  const parts = [escapeMrkdwn(restText(left, notification, url !== null)), hasButtons ? '' : openLink(url)];
  const last = parts.filter((text) => text !== '').join(': ');
  const message = {
    text: title,
    blocks: [
      headerBlock(title),
      ...blocks,
      ...packedLines(last === '' ? [] : [last]).blocks,
      ...(open.length === 0 ? [] : [{ type: 'actions' as const, elements: open }]),
    ],
    unfurl_links: false as const,
  };
  return withChangeId(message, plainIdOf(`${notification.id}:summary`));
}

/**
 * Slack takes 3,000 characters in a section (documented), and about 13,200 in a message (observed, undocumented). A text that is
 * escaped grows up to five times.
 */
const most = { text: 300, resource: 400, line: 600 } as const;

/** The resource leads to what the report says of it. */
function slackLines({ finding, resource, what, next }: InShort): string {
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
  const last = [rest.join(': '), escapeMrkdwn(runNote(notification))]
    .filter((text) => text !== '')
    .join('. ');
  return {
    text: cut(escapeMrkdwn(title), most.text),
    blocks: [
      headerBlock(title),
      ...[...shown.map(slackLines), last].filter((text) => text !== '').map(sectionBlock),
    ],
    unfurl_links: false,
  };
}

// A digest as a Slack message, for a webhook and for a bot.

const maxTextCharacters = 300;

export function slackDigest(digest: Digest): SlackMessage {
  const title = digestHeadline(digest);
  const shown = digestInShort(digest);
  const rest = [leftOut(digest, shown.length), openLink(addressOrNull(digest.reportUrl))];
  const last = rest.filter((text) => text !== '').join(': ');
  const texts = [...digestLines(digest).map(escapeMrkdwn), ...shown.map(slackLines), last];
  return {
    text: cut(escapeMrkdwn(title), maxTextCharacters),
    blocks: [headerBlock(title), ...texts.filter((text) => text !== '').map(sectionBlock)],
    unfurl_links: false,
  };
}

// A CloudWatch alarm of the service itself as a Slack message.

const alarmMost = { line: 2_000, text: 2_000, section: 2_900 } as const;

export function alarmMessage(alarm: Alarm): SlackMessage {
  const text = alarmText(alarm, alarmMost.line);
  const lines = alarmLines(text).map(escapeMrkdwn).join('\n');
  return {
    text: cut(escapeMrkdwn(text.title), alarmMost.text),
    blocks: [headerBlock(text.title), sectionBlock(cut(lines || noReason, alarmMost.section))],
  };
}
