/** Why the load of a volume is not known, or the metrics of a resource cannot be used. */
import { z } from 'zod';

export const loadReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-operations') }),
  z.object({ code: z.literal('one-datapoint') }),
  z.object({
    code: z.literal('mixed-periods'),
    of: z.enum(['points', 'reads-and-writes']),
    periodSeconds: z.number(),
    otherPeriodSeconds: z.number(),
  }),
  z.object({ code: z.literal('reads-and-writes-apart') }),
  z.object({ code: z.literal('conflicting-points') }),
  z.object({ code: z.literal('points-too-close'), periodSeconds: z.number() }),
  z.object({
    code: z.literal('metric-in-part'),
    metric: z.string(),
    status: z.string().nullable().meta({ description: 'as CloudWatch says; null: it did not come at all' }),
  }),
  z.object({
    code: z.literal('metrics-not-read'),
    reason: z.string().meta({ description: 'what was asked, and what AWS said' }),
  }),
  z.object({ code: z.literal('batch-without-result') }),
  z.object({
    code: z.literal('batch-failed'),
    reason: z.string().meta({ description: 'as the workflow tells it' }),
  }),
]);
export type LoadReason = z.infer<typeof loadReasonSchema>;
