/** What carries a load without credits: a gp3 in the place of a volume, another type in the place of an instance. */
import type { InstanceType } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Known } from '../known.ts';
import type { VolumeConfiguration } from '../limits/volume-limits.ts';
import { knownMonthlyUsd, type MonthlyUsd } from '../prices/prices.ts';
import type { EbsPriceReason } from '../schemas/unknown-reasons.ts';
import { firstThatCarries, isNoLess, type PricedInstance, priced, shortfallOf } from './instance-choice.ts';
import { type Layout, type Need, provisioned, type Rates } from './layout.ts';
import { rankingOf } from './plan.ts';
import { type Constraints, type InfeasibleReason, offersOf, search } from './search.ts';

const oneGp3: Constraints = {
  ...{ types: ['gp3'], kinds: ['single'], maxMembers: 1, deployment: 'region' },
  ...{ maxAnnualFailureRate: 1, stripeEfficiency: 1, chunkKiB: 64, instance: null },
};

export type Gp3Instead =
  | {
      layout: Layout;
      monthlyUsd: Known<MonthlyUsd, EbsPriceReason>;
      todayMonthlyUsd: Known<MonthlyUsd, EbsPriceReason>;
    }
  | { obstacle: InfeasibleReason };

/** The cheapest gp3 of at least today's size that has the rates all the time, or what no gp3 has. */
export function gp3Instead(
  today: VolumeConfiguration,
  {
    iops,
    throughputMiBps,
    ioSizeKiB,
    access,
  }: Pick<Need, 'iops' | 'throughputMiBps' | 'ioSizeKiB' | 'access'>,
  regionCatalog: RegionCatalog,
): Gp3Instead {
  const need: Need = {
    ...{ iops, throughputMiBps, ioSizeKiB, access },
    ...{ capacityGiB: today.sizeGiB, readShare: 1 },
  };
  const offers = offersOf(regionCatalog, rankingOf(regionCatalog), oneGp3);
  const { candidates, refusals } = search(need, oneGp3, offers);
  const [cheapest] = candidates;
  const [refusal] = refusals;
  if (cheapest === undefined) {
    if (refusal === undefined) throw new Error('a gp3 is found or refused');
    return { obstacle: refusal.obstacle };
  }
  const { prices } = regionCatalog;
  return {
    layout: cheapest.layout,
    monthlyUsd: knownMonthlyUsd(provisioned(cheapest.layout, 'region'), prices),
    todayMonthlyUsd: knownMonthlyUsd(today, prices),
  };
}

export interface InstanceInstead {
  /** Today's as it is: its baseline carries the load, and its credits are not needed. */
  isTodayEnough: boolean;
  today: PricedInstance;
  /** The cheapest other type whose baseline carries the load, no less than today's otherwise; null: there is none. */
  other: PricedInstance | null;
}

/** By price; of a Region without prices by those that come with stripewise. */
export function instanceInstead(
  today: InstanceType,
  rates: Rates,
  regionCatalog: RegionCatalog,
): InstanceInstead {
  const { instanceTypes, prices } = regionCatalog;
  const ranking = rankingOf(regionCatalog).instances;
  const others = instanceTypes.types.filter((type) => type !== today && isNoLess(type, today));
  const [todayPriced] = priced([today], prices, ranking);
  if (todayPriced === undefined) throw new Error('one type has one price');
  return {
    isTodayEnough: shortfallOf(today, rates, 1) === null,
    today: todayPriced,
    other: firstThatCarries(priced(others, prices, ranking), rates, 1) ?? null,
  };
}
