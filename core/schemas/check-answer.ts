/** What `check` says of infrastructure code before it is applied. Field names are a contract; more may be added. */
import { z } from 'zod';
import { unknownFigureCodes } from '../check/planned.ts';
import { priceSourceSchema } from '../prices/prices.ts';
import { severities } from './finding-kinds.ts';
import { layoutSchema } from './layout.ts';

/** The rules, in the order in which they are listed. */
export const checkRuleIds = [
  'refused-by-aws',
  'measured-load',
  'replaced',
  'lower-throughput',
  'instance-limit',
  'unused-performance',
  'credits',
  'gp2-to-gp3',
  'stripe-cheaper',
  'stripe-faster',
] as const;
export type CheckRuleId = (typeof checkRuleIds)[number];

/** Classes of load, for the credits that they use up. */
export const loadClasses = ['general', 'batch', 'database'] as const;
export type LoadClass = (typeof loadClasses)[number];

const figuresSchema = z.object({
  volumeType: z.string(),
  sizeGiB: z.number().nullable().meta({ description: 'null: not set, or not known' }),
  iops: z.number().nullable().meta({ description: 'null: not set, the default of the type' }),
  throughputMiBps: z.number().nullable().meta({ description: 'null: not set, the default of the type' }),
});
export type CheckFigures = z.infer<typeof figuresSchema>;

/** A volume as it is named in a file: a resource, or a device of one. */
const targetSchema = z.object({
  address: z.string(),
  device: z.string().nullable().meta({ description: 'of an instance, a launch template or a group' }),
});

const abilitySchema = z.object({
  iops: z.number(),
  throughputMiBps: z.number(),
});

const instanceAbilitySchema = z.object({
  instanceType: z.string(),
  baselineIops: z.number(),
  maximumIops: z.number(),
  baselineMiBps: z.number(),
  maximumMiBps: z.number(),
});

const factsSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('configuration-refused'), figures: figuresSchema, reason: z.string() })
    .meta({ description: 'the reason names the rule of EBS' }),
  z.object({ code: z.literal('no-such-volume-type'), volumeType: z.string() }),
  z.object({ code: z.literal('volume-shrinks'), fromGiB: z.number(), toGiB: z.number() }),
  z.object({ code: z.literal('boot-volume-type'), volumeType: z.string() }),
  z.object({ code: z.literal('multi-attach-type'), volumeType: z.string() }),
  z
    .object({
      code: z.literal('instance-limit'),
      instance: instanceAbilitySchema,
      volumes: z.number().meta({ description: 'those of known figures: there may be more' }),
      together: abilitySchema.meta({ description: 'the baseline of the volumes together' }),
      isAboveMaximum: z.boolean(),
    })
    .meta({ description: 'the volumes can do more than their instance' }),
  z.object({
    code: z.literal('unused-performance'),
    instance: instanceAbilitySchema,
    together: abilitySchema,
    unusedIops: z.number(),
    unusedMiBps: z.number(),
    monthlyUsd: z.number().nullable().meta({ description: 'what lowering saves; null: no prices' }),
  }),
  z.object({
    code: z.literal('gp2'),
    figures: figuresSchema,
    now: abilitySchema.nullable().meta({ description: 'at its best; null: of any size' }),
  }),
  z.object({
    code: z.literal('lower-performance'),
    from: figuresSchema,
    to: figuresSchema,
    before: abilitySchema.meta({ description: 'at its best' }),
    after: abilitySchema,
    isSet: z.boolean().meta({ description: 'the file says the lower figures; else they are defaults' }),
  }),
  z.object({
    code: z.literal('replaced'),
    what: z.enum(['volume', 'instance']),
    isInPlace: z.boolean().meta({ description: 'EBS makes this change in place' }),
    replacedFor: z.array(z.string()),
    replaceReason: z
      .enum(['attributes', 'tainted', 'requested', 'unknown'])
      .meta({ description: 'tainted, or requested with -replace: no attribute asks for it' }),
    devices: z.array(z.string()).meta({ description: 'of an instance those that change' }),
  }),
  z.object({ code: z.literal('single-volume'), figures: figuresSchema, can: abilitySchema }),
  z.object({
    code: z.literal('volume-at-its-most'),
    figures: figuresSchema,
    can: abilitySchema,
    stripe: abilitySchema.meta({ description: 'of gp3, of the same size together' }),
    instance: instanceAbilitySchema.nullable().meta({ description: 'null: the file names none' }),
  }),
  z.object({
    code: z.literal('credits-used-up'),
    of: z.enum(['volume', 'instance']),
    name: z.string().meta({ description: 'volume type or instance type' }),
    load: z.enum(loadClasses),
    loadHours: z.number(),
    rate: z.number(),
    baseline: z.number(),
    unit: z.enum(['IOPS', 'MiB/s']),
    lastsSeconds: z.number().meta({ description: 'a full bucket, at this rate' }),
  }),
  z.object({
    code: z.literal('throttles-measured-load'),
    volumeId: z.string(),
    from: layoutSchema,
    to: layoutSchema,
    throttledMinutesADayBefore: z.number().meta({ description: 'the mean of all days' }),
    throttledMinutesADayAfter: z.number(),
    throttledMinutesPeak24hBefore: z
      .number()
      .meta({ description: 'in the 24 hours with the most, by which the severity goes' }),
    throttledMinutesPeak24hAfter: z.number(),
    measuredDays: z.number().meta({ description: 'with figures, gaps left out' }),
  }),
]);
export type CheckFacts = z.infer<typeof factsSchema>;

const wayOutSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('set-volumes'),
    changes: z.array(targetSchema.extend({ to: figuresSchema })),
    monthlyUsdDifference: z.number().nullable(),
  }),
  z.object({
    code: z.literal('set-instance-type'),
    address: z.string(),
    instanceType: z.string(),
    baselineIops: z.number(),
    baselineMiBps: z.number(),
    monthlyUsdDifference: z.number().nullable(),
  }),
  z.object({
    code: z.literal('stripe'),
    ...targetSchema.shape,
    layout: layoutSchema,
    monthlyUsdDifference: z.number().nullable(),
  }),
  z.object({
    code: z.literal('modify-in-place'),
    changes: z.array(targetSchema.extend({ to: figuresSchema })),
  }),
  z.object({
    code: z.literal('keep'),
    replaceReason: z.enum(['tainted', 'requested']),
    ...targetSchema.shape,
  }),
  z.object({ code: z.literal('snapshot-first'), ...targetSchema.shape }),
]);
export type CheckWayOut = z.infer<typeof wayOutSchema>;

export const checkFindingSchema = z.object({
  rule: z.enum(checkRuleIds),
  severity: z.enum(severities),
  ...targetSchema.shape,
  file: z.string(),
  line: z.number().nullable(),
  region: z.string().nullable().meta({ description: 'null: the file does not say it, nor --region' }),
  copies: z
    .number()
    .nullable()
    .meta({ description: 'how many there are: USD are of all of them; null: not known, of one' }),
  facts: factsSchema,
  wayOut: z.array(wayOutSchema).meta({ description: 'the first is the usual one; none: there is none' }),
});
export type CheckFinding = z.infer<typeof checkFindingSchema>;

/** Figures of a resource that a rule needs. */
export const checkFigureNames = [
  'volume type',
  'size',
  'IOPS',
  'throughput',
  'instance type',
  'number of instances',
  'purchase option',
  'devices',
  'volumes',
] as const;

const notCheckedReasonSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('figure-unknown'),
    figure: z.enum(checkFigureNames),
    why: z.enum([...unknownFigureCodes, 'not-set']),
    detail: z.string().nullable(),
  }),
  z.object({ code: z.literal('refused') }).meta({ description: 'AWS refuses it: see that finding' }),
  z.object({ code: z.literal('no-such-instance-type'), instanceType: z.string() }),
  z.object({ code: z.literal('no-ebs-limits'), instanceType: z.string() }),
]);
export type NotCheckedReason = z.infer<typeof notCheckedReasonSchema>;

const pricedKindSchema = z
  .enum(['volume', 'instance'])
  .meta({ description: 'instance: one by itself, or those of a group' });
export type PricedKind = z.infer<typeof pricedKindSchema>;

const pricedResourceSchema = z.object({
  kind: pricedKindSchema,
  ...targetSchema.shape,
  action: z.string(),
  copies: z.number(),
  beforeMonthlyUsd: z.number(),
  afterMonthlyUsd: z.number(),
  monthlyUsdDifference: z.number(),
});
export type PricedResource = z.infer<typeof pricedResourceSchema>;

const notPricedReasonSchema = z.discriminatedUnion('code', [
  notCheckedReasonSchema.options[0],
  notCheckedReasonSchema.options[1],
  z.object({ code: z.literal('region-unknown') }),
  z.object({ code: z.literal('no-prices'), region: z.string() }),
  z.object({ code: z.literal('no-instance-price'), instanceType: z.string(), region: z.string() }),
  z
    .object({ code: z.literal('dedicated') })
    .meta({ description: 'dedicated tenancy: the prices here are of shared instances' }),
  z.object({ code: z.literal('spot') }).meta({ description: 'the price of Spot instances changes' }),
  z
    .object({ code: z.literal('several-instance-types'), types: z.number() })
    .meta({ description: 'of a group: nobody knows how many of each there will be' }),
]);
export type NotPricedReason = z.infer<typeof notPricedReasonSchema>;

const notMatchedReasons = [
  'no-id-and-no-tags',
  'not-found',
  'several',
  'no-figures',
  'no-metrics',
  'not-on-outposts',
] as const;

export const checkAnswerSchema = z.object({
  findings: z.array(checkFindingSchema).meta({ description: 'the most severe first' }),
  ignored: z
    .array(
      checkFindingSchema
        .pick({ rule: true, severity: true, address: true })
        .extend({ reason: z.string().nullable() }),
    )
    .meta({ description: 'by the tag stripewise:ignore; null: no reason was given' }),
  unknownIgnoredRules: z
    .array(z.object({ address: z.string(), rule: z.string() }))
    .meta({ description: 'named in a tag, and no rule' }),
  price: z.object({
    monthlyUsdDifference: z.number().meta({ description: 'of the resources below alone' }),
    volumesMonthlyUsdDifference: z.number().meta({ description: 'of the volumes among them' }),
    instancesMonthlyUsdDifference: z
      .number()
      .meta({ description: 'of the instances among them: on demand, Linux, shared tenancy' }),
    isOfChange: z.boolean().meta({
      description: 'false: a template or a manifest says what shall be, so this is what it costs',
    }),
    resources: z.array(pricedResourceSchema).meta({ description: 'those that change, the dearest first' }),
    notPriced: z.array(targetSchema.extend({ kind: pricedKindSchema, reason: notPricedReasonSchema })),
    sources: z.array(priceSourceSchema),
  }),
  measured: z
    .object({
      days: z.number().meta({ description: 'of the volume that was measured longest' }),
      simulated: z.array(targetSchema.extend({ volumeId: z.string() })),
      notMatched: z.array(targetSchema.extend({ reason: z.enum(notMatchedReasons) })),
    })
    .nullable()
    .meta({ description: 'null: no metrics were given' }),
  loadClass: z
    .enum(loadClasses)
    .nullable()
    .meta({ description: 'by which burst credits were checked; null: they were not, for want of --load' }),
  notChecked: z
    .array(targetSchema.extend({ rules: z.array(z.enum(checkRuleIds)), reason: notCheckedReasonSchema }))
    .meta({ description: 'what a rule needed and the file does not say' }),
  regionsUnknown: z.number().meta({
    description: 'resources whose Region is not known: the order of prices of us-east-1 holds for them',
  }),
  coverage: z.object({
    files: z.number(),
    seen: z.number(),
    understood: z.number(),
    notMade: z.number(),
    unchanged: z.number().meta({ description: 'of those understood: left out by --changed-only' }),
    unknown: z.array(z.object({ type: z.string(), count: z.number() })),
    passedOver: z.array(z.object({ ending: z.string(), count: z.number() })),
    unreadable: z.array(z.object({ file: z.string(), line: z.number().nullable(), reason: z.string() })),
  }),
});
export type CheckAnswer = z.infer<typeof checkAnswerSchema>;
export type NotMatchedReason = (typeof notMatchedReasons)[number];
