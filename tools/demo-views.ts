/** What the demo reads back from the servers of the local AWS. */
import { delay } from 'es-toolkit/promise';
import { z } from 'zod';
import type { StackOutputs } from '../local/deploy.ts';
import type { Services } from '../local/services.ts';

async function get<T>(url: string, schema: z.ZodType<T>): Promise<T> {
  const reply = await fetch(url);
  return schema.parse(await reply.json());
}

/** Messages that the webhook of the local Slack took, in order. */
export async function slackMessages({ urls }: Services): Promise<unknown[]> {
  const schema = z.array(z.object({ message: z.unknown() }));
  return (await get(`${urls.slack}/_stripewise/messages`, schema)).map(({ message }) => message);
}

const pollMs = 100;
const maxWaitMs = 60_000;

/** Those that are there as soon as there is one. @throws Error where none comes. */
export async function firstSlackMessages(services: Services): Promise<unknown[]> {
  for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await delay(pollMs)) {
    const messages = await slackMessages(services);
    if (messages.length > 0) return messages;
  }
  throw new Error(`no message came to the local Slack within ${maxWaitMs / 1_000} s`);
}

export interface BotPosts {
  /** In the channel itself. */
  messages: number;
  /** In threads. */
  replies: number;
  pictures: number;
}

/** What the bot posted into the local Slack until now. */
export async function botPosts({ urls }: Services): Promise<BotPosts> {
  const schema = z.array(z.object({ threadTs: z.string().nullable(), files: z.array(z.unknown()) }));
  const posts = await get(`${urls.slack}/_stripewise/posts`, schema);
  const pictures = posts.filter(({ files }) => files.length > 0).length;
  const messages = posts.filter(({ threadTs }) => threadTs === null).length;
  return { messages, replies: posts.length - messages - pictures, pictures };
}

const callsSchema = z.record(z.string(), z.number());
/** Of the servers that count their calls for all Regions together. */
const countsSchema = z.object({ calls: callsSchema });
const cloudWatchCountsSchema = z.object({
  regions: z.record(
    z.string(),
    z.object({
      calls: callsSchema,
      throttled: z.number(),
      metricsRequested: z.number(),
      datapoints: z.number(),
    }),
  ),
});

const number = new Intl.NumberFormat('en-US');

/** Calls by operation over all Regions, in words. */
export async function servedCalls({ urls }: Services): Promise<string> {
  const ec2 = await get(`${urls.ec2}/_stripewise/counts`, countsSchema);
  const pricing = await get(`${urls.pricing}/_stripewise/counts`, countsSchema);
  const accounts = await get(
    `${urls.cloudWatch}/_stripewise/counts/accounts`,
    z.record(z.string(), cloudWatchCountsSchema),
  );
  const calls: Record<string, number> = { ...ec2.calls, ...pricing.calls };
  const total = { throttled: 0, metricsRequested: 0, datapoints: 0 };
  for (const region of Object.values(accounts).flatMap(({ regions }) => Object.values(regions))) {
    for (const [operation, count] of Object.entries(region.calls))
      calls[operation] = (calls[operation] ?? 0) + count;
    total.throttled += region.throttled;
    total.metricsRequested += region.metricsRequested;
    total.datapoints += region.datapoints;
  }
  const list = Object.entries(calls)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([operation, count]) => `${count} ${operation}`)
    .join(', ');
  return `${list}; ${number.format(total.metricsRequested)} metrics and ${number.format(total.datapoints)} points of them, ${total.throttled} calls throttled and sent again`;
}

export function sayDeploymentPlaces(
  say: (line: string) => void,
  { urls }: Services,
  { RunsBucket, AuditStateMachine, Dashboard }: StackOutputs,
): void {
  say('Deployed:');
  say(`  runs           s3://${RunsBucket}/runs/ (at ${urls.aws})`);
  say(`  workflow       ${AuditStateMachine}`);
  say(`  dashboard      ${Dashboard} (${urls.cloudWatch}/_stripewise/dashboards)`);
}
