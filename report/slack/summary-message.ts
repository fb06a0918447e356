/** What is left of an advisory when its most urgent findings got messages of their own: a line each, or counted. */
import type { Advisory, ToldFinding } from '../../core/schemas/advisory.ts';
import { addressOrNull } from '../address.ts';
import { byUrgency, plainIdOf } from '../change.ts';
import { cut } from '../marks.ts';
import { inShort, restHeadline, restText } from '../wording/message.ts';
import { openButton, type SlackPost, withChangeId } from './finding-message.ts';
import { iconOf } from './icons.ts';
import { escapeMrkdwn, headerBlock } from './message.ts';
import { packedLines } from './packed-lines.ts';

const mostLineCharacters = 600;

function line(finding: ToldFinding): string {
  const { resource, what } = inShort(finding);
  return cut(
    `${iconOf(finding)} *${escapeMrkdwn(`${resource}:`)}* ${escapeMrkdwn(what)}`,
    mostLineCharacters,
  );
}

/** @param shownCount how many of its findings have a message of their own, the most urgent ones. */
export function slackSummary(advisory: Advisory, shownCount: number): SlackPost | null {
  const rest = byUrgency(advisory.told).slice(shownCount);
  const count = rest.length + advisory.notShown;
  if (count === 0) return null;
  const { blocks, shown } = packedLines(rest.map(line));
  const left = count - shown;
  const title = restHeadline(count);
  const open = openButton(addressOrNull(advisory.reportUrl));
  const rests = [restText(left, advisory, open.length > 0)].filter((text) => text !== '').map(escapeMrkdwn);
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
  return withChangeId(message, plainIdOf(`${advisory.id}:summary`));
}
