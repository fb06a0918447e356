/** Why an option of a plan is what it is: codes with figures. The words are in report/wording/plan-reasons.ts. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';
import { bindingLimits } from '../plan/delivered.ts';
import { layoutKinds } from '../plan/layout.ts';
import { priceReasonSchema } from './unknown-reasons.ts';

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
    leastRoomShare: z.number(),
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
