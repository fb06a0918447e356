/** The finding: what the audit tells people and machines. Field names are a contract; more may be added. */
import { z } from 'zod';
import { layoutSchema } from './layout.ts';

const findingKinds = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'credits-exhausted',
  'credits-will-exhaust',
  'throttled-instance-iops',
  'throttled-instance-throughput',
  'instance-credits-exhausted',
  'micro-burst',
  'stalled',
  'over-provisioned',
  'unreachable-performance',
  'cheaper-type',
  'cheaper-stripe',
  'idle',
  'unattached',
  'stripe-straggler',
  'ebs-card-imbalance',
  'uninitialized',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What a volume could cost less: nothing is wrong with it. */
const savingKinds: readonly FindingKind[] = ['over-provisioned', 'cheaper-type', 'cheaper-stripe'];
export const isSaving = ({ kind }: { kind: FindingKind }): boolean => savingKinds.includes(kind);

/** Most urgent first. */
export const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** 0 for the most urgent; findings sort by it. */
export const severityRank = (severity: Severity): number => severities.indexOf(severity);

const adviceSchema = z.object({
  action: z.string().meta({ description: 'what to do, in a sentence' }),
  monthlyUsdDelta: z
    .number()
    .nullable()
    .meta({ description: 'negative saves; null where a price is unknown' }),
  throttledMinutesBefore: z.number().nullable().meta({
    description:
      'as measured in the window; of credits-will-exhaust by replay of the next two hours; null where neither is known',
  }),
  throttledMinutesAfter: z.number().nullable().meta({ description: 'by replay; null where none was made' }),
  how: z.array(z.string()).meta({ description: 'steps, in order' }),
  layout: layoutSchema.optional().meta({
    description:
      'the configuration that is advised: in place of the volume, of a stripe in place of each member; absent where it is none',
  }),
  instanceType: z.string().optional().meta({ description: 'that is advised; absent where it is none' }),
});
export type Advice = z.infer<typeof adviceSchema>;

const resourceSchema = z.object({
  volumeId: z.string().optional(),
  stripeId: z.string().optional(),
  instanceId: z.string().optional(),
  name: z.string().nullable().optional().meta({ description: 'the Name tag, as it stands in the account' }),
  region: z.string(),
  account: z.string().nullable(),
});
export type FindingResource = z.infer<typeof resourceSchema>;

/** What a finding is on: a volume, a stripe (which names its instance too) or an instance. */
export const resourceIdOf = ({ volumeId, stripeId, instanceId }: FindingResource): string =>
  volumeId ?? stripeId ?? instanceId ?? '';

export const findingSchema = z.object({
  id: z.string().meta({ description: 'stable: a hash of kind and resource, without time' }),
  kind: z.enum(findingKinds),
  severity: z.enum(severities),
  resource: resourceSchema,
  since: z.string().nullable().meta({
    description: 'ISO 8601 UTC: the first such period of the worst 24 hours; null where nothing tells',
  }),
  reason: z.string(),
  evidence: z.record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
  ),
  advice: z.array(adviceSchema),
});
export type Finding = z.infer<typeof findingSchema>;

/** The volumes that a finding is about: its own, or the members of its stripe. */
export function volumeIdsOf({ resource, evidence }: Pick<Finding, 'resource' | 'evidence'>): string[] {
  if (resource.volumeId !== undefined) return [resource.volumeId];
  const { members } = evidence;
  return resource.stripeId !== undefined && Array.isArray(members) ? members : [];
}
