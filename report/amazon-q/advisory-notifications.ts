/** An advisory for Amazon Q Developer: a notification for each of the most urgent findings, and one for the others. */

import { resourceArns } from '../../core/diagnosis/finding-id.ts';
import type { Advisory, ToldFinding } from '../../core/schemas/advisory.ts';
import { linkOf } from '../address.ts';
import { findingText, resourceTextOf, restTitle, runLines } from '../advisory-text.ts';
import { byUrgency, changeIdOf, changeTitle, plainIdOf } from '../change.ts';
import { inert } from '../terminal/text.ts';
import { type AmazonQNotification, fitting, notification } from './notification.ts';

const mostFindings = 10;
/** The figures of the run and the link stand beside them. */
const mostListCharacters = 3_000;

function findingNotification(advisory: Advisory, finding: ToldFinding): AmazonQNotification {
  const { severity, kind, what, advice, proof } = findingText(finding);
  const { region, account } = finding.resource;
  return notification({
    id: changeIdOf(advisory, finding),
    threadId: plainIdOf(finding.id),
    eventType: `stripewise finding ${finding.change}`,
    title: changeTitle(finding),
    lines: [resourceTextOf(finding), `${severity}: ${what}`, ...(proof === null ? [] : [proof])],
    link: linkOf(advisory, finding),
    nextSteps: advice,
    keywords: [severity, kind, inert(region), inert(account ?? '')],
    relatedResources: resourceArns(finding.resource),
    context: { findingId: plainIdOf(finding.id), change: finding.change, severity },
  });
}

function summary(advisory: Advisory, rest: readonly ToldFinding[]): AmazonQNotification {
  const count = rest.length + advisory.notShown;
  const lines = rest.map(
    (finding) => `• ${finding.severity}, ${finding.change}: ${finding.kind} on ${resourceTextOf(finding)}`,
  );
  const shown = fitting(lines, mostListCharacters);
  const left = count - shown.length;
  const id = plainIdOf(`${advisory.id}:summary`);
  return notification({
    ...{ id, threadId: id, eventType: 'stripewise findings' },
    title: restTitle(count),
    lines: [...shown, ...(left === 0 ? [] : [`… and ${left} more: see the run.`]), ...runLines(advisory)],
    link: advisory.reportUrl,
  });
}

export function amazonQNotifications(advisory: Advisory): AmazonQNotification[] {
  const told = byUrgency(advisory.told);
  const most = advisory.isContinued ? 0 : mostFindings;
  const rest = told.slice(most);
  return [
    ...told.slice(0, most).map((finding) => findingNotification(advisory, finding)),
    ...(rest.length + advisory.notShown === 0 ? [] : [summary(advisory, rest)]),
  ];
}
