/** What `grade` answers with `--json`. */
import { z } from 'zod';
import { loadNotes } from '../report-card/concurrency.ts';
import { limitNames } from '../report-card/exceeded-checks.ts';
import { testErrorSchema } from '../report-card/fio-tests.ts';
import { accesses } from '../report-card/job-options.ts';
import { limitUnknownSchema } from '../report-card/members.ts';
import { logNotes, overTimeSchema } from '../report-card/over-time.ts';
import { whySchema } from '../report-card/report-card.ts';
import { allLetters } from '../report-card/scale.ts';

const gradeSchema = z
  .enum(allLetters)
  .nullable()
  .meta({ description: 'A+ to D; null: not graded, and why says it' });
const rangeSchema = {
  fromMs: z.number(),
  toMs: z.number().nullable().meta({ description: 'null: fio does not say how long at most' }),
  share: z.number(),
};

const memberSchema = z.object({
  volumeId: z.string().nullable(),
  device: z.string(),
  iops: z.number(),
  share: z.number().meta({ description: 'of all operations of the test' }),
  waitMs: z.number().nullable(),
  exceeded: z
    .record(z.enum(limitNames), z.number())
    .nullable()
    .meta({ description: 'share of the time at each limit, by the counters of the device' }),
  isSlow: z.boolean(),
});

const gradedTestSchema = z.object({
  run: z.string().meta({ description: 'the file it is in, or what the names of the files of one run share' }),
  name: z.string(),
  access: z.enum(accesses).nullable(),
  blockKiB: z.number().nullable(),
  users: z.number().nullable(),
  ioDepth: z.number().nullable(),
  readShare: z.number().nullable(),
  iops: z.number(),
  mibps: z.number(),
  latencyMs: z.object({
    ...{ mean: z.number().nullable(), p50: z.number().nullable() },
    ...{ p95: z.number().nullable(), p99: z.number().nullable() },
    isWorstOfSeveral: z
      .boolean()
      .meta({ description: 'percentiles are the worst of several jobs: the true ones are not above' }),
  }),
  grade: gradeSchema,
  scalingGrade: gradeSchema,
  why: whySchema,
  modes: z.array(z.object({ ...rangeSchema, peakMs: z.number() })),
  histogram: z.array(z.object(rangeSchema)),
  members: z.array(memberSchema),
  limit: z
    .enum(limitNames)
    .nullable()
    .meta({ description: 'what ended it; null: none was reached, or it is not known (limitReason)' }),
  limitReason: limitUnknownSchema.nullable(),
  error: testErrorSchema.nullable(),
  usdPer1000Iops: z
    .number()
    .nullable()
    .meta({ description: 'a month, of what the layout costs; null without a price' }),
  // Reports that were kept before it was reported have none.
  overTime: overTimeSchema
    .nullable()
    .default(null)
    .meta({ description: "null: fio's logs were not kept, or are not of this test alone" }),
});
export type GradedTestAnswer = z.infer<typeof gradedTestSchema>;

const pointSchema = z.object({
  users: z.number(),
  iops: z.number(),
  mibps: z.number(),
  meanMs: z.number().nullable(),
  p95Ms: z.number().nullable(),
});

/** One load with more and more users: what a scaling chart draws. */
const curveSchema = z.object({
  run: z.string(),
  access: z.enum(accesses),
  blockKiB: z.number(),
  ioDepth: z.number().nullable(),
  points: z.array(pointSchema),
});
export type Curve = z.infer<typeof curveSchema>;

/** The mean of repeated runs and the interval that it lies in with 95 % confidence (Student's t); null with one run. */
const estimateSchema = z.object({
  mean: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

const sameTestSchema = z.object({
  name: z.string(),
  access: z.enum(accesses).nullable(),
  blockKiB: z.number().nullable(),
  users: z.number().nullable(),
});

/** One test in several runs, side by side. */
const comparedSchema = sameTestSchema.extend({
  runs: z.array(
    z.object({
      run: z.string(),
      iops: z.number(),
      timesFirst: z.number().nullable().meta({ description: 'IOPS, in those of the first run' }),
      p95Ms: z.number().nullable(),
      grade: gradeSchema,
    }),
  ),
});
export type Compared = z.infer<typeof comparedSchema>;

const repeatedSchema = sameTestSchema.extend({
  runs: z.number(),
  iops: estimateSchema,
  p95Ms: estimateSchema.nullable(),
});
export type Repeated = z.infer<typeof repeatedSchema>;

const gradeNoteSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('not-compared').meta({ description: 'with other runs: it failed' }),
    ...{ run: z.string(), name: z.string(), error: testErrorSchema },
  }),
  z
    .object({ code: z.literal('files-of-one-run'), run: z.string(), files: z.array(z.string()) })
    .meta({ description: 'each has a load of its own: by what their names share' }),
  ...loadNotes,
  ...logNotes,
]);
export type GradeNote = z.infer<typeof gradeNoteSchema>;

export const gradeAnswerSchema = z.object({
  tests: z.array(gradedTestSchema),
  curves: z.array(curveSchema),
  comparison: z.array(comparedSchema).meta({ description: 'of several runs; empty where they are repeats' }),
  repeats: z.array(repeatedSchema),
  notes: z.array(gradeNoteSchema),
});
export type GradeAnswer = z.infer<typeof gradeAnswerSchema>;
