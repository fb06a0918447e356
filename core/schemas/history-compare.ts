/** What `stripewise history compare` answers with `--json`. */
import { z } from 'zod';
import { unreadFilesSchema } from './history-answers.ts';

const figure = z.number().nullable();

const ratesSchema = z.object({
  average: figure,
  percentile95: figure.meta({ description: 'of the minutes' }),
  highest: figure,
});
export type PeriodRates = z.infer<typeof ratesSchema>;

const periodSchema = z.object({
  start: z.iso.datetime(),
  end: z.iso.datetime(),
  minutes: z.number(),
  minutesWithPoints: z.number(),
  hasMonthEnd: z.boolean().meta({ description: 'the whole last day of a month is in it' }),
  ...{ iops: ratesSchema, mibps: ratesSchema, queueLength: ratesSchema },
  readLatencyMs: ratesSchema.meta({ description: 'the average is that of all operations' }),
  writeLatencyMs: ratesSchema,
  evaluatedMinutes: z.number(),
  throttledMinutes: figure.meta({ description: 'null: no minute was evaluated' }),
  throttledMinutesPerDay: figure.meta({ description: 'of 1,440 evaluated minutes' }),
  exceededMinutes: figure.meta({ description: 'that a check reports: no truth of throttling' }),
  exceededMinutesPerDay: figure.meta({ description: 'of 1,440 minutes of which both checks are known' }),
});
export type Period = z.infer<typeof periodSchema>;

const periodNotes = ['few-points', 'weekdays-differ', 'month-end-in-one'] as const;
export type PeriodNote = (typeof periodNotes)[number];

export const periodsComparisonSchema = z.object({
  volumeId: z.string(),
  account: z.string(),
  region: z.string(),
  period: periodSchema,
  with: periodSchema,
  notes: z.array(z.enum(periodNotes)).meta({ description: 'why the two may not be alike' }),
  unreadFiles: unreadFilesSchema,
});
export type PeriodsComparison = z.infer<typeof periodsComparisonSchema>;
