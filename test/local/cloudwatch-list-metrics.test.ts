/** ListMetrics of the local CloudWatch, asked through the AWS SDK. */
import {
  ListMetricsCommand,
  type ListMetricsCommandInput,
  paginateListMetrics,
} from '@aws-sdk/client-cloudwatch';
import { cloudWatchFixture, endSeconds, region, series } from './cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const day = 86_400;

async function listed(input: ListMetricsCommandInput = {}): Promise<string[]> {
  const { Metrics = [] } = await fixture.client().send(new ListMetricsCommand(input));
  return Metrics.map(({ MetricName, Dimensions = [] }) =>
    [MetricName, ...Dimensions.map(({ Value }) => Value)].join(' '),
  );
}

describe('a Region with a volume, a check of it and an instance', () => {
  beforeEach(() =>
    fixture.load([
      series('vol-1', [1]),
      {
        ...series('vol-1', [0], { metric: 'VolumeStalledIOCheck' }),
        dimensions: { VolumeId: 'vol-1', InstanceId: 'i-1' },
      },
      {
        ...series('', [99], { metric: 'EBSIOBalance%' }),
        namespace: 'AWS/EC2',
        dimensions: { InstanceId: 'i-1' },
      },
    ]),
  );

  const [reads, check, balance] = [
    'VolumeReadOps vol-1',
    'VolumeStalledIOCheck vol-1 i-1',
    'EBSIOBalance% i-1',
  ];

  test.each<[string, ListMetricsCommandInput, (string | undefined)[]]>([
    ['no filter', {}, [reads, check, balance]],
    ['a namespace', { Namespace: 'AWS/EC2' }, [balance]],
    ['a metric', { MetricName: 'VolumeReadOps' }, [reads]],
    ['a dimension by its name', { Dimensions: [{ Name: 'InstanceId' }] }, [check, balance]],
    ['a dimension by name and value', { Dimensions: [{ Name: 'VolumeId', Value: 'vol-1' }] }, [reads, check]],
    ['two dimensions', { Dimensions: [{ Name: 'VolumeId' }, { Name: 'InstanceId', Value: 'i-1' }] }, [check]],
    ['another value', { Dimensions: [{ Name: 'VolumeId', Value: 'vol-2' }] }, []],
  ])('with %s lists what has it', async (_, input, expected) => {
    expect(await listed(input)).toEqual(expected);
  });

  test('lists nothing in another Region', async () => {
    const { Metrics } = await fixture.client({ region: 'eu-west-1' }).send(new ListMetricsCommand({}));
    expect(Metrics).toEqual([]);
  });

  test('lists nothing once the series are deleted', async () => {
    await fixture.send('DELETE', `series?region=${region}`);
    expect(await listed()).toEqual([]);
  });
});

describe('by the clock of the server', () => {
  const newestAt = (volumeId: string, ageSeconds: number) =>
    series(volumeId, [1], { startSeconds: endSeconds - ageSeconds });

  beforeEach(() =>
    fixture.load([
      newestAt('vol-now', 60),
      newestAt('vol-4h', 4 * 3_600),
      newestAt('vol-14d', 14 * day),
      newestAt('vol-older', 14 * day + 60),
    ]),
  );

  test('series with data in the last two weeks are listed', async () => {
    expect(await listed()).toEqual(['vol-now', 'vol-4h', 'vol-14d'].map((id) => `VolumeReadOps ${id}`));
  });

  test('of these, PT3H lists the ones with data in the last three hours', async () => {
    expect(await listed({ RecentlyActive: 'PT3H' })).toEqual(['VolumeReadOps vol-now']);
  });

  test('a day later fewer are', async () => {
    await fixture.setClock(endSeconds + day);
    expect((await listed()).length).toBe(2);
  });
});

describe('1,200 series', () => {
  const volumeIds = Array.from({ length: 1_200 }, (_, i) => `vol-${i}`);
  beforeEach(() => fixture.load(volumeIds.map((volumeId) => series(volumeId, [1]))));

  test('come in pages of 500, 500 and 200, each once', async () => {
    const pages: string[][] = [];
    for await (const { Metrics = [] } of paginateListMetrics({ client: fixture.client() }, {})) {
      pages.push(Metrics.map(({ Dimensions }) => Dimensions?.[0]?.Value ?? ''));
    }
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(pages.flat()).toEqual(volumeIds);
  });

  test('have tokens that hold for their own request only', async () => {
    const client = fixture.client();
    const { NextToken } = await client.send(new ListMetricsCommand({}));
    const other = new ListMetricsCommand({ Namespace: 'AWS/EBS', NextToken });
    await expect(client.send(other)).rejects.toMatchObject({ name: 'InvalidNextToken' });
  });
});
