/** A notification for Amazon Q Developer: a notification for each of the most urgent findings, and one for the others. */

import { resourceArns } from '../../core/diagnosis/draft.ts';
import { isResolved } from '../../core/schemas/changes.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { addressOrNull, linkOf } from '../address.ts';
import { byUrgency, changeIdOf, changeTitle, plainIdOf } from '../change.ts';
import { sanitize } from '../terminal/text.ts';
import {
  blockLines,
  blockTitle,
  headline,
  inShort,
  plainLine,
  restHeadline,
  restText,
  runNote,
  shownInShort,
} from '../wording/message.ts';
import { fixInShort } from '../wording/recommendation.ts';
import { type AmazonQNotification, amazonQNotification, fitting } from './notification.ts';

const mostFindings = 10;
/** The line for the rest and the link stand beside them. */
const mostListCharacters = 3_000;

function findingNotification(notification: Notification, finding: NotifiedFinding): AmazonQNotification {
  const { severity, kind } = finding;
  const { region, account } = finding.resource;
  return amazonQNotification({
    id: changeIdOf(notification, finding),
    threadId: plainIdOf(finding.id),
    eventType: `stripewise finding ${finding.change}`,
    title: changeTitle(finding),
    lines: [
      `${blockTitle(finding)} (${severity})`,
      ...blockLines(finding).map(({ label, text }) => `${label}: ${text}`),
    ],
    link: linkOf(notification, finding),
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
  const shown = fitting(lines, mostListCharacters);
  return summary(notification, restHeadline(count), shown, count - shown.length);
}

export function amazonQNotifications(notification: Notification): AmazonQNotification[] {
  if (notification.isFirst) return [firstSummary(notification)];
  const notified = byUrgency(notification.notified);
  const most = notification.isContinued ? 0 : mostFindings;
  const rest = notified.slice(most);
  return [
    ...notified.slice(0, most).map((finding) => findingNotification(notification, finding)),
    ...(rest.length + notification.notShown === 0 ? [] : [restSummary(notification, rest)]),
  ];
}
