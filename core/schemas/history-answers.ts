/** What `stripewise history` answers with `--json`. Null is unknown, never zero. */
import { z } from 'zod';

const time = z.iso.datetime();
const figure = z.number().nullable();

const peakSchema = z.object({ value: z.number(), at: time }).nullable();
export type Peak = NonNullable<z.infer<typeof peakSchema>>;

export const unreadFilesSchema = z
  .array(z.object({ file: z.string(), reason: z.string() }))
  .meta({ description: 'files that could not be read: what they hold is missing here' });

const holeSchema = z.object({
  start: time,
  end: time,
  minutes: z.number(),
  wasRead: z.boolean(),
  isUnreadable: z.boolean(),
});
export type HistoryHole = z.infer<typeof holeSchema>;

const dayOfVolumeSchema = z.object({
  day: z.iso.date(),
  minutes: z.number().int(),
  ...{ avgIops: figure, maxIops: figure, avgMiBps: figure, maxMiBps: figure },
  ...{ avgQueueLength: figure, maxQueueLength: figure, lowestBalancePercent: figure },
  ...{ iopsExceededMinutes: figure, throughputExceededMinutes: figure },
  evaluatedMinutes: z.number().int(),
  throttledMinutes: figure,
});
export type DayOfVolume = z.infer<typeof dayOfVolumeSchema>;

export const volumeHistorySchema = z.object({
  volumeId: z.string(),
  account: z.string(),
  region: z.string(),
  window: z.object({ start: time, end: time }),
  periodSeconds: z.number().meta({ description: 'of its points' }),
  minutesInWindow: z.number(),
  minutesWithPoints: z.number(),
  daysInWindow: z.number().int(),
  daysWithPoints: z.number().int(),
  holes: z.array(holeSchema).meta({
    description:
      'without points; `wasRead`: CloudWatch was asked and had none; `isUnreadable`: its file is not there any more, or could not be read',
  }),
  peaks: z
    .object({ iops: peakSchema, mibps: peakSchema, queueLength: peakSchema })
    .meta({ description: 'the highest point of each, and when' }),
  evaluatedMinutes: z.number().int(),
  throttledMinutes: figure.meta({ description: 'null: no minute was evaluated' }),
  days: z
    .array(dayOfVolumeSchema)
    .meta({ description: 'days with points; exceeded checks are no throttling' }),
  unreadFiles: unreadFilesSchema,
});
export type VolumeHistory = z.infer<typeof volumeHistorySchema>;

const topVolumeSchema = z.object({
  volumeId: z.string(),
  account: z.string(),
  region: z.string(),
  minutes: z.number().int(),
  isCoarse: z.boolean().meta({ description: 'its points are of five minutes: rates are unknown' }),
  ...{ avgIops: figure, maxIops: figure, avgMiBps: figure, maxMiBps: figure },
  ...{ avgQueueLength: figure, maxQueueLength: figure, lowestBalancePercent: figure },
  exceededMinutes: figure,
  throttledMinutes: figure,
});
export type TopVolume = z.infer<typeof topVolumeSchema>;

export const topVolumesSchema = z.object({
  by: z.string(),
  window: z.object({ start: time.nullable(), end: time.nullable() }),
  volumesWithPoints: z.number().int(),
  volumes: z.array(topVolumeSchema),
  unreadFiles: unreadFilesSchema,
});
export type TopVolumes = z.infer<typeof topVolumesSchema>;

export const sqlAnswerSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z
    .array(z.array(z.unknown()))
    .meta({ description: 'a value a column; a whole number beyond 2^53 is text' }),
  hasMoreRows: z.boolean(),
  unreadFiles: unreadFilesSchema,
});
export type SqlAnswer = z.infer<typeof sqlAnswerSchema>;
