/**
 * What the webhook of a Teams workflow can show: a message with Adaptive Cards, made of the elements that a report needs.
 * Sources: Microsoft, "Create incoming webhooks with Workflows" and the schema of Adaptive Cards, read 2026-11-23.
 */
import { z } from 'zod';

/** Of the whole message, as it is sent. "About 28 KB" says the page of the Teams connector. */
export const maxBytes = 28 * 1_024;

/** Workflows answer 202 to a card of 1.5, and Teams then shows "this card couldn't be displayed" (msteams-docs #9801). */
const versions = ['1.0', '1.1', '1.2', '1.3', '1.4'] as const;

const openUrl = z.strictObject({
  type: z.literal('Action.OpenUrl'),
  title: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }),
});

const separated = { separator: z.boolean().optional() };

const textBlock = z.strictObject({
  type: z.literal('TextBlock'),
  text: z.string().min(1),
  wrap: z.boolean().optional(),
  color: z.enum(['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention']).optional(),
  weight: z.enum(['lighter', 'default', 'bolder']).optional(),
  size: z.enum(['small', 'default', 'medium', 'large', 'extraLarge']).optional(),
  isSubtle: z.boolean().optional(),
  ...separated,
});
const factSet = z.strictObject({
  type: z.literal('FactSet'),
  facts: z.array(z.strictObject({ title: z.string().min(1), value: z.string().min(1) })).min(1),
  ...separated,
});
const actionSet = z.strictObject({
  type: z.literal('ActionSet'),
  /** Teams shows six. */
  actions: z.array(openUrl).min(1).max(6),
  ...separated,
});
const simple = z.discriminatedUnion('type', [textBlock, factSet, actionSet]);
const container = z.strictObject({
  type: z.literal('Container'),
  items: z.array(simple).min(1),
  ...separated,
});

const card = z.strictObject({
  $schema: z.string().optional(),
  type: z.literal('AdaptiveCard'),
  version: z.enum(versions, `one of ${versions.join(', ')}: Teams shows no other that a workflow posts`),
  msteams: z.strictObject({ width: z.literal('Full') }).optional(),
  body: z.array(z.discriminatedUnion('type', [...simple.options, container])).min(1),
  actions: z.array(openUrl).min(1).max(6).optional(),
});

const message = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null().optional(),
        content: card,
      }),
    )
    .min(1),
});
export type TeamsMessage = z.infer<typeof message>;

export type ParsedCard = { ok: true; message: TeamsMessage } | { ok: false; reason: string };

export function parseCard(body: unknown): ParsedCard {
  const parsed = message.safeParse(body);
  return parsed.success
    ? { ok: true, message: parsed.data }
    : { ok: false, reason: z.prettifyError(parsed.error) };
}
