/** What `plan` answers with `--json`. */
import { z } from 'zod';
import { bindingLimits } from '../plan/delivered.ts';
import { accessKinds } from '../plan/layout.ts';
import { routes } from '../plan/step-commands.ts';
import { layoutSchema } from './layout.ts';
import { planNoteSchema } from './plan-notes.ts';
import { planReasonSchema } from './plan-reasons.ts';
import { refusedSchema } from './plan-refused.ts';
import { routeReasonSchema } from './plan-route.ts';

const monthlyUsdSchema = z.object({
  storage: z.number().nullable(),
  iops: z.number().nullable(),
  throughput: z.number().nullable(),
  volumes: z.number().nullable().meta({ description: 'the three before together' }),
  instance: z.number().nullable().meta({ description: '0 where no instance is part of the plan' }),
  total: z.number().nullable().meta({ description: 'null where a price is unknown' }),
});

const currentSchema = z.object({
  layout: layoutSchema,
  deliveredIops: z.number(),
  deliveredMiBps: z.number(),
  bursts: z.boolean().meta({ description: 'has more for a while, on credits; not counted' }),
  capacityGiB: z.number(),
  annualFailureRate: z.number(),
  monthlyUsd: z.number().nullable(),
  isEnough: z.boolean().meta({ description: 'meets the need all the time' }),
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

const plannedSchema = z.object({
  need: z.object({
    iops: z.number(),
    throughputMiBps: z.number(),
    capacityGiB: z.number(),
    ioSizeKiB: z.number(),
    access: z.enum(accessKinds),
    readShare: z.number(),
  }),
  region: z.string(),
  current: currentSchema.nullable(),
  options: z.array(optionSchema).meta({ description: 'cheapest first' }),
  refused: z.array(refusedSchema),
  notes: z.array(planNoteSchema),
});
/** A plan as the core makes it: without a word. */
export type Planned = z.infer<typeof plannedSchema>;

export const planAnswerSchema = plannedSchema.extend({
  options: z
    .array(
      optionSchema.extend({
        steps: waySchema.extend({
          awsCli: z.array(z.string()).meta({ description: 'top to bottom: commands and comments' }),
          cdk: z.string().meta({ description: 'TypeScript with aws-cdk-lib 2' }),
          terraform: z.string().meta({ description: 'HCL with hashicorp/aws' }),
        }),
      }),
    )
    .meta({ description: 'cheapest first' }),
});
export type PlanAnswer = z.infer<typeof planAnswerSchema>;
