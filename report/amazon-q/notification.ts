/**
 * The custom notification of Amazon Q Developer in chat applications, with its limits. Source: AWS, "Custom notifications using
 * Amazon Q Developer in chat applications", read 2026-11-23. It writes to Slack and to Teams and nobody says to which: no text
 * here is formatted, and links are bare addresses.
 */

import { resourceArns } from '../../core/diagnosis/draft.ts';
import type { Alarm } from '../../core/schemas/alarm.ts';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import { isResolved } from '../../core/schemas/changes.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { addressOrNull, linkOf } from '../address.ts';
import { alarmText, noReason } from '../alarm-text.ts';
import { byUrgency, changeIdOf, newsTitle, plainIdOf } from '../change.ts';
import { digestHeadline, digestInShort, digestLines, leftOut } from '../digest-text.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { cut } from '../marks.ts';
import { sanitize } from '../terminal/text.ts';
import { changeLines, changeTitle } from '../wording/changes.ts';
import {
  blockLines,
  blockTitle,
  headline,
  inShort,
  openText,
  plainLine,
  restHeadline,
  restText,
  runNote,
  shownInShort,
} from '../wording/message.ts';
import { fixInShort } from '../wording/recommendation.ts';

const most = { title: 250, description: 8_000, nextStep: 350, keyword: 75, summary: 250 } as const;
/** No limit of theirs: nobody reads on. */
const maxNextSteps = 5;

export interface AmazonQNotification {
  version: '1.0';
  source: 'custom';
  id: string;
  content: {
    textType: 'client-markdown';
    title: string;
    description: string;
    nextSteps?: string[];
    keywords?: string[];
  };
  metadata: {
    /** Notifications with the same one are a thread. */
    threadId: string;
    summary: string;
    eventType: string;
    relatedResources?: string[];
    additionalContext: Record<string, string>;
  };
}

interface Said {
  id: string;
  threadId: string;
  eventType: string;
  title: string;
  /** Texts of an account in them are sanitized, and not escaped yet. */
  lines: readonly string[];
  link: string | null;
  nextSteps?: readonly string[];
  keywords?: readonly string[];
  relatedResources?: readonly string[];
  context?: Readonly<Record<string, string>>;
}

const plain = (text: string, maxCharacters: number): string => cut(escapeMarkdown(text), maxCharacters);

/** The first lines that have room in so many characters. */
function fitting(lines: readonly string[], maxCharacters: number): string[] {
  let characters = 0;
  const over = lines.findIndex((line) => {
    characters += escapeMarkdown(line).length + 1;
    return characters > maxCharacters;
  });
  return lines.slice(0, over < 0 ? lines.length : over);
}

/** The lines, cut where they are too long, and the link in any case. */
function description(lines: readonly string[], link: string | null): string {
  const address = addressOrNull(link);
  const last = address === null ? '' : `\n${address}`;
  return `${cut(lines.map(escapeMarkdown).join('\n'), most.description - last.length)}${last}`;
}

function amazonQNotification(said: Said): AmazonQNotification {
  const { id, threadId, eventType, title, lines, link } = said;
  const { nextSteps = [], keywords = [], relatedResources = [], context = {} } = said;
  const saying = (texts: readonly string[], maxCharacters: number): string[] =>
    texts.filter((text) => text !== '').map((text) => plain(text, maxCharacters));
  const steps = saying(nextSteps, most.nextStep).slice(0, maxNextSteps);
  const words = saying(keywords, most.keyword);
  return {
    version: '1.0',
    source: 'custom',
    id,
    content: {
      textType: 'client-markdown',
      title: plain(title, most.title),
      description: description(lines, link),
      ...(steps.length === 0 ? {} : { nextSteps: steps }),
      ...(words.length === 0 ? {} : { keywords: words }),
    },
    metadata: {
      ...{ threadId, summary: plain(title, most.summary), eventType },
      ...(relatedResources.length === 0 ? {} : { relatedResources: [...relatedResources] }),
      additionalContext: { ...context },
    },
  };
}

// A notification for Amazon Q Developer: a notification for each of the most urgent findings, and one for the others.

const maxFindings = 10;
/** The line for the rest and the link stand beside them. */
const maxListCharacters = 3_000;

function findingNotification(notification: Notification, finding: NotifiedFinding): AmazonQNotification {
  const { severity, kind } = finding;
  const { region, account } = finding.resource;
  const link = linkOf(notification, finding);
  const open = link === null ? openText(notification) : '';
  return amazonQNotification({
    id: changeIdOf(notification, finding),
    threadId: plainIdOf(finding.id),
    eventType: `stripewise finding ${finding.change}`,
    title: newsTitle(finding),
    lines: [
      `${blockTitle(finding)} (${severity})`,
      ...blockLines(finding).map(({ label, text }) => `${label}: ${text}`),
      ...(open === '' ? [] : [open]),
    ],
    link,
    nextSteps: isResolved(finding) ? [] : finding.recommendations.map(fixInShort),
    keywords: [severity, kind, sanitize(region), sanitize(account ?? '')],
    relatedResources: resourceArns(finding.resource),
    context: { findingId: plainIdOf(finding.id), change: finding.change, severity },
  });
}

function summary(
  notification: Notification,
  title: string,
  lines: readonly string[],
  left: number,
): AmazonQNotification {
  const id = plainIdOf(`${notification.id}:summary`);
  const last = [
    restText(left, notification, addressOrNull(notification.reportUrl) !== null),
    runNote(notification),
  ];
  return amazonQNotification({
    ...{ id, threadId: id, eventType: 'stripewise findings', title },
    lines: [...lines, ...last.filter((text) => text !== '')],
    link: notification.reportUrl,
  });
}

/** Of the first audit the headline and the most urgent. */
function firstSummary(notification: Notification): AmazonQNotification {
  const shown = shownInShort(notification.notified);
  const lines = shown.flatMap((one) => [`• ${plainLine(one)}`, ...(one.next === null ? [] : [one.next])]);
  const left = notification.notified.length - shown.length + notification.notShown;
  return summary(notification, headline(notification), lines, left);
}

function restSummary(notification: Notification, rest: readonly NotifiedFinding[]): AmazonQNotification {
  const count = rest.length + notification.notShown;
  const lines = rest.map((finding) => `• ${plainLine(inShort(finding))}`);
  const shown = fitting(lines, maxListCharacters);
  return summary(notification, restHeadline(count), shown, count - shown.length);
}

export function amazonQNotifications(notification: Notification): AmazonQNotification[] {
  if (notification.isFirst) return [firstSummary(notification)];
  const notified = byUrgency(notification.notified);
  const most = notification.isContinued ? 0 : maxFindings;
  const rest = notified.slice(most);
  return [
    ...notified.slice(0, most).map((finding) => findingNotification(notification, finding)),
    ...(rest.length + notification.notShown === 0 ? [] : [restSummary(notification, rest)]),
  ];
}

// A digest for Amazon Q Developer.

export function amazonQDigest(digest: Digest): AmazonQNotification {
  const shown = digestInShort(digest);
  const lines = shown.flatMap((one) => [`• ${plainLine(one)}`, ...(one.next === null ? [] : [one.next])]);
  const rest = leftOut(digest, shown.length);
  const id = plainIdOf(digest.id);
  return amazonQNotification({
    ...{ id, threadId: id, eventType: 'stripewise digest' },
    title: digestHeadline(digest),
    lines: [...digestLines(digest), ...lines, ...(rest === '' ? [] : [rest])],
    link: digest.reportUrl,
  });
}

// A step of a change of a volume, in the thread of its finding.

export function amazonQChange(message: ChangeMessage): AmazonQNotification {
  const { id, step, change } = message;
  const { findingId, region, account, volumeId } = change.plan;
  return amazonQNotification({
    id: plainIdOf(id),
    threadId: plainIdOf(findingId),
    eventType: `stripewise change ${step}`,
    title: changeTitle(change, message),
    lines: changeLines(change, message).map(({ label, text }) => `${label}: ${text}`),
    link: null,
    keywords: [sanitize(region), sanitize(account)],
    relatedResources: resourceArns({ type: 'volume', id: volumeId, region, account }),
    context: { findingId: plainIdOf(findingId), changeId: plainIdOf(change.id), step },
  });
}

// A CloudWatch alarm of the service itself for Amazon Q Developer.

const maxLineCharacters = 2_000;

/** @param messageId of the topic: an alarm has no id of its own. */
export function amazonQAlarm(alarm: Alarm, messageId: string): AmazonQNotification {
  const { title, meaning, why, region } = alarmText(alarm, maxLineCharacters);
  return amazonQNotification({
    ...{ id: plainIdOf(messageId), threadId: plainIdOf(alarm.AlarmName), eventType: 'stripewise alarm' },
    title,
    lines: [why || noReason, meaning, region].filter((line) => line !== ''),
    link: null,
  });
}
