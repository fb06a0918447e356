/** What to do first: by harm, and by money. One line a resource: what is done for the worst of it often ends the rest. */
import type { Finding, Recommendation } from '../schemas/finding.ts';
import { type FindingKind, isSaving, type Severity, severityRank } from '../schemas/finding-kinds.ts';

export interface FirstThing {
  findingId: string;
  finding: Finding;
  kind: FindingKind;
  severity: Severity;
  resourceId: string;
  name: string | null;
  region: string;
  /** In the window; null where no minutes are counted for its kind. */
  heldBackMinutes: number | null;
  /** What to do; null where nothing is recommended. */
  recommendation: Recommendation | null;
  monthlyUsdDelta: number | null;
  /** Findings of the same list on the same resource. */
  others: number;
}

export interface FirstThings {
  /** The most severe first, of those what was held back the longest. */
  byHarm: FirstThing[];
  /** The largest saving first. */
  byMoney: FirstThing[];
  /** Of `byMoney` the same money once: what an instance wastes is told of its volumes too. */
  moneyOnce: FirstThing[];
  /** Of all that is in `moneyOnce`. */
  savingMonthlyUsd: number;
}

/** Paid for without use; nobody waits for it. */
const wasteKinds: readonly FindingKind[] = ['idle', 'unattached', 'unreachable-performance'];

/** Nothing is slow: something costs more than it has to. */
export const isAboutMoney = (finding: { kind: FindingKind }): boolean =>
  isSaving(finding) || wasteKinds.includes(finding.kind);

/** Minutes in the whole window in which it was held back, or slower than its siblings; null where none are counted. */
export function heldBackMinutesOf({ evidence }: Pick<Finding, 'evidence'>): number | null {
  const minutes = evidence['heldBackMinutesInWindow'] ?? evidence['slowMinutesInWindow'];
  return typeof minutes === 'number' ? minutes : null;
}

/** Of them those of the peak 24 hours; null where none are counted. */
export function peakMinutesOf({ evidence }: Pick<Finding, 'evidence'>): number | null {
  const minutes = evidence['heldBackMinutesWorst24h'] ?? evidence['slowMinutesWorst24h'];
  return typeof minutes === 'number' ? minutes : null;
}

const thing = (finding: Finding, recommendation: Recommendation | null): FirstThing => ({
  findingId: finding.id,
  finding,
  kind: finding.kind,
  severity: finding.severity,
  resourceId: finding.resource.id,
  name: finding.resource.name,
  region: finding.resource.region,
  heldBackMinutes: heldBackMinutesOf(finding),
  recommendation,
  monthlyUsdDelta: recommendation?.monthlyUsdDelta ?? null,
  others: 0,
});

/** The first of each resource stands for the others. */
function oneEach(things: readonly FirstThing[]): FirstThing[] {
  const first = new Map<string, FirstThing>();
  for (const one of things) {
    const key = `${one.region} ${one.resourceId}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, { ...one });
    else before.others++;
  }
  return [...first.values()];
}

const byId = (a: FirstThing, b: FirstThing): number => a.findingId.localeCompare(b.findingId, 'en');

const byHarm = (a: FirstThing, b: FirstThing): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  (b.heldBackMinutes ?? -1) - (a.heldBackMinutes ?? -1) ||
  byId(a, b);

const deltaOf = ({ monthlyUsdDelta }: { monthlyUsdDelta: number | null }): number => monthlyUsdDelta ?? 0;

const bySaving = (a: FirstThing, b: FirstThing): number => deltaOf(a) - deltaOf(b) || byId(a, b);

/** The most that any of its options saves a month, as a negative amount; null where none saves, or no price is known. */
export function bestSavingOf({ recommendations }: Pick<Finding, 'recommendations'>): number | null {
  const least = Math.min(0, ...recommendations.map(deltaOf));
  return least < 0 ? least : null;
}

/** The option that saves the most. */
function saving(finding: Finding): FirstThing[] {
  const [best] = finding.recommendations.toSorted((a, b) => deltaOf(a) - deltaOf(b));
  return best !== undefined && deltaOf(best) < 0 ? [thing(finding, best)] : [];
}

/** The volumes whose money it is, where it is told of more than a volume. */
function moneyOf({ resource, evidence, recommendations }: Finding): string[] {
  if (resource.type === 'volume') return [];
  const lowered = recommendations.flatMap(({ change }) =>
    change?.of === 'volumes' ? change.volumes.map(({ volumeId }) => volumeId) : [],
  );
  const ids = evidence['members'];
  return lowered.length > 0 || !Array.isArray(ids) ? lowered : ids.filter((id) => typeof id === 'string');
}

/**
 * Of what is told of a group (an instance, a stripe) and of its volumes: whichever saves more; the largest group is looked at
 * first.
 */
function once(things: readonly FirstThing[], findings: readonly Finding[]): FirstThing[] {
  const byFindingId = new Map(findings.map((finding) => [finding.id, finding]));
  const volumesOf = ({ findingId }: FirstThing): string[] => {
    const finding = byFindingId.get(findingId);
    return finding === undefined ? [] : moneyOf(finding);
  };
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

export function firstThings(findings: readonly Finding[]): FirstThings {
  const harms = findings
    .filter((finding) => !isAboutMoney(finding))
    .map((finding) => thing(finding, finding.recommendations[0] ?? null));
  const savings = oneEach(findings.flatMap(saving).sort(bySaving));
  const moneyOnce = once(savings, findings);
  return {
    byHarm: oneEach(harms.sort(byHarm)),
    byMoney: savings,
    moneyOnce,
    savingMonthlyUsd: moneyOnce.reduce((sum, one) => sum - deltaOf(one), 0),
  };
}
