/** GetMetricData of the local CloudWatch, asked through the AWS SDK. */
import { GetMetricDataCommand, type MetricDataResult } from '@aws-sdk/client-cloudwatch';
import { at, cloudWatchFixture, endSeconds, query, series } from './cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const hourAgo = endSeconds - 3_600;

interface Asked {
  startSeconds?: number;
  endSeconds?: number;
  ascending?: boolean;
}

async function ask(queries: ReturnType<typeof query>[], asked: Asked = {}): Promise<MetricDataResult[]> {
  const reply = await fixture.client().send(
    new GetMetricDataCommand({
      MetricDataQueries: queries,
      StartTime: at(asked.startSeconds ?? hourAgo),
      EndTime: at(asked.endSeconds ?? endSeconds),
      ...(asked.ascending === false ? {} : { ScanBy: 'TimestampAscending' }),
    }),
  );
  return reply.MetricDataResults ?? [];
}

const secondsOf = (result: MetricDataResult | undefined): number[] =>
  (result?.Timestamps ?? []).map((time) => time.getTime() / 1_000 - hourAgo);

describe('the points of a metric', () => {
  test('come newest first, unless oldest first is asked for', async () => {
    await fixture.load([series('vol-1', [1, 2, 3])]);
    const [newestFirst] = await ask([query('m0', 'vol-1')], { ascending: false });
    expect(newestFirst).toMatchObject({ Id: 'm0', Values: [3, 2, 1], StatusCode: 'Complete' });
    expect(secondsOf(newestFirst)).toEqual([120, 60, 0]);
    const [oldestFirst] = await ask([query('m0', 'vol-1')]);
    expect(oldestFirst?.Values).toEqual([1, 2, 3]);
  });

  test.each([
    ['Sum', [15, 6]], // 1 + 2 + 3 + 4 + 5 = 15; then minute 5 alone: 6
    ['Average', [3, 6]], // 15 / 5 = 3
    ['Minimum', [1, 6]],
    ['Maximum', [5, 6]],
    ['SampleCount', [5, 1]],
  ])('of five minutes as %s are %j', async (Stat, expected) => {
    await fixture.load([series('vol-1', [1, 2, 3, 4, 5, 6])]);
    const [result] = await ask([query('m0', 'vol-1', { Period: 300, Stat })]);
    expect(result?.Values).toEqual(expected);
    expect(secondsOf(result)).toEqual([0, 300]);
  });

  test('start with StartTime rounded down to the minute and end before EndTime', async () => {
    await fixture.load([series('vol-1', [0, 1, 2, 3, 4])]);
    // 00:01:34 is rounded down to 00:01:00; minute 3 is the EndTime itself.
    const [result] = await ask([query('m0', 'vol-1')], {
      startSeconds: hourAgo + 94,
      endSeconds: hourAgo + 180,
    });
    expect(result?.Values).toEqual([1, 2]);
  });

  test('of a period that began before StartTime are left out', async () => {
    await fixture.load([series('vol-1', [1, 1, 1, 1, 1, 2, 2, 2, 2, 2])]);
    const [result] = await ask([query('m0', 'vol-1', { Period: 300 })], { startSeconds: hourAgo + 60 });
    expect(result?.Values).toEqual([10]); // 5 x 2, stamped 00:05
    expect(secondsOf(result)).toEqual([300]);
  });

  test('recorded every five minutes are not spread over the minutes between', async () => {
    await fixture.load([series('vol-1', [50, 60], { periodSeconds: 300 })]);
    const [result] = await ask([query('m0', 'vol-1')]);
    expect(secondsOf(result)).toEqual([0, 300]);
  });

  test('of a repeated time are the last given, and posting again replaces the series', async () => {
    const repeated = { ...series('vol-1', [7, 9, 8]), epochSeconds: [hourAgo, hourAgo + 60, hourAgo] };
    await fixture.load([repeated]);
    expect((await ask([query('m0', 'vol-1')]))[0]?.Values).toEqual([8, 9]);
    await fixture.load([series('vol-1', [1])]);
    expect((await ask([query('m0', 'vol-1')]))[0]?.Values).toEqual([1]);
  });
});

describe('a series is found', () => {
  const pair = {
    ...series('vol-1', [5]),
    metric: 'VolumeStalledIOCheck',
    dimensions: { VolumeId: 'vol-1', InstanceId: 'i-1' },
  };
  const check = (...Dimensions: { Name: string; Value: string }[]) => ({
    Id: 'm0',
    MetricStat: {
      Metric: { Namespace: 'AWS/EBS', MetricName: 'VolumeStalledIOCheck', Dimensions },
      Period: 60,
      Stat: 'Sum',
    },
  });
  const byVolume = { Name: 'VolumeId', Value: 'vol-1' };
  const byInstance = { Name: 'InstanceId', Value: 'i-1' };

  test.each([
    ['by all of its dimensions', [byVolume, byInstance], [5]],
    ['by them in another order', [byInstance, byVolume], [5]],
    ['not by one of them', [byVolume], []],
    ['not by none', [], []],
    ['not by one more', [byVolume, byInstance, { Name: 'Other', Value: 'x' }], []],
  ])('%s', async (_, dimensions, expected) => {
    await fixture.load([pair]);
    const [result] = await ask([check(...dimensions)]);
    expect(result).toMatchObject({ StatusCode: 'Complete', Values: expected });
  });

  test('only in its own Region', async () => {
    await fixture.load([series('vol-1', [5])], 'eu-central-1');
    expect((await ask([query('m0', 'vol-1')]))[0]).toMatchObject({ Values: [], StatusCode: 'Complete' });
  });
});

test('labels are echoed, the metric by default, and ReturnData false returns nothing', async () => {
  await fixture.load([series('vol-1', [5])]);
  const results = await ask([
    query('m0', 'vol-1'),
    { ...query('m1', 'vol-1'), Label: 'vol-1 VolumeReadOps' },
    { ...query('m2', 'vol-1'), ReturnData: false },
  ]);
  expect(results.map(({ Id, Label }) => `${Id} ${Label}`)).toEqual([
    'm0 VolumeReadOps',
    'm1 vol-1 VolumeReadOps',
  ]);
});

describe('by the clock of the server', () => {
  const day = 86_400;
  const window = { startSeconds: endSeconds - 70 * day, endSeconds };
  // A point at midnight of each of the last 70 days, the newest one day ago.
  const days = Array.from({ length: 70 }, (_, i) => 70 - i);
  const daily = {
    ...series('vol-1', days),
    epochSeconds: days.map((age) => endSeconds - age * day),
  };

  test.each([
    [60, 15],
    [300, 63],
    [3_600, 70],
  ])('points in a period of %i s are there for %i of the 70 days', async (Period, kept) => {
    await fixture.load([daily]);
    const [result] = await ask([query('m0', 'vol-1', { Period })], window);
    expect(result?.Values?.length).toBe(kept);
    expect(result?.Values?.[0]).toBe(kept); // the oldest is as old as the retention allows
  });

  test('a week later seven one-minute points fewer are left', async () => {
    await fixture.load([daily]);
    await fixture.setClock(endSeconds + 7 * day);
    const [result] = await ask([query('m0', 'vol-1')], window);
    expect(result?.Values?.length).toBe(8); // 15 - 7
  });
});
