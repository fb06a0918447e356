/**
 * The logs that fio wrote beside its JSON: write_iops_log and write_lat_log. Only files in the directory of the JSON are
 * looked at, by the last part of the prefix that its options name: a path in it leads nowhere.
 */
import { type Known, known, unknown } from '../../core/known.ts';
import type { FioTest } from '../../core/report-card/fio-tests.ts';
import {
  type JobLogs,
  jobsOfLog,
  type LogEntry,
  type LogNote,
  type LogTrouble,
  type OverTime,
  overTimeOf,
  overTimeOfEach,
  parseFioLog,
} from '../../core/report-card/over-time.ts';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import { mibFromBytes } from '../../core/units.ts';
import type { TextFile } from './text-file.ts';

type Options = NonNullable<FioTest['options']>;
/** Names of files by the number of their job; null: of all jobs together (per_job_logs=0). */
type LogFiles = Map<number | null, string>;

const maxBytes = 64 * 1024 * 1024;
const noFiles: LogFiles = new Map();

/** The files in the directory of a result. */
export interface FilesBeside {
  /** Asked for once, and only where a result names logs. */
  names(): readonly string[];
  /** @throws where it cannot be looked at. */
  bytes(name: string): number;
  /** @throws BadInput where it cannot be read. */
  text(name: string): string;
}

/** A result of fio, and what may lie beside it. */
export interface FioFile {
  /** Its messages begin with its name, as who gave it knows it. */
  file: TextFile;
  /** Last part of its path, for notes. */
  fileName: string;
  beside: FilesBeside;
}

/** The last part of a path as POSIX has it: trailing slashes do not count. */
const lastPart = (path: string): string => path.split('/').findLast((part) => part !== '') ?? '';

/** Those of one name and kind: NAME_iops.1.log, or NAME_iops.log. */
function logsOf(names: readonly string[], name: string | undefined, kind: string): LogFiles {
  if (name === undefined || name === '') return noFiles;
  const stem = `${name}_${kind}`;
  const found = names.flatMap((file): [number | null, string][] => {
    const number = /^(?:\.(\d{1,5}))?\.log$/.exec(file.startsWith(stem) ? file.slice(stem.length) : '');
    return number === null ? [] : [[number[1] === undefined ? null : Number(number[1]), file]];
  });
  return new Map(found.sort(([a], [b]) => (a ?? 0) - (b ?? 0)));
}

/** A test, and the last parts of the prefixes of its logs: those in one directory share files where these are alike. */
interface LoggedTest {
  test: FioTest;
  options: Options;
  /** undefined: it wrote no log of IOPS. */
  rates: string | undefined;
  /** The first is read; either may have been written to. */
  times: readonly string[];
  /** Numbers that its jobs have among all of the file; null where it is not known. */
  jobs: { first: number; last: number } | null;
}

/** fio numbers jobs through the whole file. */
function loggedTests(tests: readonly FioTest[]): LoggedTest[] {
  let before: number | null = 0;
  return tests.flatMap((test) => {
    const first: number | null = before === null ? null : before + 1;
    before = before === null || !test.users.known ? null : before + test.users.value;
    const jobs = first === null || before === null ? null : { first, last: before };
    const { options } = test;
    if (options === null) return [];
    const namesOf = (...keys: string[]): string[] =>
      keys.flatMap((key) => (options[key] === undefined ? [] : lastPart(options[key])));
    const [rates] = namesOf('write_iops_log');
    return [{ test, options, rates, times: namesOf('write_clat_log', 'write_lat_log'), jobs }];
  });
}

/** Reads the logs beside one result, and remembers what was odd about them. */
class LogReader {
  /** Of the files beside it. */
  readonly names: readonly string[];
  /** Each once, by itself as text. */
  private readonly reasons = new Map<string, LogNote>();
  private oddLines = 0;
  private firstOdd = '';
  private readonly beside: FilesBeside;
  private readonly file: string;

  constructor({ beside, fileName }: FioFile) {
    this.beside = beside;
    this.file = fileName;
    this.names = beside.names();
  }

  read(name: string): LogEntry[] {
    const { entries, oddLines, firstOddLine } = parseFioLog(this.beside.text(name));
    if (oddLines > 0 && this.oddLines === 0) this.firstOdd = `${name}:${firstOddLine}`;
    this.oddLines += oddLines;
    return entries;
  }

  bytesOf(files: readonly LogFiles[]): number {
    return files
      .flatMap((each) => [...each.values()])
      .reduce((sum, name) => sum + this.beside.bytes(name), 0);
  }

  /** Something of them is not reported. */
  leaveOut(code: 'not-over-time' | 'latency-not-over-time', reason: LogTrouble): void {
    this.reasons.set(JSON.stringify([code, reason]), { code, file: this.file, reason });
  }

  notes(): LogNote[] {
    const { file, oddLines: lines, firstOdd: first } = this;
    const odd: LogNote[] = lines === 0 ? [] : [{ code: 'odd-log-lines', file, lines, first }];
    return [...odd, ...this.reasons.values()];
  }
}

/** Which of the files are of this test alone. */
function ofOne(
  files: LogFiles,
  { jobs, rates }: LoggedTest,
  all: readonly LoggedTest[],
): Known<LogFiles, LogTrouble> {
  const sharing = all.filter((one) => one.rates === rates);
  if (sharing.length === 1) return known(files);
  if (files.has(null)) return unknown({ code: 'of-several-tests' });
  const ranges = sharing.flatMap((one) => one.jobs ?? []);
  // What a result says of its jobs may be any number: they are listed only where there are as many files.
  const count = ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const numbers =
    count === files.size
      ? ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
      : [];
  if (jobs === null || numbers.length === 0 || !numbers.every((number) => files.has(number)))
    return unknown({ code: 'not-as-many-as-jobs' });
  return known(new Map([...files].filter(([n]) => n !== null && n >= jobs.first && n <= jobs.last)));
}

/** By the job that wrote them; as one, where that is not known. */
function jobLogsOf(reader: LogReader, iops: LogFiles, latency: LogFiles, averagedMs: number): JobLogs[] {
  const pooled = { iops: iops.get(null), latency: latency.get(null) };
  if (pooled.iops === undefined)
    return [...iops].map(([job, name]) => {
      const other = latency.get(job);
      return { iops: reader.read(name), latency: other === undefined ? [] : reader.read(other) };
    });
  const all = {
    iops: reader.read(pooled.iops),
    latency: pooled.latency === undefined ? [] : reader.read(pooled.latency),
  };
  if (averagedMs === 0) return [all];
  const [rates, times] = [jobsOfLog(all.iops, averagedMs), jobsOfLog(all.latency, averagedMs)];
  return rates.map((job, index) => ({
    iops: job,
    latency: rates.length === times.length ? (times[index] as LogEntry[]) : all.latency,
  }));
}

const isOn = (value: string | undefined): boolean => value !== undefined && value !== '0';

/** Logs of latency; of those that have a number `jobLogsOf` takes what is of its jobs. */
function timesOf(
  reader: LogReader,
  { times: [name] }: LoggedTest,
  all: readonly LoggedTest[],
  kept: (files: LogFiles) => LogFiles,
): LogFiles {
  const files = ['clat', 'lat']
    .map((kind) => kept(logsOf(reader.names, name, kind)))
    .find(({ size }) => size > 0);
  if (name === undefined || files === undefined) return noFiles;
  if (!files.has(null) || all.filter(({ times }) => times.includes(name)).length === 1) return files;
  reader.leaveOut('latency-not-over-time', { code: 'of-several-tests' });
  return noFiles;
}

function overTimeIn(
  reader: LogReader,
  one: LoggedTest,
  all: readonly LoggedTest[],
  unitsPerMs: number,
): Known<OverTime, LogTrouble> {
  const { options, rates: name = '' } = one;
  if (isOn(options['log_max_value']) || !['avg', undefined].includes(options['log_window_value']))
    return unknown({ code: 'largest-values' });
  const averaged = options['log_avg_msec'] ?? '0';
  if (!/^\d{1,9}$/.test(averaged)) return unknown({ code: 'averaging-unreadable', logAvgMsec: averaged });
  const isOneLog = options['per_job_logs'] === '0';
  // Of an earlier run there may be the others too.
  const kept = (files: LogFiles): LogFiles => {
    const right = new Map([...files].filter(([job]) => (job === null) === isOneLog));
    return right.size > 0 ? right : files;
  };
  const rates = kept(logsOf(reader.names, name, 'iops'));
  if (rates.size === 0) return unknown({ code: 'no-log', log: `${name}_iops.${isOneLog ? '' : '1.'}log` });
  const own = ofOne(rates, one, all);
  if (!own.known) return own;
  const times = timesOf(reader, one, all, kept);
  if (reader.bytesOf([own.value, times]) > maxBytes)
    return unknown({ code: 'too-large', maxMiB: mibFromBytes(maxBytes) });
  const averagedMs = Number(averaged);
  const jobs = jobLogsOf(reader, own.value, times, averagedMs);
  if (averagedMs > 0) return overTimeOf(jobs, { averagedMs, unitsPerMs });
  return overTimeOfEach(
    { iops: jobs.flatMap(({ iops }) => iops), latency: jobs.flatMap(({ latency }) => latency) },
    { unitsPerMs },
  );
}

/**
 * Tests with what their logs say, and what is to be noted of them. Nothing about logs is an error: a report card is one
 * without them.
 *
 * @param version as fio says it: fio-3.33.
 */
export function withLogs(
  file: FioFile,
  version: string,
  tests: readonly FioTest[],
): { tests: FioTest[]; notes: LogNote[] } {
  const logged = loggedTests(tests);
  const rated = logged.filter(({ rates }) => rates !== undefined);
  if (rated.length === 0) return { tests: [...tests], notes: [] };
  const reader = new LogReader(file);
  const unitsPerMs = /^fio-[12]\./.test(version) ? 1e3 : 1e6;
  const found = new Map<FioTest, OverTime>();
  for (const one of rated) {
    try {
      const overTime = overTimeIn(reader, one, logged, unitsPerMs);
      if (overTime.known) found.set(one.test, overTime.value);
      else reader.leaveOut('not-over-time', overTime.reason);
    } catch (error) {
      const message = sanitizeFirstLine((error as Error).message, 200);
      reader.leaveOut('not-over-time', { code: 'unreadable', message });
    }
  }
  return {
    tests: tests.map((test) => ({ ...test, overTime: found.get(test) ?? null })),
    notes: reader.notes(),
  };
}
