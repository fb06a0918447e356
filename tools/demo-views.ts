/** What the demo reads back from the servers of the local AWS. */
import { z } from 'zod';
import { deliveriesDone, type StackOutputs } from '../local/deploy.ts';
import type { Services } from '../local/services.ts';

async function get<T>(url: string, schema: z.ZodType<T>): Promise<T> {
  const reply = await fetch(url);
  return schema.parse(await reply.json());
}

/** Messages that the fake Slack took, in order, when all that was reported is delivered. */
export const slackMessages = async (services: Services, outputs: StackOutputs): Promise<unknown[]> => {
  await deliveriesDone(services, outputs);
  const schema = z.array(z.object({ message: z.unknown() }));
  return (await get(`${services.urls.slack}/_stripewise/messages`, schema)).map(({ message }) => message);
};

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
  const { regions } = await get(`${urls.cloudWatch}/_stripewise/counts`, cloudWatchCountsSchema);
  const calls: Record<string, number> = { ...ec2.calls, ...pricing.calls };
  const total = { throttled: 0, metricsRequested: 0, datapoints: 0 };
  for (const region of Object.values(regions)) {
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
