/** Which metrics to ask CloudWatch for, packed into requests within its limits. */
import type { Instance, Volume } from '../inventory.ts';
import {
  type MetricName,
  metricDefinitions,
  metricsOfInstance,
  metricsOfVolume,
  type Statistic,
} from './metrics.ts';

/** CloudWatch's own limits on one GetMetricData call; source: CloudWatch quotas, read 2026-11-21. */
export const queriesPerCall = 500;
export const pointsPerCall = 100_800;
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

const usdDigits = 6;
/** What asking for so many metrics costs, without the rests of binary fractions. */
export const usdOfMetrics = (metrics: number): number => Number((metrics * usdPerMetric).toFixed(usdDigits));

const finest = (metric: MetricName, periodSeconds: number): number =>
  Math.max(periodSeconds, metricDefinitions[metric].finestPeriodSeconds ?? 0);

/** How one of a volume's checks is published: with the instance it was measured on, or (null) for the volume alone. */
export interface PublishedCheck {
  metric: MetricName;
  instanceId: string | null;
}

/** Where nobody discovered how the checks are published: with each instance that the volume is attached to. */
export function expectedChecks(volume: Volume): PublishedCheck[] {
  return metricsOfVolume(volume)
    .filter((metric) => metricDefinitions[metric].dimensions === 'volume-and-instance')
    .flatMap((metric) => volume.attachments.map(({ instanceId }) => ({ metric, instanceId })));
}

/**
 * The queries of one volume.
 * @param published its checks as CloudWatch lists them; without it they are expected under volume and instance.
 */
export function queriesOfVolume(
  volume: Volume,
  periodSeconds: number,
  published: readonly PublishedCheck[] = expectedChecks(volume),
): MetricQuery[] {
  const query = (metric: MetricName, instanceId: string | null): MetricQuery => ({
    resourceId: volume.volumeId,
    metric,
    namespace: metricDefinitions[metric].namespace,
    dimensions: [
      { name: 'VolumeId', value: volume.volumeId },
      ...(instanceId === null ? [] : [{ name: 'InstanceId' as const, value: instanceId }]),
    ],
    statistic: metricDefinitions[metric].statistic,
    periodSeconds: finest(metric, periodSeconds),
  });
  const own = metricsOfVolume(volume).filter((metric) => metricDefinitions[metric].dimensions === 'volume');
  // A volume that nothing is asked of, such as one detached last week, may still have checks that are listed.
  if (own.length === 0) return [];
  return [
    ...own.map((metric) => query(metric, null)),
    ...published.map(({ metric, instanceId }) => query(metric, instanceId)),
  ];
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

/** The most points that a query can return over so many seconds. */
export const pointsOf = ({ periodSeconds }: MetricQuery, windowSeconds: number): number =>
  windowSeconds / periodSeconds;

/**
 * Requests of at most 500 queries and so many points, as full as they can be: queries of the same period stay
 * together, since only equal sizes fill a request without a rest.
 */
export function packQueries(
  queries: readonly MetricQuery[],
  windowSeconds: number,
  mostPoints: number = pointsPerCall,
): MetricQuery[][] {
  const requests: MetricQuery[][] = [];
  let current: MetricQuery[] = [];
  let points = 0;
  const finestFirst = [...queries].sort((a, b) => a.periodSeconds - b.periodSeconds);
  for (const query of finestFirst) {
    const more = pointsOf(query, windowSeconds);
    if (current.length > 0 && (current.length >= queriesPerCall || points + more > mostPoints)) {
      requests.push(current);
      current = [];
      points = 0;
    }
    current.push(query);
    points += more;
  }
  return current.length > 0 ? [...requests, current] : requests;
}
