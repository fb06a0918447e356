/**
 * Between the functions of the local AWS and its services: hands each call on to who answers it, counts it, asks IAM
 * whether the caller's role may make it where the service does not ask by itself, and makes the troubles that are ordered.
 */
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from '../http.ts';
import type { Decision } from './authorise.ts';
import { type AwsCall, awsCallOf, type Protocol, protocolOf } from './aws-call.ts';
import { errorReply, type Fault, Faults } from './faults.ts';
import { type AskedPage, askedToken, nextToken, smallPage, withNextToken, withToken } from './pages.ts';

export interface GatewayOptions {
  /** Whether the caller may; null where the service asks by itself. */
  isAllowed?: (call: AwsCall, body: string) => Promise<Decision>;
  /** A message of a queue that a function puts off comes again after so much of the time. */
  visibilityScale?: number;
}

export interface Gateway {
  url: string;
  readonly faults: Faults;
  /** Answers, by service or by call (`ssm:GetParameter`); what is not named goes to `others`, which asks IAM by itself. */
  route(services: Readonly<Record<string, string>>, others: string): void;
  /** Every call so far, as it came. */
  readonly calls: readonly AwsCall[];
  reset(): void;
  stop(): Promise<void>;
}

/** Told to function-conditions.cjs. */
const crashHeader = 'x-stripewise-crash';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A connection each: one that is kept could be closed by its server in the moment when it is used again. */
const agent = new Agent({ keepAlive: false });
/** Of one connection, and not of what it carries. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const handedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

async function wholeBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** With the Host that was signed. */
function ask(
  upstream: string,
  method: string,
  asked: AskedPage,
  headers: IncomingHttpHeaders,
): Promise<Answer> {
  const { hostname, port } = new URL(upstream);
  const path = `${asked.url.pathname}${asked.url.search}`;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        ...{ agent, hostname, port, method, path },
        // On AWS the call comes by TLS, and policies of ours refuse any other: here it ends before the server.
        headers: {
          ...handedOn(headers),
          'x-forwarded-proto': 'https',
          'content-length': asked.body.length,
        },
      },
      (reply) => {
        wholeBody(reply).then(
          (body) => resolve({ status: reply.statusCode ?? 502, headers: reply.headers, body }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(asked.body);
  });
}

const answerOf = ({ status, body, contentType, headers }: Reply): Answer => ({
  status,
  headers: { 'content-type': contentType, ...headers },
  body: Buffer.from(body),
});

interface Asking {
  asked: AskedPage;
  call: AwsCall;
  protocol: Protocol;
  fetch: (page: AskedPage) => Promise<Answer>;
}

/** What the caller gets; without an answer it waits until it gives up. */
interface Given {
  answer: Answer | null;
  /** The runtime of the caller dies of it. */
  crash?: true;
  /** There is no answer, and time goes on as it does. */
  hangs?: true;
}

class Door {
  readonly faults = new Faults();
  calls: AwsCall[] = [];
  private readonly options: GatewayOptions;
  /** Pages that were handed out, by operation and the token that leads on from them. */
  private readonly handedOut = new Map<string, Answer>();
  /** Roles of the sessions that were given, by their key. */
  private readonly roles = new Map<string, string>();
  private services: Readonly<Record<string, string>> = {};
  private others = '';

  constructor(options: GatewayOptions) {
    this.options = options;
  }

  route(services: Readonly<Record<string, string>>, others: string): void {
    this.services = services;
    this.others = others;
  }

  reset(): void {
    this.faults.clear();
    this.handedOut.clear();
    this.calls = [];
  }

  private upstreamOf({ service, operation }: AwsCall): string {
    return this.services[`${service}:${operation}`] ?? this.services[service] ?? this.others;
  }

  async give(message: IncomingMessage): Promise<Given> {
    const method = message.method ?? 'GET';
    const url = new URL(message.url ?? '/', 'http://gateway');
    const sent = await wholeBody(message);
    const call = awsCallOf({ method, url, headers: message.headers, body: sent }, this.roles);
    const body = call === null ? sent : this.sooner(call, sent);
    const upstream = call === null ? this.others : this.upstreamOf(call);
    const fetch = (page: AskedPage): Promise<Answer> => ask(upstream, method, page, message.headers);
    if (call === null) return { answer: await fetch({ url, body }) };
    this.calls.push(call);
    const protocol = protocolOf(message.headers, call.service);
    const { isAllowed } = this.options;
    if (upstream !== this.others && isAllowed !== undefined) {
      const decision = await isAllowed(call, body.toString('utf8'));
      if (decision !== true) {
        const kind = decision === false ? 'access-denied' : decision;
        return { answer: answerOf(errorReply(kind, call, protocol)) };
      }
    }
    const given = await this.troubled({ asked: { url, body }, call, protocol, fetch });
    this.noteSession(call, given);
    return given;
  }

  private noteSession({ assumes }: AwsCall, { answer }: Given): void {
    if (assumes === undefined || answer === null) return;
    const [, key] = /<AccessKeyId>(\w+)</.exec(answer.body.toString('utf8')) ?? [];
    if (key !== undefined) this.roles.set(key, assumes);
  }

  private sooner({ service, operation }: AwsCall, body: Buffer): Buffer {
    const { visibilityScale } = this.options;
    if (visibilityScale === undefined || `${service}:${operation}` !== 'sqs:ChangeMessageVisibility')
      return body;
    const asked = JSON.parse(body.toString('utf8')) as { VisibilityTimeout: number };
    const VisibilityTimeout = Math.ceil(asked.VisibilityTimeout * visibilityScale);
    return Buffer.from(JSON.stringify({ ...asked, VisibilityTimeout }));
  }

  private async troubled(asking: Asking): Promise<Given> {
    const { asked, call, protocol, fetch } = asking;
    const fault = this.faults.of(call, asked.body.toString('utf8'));
    if (fault === undefined) return { answer: await fetch(asked) };
    if (fault.kind === 'page-missing') return { answer: await this.withoutSecondPage(asking, fault) };
    if (fault.kind === 'page-repeated') return { answer: await this.pageAgain(asking, fault) };
    this.faults.use(fault);
    switch (fault.kind) {
      case 'slow':
        return { answer: null };
      case 'hangs':
        return { answer: null, hangs: true };
      case 'answer-lost':
        await fetch(asked);
        return { answer: null, hangs: true };
      case 'crash':
        return { answer: await fetch(asked), crash: true };
      case 'crash-before':
        return { answer: answerOf(errorReply('internal-error', call, protocol)), crash: true };
      case 'truncated':
        return { answer: half(await fetch(asked)) };
      default:
        return { answer: answerOf(errorReply(fault.kind, call, protocol)) };
    }
  }

  /** The first page leads past the second one, which nobody ever sees. */
  private async withoutSecondPage({ asked, call, protocol, fetch }: Asking, fault: Fault): Promise<Answer> {
    const page = await fetch(smallPage(asked, call, protocol));
    if (askedToken(asked, call, protocol) !== null || fault.times === 0) return page;
    const text = page.body.toString('utf8');
    const token = nextToken(text, call, protocol);
    // A list of one page has none that could be missing.
    if (token === null) return page;
    this.faults.use(fault);
    const second = await fetch(withToken(smallPage(asked, call, protocol), call, protocol, token));
    const third = nextToken(second.body.toString('utf8'), call, protocol);
    return { ...page, body: Buffer.from(withNextToken(text, call, protocol, third)) };
  }

  /** Who asks for the next page gets the same one again. */
  private async pageAgain({ asked, call, protocol, fetch }: Asking, fault: Fault): Promise<Answer> {
    const token = askedToken(asked, call, protocol);
    const before = this.handedOut.get(`${call.operation} ${token}`);
    if (before !== undefined && fault.times !== 0) {
      this.faults.use(fault);
      return before;
    }
    const page = await fetch(smallPage(asked, call, protocol));
    const next = nextToken(page.body.toString('utf8'), call, protocol);
    if (next !== null) this.handedOut.set(`${call.operation} ${next}`, page);
    return page;
  }
}

/** The body ends in the middle, and says that it is all. */
const half = (answer: Answer): Answer => ({
  ...answer,
  body: answer.body.subarray(0, Math.floor(answer.body.length / 2)),
});

function send(response: ServerResponse, { answer, crash, hangs }: Given): void {
  if (response.destroyed || hangs) return;
  // It never comes: function-conditions.cjs lets the caller's time be over.
  if (answer === null) {
    response.writeProcessing();
    return;
  }
  const { status, headers, body } = answer;
  response.writeHead(status, {
    ...handedOn(headers),
    'content-length':
      headers['content-length'] !== undefined && body.length === 0 ? headers['content-length'] : body.length,
    ...(crash ? { [crashHeader]: '1' } : {}),
  });
  response.end(body);
}

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const door = new Door(options);
  const server = createServer((request, response) => {
    door.give(request).then(
      (given) => send(response, given),
      (error: Error) => {
        process.stderr.write(`gateway: ${error.message}\n`);
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults: door.faults,
    route: (services, others) => door.route(services, others),
    get calls() {
      return door.calls;
    },
    reset: () => door.reset(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}
