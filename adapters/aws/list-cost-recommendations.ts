/**
 * What Cost Optimization Hub has on the EBS volumes of one account and Region. It answers in us-east-1 alone, for all Regions. Read
 * only: nothing is enabled. Its requests are signed here: two calls are not worth the 60 packages that its SDK brings.
 * Source: Cost Optimization Hub API reference (awsJson1.0), read 2026-11-28.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { z } from 'zod';
import { Throttled, Unavailable } from '../../core/errors.ts';
import {
  hubDetailsId,
  hubPageSchema,
  hubRows,
  isHubRow,
  type RecommendationRows,
} from '../../core/second-opinion/recommendations.ts';
import type { CallCounter } from './call-counter.ts';
import { reading, unreadable } from './failure.ts';
import { PagesWithEnd } from './pages.ts';
import type { Session } from './session.ts';

const service = 'cost-optimization-hub';
const hubRegion = 'us-east-1';

type Operation = 'ListRecommendations' | 'GetRecommendation';

/** What is read of each row, beside EBS to count what is not covered. */
const resourceTypes = ['EbsVolume', 'RdsDbInstanceStorage', 'AuroraDbClusterStorage'] as const;

const rowsPerPage = 100;
const timeoutMs = 30_000;
const attempts = 5;
const firstWaitMs = 500;

export interface HubClient {
  session: Session;
  counter: CallCounter;
  /** Between attempts. @default half a second, doubled each time */
  waitMs?: number;
}

/** As the SDK takes it from the environment. */
const endpoint = (): URL =>
  new URL(
    process.env['AWS_ENDPOINT_URL_COST_OPTIMIZATION_HUB'] ??
      process.env['AWS_ENDPOINT_URL'] ??
      `https://${service}.${hubRegion}.amazonaws.com`,
  );

async function signed(
  { session }: HubClient,
  address: URL,
  operation: Operation,
  body: string,
): Promise<Record<string, string>> {
  const { credentials, sha256 } = new STSClient({ ...session, region: hubRegion }).config;
  const signer = new SignatureV4({ credentials, region: hubRegion, sha256, service });
  const { headers } = await signer.sign({
    ...{ method: 'POST', protocol: address.protocol, hostname: address.hostname, path: address.pathname },
    headers: {
      host: address.host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `CostOptimizationHubService.${operation}`,
    },
    body,
  });
  const { host: _, ...others } = headers;
  return others;
}

const errorSchema = z.object({
  __type: z.string().optional(),
  message: z.string().optional(),
  Message: z.string().optional(),
});

/** As the SDK would throw it. */
function errorOf(status: number, text: string): Error {
  let said: z.infer<typeof errorSchema> = {};
  try {
    said = errorSchema.parse(JSON.parse(text));
  } catch {
    // What is no JSON is said as it is.
  }
  const name = said.__type?.split('#').at(-1) ?? `HTTP ${status}`;
  const error = new Error(said.message ?? said.Message ?? text);
  return Object.assign(error, { name, $metadata: { httpStatusCode: status } });
}

async function once(client: HubClient, operation: Operation, body: string): Promise<unknown> {
  const address = endpoint();
  const headers = await signed(client, address, operation, body);
  client.counter.total++;
  const reply = await fetch(address, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await reply.text();
  if (!reply.ok) throw errorOf(reply.status, text);
  return JSON.parse(text);
}

/** Where the network failed, `fetch` says "fetch failed", and why in its cause. */
const causeOf = (error: unknown): unknown =>
  (error as Error).name === 'TypeError' ? ((error as Error).cause ?? error) : error;

/** What fails on its way is asked again, as the SDK does it. */
async function call(client: HubClient, operation: Operation, input: object): Promise<unknown> {
  const asked = `${service}:${operation}`;
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(client, operation, JSON.stringify(input));
    } catch (error) {
      const failure = unreadable(asked, causeOf(error));
      const isPassing = failure instanceof Throttled || failure instanceof Unavailable;
      if (!isPassing || attempt === attempts) throw failure;
      await wait((client.waitMs ?? firstWaitMs) * 2 ** (attempt - 1));
    }
  }
}

const pageSchema = hubPageSchema.extend({ nextToken: z.string().nullish() });

const isGone = (error: unknown): boolean =>
  ((error as Error).cause as Error | undefined)?.name === 'ResourceNotFoundException';

/** Its configurations; the row as it was listed where it is gone meanwhile. */
async function withDetails(client: HubClient, row: object, recommendationId: string): Promise<unknown> {
  try {
    const details = await call(client, 'GetRecommendation', { recommendationId });
    return isHubRow(details) ? { ...row, ...(details as object) } : row;
  } catch (error) {
    if (isGone(error)) return row;
    throw error;
  }
}

/**
 * @param isOfAudit of which volumes the details are asked, one call each.
 * @throws NotEnabled, AccessDenied, Throttled, Unavailable, Unreadable
 */
export const listCostRecommendations = (
  client: HubClient,
  { account, region }: { account: string; region: string },
  isOfAudit: (volumeId: string) => boolean,
): Promise<RecommendationRows> =>
  reading(`${service}:ListRecommendations of ${region}`, async () => {
    const filter = { accountIds: [account], regions: [region], resourceTypes };
    const items: unknown[] = [];
    const withEnd = new PagesWithEnd();
    let nextToken: string | null | undefined;
    do {
      const page = pageSchema.parse(
        await call(client, 'ListRecommendations', {
          ...{ filter, maxResults: rowsPerPage },
          ...(nextToken == null ? {} : { nextToken }),
        }),
      );
      withEnd.look(page.nextToken ?? undefined);
      for (const row of page.items) {
        const id = hubDetailsId(row);
        const [listed] = id === null ? [] : hubRows([row]).rows;
        const isAsked = id !== null && listed !== undefined && isOfAudit(listed.volumeId);
        items.push(isAsked ? await withDetails(client, row as object, id) : row);
      }
      nextToken = page.nextToken;
    } while (nextToken != null && nextToken !== '');
    return hubRows(items);
  });
