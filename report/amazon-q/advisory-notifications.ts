/** An advisory for Amazon Q Developer: a notification for each of the most urgent findings, and one for the others. */

import { resourceArns } from '../../core/diagnosis/finding-id.ts';
import type { Advisory, ToldFinding } from '../../core/schemas/advisory.ts';
import { isOver } from '../../core/schemas/changes.ts';
import { addressOrNull, linkOf } from '../address.ts';
import { byUrgency, changeIdOf, changeTitle, plainIdOf } from '../change.ts';
import { inert } from '../terminal/text.ts';
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

function findingNotification(advisory: Advisory, finding: ToldFinding): AmazonQNotification {
  const { severity, kind } = finding;
  const { region, account } = finding.resource;
  return amazonQNotification({
    id: changeIdOf(advisory, finding),
    threadId: plainIdOf(finding.id),
    eventType: `stripewise finding ${finding.change}`,
    title: changeTitle(finding),
    lines: [
      `${blockTitle(finding)} (${severity})`,
      ...blockLines(finding).map(({ label, text }) => `${label}: ${text}`),
    ],
    link: linkOf(advisory, finding),
    nextSteps: isOver(finding) ? [] : finding.recommendations.map(fixInShort),
    keywords: [severity, kind, inert(region), inert(account ?? '')],
    relatedResources: resourceArns(finding.resource),
    context: { findingId: plainIdOf(finding.id), change: finding.change, severity },
  });
}

function summary(
  advisory: Advisory,
  title: string,
  lines: readonly string[],
  left: number,
): AmazonQNotification {
  const id = plainIdOf(`${advisory.id}:summary`);
  const last = [restText(left, advisory, addressOrNull(advisory.reportUrl) !== null), runNote(advisory)];
  return amazonQNotification({
    ...{ id, threadId: id, eventType: 'stripewise findings', title },
    lines: [...lines, ...last.filter((text) => text !== '')],
    link: advisory.reportUrl,
  });
}

/** Of the first audit the headline and the most urgent. */
function firstSummary(advisory: Advisory): AmazonQNotification {
  const shown = shownInShort(advisory.told);
  const lines = shown.flatMap((one) => [`• ${plainLine(one)}`, ...(one.next === null ? [] : [one.next])]);
  const left = advisory.told.length - shown.length + advisory.notShown;
  return summary(advisory, headline(advisory), lines, left);
}

function restSummary(advisory: Advisory, rest: readonly ToldFinding[]): AmazonQNotification {
  const count = rest.length + advisory.notShown;
  const lines = rest.map((finding) => `• ${plainLine(inShort(finding))}`);
  const shown = fitting(lines, mostListCharacters);
  return summary(advisory, restHeadline(count), shown, count - shown.length);
}

export function amazonQNotifications(advisory: Advisory): AmazonQNotification[] {
  if (advisory.isFirst) return [firstSummary(advisory)];
  const told = byUrgency(advisory.told);
  const most = advisory.isContinued ? 0 : mostFindings;
  const rest = told.slice(most);
  return [
    ...told.slice(0, most).map((finding) => findingNotification(advisory, finding)),
    ...(rest.length + advisory.notShown === 0 ? [] : [restSummary(advisory, rest)]),
  ];
}
