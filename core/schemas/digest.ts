/** What is reported by the day or the week: how many findings there are, what came and went, and the most urgent of them. */
import { z } from 'zod';
import { findingFields, severities } from './finding.ts';
import { fleetSpanSchema } from './fleet-days.ts';
import { notifiedSchemaWithout } from './notification.ts';

const bySeverity = z.record(z.enum(severities), z.number());

export const digestSchema = z.object({
  type: z.literal('stripewise.digest'),
  version: z.literal(2),
  id: z.string().meta({ description: 'the same for the same span' }),
  span: z.object({ start: z.string(), end: z.string() }).meta({ description: 'ISO 8601 UTC' }),
  open: bySeverity,
  /** Within the span. */
  opened: z.number(),
  resolved: z.number(),
  muted: z.number().meta({ description: 'open ones of which nothing is reported' }),
  acknowledged: z.number(),
  monthlyUsdToSave: z
    .number()
    .meta({ description: 'what the top recommendation of each open finding saves, where it saves' }),
  byAccount: z
    .array(
      findingFields.shape.resource.pick({ account: true, accountName: true, accountUnits: true }).extend({
        open: z.number(),
        monthlyUsdToSave: z.number(),
      }),
    )
    .optional()
    .meta({
      description: 'where findings of several accounts are open: the first of them, the most to save first',
    }),
  weeks: z.array(fleetSpanSchema).optional().meta({
    description:
      'with an archive, of all that audits read: the seven days before the last seven, and the last seven; absent: not known',
  }),
  changes: z
    .object({
      days: z.number().meta({ description: 'that ended in so many days before the end of the span' }),
      ...{ kept: z.number(), undone: z.number(), notMade: z.number() },
      undoNotMade: z.number().optional().meta({ description: 'they hurt and stand: a person must act' }),
      realisedMonthlyUsd: z.number().nullable().meta({
        description: 'what the bill differs by for those that stand, on-demand; null: a price is not known',
      }),
      throttledMinutesADayBefore: z.number().meta({ description: 'of volumes whose change was compared' }),
      throttledMinutesADayAfter: z.number(),
    })
    .optional()
    .meta({
      description: 'with changes of volumes, in the first digest of a calendar month; absent: none ended',
    }),
  /** Most urgent first; also what was never reported, being below the least severity. */
  first: z.array(notifiedSchemaWithout(['change', 'mostUrgent', 'order', 'openedAt', 'validation'])),
  notShown: z.number(),
  reportUrl: z.string().nullable().default(null),
});
export type Digest = z.infer<typeof digestSchema>;
