/**
 * A finding that changed as a Slack message of its own, for a bot: the first one opens the thread of the finding, the others
 * are replies to it. Every one says all of it: who has no thread of it yet opens one with whatever comes.
 */
import type { Button, KnownBlock, MessageMetadata } from '@slack/types';
import { plannedChangeOf } from '../../core/changes/plan.ts';
import { type Change, isResolved } from '../../core/schemas/changes.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { linkOf, openReport } from '../address.ts';
import { byUrgency, changeIdOf, isPlainId, newsTitle } from '../change.ts';
import { cut } from '../marks.ts';
import { sanitize } from '../terminal/text.ts';
import { notReadCount } from '../wording/accounts.ts';
import { blockLines, blockTitle, openText } from '../wording/message.ts';
import { timeText } from '../wording/words.ts';
import {
  buttons,
  contextBlock,
  escapeMrkdwn,
  headerBlock,
  iconOf,
  muteDays,
  openLink,
  type SlackMessage,
  sectionBlock,
} from './message.ts';

/** Of one notification so many findings get a message of their own; the others share one. */
export const maxThreads = 10;

/** Slack takes 3,000 characters in a section, and 75 on a button. Source: its Block Kit reference, read 2026-11-23. */
const most = { section: 2_900, title: 600, text: 300, runId: 100 } as const;

/** Carries the id of the change: who tries again finds in the channel what was posted. */
export interface SlackPost extends SlackMessage {
  metadata: MessageMetadata;
}

export interface ThreadMessage {
  findingId: string;
  changeId: string;
  change: Change;
  message: SlackPost;
  /** Whether it is shown in the channel too where it is a reply. */
  broadcast: boolean;
}

const eventType = 'stripewise_change';

export const withChangeId = (message: SlackMessage, changeId: string): SlackPost => ({
  ...message,
  metadata: { event_type: eventType, event_payload: { change_id: changeId } },
});

/** What does not fit is cut off, with the way to all of it. */
function within(text: string, url: string | null): string {
  if (text.length <= most.section) return text;
  const more = url === null ? '' : `\n<${url}|All of it in the report>`;
  return `${cut(text, most.section - more.length)}${more}`;
}

function whatToDo(notification: Notification, finding: NotifiedFinding): string {
  const title = cut(escapeMrkdwn(blockTitle(finding)), most.title);
  const lines = [
    `${iconOf(finding)} *${title}* (${finding.severity})`,
    ...blockLines(finding).map(({ label, text }) => `*${label}*  ${escapeMrkdwn(text)}`),
  ];
  return within(lines.join('\n'), linkOf(notification, finding));
}

export const button = (
  text: string,
  actionId: string,
  does: { value: string } | { url: string },
): Button => ({
  type: 'button',
  text: { type: 'plain_text', text },
  action_id: actionId,
  ...does,
});

/** Slack sends a press of a button with an address too; its answer is 200 and nothing else. */
export const openButton = (url: string | null): Button[] =>
  url === null ? [] : [button(openReport, buttons.open, { url })];

/** Where nobody hears buttons the link alone, as text: Slack marks a button as failed whose press it cannot send. */
function actionsOf(
  notification: Notification,
  finding: NotifiedFinding,
  hasButtons: boolean,
  hasChanges: boolean,
): KnownBlock[] {
  const { id } = finding;
  const url = linkOf(notification, finding);
  if (!hasButtons) return url === null ? [] : [sectionBlock(openLink(url))];
  const elements = [
    // An id that was cut would be that of another finding.
    ...(isResolved(finding) || !isPlainId(id)
      ? []
      : [
          button(`Mute ${muteDays} days`, buttons.mute, { value: id }),
          button('Acknowledge', buttons.acknowledge, { value: id }),
          ...(hasChanges && plannedChangeOf(finding, '') !== null
            ? [button('Request this change', buttons.requestChange, { value: id })]
            : []),
        ]),
    ...openButton(url),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', elements }];
}

function footer(notification: Notification, finding: NotifiedFinding): string {
  const { madeAt, run } = notification;
  const where = run === null ? 'seen between two audits' : `audit ${sanitize(run.runId, most.runId)}`;
  const notRead = run === null ? null : notReadCount(run);
  const partial = run?.partial === true ? ` (partial${notRead === null ? '' : `: ${notRead}`})` : '';
  const open = linkOf(notification, finding) === null ? openText(notification) : '';
  return escapeMrkdwn(`${timeText(madeAt)}, ${where}${partial}${open === '' ? '' : `. ${open}`}`);
}

function findingMessage(
  notification: Notification,
  finding: NotifiedFinding,
  hasButtons: boolean,
  hasChanges: boolean,
): SlackMessage {
  const title = newsTitle(finding);
  return {
    text: cut(escapeMrkdwn(title), most.text),
    blocks: [
      headerBlock(title),
      sectionBlock(whatToDo(notification, finding)),
      ...actionsOf(notification, finding, hasButtons, hasChanges),
      contextBlock(footer(notification, finding)),
    ],
    unfurl_links: false,
  };
}

/** What people would miss in a thread. What is opened has no thread, unless it was forgotten since. */
const broadcasts: readonly Change[] = ['opened', 'worse', 'reopened'];

/**
 * The most urgent findings, each with a message of its own.
 * @param hasButtons whether somebody hears them.
 * @param hasChanges whether a change of a volume can be requested.
 */
export const slackThreadMessages = (
  notification: Notification,
  hasButtons: boolean,
  hasChanges = false,
): ThreadMessage[] =>
  byUrgency(notification.notified)
    .slice(0, maxThreads)
    .map((finding) => {
      const changeId = changeIdOf(notification, finding);
      return {
        findingId: finding.id,
        changeId,
        change: finding.change,
        message: withChangeId(findingMessage(notification, finding, hasButtons, hasChanges), changeId),
        broadcast: broadcasts.includes(finding.change),
      };
    });
