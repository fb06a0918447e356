/** What a reader of a replay should know: codes with figures. The words are in report/wording/replay-notes.ts. */
import { z } from 'zod';
import { limitNoteSchema } from '../limits/limit-note.ts';
import { volumeTypes } from '../limits/volume-limits.ts';

/** The credit buckets of the layout and of the instance. */
export const creditBuckets = ['volume', 'instanceIo', 'instanceBytes'] as const;

const volumeType = z.enum(volumeTypes);

const ignoredFigureSchema = z.object({
  code: z.literal('ignored-figure'),
  figure: z.enum(['iops', 'throughputMiBps']),
  given: z.number().meta({ description: 'in the file of the layout' }),
  volumeType,
  sizeGiB: z.number(),
  has: z.number().meta({ description: 'what such a volume has by itself' }),
});
export type IgnoredFigure = z.infer<typeof ignoredFigureSchema>;

export const replayNoteSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('recorded-rates') })
    .meta({ description: 'there is a queue_length: the rates are what was served, not the demand' }),
  ignoredFigureSchema,
  z
    .object({
      code: z.literal('low-credits'),
      lowest: z.array(z.object({ bucket: z.enum(creditBuckets), percent: z.number() })),
    })
    .meta({ description: 'nothing was throttled, and would be if it went on for longer' }),
  z
    .object({
      code: z.literal('on-credits'),
      instanceType: z.string(),
      baselineIops: z.number(),
      baselineMiBps: z.number(),
    })
    .meta({ description: 'the highest rates need the credits of the instance' }),
  z.object({
    code: z.literal('hdd-merged'),
    volumeType,
    smallIoSizeKiB: z
      .number()
      .nullable()
      .meta({ description: 'the mean size, where it is too small to merge; else null' }),
  }),
  z.object({ code: z.literal('mostly-unknown'), knownMinutes: z.number(), minutes: z.number() }),
  z.object({
    code: z.literal('gaps'),
    minutes: z.number().meta({ description: 'of all gaps' }),
    gaps: z.number(),
    longestFrom: z.string(),
    longestTo: z.string(),
  }),
  z.object({
    code: z.literal('repeated-timestamps'),
    rows: z.number().meta({ description: 'dropped: the last of each was kept' }),
    at: z.array(z.string()).meta({ description: 'the first of them' }),
    more: z.number().meta({ description: 'timestamps that are not in the list' }),
  }),
  z.object({
    code: z.literal('overlapping-rows'),
    rows: z.number(),
    firstAt: z.string(),
    periodSeconds: z.number(),
  }),
  z.object({ code: z.literal('nothing-asked') }),
  z.object({ code: z.literal('no-idle-seconds') }),
  z.object({ code: z.literal('average-of-type'), volumeType, note: limitNoteSchema }),
  z
    .object({ code: z.literal('instance-credits-assumed') })
    .meta({ description: 'AWS does not document how the credits of an instance come back' }),
]);
export type ReplayNote = z.infer<typeof replayNoteSchema>;
