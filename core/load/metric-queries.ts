/** Which metrics to ask CloudWatch for, packed into requests within its limits. */
import type { Instance, Volume } from '../inventory.ts';
import {
  type MetricName,
  metricDefinitions,
  metricsOfInstance,
  metricsOfVolume,
  type Statistic,
} from './metrics.ts';

/** CloudWatch's own limit on queries in one GetMetricData request. */
const queriesPerRequest = 500;
/** USD per metric requested with GetMetricData: 0.01 per 1,000 (us-east-1, from secondary sources). */
const usdPerMetric = 0.01 / 1_000;

export interface MetricQuery {
  resourceId: string;
  metric: MetricName;
  namespace: string;
  dimensions: { name: 'VolumeId' | 'InstanceId'; value: string }[];
  statistic: Statistic;
  periodSeconds: number;
}

export const usdOfMetrics = (metrics: number): number => metrics * usdPerMetric;

const finest = (metric: MetricName, periodSeconds: number): number =>
  Math.max(periodSeconds, metricDefinitions[metric].finestPeriodSeconds ?? 0);

/** The queries of one volume: the checks once for each instance that it is attached to. */
export function queriesOfVolume(volume: Volume, periodSeconds: number): MetricQuery[] {
  return metricsOfVolume(volume).flatMap((metric) => {
    const { namespace, dimensions, statistic } = metricDefinitions[metric];
    const query = {
      resourceId: volume.volumeId,
      metric,
      namespace,
      statistic,
      periodSeconds: finest(metric, periodSeconds),
    };
    const byVolume = { name: 'VolumeId' as const, value: volume.volumeId };
    if (dimensions === 'volume') return [{ ...query, dimensions: [byVolume] }];
    return volume.attachments.map(({ instanceId }) => ({
      ...query,
      dimensions: [byVolume, { name: 'InstanceId' as const, value: instanceId }],
    }));
  });
}

export function queriesOfInstance({ instanceId }: Instance, periodSeconds: number): MetricQuery[] {
  return metricsOfInstance().map((metric) => ({
    resourceId: instanceId,
    metric,
    namespace: metricDefinitions[metric].namespace,
    dimensions: [{ name: 'InstanceId', value: instanceId }],
    statistic: metricDefinitions[metric].statistic,
    periodSeconds: finest(metric, periodSeconds),
  }));
}

/** Points that one file may hold: the CLI prints about 70 bytes a point, and a file must stay under 512 MiB. */
const pointsPerFile = 4_000_000;

/** Requests within CloudWatch's limit of queries, each with a reply that one file can hold; filled in order. */
export function packQueries(queries: readonly MetricQuery[], windowSeconds: number): MetricQuery[][] {
  const requests: MetricQuery[][] = [];
  let current: MetricQuery[] = [];
  let points = 0;
  for (const query of queries) {
    const more = windowSeconds / query.periodSeconds;
    if (current.length > 0 && (current.length >= queriesPerRequest || points + more > pointsPerFile)) {
      requests.push(current);
      current = [];
      points = 0;
    }
    current.push(query);
    points += more;
  }
  return current.length > 0 ? [...requests, current] : requests;
}
