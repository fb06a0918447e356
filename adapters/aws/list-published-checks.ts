import { type CloudWatchClient, paginateListMetrics } from '@aws-sdk/client-cloudwatch';
import { metricDefinitions, metricNames, type PublishedCheck } from '../../core/load/metrics.ts';
import { reading } from './failure.ts';
import { pagesWithEnd } from './pages.ts';

/**
 * Under which dimensions the checks of a Region's volumes are published: AWS documents "VolumeId | InstanceId", and a
 * volume that was re-attached has a series for each instance. Only series with figures in the last two weeks are listed.
 * @returns by volume id; one page holds 500 series.
 */
export const listPublishedChecks = (
  client: CloudWatchClient,
  region: string,
): Promise<Record<string, PublishedCheck[]>> =>
  reading(`cloudwatch:ListMetrics in ${region}`, async () => {
    const byVolume = new Map<string, PublishedCheck[]>();
    const checks = metricNames.filter((name) => metricDefinitions[name].dimensions === 'volume-and-instance');
    for (const metric of checks) {
      const query = { Namespace: metricDefinitions[metric].namespace, MetricName: metric };
      for await (const { Metrics } of pagesWithEnd(paginateListMetrics({ client }, query))) {
        for (const { Dimensions } of Metrics ?? []) {
          const value = (name: string): string | null =>
            Dimensions?.find(({ Name }) => Name === name)?.Value ?? null;
          const volumeId = value('VolumeId');
          if (volumeId === null) continue;
          const instanceId = value('InstanceId');
          const published = byVolume.get(volumeId) ?? [];
          byVolume.set(volumeId, published);
          // What comes on two pages is one series: it is asked for, and paid, once.
          if (!published.some((one) => one.metric === metric && one.instanceId === instanceId))
            published.push({ metric, instanceId });
        }
      }
    }
    return Object.fromEntries(byVolume);
  });
