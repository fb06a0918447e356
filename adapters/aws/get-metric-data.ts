/** Reads metrics with GetMetricData: few calls, each full, every page followed, nothing lost in silence. */
import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type GetMetricDataCommandOutput,
  type MetricDataQuery,
  type MetricDataResult,
} from '@aws-sdk/client-cloudwatch';
import { limitAsync } from 'es-toolkit/promise';
import type { ReadingPlan } from '../../core/audit/batches.ts';
import { secondsOf } from '../../core/diagnosis/thresholds.ts';
import { AccessDenied, Unreadable } from '../../core/errors.ts';
import {
  type MetricCollector,
  type MetricQuery,
  packQueries,
  pointsOf,
  pointsPerCall,
  queriesPerCall,
} from '../../core/load/metrics.ts';
import { type PointsQuota, quotaOfAge } from '../../core/load/point-rates.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { msPerSecond } from '../../core/units.ts';
import { unreadable } from './failure.ts';
import { PagesWithEnd } from './pages.ts';
import { type PlainPoints, resultsWithPoints, withPlainPoints } from './plain-points.ts';
import type { PointsPace } from './points-pace.ts';

export interface MetricsRead {
  metricsRequested: number;
  /** Points that came. */
  points: number;
  /** What CloudWatch did not give, and why. */
  incomplete: AuditNotice[];
  /** Nobody may read here: every other call would be refused too. */
  denied?: AccessDenied;
}

/** Who gathers the points of a query: one call can ask for several readers. */
export type CollectorOf = (query: MetricQuery) => MetricCollector;

/** Where metrics are read, and at which pace. */
interface MetricsFrom {
  client: CloudWatchClient;
  region: string;
  /** Null: as fast as CloudWatch answers. */
  pace: PointsPace | null;
  /** From when on nothing more is asked, in milliseconds since 1970; without it never. */
  untilMs?: number;
}

/** Of one evaluation: while one call is answered the next is asked. With four at once (audit.batchesAtOnce) a Region gets twelve; a pace bounds their points. */
export const callsAtOnce = 3;

/**
 * So many calls that fail one after the other, each tried as often as the client tries, and the rest is not asked: with
 * every batch waiting for each of its calls, a run would take longer than it may and tell nothing at all.
 */
const maxFailuresInARow = 3;

const idOf = (index: number): string => `m${index}`;

/** As the one with this index in its request. */
export const queryOf = (query: MetricQuery, index: number): MetricDataQuery => ({
  Id: idOf(index),
  MetricStat: {
    Metric: {
      Namespace: query.namespace,
      MetricName: query.metric,
      Dimensions: query.dimensions.map(({ name, value }) => ({ Name: name, Value: value })),
    },
    Period: query.periodSeconds,
    Stat: query.statistic,
  },
});

/** The function's time, or the run's, is over: what was read until then is evaluated. */
class OutOfTime extends Unreadable {
  override readonly name = 'OutOfTime';
}

/** One request and all of its pages; adds points as they come. */
class RequestReader {
  readonly incomplete: AuditNotice[] = [];
  isAnswered = false;
  points = 0;
  private readonly status = new Map<string, string>();
  private readonly byId: ReadonlyMap<string, MetricQuery>;
  private readonly collectorOf: CollectorOf;
  private readonly region: string;

  constructor(queries: readonly MetricQuery[], collectorOf: CollectorOf, region: string) {
    this.byId = new Map(queries.map((query, index) => [idOf(index), query]));
    this.collectorOf = collectorOf;
    this.region = region;
  }

  page(reply: GetMetricDataCommandOutput): void {
    this.isAnswered = true;
    for (const [result, points] of resultsWithPoints(reply)) this.result(result, points);
    for (const { Code, Value } of reply.Messages ?? []) {
      const said = { messageCode: Code ?? '', text: Value ?? '' };
      this.incomplete.push({ code: 'cloudwatch-message', from: this.region, ...said });
    }
  }

  private result({ Id, StatusCode }: MetricDataResult, { epochSeconds, values }: PlainPoints): void {
    const query = this.byId.get(Id ?? '');
    if (query === undefined) return;
    if (epochSeconds.length !== values.length) {
      throw new Unreadable(
        `${query.resourceId} ${query.metric}: ${epochSeconds.length} times and ${values.length} values came`,
      );
    }
    this.status.set(Id ?? '', StatusCode ?? 'Complete');
    this.points += values.length;
    this.collectorOf(query).add(query.resourceId, query.metric, epochSeconds, values);
  }

  /** After the last page: a metric that never came, or not in whole, is not known. */
  finish(): void {
    for (const [id, query] of this.byId) {
      const { resourceId, metric } = query;
      const status = this.status.get(id) ?? null;
      if (status === 'Complete') continue;
      this.collectorOf(query).unread(resourceId, { code: 'metric-in-part', metric, status });
      this.incomplete.push({ code: 'metric-in-part', from: this.region, resourceId, metric, status });
    }
  }
}

/** By its beginning AWS counts a request; the clock of this process decides, as AWS's own does there. */
const quotaOf = ({ startEpochSeconds }: ReadingPlan): PointsQuota =>
  quotaOfAge(Date.now() / msPerSecond - startEpochSeconds);

async function readRequest(
  { client, region, pace, untilMs = Number.POSITIVE_INFINITY }: MetricsFrom,
  queries: readonly MetricQuery[],
  plan: ReadingPlan,
  reader: RequestReader,
): Promise<void> {
  const quota = quotaOf(plan);
  const mostPoints = pace?.pointsPerCall(quota) ?? pointsPerCall;
  const windowSeconds = secondsOf(plan);
  let left = queries.reduce((sum, query) => sum + Math.ceil(pointsOf(query, windowSeconds)), 0);
  const request = {
    MetricDataQueries: queries.map(queryOf),
    StartTime: new Date(plan.startEpochSeconds * msPerSecond),
    EndTime: new Date(plan.endEpochSeconds * msPerSecond),
    ScanBy: 'TimestampAscending' as const,
    MaxDatapoints: mostPoints,
  };
  const seen = new PagesWithEnd();
  let NextToken: string | undefined;
  for (;;) {
    if (Date.now() >= untilMs)
      throw new OutOfTime(`cloudwatch:GetMetricData in ${region} not asked: the time for reading is over`);
    const command = withPlainPoints(
      new GetMetricDataCommand(NextToken === undefined ? request : { ...request, NextToken }),
    );
    // A page after what was thought to be the last one brings a few points.
    const points = Math.max(1, Math.min(left, mostPoints));
    left -= points;
    const reply: GetMetricDataCommandOutput = await client.send(
      pace === null ? command : pace.paced(command, quota, points),
    );
    reader.page(reply);
    NextToken = reply.NextToken;
    if (NextToken === undefined) return reader.finish();
    seen.look(NextToken);
  }
}

/** Of one request: they are read one after the other. */
const mostPages = 6;

/**
 * What takes a few calls is one request, read page by page. A volume that was made or attached within the window has fewer
 * points than the window can hold, and pages are filled by the points that come. More than that goes in full calls, several
 * at a time.
 */
function requestsOf(
  queries: readonly MetricQuery[],
  windowSeconds: number,
  mostPoints?: number,
): MetricQuery[][] {
  const calls = packQueries(queries, windowSeconds, mostPoints);
  const isFew = calls.length > 1 && calls.length <= mostPages && queries.length <= queriesPerCall;
  return isFew ? [calls.flat()] : calls;
}

/**
 * Adds what CloudWatch has to the collectors. A request that fails leaves its resources unread, with the reason; the
 * others go on.
 */
export async function getMetricData(
  from: MetricsFrom,
  queries: readonly MetricQuery[],
  plan: ReadingPlan,
  collectorOf: CollectorOf,
): Promise<MetricsRead> {
  const { region, pace } = from;
  const incomplete: AuditNotice[] = [];
  const failures = new Map<string, { metrics: number; resources: Set<string> }>();
  let [metricsRequested, points] = [0, 0];
  let inARow = 0;
  let givenUp: Unreadable | null = null;
  let denied: AccessDenied | null = null;
  const readOne = limitAsync(async (request: MetricQuery[]): Promise<void> => {
    const reader = new RequestReader(request, collectorOf, region);
    try {
      if (givenUp !== null) throw givenUp;
      await readRequest(from, request, plan, reader);
      incomplete.push(...reader.incomplete);
      inARow = 0;
    } catch (error) {
      const failed = unreadable(`cloudwatch:GetMetricData in ${region}`, error);
      inARow++;
      if (failed instanceof AccessDenied) denied = failed;
      // What was refused once is refused again, and time does not come back.
      if (failed instanceof AccessDenied || failed instanceof OutOfTime || inARow >= maxFailuresInARow)
        givenUp ??= failed;
      const failure = failures.get(failed.message) ?? { metrics: 0, resources: new Set() };
      failures.set(failed.message, failure);
      failure.metrics += request.length;
      for (const query of request) {
        failure.resources.add(query.resourceId);
        collectorOf(query).unread(query.resourceId, { code: 'metrics-not-read', reason: failed.message });
      }
    }
    // What AWS refuses it does not bill; what it answered in part it does.
    if (reader.isAnswered) metricsRequested += request.length;
    points += reader.points;
  }, callsAtOnce);
  const requests = requestsOf(queries, secondsOf(plan), pace?.pointsPerCall(quotaOf(plan)));
  await Promise.all(requests.map((request) => readOne(request)));
  for (const [reason, { metrics, resources }] of failures) {
    incomplete.push({ code: 'metrics-not-read', metrics, resources: resources.size, reason });
  }
  return { metricsRequested, points, incomplete, ...(denied === null ? {} : { denied }) };
}
