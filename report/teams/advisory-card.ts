/** An advisory as cards for Teams: as few as it fits into, and no more than people read. What has no place is counted. */
import type { Advisory } from '../../core/schemas/advisory.ts';
import { headline, runLines } from '../advisory-text.ts';
import { byUrgency, changeTitle } from '../change.ts';
import {
  bytesOf,
  type CardElement,
  cardMessage,
  mostCardBytes,
  mostFindings,
  openUrl,
  spareBytes,
  type TeamsMessage,
  textBlock,
} from './card.ts';
import { findingElement } from './finding-element.ts';

const mostCards = 3;

/** The elements of each card: the first ones that have room in so many bytes. */
function packed(elements: readonly CardElement[], bytesForThem: number): CardElement[][] {
  const cards: CardElement[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const element of elements) {
    const more = bytesOf(element) + 1;
    const card = cards.at(-1);
    if (card !== undefined && card.length < mostFindings && bytes + more <= bytesForThem) {
      card.push(element);
      bytes += more;
    } else if (cards.length < mostCards) {
      cards.push([element]);
      bytes = more;
    } else break;
  }
  return cards;
}

/** At least one. */
export function teamsCards(advisory: Advisory): TeamsMessage[] {
  const head = textBlock(headline(advisory), { size: 'large', weight: 'bolder' });
  const foot = runLines(advisory).map((line) => textBlock(line, { isSubtle: true }));
  const actions = openUrl(advisory.reportUrl);
  const empty = bytesOf(cardMessage([head, ...foot], actions)) + spareBytes;
  const candidates = byUrgency(advisory.told).slice(0, mostCards * mostFindings);
  const cards = packed(
    candidates.map((finding) => findingElement(finding, changeTitle(finding))),
    mostCardBytes - empty,
  );
  const left =
    advisory.told.length + advisory.notShown - cards.reduce((count, card) => count + card.length, 0);
  const rest = left === 0 ? [] : [textBlock(`… and ${left} more, less urgent: see the run.`)];
  if (cards.length === 0) cards.push([]);
  return cards.map((elements, index) =>
    index === cards.length - 1
      ? cardMessage([head, ...elements, ...rest, ...foot], actions)
      : cardMessage([head, ...elements], actions),
  );
}
