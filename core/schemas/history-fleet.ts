/** What `stripewise history fleet` answers with `--json`. */
import { z } from 'zod';
import { unreadFilesSchema } from './history-answers.ts';

const minutes = z.number().int();
const unknownMinutes = minutes.nullable();

const volumeWeekSchema = z.object({
  volumeId: z.string(),
  account: z.string(),
  region: z.string(),
  throttledMinutes: unknownMinutes.meta({ description: 'null: none of its minutes was evaluated' }),
  exceededMinutes: unknownMinutes.meta({ description: 'that a check reports: no truth of throttling' }),
});

const count = z.number().int();
const day = z.iso.date().meta({ description: 'the last one of the week that has them' });

const weekCostSchema = z.object({
  day,
  volumes: count,
  unpriced: count.meta({ description: 'volumes whose price is not known: usdMonth is without them' }),
  usdMonth: z.number().nullable().meta({ description: 'USD a month; null: no price is known' }),
});

const weekFindingsSchema = z.object({ day, critical: count, warning: count, info: count });

const fleetWeekSchema = z.object({
  week: z.string().meta({ description: 'ISO 8601, such as 2026-W48: from Monday on, UTC' }),
  from: z.iso.date().meta({ description: 'its Monday' }),
  daysWithPoints: z.number().int().meta({ description: 'at most 7; of the volume that has most' }),
  volumes: z.number().int().meta({ description: 'with points' }),
  volumesEvaluated: z.number().int(),
  volumesThrottled: z.number().int().nullable(),
  minutes,
  evaluatedMinutes: minutes,
  throttledMinutes: unknownMinutes.meta({
    description: 'of the evaluated minutes; null: none was evaluated',
  }),
  exceededMinutes: unknownMinutes.meta({ description: 'that a check reports: no truth of throttling' }),
  cost: weekCostSchema.nullable().meta({ description: 'null: the week has no inventory' }),
  findings: weekFindingsSchema.nullable().meta({ description: 'null: the week has no findings table' }),
  top: z
    .array(volumeWeekSchema)
    .meta({ description: 'the volumes with the most of them; those with none left out' }),
});
export type FleetWeek = z.infer<typeof fleetWeekSchema>;

export const fleetWeeksSchema = z.object({
  window: z.object({ start: z.iso.datetime().nullable(), end: z.iso.datetime().nullable() }),
  weeks: z.array(fleetWeekSchema),
  unreadFiles: unreadFilesSchema,
});
export type FleetWeeks = z.infer<typeof fleetWeeksSchema>;
