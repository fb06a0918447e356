/** What a recording of a host or a database comes to, and what to know of it. The words are in report/wording/host-recording.ts. */
import { z } from 'zod';

const hostSources = ['iostat', 'sar', 'pg_stat_io', 'series'] as const;
export type HostSource = (typeof hostSources)[number];

/** Notes of what was recorded. */
export const hostNotes = [
  z.object({ code: z.literal('served-rates') }).meta({ description: 'rates are what was served' }),
  z
    .object({ code: z.literal('first-report-dropped'), reports: z.number() })
    .meta({ description: 'of iostat: it is the mean since the host started' }),
  z
    .object({ code: z.literal('split-unknown') })
    .meta({ description: 'of sar: its tps are reads and writes together' }),
  z
    .object({ code: z.literal('database-requests'), hasWal: z.boolean() })
    .meta({ description: 'of pg_stat_io: requests of PostgreSQL, not of the device' }),
  z.object({ code: z.literal('counters-reset'), intervals: z.number() }),
  z.object({ code: z.literal('clock-without-zone') }).meta({ description: 'its times are taken as UTC' }),
  z
    .object({ code: z.literal('month-first') })
    .meta({ description: 'its dates are taken as month/day: nothing in it shows which' }),
  z
    .object({ code: z.literal('clock-steps'), intervals: z.number() })
    .meta({ description: 'left out: the clock did not go on between two reports' }),
  z
    .object({ code: z.literal('device-absent'), reports: z.number() })
    .meta({ description: 'reports without the device: unknown, or idle (iostat -z)' }),
  z.object({ code: z.literal('last-line-cut') }),
  z
    .object({ code: z.literal('other-intervals'), intervals: z.number(), periodSeconds: z.number() })
    .meta({ description: 'left out of a replay: half longer or shorter than the usual interval' }),
  z
    .object({ code: z.literal('averages-hide-peaks'), periodSeconds: z.number() })
    .meta({ description: 'intervals are longer than a minute' }),
] as const;
const hostNoteSchema = z.discriminatedUnion('code', hostNotes);
export type HostNote = z.infer<typeof hostNoteSchema>;

const spreadSchema = z.object({
  peak: z.number(),
  p99: z.number(),
  p95: z.number(),
  mean: z.number().meta({ description: 'of the whole time that is known' }),
});

export const hostDemandSchema = z.object({
  source: z.enum(hostSources),
  device: z.string().nullable().meta({ description: 'null: the source has no devices' }),
  from: z.string(),
  to: z.string(),
  knownMinutes: z.number().meta({ description: 'of all intervals that were read' }),
  periodSeconds: z
    .number()
    .meta({ description: 'what peak and percentiles are means over: a minute, or longer intervals' }),
  iops: spreadSchema,
  mibps: spreadSchema,
  peakIopsAt: z.string().meta({ description: 'where the period of the peak begins' }),
  meanIoSizeKiB: z.number().nullable().meta({ description: 'null without I/O' }),
  readShare: z.number().nullable().meta({ description: 'of the I/O; null: no I/O, or not known (sar)' }),
  readByteShare: z.number().nullable().meta({ description: 'of the bytes; null without bytes' }),
  notes: z.array(hostNoteSchema),
});
export type HostDemand = z.infer<typeof hostDemandSchema>;
