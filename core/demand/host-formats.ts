/**
 * The reports of sysstat as text: `iostat -x` and `sar -d`, of sysstat 11 and 12. Source: iostat(1), sar(1): a kB is 1,024 bytes, a
 * sector 512. Columns are found by their names: versions order them differently. Discards and flushes are no reads or writes.
 */
import { decimalOf, mostOfAnything } from '../decimal.ts';
import { BadInput } from '../errors.ts';
import type { HostNote } from '../schemas/host-demand.ts';
import { bytesPerMiB, epochSecondsOf, mibFromKiB, secondsPerDay } from '../units.ts';
import { dateOrder, daySeconds, halfDaySeconds, isDate, timeSeconds } from './host-clock.ts';
import type { HostInterval, HostRecording } from './host-report.ts';

type Rates = Pick<HostInterval, 'iops' | 'readIops' | 'readMiBps' | 'writeMiBps'>;

/** What it found by device, when, and between which times. */
interface DeviceReports {
  /** Each report; `from` is null where nothing shows when it began. */
  reports: { from: number | null; to: number; rates: ReadonlyMap<string, Rates> }[];
  notes: HostNote[];
}

interface Row {
  line: number;
  columns: readonly string[];
  values: readonly string[];
}

/** A comma is the point of a decimal in many languages; sysstat groups no digits. */
function numberOf({ line, columns, values }: Row, index: number): number {
  const text = values[index] ?? '';
  const value = decimalOf(text.replace(',', '.'));
  if (value >= 0 && value <= mostOfAnything) return value;
  throw new BadInput(
    `line ${line}: ${columns[index]} "${text}" is no number; give the output without -h and --human, as it was printed`,
  );
}

/** MiB/s by the names that versions and units have. */
const mibPerUnit: readonly [name: RegExp, mib: number][] = [
  [/^r?w?kB\/s$/, mibFromKiB(1)],
  [/^r?w?MB\/s$/, 1],
  [/^(rsec|wsec|rd_sec|wr_sec)\/s$/, 512 / bytesPerMiB],
];

function mibpsOf(row: Row, names: readonly string[], right: string): number {
  const index = row.columns.findIndex((name) => names.includes(name));
  const unit = mibPerUnit.find(([name]) => name.test(row.columns[index] ?? ''));
  if (unit === undefined)
    throw new BadInput(`line ${row.line}: there is no column ${names[0]}; give the output of ${right}`);
  return numberOf(row, index) * unit[1];
}

function columnOf(row: Row, name: string, right: string): number {
  const index = row.columns.indexOf(name);
  if (index < 0)
    throw new BadInput(`line ${row.line}: there is no column ${name}; give the output of ${right}`);
  return numberOf(row, index);
}

const readNames = ['rkB/s', 'rMB/s', 'rsec/s', 'rd_sec/s'];
const writeNames = ['wkB/s', 'wMB/s', 'wsec/s', 'wr_sec/s'];
const rightIostat = '`iostat -xt 60`';
const rightSar = '`sar -d`';

function iostatRates(row: Row): Rates {
  const readIops = columnOf(row, 'r/s', rightIostat);
  return {
    iops: readIops + columnOf(row, 'w/s', rightIostat),
    readIops,
    readMiBps: mibpsOf(row, readNames, rightIostat),
    writeMiBps: mibpsOf(row, writeNames, rightIostat),
  };
}

const sarRates = (row: Row): Rates => ({
  iops: columnOf(row, 'tps', rightSar),
  readIops: null,
  readMiBps: mibpsOf(row, readNames, rightSar),
  writeMiBps: mibpsOf(row, writeNames, rightSar),
});

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r?\n/);
const tokensOf = (line: string): string[] => line.trim().split(/\s+/);

/** A row that is narrower than its header: at the end of a file it was cut, elsewhere it is no row. */
function isCut(row: Row, lines: readonly string[]): boolean {
  if (row.values.length === row.columns.length) return false;
  if (lines.slice(row.line).every((line) => line.trim() === '')) return true;
  throw new BadInput(
    `line ${row.line}: ${row.values.length} figures under ${row.columns.length} columns; give the output as it was printed`,
  );
}

/** Without times in the file: when it began, and how long each interval is. */
export interface GivenTimes {
  startEpochSeconds: number;
  intervalSeconds: number;
}

const isoStamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:?\d{2})?$/;

/** A line of its own above a report; null where it is none. The zone of its ISO form counts. */
function stampOf(line: string, monthFirst: boolean): { at: number; hasZone: boolean } | null {
  const text = line.trim();
  const iso = isoStamp.exec(text);
  if (iso !== null) {
    const zoned = iso[1] === undefined ? `${text}Z` : text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
    return { at: epochSecondsOf(zoned), hasZone: iso[1] !== undefined };
  }
  const [date = '', time = '', half, ...others] = tokensOf(text);
  const seconds = timeSeconds(time, half);
  if (!isDate(date) || seconds === null || others.length > 0) return null;
  const at = daySeconds(date, monthFirst) + seconds;
  return Number.isNaN(at) ? null : { at, hasZone: false };
}

const noTimes = (): BadInput =>
  new BadInput(
    'its reports have no time that can be read; run `S_TIME_FORMAT=ISO iostat -xt 60`, or give --start and --interval-seconds',
  );

/** Reports of `iostat -x`, without the first of each start: that is the mean since the host booted. */
function iostatReports(text: string, given: GivenTimes | null): DeviceReports {
  const lines = linesOf(text);
  const order = dateOrder(lines.map((line) => tokensOf(line)[0] ?? ''));
  const found: DeviceReports = { reports: [], notes: [] };
  let [columns, stamp]: [string[] | null, number | null] = [null, null];
  let [before, isFirst, number, dropped]: [number | null, boolean, number, number] = [null, true, 0, 0];
  let rates = new Map<string, Rates>();
  const clock = { hasNoZone: false, isCut: false };
  lines.forEach((line, index) => {
    const [name = '', ...values] = tokensOf(line);
    if (name === '') columns = null;
    else if (name === 'Linux' && columns === null) [isFirst, before] = [true, null];
    else if (/^Device:?$/.test(name)) {
      const at = given === null ? stamp : given.startEpochSeconds + number * given.intervalSeconds;
      if (at === null) throw noTimes();
      rates = new Map();
      if (isFirst) dropped++;
      else found.reports.push({ from: before, to: at, rates });
      [columns, stamp, before, isFirst] = [values, null, at, false];
      number++;
    } else if (columns !== null) {
      const row = { line: index + 1, columns, values };
      if (isCut(row, lines)) clock.isCut = true;
      else rates.set(name, iostatRates(row));
    } else {
      const read = stampOf(line, order.monthFirst);
      if (read === null) return;
      stamp = read.at;
      if (!read.hasZone) clock.hasNoZone = true;
    }
  });
  if (found.reports.length === 0)
    throw new BadInput(
      'it has no report after the first, which is the mean since the host booted; give two or more: run `iostat -xt 60`',
    );
  found.notes.push(
    { code: 'first-report-dropped', reports: dropped },
    ...(given === null && clock.hasNoZone ? [{ code: 'clock-without-zone' as const }] : []),
    ...(given === null && order.isAssumed ? [{ code: 'month-first' as const }] : []),
    ...(clock.isCut ? [{ code: 'last-line-cut' as const }] : []),
  );
  return found;
}

/** The times of a file of sar: days go on where a time of day falls back by more than half a day. */
class SarClock {
  #day = Number.NaN;
  #last: number | null = null;
  readonly #monthFirst: boolean;

  constructor(monthFirst: boolean) {
    this.#monthFirst = monthFirst;
  }

  /** A line of the host with its date. */
  begin(date: string): void {
    this.#day = daySeconds(date, this.#monthFirst);
    this.#last = null;
  }

  at(secondsOfDay: number): number {
    if (Number.isNaN(this.#day))
      throw new BadInput(
        'its date cannot be read from the line "Linux ..." that sar prints first; run `S_TIME_FORMAT=ISO sar -d`, and give all of it',
      );
    if (this.#last !== null && this.#day + secondsOfDay < this.#last - halfDaySeconds)
      this.#day += secondsPerDay;
    this.#last = this.#day + secondsOfDay;
    return this.#last;
  }
}

/** Reports of `sar -d`. The time above a table is when its first interval began. */
function sarReports(text: string): DeviceReports {
  const lines = linesOf(text);
  const dates = lines.flatMap((line) => (line.startsWith('Linux ') ? tokensOf(line).filter(isDate) : []));
  const order = dateOrder(dates);
  const clock = new SarClock(order.monthFirst);
  const found: DeviceReports = { reports: [], notes: [] };
  let columns: string[] | null = null;
  let [before, current]: [number | null, number | null] = [null, null];
  let rates = new Map<string, Rates>();
  let hasCut = false;
  lines.forEach((line, index) => {
    const tokens = tokensOf(line);
    if (tokens[0] === '') columns = null;
    if (tokens[0] === 'Linux') {
      clock.begin(tokens.find(isDate) ?? '');
      [before, current] = [null, null];
    }
    const is12h = /^[AP]M$/i.test(tokens[1] ?? '');
    const seconds = timeSeconds(tokens[0] ?? '', is12h ? tokens[1] : undefined);
    if (seconds === null) return;
    const [name = '', ...values] = tokens.slice(is12h ? 2 : 1);
    if (/^(LINUX|COM)$/.test(name)) {
      if (name === 'LINUX') [before, current, columns] = [null, null, null];
      return;
    }
    if (name === 'DEV') {
      columns = values;
      const at = clock.at(seconds);
      // Of the pages after the first it is the time of the report before.
      if (current === null) current = at;
      return;
    }
    if (columns === null) return;
    const at = clock.at(seconds);
    if (at !== current) {
      [before, current, rates] = [current, at, new Map()];
      found.reports.push({ from: before, to: at, rates });
    }
    const row = { line: index + 1, columns, values };
    if (isCut(row, lines)) hasCut = true;
    else rates.set(name, sarRates(row));
  });
  found.notes.push(
    { code: 'split-unknown' },
    { code: 'clock-without-zone' },
    ...(order.isAssumed ? [{ code: 'month-first' as const }] : []),
    ...(hasCut ? [{ code: 'last-line-cut' as const }] : []),
  );
  return found;
}

const maxNamed = 20;

function deviceOf({ reports }: DeviceReports, asked: string | undefined): string {
  const devices = [...new Set(reports.flatMap(({ rates }) => [...rates.keys()]))];
  const few = [...devices.slice(0, maxNamed), ...(devices.length > maxNamed ? ['...'] : [])].join(', ');
  if (devices.length === 0) throw new BadInput('it has no row of a device; give one with devices');
  if (asked === undefined) {
    if (devices.length === 1) return devices[0] as string;
    throw new BadInput(`it has ${devices.length} devices: choose one with --device, of ${few}`);
  }
  if (devices.includes(asked)) return asked;
  throw new BadInput(`device "${asked}" is not in it: choose one with --device, of ${few}`);
}

/** Of one device, in order; what does not go on in time is left out and counted. */
function recordingOf(source: 'iostat' | 'sar', found: DeviceReports, asked?: string): HostRecording {
  const device = deviceOf(found, asked);
  const intervals: HostInterval[] = [];
  let [steps, absent] = [0, 0];
  for (const { from, to, rates } of found.reports) {
    const own = rates.get(device);
    const last = intervals.at(-1)?.toEpochSeconds ?? Number.NEGATIVE_INFINITY;
    if (own === undefined) absent++;
    else if (from === null || to <= from || from < last) steps++;
    else intervals.push({ fromEpochSeconds: from, toEpochSeconds: to, ...own });
  }
  return {
    ...{ source, device, intervals },
    notes: [
      { code: 'served-rates' },
      ...found.notes,
      ...(steps > 0 ? [{ code: 'clock-steps' as const, intervals: steps }] : []),
      ...(absent > 0 ? [{ code: 'device-absent' as const, reports: absent }] : []),
    ],
  };
}

interface Asked {
  /** undefined: the only one. */
  device?: string | undefined;
  /** null: the reports have their times. */
  times: GivenTimes | null;
}

/**
 * One device of the output of `iostat -xt`.
 * @throws BadInput where the device is not clear, times are missing, or it is not as iostat prints it.
 */
export const iostatRecording = (text: string, { device, times }: Asked): HostRecording =>
  recordingOf('iostat', iostatReports(text, times), device);

/** One device of the output of `sar -d`. @throws BadInput as above. */
export const sarRecording = (text: string, { device }: Asked): HostRecording =>
  recordingOf('sar', sarReports(text), device);

export type HostFormat = 'iostat' | 'sar' | 'pg_stat_io' | 'series' | 'awr';

/** What a file is, by its first lines; null where it is none of these. @throws BadInput where it is nearly one of them. */
export function hostFormat(text: string): HostFormat | null {
  const head = text.slice(0, 100_000);
  if (/WORKLOAD REPOSITORY|Instance Activity Stats/i.test(head)) return 'awr';
  if (/^\s*\{/.test(head) && head.includes('"sysstat"'))
    throw new BadInput('JSON of sysstat is not read; give its text: run `iostat -xt 60`, without -o JSON');
  if (/^Device:?\s(?:.*\s)?r\/s\s/m.test(head)) return 'iostat';
  if (/\sr\/s\s.*\sDevice\s*$/m.test(head))
    throw new BadInput('iostat rounded its figures (-h); give the output of `iostat -xt 60`');
  if (/^Device:?\s+tps\s/m.test(head))
    throw new BadInput(
      'iostat without -x does not split reads and writes; give the output of `iostat -xt 60`',
    );
  if (/\sDEV\s+tps\s/m.test(head)) return 'sar';
  if (/^Linux \S+ \(/m.test(head))
    throw new BadInput('sysstat printed no table of devices; give the output of `iostat -xt 60` or `sar -d`');
  const [first = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/);
  if (/\bbackend_type\b/.test(first)) return 'pg_stat_io';
  return /^"?timestamp"?[,;]/.test(first) ? 'series' : null;
}
