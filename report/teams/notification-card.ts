/** A notification as a card for Teams: the headline, five findings in two lines each, and one line for the rest. */
import type { Notification } from '../../core/schemas/notification.ts';
import { headline, restText, runNote, shownInShort } from '../wording/message.ts';
import { cardMessage, openUrl, type TeamsMessage, textBlock } from './card.ts';
import { findingElement } from './finding-element.ts';

export function teamsCard(notification: Notification): TeamsMessage {
  const shown = shownInShort(notification.notified);
  const actions = openUrl(notification.reportUrl);
  const left = notification.notified.length - shown.length + notification.notShown;
  const last = [restText(left, notification, actions.length > 0), runNote(notification)];
  const rest = last.filter((text) => text !== '').join('. ');
  return cardMessage(
    [
      textBlock(headline(notification), { size: 'large', weight: 'bolder' }),
      ...shown.map(findingElement),
      ...(rest === '' ? [] : [textBlock(rest, { isSubtle: true })]),
    ],
    actions,
  );
}
