/** What can be had in a Region and what it costs: read anew where it is old, kept where it cannot be read. */
import { builtInCatalogue } from '../../core/catalogue/built-in.ts';
import { contradictions } from '../../core/catalogue/contradictions.ts';
import type { InstanceType, InstanceTypes } from '../../core/catalogue/instance-type.ts';
import type { StoredMarket } from '../../core/catalogue/market.ts';
import { overrides, withOverrides } from '../../core/catalogue/overrides.ts';
import { Throttled, Unavailable, Unreadable } from '../../core/errors.ts';
import { builtInPrices, type RegionPrices } from '../../core/prices/price-book.ts';
import { msPerSecond, secondsPerDay } from '../../core/units.ts';

export interface ReadMarketFrom {
  describeInstanceTypes(): Promise<InstanceType[]>;
  getPrices(): Promise<{ prices: RegionPrices; notices: string[] }>;
  now(): Date;
}

export interface RefreshFrom extends ReadMarketFrom {
  /** Null: none was stored. */
  readStored(): Promise<StoredMarket | null>;
  writeStored(market: StoredMarket): Promise<void>;
}

export interface MarketRead {
  market: StoredMarket;
  notices: string[];
}

const dayOf = (moment: string): string => moment.slice(0, 10);

/** Corrections of types that this Region does not have are of no use here. */
function corrected(catalogue: InstanceTypes): InstanceTypes {
  const names = new Set(catalogue.types.map(({ instanceType }) => instanceType));
  return withOverrides(
    catalogue,
    overrides.filter(({ instanceType }) => names.has(instanceType)),
  );
}

/** @throws Unreadable where EC2 gives no type, or types that contradict themselves. */
async function readTypes(
  region: string,
  { describeInstanceTypes, now }: ReadMarketFrom,
): Promise<InstanceTypes> {
  const types = await describeInstanceTypes();
  const asked = `ec2:DescribeInstanceTypes in ${region}`;
  if (types.length === 0) throw new Unreadable(`${asked} gave no instance type`);
  const catalogue = corrected({ asOf: dayOf(now().toISOString()), source: asked, types });
  const [first, ...others] = contradictions(catalogue);
  if (first === undefined) return catalogue;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new Unreadable(`${asked} contradicts itself: ${first}${more}`);
}

/** A part that could not be read is the older one, or the one that comes with stripewise; null where there is none. */
function withOlderParts(fresh: RegionPrices, older: RegionPrices | null): RegionPrices {
  const builtIn = builtInPrices(fresh.region);
  return {
    region: fresh.region,
    ebs: fresh.ebs ?? older?.ebs ?? builtIn.ebs,
    instances: fresh.instances ?? older?.instances ?? builtIn.instances,
  };
}

const partUsed = (part: { asOf: string } | null): string =>
  part === null ? 'they are unknown' : `those of ${part.asOf} are used`;

/**
 * Reads a Region's instance types and prices.
 * @param older what was read before: of a part that is missing now it is kept.
 * @throws Unreadable where one of the two cannot be read at all.
 */
export async function readMarket(
  region: string,
  older: StoredMarket | null,
  from: ReadMarketFrom,
): Promise<MarketRead> {
  const instanceTypes = await readTypes(region, from);
  const { prices: fresh, notices } = await from.getPrices();
  const prices = withOlderParts(fresh, older?.prices ?? null);
  const parts = (['ebs', 'instances'] as const).filter((part) => fresh[part] === null);
  const instead = parts.map((part) => `${part === 'ebs' ? 'EBS' : 'instance'}: ${partUsed(prices[part])}`);
  return {
    market: { region, refreshedAt: from.now().toISOString(), prices, instanceTypes },
    notices: notices.map((notice) => (instead.length === 0 ? notice : `${notice}; ${instead.join(', ')}`)),
  };
}

/** Whole and young: there is nothing to do. One with a part missing is tried again by each run. */
function isFresh({ refreshedAt, prices }: StoredMarket, refreshAfterDays: number, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(refreshedAt);
  const isWhole = prices.ebs !== null && prices.instances !== null;
  return isWhole && ageMs < refreshAfterDays * secondsPerDay * msPerSecond;
}

const isBuiltIn = (region: string): boolean => builtInPrices(region).ebs !== null;

function used(region: string, older: StoredMarket | null): string {
  if (older !== null) return `the table of ${dayOf(older.refreshedAt)} is used`;
  return isBuiltIn(region)
    ? 'the table that comes with stripewise is used'
    : `none comes with stripewise: they are unknown, and its instance types are those of ${builtInCatalogue().asOf}`;
}

/** What asking again does not help. What may pass, and mistakes of ours, are thrown on. */
function refusal(error: unknown): Unreadable {
  if (!(error instanceof Unreadable) || error instanceof Throttled || error instanceof Unavailable)
    throw error;
  return error;
}

/**
 * Refreshes what is stored of a Region.
 * @returns notices for who reads the run: what could not be read, and what is used instead.
 * @throws Throttled, Unavailable: asking again later may help. Nothing else of AWS's ends it.
 */
export async function refreshMarket(
  { region, refreshAfterDays }: { region: string; refreshAfterDays: number },
  from: RefreshFrom,
): Promise<{ refreshed: boolean; notices: string[] }> {
  const older = await from.readStored().catch((error: unknown) => {
    refusal(error);
    // One that cannot be read is none: it is written anew.
    return null;
  });
  try {
    if (older !== null && isFresh(older, refreshAfterDays, from.now()))
      return { refreshed: false, notices: [] };
    const { market, notices } = await readMarket(region, older, from);
    await from.writeStored(market);
    return { refreshed: true, notices };
  } catch (error) {
    const because = `prices of ${region} could not be refreshed: ${refusal(error).message}`;
    return { refreshed: false, notices: [`${because}; ${used(region, older)}`] };
  }
}
