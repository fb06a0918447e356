/**
 * Configurations that would throttle a load for fewer minutes: sized for its demand, tried by replay, on its
 * instance as it is. What does not help is not recommended.
 */
import { narrowDemand } from '../../demand/demand.ts';
import { fixedThresholds, type Thresholds } from '../../diagnosis/thresholds.ts';
import { isHdd } from '../../limits/volume-types.ts';
import type { Layout } from '../../plan/layout.ts';
import { builtInPrices, builtInRegions, type EbsPrices } from '../../prices/price-book.ts';
import type { Recommendation } from '../../schemas/finding.ts';
import type { NotRecommended } from '../../schemas/recommendation.ts';
import { isAsDurable } from '../caveats.ts';
import { layoutNow } from '../layout-now.ts';
import { type RecommendationInput, volumePriceUnknown } from '../recommendation-input.ts';
import type { Cheaper, Current } from '../savings/candidates.ts';
import { candidatesFor, type Tried } from './candidates.ts';
import { type Demand, isOpen } from './demand.ts';
import {
  isAfterIt,
  nothingHelps,
  notRecommendedOf,
  type Outcome,
  optionRecommendation,
  stepsRecommendation,
} from './recommendations.ts';

export interface Options {
  /** What helps, the best first; where nothing does, what is the limit instead. */
  recommendations: Recommendation[];
  /** What was tried and does not help. */
  notRecommended: NotRecommended[];
}

const mostOptions = 3;

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
    .slice(0, mostOptions);
}

/** Where a Region has no prices, those that come with stripewise rank the options: the relations are much the same. */
function rankingPrices(): EbsPrices {
  const { ebs } = builtInPrices(builtInRegions[0] as string);
  if (ebs === null) throw new Error('no EBS prices come with stripewise');
  return ebs;
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
  const current: Current = { config, limits, prices: prices.known ? prices.value : rankingPrices() };
  const now = layoutNow(limits);
  const tried: Tried = {
    ...{ volume, freeAttachments, current, now, demand, limit: input.draft.limit, thresholds },
    doubt: doubtOf(input, demand),
    priceUnknown: volumePriceUnknown(input),
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
