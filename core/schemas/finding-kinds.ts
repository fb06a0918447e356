/** What findings are called, how urgent they are and what they are about: without the schema, which a page does not need. */

export const findingKinds = [
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

/** 0 for the most urgent; findings sort by it. Infinite where there is none. */
export const severityRank = (severity: Severity | null): number =>
  severity === null ? Number.POSITIVE_INFINITY : severities.indexOf(severity);

export const moreUrgent = <T extends Severity | null>(a: T, b: T): T =>
  severityRank(a) <= severityRank(b) ? a : b;

interface Ids {
  volumeId?: string | undefined;
  stripeId?: string | undefined;
  instanceId?: string | undefined;
}

/** What a finding is on: a volume, a stripe (which names its instance too) or an instance. */
export const resourceIdOf = ({ volumeId, stripeId, instanceId }: Ids): string =>
  volumeId ?? stripeId ?? instanceId ?? '';

/** The volumes that a finding is about: its own, or the members of its stripe. */
export function volumeIdsOf({
  resource,
  evidence,
}: {
  resource: Ids;
  evidence: Record<string, unknown>;
}): string[] {
  if (resource.volumeId !== undefined) return [resource.volumeId];
  const { members } = evidence;
  return resource.stripeId !== undefined && Array.isArray(members) ? members : [];
}
