/** When the rest is not asked any more: after three calls in a row that failed, and not where others come between. */
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { mockClient } from 'aws-sdk-client-mock';
import { getMetricData } from '../../../adapters/aws/get-metric-data.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';
import { hour, readsOfEach } from './metric-queries.ts';

const cloudWatch = mockClient(CloudWatchClient);
const client = new CloudWatchClient({ region: 'us-east-1' });
const broken = awsError('InternalServiceFault', 'Broken', 500);
const figures = {
  MetricDataResults: Array.from({ length: 500 }, (_, i) => ({
    Id: `m${i}`,
    StatusCode: 'Complete' as const,
  })),
};

beforeEach(() => {
  cloudWatch.reset();
});

/** Asks for 500 metrics a call. */
async function read(answers: readonly (typeof figures | Error)[], metrics: number) {
  const asked = answerInTurn(cloudWatch.on(GetMetricDataCommand), answers);
  const collector = new MetricCollector();
  const done = await getMetricData(
    { client, region: 'us-east-1', pace: null },
    readsOfEach(metrics),
    hour,
    () => collector,
  );
  const fleet = collector.finish();
  const unread = readsOfEach(metrics).filter(({ resourceId }) => fleet.unusableReason(resourceId) !== null);
  const { metricsRequested, incomplete } = done;
  return { metricsRequested, incomplete, calls: asked.length, unread: unread.length };
}
const said = (metrics: number) => [
  {
    ...{ code: 'metrics-not-read', metrics, resources: metrics },
    reason: 'cloudwatch:GetMetricData in us-east-1 failed: InternalServiceFault: Broken',
  },
];

test('the first three of five fail together: the two others are not asked, and unread with the same reason', async () => {
  expect(await read([broken, broken, broken], 2_500)).toEqual({
    calls: 3,
    unread: 2_500,
    metricsRequested: 0,
    incomplete: said(2_500),
  });
});

test('one that is answered between makes them count anew: eight calls, six of which fail', async () => {
  const answers = [broken, broken, figures, broken, broken, figures, broken, broken];
  expect(await read(answers, 4_000)).toEqual({
    calls: 8,
    unread: 3_000, // 6 x 500
    metricsRequested: 1_000, // 2 x 500
    incomplete: said(3_000),
  });
});

test('what was answered before three fail is read: of 3,500 metrics 2 x 500', async () => {
  const { calls, unread } = await read([figures, broken, figures, broken, broken, broken, figures], 3_500);
  // The seventh is not asked: of those on their way together the sixth failed before it had its turn.
  expect({ calls, unread }).toEqual({ calls: 6, unread: 2_500 });
});

test('when the time for reading is over nothing more is asked, and what was read until then is kept', async () => {
  const untilMs = 1_000_000;
  let nowMs = untilMs - 1;
  jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
  // The first call takes what is left of it.
  cloudWatch.on(GetMetricDataCommand).callsFake(async () => {
    nowMs = untilMs;
    return figures;
  });
  const collector = new MetricCollector();
  const from = { client, region: 'us-east-1', pace: null, untilMs };
  const { incomplete, metricsRequested } = await getMetricData(
    from,
    readsOfEach(2_500),
    hour,
    () => collector,
  );
  jest.restoreAllMocks();
  const asked = cloudWatch.commandCalls(GetMetricDataCommand).length;
  expect({ asked, metricsRequested }).toEqual({ asked: 1, metricsRequested: 500 });
  expect(incomplete).toEqual([
    {
      ...{ code: 'metrics-not-read', metrics: 2_000, resources: 2_000 },
      reason: 'cloudwatch:GetMetricData in us-east-1 not asked: the time for reading is over',
    },
  ]);
});
