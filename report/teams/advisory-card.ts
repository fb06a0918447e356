/** An advisory as a card for Teams: the headline, five findings in two lines each, and one line for the rest. */
import type { Advisory } from '../../core/schemas/advisory.ts';
import { headline, restText, runNote, shownInShort } from '../wording/message.ts';
import { cardMessage, openUrl, type TeamsMessage, textBlock } from './card.ts';
import { findingElement } from './finding-element.ts';

export function teamsCard(advisory: Advisory): TeamsMessage {
  const shown = shownInShort(advisory.told);
  const actions = openUrl(advisory.reportUrl);
  const left = advisory.told.length - shown.length + advisory.notShown;
  const last = [restText(left, advisory, actions.length > 0), runNote(advisory)];
  const rest = last.filter((text) => text !== '').join('. ');
  return cardMessage(
    [
      textBlock(headline(advisory), { size: 'large', weight: 'bolder' }),
      ...shown.map(findingElement),
      ...(rest === '' ? [] : [textBlock(rest, { isSubtle: true })]),
    ],
    actions,
  );
}
