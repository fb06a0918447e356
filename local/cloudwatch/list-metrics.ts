/** ListMetrics: series with data in the last two weeks, 500 a page (CloudWatch service quotas, read 2026-11-21). */
import { z } from 'zod';
import { secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { invalidParameterValue, notSupported } from './errors.ts';
import type { SeriesStore, StoredSeries } from './series-store.ts';
import { fingerprint, readToken, writeToken } from './tokens.ts';

const seriesPerPage = 500;
const listedSeconds = 14 * secondsPerDay;
const recentlyActiveSeconds = 3 * secondsPerHour;

const listMetrics = z.strictObject({
  Namespace: z.string().min(1).max(255).optional(),
  MetricName: z.string().min(1).max(255).optional(),
  Dimensions: z
    .array(z.strictObject({ Name: z.string().min(1), Value: z.string().min(1).optional() }))
    .max(10)
    .default([]),
  RecentlyActive: z.literal('PT3H').optional(),
  NextToken: z.string().optional(),
  IncludeLinkedAccounts: z.boolean().optional(),
  OwningAccount: z.string().optional(),
});

type Asked = z.infer<typeof listMetrics>;

const hasDimensions = (series: StoredSeries, filters: Asked['Dimensions']): boolean =>
  filters.every(({ Name, Value }) =>
    series.dimensions.some(({ name, value }) => name === Name && (Value === undefined || value === Value)),
  );

function isListed(series: StoredSeries, asked: Asked, nowSeconds: number): boolean {
  const newest = series.epochSeconds.at(-1);
  const within = asked.RecentlyActive === undefined ? listedSeconds : recentlyActiveSeconds;
  return (
    newest !== undefined &&
    newest >= nowSeconds - within &&
    (asked.Namespace === undefined || series.namespace === asked.Namespace) &&
    (asked.MetricName === undefined || series.metric === asked.MetricName) &&
    hasDimensions(series, asked.Dimensions)
  );
}

export function listMetricsReply(
  body: unknown,
  context: { store: SeriesStore; region: string; nowSeconds: number },
): string {
  const parsed = listMetrics.safeParse(body);
  if (!parsed.success) throw invalidParameterValue(z.prettifyError(parsed.error));
  const asked = parsed.data;
  if (asked.IncludeLinkedAccounts === true || asked.OwningAccount !== undefined) {
    throw notSupported('ListMetrics across accounts');
  }
  const requestFingerprint = fingerprint(asked);
  const [from = 0] = asked.NextToken === undefined ? [] : readToken(asked.NextToken, requestFingerprint, 1);
  const all = context.store.list(context.region);
  const found: StoredSeries[] = [];
  let index = from;
  for (; index < all.length && found.length < seriesPerPage; index++) {
    const series = all[index] as StoredSeries;
    if (isListed(series, asked, context.nowSeconds)) found.push(series);
  }
  const more = all.slice(index).some((series) => isListed(series, asked, context.nowSeconds));
  return JSON.stringify({
    Metrics: found.map(({ namespace, metric, dimensions }) => ({
      Namespace: namespace,
      MetricName: metric,
      Dimensions: dimensions.map(({ name, value }) => ({ Name: name, Value: value })),
    })),
    ...(more ? { NextToken: writeToken(requestFingerprint, [index]) } : {}),
  });
}
