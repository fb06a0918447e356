/** Why a volume or an instance was not evaluated. */
import { z } from 'zod';

// Why nothing is known of what a volume can do.

export const configurationReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('volume-type-unknown'), volumeType: z.string() }),
  z.object({
    code: z.literal('configuration-refused'),
    reason: z.string().meta({ description: 'the rule of EBS that it breaks' }),
  }),
]);
export type ConfigurationReason = z.infer<typeof configurationReasonSchema>;

// What EC2 does not tell of an instance type.

export const typeReasonSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-ebs-limits'), instanceType: z.string() }),
  z.object({ code: z.literal('no-attachment-limit'), instanceType: z.string() }),
]);
export type TypeReason = z.infer<typeof typeReasonSchema>;

/** Why the MiB/s of an instance cannot be known: EC2 does not tell what this weighting leaves for EBS. */
export interface WeightingReason {
  code: 'bandwidth-weighting';
  weighting: string;
}

// Why a price is not known.

const ebsPriceReasons = [
  z.object({ code: z.literal('no-ebs-prices'), region: z.string() }),
  z.object({ code: z.literal('no-ebs-price'), volumeType: z.string(), region: z.string() }).meta({
    description: 'of this volume type; other types of the Region have one',
  }),
] as const;
export type EbsPriceReason = z.infer<(typeof ebsPriceReasons)[number]>;

export const priceReasonSchema = z.discriminatedUnion('code', [
  ...ebsPriceReasons,
  z.object({
    code: z.literal('no-instance-price'),
    instanceType: z.string(),
    region: z.string(),
    asOf: z
      .string()
      .nullable()
      .meta({ description: 'the day of the prices that lack it; null: there are none of the Region' }),
  }),
]);
export type PriceReason = z.infer<typeof priceReasonSchema>;

// Why the load of a volume is not known, or the metrics of a resource cannot be used.

const loadReasonSchema = z.discriminatedUnion('code', [
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

export const volumeReasonSchema = z.discriminatedUnion('code', [
  loadReasonSchema,
  configurationReasonSchema,
  z.object({ code: z.literal('volume-state'), state: z.string() }),
  z.object({
    code: z.literal('instance-stopped'),
    instanceId: z.string(),
    asked: z
      .enum(['operations', 'queue-length'])
      .meta({ description: 'the metric of the volume that has no datapoints' }),
  }),
  z.object({ code: z.literal('no-window') }),
  z.object({
    code: z.literal('too-few-minutes'),
    knownMinutes: z.number(),
    windowMinutes: z.number(),
  }),
]);
export type VolumeReason = z.infer<typeof volumeReasonSchema>;

export const instanceReasonSchema = z.discriminatedUnion('code', [
  loadReasonSchema,
  z.object({ code: z.literal('no-ebs-metrics'), isStopped: z.boolean() }).meta({
    description: 'none of its own in the window, and its type has no known limits for the sum of its volumes',
  }),
  z.object({ code: z.literal('volumes-in-part') }).meta({
    description: 'no EBS metrics of its own in the window, and the load of some of its volumes is unknown',
  }),
  z.object({ code: z.literal('too-few-minutes-of-ebs'), knownMinutes: z.number() }),
]);
export type InstanceReason = z.infer<typeof instanceReasonSchema>;
