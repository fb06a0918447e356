/** IOPS and latency of a test over time, of the logs that its jobs wrote. */
import { z } from 'zod';
import { type Known, known, unknown } from '../known.ts';
import { msPerSecond } from '../units.ts';

// Lines of fio's logs: write_iops_log and write_lat_log. Source: fio's HOWTO, "Log File Formats".
// A line is: time in ms, value, direction (0 read, 1 write, 2 trim), block size, offset and what later versions append.

/** Why logs beside a result do not say what a test did over time. */
const logTroubleSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-whole-second') }),
  z
    .object({ code: z.literal('largest-values') })
    .meta({ description: 'log_max_value or log_window_value: they keep no means' }),
  z.object({ code: z.literal('averaging-unreadable'), logAvgMsec: z.string() }),
  z.object({ code: z.literal('no-log'), log: z.string() }),
  z.object({ code: z.literal('too-large'), maxMiB: z.number() }),
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

/** What a chart draws at most. */
export const mostPoints = 700;

export const overTimeSchema = z
  .object({
    secondsPerPoint: z.number().positive(),
    iops: z.array(z.number().min(0).nullable()).min(1).max(mostPoints).meta({
      description:
        'of all users together, the mean of each point; null: operations ended, and fio wrote not how many',
    }),
    latencyMs: z
      .array(z.number().min(0).nullable())
      .meta({ description: 'mean of the operations that ended; null: none did, or it is not known' }),
  })
  .refine(({ iops, latencyMs }) => iops.length === latencyMs.length, 'not as many latencies as IOPS');
export type OverTime = z.infer<typeof overTimeSchema>;

/** Why logs have no points. */
interface NoWholeSecond {
  code: 'no-whole-second';
}

/** Of one job, or of several where nobody knows which entry is whose: their latencies then count alike. */
export interface JobLogs {
  iops: readonly LogEntry[];
  latency: readonly LogEntry[];
}

/** An entry with the time that it tells of. */
interface Span {
  fromMs: number;
  toMs: number;
  value: number;
  direction: number;
}

/**
 * An averaged entry tells of the time since the one before it. fio drifts by some ms an entry, so that is not just
 * `log_avg_msec`; and it writes nothing for a time in which nothing ended, so after a gap it is.
 */
function spansOf(entries: readonly LogEntry[], averagedMs: number): Span[] {
  const before = new Map<number, number>();
  return entries.map(({ ms, value, direction }) => {
    const gap = ms - (before.get(direction) ?? Number.NEGATIVE_INFINITY);
    before.set(direction, ms);
    return {
      fromMs: ms - (gap > 0 && gap < 1.5 * averagedMs ? gap : averagedMs),
      toMs: ms,
      value,
      direction,
    };
  });
}

interface Point {
  operations: number;
  /** Who wrote of more than half of its time. */
  writers: Set<string>;
  hasLatency: boolean;
  latencySum: number;
  latencyOperations: number;
}
interface Axis {
  firstMs: number;
  lastMs: number;
  stepMs: number;
  count: number;
}

/** Points are as long as `stepMs`; the last one takes what is left, which may be half of that more or less. */
const boundsOf = (index: number, { firstMs, lastMs, stepMs, count }: Axis): [number, number] => [
  firstMs + index * stepMs,
  index === count - 1 ? lastMs : firstMs + (index + 1) * stepMs,
];

/** What a span has in common with each point that it touches: its index, ms, and whether that is most of the point. */
function* partsOf({ fromMs, toMs }: Span, axis: Axis): Generator<[number, number, boolean]> {
  const indexAt = (ms: number): number =>
    Math.min(Math.max(Math.floor((ms - axis.firstMs) / axis.stepMs), 0), axis.count - 1);
  for (let index = indexAt(fromMs); index <= indexAt(toMs); index += 1) {
    const [from, to] = boundsOf(index, axis);
    const ms = Math.min(toMs, to) - Math.max(fromMs, from);
    if (ms > 0) yield [index, ms, ms > (to - from) / 2];
  }
}

function axisOf(firstMs: number, lastMs: number, granularityMs: number): Axis | null {
  const longest = Math.max(msPerSecond, (lastMs - firstMs) / mostPoints);
  const stepMs = granularityMs * Math.ceil(longest / granularityMs - 1e-9);
  const count = Math.min(Math.round((lastMs - firstMs) / stepMs), mostPoints);
  return count < 1 ? null : { firstMs, lastMs, stepMs, count };
}

const emptyPoint = (): Point => ({
  ...{ operations: 0, writers: new Set<string>(), hasLatency: false },
  ...{ latencySum: 0, latencyOperations: 0 },
});

/** One job and direction: adds its operations, and its mean latency as often as it had operations. */
function addTo(points: Point[], axis: Axis, writer: string, iops: readonly Span[], latency: readonly Span[]) {
  const operations = new Map<number, number>();
  for (const span of iops)
    for (const [index, ms, isMost] of partsOf(span, axis)) {
      operations.set(index, (operations.get(index) ?? 0) + (span.value * ms) / msPerSecond);
      if (isMost) points[index]?.writers.add(writer);
    }
  const means = new Map<number, { sum: number; ms: number }>();
  for (const span of latency)
    for (const [index, ms, isMost] of partsOf(span, axis)) {
      const { sum, ms: before } = means.get(index) ?? { sum: 0, ms: 0 };
      means.set(index, { sum: sum + span.value * ms, ms: before + ms });
      const point = points[index];
      if (isMost && point !== undefined) point.hasLatency = true;
    }
  for (const [index, count] of operations) {
    const point = points[index];
    const mean = means.get(index);
    if (point === undefined) continue;
    point.operations += count;
    if (mean === undefined) continue;
    point.latencySum += (mean.sum / mean.ms) * count;
    point.latencyOperations += count;
  }
}

const rounded = (value: number, perUnit: number): number => Math.round(value * perUnit) / perUnit;

function answerOf(points: readonly Point[], axis: Axis, unitsPerMs: number): OverTime {
  return {
    secondsPerPoint: axis.stepMs / msPerSecond,
    iops: points.map(({ operations, hasLatency }, index) => {
      const [from, to] = boundsOf(index, axis);
      return operations === 0 && hasLatency ? null : rounded((operations * msPerSecond) / (to - from), 10);
    }),
    latencyMs: points.map(({ latencySum, latencyOperations }) =>
      latencyOperations === 0 ? null : rounded(latencySum / latencyOperations / unitsPerMs, 10_000),
    ),
  };
}

/**
 * Of averaged logs (`log_avg_msec`): IOPS of jobs and directions add up; latency is their mean, each as often as it had
 * operations. The last point is left out where fewer wrote of it than of the one before: some had ended.
 *
 * @param averagedMs `log_avg_msec`. @param unitsPerMs of a latency: 1e6 (ns, fio 3) or 1e3 (us, fio 2).
 */
export function overTimeOf(
  jobs: readonly JobLogs[],
  { averagedMs, unitsPerMs }: { averagedMs: number; unitsPerMs: number },
): Known<OverTime, NoWholeSecond> {
  const spans = jobs.map(({ iops, latency }) => ({
    iops: spansOf(iops, averagedMs),
    latency: spansOf(latency, averagedMs),
  }));
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { iops } of spans)
    for (const { fromMs, toMs } of iops) {
      firstMs = Math.min(firstMs, fromMs);
      lastMs = Math.max(lastMs, toMs);
    }
  const axis = axisOf(firstMs, lastMs, averagedMs);
  if (axis === null) return unknown({ code: 'no-whole-second' });
  const points = Array.from({ length: axis.count }, emptyPoint);
  for (const [job, { iops, latency }] of spans.entries())
    for (const direction of [0, 1, 2]) {
      const of = (span: Span): boolean => span.direction === direction;
      addTo(points, axis, `${job} ${direction}`, iops.filter(of), latency.filter(of));
    }
  const [last, before] = [points.at(-1), points.at(-2)];
  const hasEnded = last !== undefined && before !== undefined && last.writers.size < before.writers.size;
  return known(answerOf(hasEnded ? points.slice(0, -1) : points, axis, unitsPerMs));
}

/** Of logs with a line for each operation: they are counted, and their latencies are a plain mean. */
export function overTimeOfEach(
  { iops, latency }: JobLogs,
  { unitsPerMs }: { unitsPerMs: number },
): Known<OverTime, NoWholeSecond> {
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { ms } of iops) {
    firstMs = Math.min(firstMs, ms);
    lastMs = Math.max(lastMs, ms);
  }
  const axis = axisOf(firstMs, lastMs, msPerSecond);
  if (axis === null) return unknown({ code: 'no-whole-second' });
  const points = Array.from({ length: axis.count }, emptyPoint);
  const pointAt = (ms: number): Point | undefined =>
    ms < firstMs || ms > lastMs
      ? undefined
      : points[Math.min(Math.floor((ms - firstMs) / axis.stepMs), axis.count - 1)];
  for (const { ms } of iops) (pointAt(ms) as Point).operations += 1;
  for (const { ms, value } of latency) {
    const point = pointAt(ms);
    if (point === undefined) continue;
    point.latencySum += value;
    point.latencyOperations += 1;
  }
  return known(answerOf(points, axis, unitsPerMs));
}
