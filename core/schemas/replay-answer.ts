/** What `replay` answers with `--json`. */
import { z } from 'zod';
import { causes } from '../diagnosis/causes.ts';
import { limitNoteSchema } from '../limits/limit-note.ts';
import { deployments, volumeTypes } from '../limits/volume-limits.ts';
import { layoutKinds } from '../plan/layout.ts';
import { hostNotes } from './host-demand.ts';

// What a reader of a replay should know: codes with figures. The words are in report/wording/replay-notes.ts.

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
  z
    .object({ code: z.literal('one-member-at-worst'), members: z.number() })
    .meta({ description: 'of a linear layout: its load may lie on one of them' }),
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
  ...hostNotes,
]);
export type ReplayNote = z.infer<typeof replayNoteSchema>;

const limitsSchema = z.object({
  baselineIops: z.number().meta({ description: 'without burst credits' }),
  maximumIops: z
    .number()
    .meta({ description: 'with credits; the same as the baseline where there are none' }),
  baselineMiBps: z.number(),
  maximumMiBps: z.number(),
});

const percentSchema = z.number().nullable();

export const replayAnswerSchema = z.object({
  minutes: z
    .number()
    .meta({ description: 'from the first row to the end of the last, the unknown ones too' }),
  unknownMinutes: z.number().meta({ description: 'no row stands for them: nothing was replayed there' }),
  throttledMinutes: z
    .number()
    .meta({ description: 'of the periods in which load was throttled in any second' }),
  unservedShare: z.number().meta({ description: 'of all I/O: not served in its own period' }),
  backlogSecondsP95: z.number().meta({
    description:
      'backlog at the end of a period / capacity in force: nearest rank over the periods with load',
  }),
  backlogSecondsMax: z.number(),
  backlogIoAtEnd: z.number().meta({ description: 'I/O that still wait when the series ends' }),
  lowestCreditPercent: percentSchema.meta({ description: 'of any bucket; null where there is none' }),
  lowestCredits: z.object({
    volume: percentSchema,
    instanceIo: percentSchema,
    instanceBytes: percentSchema,
  }),
  byCause: z
    .partialRecord(z.enum(causes), z.number())
    .meta({ description: 'throttled minutes by what would have to be raised first' }),
  burstMinutes: z.number().nullable().meta({
    description:
      'they hold on average and not in the seconds that were not idle; null without idle_seconds in the series',
  }),
  asked: z.object({
    meanIops: z.number(),
    highestIops: z.number(),
    meanMiBps: z.number(),
    highestMiBps: z.number(),
    meanIoSizeKiB: z.number().nullable().meta({ description: 'null where nothing was asked' }),
    writeShare: z
      .number()
      .nullable()
      .meta({ description: 'of the I/O; null where nothing was asked, or it is not known (sar)' }),
  }),
  series: z.object({
    from: z.string(),
    to: z.string(),
    periodSeconds: z.number(),
    rows: z.number(),
    repeatedTimestamps: z.number().meta({ description: 'rows dropped for a later one of the same time' }),
    gaps: z.number(),
    overlappingRows: z.number().meta({ description: 'nearer to the row before than the period' }),
  }),
  configuration: z.object({
    layout: z.object({
      kind: z.enum(layoutKinds),
      members: z.number(),
      volumeType: z.enum(volumeTypes),
      sizeGiB: z.number(),
      iops: z.number(),
      throughputMiBps: z.number(),
    }),
    deployment: z.enum(deployments),
    chunkKiB: z.number(),
    stripeEfficiency: z.number(),
    startBalancePercent: z.number().meta({ description: 'of every credit bucket' }),
    volumes: limitsSchema.meta({ description: 'of all members together' }),
    instance: limitsSchema
      .extend({ instanceType: z.string(), region: z.string() })
      .nullable()
      .meta({ description: 'null where no instance was named' }),
  }),
  notes: z.array(replayNoteSchema),
});
export type ReplayAnswer = z.infer<typeof replayAnswerSchema>;
