/** What the local CloudWatch refuses, by the names that AWS's errors have in the SDK. */
import {
  DescribeAlarmsCommand,
  GetMetricDataCommand,
  type GetMetricDataCommandInput,
  ListMetricsCommand,
  type MetricStat,
} from '@aws-sdk/client-cloudwatch';
import { at, cloudWatchFixture, endSeconds, query, series } from './cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const hourAgo = endSeconds - 3_600;
const good: GetMetricDataCommandInput = {
  MetricDataQueries: [query('m0', 'vol-1')],
  StartTime: at(hourAgo),
  EndTime: at(endSeconds),
};
const queries = (count: number) => Array.from({ length: count }, (_, i) => query(`m${i}`, 'vol-1'));
const withStat = (change: Partial<MetricStat>): GetMetricDataCommandInput['MetricDataQueries'] => {
  const one = query('m0', 'vol-1');
  return [{ ...one, MetricStat: { ...one.MetricStat, ...change } as MetricStat }];
};

describe('GetMetricData is refused as ValidationException', () => {
  test.each<[string, Partial<GetMetricDataCommandInput>, RegExp]>([
    ['with 501 queries', { MetricDataQueries: queries(501) }, /size greater than 500; it has 501/],
    ['with no query', { MetricDataQueries: [] }, /must not be empty/],
    ['with an Id twice', { MetricDataQueries: [...queries(1), ...queries(1)] }, /not unique/],
    ['with an Id in capitals', { MetricDataQueries: [query('M0', 'vol-1')] }, /M0/],
    ['with an Id that starts with a figure', { MetricDataQueries: [query('0m', 'vol-1')] }, /0m/],
    ['without a metric', { MetricDataQueries: [{ Id: 'm0' }] }, /MetricStat/],
    ['with StartTime at EndTime', { StartTime: at(endSeconds) }, /must not equal/],
    ['with StartTime after EndTime', { StartTime: at(endSeconds + 60) }, /less than/],
    ['with a period of 90 s', { MetricDataQueries: withStat({ Period: 90 }) }, /multiple of 60/],
    ['with a period of 0 s', { MetricDataQueries: withStat({ Period: 0 }) }, /multiple of 60/],
    ['with 100,801 datapoints a reply', { MaxDatapoints: 100_801 }, /MaxDatapoints/],
    ['with no datapoint a reply', { MaxDatapoints: 0 }, /MaxDatapoints/],
  ])('%s', async (_, change, message) => {
    const refused = fixture.client().send(new GetMetricDataCommand({ ...good, ...change }));
    await expect(refused).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 400 },
    });
  });
});

test.each([1, 5, 10, 20, 30, 60, 120, 86_400])('a period of %i s is taken', async (Period) => {
  const asked = new GetMetricDataCommand({ ...good, MetricDataQueries: withStat({ Period }) });
  expect((await fixture.client().send(asked)).MetricDataResults?.length).toBe(1);
});

describe('what the stand-in cannot do it says', () => {
  test.each<[string, Partial<GetMetricDataCommandInput>]>([
    ['Expression', { MetricDataQueries: [{ Id: 'e0', Expression: 'm0 / 60' }] }],
    ['Unit', { MetricDataQueries: withStat({ Unit: 'Count' }) }],
    ['Stat p99', { MetricDataQueries: withStat({ Stat: 'p99' }) }],
    ['dynamic labels', { MetricDataQueries: [{ ...query('m0', 'vol-1'), Label: `\${MAX}` }] }],
    [
      'the metrics of another account',
      { MetricDataQueries: [{ ...query('m0', 'vol-1'), AccountId: '999999999999' }] },
    ],
    ['LabelOptions', { LabelOptions: { Timezone: '+0100' } }],
  ])('%s', async (what, change) => {
    const refused = fixture.client().send(new GetMetricDataCommand({ ...good, ...change }));
    await expect(refused).rejects.toMatchObject({
      name: 'NotSupportedByStandIn',
      message: expect.stringContaining(what),
    });
  });

  test('an operation it does not know', async () => {
    await expect(fixture.client().send(new DescribeAlarmsCommand({}))).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: expect.stringContaining('DescribeAlarms'),
    });
    expect(await fixture.send('GET', 'counts')).toMatchObject({
      regions: { 'us-east-1': { calls: { DescribeAlarms: 1 } } },
    });
  });
});

test('ListMetrics refuses another RecentlyActive as InvalidParameterValueException', async () => {
  const asked = new ListMetricsCommand({ RecentlyActive: 'PT1H' as 'PT3H' });
  await expect(fixture.client().send(asked)).rejects.toMatchObject({
    name: 'InvalidParameterValueException',
  });
});

test('a request that is not signed, or for another service, is refused', async () => {
  const post = async (authorization?: string): Promise<unknown> => {
    const response = await fetch(fixture.server.url, {
      method: 'POST',
      headers: {
        'x-amz-target': 'GraniteServiceVersion20100801.ListMetrics',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: '{}',
    });
    return [response.status, ((await response.json()) as { __type: string }).__type.split('#')[1]];
  };
  const scope = (service: string): string =>
    `AWS4-HMAC-SHA256 Credential=AKID/20261120/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  expect(await post()).toEqual([403, 'MissingAuthenticationTokenException']);
  expect(await post(scope('ec2'))).toEqual([403, 'InvalidSignatureException']);
});

describe('the series route refuses', () => {
  const bad = series('vol-1', [1, 2]);
  test.each([
    ['times and values of different length', { ...bad, values: [1] }, /2 times and 1 values/],
    ['a time within a minute', { ...bad, epochSeconds: [30, 60] }, /epochSeconds\[0\] is 30/],
    ['a value that is no number', { ...bad, values: [1, 'x' as unknown as number] }, /values\[1\] is x/],
  ])('%s, and stores nothing', async (_, input, message) => {
    await expect(fixture.load([series('vol-0', [1]), input])).rejects.toThrow(message);
    const { Metrics } = await fixture.client().send(new ListMetricsCommand({}));
    expect(Metrics).toEqual([]);
  });

  test('a missing Region', async () => {
    await expect(fixture.send('POST', 'series', { series: [] })).rejects.toThrow('?region=us-east-1');
  });
});
