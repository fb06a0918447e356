/** What GetMetricData is asked: within the limits of one call, page after page. */
import {
  CloudWatchClient,
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
} from '@aws-sdk/client-cloudwatch';
import { mockClient } from 'aws-sdk-client-mock';
import { getMetricData } from '../../../adapters/aws/get-metric-data.ts';
import type { ReadingPlan } from '../../../core/audit/batches.ts';
import { MetricCollector, type MetricQuery } from '../../../core/load/metrics.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { endSeconds } from '../../local/cloudwatch-fixture.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { hour, readsOf, readsOfEach } from './metric-queries.ts';

const cloudWatch = mockClient(CloudWatchClient);
const client = new CloudWatchClient({ region: 'us-east-1' });

beforeEach(() => {
  cloudWatch.reset();
});

/** Asks a CloudWatch that has no figures, and returns its requests. */
async function requestsFor(queries: MetricQuery[], plan: ReadingPlan): Promise<GetMetricDataCommandInput[]> {
  cloudWatch.on(GetMetricDataCommand).callsFake(({ MetricDataQueries }: GetMetricDataCommandInput) => ({
    MetricDataResults: (MetricDataQueries ?? []).map(({ Id }) => ({ Id, StatusCode: 'Complete' })),
  }));
  await getMetricData(
    { client, region: 'us-east-1', pace: null },
    queries,
    plan,
    () => new MetricCollector(),
  );
  return cloudWatch.commandCalls(GetMetricDataCommand).map(({ args: [{ input }] }) => input);
}

test('a query names metric, dimensions, period and statistic; the request names times, order and page size', async () => {
  const balance = readsOf('i-1', {
    metric: 'EBSIOBalance%',
    namespace: 'AWS/EC2',
    dimensions: [{ name: 'InstanceId', value: 'i-1' }],
    statistic: 'Minimum',
    periodSeconds: 300,
  });
  const pair = readsOf('vol-1', {
    metric: 'VolumeStalledIOCheck',
    dimensions: [
      { name: 'VolumeId', value: 'vol-1' },
      { name: 'InstanceId', value: 'i-1' },
    ],
  });
  const queryOf = (
    Id: string,
    Namespace: string,
    MetricName: string,
    Period: number,
    Stat: string,
    Dimensions: object[],
  ) => ({
    Id,
    MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period, Stat },
  });
  expect(await requestsFor([balance, pair], hour)).toEqual([
    {
      MetricDataQueries: [
        queryOf('m0', 'AWS/EBS', 'VolumeStalledIOCheck', 60, 'Sum', [
          { Name: 'VolumeId', Value: 'vol-1' },
          { Name: 'InstanceId', Value: 'i-1' },
        ]),
        queryOf('m1', 'AWS/EC2', 'EBSIOBalance%', 300, 'Minimum', [{ Name: 'InstanceId', Value: 'i-1' }]),
      ],
      StartTime: new Date('2026-11-19T23:00:00Z'),
      EndTime: new Date('2026-11-20T00:00:00Z'),
      ScanBy: 'TimestampAscending',
      MaxDatapoints: 100_800,
    },
  ]);
});

test('never more than 500 queries in a call: 1,001 of an hour are 500 + 500 + 1', async () => {
  const requests = await requestsFor(readsOfEach(1_001), hour);
  expect(requests.map(({ MetricDataQueries }) => MetricDataQueries?.length)).toEqual([500, 500, 1]);
});

test('never more than 100,800 points in a call: two weeks of minutes are 20,160, so 5 queries', async () => {
  const twoWeeks = { ...hour, startEpochSeconds: endSeconds - 14 * secondsPerDay }; // 14 x 1,440 = 20,160
  const requests = await requestsFor(readsOfEach(31), twoWeeks);
  expect(requests.map(({ MetricDataQueries }) => MetricDataQueries?.length)).toEqual([5, 5, 5, 5, 5, 5, 1]);
  // Up to six calls are one request, whose pages are filled by what comes.
  cloudWatch.resetHistory();
  const few = await requestsFor(readsOfEach(30), twoWeeks);
  expect(
    few.map(({ MetricDataQueries, MaxDatapoints }) => [MetricDataQueries?.length, MaxDatapoints]),
  ).toEqual([[30, 100_800]]);
});

test('each id of a request is there once, and each volume is asked once over all of them', async () => {
  const requests = await requestsFor(readsOfEach(1_001), hour);
  const volumes = requests.flatMap(({ MetricDataQueries = [] }) =>
    MetricDataQueries.map(({ MetricStat }) => MetricStat?.Metric?.Dimensions?.[0]?.Value),
  );
  expect(new Set(volumes).size).toBe(1_001);
  for (const { MetricDataQueries = [] } of requests) {
    expect(new Set(MetricDataQueries.map(({ Id }) => Id)).size).toBe(MetricDataQueries.length);
  }
});

test('nothing to ask is no call', async () => {
  expect(await requestsFor([], hour)).toEqual([]);
});

test('every NextToken is followed with the same request, also from a page that is empty', async () => {
  const at = (minute: number) => new Date((hour.startEpochSeconds + minute * 60) * 1_000);
  const page = (minutes: number[], StatusCode: string) => ({
    MetricDataResults: [{ Id: 'm0', Timestamps: minutes.map(at), Values: minutes, StatusCode }],
  });
  const asked = answerInTurn(cloudWatch.on(GetMetricDataCommand), [
    { ...page([0, 1], 'PartialData'), NextToken: 'two' },
    { MetricDataResults: [], NextToken: 'three' },
    page([2, 3], 'Complete'),
  ]);
  const collector = new MetricCollector();
  const read = await getMetricData(
    { client, region: 'us-east-1', pace: null },
    [readsOf('vol-1')],
    hour,
    () => collector,
  );
  expect(asked.map(({ NextToken }) => NextToken)).toEqual([undefined, 'two', 'three']);
  const [first, ...others] = asked.map(({ NextToken: _, ...request }) => request);
  for (const other of others) expect(other).toEqual(first);
  const metrics = collector.finish();
  expect([...(metrics.of('vol-1').get('VolumeReadOps')?.values ?? [])]).toEqual([0, 1, 2, 3]);
  expect(metrics.unusableReason('vol-1')).toBeNull();
  // One metric was requested, however many pages it took.
  expect(read).toEqual({ metricsRequested: 1, points: 4, incomplete: [] });
});

test('a page that comes again adds nothing: its points are those that were there', async () => {
  const at = (minute: number) => new Date((hour.startEpochSeconds + minute * 60) * 1_000);
  const page = (minutes: number[], StatusCode: string) => ({
    MetricDataResults: [{ Id: 'm0', Timestamps: minutes.map(at), Values: minutes, StatusCode }],
  });
  const first = { ...page([0, 1], 'PartialData'), NextToken: 'two' };
  answerInTurn(cloudWatch.on(GetMetricDataCommand), [first, first, page([2, 3], 'Complete')]);
  const collector = new MetricCollector();
  const read = await getMetricData(
    { client, region: 'us-east-1', pace: null },
    [readsOf('vol-1')],
    hour,
    () => collector,
  );
  const metrics = collector.finish();
  expect([...(metrics.of('vol-1').get('VolumeReadOps')?.values ?? [])]).toEqual([0, 1, 2, 3]);
  expect(metrics.unusableReason('vol-1')).toBeNull();
  expect(read).toEqual({ metricsRequested: 1, points: 6, incomplete: [] });
});

test.each([
  ['the same token for ever', () => 'again', 5, 'the same NextToken came 5 times in 5 pages'],
  ['new tokens for ever', (call: number) => `${call}`, 1_000, 'more than 1000 pages came'],
])('a CloudWatch that hands out %s is left, and the volume is unread', async (_, tokenOf, calls, said) => {
  let call = 0;
  cloudWatch
    .on(GetMetricDataCommand)
    .callsFake(() => ({ MetricDataResults: [], NextToken: tokenOf(call++) }));
  const collector = new MetricCollector();
  const { incomplete } = await getMetricData(
    { client, region: 'us-east-1', pace: null },
    [readsOf('vol-1')],
    hour,
    () => collector,
  );
  expect(cloudWatch.commandCalls(GetMetricDataCommand)).toHaveLength(calls);
  const reason = `cloudwatch:GetMetricData in us-east-1 failed: Error: ${said}: its list has no end`;
  expect(incomplete).toEqual([{ code: 'metrics-not-read', metrics: 1, resources: 1, reason }]);
  expect(collector.finish().unusableReason('vol-1')).toEqual({ code: 'metrics-not-read', reason });
});

test('at most three calls are on their way at once', async () => {
  let now = 0;
  let most = 0;
  cloudWatch.on(GetMetricDataCommand).callsFake(async ({ MetricDataQueries }: GetMetricDataCommandInput) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
    return { MetricDataResults: MetricDataQueries?.map(({ Id }) => ({ Id, StatusCode: 'Complete' })) };
  });
  await getMetricData(
    { client, region: 'us-east-1', pace: null },
    readsOfEach(5_000),
    hour,
    () => new MetricCollector(),
  ); // 10 requests
  expect(most).toBe(3);
});
