/** A digest as a Slack message, for a webhook and for a bot. */
import type { Digest } from '../../core/schemas/digest.ts';
import { addressOrNull } from '../address.ts';
import { digestHeadline, digestInShort, digestLine, leftOut } from '../digest-text.ts';
import { cut } from '../marks.ts';
import { escapeMrkdwn, headerBlock, openLink, type SlackMessage, sectionBlock } from './message.ts';
import { slackLines } from './notification-message.ts';

const mostTextCharacters = 300;

export function slackDigest(digest: Digest): SlackMessage {
  const title = digestHeadline(digest);
  const shown = digestInShort(digest);
  const rest = [leftOut(digest, shown.length), openLink(addressOrNull(digest.reportUrl))];
  const last = rest.filter((text) => text !== '').join(': ');
  const texts = [escapeMrkdwn(digestLine(digest)), ...shown.map(slackLines), last];
  return {
    text: cut(escapeMrkdwn(title), mostTextCharacters),
    blocks: [headerBlock(title), ...texts.filter((text) => text !== '').map(sectionBlock)],
    unfurl_links: false,
  };
}
