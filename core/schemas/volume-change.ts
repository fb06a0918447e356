/** A change of one volume: what is planned, who approved it, what became of it. The ledger keeps each for ever. */
import { z } from 'zod';
import { volumeTypes } from '../limits/volume-limits.ts';
import { findingKinds } from './finding-kinds.ts';

const seconds = z.number().int().meta({ description: 'epoch seconds' });

/** What ModifyVolume can set. */
const volumeSettingsSchema = z.object({
  volumeType: z.enum(volumeTypes),
  sizeGiB: z.number().int(),
  iops: z.number().int().nullable().meta({ description: 'provisioned; null where the type has none' }),
  throughputMiBps: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'provisioned; null where the type has none' }),
});
export type VolumeSettings = z.infer<typeof volumeSettingsSchema>;

export const plannedChangeSchema = z.object({
  account: z.string(),
  region: z.string(),
  volumeId: z.string(),
  findingId: z.string(),
  findingKind: z.enum(findingKinds).optional(),
  volumeName: z.string().optional().meta({ description: 'the Name tag, as the finding has it' }),
  from: volumeSettingsSchema,
  to: volumeSettingsSchema,
  monthlyUsdDelta: z.number().nullable().meta({ description: 'claimed; null: not known' }),
  throttledMinutesBefore: z.number().nullable(),
  throttledMinutesAfter: z.number().nullable().meta({ description: 'claimed, as simulated or estimated' }),
  plannedOn: z.iso.date(),
});
export type PlannedChange = z.infer<typeof plannedChangeSchema>;

/** Why a change ended without being made. */
export const notMadeReasons = [
  ...(['rejected', 'approval-expired', 'volume-gone', 'volume-changed', 'not-ours'] as const),
  ...(['refused-by-ec2', 'modification-failed', 'outcome-unknown', 'too-late'] as const),
  ...(['another-change', 'too-little-history'] as const),
] as const;

/** How a change that was made ended. */
export const outcomes = ['better', 'same', 'worse', 'not-comparable'] as const;
export type Outcome = (typeof outcomes)[number];

const endSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('not-made'), reason: z.enum(notMadeReasons) }),
  z.object({ code: z.literal('modification-failed') }).meta({ description: 'EC2 began it and gave up' }),
  z.object({ code: z.literal('kept'), outcome: z.enum(outcomes) }),
  z.object({ code: z.literal('undone') }),
  z.object({ code: z.literal('volume-gone') }).meta({ description: 'deleted while it was compared' }),
  z.object({ code: z.literal('undo-not-made'), reason: z.enum(notMadeReasons) }).meta({
    description: 'it hurts, and a person must act',
  }),
]);
export type ChangeEnd = z.infer<typeof endSchema>;

/** One call of ModifyVolume, the change itself or its undo: asked for at most once. */
const modificationSchema = z.object({
  askedSeconds: seconds.meta({
    description: 'written before the call: whatever comes of it, it is not made again',
  }),
  lastStartSeconds: seconds.nullable().meta({
    description: 'of the modification that EC2 knew before, by its clock; null: none',
  }),
  startSeconds: seconds.nullable().meta({ description: 'by the clock of EC2; null: not seen' }),
  completedSeconds: seconds.nullable(),
  refusal: z.string().nullable().meta({
    description:
      'the error code with which EC2 said that it does not begin; null: it said nothing of the kind',
  }),
});
export type Modification = z.infer<typeof modificationSchema>;

/** The minutes after a change beside the same minutes of the same weekdays before it. */
const comparisonSchema = z.object({
  minutes: z.number().int().meta({ description: 'that both sides have' }),
  throttledBefore: z.number().int().meta({ description: 'minutes' }),
  throttledAfter: z.number().int().meta({ description: 'minutes' }),
  loadRatio: z.number().nullable().meta({ description: 'operations after to before; null: none before' }),
  latencyMsBefore: z
    .number()
    .nullable()
    .meta({ description: "by Little's law, weighted by operations; null: not known" }),
  latencyMsAfter: z.number().nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** What people hear of a change, each once. */
export const notifiedSteps = ['proposed', 'made', 'undo-asked', 'ended'] as const;
export type NotifiedStep = (typeof notifiedSteps)[number];

export const volumeChangeSchema = z.object({
  id: z.string(),
  fingerprint: z.string(),
  plan: plannedChangeSchema,
  requestedBy: z.string(),
  approvals: z.array(
    z.object({
      by: z.string(),
      session: z
        .string()
        .nullable()
        .meta({ description: 'of the role, as its user named it; null: of none' }),
      atSeconds: seconds,
    }),
  ),
  proposedSeconds: seconds,
  made: modificationSchema.nullable(),
  undoAskedBy: z.string().nullable().meta({ description: 'a person, or monitoring; null: nobody' }),
  undoAskedSeconds: seconds.nullable(),
  undo: modificationSchema.nullable(),
  comparison: comparisonSchema.nullable().meta({
    description: 'by which it was kept, or undone by monitoring; null: nothing was compared',
  }),
  end: endSchema.nullable(),
  endedSeconds: seconds.nullable(),
  notified: z
    .array(z.enum(notifiedSteps))
    .meta({ description: 'what was notified; written after it was sent' }),
  endedBy: z.string().nullable().meta({ description: 'who rejected or stopped it; null: nobody' }),
  revision: z
    .number()
    .int()
    .meta({ description: 'counts the writes: who writes must have read the one before' }),
});
export type VolumeChange = z.infer<typeof volumeChangeSchema>;
