/** What volumes and instance can become, each alone and both, that is enough for a need; and what is not, that one would think of. */
import { familyOf, type InstanceType, withEbsWeighting } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { volumeLimits } from '../limits/volume-limits.ts';
import { disruptions, type PlanChoice } from '../schemas/plan-choices.ts';
import { annualFailureRate, volumeFailureRate } from './cheapest-member.ts';
import { deliveredOf, isEnoughFor } from './delivered.ts';
import { firstThatCarries, isNoLess, type PricedInstance, priced, shortfallOf } from './instance-choice.ts';
import {
  dataMembers,
  instanceNeed,
  type Layout,
  type Need,
  type PlannedKind,
  provisioned,
} from './layout.ts';
import { type Candidate, type Constraints, type Offers, pricesOf, search, searchInPlace } from './search.ts';
import type { Current } from './step-commands.ts';
import { routeTo } from './steps.ts';

export type Disruption = PlanChoice['disruption'];
type Change = Pick<PlanChoice, 'volumeChange' | 'instanceChange'>;

/** A candidate whose instance is known, and what changes for it. */
export interface Way extends Change {
  candidate: Candidate & { instance: PricedInstance };
  isEnough: boolean;
}

export interface Choosing {
  need: Need;
  constraints: Constraints;
  regionCatalog: RegionCatalog;
  ranking: Offers['ranking'];
  current: Current;
  today: InstanceType;
}

const worse = (a: Disruption, b: Disruption): Disruption =>
  disruptions.indexOf(a) > disruptions.indexOf(b) ? a : b;

export function disruptionOf({ volumeChange, instanceChange }: Change): Disruption {
  const ofVolumes = ({ unchanged: 'none', 'in-place': 'online', stripe: 'migration' } as const)[volumeChange];
  return worse(ofVolumes, instanceChange === 'unchanged' ? 'none' : 'restart');
}

export interface InstanceGroup {
  instanceChange: PlanChoice['instanceChange'];
  allowed: PricedInstance[];
}

/** What the instance may be: as it is, with another weighting, of its family, of any. */
export function instanceGroups({ regionCatalog, ranking, today }: Choosing): InstanceGroup[] {
  const { instanceTypes, prices } = regionCatalog;
  const of = (types: readonly InstanceType[]) => priced(types, prices, ranking.instances);
  const others = instanceTypes.types.filter((type) => type !== today && isNoLess(type, today));
  const family = familyOf(today.instanceType);
  return [
    { instanceChange: 'unchanged', allowed: of([today]) },
    ...(today.bandwidthWeightings.includes('ebs-1')
      ? [{ instanceChange: 'bandwidth-weighting' as const, allowed: of([withEbsWeighting(today)]) }]
      : []),
    {
      instanceChange: 'type',
      allowed: of(others.filter(({ instanceType }) => familyOf(instanceType) === family)),
    },
    { instanceChange: 'type', allowed: of(others) },
  ];
}

const hasInstance = (candidate: Candidate): candidate is Way['candidate'] => candidate.instance !== null;

/** The layout of today, or one that is known to be legal, on an instance that may or may not carry it. */
export function candidateOf(layout: Layout, instance: PricedInstance, choosing: Choosing): Way['candidate'] {
  const { need, constraints } = choosing;
  const { chunkKiB, stripeEfficiency, deployment } = constraints;
  const { kind, members, volumeType } = layout;
  const shape = { kind, members, volumeType, chunkKiB, stripeEfficiency };
  const offers: Offers = { ...choosing, allowed: null };
  return {
    ...{ shape, layout, instance, instanceRates: instanceNeed(need, shape) },
    annualFailureRate: annualFailureRate(kind, members, volumeType),
    ...pricesOf(layout, instance, deployment, offers),
  };
}

/** Today's layout with what it has all the time. */
export function todaysLayout({ current: { layout }, constraints: { deployment } }: Choosing): Layout {
  const { baselineIops, baselineMiBps } = volumeLimits(provisioned(layout, deployment));
  return { ...layout, iops: baselineIops, throughputMiBps: baselineMiBps };
}

export function isEnough(candidate: Candidate, { need }: Choosing): boolean {
  const { layout } = candidate;
  return (
    layout.volumeType !== 'standard' &&
    isEnoughFor(need, deliveredOf(need, candidate)) &&
    layout.sizeGiB * dataMembers(layout) >= need.capacityGiB
  );
}

const redundantKind = ({ kind }: Layout): PlannedKind[] =>
  kind === 'raid10' || kind === 'raid5' ? [kind] : [];

/** Of volumes that fail more often, or without the second copy that the other has. */
export const isLessDurable = (layout: Layout, than: Layout): boolean =>
  volumeFailureRate(layout.volumeType) > volumeFailureRate(than.volumeType) ||
  (redundantKind(than).length > 0 && redundantKind(layout).length === 0);

/** The cheapest, and the cheapest of volumes that are as durable as today's. */
function cheapestOf(found: readonly Candidate[], { current }: Choosing): Candidate[] {
  const durable = found.find(({ layout }) => !isLessDurable(layout, current.layout));
  return [...new Set([found[0], durable])].filter((one) => one !== undefined);
}

/** Today's volumes changed where they stand. */
function inPlace(choosing: Choosing, allowed: readonly PricedInstance[] | null): Candidate[] {
  const { need, constraints, current, regionCatalog } = choosing;
  const options = { ...constraints, region: regionCatalog.region };
  const found = searchInPlace(need, constraints, { ...choosing, allowed }, current.layout).filter(
    ({ layout }) => routeTo(layout, current, options).route === 'modify',
  );
  return cheapestOf(found, choosing);
}

/** Several new volumes, the data moved; none where they stand already. A RAID may stay one. */
function stripes(choosing: Choosing, allowed: readonly PricedInstance[] | null): Candidate[] {
  const { need, constraints, current, regionCatalog } = choosing;
  const kinds = [...new Set([...constraints.kinds, ...redundantKind(current.layout)])].filter(
    (kind) => kind !== 'single',
  );
  const options = { ...constraints, region: regionCatalog.region };
  const { candidates } = search(need, { ...constraints, kinds }, { ...choosing, allowed });
  const moved = candidates.filter(({ layout }) => !routeTo(layout, current, options).inPlace);
  return cheapestOf(moved, choosing);
}

/**
 * What is enough, by each change of the volumes with each of the instance. Another instance only where today's does not
 * carry those volumes: else it would be a question of price, and none of I/O.
 */
export function enoughWays(choosing: Choosing, groups: readonly InstanceGroup[]): Way[] {
  const { today } = choosing;
  const layout = todaysLayout(choosing);
  const isLimit = ({ instanceRates, layout: { members } }: Candidate): boolean =>
    shortfallOf(today, instanceRates, members) !== null;
  return groups.flatMap(({ instanceChange, allowed }): Way[] => {
    const same = allowed
      .map((instance) => candidateOf(layout, instance, choosing))
      .find(
        (one) =>
          shortfallOf(one.instance.type, one.instanceRates, layout.members) === null &&
          isEnough(one, choosing),
      );
    const found: [Way['volumeChange'], Candidate][] = [
      ...(same === undefined ? [] : [['unchanged', same] as [Way['volumeChange'], Candidate]]),
      ...inPlace(choosing, allowed).map((one): [Way['volumeChange'], Candidate] => ['in-place', one]),
      ...stripes(choosing, allowed).map((one): [Way['volumeChange'], Candidate] => ['stripe', one]),
    ];
    return found.flatMap(([volumeChange, candidate]) =>
      hasInstance(candidate) && (instanceChange === 'unchanged' || isLimit(candidate))
        ? [{ volumeChange, instanceChange, candidate, isEnough: true }]
        : [],
    );
  });
}

const isOneChange = ({ volumeChange, instanceChange }: Change): boolean =>
  volumeChange === 'unchanged' || instanceChange === 'unchanged';

export const rankOfDisruption = (way: Way): number => disruptions.indexOf(disruptionOf(way));

/** No worse in anything, and better in something. */
function isBetter(a: Way, b: Way): boolean {
  const pairs = [
    [a.candidate.rank, b.candidate.rank],
    [rankOfDisruption(a), rankOfDisruption(b)],
    [a.candidate.annualFailureRate, b.candidate.annualFailureRate],
  ] as const;
  return pairs.every(([x, y]) => x <= y) && pairs.some(([x, y]) => x < y);
}

const keyOf = ({ candidate: { layout, instance }, instanceChange }: Way): string =>
  JSON.stringify([layout, instance.type.instanceType, instanceChange]);

/**
 * Each once. One change is always shown, and so is the volume in place with the instance of today's family; another of both
 * only where none is better in everything.
 */
export function shownOf(ways: readonly Way[], { today, current }: Choosing): Way[] {
  const family = familyOf(today.instanceType);
  const isUsual = ({ volumeChange, candidate }: Way): boolean =>
    volumeChange === 'in-place' &&
    familyOf(candidate.instance.type.instanceType) === family &&
    !isLessDurable(candidate.layout, current.layout);
  const once = [...new Map(ways.map((way) => [keyOf(way), way])).values()];
  return once.filter(
    (way) => isOneChange(way) || isUsual(way) || !once.some((other) => isBetter(other, way)),
  );
}

/** What one would think of and what is not enough: the volumes alone, or the instance alone. */
export function shortWays(
  choosing: Choosing,
  groups: readonly InstanceGroup[],
  enough: readonly Way[],
): Way[] {
  const [standing] = groups[0]?.allowed ?? [];
  if (standing === undefined) return [];
  const short = (change: Change, layout: Layout, instance: PricedInstance): Way => ({
    ...change,
    candidate: candidateOf(layout, instance, choosing),
    isEnough: false,
  });
  const [volume] = enough.some(({ instanceChange }) => instanceChange === 'unchanged')
    ? []
    : [
        ...inPlace(choosing, null).map(({ layout }) => ({ volumeChange: 'in-place' as const, layout })),
        ...stripes(choosing, null).map(({ layout }) => ({ volumeChange: 'stripe' as const, layout })),
      ];
  const layout = todaysLayout(choosing);
  const { instanceRates } = candidateOf(layout, standing, choosing);
  const isInstanceOfUse =
    shortfallOf(standing.type, instanceRates, layout.members) !== null &&
    !enough.some(({ volumeChange }) => volumeChange === 'unchanged');
  const larger = groups
    .slice(1)
    .map(({ instanceChange, allowed }) => ({
      instanceChange,
      instance: firstThatCarries(allowed, instanceRates, layout.members),
    }))
    .find(({ instance }) => isInstanceOfUse && instance !== undefined);
  return [
    ...(volume === undefined
      ? []
      : [short({ volumeChange: volume.volumeChange, instanceChange: 'unchanged' }, volume.layout, standing)]),
    ...(larger?.instance === undefined
      ? []
      : [short({ ...larger, volumeChange: 'unchanged' }, layout, larger.instance)]),
  ];
}
