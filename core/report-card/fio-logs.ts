/**
 * Lines of fio's logs: write_iops_log and write_lat_log. Source: fio's HOWTO, "Log File Formats".
 * A line is: time in ms, value, direction (0 read, 1 write, 2 trim), block size, offset and what later versions append.
 */

import { z } from 'zod';

/** Why logs beside a result do not say what a test did over time. */
const logTroubleSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-whole-second') }),
  z
    .object({ code: z.literal('largest-values') })
    .meta({ description: 'log_max_value or log_window_value: they keep no means' }),
  z.object({ code: z.literal('averaging-unreadable'), logAvgMsec: z.string() }),
  z.object({ code: z.literal('no-log'), log: z.string() }),
  z.object({ code: z.literal('too-large'), mostMiB: z.number() }),
  z.object({ code: z.literal('of-several-tests') }).meta({ description: 'per_job_logs=0' }),
  z.object({ code: z.literal('not-as-many-as-jobs') }),
  z.object({ code: z.literal('unreadable'), message: z.string() }),
]);
export type LogTrouble = z.infer<typeof logTroubleSchema>;

/** What is to be known of the logs beside a file. */
export const logNotes = [
  z.object({ code: z.literal('not-over-time'), file: z.string(), reason: logTroubleSchema }),
  z.object({ code: z.literal('latency-not-over-time'), file: z.string(), reason: logTroubleSchema }),
  z.object({
    code: z.literal('odd-log-lines').meta({ description: 'they are left out' }),
    ...{ file: z.string(), lines: z.number() },
    first: z.string().meta({ description: 'where: the log and the number of the line' }),
  }),
] as const;
export type LogNote = z.infer<(typeof logNotes)[number]>;

export interface LogEntry {
  /** Since the job began, or since 1970 (`log_unix_epoch`). Of an averaged entry the end of its time. */
  ms: number;
  /** IOPS, or a latency in ns (fio 2: us). */
  value: number;
  direction: number;
}

export interface FioLog {
  entries: LogEntry[];
  /** Lines that are none of fio's, such as one that is cut. */
  oddLines: number;
  firstOddLine: number | null;
}

const line = /^\s*(\d{1,15}), *(\d{1,20}), *([0-2]), *\d+(?:, *[\dxa-f]+)*\s*$/;

/** Odd lines are counted and left out. */
export function parseFioLog(text: string): FioLog {
  const log: FioLog = { entries: [], oddLines: 0, firstOddLine: null };
  for (const [index, said] of text.split('\n').entries()) {
    if (said.trim() === '') continue;
    const match = line.exec(said);
    if (match === null) {
      log.oddLines += 1;
      log.firstOddLine ??= index + 1;
      continue;
    }
    log.entries.push({ ms: Number(match[1]), value: Number(match[2]), direction: Number(match[3]) });
  }
  return log;
}

/**
 * Entries of the jobs that wrote one log together (per_job_logs=0). Each writes all of its own when it ends, in the order of
 * time: where time does not go on, another job begins.
 *
 * @param averagedMs `log_avg_msec`: entries of one job are that far apart.
 */
export function jobsOfLog(entries: readonly LogEntry[], averagedMs: number): LogEntry[][] {
  const jobs: LogEntry[][] = [];
  let lastMs = new Map<number, number>();
  for (const entry of entries) {
    const before = lastMs.get(entry.direction);
    const goesBack = [...lastMs.values()].some((ms) => entry.ms < ms - averagedMs / 2);
    if (jobs.length === 0 || goesBack || (before !== undefined && entry.ms < before + averagedMs / 2)) {
      jobs.push([]);
      lastMs = new Map();
    }
    jobs.at(-1)?.push(entry);
    lastMs.set(entry.direction, entry.ms);
  }
  return jobs;
}
