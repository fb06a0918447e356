/** What findings are called, how urgent they are and what they are about: without the schema, which a page does not need. */

import type { Layout } from '../plan/layout.ts';
import type { Recommendation } from './recommendation.ts';

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
  'schedule-iops',
  'latency-above-target',
  'idle',
  'unattached',
  'stripe-straggler',
  'ebs-card-imbalance',
  'uninitialized',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What a volume could cost less: nothing is wrong with it. */
const savingKinds: readonly FindingKind[] = [
  'over-provisioned',
  'cheaper-type',
  'cheaper-stripe',
  'schedule-iops',
];
export const isSaving = ({ kind }: { kind: FindingKind }): boolean => savingKinds.includes(kind);

/** The layout that is recommended in place of a volume, or of each member of a stripe; null where it is none. */
export const layoutOf = ({ change }: Pick<Recommendation, 'change'>): Layout | null =>
  change?.of === 'volume' ? change.to : null;

export const instanceTypeOf = ({ change }: Pick<Recommendation, 'change'>): string | null =>
  change?.of === 'instance' ? change.to : null;

/** Most urgent first. */
export const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

/** 0 for the most urgent; findings sort by it. Infinite where there is none. */
export const severityRank = (severity: Severity | null): number =>
  severity === null ? Number.POSITIVE_INFINITY : severities.indexOf(severity);

export const moreUrgent = <T extends Severity | null>(a: T, b: T): T =>
  severityRank(a) <= severityRank(b) ? a : b;

/** Ongoing: in the last five minutes that were read. Standing: what is configured, and not what happens. */
export const statuses = ['ongoing', 'ended', 'forecast', 'standing'] as const;

/** What a finding is on. */
export const resourceTypes = ['volume', 'stripe', 'instance'] as const;
type ResourceType = (typeof resourceTypes)[number];

interface Resource {
  type: ResourceType;
  id: string;
}

/** The instance that a finding is on, or that its stripe is on; null for a volume. */
export function instanceIdOf({ type, id }: Resource): string | null {
  if (type === 'volume') return null;
  return type === 'instance' ? id : (id.split('/', 1)[0] as string);
}

/** The volumes that a finding is about: its own, or the members of its stripe. */
export function volumeIdsOf({
  resource: { type, id },
  evidence,
}: {
  resource: Resource;
  evidence: object & { members?: string[] | undefined };
}): string[] {
  if (type === 'volume') return [id];
  return type === 'stripe' ? (evidence.members ?? []) : [];
}
