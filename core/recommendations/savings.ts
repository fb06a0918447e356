/** What a volume needs by what it showed, and what would serve it as well for less. */
import type { Draft } from '../diagnosis/draft.ts';
import { type AuditWindow, secondsOf, type Thresholds } from '../diagnosis/thresholds.ts';
import { byConfiguration, standing } from '../diagnosis/throttled.ts';
import type { Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { isHdd, type VolumeType } from '../limits/volume-limits.ts';
import { type Busiest, summaryOf } from '../load/load-summary.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Layout, Rates } from '../plan/layout.ts';
import { wayTo } from '../plan/steps.ts';
import { roundUsd } from '../prices/prices.ts';
import type { Recommendation } from '../schemas/finding.ts';
import type { NeedUnknown } from '../schemas/load-codes.ts';
import { secondsPerHour, secondsPerMinute } from '../units.ts';
import { bestOf, type Cheaper, type Current, currentUsd, inPlace, stripe, toServe } from './candidates.ts';
import { caveatRisks, layoutNow, percentOf, stepsOfPlan } from './recommendation.ts';
import {
  type NotScheduled,
  type ScheduledSaving,
  type SeenForSchedule,
  scheduledSaving,
} from './scheduled-saving.ts';
import { isMinimum, stripeRisks } from './throttled-recommendations.ts';

// What a volume showed that it needs, from its busiest period; unknown where that does not show it.

export interface ObservedNeed {
  /** Of the busiest period: over its non-idle seconds where the idle time is known, else its average. */
  peak: Rates;
  /** The peak with headroom. */
  rates: Rates;
  /** IOPS with headroom where each I/O is cut at the chunk of a stripe. */
  cutIops: number;
  knownSeconds: number;
  periodSeconds: number;
  confidence: 'high' | 'medium' | 'low';
}

/** What a volume's load shows that it needs, with headroom. */
export interface VolumeNeed {
  rates: Rates;
  /** Null where it may need more: something throttled it, or too little is known. */
  confidence: ObservedNeed['confidence'] | null;
}

/** Null where a volume's load shows nothing. */
export type NeedOf = (volumeId: string) => VolumeNeed | null;

/** With headroom a need has no fractions. */
const withHeadroom = (rate: number, { savingHeadroom }: Thresholds): number =>
  Math.ceil(rate * (1 + savingHeadroom) - 1e-9);

/** On HDD an I/O counts as one, however large. */
function busiestOf(load: VolumeLoad, volumeType: VolumeType): Busiest {
  const { busiest } = summaryOf(load);
  return isHdd(volumeType) ? { ...busiest, countedIops: busiest.iops } : busiest;
}

const needFrom = ({ countedIops, throughputMiBps }: Busiest, thresholds: Thresholds): Rates => ({
  iops: withHeadroom(countedIops, thresholds),
  throughputMiBps: withHeadroom(throughputMiBps, thresholds),
});

/** A week has every day in it: what runs on Sundays only is not missed. */
const highConfidenceSeconds = 7 * 24 * secondsPerHour;

function confidenceOf({ periodSeconds, knownSeconds }: VolumeLoad): ObservedNeed['confidence'] {
  if (periodSeconds > secondsPerMinute) return 'low';
  return knownSeconds >= highConfidenceSeconds ? 'high' : 'medium';
}

/** What is missing of the load; null where enough is there. */
function missing(
  { knownSeconds, periodSeconds }: VolumeLoad,
  { isMibUnknown, isBusyUnknown }: Busiest,
  window: AuditWindow,
  { savingWindowSeconds, savingKnownShare }: Thresholds,
): NeedUnknown | null {
  const windowSeconds = secondsOf(window);
  if (windowSeconds < savingWindowSeconds)
    return { code: 'window-too-short', minHours: savingWindowSeconds / secondsPerHour };
  if (knownSeconds < savingKnownShare * windowSeconds)
    return { code: 'too-many-gaps', knownPercent: (100 * knownSeconds) / windowSeconds };
  if (isMibUnknown) return { code: 'bytes-unknown' };
  if (periodSeconds > secondsPerMinute && isBusyUnknown)
    return { code: 'averages-hide-bursts', periodSeconds };
  return null;
}

/** What a load shows of the need. */
export interface SeenNeed {
  /** At least this it needs, whatever throttled it: what it was served in its busiest period, with headroom. */
  least: Rates;
  /** Unknown where that may not be all. */
  need: Known<ObservedNeed, NeedUnknown>;
}

/**
 * The need is at least what was served: where anything throttled the volume it may be more, and is unknown. The idle
 * time shows bursts but where other I/O fills the rest of the period, the less the longer a period is: points of more
 * than a minute make the confidence low.
 */
export function observedNeed(
  load: VolumeLoad,
  volumeType: VolumeType,
  window: AuditWindow,
  throttledMinutes: number,
  thresholds: Thresholds,
): SeenNeed {
  const most = busiestOf(load, volumeType);
  const least = needFrom(most, thresholds);
  if (throttledMinutes > 0) return { least, need: unknown({ code: 'throttled', minutes: throttledMinutes }) };
  const reason = missing(load, most, window, thresholds);
  if (reason !== null) return { least, need: unknown(reason) };
  return {
    least,
    need: known({
      peak: { iops: most.iops, throughputMiBps: most.throughputMiBps },
      rates: least,
      cutIops: withHeadroom(most.cutIops, thresholds),
      knownSeconds: load.knownSeconds,
      periodSeconds: load.periodSeconds,
      confidence: confidenceOf(load),
    }),
  };
}

// What a volume could cost less without serving less: findings with the configuration that does it.

/** What savings of a volume depend on beside its load. */
export interface SavingsBeside {
  volume: Volume;
  current: Current;
  /** Volumes of the same instance with the same type and figures: they may be members of one stripe. */
  alike: readonly string[];
  /** Volumes that its instance takes beside those that it has; null where that is not known. */
  freeAttachments: number | null;
  thresholds: Thresholds;
}

export interface SavingsOf extends SavingsBeside {
  /** What its load showed; unknown: only what serves all that it can do today is recommended. */
  seen: Known<ObservedNeed, NeedUnknown>;
  /** Its own limit throttled it, not only its credits or its instance: it needs more than it has. */
  atItsLimit: boolean;
  /** Minutes in which its load, so many times as high, would be throttled with a layout: by replay; null without a load. */
  throttledMinutesWith: ((layout: Layout, times: number) => number) | null;
  /** What a schedule is made of; null or absent without a load. */
  scheduled?: SeenForSchedule | null;
}

type SavingKind = 'over-provisioned' | 'cheaper-type' | 'cheaper-stripe';

interface AllMonthSaving {
  draft: Draft<SavingKind>;
  recommendations: Recommendation[];
}

export interface Saving {
  draft: AllMonthSaving['draft'] | ScheduledSaving['draft'];
  recommendations: Recommendation[];
}

/** Types that do the same for less: durability is never given up for it. */
const insteadOf: Partial<Record<VolumeType, readonly Exclude<VolumeType, 'standard'>[]>> = {
  gp2: ['gp3'],
  io1: ['gp3', 'io2'],
  st1: ['sc1'],
};

/** Less of a difference is not worth a second way. */
const leastFurtherUsd = 0.5;

const savingSeverity = (usd: number, { savingWarningUsd }: Thresholds): 'warning' | 'info' =>
  usd >= savingWarningUsd ? 'warning' : 'info';

/** Of the load as it was where that must not get worse; with headroom where the load is what the recommendation rests on. */
const asItWas = 1;
const headroomFactor = ({ thresholds }: SavingsOf): number => 1 + thresholds.savingHeadroom;

const minutesWith = ({ throttledMinutesWith }: SavingsOf, layout: Layout, times: number): number | null =>
  throttledMinutesWith === null ? null : throttledMinutesWith(layout, times);

/** Does another configuration do as well in the replay? Without a load only what is as fast is asked about. */
function isAsGood(of: SavingsOf, { layout }: Cheaper, times: number): boolean {
  const minutes = minutesWith(of, layout, times) ?? 0;
  return minutes === 0 || minutes <= (minutesWith(of, layoutNow(of.current.limits), times) ?? 0);
}

/** What a saving rests on, and what it gives up. */
type Basis = Pick<Recommendation, 'sizedBy' | 'headroomPercent' | 'sizedFor' | 'risks'>;

function recommendationOf(
  of: SavingsOf,
  option: Cheaper,
  { risks, sizedBy, ...sizing }: Basis,
): Recommendation {
  const { layout, monthlyUsd } = option;
  const { volume, current, alike } = of;
  const { config, limits } = current;
  const now = layoutNow(limits);
  const { lines, inPlace: isInPlace } = wayTo(
    layout,
    { layout: now, volumeIds: [volume.volumeId] },
    { region: volume.region, deployment: config.deployment },
  );
  // Headroom decides what is recommended; what is reported is of the load as it was.
  const before = minutesWith(of, now, asItWas);
  const after = minutesWith(of, layout, asItWas);
  return {
    action: isInPlace ? 'modify' : 'migrate',
    purpose: 'less-cost',
    inPlace: isInPlace,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      ...{ method: after === null ? 'estimated' : 'simulated', limitBefore: null, limitAfter: null },
      ...{ throttledMinutesBefore: before, throttledMinutesAfter: after },
    },
    monthlyUsdDelta: roundUsd(monthlyUsd - currentUsd(current)),
    priceUnknownReason: null,
    ...sizing,
    sizedBy: sizedBy === 'headroom' && isMinimum(layout) ? 'type-minimum' : sizedBy,
    risks: [
      ...(layout.members > 1 ? stripeRisks(layout, config.volumeType) : []),
      ...caveatRisks(config.volumeType, layout.volumeType),
      ...(layout.members === 1 && alike.length > 0
        ? [{ code: 'like-volumes' as const, count: alike.length }]
        : []),
      ...risks,
    ],
    steps: stepsOfPlan(lines),
  };
}

/** As much as was seen at its peak, with headroom, and never more than it can do today. */
const seenBasis = (current: Current, seen: ObservedNeed, { savingHeadroom }: Thresholds): Basis => ({
  sizedBy: 'headroom',
  headroomPercent: percentOf(savingHeadroom),
  sizedFor: toServe(current, seen.rates),
  risks:
    seen.periodSeconds > secondsPerMinute
      ? [{ code: 'averages-hide-bursts', minutes: seen.periodSeconds / secondsPerMinute }]
      : [],
});

/** All the time what the volume does at its best today. */
const bestBasis = ({ current, atItsLimit }: SavingsOf): Basis => ({
  ...{ sizedBy: 'current-maximum', headroomPercent: null, sizedFor: bestOf(current) },
  risks: atItsLimit ? [{ code: 'also-at-the-limit' }] : [],
});

/** A saving before it has a kind. */
function savingOf(
  of: SavingsOf,
  options: [Cheaper, ...Cheaper[]],
  recommendations: Recommendation[],
  /** Saved without relying on the load. */
  sureUsd = 0,
) {
  const { current, seen, alike } = of;
  const cheapest = options.reduce((best, one) => (one.monthlyUsd < best.monthlyUsd ? one : best));
  const before = currentUsd(current);
  const saved = roundUsd(before - cheapest.monthlyUsd);
  const { layout } = cheapest;
  const isLoadSure = seen.known && seen.value.confidence !== 'low';
  return {
    draft: {
      severity: savingSeverity(isLoadSure ? saved : sureUsd, of.thresholds),
      ...standing,
      ...{ limit: null, demand: null, confidence: seen.known ? seen.value.confidence : 'high' },
      ...byConfiguration,
      evidence: {
        monthlyUsd: roundUsd(before),
        recommendedMonthlyUsd: roundUsd(cheapest.monthlyUsd),
        recommendedVolumeType: layout.volumeType,
        recommendedMembers: layout.members,
        recommendedSizeGiB: layout.sizeGiB,
        recommendedIops: layout.iops,
        recommendedThroughputMiBps: layout.throughputMiBps,
        peakIops: seen.known ? seen.value.peak.iops : null,
        peakMiBps: seen.known ? seen.value.peak.throughputMiBps : null,
        loadNotUsedReason: seen.known ? null : seen.reason,
        alike: [...alike],
      },
    },
    recommendations,
  };
}

const saves = ({ monthlyUsd }: Cheaper, current: Current, minUsd: number): boolean =>
  currentUsd(current) - monthlyUsd >= minUsd - 1e-9;

function overProvisioned(of: SavingsOf): AllMonthSaving | null {
  const { current, seen } = of;
  const { volumeType } = current.config;
  if (!seen.known || !(volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2')) return null;
  const lower = inPlace(current, volumeType, toServe(current, seen.value.rates));
  if (lower === null || !saves(lower, current, of.thresholds.overProvisionedUsd)) return null;
  if ((minutesWith(of, lower.layout, headroomFactor(of)) ?? 0) > 0) return null;
  const { draft, recommendations } = savingOf(
    of,
    [lower],
    [recommendationOf(of, lower, seenBasis(current, seen.value, of.thresholds))],
  );
  return { draft: { ...draft, kind: 'over-provisioned' }, recommendations };
}

type OtherType = Exclude<VolumeType, 'standard'>;

/** As fast as at its best today where that is cheaper; and what the load needs where that is cheaper still. */
function cheaperWith(of: SavingsOf, other: OtherType): { option: Cheaper; recommendation: Recommendation }[] {
  const { current, seen } = of;
  const isWorthIt = (option: Cheaper | null, times: number): option is Cheaper =>
    option !== null && saves(option, current, of.thresholds.cheaperTypeUsd) && isAsGood(of, option, times);
  const best = inPlace(current, other, bestOf(current));
  const fitted = seen.known ? inPlace(current, other, toServe(current, seen.value.rates)) : null;
  const isBestWorthIt = isWorthIt(best, asItWas);
  const found = isBestWorthIt
    ? [{ option: best, recommendation: recommendationOf(of, best, bestBasis(of)) }]
    : [];
  if (!seen.known || !isWorthIt(fitted, headroomFactor(of))) return found;
  if (isBestWorthIt && fitted.monthlyUsd > best.monthlyUsd - leastFurtherUsd) return found;
  return [
    ...found,
    {
      option: fitted,
      recommendation: recommendationOf(of, fitted, seenBasis(current, seen.value, of.thresholds)),
    },
  ];
}

function cheaperType(of: SavingsOf): AllMonthSaving | null {
  const [usual = [], ...others] = (insteadOf[of.current.config.volumeType] ?? []).map((other) =>
    cheaperWith(of, other),
  );
  // Of a second type one way is enough.
  const [first, ...rest] = [...usual, ...others.flatMap((ways) => ways.slice(0, 1))];
  if (first === undefined) return null;
  const recommendation = [first, ...rest].map((one) => one.recommendation);
  const best = inPlace(of.current, first.option.layout.volumeType as OtherType, bestOf(of.current));
  const sureUsd = best === null ? 0 : Math.max(0, currentUsd(of.current) - best.monthlyUsd);
  const options: [Cheaper, ...Cheaper[]] = [first.option, ...rest.map(({ option }) => option)];
  const { draft, recommendations } = savingOf(of, options, recommendation, sureUsd);
  return { draft: { ...draft, kind: 'cheaper-type' }, recommendations };
}

/** Types whose data a stripe of gp3 keeps as safely, but for the number of its members. */
const stripedInstead: readonly VolumeType[] = ['gp2', 'gp3', 'io1'];

/** In a stripe an I/O that is larger than the chunk is several. */
const cutAtChunk = (
  { iops, throughputMiBps }: Rates,
  { cutIops, peak }: ObservedNeed,
  headroom: number,
): Rates => {
  const uncut = peak.iops * headroom;
  return { iops: Math.ceil(iops * Math.max(1, cutIops / Math.max(1, uncut))), throughputMiBps };
};

/** It needs a migration: it must be shown by the load, and beat what can be had in place too, by as much. */
function cheaperStripe(of: SavingsOf, inPlaceUsd: number): AllMonthSaving | null {
  const { current, seen, alike, freeAttachments, thresholds } = of;
  if (!seen.known || alike.length > 0 || freeAttachments === null) return null;
  if (!stripedInstead.includes(current.config.volumeType)) return null;
  const rates = cutAtChunk(toServe(current, seen.value.rates), seen.value, headroomFactor(of));
  const found = stripe(current, rates, freeAttachments);
  if (found === null) return null;
  const saved = inPlaceUsd - found.monthlyUsd;
  if (saved < thresholds.cheaperStripeUsd || saved < thresholds.cheaperStripeShare * inPlaceUsd) return null;
  if (!isAsGood(of, found, headroomFactor(of))) return null;
  const { draft, recommendations } = savingOf(
    of,
    [found],
    [recommendationOf(of, found, { ...seenBasis(current, seen.value, of.thresholds), sizedFor: rates })],
  );
  const evidence = { ...draft.evidence, inPlaceMonthlyUsd: roundUsd(inPlaceUsd) };
  return { draft: { ...draft, kind: 'cheaper-stripe', evidence }, recommendations };
}

const recommendedUsd = ({ draft }: AllMonthSaving): number => draft.evidence.recommendedMonthlyUsd;

/**
 * None, one or several; what is in place first. Another type that costs no more than lower figures of the same is reported
 * in place of them: it is the same money. A schedule is in place, and beats all of them; a stripe must beat it too. On an Outpost nothing is saved: it is billed by its rack.
 */
export const volumeSavings = (of: SavingsOf): Saving[] => savingsAndSchedule(of).savings;

export interface SavingsAndSchedule {
  savings: Saving[];
  /** Why there is no schedule among them; null where one is, or where none was looked for. */
  notScheduled: NotScheduled | null;
}

export const noSavings: SavingsAndSchedule = { savings: [], notScheduled: null };

export function savingsAndSchedule(of: SavingsOf): SavingsAndSchedule {
  const { volume, current } = of;
  if (volume.multiAttach || current.config.deployment === 'outposts') return noSavings;
  const [lower, other] = [overProvisioned(of), cheaperType(of)];
  const isSaid = lower !== null && other !== null && recommendedUsd(other) <= recommendedUsd(lower);
  const ways = [isSaid ? null : lower, other].filter((saving) => saving !== null);
  const inPlaceUsd = Math.min(currentUsd(current), ...ways.map(recommendedUsd));
  const schedule = scheduledSaving(of, inPlaceUsd);
  const leastUsd = schedule.known ? schedule.value.draft.evidence.recommendedMonthlyUsd : inPlaceUsd;
  const others = [schedule.known ? schedule.value : null, cheaperStripe(of, leastUsd)];
  return {
    savings: [...ways, ...others.filter((saving) => saving !== null)],
    notScheduled: schedule.known ? null : schedule.reason,
  };
}
