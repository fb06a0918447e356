/** Asks CloudWatch in which minutes the volumes of a host, and the host itself, were at a limit. */
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { Unreadable } from '../../../core/errors.ts';
import {
  MetricCollector,
  type MetricName,
  type MetricQuery,
  type MetricSet,
  metricDefinitions,
} from '../../../core/load/metrics.ts';
import type { Check, ExceededChecks, Span } from '../../../core/report-card/exceeded-checks.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { secondsPerMinute } from '../../../core/units.ts';
import { getMetricData } from '../get-metric-data.ts';

const ofVolume = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const;
const ofInstance = ['InstanceEBSIOPSExceededCheck', 'InstanceEBSThroughputExceededCheck'] as const;

const queryOf = (
  resourceId: string,
  metric: MetricName,
  dimensions: MetricQuery['dimensions'],
): MetricQuery => ({
  ...{ resourceId, metric, dimensions, periodSeconds: secondsPerMinute },
  namespace: metricDefinitions[metric].namespace,
  statistic: metricDefinitions[metric].statistic,
});

function checkOf(metrics: MetricSet, metric: MetricName): Check {
  const series = metrics.get(metric);
  const looked = series === undefined ? [] : [...series.epochSeconds];
  return { looked, exceeded: looked.filter((_, index) => (series?.values[index] ?? 0) > 0) };
}

const whatIsMissing = (notice: AuditNotice): string =>
  notice.code === 'metric-in-part'
    ? `${notice.metric} of ${notice.resourceId} came ${notice.status === null ? 'not at all' : `as ${notice.status}`} from CloudWatch`
    : 'reason' in notice && typeof notice.reason === 'string'
      ? notice.reason
      : JSON.stringify(notice);

/** @throws Unreadable where CloudWatch does not answer in whole. */
export async function readExceededChecks(
  client: CloudWatchClient,
  region: string,
  { instanceId, volumeIds }: { instanceId: string; volumeIds: readonly string[] },
  { fromEpochSeconds, toEpochSeconds }: Span,
): Promise<ExceededChecks> {
  const instance = { name: 'InstanceId', value: instanceId } as const;
  const queries = [
    ...volumeIds.flatMap((volumeId) =>
      ofVolume.map((metric) => queryOf(volumeId, metric, [{ name: 'VolumeId', value: volumeId }, instance])),
    ),
    ...ofInstance.map((metric) => queryOf(instanceId, metric, [instance])),
  ];
  const collector = new MetricCollector();
  const window = {
    startEpochSeconds: Math.floor(fromEpochSeconds / secondsPerMinute) * secondsPerMinute,
    endEpochSeconds: Math.ceil(toEpochSeconds / secondsPerMinute) * secondsPerMinute,
  };
  const { incomplete } = await getMetricData(
    { client, region, pace: null },
    queries,
    { ...window, periodSeconds: secondsPerMinute },
    () => collector,
  );
  if (incomplete.length > 0) throw new Unreadable(incomplete.map(whatIsMissing).join('; '));
  const metrics = collector.finish();
  return {
    volumes: Object.fromEntries(
      volumeIds.map((volumeId) => {
        const set = metrics.of(volumeId);
        return [volumeId, { iops: checkOf(set, ofVolume[0]), throughput: checkOf(set, ofVolume[1]) }];
      }),
    ),
    instance: {
      iops: checkOf(metrics.of(instanceId), ofInstance[0]),
      throughput: checkOf(metrics.of(instanceId), ofInstance[1]),
    },
  };
}
