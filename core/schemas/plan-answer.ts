/** What `plan` answers with `--json`. */
import { z } from 'zod';
import { accessKinds } from '../plan/need.ts';
import { layoutSchema } from './layout.ts';
import { planNoteSchema } from './plan-notes.ts';
import { planReasonSchema } from './plan-reasons.ts';
import { refusedSchema } from './plan-refused.ts';

const monthlyUsdSchema = z.object({
  storage: z.number().nullable(),
  iops: z.number().nullable(),
  throughput: z.number().nullable(),
  volumes: z.number().nullable().meta({ description: 'the three before together' }),
  instance: z.number().nullable().meta({ description: '0 where no instance is part of the plan' }),
  total: z.number().nullable().meta({ description: 'null where a price is unknown' }),
});

const presentSchema = z.object({
  layout: layoutSchema,
  deliveredIops: z.number(),
  deliveredMiBps: z.number(),
  bursts: z.boolean().meta({ description: 'has more for a while, on credits; not counted' }),
  capacityGiB: z.number(),
  annualFailureRate: z.number(),
  monthlyUsd: z.number().nullable(),
  isEnough: z.boolean().meta({ description: 'meets the need all the time' }),
});
export type PresentAnswer = z.infer<typeof presentSchema>;

const optionSchema = z.object({
  layout: layoutSchema,
  deliveredIops: z.number(),
  deliveredMiBps: z.number(),
  bindingLimit: z.string().meta({
    description:
      'what a load of the same mix meets first: iops, throughput, instance-iops, ..., joined by +; or capacity',
  }),
  annualFailureRate: z.number(),
  instanceType: z.string().nullable(),
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
  steps: z.object({
    inPlace: z.boolean().meta({ description: 'by ModifyVolume, without a migration' }),
    because: z.string(),
    awsCli: z.array(z.string()),
    cdk: z.string(),
    terraform: z.string(),
  }),
});
export type PlanOption = z.infer<typeof optionSchema>;

export const planAnswerSchema = z.object({
  need: z.object({
    iops: z.number(),
    throughputMiBps: z.number(),
    capacityGiB: z.number(),
    ioSizeKiB: z.number(),
    access: z.enum(accessKinds),
    readShare: z.number(),
  }),
  region: z.string(),
  present: presentSchema.nullable(),
  options: z.array(optionSchema).meta({ description: 'cheapest first' }),
  refused: z.array(refusedSchema),
  notes: z.array(planNoteSchema),
});
export type PlanAnswer = z.infer<typeof planAnswerSchema>;
