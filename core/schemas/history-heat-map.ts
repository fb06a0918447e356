/** What `stripewise history heat-map` answers with `--json`. */
import { z } from 'zod';
import { unreadFilesSchema } from './history-answers.ts';

export const heatMapFigures = ['iops', 'mibps', 'queue', 'throttled', 'exceeded'] as const;
export type HeatMapFigure = (typeof heatMapFigures)[number];

const value = z.number().nullable();

const dayHoursSchema = z.object({
  day: z.iso.date(),
  value: value.meta({ description: 'of its highest hour; of minutes: all of the day' }),
  hours: z.array(value).meta({ description: '24, from 00:00 UTC on; null: less than half is known' }),
});
export type DayHours = z.infer<typeof dayHoursSchema>;

export const heatMapSchema = z.object({
  volumeId: z.string(),
  account: z.string(),
  region: z.string(),
  window: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
  figure: z
    .enum(heatMapFigures)
    .meta({ description: 'averages of each hour; throttled and exceeded: its minutes' }),
  week: z
    .array(z.array(value))
    .meta({ description: '7 days from Monday on, 24 hours of each, UTC: the average over all weeks' }),
  days: z.array(dayHoursSchema),
  unreadFiles: unreadFilesSchema,
});
export type HeatMap = z.infer<typeof heatMapSchema>;
