/** What `stripewise history trend` answers with `--json`. */
import { z } from 'zod';
import { unreadFilesSchema } from './history-answers.ts';

export const trendFigures = ['iops', 'mibps'] as const;
export type TrendFigure = (typeof trendFigures)[number];

const trendStates = ['growing', 'falling', 'none', 'unknown'] as const;

const trendReasons = [
  'too-few-days',
  'too-scattered',
  'no-trend',
  'level-changed',
  'falling',
  'no-limit',
  'at-limit',
  'beyond-horizon',
] as const;
export type TrendReason = (typeof trendReasons)[number];

export const weekdayNames = [
  ...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const),
] as const;
const figure = z.number().nullable();

const trendSchema = z.object({
  state: z.enum(trendStates),
  reason: z.enum(trendReasons).nullable().meta({ description: 'why there is no day; null: there is one' }),
  daysKnown: z.number().int(),
  busiestWeekdays: z
    .array(z.enum(weekdayNames))
    .meta({ description: 'whose demand is highest, and cannot be told apart: level and slope are theirs' }),
  level: figure.meta({ description: 'on the last day, of the busiest weekdays' }),
  perDay: z
    .object({ slope: z.number(), low: z.number(), high: z.number() })
    .nullable()
    .meta({ description: 'change a day; low and high: the interval of 95 %' }),
  meetsLimit: z
    .object({ on: z.iso.date(), earliest: z.iso.date(), latest: z.iso.date().nullable() })
    .nullable()
    .meta({ description: 'latest null: it may be later than the farthest day that is shown' }),
  newLevelFrom: z.iso.date().nullable().meta({ description: 'of a demand that stepped: its first day' }),
});
export type Trend = z.infer<typeof trendSchema>;

const trendOfFigureSchema = trendSchema.extend({
  figure: z.enum(trendFigures),
  limit: figure.meta({ description: 'null: not given' }),
  days: z.array(z.object({ day: z.iso.date(), value: figure })).meta({
    description: 'the 95th percentile of the minutes of each day; null: less than half a day is known',
  }),
});
export type TrendOfFigure = z.infer<typeof trendOfFigureSchema>;

export const volumeTrendSchema = z.object({
  volumeId: z.string(),
  account: z.string(),
  region: z.string(),
  window: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
  figures: z.array(trendOfFigureSchema),
  unreadFiles: unreadFilesSchema,
});
export type VolumeTrend = z.infer<typeof volumeTrendSchema>;
