/** Recommendations for a throttled load: candidates tried by replay, and those that help. */
import { narrowDemand } from '../demand/demand.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { gp3Figures, isHdd, type VolumeType } from '../limits/volume-limits.ts';
import { annualFailureRate, volumeFailureRate } from '../plan/cheapest-member.ts';
import { type Layout, minHddIoKiB } from '../plan/layout.ts';
import { wayTo } from '../plan/steps.ts';
import { rankingPrices, roundUsd } from '../prices/prices.ts';
import type { Recommendation, Risk } from '../schemas/finding.ts';
import type { NotRecommended } from '../schemas/recommendation.ts';
import { secondsPerHour } from '../units.ts';
import { bestOf, type Cheaper, type Current, candidatesFor, currentUsd, type Tried } from './candidates.ts';
import {
  caveatRisks,
  type Demand,
  isAsDurable,
  isOpen,
  layoutNow,
  limitOfLayout,
  percentOf,
  type RecommendationInput,
  stepsOfPlan,
  unknownEffect,
  volumePriceUnknown,
  way,
} from './recommendation.ts';

// What is recommended of a configuration that was tried for a load that was throttled.

/** A configuration that was tried. */
interface Outcome extends Cheaper {
  /** Throttled in the simulation: of the demand at most, and of what is likely. */
  minutes: number;
  likelyMinutes: number;
  helps: 'surely' | 'likely' | 'faster' | 'not';
}

const openHeadroomPercent = percentOf(fixedThresholds.openHeadroom);

/** What the change gives up or takes. */
function risksOf(tried: Tried, { layout, helps, minutes, likelyMinutes }: Outcome): Risk[] {
  const { current, now, demand, doubt } = tried;
  const { volumeType, deployment } = current.config;
  const line = helps === 'surely' ? 'high' : 'likely';
  const left = line === 'high' ? minutes : likelyMinutes;
  const isSized = doubt === null && helps !== 'faster';
  const isNotified = left > 0 && isSized && !isOpen(demand);
  const ofInstance = isNotified
    ? left - demand.throttledMinutesWith(layout, { line, withoutInstance: true })
    : 0;
  const isHddLeft = isHdd(volumeType) && !isHdd(layout.volumeType);
  const has = (is: boolean, risk: Risk): Risk[] => (is ? [risk] : []);
  return [
    ...has(doubt !== null || helps !== 'surely', { code: 'demand-unknown' }),
    ...has(isSized && !isOpen(demand) && demand.openMinutes > 0, {
      code: 'demand-hidden',
      ...{ minutes: demand.openMinutes, headroomPercent: openHeadroomPercent },
    }),
    ...has(ofInstance > 0, { code: 'instance-limits', minutes: ofInstance }),
    ...has(isNotified && ofInstance <= 0, { code: 'more-than-the-type', minutes: left }),
    ...(layout.members > 1
      ? stripeRisks(layout, volumeType)
      : has(layout.sizeGiB > now.sizeGiB, { code: 'never-shrinks', from: now.sizeGiB, to: layout.sizeGiB })),
    ...caveatRisks(volumeType, layout.volumeType),
    ...has(isHdd(layout.volumeType) && layout.members === 1 && !isOpen(demand), { code: 'on-credits' }),
    ...has(isHddLeft && layout.members === 1 && demand.ioKiB < minHddIoKiB, {
      code: 'small-io-costs-credits',
      ioKiB: demand.ioKiB,
    }),
    ...has(isHddLeft && layout.members === 1 && !(demand.ioKiB < minHddIoKiB), {
      code: 'sequential-stripe-cheaper',
    }),
    ...has(deployment === 'outposts', { code: 'type-on-outpost' }),
  ];
}

/** A stripe of volumes in the place of one. */
export const stripeRisks = ({ members, volumeType }: Layout, from: VolumeType): Risk[] => [
  { code: 'downtime' },
  { code: 'no-root-volume' },
  {
    code: 'data-loss-rate',
    ...{ from: volumeFailureRate(from), to: annualFailureRate('stripe', members, volumeType) },
  },
];

/** The least that gp3 has costs nothing more: nobody asked for so much. */
export const isMinimum = ({ volumeType, iops, throughputMiBps }: Layout): boolean =>
  volumeType === 'gp3' && iops <= gp3Figures.freeIops && throughputMiBps <= gp3Figures.freeMiBps;

type Sizing = Pick<Recommendation, 'sizedBy' | 'headroomPercent' | 'sizedFor'>;

/** What the size follows from, and the rates that it is for. */
function sizingOf({ demand, doubt, thresholds }: Tried, { layout, helps }: Outcome): Sizing {
  const { most, likely } = demand;
  if (isOpen(demand)) {
    const sizedBy = isMinimum(layout) ? 'type-minimum' : 'limit-headroom';
    return { sizedBy, headroomPercent: openHeadroomPercent, sizedFor: null };
  }
  const isLikely = helps === 'likely' && doubt === null;
  const rest = {
    headroomPercent: isLikely ? percentOf(thresholds.savingHeadroom) : null,
    sizedFor: helps === 'faster' ? null : isLikely ? likely.rates : most.rates,
  };
  if (isMinimum(layout)) return { sizedBy: 'type-minimum', ...rest };
  if (doubt !== null) return { sizedBy: doubt, ...rest };
  if (helps === 'faster') return { sizedBy: 'twice-served', ...rest };
  return { sizedBy: isLikely ? 'headroom' : 'demand', ...rest };
}

/** Of what is coming the hours that were simulated. */
const ofForecast = ({ demand, thresholds }: Tried): Pick<Recommendation['effect'], 'forecastHours'> =>
  demand.isComing ? { forecastHours: thresholds.willExhaustSeconds / secondsPerHour } : {};

/** What is sure in the simulation is promised, what is likely is not. */
function optionRecommendation(tried: Tried, outcome: Outcome): Recommendation {
  const { layout, monthlyUsd, helps, minutes, likelyMinutes } = outcome;
  const { volume, current, now, demand, doubt, limit } = tried;
  const priceUnknownReason = tried.priceUnknown(layout.volumeType);
  const { deployment } = current.config;
  const { inPlace, lines } = wayTo(
    layout,
    { layout: now, volumeIds: [volume.volumeId] },
    { region: volume.region, deployment },
  );
  const isUnknown = doubt !== null || helps === 'faster';
  const method = isUnknown ? 'unknown' : helps === 'surely' ? 'simulated' : 'estimated';
  return {
    action: inPlace ? 'modify' : layout.members === 1 ? 'recreate' : 'migrate',
    purpose: helps === 'faster' ? 'faster' : 'throttle-nothing',
    inPlace,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      method,
      throttledMinutesBefore: demand.throttledMinutes,
      throttledMinutesAfter: isUnknown ? null : method === 'simulated' ? minutes : likelyMinutes,
      ...(method === 'estimated' ? { throttledMinutesAfterAtMost: minutes } : {}),
      ...ofForecast(tried),
      ...{ limitBefore: limit, limitAfter: limitOfLayout(layout, limit) },
    },
    monthlyUsdDelta: priceUnknownReason === null ? roundUsd(monthlyUsd - currentUsd(current)) : null,
    priceUnknownReason,
    ...sizingOf(tried, outcome),
    risks: risksOf(tried, outcome),
    steps: stepsOfPlan(lines),
  };
}

/** Where averages bound nothing: the way, and what its first step costs. A guess is nothing to run. */
function stepsRecommendation(tried: Tried, outcome: Outcome): Recommendation {
  const { layout, monthlyUsd } = outcome;
  const { current, now, demand, limit } = tried;
  const priceUnknownReason = tried.priceUnknown(layout.volumeType);
  return {
    ...way('modify', 'raise-in-steps'),
    inPlace: layout.members === 1,
    change: { of: 'volume', from: now, to: layout },
    effect: {
      ...{ method: 'unknown', throttledMinutesBefore: demand.throttledMinutes, throttledMinutesAfter: null },
      ...{ limitBefore: limit, limitAfter: limitOfLayout(layout, limit) },
    },
    monthlyUsdDelta: priceUnknownReason === null ? roundUsd(monthlyUsd - currentUsd(current)) : null,
    priceUnknownReason,
    ...sizingOf(tried, outcome),
    risks: risksOf(tried, outcome),
  };
}

const notRecommendedOf = (
  { demand }: Tried,
  { layout, minutes, likelyMinutes }: Outcome,
): NotRecommended => ({
  layout,
  throttledMinutesNow: demand.throttledMinutes,
  throttledMinutes: minutes,
  throttledMinutesIfLikely: likelyMinutes,
});

/**
 * Would it be much faster, though throttled as long? Then its instance is the limit after it, and not today.
 * @param byIops asks for room in IOPS alone, false in MiB/s alone.
 */
function isAfterIt({ current, demand }: Tried, byIops?: boolean): boolean {
  const { instance } = demand;
  const best = bestOf(current);
  const room = 1 + fixedThresholds.openHeadroom;
  if (instance === null) return false;
  const [hasIops, hasMiBps] = [
    instance.iops >= room * best.iops,
    instance.throughputMiBps >= room * best.throughputMiBps,
  ];
  return (byIops === false || hasIops) && (byIops === true || hasMiBps);
}

/** The instance, where one of the volumes that were tried would help on an instance that is no limit. */
function nothingHelps(tried: Tried, useless: readonly Outcome[]): Recommendation {
  const { demand } = tried;
  const { instance, throttledMinutes } = demand;
  const alike = { line: 'likely', withoutInstance: true } as const;
  const [would] = useless
    .map((one) => ({ ...one, alone: demand.throttledMinutesWith(one.layout, alike) }))
    .filter(({ alone, likelyMinutes }) => alone < likelyMinutes && alone < throttledMinutes)
    .sort((a, b) => a.alone - b.alone || a.layout.members - b.layout.members || a.monthlyUsd - b.monthlyUsd);
  const effect = { ...unknownEffect, throttledMinutesBefore: throttledMinutes };
  if (instance === null || would === undefined) return { ...way('investigate', 'spread-the-load'), effect };
  return {
    ...way('investigate', isAfterIt(tried) ? 'instance-after' : 'instance-first'),
    effect,
    risks: [limitedBy(instance, would)],
  };
}

const limitedBy = (
  instance: NonNullable<Demand['instance']>,
  { layout, likelyMinutes, alone }: Outcome & { alone: number },
): Risk => ({
  ...{ code: 'limited-by-instance', ...instance, layout },
  ...{ throttledMinutes: likelyMinutes, throttledMinutesWithoutIt: alone },
});

// Configurations that would throttle a load for fewer minutes: sized for its demand, tried by replay, on its
// instance as it is. What does not help is not recommended.

export interface Options {
  /** What helps, the best first; where nothing does, what is the limit instead. */
  recommendations: Recommendation[];
  /** What was tried and does not help. */
  notRecommended: NotRecommended[];
}

const maxOptions = 3;

const isAlone = ({ layout }: Outcome): boolean => layout.members === 1;

/** Of what it wants at most, where that is sure to help; else of what is likely. */
const expected = ({ minutes, likelyMinutes, helps }: Outcome): number =>
  helps === 'surely' ? minutes : likelyMinutes;

/** Fewest minutes first; then in place before a migration, as durable before less so, and by price. */
const bestFirst =
  ({ config: { volumeType } }: Current) =>
  (a: Outcome, b: Outcome): number => {
    const isLess = ({ layout }: Outcome): number => Number(!isAsDurable(layout.volumeType, volumeType));
    return (
      expected(a) - expected(b) ||
      a.layout.members - b.layout.members ||
      isLess(a) - isLess(b) ||
      a.monthlyUsd - b.monthlyUsd
    );
  };

/** Another one is in place, as durable as this one or as today, throttles for no longer and costs no more. */
const isBeaten = (one: Outcome, others: readonly Outcome[], { config: { volumeType } }: Current): boolean =>
  others.some(
    (other) =>
      other !== one &&
      isAlone(other) &&
      (isAsDurable(other.layout.volumeType, volumeType) ||
        isAsDurable(other.layout.volumeType, one.layout.volumeType)) &&
      expected(other) <= expected(one) &&
      (other.monthlyUsd < one.monthlyUsd ||
        (other.monthlyUsd === one.monthlyUsd && others.indexOf(other) < others.indexOf(one))),
  );

/** A stripe takes a migration with downtime: told where in place it does not get as far, or costs as much more. */
function isWorthMoving(striped: Outcome, alone: readonly Outcome[], { current, thresholds }: Tried): boolean {
  const [best] = alone.toSorted(bestFirst(current));
  if (best === undefined || expected(striped) < expected(best)) return true;
  const saved = best.monthlyUsd - striped.monthlyUsd;
  return saved >= thresholds.cheaperStripeUsd && saved >= thresholds.cheaperStripeShare * best.monthlyUsd;
}

/** Fewer minutes than were measured, and than a replay of the same load shows of today. */
function helpsBeside(
  { demand, now }: Tried,
  line: 'high' | 'likely',
): (layout: Layout, minutes: number) => boolean {
  const today = demand.throttledMinutesWith(now, { line });
  // What credits throttled, or small I/O on HDD, a replay of today can miss; without a bucket it is not there.
  const isBlind = today < fixedThresholds.replayExplainsShare * demand.throttledMinutes;
  return ({ volumeType }, minutes) =>
    minutes < demand.throttledMinutes && (minutes < today || (isBlind && !isHdd(volumeType)));
}

function outcomesOf(tried: Tried, candidates: readonly Cheaper[]): Outcome[] {
  const { demand } = tried;
  const [surely, likely] = [helpsBeside(tried, 'high'), helpsBeside(tried, 'likely')];
  return candidates.map((one) => {
    const minutes = demand.throttledMinutesWith(one.layout);
    const likelyMinutes = demand.throttledMinutesWith(one.layout, { line: 'likely' });
    const isLikely = likely(one.layout, likelyMinutes);
    const helps = surely(one.layout, minutes) ? 'surely' : isLikely ? 'likely' : 'not';
    return { ...one, minutes, likelyMinutes, helps };
  });
}

const layoutsOf = (outcomes: readonly Outcome[]): Layout[] => outcomes.map(({ layout }) => layout);

/**
 * Sized for the demand at most, as far as the instance can do it; where none of these is sure to help, for what is
 * likely too; and where none helps at all, beyond the instance: whether it is the limit.
 */
function triedOutcomes(tried: Tried): Outcome[] {
  const { most, likely } = tried.demand;
  const outcomes = outcomesOf(tried, candidatesFor(tried, most));
  if (outcomes.some(({ helps }) => helps === 'surely')) return outcomes;
  outcomes.push(...outcomesOf(tried, candidatesFor(tried, likely, layoutsOf(outcomes))));
  if (outcomes.some(({ helps }) => helps === 'likely')) return outcomes;
  const unlimited = { ...tried, demand: { ...tried.demand, instance: null } };
  return [...outcomes, ...outcomesOf(tried, candidatesFor(unlimited, likely, layoutsOf(outcomes)))];
}

function kept(helpful: readonly Outcome[], tried: Tried): Outcome[] {
  const { current } = tried;
  const alone = helpful.filter(isAlone);
  return helpful
    .filter((one) => isAlone(one) || isWorthMoving(one, alone, tried))
    .filter((one, _, all) => !isBeaten(one, all, current))
    .sort(bestFirst(current))
    .slice(0, maxOptions);
}

/**
 * What is sized by where at most and at least are too far apart, or nothing bounds the demand; null where neither is so.
 * Of what is coming that is no question.
 */
function doubtOf({ draft: { kind, evidence } }: RecommendationInput, { isComing }: Demand): Tried['doubt'] {
  const spans = [
    { atLeast: evidence['demandIopsAtLeast'], atMost: evidence['demandIopsAtMost'] },
    { atLeast: evidence['demandMiBpsAtLeast'], atMost: evidence['demandMiBpsAtMost'] },
  ];
  const isWide = spans.some(
    ({ atLeast, atMost }) =>
      typeof atLeast === 'number' &&
      !(typeof atMost === 'number' && atMost >= atLeast && atMost <= narrowDemand * atLeast),
  );
  if (isComing || !isWide) return null;
  return kind.startsWith('credits-') ? 'twice-served-or-burst' : 'twice-served';
}

/**
 * Faster in what binds, where the volume is the limit and its instance has room: a backlog that grows whatever is there
 * makes any of them look useless.
 */
function fasterOnes(
  { draft: { kind } }: RecommendationInput,
  tried: Tried,
  useless: readonly Outcome[],
): Outcome[] {
  const { now, demand } = tried;
  const byIops = kind === 'throttled-volume-iops';
  if ((!byIops && kind !== 'throttled-volume-throughput') || !isAfterIt(tried, byIops)) return [];
  const { instance } = demand;
  return useless.flatMap((one) => {
    const { iops, throughputMiBps } = one.layout;
    const isFaster = byIops ? iops > now.iops : throughputMiBps > now.throughputMiBps;
    const isNoLess = byIops ? throughputMiBps >= now.throughputMiBps : iops >= now.iops;
    const isWithin =
      instance !== null && iops <= instance.iops && throughputMiBps <= instance.throughputMiBps;
    return isAlone(one) && isFaster && isNoLess && isWithin ? [{ ...one, helps: 'faster' as const }] : [];
  });
}

function recommendationOf(
  tried: Tried,
  helpful: readonly Outcome[],
  useless: readonly Outcome[],
): Recommendation[] {
  const [best] = helpful;
  if (best === undefined) return [nothingHelps(tried, useless)];
  return isOpen(tried.demand)
    ? [stepsRecommendation(tried, best)]
    : helpful.map((one) => optionRecommendation(tried, one));
}

/** What helps against what throttled a load, or will. */
export function throttledOptions(
  input: RecommendationInput,
  demand: Demand,
  thresholds: Thresholds,
): Options {
  const { prices, config, limits, volume, freeAttachments } = input;
  const current: Current = { config, limits, prices: rankingPrices(prices) };
  const now = layoutNow(limits);
  const tried: Tried = {
    ...{ volume, freeAttachments, current, now, demand, limit: input.draft.limit, thresholds },
    doubt: doubtOf(input, demand),
    priceUnknown: (to) => volumePriceUnknown(input, to),
  };
  const outcomes = triedOutcomes(tried);
  const sure = outcomes.filter(({ helps }) => helps === 'surely');
  const likely = outcomes.filter(({ helps }) => helps === 'likely');
  const faster =
    sure.length + likely.length > 0
      ? []
      : fasterOnes(
          input,
          tried,
          outcomes.filter(({ helps }) => helps === 'not'),
        );
  const helpful = [sure, likely, faster].find(({ length }) => length > 0) ?? [];
  const useless = outcomes.filter(
    ({ helps, layout }) => helps === 'not' && !faster.some((one) => one.layout === layout),
  );
  return {
    recommendations: recommendationOf(tried, kept(helpful, tried), useless),
    notRecommended: useless.map((one) => notRecommendedOf(tried, one)),
  };
}
