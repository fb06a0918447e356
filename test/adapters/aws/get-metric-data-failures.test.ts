/** Troubles while metrics are read, on the local CloudWatch: what fails is unread with the reason, the rest goes on. */
import { CallCounter } from '../../../adapters/aws/call-counter.ts';
import { getMetricData, type MetricsRead } from '../../../adapters/aws/get-metric-data.ts';
import { type FleetMetrics, MetricCollector, type MetricQuery } from '../../../core/load/metrics.ts';
import { cloudWatchFixture, region, series } from '../../local/cloudwatch-fixture.ts';
import { hour, readsOfEach } from './metric-queries.ts';

const fixture = cloudWatchFixture();
const counter = () => new CallCounter();

interface Read extends MetricsRead {
  metrics: FleetMetrics;
  calls: number;
}

async function read(queries: MetricQuery[], maxAttempts: number): Promise<Read> {
  const calls = counter();
  const client = fixture.client({ maxAttempts });
  client.middlewareStack.use(calls.plugin());
  const collector = new MetricCollector(60);
  const done = await getMetricData({ client, region, pace: null }, queries, hour, () => collector);
  return { ...done, metrics: collector.finish(), calls: calls.total };
}

const fault = (body: object): Promise<unknown> =>
  fixture.send('POST', 'faults', { operation: 'GetMetricData', ...body });
const unreadIds = ({ metrics }: Read, queries: readonly MetricQuery[]): string[] =>
  queries.map(({ resourceId }) => resourceId).filter((id) => metrics.unusableReason(id) !== null);

/** 2,500 volumes are five requests of 500; the first three are on their way together. */
const volumes = readsOfEach(2_500);

test('figures come as they were published', async () => {
  await fixture.load([series('vol-0', [5, 0, 7])]);
  const { metrics, metricsRequested, incomplete, calls } = await read(readsOfEach(2), 1);
  expect([...(metrics.of('vol-0').get('VolumeReadOps')?.values ?? [])]).toEqual([5, 0, 7]);
  expect(metrics.of('vol-1').size).toBe(0);
  expect({ metricsRequested, incomplete, calls }).toEqual({ metricsRequested: 2, incomplete: [], calls: 1 });
});

test('without trouble five requests are five calls and 2,500 metrics', async () => {
  const { calls, metricsRequested, incomplete } = await read(volumes, 1);
  expect({ calls, metricsRequested, incomplete }).toEqual({
    calls: 5,
    metricsRequested: 2_500,
    incomplete: [],
  });
});

test('throttled once: the client asks again, nothing is lost, and the retry is counted: 5 + 1 calls', async () => {
  await fault({ error: 'ThrottlingException', times: 1 });
  const done = await read(volumes, 3);
  expect(done.calls).toBe(6);
  expect(done.incomplete).toEqual([]);
  expect(unreadIds(done, volumes)).toEqual([]);
});

test('a request that is throttled to the end is unread with the reason; the four others are read', async () => {
  await fault({ error: 'ThrottlingException', message: 'Rate exceeded', times: 1 });
  const done = await read(volumes, 1);
  const reason = 'cloudwatch:GetMetricData in us-east-1 failed: ThrottlingException: Rate exceeded';
  expect(done.incomplete).toEqual([{ code: 'metrics-not-read', metrics: 500, resources: 500, reason }]);
  expect(unreadIds(done, volumes)).toHaveLength(500);
  expect(done.metrics.unusableReason('vol-0')).toEqual({ code: 'metrics-not-read', reason });
  expect(done.calls).toBe(5);
});

test('throttled for ever: after three in a row the rest of ten is not asked; all is unread, in one line', async () => {
  const twice = readsOfEach(5_000);
  await fault({ error: 'ThrottlingException', message: 'Rate exceeded', times: -1 });
  const done = await read(twice, 1);
  // Three are on their way at once: before the third has failed, the first two made room for one each. 3 + 2 = 5 of 10
  expect(done.calls).toBeGreaterThanOrEqual(3);
  expect(done.calls).toBeLessThanOrEqual(5);
  expect(done.metricsRequested).toBe(0);
  expect(unreadIds(done, twice)).toHaveLength(5_000);
  expect(done.incomplete).toEqual([
    {
      ...{ code: 'metrics-not-read', metrics: 5_000, resources: 5_000 },
      reason: 'cloudwatch:GetMetricData in us-east-1 failed: ThrottlingException: Rate exceeded',
    },
  ]);
});

test('access denied: what is not yet on its way is not asked, and all is unread with that reason', async () => {
  await fault({ error: 'AccessDenied', status: 403, message: 'not authorized', times: -1 });
  const done = await read(volumes, 3);
  expect(done.calls).toBe(3);
  expect(done.metricsRequested).toBe(0); // what is refused is not billed
  expect(unreadIds(done, volumes)).toHaveLength(2_500);
  const reason = 'cloudwatch:GetMetricData in us-east-1 failed: AccessDenied: not authorized';
  expect(done.metrics.unusableReason('vol-2499')).toEqual({ code: 'metrics-not-read', reason });
  expect(done.incomplete).toEqual([{ code: 'metrics-not-read', metrics: 2_500, resources: 2_500, reason }]);
  expect(done.denied?.message).toBe(reason);
});

test('metrics that stay PartialData leave their volume unread, on the wire too', async () => {
  await fixture.load([series('vol-0', [1, 2, 3, 4]), series('vol-1', [1, 2, 3, 4])]);
  await fault({ partialData: true });
  const queries = readsOfEach(2);
  const done = await read(queries, 1);
  expect(unreadIds(done, queries)).toEqual(['vol-0', 'vol-1']);
  expect(done.incomplete).toEqual(
    ['vol-0', 'vol-1'].map((resourceId) => ({
      ...{ code: 'metric-in-part', from: 'us-east-1', resourceId },
      ...{ metric: 'VolumeReadOps', status: 'PartialData' },
    })),
  );
});

test('two kinds of failure are two lines', async () => {
  await fault({ error: 'ThrottlingException', message: 'Rate exceeded', times: 1 });
  await fault({ error: 'InternalServiceFault', status: 500, message: 'Broken', times: 1 });
  const { incomplete } = await read(volumes, 1);
  expect(
    incomplete
      .map((one) => (one.code === 'metrics-not-read' ? one.reason.replace(/^.*failed: /, '') : one.code))
      .sort(),
  ).toEqual(['InternalServiceFault: Broken', 'ThrottlingException: Rate exceeded']);
});
