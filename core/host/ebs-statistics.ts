/**
 * What a host's EBS volumes counted themselves since they were attached, as describe-stripes.sh prints it: untrusted, and
 * taken as it is or not at all. Source of the counters: EBS User Guide, detailed performance statistics.
 */
import { z } from 'zod';
import { isVolumeId } from '../ids.ts';

/** Time above a limit, of the volume itself or of its instance: in the order in which the host prints them. */
export const exceededLimits = [
  'volume-iops',
  'volume-throughput',
  'instance-iops',
  'instance-throughput',
] as const;
export type ExceededLimit = (typeof exceededLimits)[number];

/** Versions of the log page whose structure is known. */
const newestVersion = 1;

// A reading, as it is kept from run to run.

/** The end of the year 9999: a host may say any number, and later ones have no date. */
const latestEpochSeconds = 253_402_300_799;

/** Up to 2^64: more than a number holds. */
const counter = z.string().regex(/^\d{1,20}$/);

const volumeReadingSchema = z.object({
  volumeId: z.string().refine(isVolumeId, 'no volume'),
  epochSeconds: z.number(),
  diskSequence: z
    .string()
    .nullable()
    .meta({ description: 'another for each device that appears since the host started; null: not known' }),
  counters: z.array(counter).min(exceededLimits.length).meta({
    description: 'microseconds above each limit; where there are more, the queue, what was read and written',
  }),
});
export type VolumeReading = z.infer<typeof volumeReadingSchema>;

export const hostReadingSchema = z.object({
  epochSeconds: z.number(),
  uptimeSeconds: z.number().nullable(),
  bootId: z.string().nullable().meta({ description: 'another after each start; null: not known' }),
  volumes: z.array(volumeReadingSchema),
});
export type HostReading = z.infer<typeof hostReadingSchema>;

// What could not be read.

export const volumeUnreadReasons = [
  'no-answer',
  'no-page',
  'short-page',
  'other-page',
  'newer-version',
  'went-backwards',
  'not-readable',
] as const;

export const statisticsNotes = [
  z.object({
    code: z.literal('statistics-unread'),
    text: z
      .string()
      .nullable()
      .meta({ description: 'as the host says; null: it is not what the script prints' }),
  }),
  z.object({
    code: z.literal('statistics-of-volumes-unread'),
    devices: z.array(z.string()).meta({ description: 'the first of them' }),
    count: z.number(),
    reason: z.enum(volumeUnreadReasons),
  }),
  z.object({
    code: z.literal('statistics-left-out'),
    devices: z.array(z.string()).meta({ description: 'the first of those for which the answer had no room' }),
    count: z.number(),
  }),
] as const;
type StatisticsNote = z.infer<(typeof statisticsNotes)[number]>;

export interface EbsStatistics {
  /** Null where there is none. */
  reading: HostReading | null;
  notes: StatisticsNote[];
}

const printedSchema = z.union([
  z.object({ error: z.string() }),
  z.object({
    epochSeconds: z.number().int().positive().max(latestEpochSeconds),
    uptimeSeconds: z.number().nonnegative().nullable(),
    bootId: z.string(),
    readings: z.string(),
    failed: z.string(),
    leftOut: z.string(),
  }),
]);

const nothing: EbsStatistics = { reading: null, notes: [] };
const mostNamed = 5;

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' '));

type UnreadReason = (typeof volumeUnreadReasons)[number];
const isReason = (text: string): text is UnreadReason =>
  (volumeUnreadReasons as readonly string[]).includes(text);

/** "nvme1n1 vol0123456789abcdef0 12 1 3 0,0,0,0,2,... 0,0,0,0,0,... - 64-128:3", or without the last four or the end of the first. */
function volumeReading(words: readonly string[], startedSeconds: number): VolumeReading | UnreadReason {
  const [, serial = '', sequence = '', version = '', afterSeconds = '', last = '', change = ''] = words;
  if (/^\d{1,10}$/.test(version) && Number(version) > newestVersion) return 'newer-version';
  const volumeId = serial.replace(/^vol-?/, 'vol-');
  const read = volumeReadingSchema.safeParse({
    volumeId,
    epochSeconds: startedSeconds + Number(/^\d{1,3}$/.test(afterSeconds) ? afterSeconds : Number.NaN),
    diskSequence: sequence === '-' ? null : sequence,
    counters: last.split(','),
  });
  if (!read.success || !/^\d{1,10}$/.test(version) || !/^(-|\d{1,20})$/.test(sequence)) return 'not-readable';
  // The fifth is how many wait: it may fall.
  const isAnew = change.split(',').some((one, place) => place !== queuePlace && one.startsWith('-'));
  return isAnew ? 'went-backwards' : read.data;
}

/** The place of the queue length among the counters. */
export const queuePlace = exceededLimits.length;

/** @param printed `ebsStatistics` of the document; undefined of a script that knows none, null without an EBS volume. */
export function ebsStatistics(printed: unknown): EbsStatistics {
  if (printed === undefined || printed === null) return nothing;
  const parsed = printedSchema.safeParse(printed);
  if (!parsed.success) return { reading: null, notes: [{ code: 'statistics-unread', text: null }] };
  if ('error' in parsed.data)
    return { reading: null, notes: [{ code: 'statistics-unread', text: parsed.data.error }] };
  const { epochSeconds, uptimeSeconds, bootId, readings, failed, leftOut } = parsed.data;
  const unread = new Map<UnreadReason, string[]>();
  const isUnread = (device: string, reason: UnreadReason): void => {
    unread.set(reason, [...(unread.get(reason) ?? []), device]);
  };
  const volumes: VolumeReading[] = [];
  for (const words of linesOf(readings)) {
    const read = volumeReading(words, epochSeconds);
    if (typeof read === 'string') isUnread(words[0] ?? '', read);
    else volumes.push(read);
  }
  for (const [device = '', reason = ''] of linesOf(failed))
    isUnread(device, isReason(reason) ? reason : 'not-readable');
  const without = leftOut.split(' ').filter((device) => device !== '');
  const notes: StatisticsNote[] = [...unread].map(([reason, devices]) => ({
    code: 'statistics-of-volumes-unread',
    devices: devices.slice(0, mostNamed),
    count: devices.length,
    reason,
  }));
  if (without.length > 0)
    notes.push({
      code: 'statistics-left-out',
      devices: without.filter((device) => device !== '?').slice(0, mostNamed),
      count: without.length,
    });
  const reading = { epochSeconds, uptimeSeconds, bootId: bootId === '' ? null : bootId, volumes };
  return { reading: volumes.length === 0 ? null : reading, notes };
}
