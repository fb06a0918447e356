/**
 * Whether a run would have a finding that another run has, had there been anything to find: it evaluated the resource, with
 * the metrics and prices that such a finding takes, or the resource did not exist. Where it would not, nobody knows.
 */
import { isWholeIn } from '../audit/accounts.ts';
import { thresholdsOf } from '../diagnosis/thresholds.ts';
import type { AuditResult, VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, type FindingKind, instanceIdOf, isSaving } from '../schemas/finding.ts';
import { secondsPerMinute } from '../units.ts';

/** Nothing of them is found where no price is known. */
const takesPrices = (finding: Finding): boolean =>
  isSaving(finding) || finding.kind === 'unreachable-performance';

/** What these say of a load holds for a window that is long enough, and known. */
const takesUse: readonly FindingKind[] = [
  ...(['over-provisioned', 'cheaper-type', 'cheaper-stripe', 'schedule-iops', 'idle'] as const),
];

/** Volumes that its configuration leaves out. */
export const excludedIn = ({ coverage }: AuditResult): number => coverage.excluded ?? 0;

class Evaluated {
  private readonly run: AuditResult;
  private readonly other: AuditResult;
  private readonly isEarlier: boolean;
  private readonly evaluations: ReadonlyMap<string, VolumeEvaluation>;
  private readonly regions: ReadonlySet<string>;
  private readonly withoutPrices: ReadonlySet<string>;
  /** By Region, of those that have prices of other types. */
  private readonly unpricedTypes: ReadonlyMap<string, readonly string[]>;
  private readonly notEvaluated: ReadonlySet<string>;
  private readonly members: ReadonlyMap<string, readonly string[]>;
  private readonly isPlaceWhole: ReturnType<typeof isWholeIn>;
  /** Volumes that an instance throttled, by the id of its finding. */
  private readonly throttled = new Map<string, string[]>();

  constructor(run: AuditResult, other: AuditResult, isEarlier: boolean) {
    this.run = run;
    this.other = other;
    this.isEarlier = isEarlier;
    this.evaluations = new Map(run.volumes.map((evaluation) => [evaluation.volumeId, evaluation]));
    this.isPlaceWhole = isWholeIn(run);
    this.regions = new Set(run.volumes.map(({ region }) => region));
    this.withoutPrices = new Set(
      run.prices.flatMap(({ region, ebsAsOf }) => (ebsAsOf === null ? [region] : [])),
    );
    this.unpricedTypes = new Map(run.prices.map(({ region, unpricedTypes = [] }) => [region, unpricedTypes]));
    this.notEvaluated = new Set(run.coverage.instances.notEvaluated.map(({ instanceId }) => instanceId));
    this.members = new Map(
      [...other.stripes, ...run.stripes].map(({ stripeId, volumeIds }) => [stripeId, volumeIds]),
    );
    for (const { volumeId, instanceFindings } of other.volumes)
      for (const id of instanceFindings)
        this.throttled.set(id, [...(this.throttled.get(id) ?? []), volumeId]);
  }

  /**
   * What the run does not have did not exist. Of an earlier run that does not say what it read in whole it is believed: what is
   * new is to be seen. Of a later one it is not: nothing is resolved for not being listed.
   */
  isWhole(place: Pick<Finding['resource'], 'region' | 'account'>): boolean {
    const { accounts, accountCoverage, wholeRegions } = this.run;
    const { region, account } = place;
    if (account !== null && accounts !== undefined && !accounts.includes(account)) return false;
    // It may be excluded now.
    if (excludedIn(this.run) > excludedIn(this.other)) return false;
    if (accountCoverage !== undefined || wholeRegions !== undefined) return this.isPlaceWhole(place);
    return this.isEarlier && this.regions.has(region);
  }

  private showsUse({ knownMinutes, unknownMinutes }: VolumeEvaluation): boolean {
    const { savingWindowSeconds, savingKnownShare } = thresholdsOf(this.run.thresholds ?? {});
    const minutes = knownMinutes + unknownMinutes;
    return minutes * secondsPerMinute >= savingWindowSeconds && knownMinutes >= savingKnownShare * minutes;
  }

  private isVolumeEvaluated(volumeId: string, { kind, resource }: Finding): boolean {
    const evaluation = this.evaluations.get(volumeId);
    if (evaluation === undefined) return this.isWhole(resource);
    if (evaluation.status === 'unknown') return false;
    return !takesUse.includes(kind) || this.showsUse(evaluation);
  }

  /** A run does not say which instances it evaluated, but which not, and which volumes. */
  private isInstanceEvaluated(finding: Finding): boolean {
    const { id, resource } = finding;
    if (this.notEvaluated.has(instanceIdOf(resource) ?? '')) return false;
    if (resource.type === 'instance' && this.isWhole(resource)) return true;
    const volumeIds =
      resource.type === 'stripe' ? (this.members.get(resource.id) ?? []) : (this.throttled.get(id) ?? []);
    return volumeIds.length > 0 && volumeIds.every((one) => this.isVolumeEvaluated(one, finding));
  }

  /** Of a volume its own type and the recommended one count; of several volumes each type may. */
  private lacksPrices({ resource: { type, id, region }, evidence }: Finding): boolean {
    if (this.withoutPrices.has(region)) return true;
    const unpriced = this.unpricedTypes.get(region) ?? [];
    if (type !== 'volume') return unpriced.length > 0;
    const recommended = 'recommendedVolumeType' in evidence ? evidence.recommendedVolumeType : undefined;
    return [this.evaluations.get(id)?.volumeType, recommended].some(
      (one) => one !== undefined && unpriced.includes(one),
    );
  }

  isEvaluated(finding: Finding): boolean {
    const { type, id } = finding.resource;
    const isThere = type !== 'volume' || this.evaluations.has(id);
    if (isThere && takesPrices(finding) && this.lacksPrices(finding)) return false;
    return type === 'volume' ? this.isVolumeEvaluated(id, finding) : this.isInstanceEvaluated(finding);
  }
}

/** What each of two runs says of what the other has. */
export const evaluatedIn = (
  before: AuditResult,
  after: AuditResult,
): Record<'before' | 'after', Pick<Evaluated, 'isEvaluated' | 'isWhole'>> => ({
  before: new Evaluated(before, after, true),
  after: new Evaluated(after, before, false),
});
