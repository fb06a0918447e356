/** What is recommended against a finding: codes and figures, from which every channel makes the same lines. */
import { z } from 'zod';
import { layoutSchema } from './layout.ts';

/** Modify and set-bandwidth-weighting leave everything in use; migrate copies the data; recreate goes through a snapshot. */
const actions = [
  ...(['modify', 'migrate', 'recreate', 'resize-instance', 'set-bandwidth-weighting'] as const),
  ...(['schedule', 'move-card', 'delete', 'investigate'] as const),
] as const;

export const rateUnits = ['IOPS', 'MiB/s'] as const;
export type RateUnit = (typeof rateUnits)[number];

export const limitSchema = z.object({
  what: z.enum(['baseline', 'burst', 'maximum']).meta({ description: 'maximum where nothing bursts' }),
  value: z.number().meta({ description: 'of a stripe all members together' }),
  unit: z.enum(rateUnits),
  scope: z.enum(['volume', 'instance', 'card']),
});
export type Limit = z.infer<typeof limitSchema>;

const changeSchema = z.discriminatedUnion('of', [
  z.object({ of: z.literal('volume'), from: layoutSchema, to: layoutSchema }).meta({
    description: 'of a stripe in place of each member',
  }),
  z.object({ of: z.literal('instance'), from: z.string().nullable(), to: z.string() }),
  z.object({
    of: z.literal('volumes'),
    volumes: z.array(
      z.object({
        volumeId: z.string(),
        from: z.object({ iops: z.number(), throughputMiBps: z.number() }),
        to: z.object({ iops: z.number(), throughputMiBps: z.number() }),
      }),
    ),
  }),
  z.object({
    of: z.literal('cards'),
    moves: z.array(z.object({ volumeId: z.string(), toCard: z.number() })),
  }),
]);

const effectSchema = z.object({
  method: z.enum(['simulated', 'estimated', 'unknown']).meta({
    description:
      'simulated: the load was replayed on it, for all that was wanted; estimated: for what is likely, or by its figures',
  }),
  throttledMinutesBefore: z.number().nullable().meta({
    description:
      'as measured in the window; of a forecast as simulated for the next two hours; null where neither is known',
  }),
  throttledMinutesAfter: z.number().nullable(),
  limitBefore: limitSchema.nullable(),
  limitAfter: limitSchema.nullable(),
});

/** What a size follows from. */
const sizings = [
  'demand',
  'headroom',
  'type-minimum',
  'twice-served',
  // A share more than the limit, where nothing shows how much was wanted.
  'limit-headroom',
  'present-maximum',
] as const;

const riskCodes = [
  'downtime',
  'data-loss-rate',
  'no-root-volume',
  'never-shrinks',
  'less-consistent',
  'less-durable',
  'seldom-read',
  'on-credits',
  'no-more-credits',
  'type-on-outpost',
  'all-members-alike',
  'inferred-stripe',
  'unlike-members',
  'like-volumes',
  'averages-hide-bursts',
  'demand-unknown',
  'instance-limits',
  'more-than-the-type',
  'also-at-the-limit',
  'sequential-stripe-cheaper',
  'small-io-costs-credits',
  'volumes-peak-together',
  'need-unknown',
  'not-the-whole-need',
  'snapshot-first',
  'stripe-in-use',
] as const;

const riskSchema = z.object({
  code: z.enum(riskCodes),
  from: z.number().optional(),
  to: z.number().optional(),
  count: z.number().optional(),
  minutes: z.number().optional(),
});
export type Risk = z.infer<typeof riskSchema>;

/** What an action is for, where the action alone does not say it. */
const purposes = [
  'leave-the-bucket',
  'larger-or-other-type',
  'spread-the-burst',
  'raise-in-steps',
  'host-errors',
  'initialization',
  'replace-member',
  'instance-first',
  'instance-after',
  'spread-the-load',
  'unused',
  'lower-to-need',
  'lower-to-reach',
  'keep-figures',
  'use-figures',
  'hold-nothing-back',
  'faster',
  'less-cost',
] as const;

export const recommendationSchema = z.object({
  action: z.enum(actions),
  purpose: z.enum(purposes),
  inPlace: z.boolean().meta({ description: 'what it is about stays in use' }),
  change: changeSchema.nullable().meta({ description: 'null where nothing is sized' }),
  effect: effectSchema,
  monthlyUsdDelta: z
    .number()
    .nullable()
    .meta({ description: 'negative saves; null where a price is unknown, or nothing is bought' }),
  priceUnknownReason: z.string().nullable(),
  sizedBy: z.enum(sizings).nullable(),
  risks: z.array(riskSchema),
  steps: z.array(z.string()).meta({ description: 'in order' }),
  text: z.string().meta({ description: 'the same in a sentence' }),
});
export type Recommendation = z.infer<typeof recommendationSchema>;
