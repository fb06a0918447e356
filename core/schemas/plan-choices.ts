/** What `plan --current-instance` answers with `--json`: more IOPS, or a bigger instance? */
import { z } from 'zod';
import { bindingLimits } from '../plan/delivered.ts';
import { layoutSchema } from './layout.ts';
import {
  currentSchema,
  monthlyUsdSchema,
  needSchema,
  planNoteSchema,
  writtenStepsSchema,
} from './plan-answer.ts';
import { routeReasonSchema } from './plan-steps.ts';

const volumeChanges = ['unchanged', 'in-place', 'stripe'] as const;
const instanceChanges = ['unchanged', 'bandwidth-weighting', 'type'] as const;
/** From the least disruptive on. */
export const disruptions = ['none', 'online', 'restart', 'migration'] as const;
const marks = ['cheapest', 'simplest', 'safest'] as const;

const nullable = z.number().nullable();
const disruption = z.enum(disruptions);

/** Why a choice stands where it stands: codes with figures. The words are in report/wording/plan-choices.ts. */
export const whySchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('nothing-to-change') }).meta({ description: 'first: today is enough' }),
  z.object({ code: z.literal('only-enough') }).meta({ description: 'first: nothing else is enough' }),
  z
    .object({
      code: z.literal('least-disruptive'),
      cheaper: z
        .object({ number: z.number(), monthlyUsdLess: z.number(), disruption, isLessDurable: z.boolean() })
        .nullable()
        .meta({ description: 'the cheapest that is enough, where it is another' }),
    })
    .meta({ description: 'first: of those that are enough' }),
  z
    .object({
      code: z.literal('saves'),
      number: z.number().meta({ description: 'the least disruptive that is enough' }),
      monthlyUsdLess: z.number(),
      share: z.number().meta({ description: 'of what that one costs' }),
    })
    .meta({ description: 'first: more disruptive, and much cheaper' }),
  z
    .object({
      code: z.literal('against-first'),
      monthlyUsdMore: nullable.meta({
        description: 'than the first; negative: it is cheaper; null: unknown',
      }),
      isMoreDisruptive: z.boolean(),
      isLessDurable: z
        .boolean()
        .meta({ description: 'volumes that fail more often, or without redundancy that today has' }),
    })
    .meta({ description: 'any other that is enough' }),
  z.object({ code: z.literal('not-enough'), limits: z.array(z.enum(bindingLimits)) }),
]);
export type ChoiceWhy = z.infer<typeof whySchema>;

/** What to know before one takes it. */
export const cautionSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('network-bandwidth'), instanceType: z.string() })
    .meta({ description: 'the weighting takes it from the network' }),
  z.object({ code: z.literal('instance-store-lost'), instanceType: z.string() }),
  z.object({ code: z.literal('nitro-drivers'), instanceType: z.string() }),
  z.object({
    code: z.literal('loses-data-more-often'),
    annualFailureRate: z.number(),
    currentAnnualFailureRate: z.number(),
  }),
  z.object({ code: z.literal('ebs-cards'), volumes: z.array(z.number()) }),
]);
export type ChoiceCaution = z.infer<typeof cautionSchema>;

const choiceSchema = z.object({
  volumeChange: z.enum(volumeChanges),
  instanceChange: z.enum(instanceChanges),
  layout: layoutSchema,
  instanceType: z.string(),
  isOfTodaysFamily: z.boolean(),
  deliveredIops: z.number(),
  deliveredMiBps: z.number(),
  isEnough: z.boolean().meta({ description: 'meets the need with its baseline' }),
  bindingLimits: z
    .array(z.enum(bindingLimits))
    .meta({ description: 'what a load of the same mix meets first' }),
  annualFailureRate: z.number(),
  monthlyUsd: monthlyUsdSchema,
  monthlyUsdDelta: nullable.meta({ description: 'against today, volumes and instance; negative saves' }),
  disruption,
  marks: z.array(z.enum(marks)).meta({ description: 'of those that are enough' }),
  why: whySchema,
  cautions: z.array(cautionSchema),
  route: routeReasonSchema.meta({ description: 'of the volumes' }),
});
export type PlanChoice = z.infer<typeof choiceSchema>;

/** What is no choice, and why. */
export const ruledOutSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('volumes-in-place'), iops: z.number(), throughputMiBps: z.number() })
    .meta({ description: 'today’s volumes cannot become enough where they stand; figures of the need' }),
  z
    .object({ code: z.literal('instance-is-not-the-limit'), instanceType: z.string() })
    .meta({ description: 'a larger one changes nothing: the volumes are the limit' }),
  z
    .object({ code: z.literal('no-instance-carries'), iops: z.number(), throughputMiBps: z.number() })
    .meta({ description: 'none that is no less than today’s; figures at the instance' }),
  z
    .object({ code: z.literal('none-of-family'), family: z.string() })
    .meta({ description: 'today’s family has no size that carries it' }),
  z.object({ code: z.literal('instance-limits-unknown'), instanceType: z.string() }),
]);
export type RuledOut = z.infer<typeof ruledOutSchema>;

/** As the core makes it: without a word. */
const chosenSchema = z.object({
  need: needSchema,
  region: z.string(),
  current: currentSchema.extend({
    instanceType: z.string(),
    totalMonthlyUsd: nullable.meta({ description: 'of volumes and instance' }),
    bindingLimits: z.array(z.enum(bindingLimits)),
    burst: z.object({ iops: z.number(), throughputMiBps: z.number() }).nullable().meta({
      description:
        'the maximum of the instance, promised for 30 minutes in 24 h, where its baseline is not enough and that is',
    }),
  }),
  choices: z
    .array(choiceSchema)
    .meta({ description: 'first what a careful engineer would take; those that are not enough last' }),
  ruledOut: z.array(ruledOutSchema),
  notes: z.array(planNoteSchema),
});
export type Chosen = z.infer<typeof chosenSchema>;

export const planChoicesSchema = chosenSchema.extend({
  choices: z.array(choiceSchema.extend({ steps: writtenStepsSchema })),
});
export type PlanChoices = z.infer<typeof planChoicesSchema>;
