/** What is different between two markets of a Region. */
import type { EbsPrices } from '../prices/price-book.ts';
import type { Market } from './market.ts';

export interface PriceChange {
  of: string;
  beforeUsd: number;
  afterUsd: number;
}

export interface MarketChanges {
  typesAdded: string[];
  typesRemoved: string[];
  /** Types that are in both, with other limits, cards or attachments. */
  typesChanged: string[];
  /** USD a month, of types whose price is known in both. */
  instancePrices: PriceChange[];
  /** In the unit that each is paid in; none where they are not known in both. */
  ebsPrices: PriceChange[];
  /** What has a price in one of the two alone: types that are in both, and `EBS`. */
  pricesAdded: string[];
  pricesRemoved: string[];
}

/** Every figure of the table by its name. */
const ebsFigures = (prices: EbsPrices): Map<string, number> =>
  new Map([
    ...Object.entries(prices.storagePerGiB).map(([type, usd]) => [`a GiB of ${type}`, usd] as const),
    ['an IOPS of gp3', prices.gp3PerIops],
    ['a MiB/s of gp3', prices.gp3PerMiBps],
    ['an IOPS of io1', prices.io1PerIops],
    ...prices.io2PerIops.map(
      ({ upTo, usd }) =>
        [upTo === null ? 'an IOPS of io2 beyond' : `an IOPS of io2 up to ${upTo}`, usd] as const,
    ),
    ['a million I/O on standard', prices.standardPerMillionIo],
  ]);

function ebsChanges(before: Market, after: Market): PriceChange[] {
  if (!before.prices.ebs.known || !after.prices.ebs.known) return [];
  const was = ebsFigures(before.prices.ebs.value);
  return [...ebsFigures(after.prices.ebs.value)].flatMap(([of, afterUsd]) => {
    const beforeUsd = was.get(of);
    return beforeUsd === undefined || beforeUsd === afterUsd ? [] : [{ of, beforeUsd, afterUsd }];
  });
}

function instanceChanges(before: Market, after: Market): PriceChange[] {
  return after.instanceTypes.types.flatMap(({ instanceType: of }) => {
    const [was, is] = [before, after].map(({ prices }) => prices.instanceMonthlyUsd(of));
    if (was?.known !== true || is?.known !== true || was.value === is.value) return [];
    return [{ of, beforeUsd: was.value, afterUsd: is.value }];
  });
}

/** What has a price in one market and none in the other. */
function pricedOnlyIn(one: Market, other: Market): string[] {
  const types = one.instanceTypes.types
    .map(({ instanceType }) => instanceType)
    .filter((type) => other.instanceTypes.get(type) !== undefined)
    .filter(
      (type) => one.prices.instanceMonthlyUsd(type).known && !other.prices.instanceMonthlyUsd(type).known,
    );
  return [...(one.prices.ebs.known && !other.prices.ebs.known ? ['EBS'] : []), ...types];
}

export function marketChanges(before: Market, after: Market): MarketChanges {
  const [was, is] = [before.instanceTypes, after.instanceTypes];
  const names = ({ types }: Market['instanceTypes']): string[] =>
    types.map(({ instanceType }) => instanceType);
  return {
    typesAdded: names(is).filter((type) => was.get(type) === undefined),
    typesRemoved: names(was).filter((type) => is.get(type) === undefined),
    typesChanged: names(is).filter((type) => {
      const row = was.get(type);
      return row !== undefined && JSON.stringify(row) !== JSON.stringify(is.get(type));
    }),
    instancePrices: instanceChanges(before, after),
    ebsPrices: ebsChanges(before, after),
    pricesAdded: pricedOnlyIn(after, before),
    pricesRemoved: pricedOnlyIn(before, after),
  };
}
