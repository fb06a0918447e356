/** The findings of a stripe's members, told once on the stripe. */
import { confidences } from '../diagnosis/causes.ts';
import { findingId, stripeResource } from '../diagnosis/finding-id.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { maximum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { roundUsd } from '../prices/volume-price.ts';
import {
  type AnyEvidence,
  type EvidenceOf,
  type Finding,
  type FindingDemand,
  type FindingKind,
  type FindingOf,
  isSaving,
  type Risk,
  type Severity,
  severityRank,
  withEvidence,
} from '../schemas/finding.ts';
import { adviceForAll } from './advice-for-all.ts';
import { limitsAsOne } from './load-as-one.ts';
import { idsOf, type Stripe, unlikeMembers } from './stripe.ts';

/**
 * When the findings of members are one of the stripe: any: one member that is held back holds the stripe back. all: what
 * is right for some members only is not right at all. never: it would take a member out of its stripe. What is not named
 * here (stalled, straggler) is the trouble of one volume and stays on it.
 */
const rules = {
  'throttled-volume-iops': 'any',
  'throttled-volume-throughput': 'any',
  'credits-exhausted': 'any',
  'credits-will-exhaust': 'any',
  'micro-burst': 'any',
  'over-provisioned': 'all',
  'cheaper-type': 'all',
  idle: 'all',
  'cheaper-stripe': 'never',
} as const satisfies Partial<Record<FindingKind, 'any' | 'all' | 'never'>>;

type Ruled = keyof typeof rules;
const isRuled = (kind: FindingKind): kind is Ruled => Object.hasOwn(rules, kind);
/** Kinds that are told of a stripe. */
type OfStripe = Exclude<Ruled, 'cheaper-stripe'>;
type MemberFinding = FindingOf<OfStripe>;

const isTold = (finding: Finding): finding is MemberFinding =>
  isRuled(finding.kind) && rules[finding.kind] !== 'never';

/** Keys of figures. */
type FigureKey = {
  [Key in keyof AnyEvidence]-?: NonNullable<AnyEvidence[Key]> extends number ? Key : never;
}[keyof AnyEvidence];

/** Null where it has no such figure, or it is not known. */
const figureOf = ({ evidence }: Finding, key: FigureKey): number | null => {
  const all: AnyEvidence = evidence;
  return all[key] ?? null;
};

/** Rates and prices of one member each; null where one of them has no figure, or the finding is not of all. */
function sumOf({ told, stripe }: Members, key: FigureKey): number | null {
  if (told.length < stripe.volumes.length) return null;
  let total = 0;
  for (const finding of told) {
    const value = figureOf(finding, key);
    if (value === null) return null;
    total += value;
  }
  return total;
}

const mostOf = ({ told }: Members, key: FigureKey): number =>
  Math.max(...told.map((finding) => figureOf(finding, key) ?? 0));

/** What the first way out costs. */
const usdOfAdvice = ({ recommendations: [first] }: Finding): number => first?.monthlyUsdDelta ?? 0;

/** Of members that are as bad, the one that was found to want the most: what is advised for it is advised for all. */
const worstFirst = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  (figureOf(b, 'heldBackMinutesWorst24h') ?? 0) - (figureOf(a, 'heldBackMinutesWorst24h') ?? 0) ||
  (figureOf(a, 'secondsToEmpty') ?? 0) - (figureOf(b, 'secondsToEmpty') ?? 0) ||
  usdOfAdvice(b) - usdOfAdvice(a) ||
  volumeIdOf(a).localeCompare(volumeIdOf(b));

/** A saving for all is what serves the member that needs the most. */
const neediestFirst = (a: Finding, b: Finding): number =>
  (figureOf(b, 'advisedMonthlyUsd') ?? 0) - (figureOf(a, 'advisedMonthlyUsd') ?? 0) ||
  volumeIdOf(a).localeCompare(volumeIdOf(b));

const volumeIdOf = ({ resource }: Finding): string => (resource.type === 'volume' ? resource.id : '');

const advisedTypeOf = ({ evidence }: { evidence: AnyEvidence }) => evidence.advisedVolumeType;

const servesAlso = (chosen: Finding, other: Finding): boolean =>
  advisedTypeOf(chosen) === advisedTypeOf(other) &&
  (['advisedIops', 'advisedThroughputMiBps'] as const).every(
    (key) =>
      (figureOf(chosen, key) ?? 0) * (1 + fixedThresholds.stripeAlikeWithin) >= (figureOf(other, key) ?? 0),
  );

/** The findings of one kind on members of a stripe. */
interface Members {
  stripe: Stripe;
  /** Of all together; null where the loads of its members do not add up. */
  load: VolumeLoad | null;
  told: readonly MemberFinding[];
}

/** What the stripe has and does. */
function loadAsOneEvidence({ stripe, load }: Members) {
  const limits = limitsAsOne(stripe);
  return {
    limitIops: limits.known ? limits.value.burstIops : null,
    limitMiBps: limits.known ? limits.value.burstMiBps : null,
    baselineIops: limits.known ? limits.value.baselineIops : null,
    baselineMiBps: limits.known ? limits.value.baselineMiBps : null,
    topAverageIops: maximum(load?.iops ?? null),
    topAverageMiBps: maximum(load?.mibps ?? null),
    topBusyIops: maximum(load?.busyIops ?? null),
    topQueueLength: maximum(load?.queueLength ?? null),
  };
}

/** As long as any member was held back. */
const mostHeldBack = (members: Members) => ({
  heldBackMinutesWorst24h: mostOf(members, 'heldBackMinutesWorst24h'),
  heldBackMinutesInWindow: mostOf(members, 'heldBackMinutesInWindow'),
  heldBackMinutesOfLastFive: mostOf(members, 'heldBackMinutesOfLastFive'),
  heldBackMinutesInWorstHour: mostOf(members, 'heldBackMinutesInWorstHour'),
});

/** What is advised for the neediest, for all. */
function savingForAll(members: Members, { advisedMonthlyUsd }: EvidenceOf<'over-provisioned'>) {
  const { stripe } = members;
  return {
    monthlyUsd: sumOf(members, 'monthlyUsd'),
    peakIops: sumOf(members, 'peakIops'),
    peakMiBps: sumOf(members, 'peakMiBps'),
    advisedMembers: stripe.volumes.length,
    advisedMonthlyUsd: roundUsd(advisedMonthlyUsd * stripe.volumes.length),
    alike: [],
  };
}

/** The worst member's finding with the evidence of all. */
function asOne(worst: MemberFinding, members: Members): MemberFinding {
  const { stripe, told } = members;
  const ofStripe = {
    members: idsOf(stripe),
    membersConcerned: told.map(volumeIdOf).sort(),
    worstMember: volumeIdOf(worst),
    unlikeMembers: unlikeMembers(stripe),
    stripeEvidence: stripe.evidence,
    stripeConfidence: stripe.confidence,
  };
  switch (worst.kind) {
    case 'throttled-volume-iops':
    case 'throttled-volume-throughput':
      return withEvidence(worst, {
        ...ofStripe,
        ...loadAsOneEvidence(members),
        ...mostHeldBack(members),
        heldBackMinutesInBursts: mostOf(members, 'heldBackMinutesInBursts'),
      });
    case 'credits-exhausted':
    case 'micro-burst':
      return withEvidence(worst, {
        ...ofStripe,
        ...loadAsOneEvidence(members),
        ...mostHeldBack(members),
      });
    case 'credits-will-exhaust':
      return withEvidence(worst, {
        ...ofStripe,
        recentRatePerSecond: sumOf(members, 'recentRatePerSecond'),
        drainPerSecond: sumOf(members, 'drainPerSecond'),
      });
    case 'over-provisioned':
    case 'cheaper-type':
      return withEvidence(worst, { ...ofStripe, ...savingForAll(members, worst.evidence) });
    case 'idle':
      return withEvidence(worst, {
        ...ofStripe,
        monthlyUsd: sumOf(members, 'monthlyUsd'),
        operations: sumOf(members, 'operations'),
        opsPerMinute: sumOf(members, 'opsPerMinute'),
      });
  }
}

/** Whatever is done is done to all members alike; what nobody uses is kept or removed as a whole. */
function riskOf({ evidence, volumes }: Stripe, kind: FindingKind): Risk {
  const count = volumes.length;
  if (evidence === 'inferred') return { code: 'inferred-stripe', count };
  return { code: kind === 'idle' ? 'all-members-or-none' : 'all-members-alike', count };
}

/** The worst member's; and what is money adds up to more than it is of one. */
function severityOf(told: readonly Finding[], asOne: Finding, thresholds: Thresholds): Severity {
  const worst = [...told].sort(worstFirst)[0]?.severity ?? asOne.severity;
  const usd = figureOf(asOne, 'monthlyUsd') ?? 0;
  const saved = usd - (figureOf(asOne, 'advisedMonthlyUsd') ?? 0);
  const isWorthWarning =
    (asOne.kind === 'idle' && usd >= thresholds.unusedWarningUsd) ||
    (isSaving(asOne) && saved >= thresholds.savingWarningUsd && asOne.confidence !== 'low');
  return worst === 'info' && isWorthWarning ? 'warning' : worst;
}

const leastSure = (told: readonly Finding[]): Finding['confidence'] =>
  confidences.find((one) => told.some(({ confidence }) => confidence === one)) ?? 'low';

/** All members have the same to do. */
function demandOfAll({ atLeast, likely, atMost, ...rest }: FindingDemand, count: number): FindingDemand {
  const ofAll = (rate: number | null): number | null => rate && rate * count;
  return { ...rest, atLeast: ofAll(atLeast), likely: ofAll(likely), atMost: ofAll(atMost) };
}

function toldOnce(members: Members, thresholds: Thresholds): Finding | null {
  const { stripe, told } = members;
  const [any] = told;
  if (any === undefined) return null;
  const { kind } = any;
  const isForAll = rules[kind] === 'all';
  const [worst = any] = [...told].sort(isForAll ? neediestFirst : worstFirst);
  const fits = told.length === stripe.volumes.length && told.every((other) => servesAlso(worst, other));
  if (isForAll && !(fits && (kind === 'idle' || unlikeMembers(stripe).length === 0))) return null;
  const resource = stripeResource(stripe);
  const risk = riskOf(stripe, kind);
  const count = stripe.volumes.length;
  const once = { ...asOne(worst, members), confidence: leastSure(told) };
  return {
    ...once,
    id: findingId(kind, resource),
    severity: severityOf(told, once, thresholds),
    resource,
    status: told.find(({ status }) => status === 'ongoing')?.status ?? worst.status,
    limit: worst.limit && { ...worst.limit, value: worst.limit.value * count },
    demand: worst.demand && demandOfAll(worst.demand, count),
    recommendations: worst.recommendations.map((one) =>
      adviceForAll(one, { stripe, volumeId: volumeIdOf(worst), risk }),
    ),
  };
}

export interface ToldAsOne {
  findings: Finding[];
  /** By the id of a member's finding: the id of the one that is told in its place, or null where none is. */
  inPlaceOf: ReadonlyMap<string, string | null>;
}

/**
 * What is told of a stripe in the place of what its members' findings say: of a kind one finding, as severe as the worst
 * member's, with the most minutes that any member was held back, and with limits and rates of all together. Savings only
 * where they are right for all members; another stripe in the place of one member never.
 * @param ofMembers the findings of all members; of other volumes they stay as they are.
 * @param load of all members as one (`loadAsOne`); null where it is not known.
 */
export function findingsAsOne(
  ofMembers: readonly Finding[],
  stripe: Stripe,
  load: VolumeLoad | null,
  thresholds: Thresholds,
): ToldAsOne {
  const ids = new Set(idsOf(stripe));
  const isMembers = (finding: Finding): boolean => ids.has(volumeIdOf(finding)) && isRuled(finding.kind);
  const findings = ofMembers.filter((finding) => !isMembers(finding));
  const inPlaceOf = new Map<string, string | null>();
  for (const kind of Object.keys(rules)) {
    const found = ofMembers.filter((finding) => finding.kind === kind && isMembers(finding));
    const once = toldOnce({ stripe, load, told: found.filter(isTold) }, thresholds);
    if (once !== null) findings.push(once);
    for (const { id } of found) inPlaceOf.set(id, once?.id ?? null);
  }
  return { findings, inPlaceOf };
}
