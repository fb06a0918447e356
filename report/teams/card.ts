/**
 * Adaptive Cards as the webhook of a Teams workflow takes them. Sources, read 2026-11-23: Microsoft, "Create incoming webhooks
 * with Workflows" (a message with cards as attachments), "Format cards in Microsoft Teams" (TextBlock, Fact.title and
 * Fact.value are Markdown), its Teams connector ("about 28 KB ... includes text, links, tables, mentions").
 */

import { needsPerson } from '../../core/changes/message.ts';
import type { Alarm } from '../../core/schemas/alarm.ts';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import { isResolved } from '../../core/schemas/changes.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type { Notification } from '../../core/schemas/notification.ts';
import { addressOrNull, openReport } from '../address.ts';
import { alarmText, noReason } from '../alarm-text.ts';
import { digestHeadline, digestInShort, digestLines, leftOut } from '../digest-text.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { cut } from '../marks.ts';
import { changeLines, changeTitle } from '../wording/changes.ts';
import { headline, type InShort, restText, runNote, shownInShort } from '../wording/message.ts';

/**
 * Cards of 1.5 come out of a workflow as "this card couldn't be displayed" (microsoft/AdaptiveCards #7676, MicrosoftDocs/
 * msteams-docs #9801, both without an answer on 2026-11-23). Nothing here needs more than 1.0.
 */
const cardVersion = '1.4';

const maxTextCharacters = 1_000;

interface OpenUrl {
  type: 'Action.OpenUrl';
  title: string;
  url: string;
}

type Color = 'default' | 'attention' | 'warning' | 'accent' | 'good';

type CardElement =
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
const plain = (text: string): string => cut(escapeMarkdown(text), maxTextCharacters);

const textBlock = (
  text: string,
  look: { color?: Color; weight?: 'bolder'; size?: 'large'; isSubtle?: true } = {},
): CardElement => ({ type: 'TextBlock', text: plain(text), wrap: true, ...look });

/** Without those that say nothing. */
const factSet = (facts: Readonly<Record<string, string | null>>): CardElement => ({
  type: 'FactSet',
  facts: Object.entries(facts).flatMap(([title, value]) =>
    value === null || value === '' ? [] : [{ title, value: plain(value) }],
  ),
});

/** None where there is no address. */
function openUrl(url: string | null): OpenUrl[] {
  const address = addressOrNull(url);
  return address === null ? [] : [{ type: 'Action.OpenUrl', title: openReport, url: address }];
}

const cardMessage = (body: CardElement[], actions: OpenUrl[]): TeamsMessage => ({
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

// A finding as a part of a card: what is wrong, and what is recommended.

const colors = { critical: 'attention', warning: 'warning', info: 'accent' } as const;

function findingElement({ finding, resource, what, next }: InShort): CardElement {
  const color = isResolved(finding) ? 'good' : colors[finding.severity];
  return {
    type: 'Container',
    separator: true,
    items: [
      textBlock(`${resource}: ${what}`, { weight: 'bolder', color }),
      ...(next === null ? [] : [textBlock(next)]),
    ],
  };
}

// A notification as a card for Teams: the headline, five findings in two lines each, and one line for the rest.

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

// A step of a change of a volume as a card for Teams. Nobody can press a button there.

export function teamsChange(message: ChangeMessage): TeamsMessage {
  const { change } = message;
  const lines = changeLines(change, message).map(({ label, text }) => [label, text] as const);
  return cardMessage(
    [
      textBlock(changeTitle(change, message), {
        ...{ size: 'large', weight: 'bolder' },
        color: needsPerson(change) ? 'attention' : 'default',
      }),
      factSet(Object.fromEntries(lines)),
    ],
    [],
  );
}

// A digest as a card for Teams.

export function teamsDigest(digest: Digest): TeamsMessage {
  const shown = digestInShort(digest);
  const rest = leftOut(digest, shown.length);
  return cardMessage(
    [
      textBlock(digestHeadline(digest), { size: 'large', weight: 'bolder' }),
      ...digestLines(digest).map((line) => textBlock(line)),
      ...shown.map(findingElement),
      ...(rest === '' ? [] : [textBlock(rest)]),
    ],
    openUrl(digest.reportUrl),
  );
}

// A CloudWatch alarm of the service itself as a card for Teams.

const maxLineCharacters = 1_000;

export function teamsAlarm(alarm: Alarm): TeamsMessage {
  const { title, meaning, why, region } = alarmText(alarm, maxLineCharacters);
  const color = alarm.NewStateValue === 'OK' ? 'good' : 'attention';
  return cardMessage(
    [
      textBlock(title, { size: 'large', weight: 'bolder', color }),
      factSet({ Why: why || noReason, 'What it means': meaning, Region: region }),
    ],
    [],
  );
}
