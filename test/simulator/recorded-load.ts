/**
 * What real programs asked of volumes that throttled nothing, second by second, as the lab recorded it (docs/contribute/testing.md): their
 * bursts, pauses and checkpoints, over and over for as long as the fleet runs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { epochSecondsOf, secondsPerMinute } from '../../core/units.ts';
import type { OpenLoad } from './loads.ts';

const directory = join(import.meta.dirname, '../recordings/lab/demand');

interface Second {
  operations: number;
  reads: number;
  bytes: number;
}

function secondsOf(name: string): Second[] {
  const rows: Record<string, string>[] = parse(readFileSync(join(directory, `${name}.csv`)), {
    columns: true,
  });
  const [first] = rows;
  const start = epochSecondsOf(first?.['timestamp'] ?? '');
  const seconds: Second[] = [];
  for (const row of rows) {
    const [reads = 0, writes = 0, readBytes = 0, writeBytes = 0] = [
      'read_ops',
      'write_ops',
      'read_bytes',
      'write_bytes',
    ].map((column) => Number(row[column]));
    const at = epochSecondsOf(row['timestamp'] ?? '') - start;
    seconds[at] = { operations: reads + writes, reads, bytes: readBytes + writeBytes };
  }
  // A look at the counters that came late left a second without a row: what it did is in the next one.
  const whole = Math.floor(seconds.length / secondsPerMinute) * secondsPerMinute;
  if (whole === 0) throw new Error(`${name}: less than a minute was recorded`);
  return Array.from({ length: whole }, (_, at) => seconds[at] ?? { operations: 0, reads: 0, bytes: 0 });
}

const sum = (seconds: readonly Second[], of: (second: Second) => number): number =>
  seconds.reduce((total, second) => total + of(second), 0);

/** Minutes of the plan in which all of it is asked for. */
export interface Hours {
  fromMinute: number;
  minutes: number;
}

const otherwise = 0.1;
const always: Hours = { fromMinute: 0, minutes: Number.POSITIVE_INFINITY };

/** @param name of a volume of `test/recordings/lab`; @throws where none is recorded of this name. */
export function recordedLoad(name: string, { fromMinute, minutes: busyMinutes }: Hours = always): OpenLoad {
  const seconds = secondsOf(name);
  const minutes = Array.from({ length: seconds.length / secondsPerMinute }, (_, minute) =>
    seconds.slice(minute * secondsPerMinute, (minute + 1) * secondsPerMinute),
  );
  const inMinute = (planMinute: number): Second[] => minutes[planMinute % minutes.length] as Second[];
  const operations = sum(seconds, (second) => second.operations);
  const usualKiB = sum(seconds, ({ bytes }) => bytes) / operations / 1024;
  const part = (planMinute: number): number =>
    planMinute >= fromMinute && planMinute < fromMinute + busyMinutes ? 1 : otherwise;
  const arrived = (planMinute: number, second: number): number =>
    Math.round((inMinute(planMinute)[second]?.operations ?? 0) * part(planMinute));
  return {
    arrived,
    ioPerSecond: (planMinute) =>
      inMinute(planMinute).reduce((total, _, second) => total + arrived(planMinute, second), 0) /
      secondsPerMinute,
    ioKiB: (planMinute) => {
      const minute = inMinute(planMinute);
      const some = sum(minute, (second) => second.operations);
      return some === 0 ? usualKiB : sum(minute, ({ bytes }) => bytes) / some / 1024;
    },
    readShare: sum(seconds, ({ reads }) => reads) / operations,
    ...{ sequential: false, noise: 0, arrivals: 'random', maxWaitingIo: 64 },
  };
}
