/** What is different between two region catalogs of a Region. */
import { type EbsPrices, isPriced, type PriceBook, unpricedTypes } from '../prices/prices.ts';
import type { RegionCatalog } from './region-catalog.ts';

export interface PriceChange<Of> {
  of: Of;
  beforeUsd: number;
  afterUsd: number;
}

/** What is paid for. */
export type EbsFigure =
  | { code: 'gib'; volumeType: string }
  | { code: 'iops' | 'mibps'; volumeType: string }
  | { code: 'io2-iops'; upTo: number | null }
  | { code: 'million-io'; volumeType: string };

export interface RegionCatalogChanges {
  typesAdded: string[];
  typesRemoved: string[];
  /** Types that are in both, with other limits, cards or attachments. */
  typesChanged: string[];
  /** USD a month, of types whose price is known in both. */
  instancePrices: PriceChange<string>[];
  /** In the unit that each is paid in; none where they are not known in both. */
  ebsPrices: PriceChange<EbsFigure>[];
  /** What has a price in one of the two alone: types that are in both, `EBS`, and where both have it types of volumes. */
  pricesAdded: string[];
  pricesRemoved: string[];
}

/** Every figure of the table that is known. */
function ebsFigures(prices: EbsPrices): [EbsFigure, number][] {
  const all: [EbsFigure, number | null][] = [
    ...Object.entries(prices.storagePerGiB).map(([volumeType, usd]): [EbsFigure, number | null] => [
      { code: 'gib', volumeType },
      usd,
    ]),
    [{ code: 'iops', volumeType: 'gp3' }, prices.gp3PerIops],
    [{ code: 'mibps', volumeType: 'gp3' }, prices.gp3PerMiBps],
    [{ code: 'iops', volumeType: 'io1' }, prices.io1PerIops],
    ...(prices.io2PerIops ?? []).map(({ upTo, usd }): [EbsFigure, number] => [
      { code: 'io2-iops', upTo },
      usd,
    ]),
    [{ code: 'million-io', volumeType: 'standard' }, prices.standardPerMillionIo],
  ];
  return all.filter((one): one is [EbsFigure, number] => one[1] !== null);
}

function ebsChanges(before: RegionCatalog, after: RegionCatalog): PriceChange<EbsFigure>[] {
  if (!before.prices.ebs.known || !after.prices.ebs.known) return [];
  const was = new Map(ebsFigures(before.prices.ebs.value).map(([of, usd]) => [JSON.stringify(of), usd]));
  return ebsFigures(after.prices.ebs.value).flatMap(([of, afterUsd]) => {
    const beforeUsd = was.get(JSON.stringify(of));
    return beforeUsd === undefined || beforeUsd === afterUsd ? [] : [{ of, beforeUsd, afterUsd }];
  });
}

function instanceChanges(before: RegionCatalog, after: RegionCatalog): PriceChange<string>[] {
  return after.instanceTypes.types.flatMap(({ instanceType: of }) => {
    const [was, is] = [before, after].map(({ prices }) => prices.instanceMonthlyUsd(of));
    if (was?.known !== true || is?.known !== true || was.value === is.value) return [];
    return [{ of, beforeUsd: was.value, afterUsd: is.value }];
  });
}

function ebsOnlyIn({ ebs: one }: PriceBook, { ebs: other }: PriceBook): string[] {
  if (!one.known) return [];
  if (!other.known) return ['EBS'];
  return unpricedTypes(other.value).filter((volumeType) => isPriced(volumeType, one.value));
}

/** What has a price in one region catalog and none in the other. */
function pricedOnlyIn(one: RegionCatalog, other: RegionCatalog): string[] {
  const types = one.instanceTypes.types
    .map(({ instanceType }) => instanceType)
    .filter((type) => other.instanceTypes.get(type) !== undefined)
    .filter(
      (type) => one.prices.instanceMonthlyUsd(type).known && !other.prices.instanceMonthlyUsd(type).known,
    );
  return [...ebsOnlyIn(one.prices, other.prices), ...types];
}

export function regionCatalogChanges(before: RegionCatalog, after: RegionCatalog): RegionCatalogChanges {
  const [was, is] = [before.instanceTypes, after.instanceTypes];
  const names = ({ types }: RegionCatalog['instanceTypes']): string[] =>
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
