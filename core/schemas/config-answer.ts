/** What `stripewise config check --json` answers. */
import { z } from 'zod';

const quietHoursSchema = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  utcToday: z.object({ from: z.string(), to: z.string() }).meta({ description: 'where clocks stand today' }),
  text: z.string(),
});

export const configAnswerSchema = z.object({
  file: z.string().nullable().meta({ description: 'null: there is none, so these are the defaults' }),
  runs: z.array(z.string()).meta({ description: 'what runs when' }),
  looksAt: z.array(z.string()).meta({ description: 'which volumes, by which words' }),
  channels: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      mostPerHour: z.number(),
      quietHours: quietHoursSchema.nullable(),
      text: z.string(),
    }),
  ),
  routes: z.array(z.object({ to: z.array(z.string()), text: z.string() })),
  thresholds: z
    .array(z.object({ name: z.string(), figure: z.number(), documented: z.number() }))
    .meta({ description: 'those that are not the documented ones' }),
  cost: z
    .object({
      volumes: z.number(),
      audits: z.object({
        aMonth: z.number(),
        metricsPerVolume: z.number(),
        metrics: z.number(),
        usd: z.number(),
        text: z.string(),
      }),
      pulse: z
        .object({ usd: z.number(), text: z.string() })
        .nullable()
        .meta({ description: 'null: it is off, or what it takes is not known' }),
      pulseUnknownBecause: z.string().nullable(),
      usd: z.number().nullable().meta({ description: 'in all; null where a part is not known' }),
      budgetUsd: z.number().nullable(),
      budget: z.array(z.string()).meta({ description: 'what the budget means' }),
    })
    .meta({ description: 'of CloudWatch, a month' }),
  notes: z.array(z.string()).meta({ description: 'what may not be meant so' }),
});
export type ConfigAnswer = z.infer<typeof configAnswerSchema>;
