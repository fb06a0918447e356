/**
 * What an incoming webhook and chat.postMessage take: the block types that a report needs, with the limits of Slack's Block Kit reference
 * (read 2026-11-21). The total over all blocks is not documented: about 13,200 characters were seen to be refused.
 */
import { z } from 'zod';

const maxBlocks = 50;
const maxTextCharacters = 40_000;
const maxBlocksCharacters = 13_200;

const plainText = (max: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  });
const anyText = (max: number) =>
  z.union([
    plainText(max),
    z.strictObject({
      type: z.literal('mrkdwn'),
      text: z.string().min(1).max(max),
      verbatim: z.boolean().optional(),
    }),
  ]);

const url = z.url().max(3_000);
const image = {
  type: z.literal('image'),
  image_url: url,
  alt_text: z.string().min(1).max(2_000),
};
const imageElement = z.strictObject(image);
const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(75),
  action_id: z.string().min(1).max(255).optional(),
  url: url.optional(),
  value: z.string().max(2_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: z.string().max(75).optional(),
});

const isDistinct = (ids: readonly string[]): boolean => new Set(ids).size === ids.length;

const blockId = { block_id: z.string().min(1).max(255).optional() };
const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: plainText(150), ...blockId }),
  z
    .strictObject({
      type: z.literal('section'),
      text: anyText(3_000).optional(),
      fields: z.array(anyText(2_000)).min(1).max(10).optional(),
      accessory: z.union([button, imageElement]).optional(),
      expand: z.boolean().optional(),
      ...blockId,
    })
    .refine(({ text, fields }) => text !== undefined || fields !== undefined, {
      error: 'a section needs text or fields',
    }),
  z.strictObject({ type: z.literal('divider'), ...blockId }),
  z.strictObject({
    type: z.literal('context'),
    elements: z
      .array(z.union([anyText(3_000), imageElement]))
      .min(1)
      .max(10),
    ...blockId,
  }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(button)
      .min(1)
      .max(25)
      .refine((all) => isDistinct(all.flatMap(({ action_id }) => action_id ?? [])), {
        error: 'each action_id once in a block',
      }),
    ...blockId,
  }),
  z.strictObject({ ...image, title: plainText(2_000).optional(), ...blockId }),
]);

const blocks = z
  .array(block)
  .max(maxBlocks)
  .refine((all) => isDistinct(all.flatMap(({ block_id }) => block_id ?? [])), {
    error: 'each block_id once',
  });

/** Attachments are legacy and not taken: Slack would, without any of the limits above. */
const envelope = z.strictObject({
  text: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  unfurl_links: z.boolean().optional(),
  unfurl_media: z.boolean().optional(),
});

export type SlackBlock = z.infer<typeof block>;

export interface SlackMessage {
  text?: string;
  blocks?: SlackBlock[];
}

/** Slack's word for a refusal, and why: Slack itself gives the word alone. */
interface Refusal {
  error: string;
  reason: string;
}

export type ParsedMessage = { ok: true; message: SlackMessage } | { ok: false; refusal: Refusal };

const refuse = (error: string, reason: string): ParsedMessage => ({
  ok: false,
  refusal: { error, reason },
});

/** All that a reader sees of a value: the strings under `text` and `alt_text`, at any depth. */
function countCharacters(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((total, one) => total + countCharacters(one), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((total, [key, inner]) => {
    if (typeof inner !== 'string') return total + countCharacters(inner);
    return key === 'text' || key === 'alt_text' ? total + inner.length : total;
  }, 0);
}

export function parseMessage(body: unknown): ParsedMessage {
  const outer = envelope.safeParse(body);
  if (!outer.success) return refuse('invalid_payload', z.prettifyError(outer.error));
  const { text = '', blocks: given = [] } = outer.data;
  if (text === '' && given.length === 0) return refuse('no_text', 'neither text nor blocks');
  if (text.length > maxTextCharacters) {
    return refuse('msg_too_long', `text has ${text.length} characters, at most ${maxTextCharacters}`);
  }
  const inner = blocks.safeParse(given);
  if (!inner.success) return refuse('invalid_blocks', z.prettifyError(inner.error));
  const characters = countCharacters(inner.data);
  if (characters > maxBlocksCharacters) {
    const reason = `blocks have ${characters} characters together, at most about ${maxBlocksCharacters}`;
    return refuse('msg_blocks_too_long', reason);
  }
  return {
    ok: true,
    message: {
      ...(text === '' ? {} : { text }),
      ...(inner.data.length === 0 ? {} : { blocks: inner.data }),
    },
  };
}
