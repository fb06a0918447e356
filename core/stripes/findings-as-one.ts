/** The findings of a stripe's members, told once on the stripe. */
import { confidences } from '../diagnosis/causes.ts';
import { findingId, stripeResource } from '../diagnosis/finding-id.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { maximum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { roundUsd } from '../prices/volume-price.ts';
import {
  type Finding,
  type FindingDemand,
  type FindingKind,
  isSaving,
  type Risk,
  type Severity,
  severityRank,
} from '../schemas/finding.ts';
import { adviceForAll } from './advice-for-all.ts';
import { limitsAsOne } from './load-as-one.ts';
import { evidenceText, idsOf, type Stripe, unlikeMembers } from './stripe.ts';

/**
 * When the findings of members are one of the stripe: any: one member that is held back holds the stripe back. all: what
 * is right for some members only is not right at all. never: it would take a member out of its stripe. What is not named
 * here (stalled, straggler) is the trouble of one volume and stays on it.
 */
const rules: Partial<Record<FindingKind, 'any' | 'all' | 'never'>> = {
  'throttled-volume-iops': 'any',
  'throttled-volume-throughput': 'any',
  'credits-exhausted': 'any',
  'credits-will-exhaust': 'any',
  'micro-burst': 'any',
  'over-provisioned': 'all',
  'cheaper-type': 'all',
  idle: 'all',
  'cheaper-stripe': 'never',
};

type Evidence = Finding['evidence'];

const numberOf = ({ evidence }: Finding, key: string): number | null => {
  const value = evidence[key];
  return typeof value === 'number' ? value : null;
};

/** Null where one of them has no figure. */
function sumOf(findings: readonly Finding[], key: string): number | null {
  let total = 0;
  for (const finding of findings) {
    const value = numberOf(finding, key);
    if (value === null) return null;
    total += value;
  }
  return total;
}

const minuteKeys = [
  'heldBackMinutesWorst24h',
  'heldBackMinutesInWindow',
  'heldBackMinutesOfLastFive',
  'heldBackMinutesInWorstHour',
];
/** Rates and prices of one member each. */
const summedKeys = [
  'recentRatePerSecond',
  'drainPerSecond',
  'monthlyUsd',
  'peakIops',
  'peakMiBps',
  'operations',
  'opsPerMinute',
];

/** What the first way out costs. */
const usdOfAdvice = ({ recommendations: [first] }: Finding): number => first?.monthlyUsdDelta ?? 0;

/** Of members that are as bad, the one that was found to want the most: what is advised for it is advised for all. */
const worstFirst = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) ||
  (numberOf(b, 'heldBackMinutesWorst24h') ?? 0) - (numberOf(a, 'heldBackMinutesWorst24h') ?? 0) ||
  (numberOf(a, 'secondsToEmpty') ?? 0) - (numberOf(b, 'secondsToEmpty') ?? 0) ||
  usdOfAdvice(b) - usdOfAdvice(a) ||
  volumeIdOf(a).localeCompare(volumeIdOf(b));

/** A saving for all is what serves the member that needs the most. */
const neediestFirst = (a: Finding, b: Finding): number =>
  (numberOf(b, 'advisedMonthlyUsd') ?? 0) - (numberOf(a, 'advisedMonthlyUsd') ?? 0) ||
  volumeIdOf(a).localeCompare(volumeIdOf(b));

const volumeIdOf = ({ resource }: Finding): string => (resource.type === 'volume' ? resource.id : '');

const servesAlso = (chosen: Finding, other: Finding): boolean =>
  chosen.evidence['advisedVolumeType'] === other.evidence['advisedVolumeType'] &&
  ['advisedIops', 'advisedThroughputMiBps'].every(
    (key) =>
      (numberOf(chosen, key) ?? 0) * (1 + fixedThresholds.stripeAlikeWithin) >= (numberOf(other, key) ?? 0),
  );

/** What the stripe has and does; the load is null where its members' loads do not add up. */
function figuresOf(stripe: Stripe, load: VolumeLoad | null, worst: Finding): Evidence {
  if (!('limitIops' in worst.evidence)) return {};
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

/** What is advised for the neediest, for all. */
function advisedForAll(neediest: Finding, count: number): Evidence {
  const usd = numberOf(neediest, 'advisedMonthlyUsd');
  return {
    advisedMembers: count,
    advisedMonthlyUsd: usd === null ? null : roundUsd(usd * count),
    alike: [],
  };
}

function evidenceOf(
  stripe: Stripe,
  load: VolumeLoad | null,
  told: readonly Finding[],
  worst: Finding,
): Evidence {
  const have = (keys: readonly string[]): string[] => keys.filter((key) => key in worst.evidence);
  const most = (key: string): number => Math.max(...told.map((finding) => numberOf(finding, key) ?? 0));
  const isOfAll = told.length === stripe.volumes.length;
  return {
    ...worst.evidence,
    ...figuresOf(stripe, load, worst),
    ...Object.fromEntries(have(minuteKeys).map((key) => [key, most(key)])),
    ...Object.fromEntries(have(summedKeys).map((key) => [key, isOfAll ? sumOf(told, key) : null])),
    ...(isSaving(worst) ? advisedForAll(worst, stripe.volumes.length) : {}),
    members: idsOf(stripe),
    membersConcerned: told.map(volumeIdOf).sort(),
    worstMember: volumeIdOf(worst),
    unlikeMembers: unlikeMembers(stripe),
    stripeEvidence: stripe.evidence,
    stripeConfidence: stripe.confidence,
  };
}

/** Whatever is done is done to all members alike; what nobody uses is kept or removed as a whole. */
function riskOf({ evidence, volumes }: Stripe, kind: FindingKind): Risk {
  const count = volumes.length;
  if (evidence === 'inferred') return { code: 'inferred-stripe', count };
  return { code: kind === 'idle' ? 'all-members-or-none' : 'all-members-alike', count };
}

function reasonOf({ evidence, volumes }: Stripe, told: readonly Finding[], worst: Finding): string {
  const count = volumes.length;
  const who =
    told.length === count
      ? `so with each of the ${count} volumes of one stripe`
      : `so with ${told.length} of the ${count} volumes of one stripe`;
  return `${worst.reason}; ${who} (${evidenceText[evidence]}), these figures are of ${volumeIdOf(worst)}`;
}

/** The worst member's; and what is money adds up to more than it is of one. */
function severityOf(told: readonly Finding[], asOne: Finding, thresholds: Thresholds): Severity {
  const worst = [...told].sort(worstFirst)[0]?.severity ?? asOne.severity;
  const usd = numberOf(asOne, 'monthlyUsd') ?? 0;
  const saved = usd - (numberOf(asOne, 'advisedMonthlyUsd') ?? 0);
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

function toldOnce(
  stripe: Stripe,
  load: VolumeLoad | null,
  kind: FindingKind,
  told: readonly Finding[],
  thresholds: Thresholds,
): Finding | null {
  const isForAll = rules[kind] === 'all';
  const [worst] = [...told].sort(isForAll ? neediestFirst : worstFirst);
  if (worst === undefined) return null;
  const fits = told.length === stripe.volumes.length && told.every((other) => servesAlso(worst, other));
  if (isForAll && !(fits && (kind === 'idle' || unlikeMembers(stripe).length === 0))) return null;
  const resource = stripeResource(stripe);
  const risk = riskOf(stripe, kind);
  const evidence = evidenceOf(stripe, load, told, worst);
  const count = stripe.volumes.length;
  const confidence = leastSure(told);
  return {
    ...worst,
    id: findingId(kind, resource),
    severity: severityOf(told, { ...worst, confidence, evidence }, thresholds),
    ...{ resource, confidence },
    status: told.find(({ status }) => status === 'ongoing')?.status ?? worst.status,
    limit: worst.limit && { ...worst.limit, value: worst.limit.value * count },
    demand: worst.demand && demandOfAll(worst.demand, count),
    reason: reasonOf(stripe, told, worst),
    evidence,
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
  const isMembers = (finding: Finding): boolean =>
    ids.has(volumeIdOf(finding)) && rules[finding.kind] !== undefined;
  const findings = ofMembers.filter((finding) => !isMembers(finding));
  const inPlaceOf = new Map<string, string | null>();
  for (const kind of Object.keys(rules) as FindingKind[]) {
    const told = ofMembers.filter((finding) => finding.kind === kind && isMembers(finding));
    const once = rules[kind] === 'never' ? null : toldOnce(stripe, load, kind, told, thresholds);
    if (once !== null) findings.push(once);
    for (const { id } of told) inPlaceOf.set(id, once?.id ?? null);
  }
  return { findings, inPlaceOf };
}
