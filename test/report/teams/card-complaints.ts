/** What is wrong with a card for Teams, whatever an account holds: a few words each, none where all is well. */
import { maxBytes, parseCard } from '../../../local/teams/card.ts';
import type { TeamsMessage } from '../../../report/teams/card.ts';
import { asReceived, ourAddress, stringsIn } from '../../fixtures/untrusted-notification.ts';
import { complaintsIf, restless } from '../../untrusted/complaints.ts';

/** Its modules name each other as bundlers want it; the bundle is what Node reads. */
const { AdaptiveCard, SerializationContext, Versions } = jest.requireActual<typeof import('adaptivecards')>(
  'adaptivecards/dist/adaptivecards.js',
);

/** What Microsoft's own reader says of a card. */
export function parserComplaints(card: unknown): string[] {
  const context = new SerializationContext(Versions.v1_4);
  const parsed = new AdaptiveCard();
  parsed.parse(card, context);
  const events = Array.from({ length: context.eventCount }, (_, i) => context.getEventAt(i).message);
  return [...events, ...parsed.validateProperties().validationEvents.map(({ message }) => message)];
}

/** Teams adds what it needs to a card, and refuses it above 28 KB in all. */
const maxCardBytes = 20_000;

export const contentOf = (message: TeamsMessage) => message.attachments[0].content;

/** All that is formatted: texts, titles and values; addresses apart. */
function textsOf(message: TeamsMessage): { texts: string[]; urls: string[] } {
  const found = { texts: [] as string[], urls: [] as string[] };
  JSON.stringify(contentOf(message).body, (key, value: unknown) => {
    if (typeof value === 'string' && ['text', 'title', 'value'].includes(key)) found.texts.push(value);
    if (typeof value === 'string' && key === 'url') found.urls.push(value);
    return value;
  });
  const actions = contentOf(message).actions ?? [];
  return { texts: found.texts, urls: [...found.urls, ...actions.map(({ url }) => url)] };
}

export function cardComplaints(message: TeamsMessage): string[] {
  const sent = Buffer.from(JSON.stringify(message), 'utf8');
  const taken = parseCard(asReceived(message));
  const { texts, urls } = textsOf(message);
  const some = (pattern: RegExp): boolean => texts.some((text) => new RegExp(pattern).test(text));
  return [
    ...parserComplaints(contentOf(message)),
    ...complaintsIf(
      [!taken.ok, taken.ok ? '' : `refused: ${taken.reason}`],
      [sent.length > maxBytes, `${sent.length} bytes`],
      [sent.length > maxCardBytes, 'no room for what Teams adds'],
      [urls.some((url) => !url.startsWith(ourAddress)), 'a link that is not ours'],
      [some(/[<>&[\]\\@]|https?:\/\/|\{\{/), 'a mention, a link or an escape'],
      [some(/[*~`]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/), 'formatting'],
      [some(/^(?:[-+#=\s]|\d+[.)])|\n/m), 'a heading, a list or a line of its own'],
      [texts.some((text) => restless.test(text.replaceAll('\u200b', ''))), 'a character that hides or turns'],
      [!stringsIn(message).every((text) => text.isWellFormed()), 'half a character'],
    ),
  ];
}
