/** What a plan refuses, by which limit, and how near one can come: codes with figures. The words are in report/wording/plan.ts. */
import { z } from 'zod';
import { deployments, volumeTypes } from '../limits/volume-limits.ts';
import { layoutKinds } from '../plan/layout.ts';
import { typeReasonSchema } from './unknown-reasons.ts';

const volumeType = z.enum(volumeTypes);
const rate = z.number().meta({ description: 'chance to lose the data in a year, 0 to 1' });

const shapesSchema = z
  .object({
    kind: z.enum(layoutKinds),
    volumeType: volumeType.nullable().meta({ description: 'null: of any type' }),
    fewest: z.number().meta({ description: 'members' }),
    most: z.number().nullable().meta({ description: 'null: without end' }),
  })
  .meta({ description: 'layouts of one kind and type' });
export type RefusedShapes = z.infer<typeof shapesSchema>;

const under = z
  .array(shapesSchema)
  .meta({ description: 'the layouts that it does not carry; empty where it carries none' });

const whatSchema = z.discriminatedUnion('code', [
  shapesSchema.extend({ code: z.literal('layouts') }),
  z.object({ code: z.literal('volume-type'), volumeType }),
  z.object({ code: z.literal('instance-type'), instanceType: z.string(), under }),
  z.object({
    code: z.literal('instances'),
    vcpus: z.number(),
    memoryGiB: z.number(),
    architecture: z.string().nullable(),
    under,
  }),
  z.object({ code: z.literal('instance-store') }),
]);
export type RefusedWhat = z.infer<typeof whatSchema>;

/** Of the limits of an instance: what is asked, and what it has. */
const askedOfInstance = z.object({ asked: z.number(), maximum: z.number(), baseline: z.number() }).nullable();
const strongestOf = z
  .string()
  .nullable()
  .meta({ description: 'of several that may be chosen the type whose limits these are' });

const instanceReason = [
  z.object({ code: z.literal('instance-limits-unknown'), strongest: strongestOf, reason: typeReasonSchema }),
  z.object({
    code: z.literal('instance-limits'),
    strongest: strongestOf,
    iops: askedOfInstance,
    throughputMiBps: askedOfInstance,
  }),
  z.object({
    code: z.literal('ebs-cards'),
    strongest: strongestOf,
    cards: z.number(),
    baselineIopsEach: z.number(),
    volumes: z.number(),
  }),
  z.object({ code: z.literal('attachments'), strongest: strongestOf, dataVolumes: z.number() }),
  z.object({ code: z.literal('no-such-instance') }),
] as const;
export type InstanceReason = z.infer<(typeof instanceReason)[number]>;

const reasonSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('volume-limit'),
    limit: z.enum(['iops', 'throughput', 'capacity']),
    volumeType,
    deployment: z.enum(deployments),
    asked: z.number().meta({ description: 'IOPS, MiB/s or GiB, of the whole layout' }),
    atMost: z.number().meta({ description: 'of one volume' }),
    countedFrom: z
      .object({ iops: z.number(), ioSizeKiB: z.number() })
      .nullable()
      .meta({ description: 'the I/O that HDD counts by its bytes' }),
  }),
  z.object({
    code: z.literal('failure-rate'),
    annualFailureRate: rate.meta({ description: 'the lowest of these layouts' }),
    ceiling: rate,
    volumeAnnualFailureRate: rate,
  }),
  z.object({ code: z.literal('hdd-random') }),
  z.object({ code: z.literal('hdd-small-io'), ioSizeKiB: z.number(), minKiB: z.number() }),
  z.object({ code: z.literal('no-promise') }),
  z.object({ code: z.literal('max-members'), maxMembers: z.number() }),
  z.object({
    code: z.literal('older-type'),
    volumeType: z.enum(['gp2', 'io1']),
    members: z.number(),
    sizeGiB: z.number(),
    monthlyUsdMore: z.number().meta({ description: 'than the cheapest option' }),
    isPricedElsewhere: z.boolean().meta({ description: 'by the prices of another Region' }),
    gp3SavesShare: z
      .number()
      .nullable()
      .meta({ description: 'of gp2: what gp3 costs less a GiB, 0 to 1; null of io1' }),
  }),
  ...instanceReason,
  z.object({ code: z.literal('data-on-the-instance'), isOnlyWay: z.boolean() }),
]);
export type RefusedReason = z.infer<typeof reasonSchema>;

const carriesSchema = z.object({
  instanceType: z.string(),
  baselineIops: z.number(),
  baselineMiBps: z.number(),
  monthlyUsd: z.number().nullable().meta({ description: 'null where it is not known' }),
});

const nearestSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('rates'),
    iops: z.number().nullable().meta({ description: 'null where none are asked' }),
    throughputMiBps: z.number().nullable(),
    members: z.number(),
    volumeType,
  }),
  z.object({ code: z.literal('capacity'), capacityGiB: z.number(), members: z.number(), volumeType }),
  z
    .object({ code: z.literal('members'), members: z.number() })
    .meta({ description: 'the fewest of this kind and type that can' }),
  z.object({ code: z.literal('failure-rate'), annualFailureRate: rate, members: z.number(), volumeType }),
  z.object({ code: z.literal('failure-rate-offered'), annualFailureRate: rate }),
  z.object({ code: z.literal('sequential'), minKiB: z.number() }),
  z.object({ code: z.literal('gp3'), iops: z.number(), fromGiB: z.number() }),
  z.object({ code: z.literal('allow-members'), members: z.number() }),
  z.object({ code: z.literal('plan-with-type'), volumeType }),
  carriesSchema.extend({ code: z.literal('instance') }),
  z.object({ code: z.literal('no-instance-carries'), strongest: carriesSchema.nullable() }),
  z.object({
    code: z.literal('largest-instances'),
    vcpus: z.object({ instanceType: z.string(), vcpus: z.number() }),
    memory: z.object({ instanceType: z.string(), memoryGiB: z.number() }),
  }),
  z.object({
    code: z.literal('instance-store'),
    instanceType: z.string(),
    disks: z.number(),
    isSsd: z.boolean(),
    totalGB: z.number(),
  }),
  z.object({ code: z.literal('no-instance-store'), capacityGiB: z.number() }),
]);
export type RefusedNearest = z.infer<typeof nearestSchema>;

export const refusedSchema = z.object({
  what: z.array(whatSchema).meta({ description: 'all that is refused for the same reason' }),
  reason: reasonSchema.meta({ description: 'the limit in the way' }),
  nearest: z.array(nearestSchema).meta({ description: 'how near one can come' }),
});
export type Refused = z.infer<typeof refusedSchema>;
