/** What stands beside a finding: the volume or stripe it is on, other findings near to it, and whether it can be drawn. */
import type { AuditReport, WithoutSeries } from '../../../core/report/audit-report.ts';
import type { AuditResult, VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { volumeIdsOf } from '../../../core/schemas/finding-kinds.ts';

type Limits = { baselineIops: number; burstIops: number; baselineMiBps: number; burstMiBps: number };

export interface Lookup {
  evaluationOf: (finding: Finding) => VolumeEvaluation | null;
  stripeOf: (finding: Finding) => AuditResult['stripes'][number] | null;
  /** What the resource can do now; null where it is not known, or of an instance. */
  limitsOf: (finding: Finding) => Limits | null;
  onSameResource: (finding: Finding) => Finding[];
  /** On the instance that throttles it, on the volumes of its instance or stripe. */
  nearby: (finding: Finding) => Finding[];
  hasSeries: (finding: Finding) => boolean;
  withoutSeries: readonly WithoutSeries[];
}

const keyOf = ({ resource }: Finding): string => `${resource.region} ${resource.id}`;

function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

export function lookupOf({ result, withSeries, withoutSeries }: AuditReport): Lookup {
  const evaluations = new Map(result.volumes.map((volume) => [volume.volumeId, volume]));
  const stripes = new Map(result.stripes.map((stripe) => [stripe.stripeId, stripe]));
  const byId = new Map(result.findings.map((finding) => [finding.id, finding]));
  const drawn = new Set(withSeries);
  const byResource = new Map<string, Finding[]>();
  const byVolume = new Map<string, Finding[]>();
  const byInstanceFinding = new Map<string, VolumeEvaluation[]>();
  for (const finding of result.findings) {
    pushTo(byResource, keyOf(finding), finding);
    for (const volumeId of volumeIdsOf(finding)) pushTo(byVolume, volumeId, finding);
  }
  for (const volume of result.volumes)
    for (const id of volume.instanceFindings) pushTo(byInstanceFinding, id, volume);

  const evaluationOf = ({ resource }: Finding) => evaluations.get(resource.id) ?? null;
  const stripeOf = ({ resource }: Finding) => stripes.get(resource.id) ?? null;
  const nearby = (finding: Finding): Finding[] => {
    const volumes = volumeIdsOf(finding);
    const ofInstance = volumes.flatMap((id) => evaluations.get(id)?.instanceFindings ?? []);
    const held = (byInstanceFinding.get(finding.id) ?? []).map(({ volumeId }) => volumeId);
    const found = [
      ...ofInstance.flatMap((id) => byId.get(id) ?? []),
      ...[...volumes, ...held].flatMap((id) => byVolume.get(id) ?? []),
    ];
    return [...new Set(found)].filter((other) => keyOf(other) !== keyOf(finding));
  };
  return {
    evaluationOf,
    stripeOf,
    limitsOf: (finding) => evaluationOf(finding)?.limits ?? stripeOf(finding)?.limits ?? null,
    onSameResource: (finding) =>
      (byResource.get(keyOf(finding)) ?? []).filter((other) => other.id !== finding.id),
    nearby,
    hasSeries: ({ resource }) => drawn.has(resource.id),
    withoutSeries,
  };
}
