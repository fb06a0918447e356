/** The fleet by day, as an audit with an archive keeps it beside the archive: one small document of all accounts and Regions. */
import { z } from 'zod';

const count = z.number().int().nonnegative();
const day = z.iso.date();

/** Of the volumes of an audit, in its window. */
export const minutesOfDaySchema = z.object({
  day: day.meta({ description: 'UTC' }),
  evaluated: count.meta({
    description: 'volume-minutes of which evaluation says whether they were throttled',
  }),
  throttled: count.meta({ description: 'of these' }),
});
export type MinutesOfDay = z.infer<typeof minutesOfDaySchema>;

/** What the last audit of a day found. */
const fleetSchema = z.object({
  volumes: count,
  unpriced: count.meta({ description: 'volumes whose price is not known: usdMonth is without them' }),
  usdMonth: z.number().nullable().meta({ description: 'USD a month; null: no price is known' }),
  findings: z
    .object({ critical: count, warning: count, info: count })
    .nullable()
    .meta({ description: 'null: nothing was read' }),
  partial: z.boolean().meta({ description: 'not all was read: there may be more' }),
});

const throttledMinutes = count.nullable().meta({ description: 'volume-minutes; null: none was evaluated' });

const fleetDaySchema = z.object({
  day,
  fleet: fleetSchema.nullable().meta({ description: 'null: no audit ended on it' }),
  throttledMinutes,
  evaluatedMinutes: count,
});
export type FleetDay = z.infer<typeof fleetDaySchema>;

export const fleetDaysSchema = z.object({ version: z.literal(1), days: z.array(fleetDaySchema) });
export type FleetDays = z.infer<typeof fleetDaysSchema>;

/** Seven days of it. */
export const fleetSpanSchema = z.object({
  from: day,
  to: day.meta({ description: 'its last day' }),
  daysEvaluated: count.meta({ description: 'days with throttled minutes that are known' }),
  throttledMinutes,
  fleet: fleetSchema
    .extend({ day })
    .nullable()
    .meta({ description: 'of the last day with an audit; null: there is none' }),
});
export type FleetSpan = z.infer<typeof fleetSpanSchema>;
