/** Pages of GetMetricData: filled completely, in the fewest calls, and bound to their request. */
import {
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
  paginateGetMetricData,
} from '@aws-sdk/client-cloudwatch';
import { at, cloudWatchFixture, endSeconds, query, series } from './cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const hourAgo = endSeconds - 3_600;

const threeVolumes: GetMetricDataCommandInput = {
  MetricDataQueries: [query('m0', 'vol-0'), query('m1', 'vol-1'), query('m2', 'vol-2')],
  StartTime: at(hourAgo),
  EndTime: at(endSeconds),
  MaxDatapoints: 4,
};

async function pages(asked: GetMetricDataCommandInput): Promise<string[]> {
  const seen: string[] = [];
  const input = { ...asked }; // the SDK's paginator writes its token into what it is given
  for await (const { MetricDataResults = [] } of paginateGetMetricData({ client: fixture.client() }, input)) {
    seen.push(
      MetricDataResults.map(({ Id, Values, StatusCode }) => `${Id} ${Values?.join('')} ${StatusCode}`).join(
        ', ',
      ),
    );
  }
  return seen;
}

describe('nine points of three metrics in pages of four', () => {
  beforeEach(() => fixture.load(['vol-0', 'vol-1', 'vol-2'].map((volumeId) => series(volumeId, [1, 2, 3]))));

  test('oldest first', async () => {
    expect(await pages({ ...threeVolumes, ScanBy: 'TimestampAscending' })).toEqual([
      'm0 123 Complete, m1 1 PartialData',
      'm1 23 Complete, m2 12 PartialData',
      'm2 3 Complete',
    ]);
  });

  test('newest first, whatever the clock does between them', async () => {
    expect(await pages(threeVolumes)).toEqual([
      'm0 321 Complete, m1 3 PartialData',
      'm1 21 Complete, m2 32 PartialData',
      'm2 1 Complete',
    ]);
  });

  test('a page that ends with a metric needs no other for metrics without points', async () => {
    const MetricDataQueries = [query('m0', 'vol-0'), query('m1', 'vol-none')];
    expect(await pages({ ...threeVolumes, MetricDataQueries, MaxDatapoints: 3 })).toEqual([
      'm0 321 Complete, m1  Complete',
    ]);
  });

  test('points that grow too old between two pages stay in', async () => {
    const client = fixture.client();
    const input = { ...threeVolumes, ScanBy: 'TimestampAscending' as const };
    const { NextToken } = await client.send(new GetMetricDataCommand(input));
    await fixture.setClock(endSeconds + 16 * 86_400);
    const { MetricDataResults } = await client.send(new GetMetricDataCommand({ ...input, NextToken }));
    expect(MetricDataResults?.[0]).toMatchObject({ Id: 'm1', Values: [2, 3] });
  });

  test('a token is refused with another request, and one made up', async () => {
    const client = fixture.client();
    const { NextToken } = await client.send(new GetMetricDataCommand(threeVolumes));
    const other = { ...threeVolumes, MaxDatapoints: 5, NextToken };
    await expect(client.send(new GetMetricDataCommand(other))).rejects.toMatchObject({
      name: 'InvalidNextToken',
      $metadata: { httpStatusCode: 400 },
    });
    const madeUp = { ...threeVolumes, NextToken: 'AAAA' };
    await expect(client.send(new GetMetricDataCommand(madeUp))).rejects.toMatchObject({
      name: 'InvalidNextToken',
    });
  });
});

interface RawPage {
  MetricDataResults: { Values: number[]; StatusCode: string }[];
  NextToken?: string;
}

/** Without the SDK: within Jest it takes 10 s to read two million points, outside of it one. */
async function rawPage(input: object): Promise<RawPage> {
  const response = await fetch(fixture.server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'GraniteServiceVersion20100801.GetMetricData',
      authorization: 'AWS4-HMAC-SHA256 Credential=AKID/20261120/us-east-1/monitoring/aws4_request',
    },
    body: JSON.stringify(input),
  });
  return (await response.json()) as RawPage;
}

test('500 metrics of 14 days in five minutes come in exactly 20 calls', async () => {
  const points = (14 * 86_400) / 300; // 4,032
  const startSeconds = endSeconds - 14 * 86_400;
  const volumeIds = Array.from({ length: 500 }, (_, i) => `vol-${i}`);
  const values = Array.from({ length: points }, (_, i) => i);
  await fixture.load(volumeIds.map((id) => series(id, values, { startSeconds, periodSeconds: 300 })));
  const MetricDataQueries = volumeIds.map((id, i) => query(`m${i}`, id, { Period: 300 }));
  const input = { MetricDataQueries, StartTime: startSeconds, EndTime: endSeconds };
  const pointsOfPages: number[] = [];
  let token: { NextToken?: string } = {};
  do {
    const { MetricDataResults, NextToken } = await rawPage({ ...input, ...token });
    expect(MetricDataResults.every(({ StatusCode }) => StatusCode === 'Complete')).toBe(true);
    pointsOfPages.push(MetricDataResults.reduce((total, { Values }) => total + Values.length, 0));
    token = NextToken === undefined ? {} : { NextToken };
  } while (token.NextToken !== undefined);
  // 500 x 4,032 = 2,016,000 = 20 x 100,800; a page holds 25 metrics whole.
  expect(pointsOfPages).toEqual(Array.from({ length: 20 }, () => 100_800));
  expect(await fixture.send('GET', 'counts')).toEqual({
    regions: {
      'us-east-1': {
        calls: { GetMetricData: 20 },
        throttled: 0,
        faulted: 0,
        metricsRequested: 500,
        datapoints: 2_016_000,
        mostDatapoints: expect.any(Object),
      },
    },
  });
});
