/** Queries and collectors for tests that read metrics. */
import type { ReadingPlan } from '../../../core/audit/batches.ts';
import type { MetricQuery } from '../../../core/load/metrics.ts';
import { endSeconds } from '../../local/cloudwatch-fixture.ts';

export const hour: ReadingPlan = {
  startEpochSeconds: endSeconds - 3_600,
  endEpochSeconds: endSeconds,
  periodSeconds: 60,
};

/** Reads of a volume a minute. */
export const readsOf = (resourceId: string, query: Partial<MetricQuery> = {}): MetricQuery => ({
  resourceId,
  metric: 'VolumeReadOps',
  namespace: 'AWS/EBS',
  dimensions: [{ name: 'VolumeId', value: resourceId }],
  statistic: 'Sum',
  periodSeconds: 60,
  ...query,
});

/** The reads of so many volumes: vol-0, vol-1 and so on. */
export const readsOfEach = (volumes: number): MetricQuery[] =>
  Array.from({ length: volumes }, (_, i) => readsOf(`vol-${i}`));
