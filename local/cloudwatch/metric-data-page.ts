/**
 * One page of GetMetricData: filled to MaxDatapoints, query by query in the order they were asked. A metric that the
 * page's end cuts is PartialData there and Complete where its last point is.
 */
import type { AskedMetric, MetricDataRequest } from './metric-data-request.ts';
import { type Points, pointsOf } from './points.ts';
import type { SeriesStore } from './series-store.ts';
import { readToken, writeToken } from './tokens.ts';

export interface PageResult {
  query: AskedMetric;
  /** Ascending, whatever order they are printed in. */
  points: Points;
  complete: boolean;
}

export interface Page {
  results: PageResult[];
  datapoints: number;
  nextToken: string | undefined;
}

interface Position {
  queryIndex: number;
  /** Points of that query that earlier pages brought. */
  pointsDone: number;
  /** The clock of the first page: what it throttled as too old stays so, or offsets would shift. */
  nowSeconds: number;
}

function positionOf(request: MetricDataRequest, requestFingerprint: string, nowSeconds: number): Position {
  if (request.nextToken === undefined) return { queryIndex: 0, pointsDone: 0, nowSeconds };
  const [queryIndex = 0, pointsDone = 0, now = 0] = readToken(request.nextToken, requestFingerprint, 3);
  return { queryIndex, pointsDone, nowSeconds: now };
}

/** Points [from, from + count) in the order they are printed. */
function sliceOf({ epochSeconds, values }: Points, from: number, count: number, descending: boolean): Points {
  const begin = descending ? epochSeconds.length - from - count : from;
  return {
    epochSeconds: epochSeconds.subarray(begin, begin + count),
    values: values.subarray(begin, begin + count),
  };
}

export function metricDataPage(
  request: MetricDataRequest,
  context: { store: SeriesStore; region: string; nowSeconds: number; requestFingerprint: string },
): Page {
  const { queries, startSeconds, endSeconds, descending, maxDatapoints } = request;
  const { store, region, requestFingerprint } = context;
  const { queryIndex, pointsDone, nowSeconds } = positionOf(request, requestFingerprint, context.nowSeconds);
  const results: PageResult[] = [];
  let datapoints = 0;
  for (let index = queryIndex; index < queries.length; index++) {
    const query = queries[index] as AskedMetric;
    if (!query.returnData) continue;
    const series = store.find(region, query.namespace, query.metric, query.dimensions);
    const { periodSeconds, statistic } = query;
    const all = pointsOf(series, { startSeconds, endSeconds, periodSeconds, statistic, nowSeconds });
    const done = index === queryIndex ? pointsDone : 0;
    const left = all.epochSeconds.length - done;
    const count = Math.min(left, maxDatapoints - datapoints);
    const goOn = (points: number): string => writeToken(requestFingerprint, [index, points, nowSeconds]);
    // A full page still takes the metrics that have no points: they need no page of their own.
    if (count === 0 && left > 0) return { results, datapoints, nextToken: goOn(done) };
    results.push({ query, points: sliceOf(all, done, count, descending), complete: count === left });
    datapoints += count;
    if (count < left) return { results, datapoints, nextToken: goOn(done + count) };
  }
  return { results, datapoints, nextToken: undefined };
}
