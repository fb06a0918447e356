import type { VolumeInterval } from '../../../local/lab/recorder.ts';
import {
  getMetricData,
  instanceSeries,
  minutesOf,
  type Series,
  volumeSeries,
} from '../../../local/lab/recordings/as-cloudwatch.ts';
import { moved, secondsCsv } from '../../../local/lab/recordings/write.ts';

/** 2026-11-22T08:00:00Z */
const start = 1_795_334_400;
const row = (second: number, more: Partial<VolumeInterval> = {}): VolumeInterval => ({
  ...{ volumeId: 'vol-1', endEpochSeconds: start + second + 1, seconds: 1 },
  ...{
    reads: 80,
    readBytes: 80 * 8_192,
    readSeconds: 1.6,
    writes: 20,
    writeBytes: 20 * 4_096,
    writeSeconds: 0.4,
  },
  ...{ activeSeconds: 0.9, queueLength: 2 },
  ...more,
});
const rows = (from: number, count: number, more: Partial<VolumeInterval> = {}): VolumeInterval[] =>
  Array.from({ length: count }, (_, index) => row(from + index, more));
const valuesOf = (series: readonly Series[], metric: string): number[] | undefined =>
  series.find((one) => one.metric === metric)?.points.map(({ value }) => value);

const limits = { iops: 100, bytesPerSecond: 1e9 };

test('a minute is the sum of its seconds; one that was not recorded from end to end is left out', () => {
  const series = volumeSeries([...rows(-20, 20), ...rows(0, 60), ...rows(60, 30)], limits);
  // 60 x 80 reads of 8 KiB, each 20 ms.
  expect(valuesOf(series, 'VolumeReadOps')).toEqual([4_800]);
  expect(valuesOf(series, 'VolumeReadBytes')).toEqual([4_800 * 8_192]);
  expect(valuesOf(series, 'VolumeTotalReadTime')).toEqual([96]);
  expect(valuesOf(series, 'VolumeWriteOps')).toEqual([1_200]);
  expect(valuesOf(series, 'VolumeIdleTime')).toEqual([6]);
  expect(valuesOf(series, 'VolumeQueueLength')).toEqual([2]);
});

test('its check is 1 where at least half of the seconds were at the limit and something waited', () => {
  const busy = rows(0, 30);
  const free = rows(30, 30, { reads: 10, writes: 0 });
  const idleQueue = rows(60, 60, { queueLength: 0.5 });
  const series = volumeSeries([...busy, ...free, ...idleQueue], limits);
  expect(valuesOf(series, 'VolumeIOPSExceededCheck')).toEqual([1, 0]);
  expect(valuesOf(series, 'VolumeThroughputExceededCheck')).toEqual([0, 0]);
});

test('an instance is held against all of its volumes together', () => {
  const two = [...rows(0, 60), ...rows(0, 60, { volumeId: 'vol-2' })];
  // 2 x (80 x 8,192 + 20 x 4,096) = 1,474,560 bytes a second.
  const of = (bytesPerSecond: number) =>
    valuesOf(instanceSeries(two, { iops: null, bytesPerSecond }), 'InstanceEBSThroughputExceededCheck');
  expect(of(1_500_000)).toEqual([1]);
  expect(of(3_000_000)).toEqual([0]);
});

test('recordings are moved so that their first whole minute is the start of all of them', () => {
  const later = [...rows(7_190, 10), ...rows(7_200, 60)];
  expect([...minutesOf(moved(later)).keys()]).toEqual([start]);
  expect(moved([])).toEqual([]);
});

test('seconds as CSV: rows that end in one second are added', () => {
  const half = { seconds: 0.5, reads: 1, writes: 0, readBytes: 512, writeBytes: 0 };
  const text = secondsCsv([row(0, { ...half, endEpochSeconds: start + 0.5 }), row(0, half)]);
  expect(text).toBe('timestamp,read_ops,write_ops,read_bytes,write_bytes\n2026-11-22T08:00:00Z,2,0,1024,0\n');
});

test('printed as the AWS CLI prints a reply', () => {
  const series = [{ metric: 'VolumeReadOps', points: [{ epochSeconds: start, value: 4_800 }] }];
  expect(getMetricData([{ id: 'vol-1', series }])).toEqual({
    Messages: [],
    MetricDataResults: [
      {
        ...{ Id: 'm0', Label: 'vol-1 VolumeReadOps', StatusCode: 'Complete' },
        ...{ Timestamps: ['2026-11-22T08:00:00+00:00'], Values: [4_800] },
      },
    ],
  });
});
