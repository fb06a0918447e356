/** Recommendations on volumes of Kubernetes: through the claim where the driver takes it, else with a note that a claim has the volume. */
import { settingsOf } from '../changes/plan.ts';
import type { Volume } from '../inventory.ts';
import { claimCommands, claimOfVolume } from '../kubernetes.ts';
import { regionOrPlaceholder } from '../plan/step-commands.ts';
import { modificationLimit, run, safeVolumeId } from '../recommendations/recommendation.ts';
import { type Finding, type Recommendation, volumeIdsOf } from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';

type OfKubernetes = Pick<Volume, 'volumeId' | 'region' | 'kubernetes'>;

/** What these do to a volume its claim would not know. */
const actsOnVolumes: readonly Recommendation['action'][] = [
  ...(['modify', 'migrate', 'recreate', 'schedule', 'move-card', 'move-volume', 'delete'] as const),
];

/** A size never goes back. */
const snapshotFirst = ({ volumeId, region }: OfKubernetes): Step[] => [
  { code: 'plan-note', note: { code: 'snapshot-before-growing' } },
  run(
    `aws ec2 create-snapshot --region ${regionOrPlaceholder(region)} --volume-id ${safeVolumeId(volumeId)}`,
  ),
];

const withNote = (recommendation: Recommendation): Recommendation =>
  recommendation.steps.length === 0 || !actsOnVolumes.includes(recommendation.action)
    ? recommendation
    : { ...recommendation, steps: [{ code: 'claim-has-volume' }, ...recommendation.steps] };

/** Of one volume: what is modified in place is modified by its claim. */
export function forClaim(recommendation: Recommendation, volume: OfKubernetes): Recommendation {
  const { kubernetes } = volume;
  if (kubernetes === undefined) return recommendation;
  const { action, inPlace, change } = recommendation;
  const isByClaim =
    kubernetes.isOfDriver &&
    action === 'modify' &&
    inPlace &&
    change?.of === 'volume' &&
    change.to.members === 1;
  if (!isByClaim) return withNote(recommendation);
  const commands = claimCommands(kubernetes, settingsOf(change.from), settingsOf(change.to));
  return {
    ...recommendation,
    risks: [...recommendation.risks, { code: 'by-claim' }],
    steps: [
      { code: 'claim-to-check' },
      run(claimOfVolume(volume.volumeId)),
      ...(commands.grows ? snapshotFirst(volume) : []),
      { code: 'attributes-class-version' },
      run(commands.makeClass),
      ...(commands.grows ? [{ code: 'claim-grows' as const }] : []),
      run(commands.patchClaim),
      { code: 'class-in-force' },
      run(commands.showClass),
      modificationLimit,
    ],
  };
}

/** Volumes that a recommendation changes: those of the finding, or those that it names. */
function changedIds(finding: Finding, { change }: Recommendation): string[] {
  if (change?.of === 'volumes') return change.volumes.map(({ volumeId }) => volumeId);
  if (change?.of === 'cards') return change.moves.map(({ volumeId }) => volumeId);
  if (change?.of === 'volume-move') return [change.volumeId];
  return volumeIdsOf(finding);
}

/** Members of a stripe and volumes of an instance keep their steps: they change together, and each has a claim of its own. */
export function withClaimSteps(findings: readonly Finding[], volumes: readonly Volume[]): Finding[] {
  const ofKubernetes = new Map(
    volumes.flatMap((volume) =>
      volume.kubernetes === undefined ? [] : [[volume.volumeId, volume] as const],
    ),
  );
  if (ofKubernetes.size === 0) return [...findings];
  return findings.map((finding) => {
    const volume = finding.resource.type === 'volume' ? ofKubernetes.get(finding.resource.id) : undefined;
    const recommendations = finding.recommendations.map((one) => {
      if (volume !== undefined) return forClaim(one, volume);
      return changedIds(finding, one).some((id) => ofKubernetes.has(id)) ? withNote(one) : one;
    });
    return { ...finding, recommendations };
  });
}
