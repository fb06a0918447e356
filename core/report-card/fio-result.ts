/**
 * What fio prints as JSON, from 2.1 to 3.x, and what `run-fio` makes of it.
 * Source: fio's stat.c. fio 2 counts KiB and microseconds and may leave out options and counts; fio 3 nanoseconds.
 */
import { z } from 'zod';
import { decimalOf } from '../decimal.ts';
import { overTimeSchema } from './over-time.ts';

/** fio counts in 64 bits, and nothing of it is below nothing. */
const counted = z
  .number()
  .min(0)
  .max(2 ** 64);

/** More than fio can start, on any host. */
export const maxUsers = 100_000;

/** Bins are numbered by fio 2 (so many for each doubling, of 64 bits at most), and called by their time by fio 3. */
const maxDoublings = 64;
function areBins(bins: Readonly<Record<string, number>>): boolean {
  const perDoubling = bins['FIO_IO_U_PLAT_VAL'];
  if (perDoubling === undefined) return true;
  const isOne = Number.isInteger(Math.log2(perDoubling)) && perDoubling <= 2 ** 16;
  return (
    isOne && Object.keys(bins).every((key) => !/^\d/.test(key) || Number(key) < maxDoublings * perDoubling)
  );
}
const binsSchema = z
  .record(z.string().regex(/^(?:\d{1,20}|FIO_IO_U_PLAT_(?:BITS|NR|VAL))$/), counted)
  .refine(areBins, 'bins that fio cannot have');

/** So many percent took at most so long: of more no less. */
function arePercentiles(percentiles: Readonly<Record<string, number>>): boolean {
  const sorted = Object.entries(percentiles)
    .map(([key, value]) => [decimalOf(key), value] as const)
    .sort(([a], [b]) => a - b);
  return sorted.every(([, value], i) => i === 0 || value >= (sorted[i - 1]?.[1] ?? 0));
}
const percentilesSchema = z
  .record(z.string().regex(/^\d{1,3}(\.\d{1,20})?$/), counted)
  .refine(arePercentiles, 'a percentile that is less than one below it');

const latencySchema = z.object({
  mean: counted,
  percentile: percentilesSchema.optional(),
  /** json+: how many operations by what they took. Of fio 2 by the number of the bin, beside three figures of the bins. */
  bins: binsSchema.optional(),
});
export type FioLatency = z.infer<typeof latencySchema>;

const directionSchema = z.object({
  /** Of fio 2 in KiB. */
  io_bytes: counted,
  io_kbytes: counted.optional(),
  /** KiB a second. */
  bw: counted,
  bw_bytes: counted.optional(),
  iops: counted,
  runtime: counted,
  total_ios: counted.optional(),
  clat: latencySchema.optional(),
  lat: latencySchema.optional(),
  clat_ns: latencySchema.optional(),
  lat_ns: latencySchema.optional(),
});
export type FioDirection = z.infer<typeof directionSchema>;

const optionsSchema = z.record(z.string(), z.string());
/** Percent by what is the most: 4, or >=64. They are rounded. */
const sharesSchema = z.record(z.string().regex(/^(?:>=)?\d{1,5}$/), z.number().min(0).max(101));

const jobSchema = z.object({
  jobname: z.string(),
  /** Of a server's clients. */
  hostname: z.string().optional(),
  groupid: z.int().default(0),
  error: z.int(),
  total_err: counted.optional(),
  'job options': optionsSchema.optional(),
  read: directionSchema.optional(),
  write: directionSchema.optional(),
  trim: directionSchema.optional(),
  /** Instead of the others: `unified_rw_reporting`. */
  mixed: directionSchema.optional(),
  iodepth_level: sharesSchema.optional(),
  latency_ns: sharesSchema.optional(),
  latency_us: sharesSchema.optional(),
  latency_ms: sharesSchema.optional(),
});
export type FioJob = z.infer<typeof jobSchema>;

export const fioSchema = z.object({
  'fio version': z.string(),
  'global options': optionsSchema.optional(),
  jobs: z.array(jobSchema).optional(),
  /** Of a server's clients, and the sum of them all. */
  client_stats: z.array(jobSchema).optional(),
});
export type FioResult = z.infer<typeof fioSchema>;

/** Counters of a disk, as `run-fio` takes them before and after a step. */
const countersSchema = z.object({
  uptimeSeconds: counted,
  disk: z
    .object({
      ...{ reads: counted, readSectors: counted, readMs: counted },
      ...{ writes: counted, writeSectors: counted, writeMs: counted },
      ...{ inFlight: counted, busyMs: counted, queueMs: counted },
    })
    .nullable(),
  ebs: z
    .object({
      ...{ readOps: counted, writeOps: counted, readBytes: counted, writeBytes: counted },
      volumeIopsExceededMicroseconds: counted,
      volumeThroughputExceededMicroseconds: counted,
      instanceIopsExceededMicroseconds: counted,
      instanceThroughputExceededMicroseconds: counted,
    })
    .nullable(),
  ebsReason: z.string().optional(),
});
export type DiskCounters = z.infer<typeof countersSchema>;

const memberSchema = z
  .object({
    volumeId: z.string().nullable(),
    device: z.string(),
    before: countersSchema,
    after: countersSchema,
  })
  .refine(
    ({ before, after }) => after.uptimeSeconds > before.uptimeSeconds,
    'no time between before and after',
  );
export type MemberCounters = z.infer<typeof memberSchema>;

export const runFioSchema = z.object({
  version: z.literal(1),
  document: z.enum(['run-fio', 'measure-load']),
  runId: z.string(),
  profile: z.string(),
  variant: z.string(),
  steps: z.array(
    z.object({
      name: z.string(),
      startedAt: z.string(),
      users: z.int().min(1).max(maxUsers),
      fio: fioSchema,
      members: z.array(memberSchema),
      /** Of all jobs of the step together; null: it could not be kept, or the document did not know it yet. */
      overTime: overTimeSchema.nullable().default(null),
    }),
  ),
});
export type RunFioResult = z.infer<typeof runFioSchema>;

export const isRunFio = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && 'document' in document;

/** Where the JSON begins, on a line of its own; -1 where there is none. */
export const beginOfJson = (text: string): number => text.search(/^[ \t]*\{/m);

/**
 * The JSON of a file: notes that fio printed before and after it are left out.
 * @throws SyntaxError where it is no whole JSON.
 */
export const jsonOfFio = (text: string): unknown =>
  JSON.parse(text.slice(Math.max(beginOfJson(text), 0), text.lastIndexOf('}') + 1));
