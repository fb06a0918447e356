/** What another service recommends for a volume, and what this audit says of it. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';

export const opinionSources = ['compute-optimizer', 'cost-optimization-hub'] as const;
export type OpinionSource = (typeof opinionSources)[number];

/** The order in which they are counted: what harms first. */
export const opinionLabels = ['unsafe', 'leaves-money', 'unseen', 'agree', 'not-comparable'] as const;
export type OpinionLabel = (typeof opinionLabels)[number];

export const opinionConfigurationSchema = z.object({
  volumeType: z.enum(volumeTypes),
  sizeGiB: z.number(),
  iops: z.number().nullable().meta({ description: 'null where it follows from type and size' }),
  throughputMiBps: z.number().nullable(),
});
export type OpinionConfiguration = z.infer<typeof opinionConfigurationSchema>;

const minutes = { throttledMinutesNow: z.number(), throttledMinutes: z.number() };

/** One for each row: the label follows from it. Figures are of the audit's window. */
const reasonSchema = z.discriminatedUnion('code', [
  // agree
  z.object({ code: z.enum(['both-keep', 'same-configuration', 'like-cost']) }),
  z.object({ code: z.literal('both-delete') }).meta({ description: 'nobody uses the volume' }),
  z.object({ code: z.literal('costs-less-than-ours') }).meta({
    description: 'it is cheaper than what this audit recommends, and the simulation finds no harm in it',
  }),
  // leaves-money
  z.object({ code: z.literal('keeps-what-can-cost-less') }),
  z
    .object({ code: z.literal('more-than-needed') })
    .meta({ description: 'it changes the volume, to more than the load needs' }),
  // unsafe
  z.object({ code: z.literal('throttled-if-followed'), ...minutes }).meta({
    description:
      'simulated, with the demand as high as it may be; more minutes than now also if it is as low as it may be',
  }),
  z.object({ code: z.literal('deletes-what-is-used'), activeMinutes: z.number() }).meta({
    description: 'it recommends to delete a volume that had I/O in so many minutes of the window',
  }),
  // unseen: trouble or savings that such a service does not look at
  z.object({ code: z.literal('stripe'), members: z.number() }),
  z.object({ code: z.literal('instance-limit'), instanceId: z.string(), minutes: z.number() }),
  z.object({ code: z.literal('credits'), minutes: z.number() }),
  z.object({ code: z.literal('keeps-throttled'), minutes: z.number() }).meta({
    description: 'the volume is throttled by its own limit, and stays so with what it recommends',
  }),
  z.object({ code: z.literal('detached') }),
  z.object({ code: z.literal('under-30-hours'), hours: z.number().nullable() }),
  z.object({ code: z.literal('no-recommendation') }).meta({ description: 'it says nothing of this volume' }),
  // not-comparable
  z.object({ code: z.literal('stale'), lastRefreshed: z.string(), hours: z.number() }),
  z.object({ code: z.literal('undated') }).meta({ description: 'it does not say when it was made' }),
  z.object({ code: z.literal('other-window'), days: z.number(), auditDays: z.number() }),
  z.object({ code: z.literal('configuration-changed') }).meta({
    description: 'the volume is not configured as it was when the recommendation was made',
  }),
  z.object({ code: z.literal('option-unknown'), volumeType: z.string() }).meta({
    description:
      'of a type that this version does not know, or with figures that are missing or that EBS refuses',
  }),
  z
    .object({ code: z.literal('not-evaluated') })
    .meta({ description: 'the audit has no load of this volume to simulate' }),
  z.object({ code: z.literal('smaller-size') }).meta({
    description: 'it recommends fewer GiB: no volume shrinks, and whether the data fits is not known',
  }),
  z.object({ code: z.literal('demand-unknown') }).meta({
    description:
      'its demand is not known closely enough: whether it would be throttled more depends on how high it was',
  }),
  z.object({ code: z.literal('price-unknown') }),
]);
export type OpinionReason = z.infer<typeof reasonSchema>;

export const secondOpinionSchema = z.object({
  volumeId: z.string(),
  name: z.string().nullable(),
  region: z.string(),
  account: z.string().nullable(),
  source: z.enum(opinionSources),
  label: z.enum(opinionLabels),
  reason: reasonSchema,
  current: opinionConfigurationSchema.nullable(),
  recommended: opinionConfigurationSchema.nullable().meta({
    description: 'what it recommends first; null where it recommends nothing, or to delete the volume',
  }),
  monthlyUsdDifference: z.number().nullable().meta({
    description:
      'USD a month that following it costs more than following this audit: positive is money left; negative: it is cheaper; null: not known',
  }),
  throttledMinutesIfFollowed: z
    .number()
    .nullable()
    .meta({ description: 'simulated, of the window; null: not simulated' }),
});
export type SecondOpinion = z.infer<typeof secondOpinionSchema>;

/** What came of asking, by source, account and Region. */
export const opinionReadSchema = z.object({
  source: z.enum(opinionSources),
  account: z.string().nullable(),
  region: z.string().nullable().meta({ description: 'null: a file, or all Regions' }),
  status: z.enum(['read', 'empty', 'not-enabled', 'denied', 'failed']),
  error: z.string().nullable().meta({ description: 'as AWS says it' }),
  recommendations: z.number(),
  rdsRows: z.number().meta({ description: 'rows of Amazon RDS storage: not covered yet' }),
  otherAccounts: z.number().meta({ description: 'rows of accounts that this audit did not read' }),
  unmatched: z.number().meta({ description: 'rows of volumes that are not in the inventory' }),
  otherRows: z
    .number()
    .optional()
    .meta({ description: 'rows of no volume: of other resources, or without an id; absent: none' }),
});
export type OpinionRead = z.infer<typeof opinionReadSchema>;
