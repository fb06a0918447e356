/** Rates and faults of the local CloudWatch: what it throttles, and that the SDK's own retries get through. */

import {
  type CloudWatchClient,
  GetMetricDataCommand,
  ListMetricsCommand,
  PutDashboardCommand,
} from '@aws-sdk/client-cloudwatch';
import { Counts } from '../../local/cloudwatch/counts.ts';
import { at, cloudWatchFixture, endSeconds, query, series } from './cloudwatch-fixture.ts';

const day = 86_400;

/** How many of some calls sent together were answered, and how the others failed. */
async function together(
  count: number,
  call: () => Promise<unknown>,
): Promise<{ answered: number; errors: string[] }> {
  const settled = await Promise.allSettled(Array.from({ length: count }, call));
  const errors = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.name] : []));
  return { answered: count - errors.length, errors: [...new Set(errors)] };
}

describe('with time standing still', () => {
  let nowMs = 0;
  const fixture = cloudWatchFixture({ quotas: 'aws', monotonicMs: () => nowMs });
  const list = (client: CloudWatchClient) => () => client.send(new ListMetricsCommand({}));
  const throttledIn = async (): Promise<unknown> =>
    ((await fixture.send('GET', 'counts')) as { regions: Record<string, { throttled: number }> }).regions[
      'us-east-1'
    ]?.throttled;

  test('25 of 30 calls of ListMetrics are answered, and 25 more a second later', async () => {
    const client = fixture.client();
    expect(await together(30, list(client))).toEqual({ answered: 25, errors: ['ThrottlingException'] });
    nowMs += 1_000;
    expect(await together(30, list(client))).toEqual({ answered: 25, errors: ['ThrottlingException'] });
    expect(await throttledIn()).toBe(10); // 2 x (30 - 25)
  });

  test('half a second brings half of them, and each Region has its own', async () => {
    const client = fixture.client();
    await together(25, list(client));
    nowMs += 500;
    expect((await together(30, list(client))).answered).toBe(12); // 25 x 0.5 = 12.5
    expect((await together(30, list(fixture.client({ region: 'eu-west-1' })))).answered).toBe(25);
  });

  test('10 of 12 calls of PutDashboard are answered', async () => {
    const client = fixture.client();
    const put = () =>
      client.send(new PutDashboardCommand({ DashboardName: 'a', DashboardBody: '{"widgets":[]}' }));
    expect(await together(12, put)).toEqual({ answered: 10, errors: ['ThrottlingException'] });
  });

  test.each([
    ['3 hours ago', 180, 2], // 500 metrics x 180 minutes = 90,000 points; 180,000 / 90,000 = 2
    ['a minute earlier', 181, 4], // 500 x 181 = 90,500; 396,000 / 90,500 = 4.4
  ])('datapoints from %s on are limited to a second of their own rate', async (_, ageMinutes, answered) => {
    const volumeIds = Array.from({ length: 500 }, (__, i) => `vol-${i}`);
    const minutes = Array.from({ length: 200 }, () => 1);
    await fixture.load(volumeIds.map((id) => series(id, minutes, { startSeconds: endSeconds - 200 * 60 })));
    const client = fixture.client();
    const ask = () =>
      client.send(
        new GetMetricDataCommand({
          MetricDataQueries: volumeIds.map((id, i) => query(`m${i}`, id)),
          StartTime: at(endSeconds - ageMinutes * 60),
          EndTime: at(endSeconds),
        }),
      );
    expect((await together(6, ask)).answered).toBe(answered);
  });
});

describe('with time running', () => {
  const fixture = cloudWatchFixture({ quotas: 'aws' });

  test('the retries of the SDK bring 40 calls through a rate of 25 a second', async () => {
    const client = fixture.client({ maxAttempts: 10 });
    const attempts: number[] = [];
    const call = async (): Promise<void> => {
      const { $metadata } = await client.send(new ListMetricsCommand({}));
      attempts.push($metadata.attempts ?? 0);
    };
    expect((await together(40, call)).answered).toBe(40);
    expect(Math.max(...attempts)).toBeGreaterThan(1);
  });
});

describe('a fault to order', () => {
  const fixture = cloudWatchFixture();
  const asked = {
    MetricDataQueries: [query('m0', 'vol-1')],
    StartTime: at(endSeconds - day),
    EndTime: at(endSeconds),
  };
  const order = (fault: object): Promise<unknown> => fixture.send('POST', 'faults', fault);
  const get = (maxAttempts = 1, region = 'us-east-1') =>
    fixture.client({ maxAttempts, region }).send(new GetMetricDataCommand(asked));
  const throttle = { operation: 'GetMetricData', error: 'ThrottlingException', status: 400 };

  beforeEach(() => fixture.load([series('vol-1', [1, 2, 3, 4])]));

  test('is survived by the retries of the SDK when it passes', async () => {
    await order({ ...throttle, times: 2 });
    const { $metadata, MetricDataResults } = await get(3);
    expect($metadata.attempts).toBe(3); // two throttled, the third answered
    expect(MetricDataResults?.[0]?.Values).toEqual([4, 3, 2, 1]);
    expect(await fixture.send('GET', 'counts')).toMatchObject({
      regions: {
        'us-east-1': { calls: { GetMetricData: 3 }, faulted: 2, metricsRequested: 1, datapoints: 4 },
      },
    });
  });

  test('is raised by its name, for ever where it is so ordered, until it is taken back', async () => {
    await order({ operation: 'GetMetricData', error: 'AccessDenied', status: 403, times: -1 });
    for (let i = 0; i < 3; i++) {
      await expect(get()).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
    }
    await fixture.send('DELETE', 'faults');
    expect((await get()).MetricDataResults?.length).toBe(1);
  });

  test('is of its Region and its operation only', async () => {
    await order({ ...throttle, region: 'eu-west-1', times: -1 });
    await expect(get(1, 'eu-west-1')).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect((await get()).MetricDataResults?.length).toBe(1);
    expect((await fixture.client({ region: 'eu-west-1' }).send(new ListMetricsCommand({}))).Metrics).toEqual(
      [],
    );
  });

  test('can leave a metric partial: half of its points, and no page that completes it', async () => {
    await order({ operation: 'GetMetricData', times: 1, partialData: true });
    const { MetricDataResults, NextToken } = await get();
    expect(MetricDataResults?.[0]).toMatchObject({ Values: [4, 3], StatusCode: 'PartialData' });
    expect(NextToken).toBeUndefined();
    expect((await get()).MetricDataResults?.[0]?.StatusCode).toBe('Complete');
  });

  test('can be a late reply', async () => {
    await order({ operation: 'GetMetricData', delayMs: 60 });
    const began = performance.now();
    expect((await get()).MetricDataResults?.length).toBe(1);
    expect(performance.now() - began).toBeGreaterThanOrEqual(59);
  });

  test('that says nothing of what should happen is refused', async () => {
    await expect(order({ operation: 'GetMetricData' })).rejects.toThrow(
      'give an error, delayMs or partialData',
    );
  });

  test('counts start again at nothing when they are reset', async () => {
    await get();
    await fixture.send('POST', 'counts/reset');
    expect(await fixture.send('GET', 'counts')).toEqual({ regions: {} });
  });
});

test('what was answered is counted over the busiest second and ten', () => {
  const counts = new Counts();
  const answers = [
    [0, 10],
    [999, 20], // 10 + 20 in the first second
    [1_000, 5], // 20 + 5
    [9_999, 40],
    [10_000, 1], // of ten seconds 20 + 5 + 40 + 1; at 9,999 it was 75
  ] as const;
  for (const [atMs, points] of answers) counts.answered('us-east-1', points, atMs);
  expect(counts.of('us-east-1')).toMatchObject({
    datapoints: 76,
    mostDatapoints: { in1Second: 41, in10Seconds: 75 },
  });
});
