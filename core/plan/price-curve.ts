/** What volumes cost by the IOPS that are asked, other needs as they are: one gp3, a stripe of gp3, one io2; and where they cross. */
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { gp3Figures } from '../limits/volume-limits.ts';
import { ebsPriceUnknown } from '../prices/prices.ts';
import type { PlanAsked } from './asked.ts';
import { needOf } from './layout.ts';
import { rankingOf } from './plan.ts';
import { type Constraints, offersOf, sameUsd, search } from './search.ts';

export const curveNames = ['one-gp3', 'stripe-of-gp3', 'one-io2'] as const;
export type CurveName = (typeof curveNames)[number];

/** Null: no such layout delivers it within the limits. */
export type CurvePoint = { iops: number; members: number | null } & Record<CurveName, number | null>;

/** From these IOPS on another one is the cheapest, or none is there any more. */
export interface Crossing {
  iops: number;
  /** The cheapest below. */
  from: CurveName;
  /** Null: none of them delivers it. */
  to: CurveName | null;
  /** What is paid from there on: of `to`, or at the end of `from`. */
  monthlyUsd: number;
}

export interface PriceCurve {
  points: CurvePoint[];
  /** The cheapest of the first point; null: none delivers it. */
  first: CurveName | null;
  crossings: Crossing[];
  /** By the prices of another Region, where those of this one are not known. */
  isPricedElsewhere: boolean;
}

/** What it depends on: not on the IOPS that are asked, and of MiB/s only on those that do not follow from them. */
export type CurveAsked = Pick<
  PlanAsked,
  | 'throughputMiBps'
  | 'capacityGiB'
  | 'ioSizeKiB'
  | 'access'
  | 'readShare'
  | 'maxMembers'
  | 'deployment'
  | 'maxAnnualFailureRate'
  | 'stripeEfficiency'
  | 'chunkKiB'
>;

export const curveRange = { fromIops: 100, toIops: 1_000_000 } as const;
/** Between two points so much more. */
const ratio = 1.03;

/** The price of each at so many IOPS. */
export function pricesAt(asked: CurveAsked, regionCatalog: RegionCatalog): (iops: number) => CurvePoint {
  const { capacityGiB, maxMembers, deployment, maxAnnualFailureRate, stripeEfficiency, chunkKiB } = asked;
  const limits = { maxMembers, deployment, maxAnnualFailureRate, stripeEfficiency, chunkKiB, instance: null };
  const of: Record<CurveName, Constraints> = {
    'one-gp3': { ...limits, types: ['gp3'], kinds: ['single'] },
    'stripe-of-gp3': { ...limits, types: ['gp3'], kinds: ['stripe'] },
    'one-io2': { ...limits, types: ['io2'], kinds: ['single'] },
  };
  const offers = offersOf(regionCatalog, rankingOf(regionCatalog), of['one-gp3']);
  return (iops) => {
    const need = needOf({ ...asked, iops, capacityGiB: capacityGiB ?? 1 });
    const cheapest = (name: CurveName) => search(need, of[name], offers).candidates[0];
    const stripe = cheapest('stripe-of-gp3');
    return {
      iops,
      members: stripe?.layout.members ?? null,
      'one-gp3': cheapest('one-gp3')?.rank ?? null,
      'stripe-of-gp3': stripe?.rank ?? null,
      'one-io2': cheapest('one-io2')?.rank ?? null,
    };
  };
}

/** At the same price one volume stands before several. */
const inOrder = ['one-gp3', 'one-io2', 'stripe-of-gp3'] as const satisfies readonly CurveName[];

export function cheapestAt(point: CurvePoint): CurveName | null {
  return inOrder.reduce<CurveName | null>((best, name) => {
    const [usd, least] = [point[name], best === null ? null : point[best]];
    if (usd === null) return best;
    return least === null || usd < least - sameUsd ? name : best;
  }, null);
}

/** Whole IOPS from the first to the last that is drawn; also those up to which the members' included IOPS go. */
function drawnIops({ maxMembers }: CurveAsked): number[] {
  const { fromIops, toIops } = curveRange;
  const drawn = new Set<number>([fromIops, toIops]);
  for (let iops: number = fromIops; iops < toIops; iops *= ratio) drawn.add(Math.round(iops));
  for (let members = 1; members <= maxMembers; members++) {
    drawn.add(members * gp3Figures.freeIops);
    drawn.add(members * gp3Figures.freeIops + 1);
  }
  return [...drawn].filter((iops) => iops <= toIops).toSorted((a, b) => a - b);
}

/** The two neighbors between which something changes from what it is at `low`. */
function changeBetween(
  low: CurvePoint,
  high: CurvePoint,
  at: (iops: number) => CurvePoint,
  isAsLow: (point: CurvePoint) => boolean,
): [CurvePoint, CurvePoint] {
  let [below, above] = [low, high];
  while (above.iops - below.iops > 1) {
    const middle = at(Math.floor((below.iops + above.iops) / 2));
    if (isAsLow(middle)) below = middle;
    else above = middle;
  }
  return [below, above];
}

/** Each pair of neighboring points, with what changes between them as points of their own. */
function refined(points: readonly CurvePoint[], at: (iops: number) => CurvePoint): CurvePoint[] {
  const all = new Map(points.map((point) => [point.iops, point]));
  for (const [i, high] of points.entries()) {
    const low = points[i - 1];
    if (low === undefined) continue;
    const add = (isAsLow: (point: CurvePoint) => boolean): void => {
      if (isAsLow(high)) return;
      for (const point of changeBetween(low, high, at, isAsLow)) all.set(point.iops, point);
    };
    // Where a line ends, and where another one becomes the cheapest.
    for (const name of curveNames) add((point) => (point[name] === null) === (low[name] === null));
    const cheapest = cheapestAt(low);
    add((point) => cheapestAt(point) === cheapest);
  }
  return [...all.values()].toSorted((a, b) => a.iops - b.iops);
}

function crossingsOf(points: readonly CurvePoint[]): Crossing[] {
  return points.flatMap((point, i): Crossing[] => {
    const before = points[i - 1];
    if (before === undefined) return [];
    const [from, to] = [cheapestAt(before), cheapestAt(point)];
    if (from === null || from === to) return [];
    const monthlyUsd = (to === null ? before[from] : point[to]) ?? 0;
    return [{ iops: point.iops, from, to, monthlyUsd }];
  });
}

/** Volumes alone: what an instance costs is no part of it. */
export function priceCurve(asked: CurveAsked, regionCatalog: RegionCatalog): PriceCurve {
  const at = pricesAt(asked, regionCatalog);
  const points = refined(drawnIops(asked).map(at), at);
  const { prices, region } = regionCatalog;
  const [first] = points;
  return {
    points,
    first: first === undefined ? null : cheapestAt(first),
    crossings: crossingsOf(points),
    isPricedElsewhere: ebsPriceUnknown(prices.ebs, region, ['gp3', 'io2']) !== null,
  };
}
