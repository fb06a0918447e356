/** What GetMetricData may be asked: the documented limits, and a loud no to what this stand-in cannot answer. */
import { z } from 'zod';
import { notSupported, validationError } from './errors.ts';
import { isPeriod, type ServedStatistic, statistics } from './points.ts';
import type { Dimension } from './series-store.ts';

/** CloudWatch service quotas, read 2026-11-21. */
const maxQueries = 500;
const maxDatapointsPerReply = 100_800;
const maxDimensions = 30;

const text = z.string().min(1).max(255);
const metricDataQuery = z.strictObject({
  Id: z.string().min(1).max(255),
  MetricStat: z
    .strictObject({
      Metric: z.strictObject({
        Namespace: text,
        MetricName: text,
        Dimensions: z
          .array(z.strictObject({ Name: text, Value: z.string().min(1).max(1_024) }))
          .max(maxDimensions)
          .default([]),
      }),
      Period: z.number(),
      Stat: z.string(),
      Unit: z.unknown().optional(),
    })
    .optional(),
  Expression: z.unknown().optional(),
  Label: z.string().optional(),
  ReturnData: z.boolean().default(true),
  Period: z.unknown().optional(),
  AccountId: z.string().optional(),
});

const getMetricData = z.strictObject({
  MetricDataQueries: z.array(metricDataQuery),
  StartTime: z.number(),
  EndTime: z.number(),
  NextToken: z.string().optional(),
  ScanBy: z.enum(['TimestampDescending', 'TimestampAscending']).default('TimestampDescending'),
  MaxDatapoints: z.number().int().min(1).max(maxDatapointsPerReply).default(maxDatapointsPerReply),
  LabelOptions: z.unknown().optional(),
});

export interface AskedMetric {
  id: string;
  label: string;
  namespace: string;
  metric: string;
  dimensions: Dimension[];
  periodSeconds: number;
  statistic: ServedStatistic;
  returnData: boolean;
}

export interface MetricDataRequest {
  queries: AskedMetric[];
  startSeconds: number;
  endSeconds: number;
  descending: boolean;
  maxDatapoints: number;
  nextToken: string | undefined;
}

const isStatistic = (word: string): word is ServedStatistic =>
  (statistics as readonly string[]).includes(word);

function refuseUnsupported(query: z.infer<typeof metricDataQuery>, account: string): void {
  const asked = `(query ${query.Id})`;
  if (query.Expression !== undefined) throw notSupported(`Expression ${asked}: give a MetricStat`);
  if (query.Period !== undefined) throw notSupported(`Period outside of MetricStat ${asked}`);
  if (query.AccountId !== undefined && query.AccountId !== account) {
    throw notSupported(`the metrics of another account, ${query.AccountId} ${asked}`);
  }
  if (query.MetricStat?.Unit !== undefined) {
    throw notSupported(`Unit ${asked}: recorded series carry none, leave it out`);
  }
  if (query.Label?.includes('${')) throw notSupported(`dynamic labels ${asked}`);
}

function askedMetric(query: z.infer<typeof metricDataQuery>, account: string): AskedMetric {
  refuseUnsupported(query, account);
  const { Id, MetricStat, Label, ReturnData } = query;
  if (!/^[a-z][a-zA-Z0-9_]*$/.test(Id)) {
    throw validationError(
      `The value ${Id} for parameter MetricDataQueries.Id is not matching ^[a-z][a-zA-Z0-9_]*$.`,
    );
  }
  if (MetricStat === undefined) {
    throw validationError(`MetricDataQuery ${Id} must have either MetricStat or Expression.`);
  }
  const { Metric, Period, Stat } = MetricStat;
  if (!isPeriod(Period)) {
    throw validationError(`Period ${Period} of ${Id} must be 1, 5, 10, 20, 30 or a multiple of 60.`);
  }
  if (!isStatistic(Stat)) throw notSupported(`Stat ${Stat} (query ${Id}): one of ${statistics.join(', ')}`);
  return {
    id: Id,
    label: Label ?? Metric.MetricName,
    namespace: Metric.Namespace,
    metric: Metric.MetricName,
    dimensions: Metric.Dimensions.map(({ Name, Value }) => ({ name: Name, value: Value })),
    periodSeconds: Period,
    statistic: Stat,
    returnData: ReturnData,
  };
}

function checkTimes(startSeconds: number, endSeconds: number): void {
  if (startSeconds === endSeconds) {
    throw validationError('The parameter StartTime must not equal parameter EndTime.');
  }
  if (startSeconds > endSeconds) {
    throw validationError('The parameter StartTime must be less than the parameter EndTime.');
  }
}

export function parseMetricDataRequest(body: unknown, account: string): MetricDataRequest {
  const parsed = getMetricData.safeParse(body);
  if (!parsed.success) throw validationError(z.prettifyError(parsed.error));
  const { MetricDataQueries, StartTime, EndTime, ScanBy, MaxDatapoints, NextToken, LabelOptions } =
    parsed.data;
  if (LabelOptions !== undefined) throw notSupported('LabelOptions');
  if (MetricDataQueries.length === 0) {
    throw validationError('The collection MetricDataQueries must not be empty.');
  }
  if (MetricDataQueries.length > maxQueries) {
    throw validationError(
      `The collection MetricDataQueries must not have a size greater than ${maxQueries}; it has ${MetricDataQueries.length}.`,
    );
  }
  checkTimes(StartTime, EndTime);
  const queries = MetricDataQueries.map((query) => askedMetric(query, account));
  if (new Set(queries.map(({ id }) => id)).size < queries.length) {
    throw validationError('The values for parameter Id in MetricDataQueries are not unique.');
  }
  return {
    queries,
    startSeconds: StartTime,
    endSeconds: EndTime,
    descending: ScanBy === 'TimestampDescending',
    maxDatapoints: MaxDatapoints,
    nextToken: NextToken,
  };
}
