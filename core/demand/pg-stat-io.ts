/**
 * Snapshots of PostgreSQL's pg_stat_io: counters since stats_reset, one row by backend type, object and context. Source: the
 * documentation of PostgreSQL 16 to 18. Up to 17 each operation has op_bytes; 18 counts bytes, and the WAL too.
 */
import { decimalOf, mostOfAnything } from '../decimal.ts';
import { BadInput } from '../errors.ts';
import { bytesPerMiB, epochSecondsOf } from '../units.ts';
import type { HostInterval, HostRecording } from './host-report.ts';

/** A row of a CSV: its line in the file and its fields. */
export interface CsvRow {
  line: number;
  fields: readonly string[];
}

const timeNames = ['timestamp', 'ts', 'time', 'now', 'at', 'clock_timestamp', 'captured_at', 'snapshot_at'];
const keyNames = ['backend_type', 'object', 'context'] as const;
const notAsExpected = (what: string): BadInput =>
  new BadInput(
    `${what}; make each snapshot by \\copy (SELECT now() AS timestamp, * FROM pg_stat_io) TO 'snapshot.csv' CSV HEADER`,
  );

/** 2026-11-27 14:00:00.123456+00: psql writes zones of whole hours so. */
const stamp = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/;

function timeOf(text: string): { at: number; hasZone: boolean } {
  const [, date, time, zone] = stamp.exec(text) ?? [];
  if (date === undefined || time === undefined) return { at: Number.NaN, hasZone: false };
  const [, hours = '', minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? [];
  const at = epochSecondsOf(`${date}T${time}${hours === '' ? 'Z' : `${hours}:${minutes}`}`);
  return { at, hasZone: zone !== undefined };
}

interface Counters {
  reads: number;
  writes: number;
  readBytes: number;
  writeBytes: number;
  reset: string;
}

interface Snapshot {
  at: number;
  rows: Map<string, Counters>;
}

class Columns {
  readonly #header: readonly string[];
  readonly time: number;

  constructor(header: readonly string[]) {
    this.#header = header.map((name) => name.toLowerCase());
    this.time = timeNames.map((name) => this.#header.indexOf(name)).find((index) => index >= 0) ?? -1;
    const missing = ['reads', 'writes', ...keyNames].find((name) => !this.has(name));
    if (this.time < 0 || missing !== undefined)
      throw notAsExpected(`snapshots of pg_stat_io without a column ${missing ?? 'timestamp'}`);
    if (!this.has('op_bytes') && !this.has('read_bytes'))
      throw notAsExpected('snapshots of pg_stat_io with neither op_bytes nor read_bytes');
  }

  has = (name: string): boolean => this.#header.includes(name);

  text = ({ fields }: CsvRow, name: string): string => fields[this.#header.indexOf(name)] ?? '';

  /** An empty field is one that such a backend never counts. */
  count(row: CsvRow, name: string): number {
    const text = this.text(row, name);
    const value = text === '' ? 0 : decimalOf(text);
    if (value >= 0 && value <= mostOfAnything * 1e3) return value;
    throw notAsExpected(`line ${row.line}: ${name} "${text}" is no count`);
  }

  counters(row: CsvRow): Counters {
    const [reads, writes] = [this.count(row, 'reads'), this.count(row, 'writes')];
    const extends_ = this.has('extends') ? this.count(row, 'extends') : 0;
    const isByBytes = this.has('read_bytes');
    const opBytes = isByBytes ? 0 : this.count(row, 'op_bytes');
    return {
      ...{ reads, writes: writes + extends_ },
      readBytes: isByBytes ? this.count(row, 'read_bytes') : reads * opBytes,
      writeBytes: isByBytes
        ? this.count(row, 'write_bytes') + this.count(row, 'extend_bytes')
        : (writes + extends_) * opBytes,
      reset: this.text(row, 'stats_reset'),
    };
  }
}

/** What was counted between two snapshots; null where a counter began anew, or a row is missing. */
function between(before: Snapshot, after: Snapshot): HostInterval | null {
  const seconds = after.at - before.at;
  const sum = { reads: 0, writes: 0, readBytes: 0, writeBytes: 0 };
  const names = ['reads', 'writes', 'readBytes', 'writeBytes'] as const;
  for (const [key, now] of after.rows) {
    const then = before.rows.get(key);
    if (then === undefined || then.reset !== now.reset || names.some((name) => now[name] < then[name]))
      return null;
    for (const name of names) sum[name] += now[name] - then[name];
  }
  if (before.rows.size !== after.rows.size) return null;
  return {
    fromEpochSeconds: before.at,
    toEpochSeconds: after.at,
    iops: (sum.reads + sum.writes) / seconds,
    readIops: sum.reads / seconds,
    readMiBps: sum.readBytes / bytesPerMiB / seconds,
    writeMiBps: sum.writeBytes / bytesPerMiB / seconds,
  };
}

/**
 * Differences of snapshots, the intervals as they are. Writes are writes and extends; fsyncs are none.
 * @param all the header and the rows of a CSV; a header that comes again (snapshots appended to one file) is no row.
 * @throws BadInput where a column is missing, a field cannot be read, or there are fewer than two snapshots.
 */
export function pgStatIoRecording(all: readonly CsvRow[]): HostRecording {
  const [header, ...others] = all;
  const columns = new Columns(header?.fields ?? []);
  const rows = others.filter(({ fields }) => fields.join(',') !== header?.fields.join(','));
  const snapshots = new Map<number, Snapshot>();
  let isZoned = true;
  for (const row of rows) {
    const text = row.fields[columns.time] ?? '';
    const { at, hasZone } = timeOf(text);
    if (Number.isNaN(at))
      throw new BadInput(
        `line ${row.line}: timestamp "${text}" is none of psql; expected one like 2026-11-27 14:00:00+00`,
      );
    if (!hasZone) isZoned = false;
    const snapshot = snapshots.get(at) ?? { at, rows: new Map() };
    snapshot.rows.set(JSON.stringify(keyNames.map((name) => columns.text(row, name))), columns.counters(row));
    snapshots.set(at, snapshot);
  }
  const ordered = [...snapshots.values()].sort((a, b) => a.at - b.at);
  if (ordered.length < 2)
    throw notAsExpected(
      `it has ${ordered.length} snapshot of pg_stat_io, whose counters go back to their reset: give two or more`,
    );
  const found = ordered.slice(1).map((after, index) => between(ordered[index] as Snapshot, after));
  const intervals = found.filter((one) => one !== null);
  const resets = found.length - intervals.length;
  const hasWal = rows.some((row) => columns.text(row, 'object') === 'wal');
  return {
    ...{ source: 'pg_stat_io', device: null, intervals },
    notes: [
      { code: 'database-requests', hasWal },
      ...(resets > 0 ? [{ code: 'counters-reset' as const, intervals: resets }] : []),
      ...(isZoned ? [] : [{ code: 'clock-without-zone' as const }]),
    ],
  };
}
