/**
 * Configurations that would hold a load back for fewer minutes: sized for what it wanted, tried by replay, on its
 * instance as it is. What does not help is not advised.
 */
import { narrowDemand } from '../../demand/demand.ts';
import { fixedThresholds, type Thresholds } from '../../diagnosis/thresholds.ts';
import { figure } from '../../figures.ts';
import { isHdd } from '../../limits/volume-types.ts';
import type { Layout } from '../../plan/layout.ts';
import { builtInPrices, builtInRegions, type EbsPrices } from '../../prices/price-book.ts';
import type { Recommendation } from '../../schemas/finding.ts';
import { type AdviceInput, outpostIsBilled } from '../advice-input.ts';
import { isAsDurable } from '../caveats.ts';
import { layoutNow } from '../layout-now.ts';
import type { Cheaper, Present } from '../savings/candidates.ts';
import { candidatesFor, type Tried } from './candidates.ts';
import {
  isAfterIt,
  nothingHelps,
  type Outcome,
  optionAdvice,
  ratesText,
  stepsAdvice,
  uselessText,
} from './texts.ts';
import { isOpen, type Wanted } from './wanted.ts';

export interface Options {
  /** What helps, the best first; where nothing does, what is the limit instead. */
  recommendations: Recommendation[];
  /** What was tried and does not help, in words. */
  notAdvised: string[];
}

const mostOptions = 3;

const isAlone = ({ layout }: Outcome): boolean => layout.members === 1;

/** Of what it wants at most, where that is sure to help; else of what is likely. */
const expected = ({ minutes, likelyMinutes, helps }: Outcome): number =>
  helps === 'surely' ? minutes : likelyMinutes;

/** Fewest minutes first; then in place before a migration, as durable before less so, and by price. */
const bestFirst =
  ({ config: { volumeType } }: Present) =>
  (a: Outcome, b: Outcome): number => {
    const isLess = ({ layout }: Outcome): number => Number(!isAsDurable(layout.volumeType, volumeType));
    return (
      expected(a) - expected(b) ||
      a.layout.members - b.layout.members ||
      isLess(a) - isLess(b) ||
      a.monthlyUsd - b.monthlyUsd
    );
  };

/** Another one is in place, as durable as this one or as today, holds back for no longer and costs no more. */
const isBeaten = (one: Outcome, others: readonly Outcome[], { config: { volumeType } }: Present): boolean =>
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
function isWorthMoving(striped: Outcome, alone: readonly Outcome[], { present, thresholds }: Tried): boolean {
  const [best] = alone.toSorted(bestFirst(present));
  if (best === undefined || expected(striped) < expected(best)) return true;
  const saved = best.monthlyUsd - striped.monthlyUsd;
  return saved >= thresholds.cheaperStripeUsd && saved >= thresholds.cheaperStripeShare * best.monthlyUsd;
}

/** Fewer minutes than were measured, and than a replay of the same load shows of today. */
function helpsBeside(
  { wanted, now }: Tried,
  line: 'high' | 'likely',
): (layout: Layout, minutes: number) => boolean {
  const today = wanted.heldBackMinutesWith(now, { line });
  // What credits held back, or small I/O on HDD, a replay of today can miss; without a bucket it is not there.
  const isBlind = today < fixedThresholds.replayExplainsShare * wanted.heldBackMinutes;
  return ({ volumeType }, minutes) =>
    minutes < wanted.heldBackMinutes && (minutes < today || (isBlind && !isHdd(volumeType)));
}

function outcomesOf(tried: Tried, candidates: readonly Cheaper[]): Outcome[] {
  const { wanted } = tried;
  const [surely, likely] = [helpsBeside(tried, 'high'), helpsBeside(tried, 'likely')];
  return candidates.map((one) => {
    const minutes = wanted.heldBackMinutesWith(one.layout);
    const likelyMinutes = wanted.heldBackMinutesWith(one.layout, { line: 'likely' });
    const isLikely = likely(one.layout, likelyMinutes);
    const helps = surely(one.layout, minutes) ? 'surely' : isLikely ? 'likely' : 'not';
    return { ...one, minutes, likelyMinutes, helps };
  });
}

const layoutsOf = (outcomes: readonly Outcome[]): Layout[] => outcomes.map(({ layout }) => layout);

/**
 * Sized for what was wanted at most, as far as the instance can do it; where none of these is sure to help, for what is
 * likely too; and where none helps at all, beyond the instance: whether it is the limit.
 */
function triedOutcomes(tried: Tried): Outcome[] {
  const { most, likely } = tried.wanted;
  const outcomes = outcomesOf(tried, candidatesFor(tried, most));
  if (outcomes.some(({ helps }) => helps === 'surely')) return outcomes;
  outcomes.push(...outcomesOf(tried, candidatesFor(tried, likely, layoutsOf(outcomes))));
  if (outcomes.some(({ helps }) => helps === 'likely')) return outcomes;
  const unlimited = { ...tried, wanted: { ...tried.wanted, instance: null } };
  return [...outcomes, ...outcomesOf(tried, candidatesFor(unlimited, likely, layoutsOf(outcomes)))];
}

function kept(helpful: readonly Outcome[], tried: Tried): Outcome[] {
  const { present } = tried;
  const alone = helpful.filter(isAlone);
  return helpful
    .filter((one) => isAlone(one) || isWorthMoving(one, alone, tried))
    .filter((one, _, all) => !isBeaten(one, all, present))
    .sort(bestFirst(present))
    .slice(0, mostOptions);
}

/** Where a Region has no prices, those that come with stripewise rank the options: the relations are much the same. */
function rankingPrices(): EbsPrices {
  const { ebs } = builtInPrices(builtInRegions[0] as string);
  if (ebs === null) throw new Error('no EBS prices come with stripewise');
  return ebs;
}

/** An Outpost is billed by its rack. */
function unpricedBecause({ prices, config: { deployment } }: AdviceInput): string | null {
  if (deployment === 'outposts') return outpostIsBilled;
  return prices.known ? null : prices.because.code;
}

/**
 * What is said where at most and at least are too far apart, or nothing bounds what was wanted; null where neither is so. Of
 * what is coming that is no question.
 */
function doubtOf({ draft: { kind, evidence } }: AdviceInput, { isComing, most }: Wanted): string | null {
  const spans = [
    { unit: 'IOPS', atLeast: evidence['wantedIopsAtLeast'], atMost: evidence['wantedIopsAtMost'] },
    { unit: 'MiB/s', atLeast: evidence['wantedMiBpsAtLeast'], atMost: evidence['wantedMiBpsAtMost'] },
  ];
  const wide = spans.find(
    ({ atLeast, atMost }) =>
      typeof atLeast === 'number' &&
      !(typeof atMost === 'number' && atMost >= atLeast && atMost <= narrowDemand * atLeast),
  );
  if (isComing || wide === undefined) return null;
  const { unit, atLeast, atMost } = wide;
  const wanted =
    typeof atMost === 'number' && atMost >= Number(atLeast)
      ? `it wanted at most ${figure(atMost, 0)} ${unit}`
      : 'nothing shows how much it wanted at most';
  const served = kind.startsWith('credits-')
    ? 'twice what was served, or all that it does with its credits'
    : 'no more than twice what was served';
  return `${wanted}; sized for ${ratesText(most.rates)}, ${served}: look again after the change.`;
}

/**
 * Faster in what binds, where the volume is the limit and its instance has room: a backlog that grows whatever is there
 * makes any of them look useless.
 */
function fasterOnes({ draft: { kind } }: AdviceInput, tried: Tried, useless: readonly Outcome[]): Outcome[] {
  const { now, wanted } = tried;
  const byIops = kind === 'throttled-volume-iops';
  if ((!byIops && kind !== 'throttled-volume-throughput') || !isAfterIt(tried, byIops)) return [];
  const { instance } = wanted;
  return useless.flatMap((one) => {
    const { iops, throughputMiBps } = one.layout;
    const isFaster = byIops ? iops > now.iops : throughputMiBps > now.throughputMiBps;
    const isNoLess = byIops ? throughputMiBps >= now.throughputMiBps : iops >= now.iops;
    const isWithin =
      instance !== null && iops <= instance.iops && throughputMiBps <= instance.throughputMiBps;
    return isAlone(one) && isFaster && isNoLess && isWithin ? [{ ...one, helps: 'faster' as const }] : [];
  });
}

function adviceOf(tried: Tried, helpful: readonly Outcome[], useless: readonly Outcome[]): Recommendation[] {
  const [best] = helpful;
  if (best === undefined) return [nothingHelps(tried, useless)];
  return isOpen(tried.wanted) ? [stepsAdvice(tried, best)] : helpful.map((one) => optionAdvice(tried, one));
}

/** What helps against what held a load back, or will. */
export function heldBackOptions(input: AdviceInput, wanted: Wanted, thresholds: Thresholds): Options {
  const { prices, config, limits, volume, freeAttachments } = input;
  const present: Present = { config, limits, prices: prices.known ? prices.value : rankingPrices() };
  const now = layoutNow(limits);
  const tried: Tried = {
    ...{ volume, freeAttachments, present, now, wanted, limit: input.draft.limit, thresholds },
    doubt: doubtOf(input, wanted),
    unpricedBecause: unpricedBecause(input),
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
    recommendations: adviceOf(tried, kept(helpful, tried), useless),
    notAdvised: useless.map((one) => uselessText(tried, one)),
  };
}
