/** Series from elsewhere: a benchmark serves more of them than it could store. */
import { GetMetricDataCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import type { SeriesStore, StoredSeries } from '../../local/cloudwatch/series-store.ts';
import { at, cloudWatchFixture, endSeconds, query, series } from './cloudwatch-fixture.ts';

const minutes = 10;
const epochSeconds = Float64Array.from({ length: minutes }, (_, i) => endSeconds - (minutes - i) * 60);
const values = Float64Array.from({ length: minutes }, (_, i) => i);

const synthetic = (volumeId: string): StoredSeries => ({
  namespace: 'AWS/EBS',
  metric: 'VolumeReadOps',
  dimensions: [{ name: 'VolumeId', value: volumeId }],
  epochSeconds,
  values,
});
const store: SeriesStore = {
  find: (_region, _namespace, _metric, dimensions) => synthetic(dimensions[0]?.value ?? ''),
  list: () => ['vol-1', 'vol-2'].map(synthetic),
};
const fixture = cloudWatchFixture({ quotas: 'none', store });

test('a store of its own is read and listed', async () => {
  const client = fixture.client();
  const asked = { StartTime: at(endSeconds - 3_600), EndTime: at(endSeconds) };
  const { MetricDataResults } = await client.send(
    new GetMetricDataCommand({ ...asked, MetricDataQueries: [query('m0', 'vol-7', { Period: 300 })] }),
  );
  expect(MetricDataResults?.[0]?.Values).toEqual([35, 10]); // 5 + 6 + 7 + 8 + 9, 0 + 1 + 2 + 3 + 4
  expect((await client.send(new ListMetricsCommand({}))).Metrics?.length).toBe(2);
});

test('it takes no series by the series route', async () => {
  await expect(fixture.load([series('vol-1', [1])])).rejects.toThrow('takes no series');
});
