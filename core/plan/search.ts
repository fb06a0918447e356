/**
 * The search: every type x kind x number of members, each with its cheapest legal members and its cheapest instance.
 * Nothing is skipped, so the cheapest of them is the cheapest there is.
 */
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Deployment, VolumeType } from '../limits/volume-limits.ts';
import {
  type EbsPrices,
  ebsPriceUnknown,
  exactMonthlyUsd,
  type MonthlyUsd,
  type PriceBook,
} from '../prices/prices.ts';
import { annualFailureRate, cheapestMember, type OutOfReach } from './cheapest-member.ts';
import {
  firstThatCarries,
  type InstanceAsked,
  instancesAllowed,
  type PricedInstance,
} from './instance-choice.ts';
import {
  instanceNeed,
  type Layout,
  memberNeed,
  minHddIoKiB,
  minMembers,
  type Need,
  type PlannedKind,
  provisioned,
  type Rates,
  type Shape,
} from './layout.ts';

export interface Constraints {
  types: readonly VolumeType[];
  kinds: readonly PlannedKind[];
  maxMembers: number;
  deployment: Deployment;
  maxAnnualFailureRate: number;
  stripeEfficiency: number;
  chunkKiB: number;
  /** Null: no instance is part of the plan. */
  instance: InstanceAsked | null;
}

export interface Candidate {
  shape: Shape;
  layout: Layout;
  annualFailureRate: number;
  /** Of all members, by part; null where the type has no price in the Region. */
  volumesUsd: MonthlyUsd | null;
  /** What passes through the instance. */
  instanceRates: Rates;
  instance: PricedInstance | null;
  /** What options are ranked by: USD a month where known, of the instance too. */
  rank: number;
}

export type InfeasibleReason =
  | OutOfReach
  | { limit: 'failure-rate'; asked: number; atMost: number }
  | { limit: 'instance' }
  | { limit: 'hdd-access' }
  | { limit: 'no-promise' };

export interface Refusal {
  shape: Shape;
  obstacle: InfeasibleReason;
}

const isHddUse = ({ access, ioSizeKiB }: Need): boolean =>
  access === 'sequential' && ioSizeKiB >= minHddIoKiB;

/** Numbers of members that a kind can have. */
function memberCounts(kind: PlannedKind, maxMembers: number): number[] {
  const [first, step] = [minMembers[kind], kind === 'raid10' ? 2 : 1];
  const last = kind === 'single' ? Math.min(1, maxMembers) : maxMembers;
  const counts: number[] = [];
  for (let members = first; members <= last; members += step) counts.push(members);
  return counts;
}

const times = (usd: MonthlyUsd, members: number): MonthlyUsd => ({
  storage: usd.storage * members,
  iops: usd.iops * members,
  throughput: usd.throughput * members,
  total: usd.total * members,
});

/** Prices that options are ranked by: of the Region, and of types that have none there those of another. */
export interface Ranking {
  ebs: EbsPrices;
  instances: PriceBook;
}

/** What can be bought, and by which prices it is ranked; the same for every search of a plan. */
export interface Offers {
  regionCatalog: RegionCatalog;
  ranking: Ranking;
  /** The cheapest first; null: no instance is part of the plan. */
  allowed: readonly PricedInstance[] | null;
}

export const offersOf = (
  regionCatalog: RegionCatalog,
  ranking: Ranking,
  { instance }: Constraints,
): Offers => ({
  regionCatalog,
  ranking,
  allowed: instance === null ? null : instancesAllowed(regionCatalog, ranking.instances, instance),
});

interface Searching extends Offers {
  need: Need;
  constraints: Constraints;
}

export function pricesOf(
  layout: Layout,
  instance: PricedInstance | null,
  deployment: Deployment,
  { regionCatalog: { prices }, ranking }: Offers,
): Pick<Candidate, 'volumesUsd' | 'rank'> {
  const usd = times(exactMonthlyUsd(provisioned(layout, deployment), ranking.ebs), layout.members);
  return {
    volumesUsd: ebsPriceUnknown(prices.ebs, prices.region, [layout.volumeType]) === null ? usd : null,
    rank: usd.total + (instance?.rank ?? 0),
  };
}

/** @param minSizeGiB of a member: what is there already cannot shrink. */
function tryShape(shape: Shape, searching: Searching, minSizeGiB = 0): Candidate | Refusal {
  const { need, constraints, allowed } = searching;
  const { kind, members, volumeType } = shape;
  const refuse = (obstacle: InfeasibleReason): Refusal => ({ shape, obstacle });
  if (volumeType === 'standard') return refuse({ limit: 'no-promise' });
  if ((volumeType === 'st1' || volumeType === 'sc1') && !isHddUse(need))
    return refuse({ limit: 'hdd-access' });
  const each = memberNeed(need, shape);
  const sizeGiB = Math.max(each.sizeGiB, minSizeGiB);
  const found = cheapestMember(volumeType, { ...each, sizeGiB }, constraints.deployment);
  if ('outOfReach' in found) return refuse(found.outOfReach);
  const failureRate = annualFailureRate(kind, members, volumeType);
  if (failureRate > constraints.maxAnnualFailureRate)
    return refuse({ limit: 'failure-rate', asked: constraints.maxAnnualFailureRate, atMost: failureRate });
  const instanceRates = instanceNeed(need, shape);
  const instance = allowed === null ? null : firstThatCarries(allowed, instanceRates, members);
  if (instance === undefined) return refuse({ limit: 'instance' });
  const layout: Layout = { kind, members, volumeType, ...found.member };
  return {
    ...{ shape, layout, annualFailureRate: failureRate, instanceRates, instance },
    ...pricesOf(layout, instance, constraints.deployment, searching),
  };
}

/** Sums of the same parts differ by their last digits. */
export const sameUsd = 1e-6;

/** Cheapest first; then fewer members, then the lower failure rate. */
export const cheapestFirst = (a: Candidate, b: Candidate): number =>
  (Math.abs(a.rank - b.rank) > sameUsd ? a.rank - b.rank : 0) ||
  a.layout.members - b.layout.members ||
  a.annualFailureRate - b.annualFailureRate;

export interface Found {
  /** Cheapest first, one for each type, kind and number of members that is legal. */
  candidates: Candidate[];
  refusals: Refusal[];
}

export function search(need: Need, constraints: Constraints, offers: Offers): Found {
  const { chunkKiB, stripeEfficiency } = constraints;
  const searching = { need, constraints, ...offers };
  const found: Found = { candidates: [], refusals: [] };
  for (const volumeType of constraints.types) {
    for (const kind of constraints.kinds) {
      for (const members of memberCounts(kind, constraints.maxMembers)) {
        const tried = tryShape({ kind, members, volumeType, chunkKiB, stripeEfficiency }, searching);
        if ('obstacle' in tried) found.refusals.push(tried);
        else found.candidates.push(tried);
      }
    }
  }
  found.candidates.sort(cheapestFirst);
  return found;
}

/** What could stand where a layout stands: as many members of the same kind, none smaller. Cheapest first. */
export function searchInPlace(
  need: Need,
  constraints: Constraints,
  offers: Offers,
  { kind, members, sizeGiB }: Layout,
): Candidate[] {
  const { chunkKiB, stripeEfficiency } = constraints;
  const searching = { need, constraints, ...offers };
  return constraints.types
    .map((volumeType) =>
      tryShape({ kind, members, volumeType, chunkKiB, stripeEfficiency }, searching, sizeGiB),
    )
    .filter((tried): tried is Candidate => !('obstacle' in tried))
    .sort(cheapestFirst);
}

/** Where nothing is cheaper at a failure rate as low. */
export function front(candidates: readonly Candidate[]): Candidate[] {
  let lowest = Number.POSITIVE_INFINITY;
  return candidates.filter(({ annualFailureRate: rate }) => {
    const better = rate < lowest;
    lowest = Math.min(lowest, rate);
    return better;
  });
}

/**
 * What is shown: the front of price against failure rate, the cheapest single volume, and the next cheapest up to
 * `top`. Cheapest first.
 */
export function shown(candidates: readonly Candidate[], top: number): Candidate[] {
  const single = candidates.find(({ layout }) => layout.kind === 'single');
  const always = new Set([...front(candidates), ...(single === undefined ? [] : [single])]);
  for (const candidate of candidates) if (always.size < top) always.add(candidate);
  return candidates.filter((candidate) => always.has(candidate));
}
