/** A digest as a Slack message, for a webhook and for a bot. */
import type { Digest } from '../../core/schemas/digest.ts';
import { addressOrNull } from '../address.ts';
import {
  type DigestFinding,
  digestFindingText,
  digestHeadline,
  digestLines,
  leftOut,
} from '../digest-text.ts';
import { cut } from '../marks.ts';
import { iconOf } from './icons.ts';
import { escapeMrkdwn, headerBlock, openLink, type SlackMessage, sectionBlock } from './message.ts';
import { packedLines } from './packed-lines.ts';

const most = { finding: 1_400, findings: 15, text: 300 } as const;

function findingLines(finding: DigestFinding): string {
  const { severity, kind, what, advice, resource } = digestFindingText(finding);
  const url = addressOrNull(finding.url);
  const name = url === null ? kind : `<${url}|${kind}>`;
  const lines = [
    `${iconOf({ severity, change: 'opened' })} *${name}* (${severity}) on ${escapeMrkdwn(resource)}`,
    escapeMrkdwn(what),
    ...advice.slice(0, 1).map((line) => `→ ${escapeMrkdwn(line)}`),
  ];
  return cut(lines.join('\n'), most.finding);
}

export function slackDigest(digest: Digest): SlackMessage {
  const title = digestHeadline(digest);
  const figures = escapeMrkdwn(digestLines(digest).join('\n'));
  const { blocks, shown } = packedLines(digest.first.slice(0, most.findings).map(findingLines), '\n\n');
  const rest = leftOut(digest, shown);
  const last = [rest, openLink(addressOrNull(digest.reportUrl))].filter((line) => line !== '');
  return {
    text: cut(escapeMrkdwn(title), most.text),
    blocks: [headerBlock(title), sectionBlock(figures), ...blocks, ...packedLines(last).blocks],
    unfurl_links: false,
  };
}
