/**
 * A local stand-in for the Price List Query API, AWS JSON 1.1: GetProducts with TERM_MATCH filters, pages, the documented
 * quota, faults to order. It proves nothing about AWS's prices. Service Quotas are beside it: see quotas.ts; so are Compute Optimizer and
 * Cost Optimization Hub: see local/compute-optimizer.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import {
  answerRecommendations,
  RecommendationServices,
  steerRecommendations,
} from '../compute-optimizer/api.ts';
import { BadRequest, jsonReply, listen, type Reply, type RunningServer, readText } from '../http.ts';
import { OrderedFaults } from '../ordered-faults.ts';
import { ServiceError } from '../service-error.ts';
import { TokenBuckets } from '../token-buckets.ts';
import { allProducts, type Product } from './products.ts';
import { quotasTarget, ServiceQuotas } from './quotas.ts';

/** Source: AWS Billing user guide, "Using the AWS Price List Query API" (Quotas), read 2026-11-21. */
export const documentedQuota = { perSecond: 5, size: 10 };
const maxResults = 100;

const filterSchema = z.object({ Type: z.string(), Field: z.string().min(1), Value: z.string().min(1) });
const requestSchema = z.object({
  ServiceCode: z.string(),
  FormatVersion: z.literal('aws_v1').optional(),
  Filters: z.array(filterSchema).max(50).default([]),
  NextToken: z.string().optional(),
  MaxResults: z.int().min(1).max(maxResults).default(maxResults),
});

const faultInput = z.strictObject({
  error: z.string(),
  status: z.int().min(400).max(599).default(400),
  message: z.string().default('ordered by a test'),
  /** -1 for ever. */
  times: z.int().min(-1).default(1),
});

export interface PricingOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Of each operation and Region; the documented one by default. */
  quota?: { perSecond: number; size: number };
  /** Milliseconds that never go back, for the quota; the process's own by default. */
  monotonicMs?: () => number;
  /** Whose keys are that say no account, for what is answered by account. */
  account?: string;
}

type Token = { asked: string; from: number };
const tokenSchema = z.object({ asked: z.string(), from: z.int() });
const tokenOf = (token: Token): string => Buffer.from(JSON.stringify(token)).toString('base64');

class PriceList {
  private readonly products: readonly Product[] = allProducts();
  private readonly quota: { perSecond: number; size: number };
  private readonly buckets: TokenBuckets;
  readonly faults = new OrderedFaults(faultInput);
  calls: Record<string, number> = {};

  constructor(quota: { perSecond: number; size: number }, monotonicMs: () => number) {
    this.quota = quota;
    this.buckets = new TokenBuckets(monotonicMs);
  }

  /** @param region whose endpoint is asked: each has a quota of its own. */
  call(operation: string, region: string, body: unknown): object {
    this.calls[operation] = (this.calls[operation] ?? 0) + 1;
    const fault = this.faults.take();
    if (fault !== undefined) throw new ServiceError(fault.error, fault.message, fault.status);
    if (!this.buckets.take(`${operation} ${region}`, this.quota))
      throw new ServiceError('ThrottlingException', 'Rate exceeded');
    if (operation === 'GetProducts') return this.getProducts(body);
    throw new ServiceError('UnknownOperationException', `The local Price List does not know ${operation}.`);
  }

  private getProducts(body: unknown): object {
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) throw new ServiceError('InvalidParameterException', z.prettifyError(parsed.error));
    const { ServiceCode, Filters, NextToken, MaxResults } = parsed.data;
    const other = Filters.find(({ Type }) => Type !== 'TERM_MATCH');
    if (other !== undefined) {
      const message = `The local Price List knows filters of type TERM_MATCH only, not ${other.Type}.`;
      throw new ServiceError('InvalidParameterException', message);
    }
    if (ServiceCode !== 'AmazonEC2')
      throw new ServiceError('NotFoundException', `The local Price List has no service ${ServiceCode}.`);
    const found = this.products.filter(({ attributes }) =>
      Filters.every(({ Field, Value }) => attributes[Field] === Value),
    );
    const asked = JSON.stringify(Filters);
    const from = NextToken === undefined ? 0 : pageStart(NextToken, asked);
    const page = found.slice(from, from + MaxResults);
    const next = from + MaxResults;
    return {
      FormatVersion: 'aws_v1',
      PriceList: page.map(({ text }) => text),
      ...(next < found.length ? { NextToken: tokenOf({ asked, from: next }) } : {}),
    };
  }
}

function pageStart(nextToken: string, asked: string): number {
  const token = tokenSchema.safeParse(jsonOrNull(Buffer.from(nextToken, 'base64').toString('utf8')));
  if (token.success && token.data.asked === asked) return token.data.from;
  throw new ServiceError('InvalidNextTokenException', 'The NextToken does not belong to this request.');
}

const targetPrefix = 'AWSPriceListService.';

interface Served {
  prices: PriceList;
  quotas: ServiceQuotas;
  recommendations: RecommendationServices;
  account: string;
}

function handleApi(served: Served, headers: IncomingHttpHeaders, text: string): Reply {
  const { prices, quotas, recommendations, account } = served;
  const recommended = answerRecommendations(recommendations, headers, { text, ownAccount: account });
  if (recommended !== null) return recommended;
  const reply = (status: number, value: object): Reply => ({
    ...jsonReply(value, status),
    contentType: 'application/x-amz-json-1.1',
  });
  const target = String(headers['x-amz-target'] ?? '');
  const isOfQuotas = target.startsWith(quotasTarget);
  try {
    if (isOfQuotas) return reply(200, quotas.call(target.replace(quotasTarget, ''), jsonOrNull(text)));
    const [, region] =
      /Credential=\S+\/([^/]+)\/pricing\/aws4_request/.exec(headers.authorization ?? '') ?? [];
    if (region === undefined)
      throw new ServiceError('AccessDeniedException', 'The request is not signed for pricing.', 403);
    return reply(200, prices.call(target.replace(targetPrefix, ''), region, jsonOrNull(text)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const namespace = isOfQuotas ? 'com.amazonaws.servicequotas.v20190624' : 'com.amazonaws.pricing';
    return reply(error.status, { __type: `${namespace}#${error.shape}`, message: error.message });
  }
}

function steer(served: Served, route: string, account: string | null, text: string): Reply {
  const { prices, quotas, recommendations } = served;
  switch (route) {
    case 'PUT /_stripewise/quotas':
      quotas.set(text);
      return jsonReply({});
    case 'GET /_stripewise/counts':
      return jsonReply({ calls: { ...prices.calls, ...recommendations.calls } });
    case 'DELETE /_stripewise/counts':
      prices.calls = {};
      recommendations.calls = {};
      return jsonReply({});
    case 'POST /_stripewise/faults':
      prices.faults.add(text);
      return jsonReply({});
    case 'DELETE /_stripewise/faults':
      prices.faults.clear();
      return jsonReply({});
    default: {
      const steered = steerRecommendations(recommendations, route, account, text);
      if (steered !== null) return steered;
      throw new BadRequest(
        `no route ${route}; there are counts, faults, quotas, recommendations, enrollment, management and faults-of-recommendations of /_stripewise`,
        404,
      );
    }
  }
}

export function startPricing(options: PricingOptions = {}): Promise<RunningServer> {
  const { port = 0, quota = documentedQuota, monotonicMs = () => performance.now() } = options;
  const served = {
    ...{ prices: new PriceList(quota, monotonicMs), quotas: new ServiceQuotas() },
    ...{ recommendations: new RecommendationServices(), account: options.account ?? '111122223333' },
  };
  return listen(port, async (request) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    const text = await readText(request);
    if (request.method === 'POST' && pathname === '/') return handleApi(served, request.headers, text);
    return steer(served, `${request.method} ${pathname}`, searchParams.get('account'), text);
  });
}
