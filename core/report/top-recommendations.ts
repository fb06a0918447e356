/** What to do first: by harm, and by money. One line a resource: what is done for the worst of it often ends the rest. */
import type { AnyEvidence, AnyFinding, Finding, Recommendation } from '../schemas/finding.ts';
import { type FindingKind, isSaving, type Severity, severityRank } from '../schemas/finding-kinds.ts';

export interface FirstThing<Found extends AnyFinding = Finding> {
  findingId: string;
  finding: Found;
  kind: FindingKind;
  severity: Severity;
  resourceId: string;
  name: string | null;
  region: string;
  /** Null where no minutes are counted for its kind. */
  throttledMinutesPeak24h: number | null;
  /** What to do; null where nothing is recommended. */
  recommendation: Recommendation | null;
  monthlyUsdDelta: number | null;
  /** Findings of the same list on the same resource. */
  others: number;
}

export interface TopRecommendations<Found extends AnyFinding = Finding> {
  /** The most urgent first. */
  byImpact: FirstThing<Found>[];
  /** The largest saving first. */
  byMoney: FirstThing<Found>[];
  /** Of `byMoney` the same money once: what an instance wastes is reported of its volumes too. */
  moneyOnce: FirstThing<Found>[];
  /** Of all that is in `moneyOnce`. */
  savingMonthlyUsd: number;
}

/** Paid for without use; nobody waits for it. */
const wasteKinds: readonly FindingKind[] = ['idle', 'unattached', 'unreachable-performance'];

/** Nothing is slow: something costs more than it has to. */
export const isAboutMoney = (finding: { kind: FindingKind }): boolean =>
  isSaving(finding) || wasteKinds.includes(finding.kind);

/** Minutes of the peak 24 hours in which it was throttled, or slower than its siblings; null where none are counted. */
export const peakMinutesOf = ({ evidence }: { evidence: AnyEvidence }): number | null =>
  evidence.throttledMinutesPeak24h ?? evidence.slowMinutesPeak24h ?? null;

/** What is about to happen, by the time that is left; all else comes after it. */
const secondsLeft = ({ evidence }: { evidence: AnyEvidence }): number =>
  evidence.secondsToEmpty ?? Number.MAX_VALUE;
const minutesNow = ({ evidence }: { evidence: AnyEvidence }): number =>
  evidence.throttledMinutesOfLastFive ?? 0;

/**
 * The order of findings wherever they are listed by impact: by severity; within it what is about to happen, then what goes
 * on before what is over, then the more minutes first.
 */
export const mostUrgentFirst = (a: AnyFinding, b: AnyFinding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  secondsLeft(a) - secondsLeft(b) ||
  minutesNow(b) - minutesNow(a) ||
  (peakMinutesOf(b) ?? -1) - (peakMinutesOf(a) ?? -1) ||
  a.resource.id.localeCompare(b.resource.id) ||
  a.kind.localeCompare(b.kind);

const thing = <Found extends AnyFinding>(
  finding: Found,
  recommendation: Recommendation | null,
): FirstThing<Found> => ({
  findingId: finding.id,
  finding,
  kind: finding.kind,
  severity: finding.severity,
  resourceId: finding.resource.id,
  name: finding.resource.name,
  region: finding.resource.region,
  throttledMinutesPeak24h: peakMinutesOf(finding),
  recommendation,
  monthlyUsdDelta: recommendation?.monthlyUsdDelta ?? null,
  others: 0,
});

/** The first of each resource stands for the others. */
function oneEach<Found extends AnyFinding>(things: readonly FirstThing<Found>[]): FirstThing<Found>[] {
  const first = new Map<string, FirstThing<Found>>();
  for (const one of things) {
    const key = `${one.region} ${one.resourceId}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, { ...one });
    else before.others++;
  }
  return [...first.values()];
}

type Sorted = Pick<FirstThing, 'findingId' | 'monthlyUsdDelta'>;

const byId = (a: Sorted, b: Sorted): number => a.findingId.localeCompare(b.findingId, 'en');

const deltaOf = ({ monthlyUsdDelta }: { monthlyUsdDelta: number | null }): number => monthlyUsdDelta ?? 0;

const bySaving = (a: Sorted, b: Sorted): number => deltaOf(a) - deltaOf(b) || byId(a, b);

/** The most that any of its options saves a month, as a negative amount; null where none saves, or no price is known. */
export function bestSavingOf({ recommendations }: Pick<Finding, 'recommendations'>): number | null {
  const least = Math.min(0, ...recommendations.map(deltaOf));
  return least < 0 ? least : null;
}

/** The option that saves the most. */
function saving<Found extends AnyFinding>(finding: Found): FirstThing<Found>[] {
  const [best] = finding.recommendations.toSorted((a, b) => deltaOf(a) - deltaOf(b));
  return best !== undefined && deltaOf(best) < 0 ? [thing(finding, best)] : [];
}

/** The volumes whose money it is, where it is reported of more than a volume. */
function moneyOf({ resource, evidence, recommendations }: AnyFinding): string[] {
  if (resource.type === 'volume') return [];
  const { members = [] } = evidence;
  const lowered = recommendations.flatMap(({ change }) =>
    change?.of === 'volumes' ? change.volumes.map(({ volumeId }) => volumeId) : [],
  );
  return lowered.length > 0 ? lowered : members;
}

/**
 * Of what is reported of a group (an instance, a stripe) and of its volumes: whichever saves more; the largest group is looked at
 * first.
 */
function once<Found extends AnyFinding>(things: readonly FirstThing<Found>[]): FirstThing<Found>[] {
  const volumesOf = ({ finding }: FirstThing<Found>): string[] => moneyOf(finding);
  const left = new Set(things);
  for (const group of things) {
    const volumeIds = volumesOf(group);
    if (volumeIds.length === 0 || !left.has(group)) continue;
    const ids = new Set(volumeIds);
    const beside = [...left].filter(
      (one) => one !== group && (ids.has(one.resourceId) || volumesOf(one).some((id) => ids.has(id))),
    );
    const savedBeside = beside.reduce((sum, one) => sum - deltaOf(one), 0);
    const dropped = -deltaOf(group) > savedBeside ? beside : beside.length > 0 ? [group] : [];
    for (const one of dropped) left.delete(one);
  }
  return [...left];
}

export function topRecommendations<Found extends AnyFinding>(
  findings: readonly Found[],
): TopRecommendations<Found> {
  const harms = findings
    .filter((finding) => !isAboutMoney(finding))
    .toSorted(mostUrgentFirst)
    .map((finding) => thing(finding, finding.recommendations[0] ?? null));
  const savings = oneEach(findings.flatMap(saving).sort(bySaving));
  const moneyOnce = once(savings);
  return {
    byImpact: oneEach(harms),
    byMoney: savings,
    moneyOnce,
    savingMonthlyUsd: moneyOnce.reduce((sum, one) => sum - deltaOf(one), 0),
  };
}
