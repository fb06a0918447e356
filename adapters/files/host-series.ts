/** What a person recorded of a load: text of iostat and sar, snapshots of pg_stat_io, or a series of our own. */
import {
  type GivenTimes,
  type HostFormat,
  hostFormat,
  iostatRecording,
  sarRecording,
} from '../../core/demand/host-formats.ts';
import type { HostRecording } from '../../core/demand/host-report.ts';
import { pgStatIoRecording } from '../../core/demand/pg-stat-io.ts';
import { BadInput } from '../../core/errors.ts';
import { bytesPerMiB, epochSecondsOf } from '../../core/units.ts';
import { parseCsv } from './csv.ts';
import { readText } from './read-file.ts';
import { readSeriesCsv } from './series-csv.ts';

/** Options that say what a file does not. */
export interface HostFileOptions {
  device?: string;
  start?: Date;
  intervalSeconds?: number;
}

const formats = 'give text of `iostat -xt 60` or `sar -d`, CSV of pg_stat_io, or a series of `replay`';

function givenTimes({ start, intervalSeconds }: HostFileOptions): GivenTimes | null {
  if (start === undefined && intervalSeconds === undefined) return null;
  if (start === undefined || intervalSeconds === undefined)
    throw new BadInput('--start and --interval-seconds are the times of an iostat without -t: give both');
  return { startEpochSeconds: epochSecondsOf(start.toISOString()), intervalSeconds };
}

/** Options that a format has no use for are a mistake. */
function requireOfFormat(format: HostFormat | null, { device }: HostFileOptions, hasTimes: boolean): void {
  if (device !== undefined && format !== 'iostat' && format !== 'sar')
    throw new BadInput('has no devices; leave out --device');
  if (hasTimes && format !== 'iostat')
    throw new BadInput('is no iostat: its times are in it; leave out --start and --interval-seconds');
}

/** A message of what is in a file begins with its name. */
function naming<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadInput) || error.message.startsWith(path)) throw error;
    throw new BadInput(`${path}: ${error.message}`, { cause: error });
  }
}

function recordingIn(path: string, options: HostFileOptions): HostRecording | null {
  const times = givenTimes(options);
  const text = readText(path);
  return naming(path, () => {
    const format = hostFormat(text);
    requireOfFormat(format, options, times !== null);
    switch (format) {
      case 'awr':
        throw new BadInput(
          `is an Oracle AWR report: it has means of its whole time, and no series. For its IOPS run \`stripewise demand --awr ${path}\`; for a series record the host with \`iostat -xt 60\``,
        );
      case 'iostat':
        return iostatRecording(text, { device: options.device, times });
      case 'sar':
        return sarRecording(text, { device: options.device, times });
      case 'pg_stat_io':
        return pgStatIoRecording(parseCsv(path, text, 'a header and rows of pg_stat_io'));
      case 'series':
      case null:
        return null;
    }
  });
}

/**
 * What a host or a database recorded; null where the file is of another format: a series of our own, or none.
 * @throws BadInput where it cannot be read, or needs an option.
 */
export const readHostRecording = (path: string, options: HostFileOptions): HostRecording | null =>
  recordingIn(path, options);

/** The same, of a series of our own too. @throws BadInput where it is none of them. */
export function readRecording(path: string, options: HostFileOptions): HostRecording {
  const found = recordingIn(path, options);
  if (found !== null) return found;
  if (hostFormat(readText(path)) !== 'series')
    throw new BadInput(`${path}: is no recording that is known; ${formats}`);
  const { sums, hasQueueLength } = readSeriesCsv(path);
  const { periodSeconds, epochSeconds, readOps, writeOps, readBytes, writeBytes } = sums;
  const rate = (column: Float64Array, i: number): number => (column[i] as number) / periodSeconds;
  return {
    ...{ source: 'series', device: null },
    intervals: Array.from(epochSeconds, (from, i) => ({
      ...{ fromEpochSeconds: from, toEpochSeconds: from + periodSeconds },
      iops: rate(readOps, i) + rate(writeOps, i),
      readIops: rate(readOps, i),
      readMiBps: rate(readBytes, i) / bytesPerMiB,
      writeMiBps: rate(writeBytes, i) / bytesPerMiB,
    })),
    notes: hasQueueLength ? [{ code: 'served-rates' }] : [],
  };
}
