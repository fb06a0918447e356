/** A local Slack, by webhook and by Web API: keeps what it accepts, and refuses what Slack would, in Slack's words. */
import type { IncomingMessage } from 'node:http';
import { BadRequest, jsonReply, listen, type Reply, type RunningServer, readBytes } from '../http.ts';
import type { SlackChannel } from './conversations.ts';
import { ResponseUrls } from './response-urls.ts';
import { WebApi } from './web-api.ts';
import { localWebhookPath, Webhooks } from './webhooks.ts';

export { localWebhookPath };

/** What a bot is set up with here. */
export const localBot = { token: 'xoxb-local', channel: 'C0LOCAL0001', teamId: 'T0LOCAL0001' } as const;

export interface SlackOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Milliseconds that never go back, for the rates; the process's own by default. */
  monotonicMs?: () => number;
  /** Of the bot. */
  token?: string;
  channels?: readonly SlackChannel[];
}

export interface LocalSlack extends RunningServer {
  /** A webhook to post to; any other secret than its own makes another one. */
  webhookUrl: string;
  /** What `slackApiUrl` of @slack/web-api takes. */
  apiUrl: string;
}

interface Slack {
  webhooks: Webhooks;
  api: WebApi;
  responseUrls: ResponseUrls;
}

/** What was sent up, as it is listed. */
const uploadsOf = ({ uploads }: WebApi): object[] =>
  uploads.all.map(({ secret: _, bytes, ...upload }) => ({
    ...upload,
    base64: bytes === null ? null : bytes.toString('base64'),
  }));

type Route = (slack: Slack, text: string) => unknown;

const routes: Record<string, Route> = {
  // Of webhooks.
  'GET /_stripewise/messages': ({ webhooks }) => webhooks.accepted,
  'GET /_stripewise/refused': ({ webhooks }) => webhooks.refused,
  'DELETE /_stripewise/messages': ({ webhooks }) => webhooks.clear(),
  'POST /_stripewise/faults': ({ webhooks }, text) => webhooks.faults.add(text),
  'DELETE /_stripewise/faults': ({ webhooks }) => webhooks.faults.clear(),
  // Of a bot.
  'GET /_stripewise/posts': ({ api }) => api.conversations.posted,
  'GET /_stripewise/uploads': ({ api }) => uploadsOf(api),
  'GET /_stripewise/responses': ({ responseUrls }) => responseUrls.responses,
  'GET /_stripewise/refused-calls': ({ api }) => api.refused,
  'DELETE /_stripewise/posts': ({ api, responseUrls }) => {
    api.clear();
    responseUrls.responses = [];
  },
  'POST /_stripewise/api-faults': ({ api }, text) => api.addFault(text),
  'DELETE /_stripewise/api-faults': ({ api }) => api.clearFaults(),
};

function steer(slack: Slack, name: string, text: string): Reply {
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined) throw new BadRequest(`no route ${name}`, 404);
  return jsonReply(route(slack, text) ?? {});
}

async function answer(slack: Slack, request: IncomingMessage): Promise<Reply> {
  const { pathname } = new URL(request.url ?? '/', 'http://local');
  const { method = '', headers } = request;
  const { 'content-type': contentType = '', authorization = '', host = '' } = headers;
  const body = await readBytes(request);
  const text = body.toString('utf8');
  const [first, ...rest] = pathname.slice(1).split('/');
  if (first === '_stripewise') return steer(slack, `${method} ${pathname}`, text);
  if (method !== 'POST') throw new BadRequest('Slack takes POST here', 405);
  switch (first) {
    case 'api':
      return slack.api.call({
        ...{ method: rest.join('/'), authorization, contentType, text, url: `http://${host}` },
      });
    case 'upload': {
      const [, id = '', secret = ''] = rest;
      return slack.api.uploads.take(id, secret, contentType, body);
    }
    case 'actions':
      return slack.responseUrls.answer(pathname, text);
    default:
      return slack.webhooks.post(pathname, contentType, text);
  }
}

export async function startSlack(options: SlackOptions = {}): Promise<LocalSlack> {
  const { port = 0, monotonicMs = () => performance.now() } = options;
  const { token = localBot.token, channels = [{ id: localBot.channel }] } = options;
  const api = new WebApi(token, channels, monotonicMs);
  const slack = {
    webhooks: new Webhooks(monotonicMs),
    ...{ api, responseUrls: new ResponseUrls(api.conversations) },
  };
  const running = await listen(port, (request) => answer(slack, request));
  return {
    ...running,
    webhookUrl: `${running.url}${localWebhookPath}`,
    apiUrl: `${running.url}/api/`,
  };
}
