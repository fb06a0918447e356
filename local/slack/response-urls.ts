/**
 * Addresses that come with a press of a button, to answer it: each for five messages. Source: Slack, "Handling user interaction",
 * read 2026-11-23. The path of ours names the message; Slack's does not.
 */
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import { jsonReply, type Reply } from '../http.ts';
import type { Conversations } from './conversations.ts';
import { parseMessage } from './message.ts';
import { SlackRefusal } from './refused.ts';

const maxUses = 5;

const responseSchema = z.strictObject({
  text: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
  response_type: z.enum(['in_channel', 'ephemeral']).default('ephemeral'),
  replace_original: z.boolean().default(false),
  thread_ts: z.string().optional(),
});

interface Response {
  at: string;
  channel: string;
  /** The message whose button was pressed. */
  messageTs: string;
  response: z.infer<typeof responseSchema>;
}

export const responsePath = (channel: string, messageTs: string, secret: string): string =>
  `/actions/T0LOCAL0001/${channel}/${messageTs}/${secret}`;
const pattern = /^\/actions\/T0LOCAL0001\/([A-Z0-9]+)\/(\d+\.\d{6})\/[\w-]+$/;

const refusal = (status: number, error: string): Reply => jsonReply({ ok: false, error }, status);

export class ResponseUrls {
  responses: Response[] = [];
  private readonly uses = new Map<string, number>();
  private readonly conversations: Conversations;

  constructor(conversations: Conversations) {
    this.conversations = conversations;
  }

  answer(path: string, text: string): Reply {
    const [, channel, messageTs] = pattern.exec(path) ?? [];
    if (channel === undefined || messageTs === undefined) return refusal(404, 'expired_url');
    const used = (this.uses.get(path) ?? 0) + 1;
    if (used > maxUses) return refusal(404, 'used_url');
    const parsed = responseSchema.safeParse(jsonOrNull(text));
    if (!parsed.success) return refusal(400, 'invalid_payload');
    try {
      this.apply(channel, messageTs, parsed.data);
    } catch (error) {
      if (error instanceof SlackRefusal) return refusal(400, error.error);
      throw error;
    }
    this.uses.set(path, used);
    this.responses.push({ at: new Date().toISOString(), channel, messageTs, response: parsed.data });
    return { status: 200, body: 'ok', contentType: 'text/html' };
  }

  /** What only one person sees is in no channel. */
  private apply(channel: string, messageTs: string, response: Response['response']): void {
    const parsed = parseMessage({ text: response.text, blocks: response.blocks });
    if (!parsed.ok) throw new SlackRefusal(parsed.refusal.error, parsed.refusal.reason);
    const { text = '', blocks = [] } = parsed.message;
    if (response.replace_original) this.conversations.update(channel, messageTs, { text, blocks });
    else if (response.response_type === 'in_channel') {
      const threadTs = response.thread_ts ?? null;
      this.conversations.post({
        ...{ channel, threadTs, text, blocks, metadata: null, files: [], isBroadcast: false },
      });
    }
  }
}
