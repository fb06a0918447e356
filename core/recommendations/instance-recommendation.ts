/** Recommendation on an instance that throttled its volumes: the cheapest type with room, where types and prices are known. */
import {
  type EbsFigures,
  ebsFiguresOf,
  familyOf,
  type InstanceType,
  weightedFigures,
} from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { attachedCount, type Instance, type Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { isNoLess } from '../plan/instance-choice.ts';
import type { Rates } from '../plan/layout.ts';
import { roundUsd } from '../prices/prices.ts';
import type { FindingKind } from '../schemas/finding.ts';
import type { Limit, PriceUnknown, Recommendation, Risk, Step } from '../schemas/recommendation.ts';
import { instancesTarget, instanceTarget, percentOf, run, unknownEffect, way } from './recommendation.ts';
import type { NeedOf } from './savings.ts';

// The cheapest instance type that carries a need and is otherwise no less than today's.

export interface InstanceNeed {
  /** Do these figures carry the load? Asked of the cheaper types first, until one does. */
  isCarriedBy: (figures: EbsFigures) => boolean;
  /** To attach. */
  volumes: number;
}

/** All the time, without credits. */
export const baselineOf =
  (iops: number, mibps: number): InstanceNeed['isCarriedBy'] =>
  ({ baselineIops, baselineMiBps }) =>
    baselineIops >= iops && baselineMiBps >= mibps;

export interface LargerInstance {
  type: InstanceType;
  monthlyUsd: number;
}

export interface LargerInstances {
  cheapest: LargerInstance;
  /** Of today's family; null where there is none, or where it is the cheapest itself. */
  ofFamily: LargerInstance | null;
  /** The cheapest of today's family that has more than today, where that is cheaper still and not enough. */
  nextOfFamily: LargerInstance | null;
  todayMonthlyUsd: Known<number, PriceUnknown>;
}

const carries = ({ ebs, attachments }: InstanceType, { isCarriedBy, volumes }: InstanceNeed): boolean =>
  ebs !== null && (attachments === null || attachments.most >= volumes) && isCarriedBy(ebs);

const hasMore = ({ ebs }: InstanceType, today: InstanceType): boolean =>
  ebs !== null &&
  today.ebs !== null &&
  ebs.baselineIops >= today.ebs.baselineIops &&
  ebs.baselineMiBps >= today.ebs.baselineMiBps &&
  (ebs.baselineIops > today.ebs.baselineIops || ebs.baselineMiBps > today.ebs.baselineMiBps);

/** Those with a price, the cheapest first. */
const byPrice = (types: readonly InstanceType[], prices: RegionCatalog['prices']): LargerInstance[] =>
  types
    .flatMap((type) => {
      const usd = prices.instanceMonthlyUsd(type.instanceType);
      return usd.known ? [{ type, monthlyUsd: usd.value }] : [];
    })
    .sort((a, b) => a.monthlyUsd - b.monthlyUsd || a.type.instanceType.localeCompare(b.type.instanceType));

/**
 * Same architecture, vCPUs, memory and instance store at least today's, of today's family or of one that EC2 calls
 * current, and never towards shared CPU or other hardware. Bandwidth weighting is `default`.
 */
export function largerInstances(
  today: InstanceType,
  need: InstanceNeed,
  { instanceTypes, prices, region }: RegionCatalog,
): Known<LargerInstances, PriceUnknown> {
  const noLess = instanceTypes.types.filter((type) => isNoLess(type, today));
  const priced = byPrice(noLess, prices);
  const fits = ({ type }: LargerInstance): boolean => carries(type, need);
  const cheapest = priced.find(fits);
  if (cheapest === undefined) {
    const unpriced = noLess.find((type) => carries(type, need));
    if (unpriced === undefined) return unknown({ code: 'no-type-is-enough' });
    return unknown({ code: 'no-instance-price', instanceType: unpriced.instanceType, region });
  }
  const ofToday = priced.filter(({ type }) => familyOf(type.instanceType) === familyOf(today.instanceType));
  const ofFamily = ofToday.find(fits) ?? null;
  const next = ofToday.find(
    (one) => one.monthlyUsd < cheapest.monthlyUsd && hasMore(one.type, today) && !fits(one),
  );
  const { instanceType } = today;
  const usdToday = prices.instanceMonthlyUsd(instanceType);
  return known({
    cheapest,
    ofFamily: ofFamily === cheapest ? null : ofFamily,
    nextOfFamily: next ?? null,
    todayMonthlyUsd: usdToday.known ? usdToday : unknown({ code: 'no-instance-price', instanceType, region }),
  });
}

/** Another type in the place of today's, with the price of it; the difference where today's price is known. */
export const instanceChange = (
  from: string | null,
  { type, monthlyUsd }: LargerInstance,
  { todayMonthlyUsd }: LargerInstances,
): Pick<Recommendation, 'change' | 'monthlyUsdDelta' | 'priceUnknownReason'> => ({
  change: { of: 'instance', from, to: type.instanceType, monthlyUsd: roundUsd(monthlyUsd) },
  monthlyUsdDelta: todayMonthlyUsd.known ? roundUsd(monthlyUsd - todayMonthlyUsd.value) : null,
  priceUnknownReason: todayMonthlyUsd.known ? null : todayMonthlyUsd.reason,
});

export interface InstanceToRecommendFor {
  instance: Instance;
  /** Attached to it. */
  volumes: readonly Volume[];
  regionCatalog: RegionCatalog;
  needOf: NeedOf;
  /** What its volumes demanded of it together; null where that is not known of each of them. */
  demand: InstanceDemand | null;
  thresholds: Thresholds;
}

/** A load of all volumes of an instance, none more than it can do itself. */
export interface InstanceLoadDemand {
  /** At the busiest. */
  rates: Rates;
  /** Minutes in which it would be throttled with other figures of the instance, by replay. */
  throttledMinutesWith: (figures: EbsFigures) => number;
}

/** What the volumes of an instance demanded together. */
export interface InstanceDemand {
  /** At most, and with headroom above what is likely. */
  most: InstanceLoadDemand;
  /** What is likely, with headroom. */
  likely: InstanceLoadDemand;
  /** Minutes of the window in which the instance throttled them. */
  throttledMinutes: number;
}

/** A throttled rate shows the limit and not the need: a quarter more is the least that is worth a move. */
const room = 1.25;

/** A load to replay; what is likely promises nothing. */
interface Replayable {
  load: InstanceLoadDemand;
  isLikely: boolean;
}

type Sizing = Pick<Recommendation, 'sizedBy' | 'headroomPercent' | 'sizedFor'>;

/** What the next type must be. */
interface Sought extends Sizing {
  isCarriedBy: InstanceNeed['isCarriedBy'];
  /** What the size rests on. */
  risks: Risk[];
}

/** What the volumes' loads need, as if all peaked at once; null where the load of one shows nothing. */
function sumOfNeeds({ instance, volumes, needOf }: InstanceToRecommendFor): Rates | null {
  if (instance.excludedVolumes !== undefined) return null;
  const needs = volumes.map(({ volumeId }) => needOf(volumeId)?.rates ?? null);
  return needs.reduce<Rates | null>(
    (sum, need) =>
      sum === null || need === null
        ? null
        : { iops: sum.iops + need.iops, throughputMiBps: sum.throughputMiBps + need.throughputMiBps },
    { iops: 0, throughputMiBps: 0 },
  );
}

const notWhole: Risk = { code: 'not-the-whole-need' };

/** Credits are spent above the baseline: what the volumes need at their busiest, and no more than today's maximum. */
function insteadOfCredits(to: InstanceToRecommendFor, figures: EbsFigures): Sought {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const asToday = (code: 'volume-needs-unknown' | 'load-not-explained'): Sought => ({
    isCarriedBy: baselineOf(maximumIops, maximumMiBps),
    ...{ sizedBy: 'current-maximum', headroomPercent: null },
    sizedFor: { iops: maximumIops, throughputMiBps: maximumMiBps },
    risks: [{ code }, notWhole],
  });
  const needs = sumOfNeeds(to);
  if (needs === null) return asToday('volume-needs-unknown');
  const iops = Math.max(baselineIops, Math.min(maximumIops, needs.iops));
  const throughputMiBps = Math.max(baselineMiBps, Math.min(maximumMiBps, needs.throughputMiBps));
  if (iops === baselineIops && throughputMiBps === baselineMiBps) return asToday('load-not-explained');
  return {
    isCarriedBy: baselineOf(iops, throughputMiBps),
    ...{ sizedBy: 'headroom', headroomPercent: percentOf(to.thresholds.savingHeadroom) },
    sizedFor: { iops, throughputMiBps },
    risks: [notWhole],
  };
}

/**
 * A load whose replay explains, with today's type, what was measured: else it says nothing of another type either. At most
 * first, then what is likely.
 */
function explained({ demand }: InstanceToRecommendFor, figures: EbsFigures): Replayable[] {
  if (demand === null) return [];
  const { most, likely, throttledMinutes } = demand;
  const explains = ({ load }: Replayable): boolean =>
    load.throttledMinutesWith(figures) >= fixedThresholds.replayExplainsShare * throttledMinutes;
  const loads: Replayable[] = [
    { load: most, isLikely: false },
    { load: likely, isLikely: true },
  ];
  return loads.filter(explains);
}

/** Nothing throttled in the simulation: bursts count where their credits suffice. */
function byReplay(
  { load: { rates, throttledMinutesWith }, isLikely }: Replayable,
  { savingHeadroom }: Thresholds,
): Sought {
  return {
    isCarriedBy: (figures) => {
      const { baselineIops, baselineMiBps, maximumIops, maximumMiBps } = figures;
      if (baselineIops >= rates.iops && baselineMiBps >= rates.throughputMiBps) return true;
      if (maximumIops < rates.iops || maximumMiBps < rates.throughputMiBps) return false;
      return throttledMinutesWith(figures) === 0;
    },
    sizedBy: isLikely ? 'headroom' : 'demand',
    headroomPercent: isLikely ? percentOf(savingHeadroom) : null,
    sizedFor: rates,
    risks: isLikely ? [{ code: 'not-for-the-highest-demand' }] : [],
  };
}

/** All the time a share more than today's maximum of one figure. */
const moreThanTheLimit = (iops: number, throughputMiBps: number): Sought => ({
  isCarriedBy: baselineOf(iops, throughputMiBps),
  ...{ sizedBy: 'limit-headroom', headroomPercent: percentOf(room - 1) },
  sizedFor: { iops, throughputMiBps },
  risks: [notWhole],
});

/** By what was exceeded; what was not exceeded must not become less. */
function soughtOf(
  kind: FindingKind,
  to: InstanceToRecommendFor,
  figures: EbsFigures,
  replayable: Replayable | null,
): Sought {
  if (replayable !== null) return byReplay(replayable, to.thresholds);
  const { baselineIops, baselineMiBps, maximumIops, maximumMiBps } = figures;
  if (kind === 'throttled-instance-iops') return moreThanTheLimit(room * maximumIops, baselineMiBps);
  if (kind === 'throttled-instance-throughput') return moreThanTheLimit(baselineIops, room * maximumMiBps);
  return insteadOfCredits(to, figures);
}

export const changeTypeSteps = (instance: Instance, instanceType: string): Step[] => [
  { code: 'check-instance-type', instanceType },
  run(`aws ec2 stop-instances ${instancesTarget(instance)}`),
  run(`aws ec2 modify-instance-attribute ${instanceTarget(instance)} --instance-type Value=${instanceType}`),
  run(`aws ec2 start-instances ${instancesTarget(instance)}`),
];

interface Larger extends LargerInstances {
  sizing: Sizing;
  /** What the size rests on. */
  risks: Risk[];
  /** By which it was found; null where none explains what was measured. */
  replayable: Replayable | null;
}

function largerFor(
  kind: FindingKind,
  to: InstanceToRecommendFor,
  { type, figures }: { type: InstanceType; figures: EbsFigures },
  replayable: Replayable | null,
): Known<Larger, PriceUnknown> {
  const { isCarriedBy, risks, ...sizing } = soughtOf(kind, to, figures, replayable);
  const volumes = attachedCount(to.instance, to.volumes);
  const found = largerInstances(type, { isCarriedBy, volumes }, to.regionCatalog);
  if (!found.known) return found;
  // A cheaper step that is not enough is of use where credits are to be saved, not where a simulation shows the need.
  const isNextTypeNamed = kind === 'instance-credits-exhausted' && replayable === null;
  const nextOfFamily = isNextTypeNamed ? found.value.nextOfFamily : null;
  return known({ ...found.value, nextOfFamily, sizing, risks, replayable });
}

function larger(kind: FindingKind, to: InstanceToRecommendFor): Known<Larger, PriceUnknown> {
  const { instance, regionCatalog } = to;
  const { instanceType, bandwidthWeighting } = instance;
  const type: InstanceType | undefined =
    instanceType === null ? undefined : regionCatalog.instanceTypes.get(instanceType);
  if (type === undefined)
    return unknown({ code: 'unknown-instance-type', instanceType, region: regionCatalog.region });
  const known = ebsFiguresOf(type);
  if (!known.known) return unknown({ code: 'no-ebs-limits', instanceType: type.instanceType });
  const { figures } = weightedFigures(known.value, type.instanceType, bandwidthWeighting);
  const [first = null, ...others] = explained(to, figures);
  const found = largerFor(kind, to, { type, figures }, first);
  if (found.known) return found;
  return others.map((one) => largerFor(kind, to, { type, figures }, one)).find((one) => one.known) ?? found;
}

/** The weighting takes from EBS what it gives to the network. */
const weightingBack = (instance: Instance, limit: Limit | null): Recommendation => ({
  ...way('set-bandwidth-weighting', 'throttle-nothing', [
    run(
      `aws ec2 modify-instance-network-performance-options ${instanceTarget(instance)} --bandwidth-weighting default`,
    ),
  ]),
  effect: { ...unknownEffect, limitBefore: limit },
  monthlyUsdDelta: 0,
});

/** In the unit of the limit that throttles it today. */
function limitOfType({ ebs }: InstanceType, before: Limit | null): Limit | null {
  if (before === null || ebs === null) return null;
  const value = before.unit === 'IOPS' ? ebs.baselineIops : ebs.baselineMiBps;
  return { what: 'baseline', value, unit: before.unit, scope: 'instance' };
}

/** A type in the place of today's. */
function resizeTo(
  { instance, demand }: InstanceToRecommendFor,
  larger: LargerInstance,
  found: LargerInstances,
  limit: Limit | null,
): Recommendation {
  const { type } = larger;
  return {
    ...way('resize-instance', 'throttle-nothing', changeTypeSteps(instance, type.instanceType)),
    ...instanceChange(instance.instanceType, larger, found),
    effect: {
      ...{ method: 'estimated', throttledMinutesBefore: demand?.throttledMinutes ?? null },
      ...{ throttledMinutesAfter: null, limitBefore: limit, limitAfter: limitOfType(type, limit) },
    },
    risks: [{ code: 'downtime' }],
  };
}

/** AWS does not document how burst credits come back. */
const refillHours = 24;

function isSteady({ ebs }: InstanceType, { load: { rates } }: Replayable): boolean {
  return ebs !== null && ebs.baselineIops >= rates.iops && ebs.baselineMiBps >= rates.throughputMiBps;
}

/** One that carries it, with what is promised of it. */
function enough(
  to: InstanceToRecommendFor,
  larger: LargerInstance,
  found: Larger,
  limit: Limit | null,
): Recommendation {
  const { replayable, sizing, risks } = found;
  const one = resizeTo(to, larger, found, limit);
  const { ebs } = larger.type;
  const isPromised = replayable !== null && !replayable.isLikely && ebs !== null;
  const isOnCredits = replayable !== null && !isSteady(larger.type, replayable);
  return {
    ...one,
    ...sizing,
    effect: isPromised
      ? {
          ...{ ...one.effect, method: 'simulated' },
          throttledMinutesAfter: replayable.load.throttledMinutesWith(ebs),
        }
      : one.effect,
    risks: [
      ...one.risks,
      ...(isOnCredits ? [{ code: 'on-instance-credits' as const, refillHours }] : []),
      ...risks,
    ],
  };
}

/** A cheaper step towards it. */
function step(
  to: InstanceToRecommendFor,
  larger: LargerInstance,
  found: Larger,
  limit: Limit | null,
): Recommendation {
  const one = resizeTo(to, larger, found, limit);
  return { ...one, risks: [...one.risks, { code: 'not-enough' }] };
}

/** The cheapest that carries it, the cheapest of today's family that does, and a cheaper step towards it. */
function resizes(to: InstanceToRecommendFor, found: Larger, limit: Limit | null): Recommendation[] {
  const { cheapest, ofFamily, nextOfFamily } = found;
  return [
    enough(to, cheapest, found, limit),
    ...(ofFamily === null ? [] : [enough(to, ofFamily, found, limit)]),
    ...(nextOfFamily === null ? [] : [step(to, nextOfFamily, found, limit)]),
  ];
}

/** A larger one, or fewer busy volumes on this one; which type it is to be is not known. */
const someLarger = (
  { demand }: InstanceToRecommendFor,
  limit: Limit | null,
  reason: PriceUnknown,
): Recommendation => ({
  ...way('resize-instance', 'throttle-nothing'),
  effect: {
    ...unknownEffect,
    ...{ throttledMinutesBefore: demand?.throttledMinutes ?? null, limitBefore: limit },
  },
  priceUnknownReason: reason,
  risks: [{ code: 'downtime' }],
});

export function instanceRecommendation(
  kind: FindingKind,
  to: InstanceToRecommendFor,
  limit: Limit | null,
): Recommendation[] {
  const { instance } = to;
  const found = larger(kind, to);
  const isWeighted = instance.bandwidthWeighting === 'vpc-1' && kind === 'throttled-instance-throughput';
  return [
    ...(isWeighted ? [weightingBack(instance, limit)] : []),
    ...(found.known ? resizes(to, found.value, limit) : [someLarger(to, limit, found.reason)]),
  ];
}
