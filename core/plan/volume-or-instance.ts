/**
 * More IOPS, or a bigger instance? What the volumes can become, what the instance can become, and both, against one need:
 * side by side, with what each delivers, costs and interrupts.
 */
import { ebsFiguresOf, familyOf } from '../catalog/instance-types.ts';
import { knownType, type RegionCatalog } from '../catalog/region-catalog.ts';
import type { VolumeType } from '../limits/volume-limits.ts';
import { roundUsd } from '../prices/prices.ts';
import type { ChoiceCaution, ChoiceWhy, Chosen, PlanChoice, RuledOut } from '../schemas/plan-choices.ts';
import { annualFailureRate } from './cheapest-member.ts';
import { isTotalKnown, type Order, orderOf, savingOf } from './choice-order.ts';
import {
  type Choosing,
  candidateOf,
  disruptionOf,
  enoughWays,
  type InstanceGroup,
  instanceGroups,
  isEnough,
  isLessDurable,
  rankOfDisruption,
  shortWays,
  shownOf,
  todaysLayout,
  type Way,
} from './choice-search.ts';
import { currentOf } from './compare.ts';
import { deliveredOf, notified } from './delivered.ts';
import { firstThatCarries, type PricedInstance, shortfallOf, spreadOverCards } from './instance-choice.ts';
import type { Need, Rates } from './layout.ts';
import { monthlyUsdOf } from './options.ts';
import { offeredTypes, type PlanRequest, priceNotes, rankingOf } from './plan.ts';
import type { Candidate, Constraints } from './search.ts';
import type { Current } from './step-commands.ts';
import { routeTo } from './steps.ts';

export interface ChoicesRequest
  extends Omit<PlanRequest, 'top' | 'current' | 'keepsCurrent' | 'isCapacityAsked'> {
  current: Current;
  currentInstance: string;
  /** What was asked for; of the others at least what today has is needed. */
  isAsked: { iops: boolean; throughputMiBps: boolean; capacityGiB: boolean };
}

/** Of what nothing was said, at least what stands today has, through its instance. */
function neededFor(request: ChoicesRequest, constraints: Constraints, regionCatalog: RegionCatalog): Need {
  const { need, isAsked, current } = request;
  const has = currentOf(current.layout, { need, constraints, regionCatalog });
  const atLeast = (isGiven: boolean, asked: number, today: number): number =>
    isGiven ? asked : Math.max(asked, today);
  return {
    ...need,
    iops: atLeast(isAsked.iops, need.iops, has.deliveredIops),
    throughputMiBps: atLeast(isAsked.throughputMiBps, need.throughputMiBps, has.deliveredMiBps),
    capacityGiB: atLeast(isAsked.capacityGiB, need.capacityGiB, has.capacityGiB),
  };
}

// A choice as the answer shows it.

interface Explained extends Choosing, Order {}

/** Null where a price is not known: another Region's rank options, and are no figure of this one. */
const usdMore = (way: Way, than: Way): number | null =>
  isTotalKnown(way) && isTotalKnown(than) ? roundUsd(way.candidate.rank - than.candidate.rank) : null;

function whyFirst(way: Way, { ways, simplest, cheapest, current }: Explained): ChoiceWhy {
  if (disruptionOf(way) === 'none') return { code: 'nothing-to-change' };
  if (ways.filter((one) => one.isEnough).length === 1) return { code: 'only-enough' };
  const saved = simplest === undefined ? null : savingOf(way, simplest);
  if (simplest !== undefined && saved !== null)
    return {
      code: 'saves',
      number: ways.indexOf(simplest) + 1,
      monthlyUsdLess: roundUsd(saved.usd),
      share: saved.share,
    };
  const less = cheapest === undefined || cheapest === way ? null : usdMore(way, cheapest);
  return {
    code: 'least-disruptive',
    cheaper:
      cheapest === undefined || less === null || less <= 0
        ? null
        : {
            number: ways.indexOf(cheapest) + 1,
            monthlyUsdLess: less,
            disruption: disruptionOf(cheapest),
            isLessDurable: isLessDurable(cheapest.candidate.layout, current.layout),
          },
  };
}

function whyOf(way: Way, limits: PlanChoice['bindingLimits'], of: Explained): ChoiceWhy {
  const { first } = of;
  if (!way.isEnough) return { code: 'not-enough', limits };
  if (first === undefined || way === first) return whyFirst(way, of);
  return {
    code: 'against-first',
    monthlyUsdMore: usdMore(way, first),
    isMoreDisruptive: rankOfDisruption(way) > rankOfDisruption(first),
    isLessDurable: isLessDurable(way.candidate.layout, first.candidate.layout),
  };
}

function cautionsOf(way: Way, { today, current }: Explained): ChoiceCaution[] {
  const { candidate, instanceChange } = way;
  const { layout, instance, instanceRates } = candidate;
  const { instanceType } = instance.type;
  const had = annualFailureRate(current.layout.kind, current.layout.members, current.layout.volumeType);
  const volumes = spreadOverCards(instance.type, instanceRates, layout.members);
  const has = (is: boolean, caution: ChoiceCaution): ChoiceCaution[] => (is ? [caution] : []);
  return [
    ...has(candidate.annualFailureRate > had, {
      code: 'loses-data-more-often',
      annualFailureRate: candidate.annualFailureRate,
      currentAnnualFailureRate: had,
    }),
    ...has(instanceChange === 'bandwidth-weighting', { code: 'network-bandwidth', instanceType }),
    ...has(instanceChange !== 'unchanged' && today.instanceStore !== null, {
      code: 'instance-store-lost',
      instanceType: today.instanceType,
    }),
    ...has(!today.nitro && instance.type.nitro, { code: 'nitro-drivers', instanceType }),
    ...has(way.isEnough && volumes.filter((count) => count > 0).length > 1, { code: 'ebs-cards', volumes }),
  ];
}

/** @param todayUsd of volumes and instance; null where it is not known. */
function choiceOf(way: Way, todayUsd: number | null, of: Explained): PlanChoice {
  const { need, current, constraints, regionCatalog, today } = of;
  const { candidate, volumeChange, instanceChange } = way;
  const delivered = deliveredOf(need, candidate);
  const { iops, throughputMiBps } = notified(delivered);
  const { instanceType } = candidate.instance.type;
  const monthlyUsd = monthlyUsdOf(candidate);
  const { total } = monthlyUsd;
  const marks = (['cheapest', 'simplest', 'safest'] as const).filter((mark) => of[mark] === way);
  return {
    ...{ volumeChange, instanceChange, layout: candidate.layout, instanceType },
    isOfTodaysFamily: familyOf(instanceType) === familyOf(today.instanceType),
    ...{ deliveredIops: iops, deliveredMiBps: throughputMiBps, isEnough: way.isEnough },
    bindingLimits: delivered.bindingLimits,
    annualFailureRate: candidate.annualFailureRate,
    monthlyUsd,
    monthlyUsdDelta: total === null || todayUsd === null ? null : roundUsd(total - todayUsd),
    disruption: disruptionOf(way),
    marks,
    why: whyOf(way, delivered.bindingLimits, of),
    cautions: cautionsOf(way, of),
    route: routeTo(candidate.layout, volumeChange === 'unchanged' ? candidateStands(of) : current, {
      ...constraints,
      region: regionCatalog.region,
    }).reason,
  };
}

// What stands, and what cannot be.

/** Today with the figures that it has all the time: the way from it to itself is none. */
const candidateStands = (choosing: Choosing): Current => ({
  ...choosing.current,
  layout: todaysLayout(choosing),
});

function ruledOutOf(choosing: Choosing, shown: readonly Way[], groups: readonly InstanceGroup[]): RuledOut[] {
  const { need, today, current } = choosing;
  const { instanceType } = today;
  if (!ebsFiguresOf(today).known) return [{ code: 'instance-limits-unknown', instanceType }];
  const [
    {
      allowed: [standing],
    } = { allowed: [] },
  ] = groups;
  if (standing === undefined) return [];
  const same = candidateOf(todaysLayout(choosing), standing, choosing);
  const { members } = current.layout;
  const isTodayEnough = isEnough(same, choosing);
  const carries = shortfallOf(today, same.instanceRates, members) === null;
  const family = groups[groups.length - 2];
  const isOfFamily = family?.allowed.some(
    ({ type }) => shortfallOf(type, same.instanceRates, members) === null,
  );
  const isOther = groups
    .slice(1)
    .some(({ allowed }) => firstThatCarries(allowed, same.instanceRates, members) !== undefined);
  const has = (is: boolean, one: RuledOut): RuledOut[] => (is ? [one] : []);
  const { iops, throughputMiBps } = need;
  return [
    ...has(
      !isTodayEnough &&
        !shown.some(({ volumeChange }) => volumeChange === 'in-place') &&
        !isEnoughAlone(same, choosing),
      {
        ...{ code: 'volumes-in-place', iops, throughputMiBps },
      },
    ),
    ...has(!isTodayEnough && carries, { code: 'instance-is-not-the-limit', instanceType }),
    ...has(!carries && isOther && isOfFamily === false, {
      code: 'none-of-family',
      family: familyOf(instanceType),
    }),
    ...has(!carries && !isOther, { code: 'no-instance-carries', ...same.instanceRates }),
  ];
}

/** By the volumes alone. */
const isEnoughAlone = (candidate: Candidate, choosing: Choosing): boolean =>
  isEnough({ ...candidate, instance: null }, choosing);

/** What the instance has for a while, where it would do and its baseline would not. */
function burstOf({ type }: PricedInstance, rates: Rates): Chosen['current']['burst'] {
  const figures = ebsFiguresOf(type);
  if (!figures.known) return null;
  const { baselineIops, baselineMiBps, maximumIops, maximumMiBps } = figures.value;
  const isWithin = (iops: number, mibps: number): boolean =>
    rates.iops <= iops && rates.throughputMiBps <= mibps;
  return isWithin(maximumIops, maximumMiBps) && !isWithin(baselineIops, baselineMiBps)
    ? { iops: maximumIops, throughputMiBps: maximumMiBps }
    : null;
}

/** Today's type too: what AWS sold before is a choice for whoever has it. */
const typesOf = (asked: PlanRequest['types'], { layout }: Current): VolumeType[] => [
  ...new Set([...(asked ?? offeredTypes), ...(asked === null ? [layout.volumeType] : [])]),
];

/**
 * @returns what a careful engineer would take first: the least disruptive that is enough, unless a more disruptive one
 * saves a fifth and 50 USD a month.
 * @throws BadInput where the instance type is not in the catalog.
 */
export function chooseVolumeOrInstance(request: ChoicesRequest, regionCatalog: RegionCatalog): Chosen {
  const { current, currentInstance, types } = request;
  const today = knownType(currentInstance, regionCatalog);
  const constraints: Constraints = {
    ...request.constraints,
    types: typesOf(types, current),
    instance: { instanceType: currentInstance },
  };
  const need = neededFor(request, constraints, regionCatalog);
  const ranking = rankingOf(regionCatalog);
  const choosing: Choosing = { need, constraints, regionCatalog, ranking, current, today };
  const groups = instanceGroups(choosing);
  const [standing] = groups[0]?.allowed ?? [];
  if (standing === undefined) throw new Error('the group of today has one instance');
  const enough = enoughWays(choosing, groups);
  const shown = [...shownOf(enough, choosing), ...shortWays(choosing, groups, enough)];
  const order = orderOf(shown, ({ candidate }) => isLessDurable(candidate.layout, current.layout));
  const explained: Explained = { ...choosing, ...order };
  const same = candidateOf(todaysLayout(choosing), standing, choosing);
  const answer = currentOf(current.layout, { need, constraints, regionCatalog });
  const instanceUsd = standing.monthlyUsd.known ? roundUsd(standing.monthlyUsd.value) : null;
  const totalMonthlyUsd =
    answer.monthlyUsd === null || instanceUsd === null ? null : roundUsd(answer.monthlyUsd + instanceUsd);
  return {
    need,
    region: regionCatalog.region,
    current: {
      ...{ ...answer, instanceType: currentInstance, totalMonthlyUsd },
      bindingLimits: deliveredOf(need, same).bindingLimits,
      burst: burstOf(standing, same.instanceRates),
    },
    choices: order.ways.map((way) => choiceOf(way, totalMonthlyUsd, explained)),
    ruledOut: ruledOutOf(choosing, shown, groups),
    notes: priceNotes(
      regionCatalog,
      new Set([current.layout.volumeType, ...order.ways.map(({ candidate }) => candidate.layout.volumeType)]),
    ),
  };
}
