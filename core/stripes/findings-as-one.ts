/** The findings of a stripe's members, told once on the stripe. */

import { confidences } from '../diagnosis/causes.ts';
import { findingId, stripeResource } from '../diagnosis/draft.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { isVolumeId } from '../ids.ts';
import { maximum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { regionOrPlaceholder } from '../plan/step-commands.ts';
import { roundUsd } from '../prices/prices.ts';
import { run, safeInstanceId, safeVolumeId, unknownEffect } from '../recommendations/recommendation.ts';
import {
  type AnyEvidence,
  type EvidenceOf,
  type Finding,
  type FindingDemand,
  type FindingKind,
  type FindingOf,
  isSaving,
  type Limit,
  type Recommendation,
  type Risk,
  type Severity,
  severityRank,
  withEvidence,
} from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';
import { limitsAsOne } from './load-as-one.ts';
import { idsOf, type Stripe, unlikeMembers } from './stripes.ts';

// Recommendation on one member of a stripe, made recommendation on all: nobody is told to change one leg alone.

/** What a member's recommendation is turned into recommendation on all with. */
interface ForAll {
  stripe: Stripe;
  /** The member that the recommendation is about. */
  volumeId: string;
  /** What it is to be done to all for. */
  risk: Risk;
}

/** Snapshots one by one would be of different moments and not fit together: EC2 takes those of an instance at one. */
function snapshotOfAll({ instanceId, region }: Stripe): string {
  return `aws ec2 create-snapshots --region ${regionOrPlaceholder(region)} --instance-specification InstanceId=${safeInstanceId(instanceId)},ExcludeBootVolume=true`;
}

/** A line for each member where it names the one; one line for all where the command takes a list. */
function lineForAll(line: string, { stripe, volumeId }: ForAll): string[] {
  // An id that is none stands in no line: a placeholder does, for each member in turn.
  if (!isVolumeId(volumeId) || !line.includes(volumeId)) return [line];
  if (/^aws ec2 create-snapshot /.test(line)) return [snapshotOfAll(stripe)];
  const ids = idsOf(stripe).map(safeVolumeId);
  return line.includes(`--volume-ids ${volumeId}`)
    ? [line.replace(volumeId, ids.join(' '))]
    : ids.map((id) => line.replaceAll(volumeId, id));
}

function stepForAll(step: Step, forAll: ForAll): Step[] {
  if (step.code === 'run') return lineForAll(step.command, forAll).map(run);
  if (step.code === 'scheduled')
    return lineForAll(step.command, forAll).map((command) => ({ ...step, command }));
  return step.code === 'run-later'
    ? lineForAll(step.command, forAll).map((command) => ({ code: 'run-later', command }))
    : [step];
}

/**
 * Commands for one member are wrong for another that has other figures, and its size can never go back: nothing is given to
 * copy until they are alike, or the tag that joins them is right.
 */
const ofUnlike = (recommendation: Recommendation, count: number, risk: Risk): Recommendation => ({
  ...recommendation,
  change: null,
  effect: { ...unknownEffect, throttledMinutesBefore: recommendation.effect.throttledMinutesBefore },
  ...{ sizedBy: null, headroomPercent: null, sizedFor: null },
  risks: [{ code: 'unlike-members', count }, risk],
  monthlyUsdDelta: null,
  steps: [],
});

/** Limits of all members together; they are throttled in the same minutes. */
function effectOnAll(effect: Recommendation['effect'], count: number): Recommendation['effect'] {
  const ofAll = (limit: Limit | null): Limit | null => limit && { ...limit, value: limit.value * count };
  return { ...effect, limitBefore: ofAll(effect.limitBefore), limitAfter: ofAll(effect.limitAfter) };
}

/** For every member in turn, at the price of all; where members are not alike there is nothing to do to all of them. */
export function recommendationForAll(recommendation: Recommendation, forAll: ForAll): Recommendation {
  const { stripe, risk } = forAll;
  const unlike = unlikeMembers(stripe);
  if (unlike.length > 0) return ofUnlike(recommendation, unlike.length, risk);
  const { monthlyUsdDelta: usd } = recommendation;
  return {
    ...recommendation,
    effect: effectOnAll(recommendation.effect, stripe.volumes.length),
    risks: [...recommendation.risks, risk],
    monthlyUsdDelta: usd === null ? null : roundUsd(usd * stripe.volumes.length),
    steps: recommendation.steps.flatMap((step) => stepForAll(step, forAll)),
  };
}

/**
 * Of volumes that some recommendation would change, those that are no part of a stripe or come with all of its members: for
 * recommendation on an instance that picks volumes one by one (lowering figures, moving to another EBS card).
 */
export function wholeStripesOnly(volumeIds: readonly string[], stripes: readonly Stripe[]): string[] {
  const chosen = new Set(volumeIds);
  const partly = new Set(stripes.map(idsOf).flatMap((ids) => (ids.every((id) => chosen.has(id)) ? [] : ids)));
  return volumeIds.filter((id) => !partly.has(id));
}

/**
 * When the findings of members are one of the stripe: any: one member that is throttled throttles the stripe. all: what
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
  'schedule-iops': 'all',
  'latency-above-target': 'any',
  idle: 'all',
  'cheaper-stripe': 'never',
} as const satisfies Partial<Record<FindingKind, 'any' | 'all' | 'never'>>;

type Ruled = keyof typeof rules;
const isRuled = (kind: FindingKind): kind is Ruled => Object.hasOwn(rules, kind);
/** Kinds that are reported of a stripe. */
type OfStripe = Exclude<Ruled, 'cheaper-stripe'>;
type MemberFinding = FindingOf<OfStripe>;

const isNotified = (finding: Finding): finding is MemberFinding =>
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
function sumOf({ notified, stripe }: Members, key: FigureKey): number | null {
  if (notified.length < stripe.volumes.length) return null;
  let total = 0;
  for (const finding of notified) {
    const value = figureOf(finding, key);
    if (value === null) return null;
    total += value;
  }
  return total;
}

const mostOf = ({ notified }: Members, key: FigureKey): number =>
  Math.max(...notified.map((finding) => figureOf(finding, key) ?? 0));

/** What the first way out costs. */
const usdOfRecommendation = ({ recommendations: [first] }: Finding): number => first?.monthlyUsdDelta ?? 0;

/** Of members that are as bad, the one that was found to want the most: what is recommended for it is recommended for all. */
const worstFirst = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  (figureOf(b, 'throttledMinutesPeak24h') ?? 0) - (figureOf(a, 'throttledMinutesPeak24h') ?? 0) ||
  (figureOf(a, 'secondsToEmpty') ?? 0) - (figureOf(b, 'secondsToEmpty') ?? 0) ||
  usdOfRecommendation(b) - usdOfRecommendation(a) ||
  volumeIdOf(a).localeCompare(volumeIdOf(b));

/** A saving for all is what serves the member that needs the most. */
const neediestFirst = (a: Finding, b: Finding): number =>
  (figureOf(b, 'recommendedMonthlyUsd') ?? 0) - (figureOf(a, 'recommendedMonthlyUsd') ?? 0) ||
  volumeIdOf(a).localeCompare(volumeIdOf(b));

const volumeIdOf = ({ resource }: Finding): string => (resource.type === 'volume' ? resource.id : '');

const recommendedTypeOf = ({ evidence }: { evidence: AnyEvidence }) => evidence.recommendedVolumeType;

/** At the same hours, or at none. */
const sameHours = (a: AnyEvidence, b: AnyEvidence): boolean =>
  (['scheduledDays', 'busyFromUtc', 'busyUntilUtc', 'raiseAtUtc', 'lowerAtUtc'] as const).every(
    (key) => a[key] === b[key],
  );

const servesAlso = (chosen: Finding, other: Finding): boolean =>
  recommendedTypeOf(chosen) === recommendedTypeOf(other) &&
  sameHours(chosen.evidence, other.evidence) &&
  (['recommendedIops', 'recommendedThroughputMiBps', 'lowIops', 'lowMiBps'] as const).every(
    (key) =>
      (figureOf(chosen, key) ?? 0) * (1 + fixedThresholds.stripeAlikeWithin) >= (figureOf(other, key) ?? 0),
  );

/** The findings of one kind on members of a stripe. */
interface Members {
  stripe: Stripe;
  /** Of all together; null where the loads of its members do not add up. */
  load: VolumeLoad | null;
  notified: readonly MemberFinding[];
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
    topActiveTimeIops: maximum(load?.activeTimeIops ?? null),
    topQueueLength: maximum(load?.queueLength ?? null),
  };
}

/** As long as any member was throttled. */
const mostThrottled = (members: Members) => ({
  throttledMinutesPeak24h: mostOf(members, 'throttledMinutesPeak24h'),
  throttledMinutesInWindow: mostOf(members, 'throttledMinutesInWindow'),
  throttledMinutesOfLastFive: mostOf(members, 'throttledMinutesOfLastFive'),
  throttledMinutesInPeakHour: mostOf(members, 'throttledMinutesInPeakHour'),
});

/** What is recommended for the neediest, for all. */
function savingForAll(
  members: Members,
  { recommendedMonthlyUsd }: Pick<EvidenceOf<'over-provisioned'>, 'recommendedMonthlyUsd'>,
) {
  const { stripe } = members;
  return {
    monthlyUsd: sumOf(members, 'monthlyUsd'),
    peakIops: sumOf(members, 'peakIops'),
    peakMiBps: sumOf(members, 'peakMiBps'),
    recommendedMembers: stripe.volumes.length,
    recommendedMonthlyUsd: roundUsd(recommendedMonthlyUsd * stripe.volumes.length),
    alike: [],
  };
}

/** The worst member's finding with the evidence of all. */
function asOne(worst: MemberFinding, members: Members): MemberFinding {
  const { stripe, notified } = members;
  const ofStripe = {
    members: idsOf(stripe),
    membersConcerned: notified.map(volumeIdOf).sort(),
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
        ...mostThrottled(members),
      });
    case 'credits-exhausted':
    case 'micro-burst':
      return withEvidence(worst, {
        ...ofStripe,
        ...loadAsOneEvidence(members),
        ...mostThrottled(members),
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
    case 'schedule-iops':
      return withEvidence(worst, {
        ...ofStripe,
        ...savingForAll(members, worst.evidence),
        allMonthMonthlyUsd: roundUsd(worst.evidence.allMonthMonthlyUsd * stripe.volumes.length),
      });
    case 'latency-above-target':
      return withEvidence(worst, ofStripe);
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
function severityOf(notified: readonly Finding[], asOne: Finding, thresholds: Thresholds): Severity {
  const worst = [...notified].sort(worstFirst)[0]?.severity ?? asOne.severity;
  const usd = figureOf(asOne, 'monthlyUsd') ?? 0;
  const saved = usd - (figureOf(asOne, 'recommendedMonthlyUsd') ?? 0);
  const isWorthWarning =
    (asOne.kind === 'idle' && usd >= thresholds.unusedWarningUsd) ||
    (isSaving(asOne) && saved >= thresholds.savingWarningUsd && asOne.confidence !== 'low');
  return worst === 'info' && isWorthWarning ? 'warning' : worst;
}

const leastSure = (notified: readonly Finding[]): Finding['confidence'] =>
  confidences.find((one) => notified.some(({ confidence }) => confidence === one)) ?? 'low';

/** All members have the same to do. */
function demandOfAll({ atLeast, likely, atMost, ...rest }: FindingDemand, count: number): FindingDemand {
  const ofAll = (rate: number | null): number | null => rate && rate * count;
  return { ...rest, atLeast: ofAll(atLeast), likely: ofAll(likely), atMost: ofAll(atMost) };
}

function notifiedOnce(members: Members, thresholds: Thresholds): Finding | null {
  const { stripe, notified } = members;
  const [any] = notified;
  if (any === undefined) return null;
  const { kind } = any;
  const isForAll = rules[kind] === 'all';
  const [worst = any] = [...notified].sort(isForAll ? neediestFirst : worstFirst);
  const fits =
    notified.length === stripe.volumes.length && notified.every((other) => servesAlso(worst, other));
  if (isForAll && !(fits && (kind === 'idle' || unlikeMembers(stripe).length === 0))) return null;
  const resource = stripeResource(stripe);
  const risk = riskOf(stripe, kind);
  const count = stripe.volumes.length;
  const once = { ...asOne(worst, members), confidence: leastSure(notified) };
  return {
    ...once,
    id: findingId(kind, resource),
    severity: severityOf(notified, once, thresholds),
    resource,
    status: notified.find(({ status }) => status === 'ongoing')?.status ?? worst.status,
    limit: worst.limit && { ...worst.limit, value: worst.limit.value * count },
    demand: worst.demand && demandOfAll(worst.demand, count),
    recommendations: worst.recommendations.map((one) =>
      recommendationForAll(one, { stripe, volumeId: volumeIdOf(worst), risk }),
    ),
  };
}

export interface FoundAsOne {
  findings: Finding[];
  /** By the id of a member's finding: the id of the one that is reported in its place, or null where none is. */
  inPlaceOf: ReadonlyMap<string, string | null>;
}

/**
 * What is reported of a stripe in the place of what its members' findings say: of a kind one finding, as severe as the worst
 * member's, with the most minutes that any member was throttled, and with limits and rates of all together. Savings only
 * where they are right for all members; another stripe in the place of one member never.
 * @param ofMembers the findings of all members; of other volumes they stay as they are.
 * @param load of all members as one (`loadAsOne`); null where it is not known.
 */
export function findingsAsOne(
  ofMembers: readonly Finding[],
  stripe: Stripe,
  load: VolumeLoad | null,
  thresholds: Thresholds,
): FoundAsOne {
  const ids = new Set(idsOf(stripe));
  const isMembers = (finding: Finding): boolean => ids.has(volumeIdOf(finding)) && isRuled(finding.kind);
  const findings = ofMembers.filter((finding) => !isMembers(finding));
  const inPlaceOf = new Map<string, string | null>();
  for (const kind of Object.keys(rules)) {
    const found = ofMembers.filter((finding) => finding.kind === kind && isMembers(finding));
    const once = notifiedOnce({ stripe, load, notified: found.filter(isNotified) }, thresholds);
    if (once !== null) findings.push(once);
    for (const { id } of found) inPlaceOf.set(id, once?.id ?? null);
  }
  return { findings, inPlaceOf };
}
