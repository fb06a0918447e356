/** Recommendation on an instance that throttled its volumes: the cheapest type with room, where types and prices are known. */
import {
  type EbsFigures,
  ebsFiguresOf,
  familyOf,
  type InstanceType,
  weightedFigures,
  withEbsWeighting,
} from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { attachedCount, type Instance } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { isNoLess } from '../plan/instance-choice.ts';
import type { Rates } from '../plan/layout.ts';
import { roundUsd } from '../prices/prices.ts';
import type { FindingKind } from '../schemas/finding.ts';
import type { Limit, PriceUnknown, Recommendation, Risk, Step } from '../schemas/recommendation.ts';
import { networkLoss, setWeighting, weightingRecommendations } from './bandwidth-weighting.ts';
import {
  explained,
  type InstanceToRecommendFor,
  isServedBy,
  isSteadyWith,
  type Replayable,
  refillHours,
} from './instance-demand.ts';
import { moveRecommendation, type NewInstance, volumesOnNew } from './move-volume.ts';
import {
  instancesTarget,
  instanceTarget,
  percentOf,
  run,
  stopRisks,
  unknownEffect,
  way,
} from './recommendation.ts';

// The cheapest instance type that carries a need and is otherwise no less than today's.

export interface InstanceNeed {
  /** Do these figures carry the load? Asked of the cheaper types first, until one does. */
  isCarriedBy: (figures: EbsFigures) => boolean;
  /** To attach. */
  volumes: number;
  /** Types count with bandwidth weighting `ebs-1` too. @default false */
  mayBeWeighted?: boolean;
}

/** All the time, without credits. */
export const baselineOf =
  (iops: number, mibps: number): InstanceNeed['isCarriedBy'] =>
  ({ baselineIops, baselineMiBps }) =>
    baselineIops >= iops && baselineMiBps >= mibps;

export interface LargerInstance {
  /** Its figures as it is weighted. */
  type: InstanceType;
  /** `ebs-1` costs no more, and takes from the network. */
  weighting: 'default' | 'ebs-1';
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

/** Those with a price, the cheapest first; as they are before the same with another weighting. */
const byPrice = (
  types: readonly (Pick<LargerInstance, 'type' | 'weighting'> & object)[],
  prices: RegionCatalog['prices'],
): LargerInstance[] =>
  types
    .flatMap((one) => {
      const usd = prices.instanceMonthlyUsd(one.type.instanceType);
      return usd.known ? [{ ...one, monthlyUsd: usd.value }] : [];
    })
    .sort(
      (a, b) =>
        a.monthlyUsd - b.monthlyUsd ||
        a.weighting.localeCompare(b.weighting) ||
        a.type.instanceType.localeCompare(b.type.instanceType),
    );

const asWeighted = (types: readonly InstanceType[]): Pick<LargerInstance, 'type' | 'weighting'>[] =>
  types
    .filter(({ bandwidthWeightings }) => bandwidthWeightings.includes('ebs-1'))
    .map((type) => ({ type: withEbsWeighting(type), weighting: 'ebs-1' }));

/**
 * Same architecture, vCPUs, memory and instance store at least today's, of today's family or of one that EC2 calls
 * current, and never towards shared CPU or other hardware. Bandwidth weighting is `default`, and `ebs-1` too where that may be; of
 * today's type that is no other type.
 */
export function largerInstances(
  today: InstanceType,
  need: InstanceNeed,
  { instanceTypes, prices, region }: RegionCatalog,
): Known<LargerInstances, PriceUnknown> {
  const noLess = instanceTypes.types.filter((type) => isNoLess(type, today));
  const options: Pick<LargerInstance, 'type' | 'weighting'>[] = [
    ...noLess.map((type) => ({ type, weighting: 'default' as const })),
    ...(need.mayBeWeighted === true ? asWeighted(noLess.filter((type) => type !== today)) : []),
  ];
  const priced = byPrice(options, prices);
  const fits = ({ type }: LargerInstance): boolean => carries(type, need);
  const cheapest = priced.find(fits);
  if (cheapest === undefined) {
    const unpriced = options.find(({ type }) => carries(type, need));
    if (unpriced === undefined) return unknown({ code: 'no-type-is-enough' });
    return unknown({ code: 'no-instance-price', instanceType: unpriced.type.instanceType, region });
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
  { type, weighting, monthlyUsd }: LargerInstance,
  { todayMonthlyUsd }: LargerInstances,
): Pick<Recommendation, 'change' | 'monthlyUsdDelta' | 'priceUnknownReason'> => ({
  change: {
    ...{ of: 'instance', from, to: type.instanceType, monthlyUsd: roundUsd(monthlyUsd) },
    ...(weighting === 'ebs-1' ? { bandwidthWeighting: weighting } : {}),
  },
  monthlyUsdDelta: todayMonthlyUsd.known ? roundUsd(monthlyUsd - todayMonthlyUsd.value) : null,
  priceUnknownReason: todayMonthlyUsd.known ? null : todayMonthlyUsd.reason,
});

/** A throttled rate shows the limit and not the need: a quarter more is the least that is worth a move. */
const room = 1.25;

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

/** Nothing throttled in the simulation: bursts count where their credits suffice. */
function byReplay({ load, isLikely }: Replayable, { savingHeadroom }: Thresholds): Sought {
  const { rates } = load;
  return {
    isCarriedBy: (figures) => isServedBy(figures, load),
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

export const changeTypeSteps = (
  instance: Instance,
  instanceType: string,
  weighting: LargerInstance['weighting'] = 'default',
): Step[] => [
  { code: 'check-instance-type', instanceType },
  run(`aws ec2 stop-instances ${instancesTarget(instance)}`),
  // EC2 refuses the change of an instance that still stops.
  run(`aws ec2 wait instance-stopped ${instancesTarget(instance)}`),
  run(`aws ec2 modify-instance-attribute ${instanceTarget(instance)} --instance-type Value=${instanceType}`),
  ...(weighting === 'default' ? [] : [setWeighting(instance, weighting)]),
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
  const mayBeWeighted = replayable !== null;
  const found = largerInstances(type, { isCarriedBy, volumes, mayBeWeighted }, to.regionCatalog);
  if (!found.known) return found;
  // A cheaper step that is not enough is of use where credits are to be saved, not where a simulation shows the need.
  const isNextTypeNamed = kind === 'instance-credits-exhausted' && replayable === null;
  const nextOfFamily = isNextTypeNamed ? found.value.nextOfFamily : null;
  return known({ ...found.value, nextOfFamily, sizing, risks, replayable });
}

interface Today {
  type: InstanceType;
  figures: EbsFigures;
}

function todayOf({ instance, regionCatalog }: InstanceToRecommendFor): Known<Today, PriceUnknown> {
  const { instanceType, bandwidthWeighting } = instance;
  const type: InstanceType | undefined =
    instanceType === null ? undefined : regionCatalog.instanceTypes.get(instanceType);
  if (type === undefined)
    return unknown({ code: 'unknown-instance-type', instanceType, region: regionCatalog.region });
  const figures = ebsFiguresOf(type);
  if (!figures.known) return unknown({ code: 'no-ebs-limits', instanceType: type.instanceType });
  return known({
    type,
    figures: weightedFigures(figures.value, type.instanceType, bandwidthWeighting).figures,
  });
}

function larger(kind: FindingKind, to: InstanceToRecommendFor, today: Today): Known<Larger, PriceUnknown> {
  const [first = null, ...others] = explained(to, today.figures);
  const found = largerFor(kind, to, today, first);
  if (found.known) return found;
  return others.map((one) => largerFor(kind, to, today, one)).find((one) => one.known) ?? found;
}

/** In the unit of the limit that throttles it today. */
function limitOfType({ ebs }: InstanceType, before: Limit | null): Limit | null {
  if (before === null || ebs === null) return null;
  const value = before.unit === 'IOPS' ? ebs.baselineIops : ebs.baselineMiBps;
  return { what: 'baseline', value, unit: before.unit, scope: 'instance' };
}

/** @param type with its figures as it is weighted. */
function networkLossOf({ instanceType }: InstanceType, { instanceTypes }: RegionCatalog): Risk[] {
  const type = instanceTypes.get(instanceType);
  return type === undefined ? [] : networkLoss(type);
}

const stopRisksOf = ({ instanceType }: Instance, { instanceTypes }: RegionCatalog): Risk[] =>
  stopRisks(instanceType === null ? undefined : instanceTypes.get(instanceType));

/** A type in the place of today's. */
function resizeTo(
  { instance, demand, regionCatalog }: InstanceToRecommendFor,
  larger: LargerInstance,
  found: LargerInstances,
  limit: Limit | null,
): Recommendation {
  const { type, weighting } = larger;
  return {
    ...way('resize-instance', 'throttle-nothing', changeTypeSteps(instance, type.instanceType, weighting)),
    ...instanceChange(instance.instanceType, larger, found),
    effect: {
      ...{ method: 'estimated', throttledMinutesBefore: demand?.throttledMinutes ?? null },
      ...{ throttledMinutesAfter: null, limitBefore: limit, limitAfter: limitOfType(type, limit) },
    },
    risks: [
      ...stopRisksOf(instance, regionCatalog),
      ...(weighting === 'ebs-1' ? networkLossOf(type, regionCatalog) : []),
    ],
  };
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
  const isOnCredits = replayable !== null && ebs !== null && !isSteadyWith(ebs, replayable.load);
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
  { instance, demand, regionCatalog }: InstanceToRecommendFor,
  limit: Limit | null,
  reason: PriceUnknown,
): Recommendation => ({
  ...way('resize-instance', 'throttle-nothing'),
  effect: {
    ...unknownEffect,
    ...{ throttledMinutesBefore: demand?.throttledMinutes ?? null, limitBefore: limit },
  },
  priceUnknownReason: reason,
  risks: stopRisksOf(instance, regionCatalog),
});

/** The cheapest type for a load of its own, of any size: its application's need of CPU and memory is not known. */
const newInstanceFor =
  ({ regionCatalog }: InstanceToRecommendFor, { type }: Today) =>
  (isCarriedBy: InstanceNeed['isCarriedBy']): NewInstance | null => {
    const anySize: InstanceType = { ...type, vcpus: 1, memoryMiB: 1, instanceStore: null };
    const found = largerInstances(anySize, { isCarriedBy, volumes: volumesOnNew }, regionCatalog);
    return found.known ? found.value.cheapest : null;
  };

/**
 * The order of remedies; within a place the cheapest first, and of the same price the one that disturbs less: a weighting stops
 * the instance, a move takes an application along, another type is another machine.
 * 1. What ends the throttling in a simulation that explains what was measured.
 * 2. From vpc-1 back to what EBS has by default, or more: free, and what it does cannot be simulated.
 * 3. Another type that is sized without such a promise.
 * 4. A free weighting that only lessens the throttling.
 * 5. A cheaper type that is not enough.
 * 6. A type that nobody can name.
 */
const disturbance: readonly Recommendation['action'][] = [
  'set-bandwidth-weighting',
  'move-volume',
  'resize-instance',
];

function placeOf({ action, change, effect, risks }: Recommendation): number {
  if (effect.method === 'simulated' && effect.throttledMinutesAfter === 0) return 1;
  if (change === null) return 6;
  if (change.of === 'bandwidth-weighting') return change.from === 'vpc-1' ? 2 : 4;
  return action === 'resize-instance' && risks.some(({ code }) => code === 'not-enough') ? 5 : 3;
}

export const cheapestThatHelps = (a: Recommendation, b: Recommendation): number =>
  placeOf(a) - placeOf(b) ||
  (a.monthlyUsdDelta ?? Number.MAX_VALUE) - (b.monthlyUsdDelta ?? Number.MAX_VALUE) ||
  disturbance.indexOf(a.action) - disturbance.indexOf(b.action);

/** The cheapest that ends the throttling first. */
export function instanceRecommendation(
  kind: FindingKind,
  to: InstanceToRecommendFor,
  limit: Limit | null,
): Recommendation[] {
  const today = todayOf(to);
  const found = today.known ? larger(kind, to, today.value) : today;
  const type = today.known ? today.value.type : null;
  return [
    ...weightingRecommendations(kind, to, type, limit),
    ...(today.known ? moveRecommendation(to, today.value, limit, newInstanceFor(to, today.value)) : []),
    ...(found.known ? resizes(to, found.value, limit) : [someLarger(to, limit, found.reason)]),
  ].sort(cheapestThatHelps);
}
