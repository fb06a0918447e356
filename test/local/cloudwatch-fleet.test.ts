/** The whole simulated fleet through the local CloudWatch: what is read back is what was put in, minute by minute. */
import { type MetricDataQuery, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import { finestEbsPeriodSeconds, type MetricName, metricDefinitions } from '../../core/load/metrics.ts';
import { type FleetSeries, fleetSeries } from '../../local/cloudwatch/fleet-series.ts';
import { simulateFleet } from '../simulator/fleet.ts';
import { at, cloudWatchFixture } from './cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const fleet = simulateFleet();

const queryOf = ({ namespace, metric, dimensions }: FleetSeries, index: number): MetricDataQuery => ({
  Id: `m${index}`,
  MetricStat: {
    Metric: {
      Namespace: namespace,
      MetricName: metric,
      Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
    },
    Period: metricDefinitions[metric as MetricName].finestPeriodSeconds ?? finestEbsPeriodSeconds,
    Stat: metricDefinitions[metric as MetricName].statistic,
  },
});

/** All of some series, in requests of 500 at most: time and value of every minute by query id. */
async function readBack(
  all: readonly FleetSeries[],
  region: string,
): Promise<Map<string, Map<number, number>>> {
  const read = new Map<string, Map<number, number>>();
  const queries = all.map(queryOf);
  for (let from = 0; from < queries.length; from += 500) {
    const input = {
      MetricDataQueries: queries.slice(from, from + 500),
      StartTime: at(fleet.startEpochSeconds),
      EndTime: at(fleet.endEpochSeconds),
    };
    for await (const page of paginateGetMetricData({ client: fixture.client({ region }) }, input)) {
      for (const { Id = '', Timestamps = [], Values = [] } of page.MetricDataResults ?? []) {
        const points = read.get(Id) ?? new Map<number, number>();
        Timestamps.forEach((time, i) => {
          points.set(time.getTime() / 1_000, Values[i] ?? Number.NaN);
        });
        read.set(Id, points);
      }
    }
  }
  return read;
}

test.each(fleet.regions)('every minute of $region comes back as it was put in', async (region) => {
  const all = fleetSeries(region);
  await fixture.load(all, region.region);
  const read = await readBack(all, region.region);
  expect(read.size).toBe(all.length);
  const different = all.filter(({ epochSeconds, values }, index) => {
    // Of a repeated minute the last is kept: the sum as it stood when the minute was complete.
    const put = new Map(epochSeconds.map((time, i) => [time, values[i]]));
    const got = read.get(`m${index}`) ?? new Map<number, number>();
    return got.size !== put.size || [...put].some(([time, value]) => got.get(time) !== value);
  });
  expect(different).toEqual([]);
});

describe('a fleet as series', () => {
  const [east] = fleet.regions;
  if (east === undefined) throw new Error('the simulated fleet has no Region');
  const volumes = (
    east.describeVolumes as { Volumes: { VolumeId: string; Attachments: { InstanceId: string }[] }[] }
  ).Volumes;

  test('has checks under volume and instance, once for each instance of a shared volume', () => {
    const shared = volumes.find(({ Attachments }) => Attachments.length > 1);
    const checks = fleetSeries(east).filter(
      ({ metric, dimensions }) =>
        metric === 'VolumeStalledIOCheck' && dimensions['VolumeId'] === shared?.VolumeId,
    );
    expect(checks.map(({ dimensions }) => dimensions['InstanceId'])).toEqual(
      shared?.Attachments.map(({ InstanceId }) => InstanceId),
    );
    expect(checks.length).toBe(2);
  });

  test('has them under the volume alone where that is asked for', () => {
    const names = fleetSeries(east, { checkDimensions: 'volume' })
      .filter(({ metric }) => metric === 'VolumeStalledIOCheck')
      .map(({ dimensions }) => Object.keys(dimensions).join());
    expect(new Set(names)).toEqual(new Set(['VolumeId']));
  });

  test('has one series a label, and none of a metric that the audit does not know', () => {
    const described = { describeVolumes: { Volumes: [] } };
    const part = (Label: string, minutes: string[], Values: number[]) => ({
      Label,
      Timestamps: minutes.map((minute) => `2026-11-19T00:${minute}:00+00:00`),
      Values,
    });
    const MetricDataResults = [
      part('vol-1 VolumeReadOps', ['03', '02'], [4, 3]),
      part('vol-1 VolumeReadOps', ['01', '00'], [2, 1]),
      part('vol-1 VolumeAvgIOPS', ['00'], [1]),
      part('i-1 EBSIOBalance%', ['00'], [99]),
    ];
    const made = fleetSeries({ ...described, getMetricData: { MetricDataResults } });
    expect(
      made.map(({ namespace, metric, dimensions, values }) => [namespace, metric, dimensions, values]),
    ).toEqual([
      ['AWS/EBS', 'VolumeReadOps', { VolumeId: 'vol-1' }, [1, 2, 3, 4]],
      ['AWS/EC2', 'EBSIOBalance%', { InstanceId: 'i-1' }, [99]],
    ]);
  });
});
