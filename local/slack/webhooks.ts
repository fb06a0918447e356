/** A local Slack incoming webhook: keeps what it accepts, and refuses what Slack would, in Slack's words. */
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import type { Reply } from '../http.ts';
import { OrderedFaults } from '../ordered-faults.ts';
import { TokenBuckets } from '../token-buckets.ts';
import { parseMessage, type SlackMessage } from './message.ts';

/** One message a second for each webhook, short bursts tolerated (Slack's page on rate limits, read 2026-11-21). */
const postRate = { perSecond: 1, size: 2 };
/** Where the webhook is that stands for a real one. */
export const localWebhookPath = '/services/T000/B000/local';
const webhookPath = /^\/services\/T000\/B000\/[A-Za-z0-9]+$/;

const faultInput = z.strictObject({
  status: z.int().min(400).max(599),
  body: z.string(),
  /** -1 for ever. */
  times: z.int().min(-1).default(1),
  retryAfterSeconds: z.int().min(0).optional(),
});

interface Accepted {
  at: string;
  webhook: string;
  message: SlackMessage;
}

interface Refused {
  at: string;
  webhook: string;
  status: number;
  error: string;
  reason: string;
}

interface Refusing {
  status: number;
  error: string;
  reason: string;
  retryAfterSeconds?: number | undefined;
}

export class Webhooks {
  accepted: Accepted[] = [];
  refused: Refused[] = [];
  readonly faults = new OrderedFaults(faultInput);
  private readonly buckets: TokenBuckets;

  constructor(monotonicMs: () => number) {
    this.buckets = new TokenBuckets(monotonicMs);
  }

  clear(): void {
    this.accepted = [];
    this.refused = [];
  }

  post(webhook: string, contentType: string, text: string): Reply {
    const fault = this.takeFault();
    if (fault !== undefined) return this.refuse(webhook, fault);
    if (!webhookPath.test(webhook)) {
      return this.refuse(webhook, { status: 404, error: 'no_service', reason: 'no webhook has this path' });
    }
    if (!/^application\/json\s*(;|$)/i.test(contentType)) {
      const reason = `the content type is "${contentType}", not application/json`;
      return this.refuse(webhook, { status: 400, error: 'invalid_payload', reason });
    }
    const parsed = parseMessage(jsonOrNull(text));
    if (!parsed.ok) return this.refuse(webhook, { status: 400, ...parsed.refusal });
    if (!this.buckets.take(webhook, postRate)) {
      const reason = 'more than one message a second';
      return this.refuse(webhook, { status: 429, error: 'rate_limited', reason, retryAfterSeconds: 1 });
    }
    this.accepted.push({ at: new Date().toISOString(), webhook, message: parsed.message });
    return { status: 200, body: 'ok', contentType: 'text/html' };
  }

  private refuse(webhook: string, { status, error, reason, retryAfterSeconds }: Refusing): Reply {
    this.refused.push({ at: new Date().toISOString(), webhook, status, error, reason });
    return {
      status,
      body: error,
      contentType: 'text/html',
      ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': `${retryAfterSeconds}` } }),
    };
  }

  private takeFault(): Refusing | undefined {
    const fault = this.faults.take();
    if (fault === undefined) return undefined;
    const { status, body, retryAfterSeconds } = fault;
    return { status, error: body, reason: 'injected by a test', retryAfterSeconds };
  }
}
