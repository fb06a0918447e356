/** What `plan` answers with `--json`. */
import { z } from 'zod';
import { limitNoteSchema } from '../limits/limit-note.ts';
import { volumeTypes } from '../limits/volume-limits.ts';
import { bindingLimits } from '../plan/delivered.ts';
import { accessKinds, layoutKinds } from '../plan/layout.ts';
import { routes } from '../plan/step-commands.ts';
import { priceSourceSchema } from '../prices/prices.ts';
import { layoutSchema } from './layout.ts';
import { refusedSchema } from './plan-refused.ts';
import { routeReasonSchema } from './plan-steps.ts';
import { priceReasonSchema } from './unknown-reasons.ts';

// What is to be known of a plan as a whole: codes with figures. The words are in report/wording/plan.ts.

const nullable = z.number().nullable();

export const planNoteSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('no-capacity-asked') })
    .meta({ description: 'it is sized for performance alone' }),
  z.object({
    code: z.literal('no-instance-carries'),
    iops: z.number(),
    throughputMiBps: z.number(),
    instanceType: z.string().meta({ description: 'the type that carries most of it' }),
    baselineIops: z.number(),
    baselineMiBps: z.number(),
  }),
  z
    .object({ code: z.literal('instance-must-carry'), iops: z.number(), throughputMiBps: z.number() })
    .meta({ description: 'where no instance was asked about' }),
  z
    .object({
      code: z.literal('wider-limit'),
      maxMembers: nullable.meta({ description: 'null where this limit stays as it is' }),
      chunkKiB: nullable,
      maxAnnualFailureRate: nullable,
      members: z.number(),
      volumeType: z.enum(volumeTypes),
      annualFailureRate: z.number(),
      monthlyUsd: nullable.meta({ description: 'null where prices are not known' }),
      monthlyUsdLess: nullable.meta({ description: 'than the cheapest; null where nothing is good enough' }),
    })
    .meta({ description: 'what would be the cheapest with a wider limit' }),
  z.object({ code: z.literal('deployment'), note: limitNoteSchema }),
  z.object({ code: z.literal('price-source'), source: priceSourceSchema }),
  z.object({
    code: z.literal('prices-of-another-region'),
    region: z.string(),
    rankingRegion: z.string(),
    reason: priceReasonSchema,
  }),
  z.object({ code: z.literal('built-in-instance-types'), region: z.string() }),
  z.object({ code: z.literal('built-in-tables') }),
]);
export type PlanNote = z.infer<typeof planNoteSchema>;

// Why an option of a plan is what it is: codes with figures. The words are in report/wording/plan.ts.

const rate = z.number().meta({ description: 'chance to lose the data in a year, 0 to 1' });

/** What an option that is not the cheapest says of its place. */
const placed = {
  shownAs: z
    .enum(['in-place', 'cheapest-single'])
    .nullable()
    .meta({ description: 'what it is shown for, beside its price' }),
  lowerRisk: z
    .object({ annualFailureRate: rate, cheapestAnnualFailureRate: rate })
    .nullable()
    .meta({ description: 'where nothing cheaper fails as seldom' }),
};

const rankReasons = [
  z.object({
    code: z.literal('cheapest'),
    layouts: z.number().meta({ description: 'that were good enough' }),
  }),
  z.object({ code: z.literal('same-price'), hasMoreMembers: z.boolean(), ...placed }),
  z
    .object({ code: z.literal('price-unknown'), ...placed })
    .meta({ description: 'it comes after those with a known price' }),
  z.object({
    code: z.literal('dearer'),
    monthlyUsdMore: z.number().meta({ description: 'than the cheapest' }),
    isPricedElsewhere: z.boolean().meta({ description: 'by the prices of another Region' }),
    ...placed,
  }),
] as const;

const typeReasons = [
  z.object({
    code: z.literal('gp3-included'),
    members: z.number(),
    iops: z.number().meta({ description: 'of each member, without a price' }),
    throughputMiBps: z.number(),
    paidIops: z.number().meta({ description: 'of each member, beyond what is included' }),
    paidMiBps: z.number(),
  }),
  z.object({ code: z.literal('io2-promises') }),
  z.object({ code: z.literal('io1-promises') }),
  z.object({ code: z.literal('gp2-baseline'), iopsPerGiB: z.number() }),
  z.object({
    code: z.literal('hdd-baseline'),
    volumeType: z.enum(['st1', 'sc1']),
    baselineMiBpsPerTiB: z.number(),
  }),
] as const;

const loadReasons = [
  z.object({
    code: z.literal('loses-data-more-often'),
    annualFailureRate: rate,
    currentAnnualFailureRate: rate,
  }),
  z.object({
    code: z.literal('smallest-of-its-type'),
    volumeType: z.enum(volumeTypes),
    totalGiB: z.number(),
    smallestGiB: z.number(),
  }),
  z.object({ code: z.literal('size-for-speed'), volumeType: z.enum(volumeTypes), totalGiB: z.number() }),
  z.object({ code: z.literal('capacity-alone') }),
  z.object({
    code: z.literal('first-limit'),
    limits: z.array(z.enum(bindingLimits)).meta({ description: 'met first, and together' }),
    roomShare: z.number().meta({ description: 'how much more of the same mix it carries; 0: none' }),
  }),
] as const;

const stripeReasons = [
  z.object({ code: z.literal('redundancy'), kind: z.enum(layoutKinds).exclude(['single']) }),
  z.object({
    code: z.literal('write-penalty'),
    writeShare: z.number(),
    memberIoPerIo: z.number(),
  }),
  z.object({
    code: z.literal('io-split'),
    ioSizeKiB: z.number(),
    chunkKiB: z.number(),
    pieces: z.number(),
  }),
  z.object({
    code: z.literal('no-room-in-stripe'),
    measuredEfficiency: z.number().meta({ description: 'what a stripe was measured to give of its sum' }),
    minRoomShare: z.number(),
  }),
  z.object({
    code: z.literal('merging-not-counted'),
    ioSizeKiB: z.number(),
    merged: z.number().meta({ description: 'sequential I/Os that can count as one' }),
    unitKiB: z.number(),
  }),
] as const;

const instanceReasons = [
  z.object({
    code: z.literal('instance-baseline'),
    instanceType: z.string(),
    baselineIops: z.number(),
    baselineMiBps: z.number(),
    maximumIops: z.number(),
  }),
  z.object({ code: z.literal('arm64'), instanceType: z.string() }),
  z.object({ code: z.literal('cpu-credits'), instanceType: z.string() }),
  z.object({ code: z.literal('previous-generation'), instanceType: z.string() }),
  z
    .object({ code: z.literal('usual-instance'), instanceType: z.string(), monthlyUsd: z.number() })
    .meta({ description: 'the cheapest of the current generation without CPU credits' }),
  z.object({
    code: z.literal('ebs-cards'),
    volumes: z.array(z.number()).meta({ description: 'on each card, from card 0 on' }),
  }),
  z.object({ code: z.literal('instance-price-unknown'), reason: priceReasonSchema }),
] as const;

export const planReasonSchema = z.discriminatedUnion('code', [
  ...rankReasons,
  ...typeReasons,
  ...loadReasons,
  ...stripeReasons,
  ...instanceReasons,
]);
export type PlanReason = z.infer<typeof planReasonSchema>;

export const monthlyUsdSchema = z.object({
  storage: z.number().nullable(),
  iops: z.number().nullable(),
  throughput: z.number().nullable(),
  volumes: z.number().nullable().meta({ description: 'the three before together' }),
  instance: z.number().nullable().meta({ description: '0 where no instance is part of the plan' }),
  total: z.number().nullable().meta({ description: 'null where a price is unknown' }),
});

export const currentSchema = z.object({
  layout: layoutSchema,
  instanceType: z
    .string()
    .nullable()
    .meta({ description: 'the one asked about, through which it delivers; null: by the volumes alone' }),
  deliveredIops: z.number(),
  deliveredMiBps: z.number(),
  bursts: z.boolean().meta({ description: 'has more for a while, on credits; not counted' }),
  capacityGiB: z.number(),
  annualFailureRate: z.number(),
  monthlyUsd: z.number().nullable(),
  isEnough: z.boolean().meta({ description: 'meets the need with its baseline' }),
});
export type CurrentAnswer = z.infer<typeof currentSchema>;

const waySchema = z.object({
  inPlace: z.boolean().meta({ description: 'by ModifyVolume, without a migration' }),
  route: z.enum(routes),
  reason: routeReasonSchema,
});

const optionSchema = z.object({
  layout: layoutSchema,
  deliveredIops: z.number(),
  deliveredMiBps: z.number(),
  bindingLimits: z.array(z.enum(bindingLimits)).meta({
    description: 'what a load of the same mix meets first; empty where only capacity is asked',
  }),
  annualFailureRate: z.number(),
  instanceType: z.string().nullable(),
  architectures: z
    .array(z.string())
    .meta({ description: 'of that instance type; empty where no instance is part of the plan' }),
  monthlyUsd: monthlyUsdSchema,
  reasons: z.array(planReasonSchema).meta({ description: 'the most important first' }),
  change: z
    .object({
      monthlyUsdDelta: z.number().nullable().meta({ description: 'of the volumes; negative saves' }),
      iopsDelta: z.number(),
      throughputMiBpsDelta: z.number(),
      annualFailureRateDelta: z.number(),
    })
    .nullable()
    .meta({ description: 'against the present configuration; null where none was given' }),
  steps: waySchema,
});
export type PlanOption = z.infer<typeof optionSchema>;

export const needSchema = z.object({
  iops: z.number(),
  throughputMiBps: z.number(),
  capacityGiB: z.number(),
  ioSizeKiB: z.number(),
  access: z.enum(accessKinds),
  readShare: z.number(),
});

const plannedSchema = z.object({
  need: needSchema,
  region: z.string(),
  current: currentSchema.nullable(),
  options: z.array(optionSchema).meta({ description: 'cheapest first' }),
  refused: z.array(refusedSchema),
  notes: z.array(planNoteSchema),
});
/** A plan as the core makes it: without a word. */
export type Planned = z.infer<typeof plannedSchema>;

/** The steps to be copied, in three forms. */
export const writtenStepsSchema = z.object({
  awsCli: z.array(z.string()).meta({ description: 'top to bottom: commands and comments' }),
  cdk: z.string().meta({ description: 'TypeScript with aws-cdk-lib 2' }),
  terraform: z.string().meta({ description: 'HCL with hashicorp/aws' }),
});

export type WrittenForms = z.infer<typeof writtenStepsSchema>;

export const planAnswerSchema = plannedSchema.extend({
  options: z
    .array(optionSchema.extend({ steps: waySchema.extend(writtenStepsSchema.shape) }))
    .meta({ description: 'cheapest first' }),
});
export type PlanAnswer = z.infer<typeof planAnswerSchema>;
