/** What GetMetricData answers: what is whole, what is not known, and what is said of it. */
import { CloudWatchClient, GetMetricDataCommand, type MetricDataResult } from '@aws-sdk/client-cloudwatch';
import { mockClient } from 'aws-sdk-client-mock';
import { getMetricData } from '../../../adapters/aws/get-metric-data.ts';
import { type FleetMetrics, MetricCollector } from '../../../core/load/metrics.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { hour, readsOf } from './metric-queries.ts';

const cloudWatch = mockClient(CloudWatchClient);
const client = new CloudWatchClient({ region: 'us-east-1' });

beforeEach(() => {
  cloudWatch.reset();
});

/** A result of one value a minute, from a minute of the hour on. */
const result = (Id: string, Values: number[], StatusCode?: string, fromMinute = 0): MetricDataResult => ({
  Id,
  Timestamps: Values.map((_, i) => new Date((hour.startEpochSeconds + (fromMinute + i) * 60) * 1_000)),
  Values,
  ...(StatusCode === undefined ? {} : { StatusCode: StatusCode as 'Complete' }),
});

/** Reads vol-1 (m0) and vol-2 (m1) from these pages. */
async function readFrom(...pages: object[]): Promise<{ metrics: FleetMetrics; incomplete: AuditNotice[] }> {
  const answers = pages.map((page, i) =>
    i < pages.length - 1 ? { ...page, NextToken: `page ${i + 1}` } : page,
  );
  answerInTurn(cloudWatch.on(GetMetricDataCommand), answers);
  const collector = new MetricCollector(60);
  const queries = [readsOf('vol-1'), readsOf('vol-2')];
  const { incomplete } = await getMetricData(
    { client, region: 'us-east-1', pace: null },
    queries,
    hour,
    () => collector,
  );
  return { metrics: collector.finish(), incomplete };
}

const readsIn = (metrics: FleetMetrics, id: string): number[] => [
  ...(metrics.of(id).get('VolumeReadOps')?.values ?? []),
];

test('PartialData that a later page completes is whole', async () => {
  const { metrics, incomplete } = await readFrom(
    { MetricDataResults: [result('m0', [1, 2], 'PartialData'), result('m1', [9], 'Complete')] },
    { MetricDataResults: [result('m0', [3, 4], 'Complete', 2)] },
  );
  expect(readsIn(metrics, 'vol-1')).toEqual([1, 2, 3, 4]);
  expect(metrics.unusableReason('vol-1')).toBeNull();
  expect(incomplete).toEqual([]);
});

test.each(['PartialData', 'InternalError', 'Forbidden'])(
  '%s at the end leaves that volume unread, with a line, and the other as it is',
  async (status) => {
    const { metrics, incomplete } = await readFrom({
      MetricDataResults: [result('m0', [1, 2], status), result('m1', [9], 'Complete')],
    });
    const inPart = { code: 'metric-in-part', metric: 'VolumeReadOps', status };
    expect(metrics.unusableReason('vol-1')).toEqual(inPart);
    expect(incomplete).toEqual([{ ...inPart, from: 'us-east-1', resourceId: 'vol-1' }]);
    expect(metrics.unusableReason('vol-2')).toBeNull();
  },
);

test('a page that was Complete does not make good a later one that is not', async () => {
  const { metrics } = await readFrom(
    { MetricDataResults: [result('m0', [1], 'Complete'), result('m1', [9], 'Complete')] },
    { MetricDataResults: [result('m0', [], 'InternalError')] },
  );
  expect(metrics.unusableReason('vol-1')).toEqual({
    ...{ code: 'metric-in-part', metric: 'VolumeReadOps', status: 'InternalError' },
  });
});

test('a metric that never comes is unread: silence is not "no I/O"', async () => {
  const { metrics, incomplete } = await readFrom({ MetricDataResults: [result('m1', [9], 'Complete')] });
  const missing = { code: 'metric-in-part', metric: 'VolumeReadOps', status: null };
  expect(metrics.unusableReason('vol-1')).toEqual(missing);
  expect(incomplete).toEqual([{ ...missing, from: 'us-east-1', resourceId: 'vol-1' }]);
});

test('a metric that comes without a point is whole: nothing was published', async () => {
  const { metrics, incomplete } = await readFrom({
    MetricDataResults: [result('m0', [], 'Complete'), result('m1', [9])],
  });
  expect(metrics.unusableReason('vol-1')).toBeNull();
  expect(metrics.of('vol-1').size).toBe(0);
  expect(incomplete).toEqual([]);
});

test('a zero is a figure', async () => {
  const { metrics } = await readFrom({
    MetricDataResults: [result('m0', [0, 0], 'Complete'), result('m1', [9], 'Complete')],
  });
  expect(readsIn(metrics, 'vol-1')).toEqual([0, 0]);
});

test('what CloudWatch says in Messages is passed on with the Region', async () => {
  const { incomplete } = await readFrom({
    MetricDataResults: [result('m0', [1], 'Complete'), result('m1', [9], 'Complete')],
    Messages: [{ Code: 'ArithmeticError', Value: 'One or more data-points were dropped' }, {}],
  });
  expect(incomplete).toEqual([
    {
      ...{ code: 'cloudwatch-message', from: 'us-east-1', messageCode: 'ArithmeticError' },
      text: 'One or more data-points were dropped',
    },
    { code: 'cloudwatch-message', from: 'us-east-1', messageCode: '', text: '' },
  ]);
});

test('times and values of different number cannot be put together: unread, and the numbers are said', async () => {
  const odd = { ...result('m0', [1, 2], 'Complete'), Values: [1] };
  const { metrics, incomplete } = await readFrom({ MetricDataResults: [odd, result('m1', [9], 'Complete')] });
  const notRead = { code: 'metrics-not-read', reason: 'vol-1 VolumeReadOps: 2 times and 1 values came' };
  expect(metrics.unusableReason('vol-1')).toEqual(notRead);
  expect(incomplete).toEqual([{ ...notRead, metrics: 2, resources: 2 }]);
});

test('a result that nobody asked for is left out', async () => {
  const { metrics, incomplete } = await readFrom({
    MetricDataResults: [
      result('m0', [1], 'Complete'),
      result('m1', [9], 'Complete'),
      result('m2', [5], 'Complete'),
    ],
  });
  expect(metrics.resourceIds()).toEqual(['vol-1', 'vol-2']);
  expect(incomplete).toEqual([]);
});

test('a check that two instances report is the higher of both at each time', async () => {
  answerInTurn(cloudWatch.on(GetMetricDataCommand), [
    { MetricDataResults: [result('m0', [0, 1, 0], 'Complete'), result('m1', [0, 0, 1], 'Complete')] },
  ]);
  const collector = new MetricCollector(60);
  const check = readsOf('vol-1', { metric: 'VolumeIOPSExceededCheck' });
  await getMetricData({ client, region: 'us-east-1', pace: null }, [check, check], hour, () => collector);
  const values = collector.finish().of('vol-1').get('VolumeIOPSExceededCheck')?.values ?? [];
  expect([...values]).toEqual([0, 1, 1]);
});
