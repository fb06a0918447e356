/** A digest as a card for Teams. */
import type { Digest } from '../../core/schemas/digest.ts';
import { digestHeadline, digestLines, leftOut } from '../digest-text.ts';
import { bytesOf, cardMessage, mostCardBytes, openUrl, type TeamsMessage, textBlock } from './card.ts';
import { findingElement } from './finding-element.ts';

const mostFindings = 10;
/** For the line that says how many are left. */
const spareBytes = 300;

export function teamsDigest(digest: Digest): TeamsMessage {
  const head = [
    textBlock(digestHeadline(digest), { size: 'large', weight: 'bolder' }),
    ...digestLines(digest).map((line) => textBlock(line)),
  ];
  const actions = openUrl('Open the report', digest.reportUrl);
  let bytes = bytesOf(cardMessage(head, actions)) + spareBytes;
  const shown = [];
  for (const finding of digest.first.slice(0, mostFindings)) {
    const element = findingElement({ ...finding, change: 'opened', proof: null }, finding.kind);
    bytes += bytesOf(element) + 1;
    if (bytes > mostCardBytes) break;
    shown.push(element);
  }
  const rest = leftOut(digest, shown.length);
  return cardMessage([...head, ...shown, ...(rest === '' ? [] : [textBlock(rest)])], actions);
}
