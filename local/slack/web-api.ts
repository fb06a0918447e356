/** The Web API of the local Slack: who asks, how often, what they may ask for; answers and refusals in Slack's words. */
import { z } from 'zod';
import { secondsPerMinute } from '../../core/units.ts';
import { BadRequest, jsonReply, parseJson, type Reply } from '../http.ts';
import { OrderedFaults } from '../ordered-faults.ts';
import { TokenBuckets } from '../token-buckets.ts';
import { argumentsOf } from './arguments.ts';
import { Conversations, type SlackChannel } from './conversations.ts';
import { methods } from './methods.ts';
import { SlackRefusal } from './refused.ts';
import { Uploads } from './uploads.ts';

const faultInput = z.strictObject({
  method: z.string(),
  error: z.string().default('internal_error'),
  status: z.int().min(200).max(599).default(200),
  /** -1 for ever. */
  times: z.int().min(-1).default(1),
  retryAfterSeconds: z.int().min(0).optional(),
  /** What was asked for is done, and its answer is lost. */
  afterwards: z.boolean().default(false),
});
type Fault = z.infer<typeof faultInput>;

interface Call {
  method: string;
  authorization: string;
  contentType: string;
  text: string;
  /** Of the server. */
  url: string;
}

interface RefusedCall {
  at: string;
  method: string;
  status: number;
  error: string;
  reason: string;
}

const tooManyRequests = 429;

const waitReply = (error: string, seconds: number): Reply => ({
  ...jsonReply({ ok: false, error }, tooManyRequests),
  headers: { 'retry-after': `${seconds}` },
});

export class WebApi {
  readonly conversations: Conversations;
  readonly uploads = new Uploads();
  refused: RefusedCall[] = [];
  private readonly faults = new Map<string, OrderedFaults<Fault>>();
  private readonly buckets: TokenBuckets;
  private readonly token: string;

  constructor(token: string, channels: readonly SlackChannel[], monotonicMs: () => number) {
    this.token = token;
    this.conversations = new Conversations(channels);
    this.buckets = new TokenBuckets(monotonicMs);
  }

  clear(): void {
    this.conversations.posted = [];
    this.uploads.all = [];
    this.refused = [];
  }

  /** @throws BadRequest where the text orders none. */
  addFault(text: string): void {
    const { method } = z
      .object({ method: z.string().default('') })
      .catch({ method: '' })
      .parse(parseJson(text));
    if (!Object.hasOwn(methods, method)) {
      throw new BadRequest(`method "${method}" is not one of ${Object.keys(methods).join(', ')}`);
    }
    const ordered = this.faults.get(method) ?? new OrderedFaults(faultInput);
    ordered.add(text);
    this.faults.set(method, ordered);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  call(call: Call): Reply {
    const fault = this.faults.get(call.method)?.take();
    if (fault !== undefined && !fault.afterwards) return this.faulty(call.method, fault);
    const reply = this.answer(call);
    return fault === undefined ? reply : this.faulty(call.method, fault);
  }

  private answer(call: Call): Reply {
    try {
      return this.run(call);
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      this.keep(call.method, 200, error.error, error.message);
      return jsonReply({ ok: false, error: error.error });
    }
  }

  private run({ method: name, authorization, contentType, text, url }: Call): Reply {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method === undefined) throw new SlackRefusal('unknown_method', `no method ${name}`);
    const { token: given, ...args } = argumentsOf(contentType, text);
    this.authenticate(authorization, given);
    const { perMinute, size, isByChannel } = method.limit;
    const bucket = isByChannel === true ? `${name} ${String(args['channel'])}` : name;
    if (!this.buckets.take(bucket, { perSecond: perMinute / secondsPerMinute, size })) {
      this.keep(name, tooManyRequests, 'ratelimited', `more than ${perMinute} a minute`);
      return waitReply('ratelimited', Math.ceil(secondsPerMinute / perMinute));
    }
    const { conversations, uploads } = this;
    return jsonReply({ ok: true, ...method.run(args, { conversations, uploads, url }) });
  }

  private authenticate(authorization: string, given: unknown): void {
    const token = /^Bearer (.*)$/.exec(authorization)?.[1] ?? given;
    if (token === undefined || token === '') throw new SlackRefusal('not_authed', 'no token');
    if (token !== this.token) throw new SlackRefusal('invalid_auth', 'another token than that of the bot');
  }

  private faulty(method: string, { error, status, retryAfterSeconds }: Fault): Reply {
    this.keep(method, status, error, 'injected by a test');
    if (retryAfterSeconds !== undefined) return { ...waitReply(error, retryAfterSeconds), status };
    return jsonReply({ ok: false, error }, status);
  }

  private keep(method: string, status: number, error: string, reason: string): void {
    this.refused.push({ at: new Date().toISOString(), method, status, error, reason });
  }
}
