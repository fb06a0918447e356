/** Files that a replay is asked with. */
import type { Layout } from '../../core/plan/layout.ts';
import type { TemporaryDirectory } from '../fixtures/temporary-directory.ts';

export const seriesHeader = 'timestamp,read_ops,write_ops,read_bytes,write_bytes';

export const timeAt = (minute: number): string =>
  `${new Date(minute * 60_000 + Date.UTC(2026, 10, 20)).toISOString().slice(0, 19)}Z`;

/** A minute of reads of 16 KiB at a rate. */
export const readRow = (minute: number, iops: number): string =>
  `${timeAt(minute)},${iops * 60},0,${iops * 60 * 16_384},0`;

export const csvOf = (rows: readonly string[], header = seriesHeader): string => [header, ...rows].join('\n');

/** One gp3 as it comes. */
export const gp3Layout: Layout = {
  kind: 'single',
  members: 1,
  volumeType: 'gp3',
  sizeGiB: 500,
  iops: 3_000,
  throughputMiBps: 125,
};

/** The arguments of a replay of these. */
export function replayOf(directory: TemporaryDirectory, csv: string, layout: object = gp3Layout): string[] {
  const series = directory.write('load.csv', csv);
  return ['replay', '--series', series, '--layout', directory.write('layout.json', layout)];
}
