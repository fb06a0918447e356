/**
 * The logs that fio wrote beside its JSON: write_iops_log and write_lat_log. Only files in the directory of the JSON are
 * looked at, by the last part of the prefix that its options name: a path in it leads nowhere.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { inertFirstLine } from '../../core/inert.ts';
import { type Known, unknown } from '../../core/known.ts';
import { jobsOfLog, type LogEntry, parseFioLog } from '../../core/reportcard/fio-logs.ts';
import type { FioTest } from '../../core/reportcard/fio-tests.ts';
import { type JobLogs, type OverTime, overTimeOf, overTimeOfEach } from '../../core/reportcard/over-time.ts';
import { readText } from './read-file.ts';

type Options = NonNullable<FioTest['options']>;
/** Names of files by the number of their job; null: of all jobs together (per_job_logs=0). */
type LogFiles = Map<number | null, string>;

const mostBytes = 64 * 1024 * 1024;
const noFiles: LogFiles = new Map();

/** Names of the files of a directory: no links, which may lead elsewhere. */
function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((one) => (one.isFile() ? one.name : []));
  } catch {
    return [];
  }
}

/** Those of one prefix and kind: PREFIX_iops.1.log, or PREFIX_iops.log. */
function logsOf(names: readonly string[], prefix: string | undefined, kind: string): LogFiles {
  const stem = `${posix.basename(prefix ?? '')}_${kind}`;
  if (prefix === undefined || stem === `_${kind}`) return noFiles;
  const found = names.flatMap((name): [number | null, string][] => {
    const number = /^(?:\.(\d{1,5}))?\.log$/.exec(name.startsWith(stem) ? name.slice(stem.length) : '');
    return number === null ? [] : [[number[1] === undefined ? null : Number(number[1]), name]];
  });
  return new Map(found.sort(([a], [b]) => (a ?? 0) - (b ?? 0)));
}

interface Wanted {
  test: FioTest;
  options: Options;
  prefix: string;
  /** Numbers that its jobs have among all of the file; null where it is not known. */
  jobs: { first: number; last: number } | null;
}

/** Tests whose options name a log of IOPS. fio numbers jobs through the whole file. */
function wantedOf(tests: readonly FioTest[]): Wanted[] {
  let before: number | null = 0;
  return tests.flatMap((test) => {
    const first: number | null = before === null ? null : before + 1;
    before = before === null || !test.users.known ? null : before + test.users.value;
    const jobs = first === null || before === null ? null : { first, last: before };
    const prefix = test.options?.['write_iops_log'];
    return test.options === null || prefix === undefined
      ? []
      : [{ test, options: test.options, prefix, jobs }];
  });
}

/** Reads the logs beside one result, and remembers what was odd about them. */
class LogReader {
  private oddLines = 0;
  private firstOdd = '';
  private readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  read(name: string): LogEntry[] {
    const { entries, oddLines, firstOddLine } = parseFioLog(readText(join(this.directory, name)));
    if (oddLines > 0 && this.oddLines === 0) this.firstOdd = `${name}:${firstOddLine}`;
    this.oddLines += oddLines;
    return entries;
  }

  bytesOf(files: readonly LogFiles[]): number {
    return files
      .flatMap((each) => [...each.values()])
      .reduce((sum, name) => sum + statSync(join(this.directory, name)).size, 0);
  }

  notes(): string[] {
    if (this.oddLines === 0) return [];
    const lines = this.oddLines === 1 ? '1 line' : `${this.oddLines} lines`;
    return [
      `${lines} of its logs are not as fio writes them (cut?) and are left out, first ${this.firstOdd}`,
    ];
  }
}

/** Which of the files are of this test alone; the reason where nobody can say. */
function ofOne(files: LogFiles, { jobs, prefix }: Wanted, all: readonly Wanted[]): LogFiles | string {
  const sharing = all.filter((one) => one.prefix === prefix);
  if (sharing.length === 1) return files;
  if (files.has(null)) return 'several tests wrote the same logs (per_job_logs=0)';
  const numbers = sharing.flatMap((one) =>
    one.jobs === null
      ? []
      : Array.from(
          { length: one.jobs.last - one.jobs.first + 1 },
          (_, index) => (one.jobs?.first ?? 0) + index,
        ),
  );
  if (jobs === null || numbers.length !== files.size || !numbers.every((number) => files.has(number)))
    return 'which of its logs is of which test is not known: there are not as many as jobs';
  return new Map([...files].filter(([n]) => n !== null && n >= jobs.first && n <= jobs.last));
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

function overTimeIn(
  reader: LogReader,
  names: readonly string[],
  one: Wanted,
  all: readonly Wanted[],
  unitsPerMs: number,
): Known<OverTime> {
  const { options, prefix } = one;
  if (isOn(options['log_max_value']) || !['avg', undefined].includes(options['log_window_value']))
    return unknown('its logs keep the largest values, not means (log_max_value, log_window_value)');
  const averaged = options['log_avg_msec'] ?? '0';
  if (!/^\d{1,9}$/.test(averaged)) return unknown(`its log_avg_msec is ${averaged}`);
  const isOneLog = options['per_job_logs'] === '0';
  // Of an earlier run there may be the others too.
  const kept = (files: LogFiles): LogFiles => {
    const right = new Map([...files].filter(([job]) => (job === null) === isOneLog));
    return right.size > 0 ? right : files;
  };
  const rates = kept(logsOf(names, prefix, 'iops'));
  if (rates.size === 0)
    return unknown(
      `its options name logs, and ${posix.basename(prefix)}_iops.${isOneLog ? '' : '1.'}log is not beside it`,
    );
  const times = ['clat', 'lat']
    .map((kind) => kept(logsOf(names, options['write_clat_log'] ?? options['write_lat_log'], kind)))
    .find(({ size }) => size > 0);
  const own = ofOne(rates, one, all);
  if (typeof own === 'string') return unknown(own);
  if (reader.bytesOf([own, times ?? noFiles]) > mostBytes)
    return unknown('its logs are larger than 64 MiB: log_avg_msec=1000 keeps them small');
  const averagedMs = Number(averaged);
  const jobs = jobLogsOf(reader, own, times ?? noFiles, averagedMs);
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
 * @param path of the JSON. @param version as fio says it: fio-3.33.
 */
export function withLogs(
  path: string,
  version: string,
  tests: readonly FioTest[],
): { tests: FioTest[]; notes: string[] } {
  const wanted = wantedOf(tests);
  if (wanted.length === 0) return { tests: [...tests], notes: [] };
  const directory = dirname(path);
  const reader = new LogReader(directory);
  const names = filesIn(directory);
  const unitsPerMs = /^fio-[12]\./.test(version) ? 1e3 : 1e6;
  const reasons = new Set<string>();
  const found = new Map<FioTest, OverTime>();
  for (const one of wanted) {
    try {
      const overTime = overTimeIn(reader, names, one, wanted, unitsPerMs);
      if (overTime.known) found.set(one.test, overTime.value);
      else reasons.add(`not over time: ${overTime.because}`);
    } catch (error) {
      reasons.add(`not over time: ${inertFirstLine((error as Error).message, 200)}`);
    }
  }
  return {
    tests: tests.map((test) => ({ ...test, overTime: found.get(test) ?? null })),
    notes: [...reader.notes(), ...reasons].map((note) => `${basename(path)}: ${note}`),
  };
}
