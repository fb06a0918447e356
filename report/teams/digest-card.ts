/** A digest as a card for Teams. */
import type { Digest } from '../../core/schemas/digest.ts';
import { asTold, digestHeadline, digestLines, leftOut } from '../digest-text.ts';
import {
  bytesOf,
  cardMessage,
  mostCardBytes,
  mostFindings,
  openUrl,
  spareBytes,
  type TeamsMessage,
  textBlock,
} from './card.ts';
import { findingElement } from './finding-element.ts';

export function teamsDigest(digest: Digest): TeamsMessage {
  const head = [
    textBlock(digestHeadline(digest), { size: 'large', weight: 'bolder' }),
    ...digestLines(digest).map((line) => textBlock(line)),
  ];
  const actions = openUrl(digest.reportUrl);
  let bytes = bytesOf(cardMessage(head, actions)) + spareBytes;
  const shown = [];
  for (const finding of digest.first.slice(0, mostFindings)) {
    const element = findingElement(asTold(finding), finding.kind);
    bytes += bytesOf(element) + 1;
    if (bytes > mostCardBytes) break;
    shown.push(element);
  }
  const rest = leftOut(digest, shown.length);
  return cardMessage([...head, ...shown, ...(rest === '' ? [] : [textBlock(rest)])], actions);
}
