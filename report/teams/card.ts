/**
 * Adaptive Cards as the webhook of a Teams workflow takes them. Sources, read 2026-11-23: Microsoft, "Create incoming webhooks
 * with Workflows" (a message with cards as attachments), "Format cards in Microsoft Teams" (TextBlock, Fact.title and
 * Fact.value are Markdown), its Teams connector ("about 28 KB ... includes text, links, tables, mentions").
 */
import { addressOrNull, openReport } from '../address.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { cut } from '../marks.ts';

/**
 * Cards of 1.5 come out of a workflow as "this card couldn't be displayed" (microsoft/AdaptiveCards #7676, MicrosoftDocs/
 * msteams-docs #9801, both without an answer on 2026-11-23). Nothing here needs more than 1.0.
 */
const cardVersion = '1.4';

const mostTextCharacters = 1_000;

interface OpenUrl {
  type: 'Action.OpenUrl';
  title: string;
  url: string;
}

type Color = 'default' | 'attention' | 'warning' | 'accent' | 'good';

export type CardElement =
  | {
      type: 'TextBlock';
      text: string;
      wrap: true;
      color?: Color;
      weight?: 'bolder';
      size?: 'large';
      isSubtle?: true;
    }
  | { type: 'FactSet'; facts: { title: string; value: string }[] }
  | { type: 'Container'; separator: true; items: CardElement[] };

export interface TeamsMessage {
  type: 'message';
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive';
      contentUrl: null;
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
        type: 'AdaptiveCard';
        version: typeof cardVersion;
        msteams: { width: 'Full' };
        body: CardElement[];
        actions?: OpenUrl[];
      };
    },
  ];
}

/** @param text sanitized already; what of it Markdown would act on becomes an observation-alike. */
const plain = (text: string): string => cut(escapeMarkdown(text), mostTextCharacters);

export const textBlock = (
  text: string,
  look: { color?: Color; weight?: 'bolder'; size?: 'large'; isSubtle?: true } = {},
): CardElement => ({ type: 'TextBlock', text: plain(text), wrap: true, ...look });

/** Without those that say nothing. */
export const factSet = (facts: Readonly<Record<string, string | null>>): CardElement => ({
  type: 'FactSet',
  facts: Object.entries(facts).flatMap(([title, value]) =>
    value === null || value === '' ? [] : [{ title, value: plain(value) }],
  ),
});

/** None where there is no address. */
export function openUrl(url: string | null): OpenUrl[] {
  const address = addressOrNull(url);
  return address === null ? [] : [{ type: 'Action.OpenUrl', title: openReport, url: address }];
}

export const cardMessage = (body: CardElement[], actions: OpenUrl[]): TeamsMessage => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: cardVersion,
        msteams: { width: 'Full' },
        body,
        ...(actions.length === 0 ? {} : { actions }),
      },
    },
  ],
});
