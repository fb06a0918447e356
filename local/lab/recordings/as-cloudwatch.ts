/** Seconds of the lab as CloudWatch would have published them: a point a minute, sums and means. */
import { msPerSecond, secondsPerMinute } from '../../../core/units.ts';
import type { VolumeInterval } from '../recorder.ts';

/** One metric of one resource. */
export interface Series {
  metric: string;
  points: { epochSeconds: number; value: number }[];
}

/** What a second is held against; null where nothing limits it. */
export interface SecondLimits {
  iops: number | null;
  bytesPerSecond: number | null;
}

const sum = (rows: readonly VolumeInterval[], of: (row: VolumeInterval) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** Whole minutes, from rows of about a second each; a minute that was not recorded from end to end is left out. */
export function minutesOf(rows: readonly VolumeInterval[]): Map<number, VolumeInterval[]> {
  const byMinute = new Map<number, VolumeInterval[]>();
  for (const row of rows) {
    const middle = row.endEpochSeconds - row.seconds / 2;
    const start = Math.floor(middle / secondsPerMinute) * secondsPerMinute;
    byMinute.set(start, [...(byMinute.get(start) ?? []), row]);
  }
  const isWhole = (minute: readonly VolumeInterval[]): boolean => sum(minute, ({ seconds }) => seconds) > 58;
  return new Map([...byMinute].filter(([, minute]) => isWhole(minute)));
}

/** At a limit: as much as it lets through, and more that waits. */
const isHeld = (row: VolumeInterval, rate: number, limit: number | null): boolean =>
  limit !== null && rate >= 0.95 * limit && row.queueLength > 1;

/** AWS says of its checks "consistently attempted": here half of the minute's seconds. */
const exceeded = (minute: readonly VolumeInterval[], isAt: (row: VolumeInterval) => boolean): number =>
  minute.filter(isAt).length * 2 >= minute.length ? 1 : 0;

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

function series(
  minutes: ReadonlyMap<number, VolumeInterval[]>,
  metric: string,
  value: (minute: readonly VolumeInterval[]) => number,
): Series {
  const points = [...minutes].map(([epochSeconds, minute]) => ({
    epochSeconds,
    value: rounded(value(minute)),
  }));
  return { metric, points };
}

/** Of one volume. The checks are ours, from the limits that the lab set. */
export function volumeSeries(rows: readonly VolumeInterval[], limits: SecondLimits): Series[] {
  const minutes = minutesOf(rows);
  const of = (metric: string, value: (minute: readonly VolumeInterval[]) => number): Series =>
    series(minutes, metric, value);
  const iops = (row: VolumeInterval): number => (row.reads + row.writes) / row.seconds;
  const bytes = (row: VolumeInterval): number => (row.readBytes + row.writeBytes) / row.seconds;
  return [
    of('VolumeReadOps', (minute) => sum(minute, ({ reads }) => reads)),
    of('VolumeWriteOps', (minute) => sum(minute, ({ writes }) => writes)),
    of('VolumeReadBytes', (minute) => sum(minute, ({ readBytes }) => readBytes)),
    of('VolumeWriteBytes', (minute) => sum(minute, ({ writeBytes }) => writeBytes)),
    of('VolumeTotalReadTime', (minute) => sum(minute, ({ readSeconds }) => readSeconds)),
    of('VolumeTotalWriteTime', (minute) => sum(minute, ({ writeSeconds }) => writeSeconds)),
    of('VolumeIdleTime', (minute) =>
      Math.max(
        0,
        sum(minute, ({ seconds, activeSeconds }) => seconds - activeSeconds),
      ),
    ),
    of('VolumeQueueLength', (minute) => sum(minute, ({ queueLength }) => queueLength) / minute.length),
    of('VolumeStalledIOCheck', () => 0),
    of('VolumeIOPSExceededCheck', (minute) => exceeded(minute, (row) => isHeld(row, iops(row), limits.iops))),
    of('VolumeThroughputExceededCheck', (minute) =>
      exceeded(minute, (row) => isHeld(row, bytes(row), limits.bytesPerSecond)),
    ),
  ];
}

/** All volumes of a host, second by second, as one: what the instance is held against. */
function together(rows: readonly VolumeInterval[]): VolumeInterval[] {
  const byEnd = new Map<number, VolumeInterval>();
  for (const row of rows) {
    const before = byEnd.get(row.endEpochSeconds);
    if (before === undefined) {
      byEnd.set(row.endEpochSeconds, { ...row, volumeId: '' });
      continue;
    }
    byEnd.set(row.endEpochSeconds, {
      ...before,
      ...{ reads: before.reads + row.reads, writes: before.writes + row.writes },
      ...{ readBytes: before.readBytes + row.readBytes, writeBytes: before.writeBytes + row.writeBytes },
      queueLength: before.queueLength + row.queueLength,
    });
  }
  return [...byEnd.values()];
}

export function instanceSeries(rows: readonly VolumeInterval[], limits: SecondLimits): Series[] {
  const minutes = minutesOf(together(rows));
  return [
    series(minutes, 'InstanceEBSIOPSExceededCheck', () => 0),
    series(minutes, 'InstanceEBSThroughputExceededCheck', (minute) =>
      exceeded(minute, (row) =>
        isHeld(row, (row.readBytes + row.writeBytes) / row.seconds, limits.bytesPerSecond),
      ),
    ),
  ];
}

const stamp = (epochSeconds: number): string =>
  new Date(epochSeconds * msPerSecond).toISOString().replace('.000Z', '+00:00');

/** As the AWS CLI prints a reply of GetMetricData. */
export const getMetricData = (resources: readonly { id: string; series: readonly Series[] }[]): object => ({
  Messages: [],
  MetricDataResults: resources
    .flatMap(({ id, series: all }) => all.map(({ metric, points }) => ({ Label: `${id} ${metric}`, points })))
    .map(({ Label, points }, index) => ({
      ...{ Id: `m${index}`, Label },
      Timestamps: points.map(({ epochSeconds }) => stamp(epochSeconds)),
      Values: points.map(({ value }) => value),
      StatusCode: 'Complete',
    })),
});
