/**
 * A local stand-in for Compute Optimizer (GetEBSVolumeRecommendations) and Cost Optimization Hub (ListRecommendations, GetRecommendation),
 * both in AWS JSON 1.0. What they answer is put there: see recommendations.ts. An account that nobody has enrolled is not enrolled. AWS's
 * newest clients of Compute Optimizer speak CBOR; JSON is its other protocol, and the one that is here.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import { accountOfRequest } from '../account-of-key.ts';
import { BadRequest, jsonReply, parseJson, type Reply } from '../http.ts';
import { OrderedFaults } from '../ordered-faults.ts';
import { ServiceError } from '../service-error.ts';
import type { HubRow } from './hub.ts';
import type { VolumeRecommendation } from './recommend.ts';

const maxResults = 1_000;
/** Where a request says none. Of our own: AWS documents no default. */
const usualResults = 100;
/** The one endpoint of the hub. Source: AWS General Reference, Cost Optimization Hub endpoints, read 2026-11-28. */
const hubRegion = 'us-east-1';

const services = ['compute-optimizer', 'cost-optimization-hub'] as const;
type Service = (typeof services)[number];
const statuses = ['enrolled', 'not-enrolled', 'denied'] as const;

const paging = { nextToken: z.string().optional(), maxResults: z.int().min(0).max(maxResults).optional() };
const volumesRequest = z.strictObject({
  ...paging,
  volumeArns: z.array(z.string()).optional(),
  filters: z
    .array(z.strictObject({ name: z.literal('Finding'), values: z.array(z.string()).optional() }))
    .optional(),
  accountIds: z.array(z.string()).optional(),
});
const texts = z.array(z.string()).min(1).max(100).optional();
const hubFilter = z.strictObject({
  restartNeeded: z.boolean().optional(),
  rollbackPossible: z.boolean().optional(),
  implementationEfforts: texts,
  accountIds: z
    .array(z.string().regex(/^\d{12}$/))
    .min(1)
    .max(100)
    .optional(),
  regions: texts,
  resourceTypes: texts,
  actionTypes: texts,
  resourceIds: texts,
  resourceArns: texts,
  recommendationIds: texts,
});
const hubRequest = z.strictObject({
  ...paging,
  filter: hubFilter.optional(),
  orderBy: z
    .strictObject({ dimension: z.string().optional(), order: z.enum(['Asc', 'Desc']).optional() })
    .optional(),
  includeAllRecommendations: z.boolean().optional(),
});
const oneRequest = z.strictObject({ recommendationId: z.string() });

const givenSchema = z.strictObject({
  volumes: z.array(z.custom<VolumeRecommendation>((one) => typeof one === 'object')).default([]),
  hub: z.array(z.custom<HubRow>((one) => typeof one === 'object')).default([]),
});
const enrollmentSchema = z.strictObject({
  account: z.string().regex(/^\d{12}$/),
  service: z.enum(services),
  status: z.enum(statuses),
});
/** Management accounts may ask for their members. */
const managementSchema = z.strictObject({ account: z.string(), members: z.array(z.string()) });

const faultInput = z.strictObject({
  error: z.string(),
  status: z.int().min(400).max(599).default(400),
  message: z.string().default('ordered by a test'),
  /** -1 for ever. */
  times: z.int().min(-1).default(1),
});

type Token = { asked: string; from: number };
const tokenSchema = z.object({ asked: z.string(), from: z.int() });
const tokenOf = (token: Token): string => Buffer.from(JSON.stringify(token)).toString('base64');

const regionAt = 3;

export class RecommendationServices {
  private volumes: VolumeRecommendation[] = [];
  private hub: HubRow[] = [];
  /** ARNs by the account that is answered with them. */
  private readonly answeredTo = new Map<string, ReadonlySet<string>>();
  private readonly enrollments = new Map<string, (typeof statuses)[number]>();
  private readonly members = new Map<string, readonly string[]>();
  readonly faults = new OrderedFaults(faultInput);
  calls: Record<string, number> = {};

  /** Of the account in place of what it had; it is enrolled by that. */
  put(account: string, text: string): void {
    const { volumes, hub } = parsed(givenSchema, parseJson(text));
    // A management account is answered with rows of others, too: those are put with whose they are answered to.
    this.volumes = [...this.volumes.filter((one) => !this.isOf(account, one)), ...volumes];
    this.hub = [...this.hub.filter(({ recommendation }) => recommendation.accountId !== account), ...hub];
    this.answeredTo.set(account, new Set(volumes.map(({ volumeArn }) => volumeArn)));
    for (const service of services) this.enrollments.set(`${account} ${service}`, 'enrolled');
  }

  private isOf(account: string, { volumeArn }: VolumeRecommendation): boolean {
    return this.answeredTo.get(account)?.has(volumeArn) === true;
  }

  enroll(text: string): void {
    const { account, service, status } = parsed(enrollmentSchema, parseJson(text));
    this.enrollments.set(`${account} ${service}`, status);
  }

  manage(text: string): void {
    const { account, members } = parsed(managementSchema, parseJson(text));
    this.members.set(account, members);
  }

  call(target: string, { account, region }: { account: string; region: string }, body: unknown): object {
    const operation = target.replace(/^.*\./, '');
    this.calls[operation] = (this.calls[operation] ?? 0) + 1;
    const fault = this.faults.take();
    if (fault !== undefined) throw new ServiceError(fault.error, fault.message, fault.status);
    switch (target) {
      case 'ComputeOptimizerService.GetEBSVolumeRecommendations':
        return this.getVolumes(
          account,
          region,
          asked(volumesRequest, body, 'InvalidParameterValueException'),
        );
      case 'CostOptimizationHubService.ListRecommendations':
        return this.listOfHub(account, region, asked(hubRequest, body, 'ValidationException'));
      case 'CostOptimizationHubService.GetRecommendation':
        return this.getOfHub(account, region, asked(oneRequest, body, 'ValidationException'));
      default:
        throw new ServiceError('UnknownOperationException', `The local stand-in does not know ${target}.`);
    }
  }

  private requireEnrolled(account: string, service: Service): void {
    const status = this.enrollments.get(`${account} ${service}`) ?? 'not-enrolled';
    if (status === 'denied')
      throw new ServiceError(
        'AccessDeniedException',
        `User: arn:aws:iam::${account}:root is not authorized to perform this operation`,
      );
    if (status === 'enrolled') return;
    if (service === 'compute-optimizer')
      throw new ServiceError(
        'OptInRequiredException',
        `Aws Account ${account} is not registered for recommendations.`,
      );
    // The model of the hub has no exception of its own for that.
    throw new ServiceError('AccessDeniedException', 'AWS account is not enrolled for recommendations.');
  }

  private getVolumes(account: string, region: string, request: z.infer<typeof volumesRequest>): object {
    const { volumeArns, filters = [], accountIds = [], ...page } = request;
    if (accountIds.length > 1)
      throw new ServiceError(
        'InvalidParameterValueException',
        'Only one account ID can be specified per request.',
      );
    const of = accountIds[0] ?? account;
    if (of !== account && this.members.get(account)?.includes(of) !== true)
      throw new ServiceError('AccessDeniedException', `Account ${account} may not ask for ${of}.`);
    this.requireEnrolled(of, 'compute-optimizer');
    const found = this.volumes.filter(
      (one) =>
        this.isOf(of, one) &&
        one.volumeArn.split(':')[regionAt] === region &&
        (volumeArns === undefined || volumeArns.includes(one.volumeArn)) &&
        filters.every(({ values }) => values === undefined || values.includes(one.finding)),
    );
    const { items, next } = pageOf(found, page, JSON.stringify([of, region, volumeArns, filters]));
    const known = new Set(found.map(({ volumeArn }) => volumeArn));
    const errors = (volumeArns ?? [])
      .filter((arn) => !known.has(arn))
      .map((identifier) => ({
        identifier,
        code: 'NoRecommendation',
        message: 'There is none of this volume.',
      }));
    return { volumeRecommendations: items, errors, ...next };
  }

  private rowsOf(account: string, region: string): HubRow[] {
    if (region !== hubRegion)
      throw new ServiceError(
        'UnrecognizedClientException',
        `Cost Optimization Hub is in ${hubRegion} alone.`,
        403,
      );
    this.requireEnrolled(account, 'cost-optimization-hub');
    const members = this.members.get(account) ?? [];
    return this.hub.filter(
      ({ recommendation: { accountId } }) => accountId === account || members.includes(accountId),
    );
  }

  private listOfHub(account: string, region: string, request: z.infer<typeof hubRequest>): object {
    const { filter = {}, orderBy, includeAllRecommendations, ...page } = request;
    const isIn = (given: readonly string[] | undefined, value: string): boolean =>
      given === undefined || given.includes(value);
    const found = this.rowsOf(account, region)
      .map(({ recommendation }) => recommendation)
      .filter(
        (one) =>
          isIn(filter.accountIds, one.accountId) &&
          isIn(filter.regions, one.region) &&
          isIn(filter.resourceTypes, one.currentResourceType) &&
          isIn(filter.actionTypes, one.actionType) &&
          isIn(filter.resourceIds, one.resourceId) &&
          isIn(filter.resourceArns, one.resourceArn) &&
          isIn(filter.recommendationIds, one.recommendationId) &&
          isIn(filter.implementationEfforts, one.implementationEffort) &&
          (filter.restartNeeded ?? one.restartNeeded) === one.restartNeeded &&
          (filter.rollbackPossible ?? one.rollbackPossible) === one.rollbackPossible,
      );
    const { items, next } = pageOf(found, page, JSON.stringify([account, filter]));
    return { items, ...next };
  }

  private getOfHub(
    account: string,
    region: string,
    { recommendationId }: z.infer<typeof oneRequest>,
  ): object {
    const row = this.rowsOf(account, region).find(
      ({ recommendation }) => recommendation.recommendationId === recommendationId,
    );
    if (row === undefined)
      throw new ServiceError('ResourceNotFoundException', `There is no recommendation ${recommendationId}.`);
    const {
      currentResourceSummary: _,
      recommendedResourceSummary: __,
      ...recommendation
    } = row.recommendation;
    return { ...recommendation, ...row.details };
  }
}

function pageOf<T>(
  found: readonly T[],
  {
    nextToken,
    maxResults: most = usualResults,
  }: { nextToken?: string | undefined; maxResults?: number | undefined },
  of: string,
): { items: T[]; next: { nextToken?: string } } {
  const from = nextToken === undefined ? 0 : pageStart(nextToken, of);
  const end = from + (most === 0 ? usualResults : most);
  return {
    items: found.slice(from, end),
    next: end < found.length ? { nextToken: tokenOf({ asked: of, from: end }) } : {},
  };
}

function pageStart(nextToken: string, of: string): number {
  const token = tokenSchema.safeParse(jsonOrNull(Buffer.from(nextToken, 'base64').toString('utf8')));
  if (token.success && token.data.asked === of) return token.data.from;
  throw new ServiceError('InvalidParameterValueException', 'The nextToken does not belong to this request.');
}

function asked<T>(schema: z.ZodType<T>, body: unknown, error: string): T {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw new ServiceError(error, z.prettifyError(result.error));
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new BadRequest(z.prettifyError(result.error));
}

const targets: Readonly<Record<Service, { prefix: string; namespace: string }>> = {
  'compute-optimizer': {
    ...{ prefix: 'ComputeOptimizerService.', namespace: 'com.amazonaws.computeoptimizer' },
  },
  'cost-optimization-hub': {
    ...{ prefix: 'CostOptimizationHubService.', namespace: 'com.amazonaws.costoptimizationhub' },
  },
};

/** Which of the two a call is for; null: another service. */
const serviceOf = (target: string): Service | null =>
  services.find((service) => target.startsWith(targets[service].prefix)) ?? null;

/**
 * Null for a call of another service.
 * @param ownAccount whose a key is that says no account: functions of the local AWS have such.
 */
export function answerRecommendations(
  stored: RecommendationServices,
  headers: IncomingHttpHeaders,
  { text, ownAccount }: { text: string; ownAccount: string },
): Reply | null {
  const target = String(headers['x-amz-target'] ?? '');
  const service = serviceOf(target);
  if (service === null) return null;
  const reply = (status: number, value: object): Reply => ({
    ...jsonReply(value, status),
    contentType: 'application/x-amz-json-1.0',
  });
  try {
    const scope = new RegExp(`Credential=[^/]+/\\d{8}/([^/]+)/${service}/aws4_request`);
    const [, region] = scope.exec(headers.authorization ?? '') ?? [];
    const account = accountOfRequest(headers.authorization) ?? ownAccount;
    if (region === undefined)
      throw new ServiceError('AccessDeniedException', `The request is not signed for ${service}.`, 403);
    if (!String(headers['content-type']).startsWith('application/x-amz-json-1.0'))
      throw new ServiceError('SerializationException', 'This is not AWS JSON 1.0.');
    return reply(200, stored.call(target, { account, region }, jsonOrNull(text)));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { namespace } = targets[service];
    return reply(error.status, { __type: `${namespace}#${error.shape}`, message: error.message });
  }
}

/** Null for a route of another. */
export function steerRecommendations(
  stored: RecommendationServices,
  route: string,
  account: string | null,
  text: string,
): Reply | null {
  switch (route) {
    case 'PUT /_stripewise/recommendations':
      if (account === null) throw new BadRequest('say whose they are: ?account=111122223333');
      stored.put(account, text);
      return jsonReply({});
    case 'PUT /_stripewise/enrollment':
      stored.enroll(text);
      return jsonReply({});
    case 'PUT /_stripewise/management':
      stored.manage(text);
      return jsonReply({});
    case 'POST /_stripewise/faults-of-recommendations':
      stored.faults.add(text);
      return jsonReply({});
    case 'DELETE /_stripewise/faults-of-recommendations':
      stored.faults.clear();
      return jsonReply({});
    default:
      return null;
  }
}
