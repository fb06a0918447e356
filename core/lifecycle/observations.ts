/**
 * What an audit says of each finding that is known: there, or looked for and not there. Of what it could not evaluate, and of
 * what it was not asked about, it says nothing.
 */
import { isWholeIn } from '../audit/accounts.ts';
import { figure } from '../figures.ts';
import type { AuditResult, VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, instanceIdOf } from '../schemas/finding.ts';
import { epochSecondsOf } from '../units.ts';
import type { FindingRecord, LifecycleRules, Observation, RememberedFinding } from './finding-record.ts';
import { withRememberedEvidence } from './remembered-evidence.ts';

export const volumeText = ({
  volumeType,
  sizeGiB,
}: Pick<VolumeEvaluation, 'volumeType' | 'sizeGiB'>): string => `${volumeType} ${figure(sizeGiB, 0)} GiB`;

type Place = Pick<RememberedFinding['resource'], 'account' | 'region'>;

/** What an audit knows of resources, by their ids. */
class Observed {
  private readonly volumes: ReadonlyMap<string, VolumeEvaluation>;
  private readonly stripes: ReadonlyMap<string, AuditResult['stripes'][number]>;
  private readonly notEvaluated: ReadonlySet<string>;
  private readonly isWhole: ReturnType<typeof isWholeIn>;

  constructor(run: AuditResult) {
    const { volumes, stripes, coverage } = run;
    this.volumes = new Map(volumes.map((evaluation) => [evaluation.volumeId, evaluation]));
    this.stripes = new Map(stripes.map((stripe) => [stripe.stripeId, stripe]));
    this.notEvaluated = new Set(coverage.instances.notEvaluated.map(({ instanceId }) => instanceId));
    this.isWhole = isWholeIn(run);
  }

  remembered(finding: Finding): RememberedFinding {
    const evaluation = this.volumes.get(finding.resource.id);
    return {
      ...withRememberedEvidence(finding),
      volumeText: evaluation === undefined ? null : volumeText(evaluation),
    };
  }

  /** A volume that is gone from a place that was read in whole has no findings either. */
  private isVolumeSettled(volumeId: string, place: Place): boolean {
    const evaluation = this.volumes.get(volumeId);
    return evaluation === undefined ? this.isWhole(place) : evaluation.status !== 'unknown';
  }

  /** Which instances were evaluated is said by those that were not, where all were looked at. */
  private isInstanceSettled(instanceId: string, place: Place): boolean {
    return this.isWhole(place) && !this.notEvaluated.has(instanceId);
  }

  /** Whether a finding on it would be there if anything were to be found. */
  isSettled({ type, id, ...place }: RememberedFinding['resource']): boolean {
    if (type === 'volume') return this.isVolumeSettled(id, place);
    const members = this.stripes.get(id)?.volumeIds;
    if (members !== undefined) return members.every((member) => this.isVolumeSettled(member, place));
    return this.isInstanceSettled(instanceIdOf({ type, id }) ?? '', place);
  }
}

/**
 * By finding id, those of the run first, in its order.
 * @param open what counts as open now: what is not found again of them is absent.
 */
export function observationsOf(
  result: AuditResult,
  open: readonly FindingRecord[],
  { staleSeconds }: Pick<LifecycleRules, 'staleSeconds'>,
): Map<string, Observation> {
  if (result.window === null) return new Map();
  const seenIn = {
    ...({ source: 'audit', by: result.runId } as const),
    atEpochSeconds: epochSecondsOf(result.window.end),
  };
  const observed = new Observed(result);
  const observations = new Map<string, Observation>(
    result.findings.map((finding) => [finding.id, { ...seenIn, finding: observed.remembered(finding) }]),
  );
  for (const { findingId, sourceStates, finding } of open) {
    if (observations.has(findingId) || !observed.isSettled(finding.resource)) continue;
    const { audit, monitoring } = sourceStates;
    // What monitoring saw alone, and looks at no more, such as a volume that is gone: the run ends it.
    const isLeft =
      monitoring !== undefined && seenIn.atEpochSeconds - monitoring.atEpochSeconds > staleSeconds.monitoring;
    if (audit !== undefined) observations.set(findingId, { ...seenIn, finding: null });
    else if (isLeft) observations.set(findingId, { ...seenIn, source: 'monitoring', finding: null });
  }
  return observations;
}
