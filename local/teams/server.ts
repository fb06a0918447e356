/**
 * A local webhook of a Teams workflow: keeps what it accepts, and refuses what would not come through. A workflow itself answers
 * 202 to whatever is JSON and fails later, where nobody sees it; here that is an answer.
 */
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import { BadRequest, jsonReply, listen, type Reply, type RunningServer, readBytes } from '../http.ts';
import { OrderedFaults } from '../ordered-faults.ts';
import { TokenBuckets } from '../token-buckets.ts';
import { maxBytes, parseCard, type TeamsMessage } from './card.ts';

/** More than four requests in a second are throttled. Source: Microsoft, "Create incoming webhooks", read 2026-11-23. */
const rate = { perSecond: 4, size: 4 };

const workflowPath = '/workflows/local/triggers/manual/paths/invoke';
const signature = 'local-signature';
/** Where the webhook is that stands for a real one: who has it may post, as with a real one. */
const localWorkflowPath = `${workflowPath}?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${signature}`;

const faultInput = z.strictObject({
  status: z.int().min(400).max(599),
  code: z.string().default('InternalServerError'),
  /** -1 for ever. */
  times: z.int().min(-1).default(1),
  retryAfterSeconds: z.int().min(0).optional(),
  /** The card is posted, and the answer is lost. */
  afterwards: z.boolean().default(false),
});
type Fault = z.infer<typeof faultInput>;

interface Refused {
  at: string;
  status: number;
  code: string;
  reason: string;
}

export interface TeamsOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Milliseconds that never go back, for the rate; the process's own by default. */
  monotonicMs?: () => number;
}

export interface LocalTeams extends RunningServer {
  webhookUrl: string;
}

interface Post {
  url: URL;
  contentType: string;
  body: Buffer;
}

class Workflow {
  accepted: { at: string; message: TeamsMessage }[] = [];
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

  post(post: Post): Reply {
    const fault = this.faults.take();
    if (fault !== undefined && !fault.afterwards) return this.faulty(fault);
    const reply = this.take(post);
    return fault === undefined ? reply : this.faulty(fault);
  }

  private take({ url, contentType, body }: Post): Reply {
    if (url.pathname !== workflowPath || url.searchParams.get('sig') !== signature) {
      return this.refuse(401, 'DirectApiAuthorizationRequired', 'no workflow has this address');
    }
    if (!this.buckets.take('workflow', rate)) {
      return this.refuse(429, 'TooManyRequests', 'more than four requests in a second', 1);
    }
    if (!/^application\/json\s*(;|$)/i.test(contentType)) {
      return this.refuse(400, 'InvalidRequestContent', `the content type is "${contentType}"`);
    }
    if (body.length > maxBytes) {
      return this.refuse(413, 'RequestEntityTooLarge', `${body.length} bytes of ${maxBytes}`);
    }
    const parsed = parseCard(jsonOrNull(body.toString('utf8')));
    if (!parsed.ok) return this.refuse(400, 'TriggerInputSchemaMismatch', parsed.reason);
    this.accepted.push({ at: new Date().toISOString(), message: parsed.message });
    return { status: 202, body: '' };
  }

  private faulty({ status, code, retryAfterSeconds }: Fault): Reply {
    return this.refuse(status, code, 'injected by a test', retryAfterSeconds);
  }

  private refuse(status: number, code: string, reason: string, retryAfterSeconds?: number): Reply {
    this.refused.push({ at: new Date().toISOString(), status, code, reason });
    return {
      ...jsonReply({ error: { code, message: reason } }, status),
      ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': `${retryAfterSeconds}` } }),
    };
  }
}

const routes: Record<string, (workflow: Workflow, text: string) => unknown> = {
  'GET /_stripewise/messages': ({ accepted }) => accepted,
  'GET /_stripewise/refused': ({ refused }) => refused,
  'DELETE /_stripewise/messages': (workflow) => workflow.clear(),
  'POST /_stripewise/faults': ({ faults }, text) => faults.add(text),
  'DELETE /_stripewise/faults': ({ faults }) => faults.clear(),
};

function steer(workflow: Workflow, name: string, text: string): Reply {
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined) throw new BadRequest(`no route ${name}`, 404);
  return jsonReply(route(workflow, text) ?? {});
}

export async function startTeams(options: TeamsOptions = {}): Promise<LocalTeams> {
  const { port = 0, monotonicMs = () => performance.now() } = options;
  const workflow = new Workflow(monotonicMs);
  const running = await listen(port, async (request) => {
    const url = new URL(request.url ?? '/', 'http://local');
    const { method = '', headers } = request;
    const body = await readBytes(request);
    if (url.pathname.startsWith('/_stripewise/')) {
      return steer(workflow, `${method} ${url.pathname}`, body.toString('utf8'));
    }
    if (method !== 'POST') throw new BadRequest('a webhook takes POST', 405);
    return workflow.post({ url, contentType: headers['content-type'] ?? '', body });
  });
  return { ...running, webhookUrl: `${running.url}${localWorkflowPath}` };
}
