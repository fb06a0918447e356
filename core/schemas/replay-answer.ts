/** What `replay` answers with `--json`. */
import { z } from 'zod';
import { causes } from '../diagnosis/causes.ts';
import { deployments, volumeTypes } from '../limits/volume-limits.ts';
import { layoutKinds } from '../plan/layout.ts';
import { replayNoteSchema } from './replay-notes.ts';

const limitsSchema = z.object({
  baselineIops: z.number().meta({ description: 'all the time' }),
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
    writeShare: z.number().nullable().meta({ description: 'of the I/O; null where nothing was asked' }),
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
