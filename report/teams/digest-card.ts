/** A digest as a card for Teams. */
import type { Digest } from '../../core/schemas/digest.ts';
import { digestHeadline, digestInShort, digestLine, leftOut } from '../digest-text.ts';
import { cardMessage, openUrl, type TeamsMessage, textBlock } from './card.ts';
import { findingElement } from './finding-element.ts';

export function teamsDigest(digest: Digest): TeamsMessage {
  const shown = digestInShort(digest);
  const rest = leftOut(digest, shown.length);
  return cardMessage(
    [
      textBlock(digestHeadline(digest), { size: 'large', weight: 'bolder' }),
      textBlock(digestLine(digest)),
      ...shown.map(findingElement),
      ...(rest === '' ? [] : [textBlock(rest)]),
    ],
    openUrl(digest.reportUrl),
  );
}
