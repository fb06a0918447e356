/** What is said of a load beside its figures, in codes: what its demand rests on, and why its need is not known. */
import { z } from 'zod';

const span = z.object({
  lowMs: z.number(),
  highMs: z.number().nullable().meta({ description: 'null where nothing bounds it' }),
});

const periods = {
  periods: z.number().meta({ description: 'so many of those that were throttled' }),
  throttledPeriods: z.number(),
};

/** What the bounds of a demand rest on. */
export const demandAssumptionSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('service-time'),
    ioKiB: z.number().nullable().meta({ description: 'about so large; null where that is not known' }),
    isMeasured: z
      .boolean()
      .meta({ description: 'false: taken for it, with too few calm periods of like I/O' }),
    ...span.shape,
  }),
  z
    .object({
      code: z.literal('think-time'),
      ...span.shape,
      calmSteps: z.number().meta({ description: 'of the rate that followed the latency' }),
      limitFalls: z.number(),
    })
    .meta({ description: 'between two I/O of a worker; from 0 and without end: it cannot be known' }),
  z.object({ code: z.literal('backlog'), ...periods }).meta({
    description:
      'unmet demand piled up or was worked off: the demand is what was served and what the queue grew by',
  }),
  z.object({ code: z.literal('short-bursts'), ...periods }).meta({
    description: 'throttled for seconds: the demand was met within the period',
  }),
  z.object({ code: z.literal('stalled'), ...periods }).meta({
    description: 'the volume completed nothing: the demand has no upper bound',
  }),
  z.object({ code: z.literal('at-most-unknown') }).meta({
    description: 'what is known bounds it from above too far from what was demanded at least to size for',
  }),
  z.object({ code: z.literal('no-queue-no-latency'), ...periods }).meta({
    description: 'the demand is at least what was served, without an upper bound',
  }),
]);
export type DemandAssumption = z.infer<typeof demandAssumptionSchema>;

/** Why a load does not show what it needs. */
export const needUnknownSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('throttled'), minutes: z.number() }),
  z.object({ code: z.literal('window-too-short'), minHours: z.number() }),
  z.object({ code: z.literal('too-many-gaps'), knownPercent: z.number() }),
  z.object({ code: z.literal('bytes-unknown') }),
  z.object({ code: z.literal('averages-hide-bursts'), periodSeconds: z.number() }),
  z.object({ code: z.literal('not-read') }).meta({ description: 'nothing asked for it' }),
]);
export type NeedUnknown = z.infer<typeof needUnknownSchema>;
