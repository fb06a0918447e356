/**
 * What an audit found, against what the simulator knows of troubles. What could cost less is no trouble: whether such
 * recommendation is right is tried in ground-truth/savings.test.ts.
 */
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type AnyEvidence, type Finding, isSaving } from '../core/schemas/finding.ts';
import type { SimulatedFleet, TrueTrouble } from './simulator/fleet.ts';

export interface Comparison {
  found: TrueTrouble[];
  /** With the reason where the resource was not evaluated at all; null where it was, and the trouble went unseen. */
  missed: (TrueTrouble & { reason: string | null })[];
  /** Findings on volumes that nothing ever throttled and that are in use. */
  falseWarnings: Finding[];
  /** Findings of a kind that the truth does not have, on volumes or instances that have another trouble. */
  wrongKind: Finding[];
}

/** What is reported of a stripe is reported of the members that it concerns. */
function resourcesOf({ resource, evidence }: Finding): string[] {
  const { membersConcerned }: AnyEvidence = evidence;
  return membersConcerned ?? [resource.id];
}
const key = (resourceId: string, kind: string): string => `${resourceId} ${kind}`;

export function compareWithTruth(fleet: SimulatedFleet, result: AuditResult): Comparison {
  const notified = new Set(
    result.findings.flatMap((finding) => resourcesOf(finding).map((id) => key(id, finding.kind))),
  );
  const isTrue = new Set(fleet.troubles.map(({ resourceId, kind }) => key(resourceId, kind)));
  const healthy = new Set(fleet.healthyVolumeIds);
  const notEvaluated = new Map<string, string>([
    ...result.coverage.unknown.map(({ volumeId, reason }) => [volumeId, reason.code] as const),
    ...result.coverage.instances.notEvaluated.map(
      ({ instanceId, reason }) => [instanceId, reason.code] as const,
    ),
  ]);
  const untrue = result.findings.filter(
    (finding) => !isSaving(finding) && !resourcesOf(finding).every((id) => isTrue.has(key(id, finding.kind))),
  );
  return {
    found: fleet.troubles.filter(({ resourceId, kind }) => notified.has(key(resourceId, kind))),
    missed: fleet.troubles
      .filter(({ resourceId, kind }) => !notified.has(key(resourceId, kind)))
      .map((trouble) => ({ ...trouble, reason: notEvaluated.get(trouble.resourceId) ?? null })),
    falseWarnings: untrue.filter((finding) => resourcesOf(finding).some((id) => healthy.has(id))),
    wrongKind: untrue.filter((finding) => !resourcesOf(finding).some((id) => healthy.has(id))),
  };
}
