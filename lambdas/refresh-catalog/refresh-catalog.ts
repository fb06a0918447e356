/** What can be had in a Region and what it costs: read anew where it is old, kept where it cannot be read. */
import { allRemarks, type Remarks, remarkOn } from '../../core/audit/remarks.ts';
import { contradictions, contradictionsOf } from '../../core/catalog/contradictions.ts';
import { typesInstead } from '../../core/catalog/given-prices.ts';
import {
  builtInCatalog,
  type InstanceType,
  type InstanceTypes,
  overrides,
  withOverrides,
} from '../../core/catalog/instance-types.ts';
import {
  type PricePart,
  priceParts,
  pricesInUse,
  regionCatalogOf,
  type StoredCatalog,
  storedCatalogSchema,
} from '../../core/catalog/region-catalog.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../core/errors.ts';
import { firstFew } from '../../core/few.ts';
import { builtInPrices, type RegionPrices, unpricedTypes, withTypesOf } from '../../core/prices/prices.ts';
import type { AuditNotice, LeftOutType, UsedInstead } from '../../core/schemas/audit-notice.ts';
import { msPerSecond, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { noticeText } from '../../report/wording/audit-notices.ts';
import { contradictionText } from '../../report/wording/catalog.ts';

export interface ReadRegionCatalogFrom {
  /** What is left out is named, with the reason. */
  describeInstanceTypes(): Promise<{ types: InstanceType[]; leftOut: LeftOutType[] }>;
  getPrices(): Promise<{ prices: RegionPrices; notices: AuditNotice[] }>;
  now(): Date;
}

export interface RefreshFrom extends ReadRegionCatalogFrom {
  /** Null: none was stored. */
  readStored(): Promise<StoredCatalog | null>;
  writeStored(regionCatalog: StoredCatalog): Promise<void>;
}

export interface RegionCatalogRead {
  regionCatalog: StoredCatalog;
  notices: AuditNotice[];
}

const dayOf = (moment: string): string => moment.slice(0, 10);

/** Corrections of types that this Region does not have are of no use here. */
function corrected(catalog: InstanceTypes): InstanceTypes {
  const names = new Set(catalog.types.map(({ instanceType }) => instanceType));
  return withOverrides(
    catalog,
    overrides.filter(({ instanceType }) => names.has(instanceType)),
  );
}

/**
 * The types that can be used; others are left out, and a notice names them.
 * @throws Unreadable where EC2 gives none, or where most cannot be used: what is left is not what the Region has.
 */
async function readTypes(
  region: string,
  asOf: string,
  { describeInstanceTypes }: ReadRegionCatalogFrom,
): Promise<{ instanceTypes: InstanceTypes; notices: AuditNotice[] }> {
  const asked = `ec2:DescribeInstanceTypes in ${region}`;
  const read = await describeInstanceTypes();
  const all = corrected({ asOf, source: asked, types: read.types });
  const against = all.types.flatMap((type) => {
    const [first] = contradictionsOf(type);
    return first === undefined ? [] : [{ instanceType: type.instanceType, reason: first }];
  });
  const odd = new Set(against.map(({ instanceType }) => instanceType));
  const instanceTypes = { ...all, types: all.types.filter(({ instanceType }) => !odd.has(instanceType)) };
  const leftOut: LeftOutType[] = [...read.leftOut, ...against];
  const ofAll = { read: read.types.length + read.leftOut.length, leftOut: leftOut.length };
  const notices: AuditNotice[] =
    leftOut.length === 0
      ? []
      : [{ code: 'instance-types-left-out', region, ...ofAll, first: firstFew(leftOut) }];
  const usable = instanceTypes.types.length;
  if (usable === 0 || usable < leftOut.length) {
    const gave = `${asked} gave ${usable === 0 ? 'no' : usable} instance types that can be used`;
    throw new Unreadable([gave, ...notices.map(noticeText)].join('; '));
  }
  const [first] = contradictions(instanceTypes);
  if (first !== undefined) throw new Unreadable(`${asked} contradicts itself: ${contradictionText(first)}`);
  return { instanceTypes, notices };
}

/**
 * A part that could not be read is the older one, of the time when that was read; null where there is none. A type of
 * volume that could not be read is the older one's.
 */
function withOlderParts(
  fresh: RegionPrices,
  older: StoredCatalog | null,
  now: string,
): Pick<StoredCatalog, 'prices' | 'pricesReadAt'> {
  const readAt = (part: PricePart): string | null =>
    fresh[part] === null ? (older?.pricesReadAt[part] ?? null) : now;
  const olderEbs = older?.prices.ebs ?? null;
  return {
    prices: {
      region: fresh.region,
      ebs:
        fresh.ebs === null || olderEbs === null ? (fresh.ebs ?? olderEbs) : withTypesOf(fresh.ebs, olderEbs),
      instances: fresh.instances ?? older?.prices.instances ?? null,
    },
    pricesReadAt: { ebs: readAt('ebs'), instances: readAt('instances') },
  };
}

/** What is stored is read with the same schema: what that refuses would be of no use to anybody. */
function sound(regionCatalog: StoredCatalog): StoredCatalog {
  const { data, error } = storedCatalogSchema.safeParse(regionCatalog);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new Unreadable(
    `what was read of ${regionCatalog.region} is not as expected, and nothing is written: ${issue?.path.join('.')}: ${issue?.message}`,
    { cause: error },
  );
}

/**
 * Reads a Region's instance types and prices.
 * @param older what was read before: of a part that is missing now it is kept.
 * @throws Unreadable where one of the two cannot be read at all, or could not be read again once stored.
 */
export async function readRegionCatalog(
  region: string,
  older: StoredCatalog | null,
  from: ReadRegionCatalogFrom,
): Promise<RegionCatalogRead> {
  const now = from.now().toISOString();
  const { instanceTypes, notices: ofTypes } = await readTypes(region, dayOf(now), from);
  const { prices: fresh, notices: ofPrices } = await from.getPrices();
  const regionCatalog = sound({
    region,
    refreshedAt: now,
    ...withOlderParts(fresh, older, now),
    instanceTypes,
  });
  const inUse = pricesInUse(regionCatalog);
  const usedInstead: UsedInstead[] = priceParts
    .filter((part) => fresh[part] === null)
    .map((part) => ({ part, asOf: inUse[part]?.asOf ?? null }));
  const ofVolumeTypes = fresh.ebs === null ? [] : typesInstead(fresh.ebs, inUse.ebs);
  const withInstead = (notice: AuditNotice): AuditNotice => {
    if (!('usedInstead' in notice)) return notice;
    const isOfEbs = notice.code === 'price-list-incomplete' && notice.part === 'ebs';
    return { ...notice, usedInstead: isOfEbs ? [...usedInstead, ...ofVolumeTypes] : usedInstead };
  };
  return { regionCatalog, notices: [...ofTypes, ...ofPrices.map(withInstead)] };
}

/** Clocks differ by less; a date beyond is none, and would be young for ever. */
const maxAheadMs = secondsPerHour * msPerSecond;

/** Read as a whole, and young: there is nothing to do. One with a part missing or kept is tried again by each run. */
function isFresh(
  { refreshedAt, pricesReadAt, prices: { ebs } }: StoredCatalog,
  refreshAfterDays: number,
  now: Date,
): boolean {
  const ageMs = now.getTime() - Date.parse(refreshedAt);
  const isWhole =
    priceParts.every((part) => pricesReadAt[part] === refreshedAt) &&
    (ebs === null || (unpricedTypes(ebs).length === 0 && ebs.fromOtherTables === undefined));
  return isWhole && ageMs >= -maxAheadMs && ageMs < refreshAfterDays * secondsPerDay * msPerSecond;
}

const isBuiltIn = (region: string): boolean => builtInPrices(region).ebs !== null;

type NotRefreshed = Extract<AuditNotice, { code: 'prices-not-refreshed' }>;

function usedOf(region: string, older: StoredCatalog | null): Pick<NotRefreshed, 'used' | 'asOf'> {
  const refreshedAt = older === null ? null : regionCatalogOf(older).refreshedAt;
  if (refreshedAt !== null) return { used: 'stored', asOf: dayOf(refreshedAt) };
  return isBuiltIn(region) ? { used: 'built-in', asOf: null } : { used: 'none', asOf: builtInCatalog().asOf };
}

/** What asking again does not help. What may pass, and mistakes of ours, are thrown on. */
function refusal(error: unknown): Unreadable {
  if (!(error instanceof Unreadable) || error instanceof Throttled || error instanceof Unavailable)
    throw error;
  return error;
}

/**
 * Refreshes what is stored of a Region.
 * @returns remarks for who reads the run: what could not be read, and what is used instead.
 * @throws Throttled, Unavailable: asking again later may help. Nothing else of AWS's ends it.
 */
export async function refreshCatalog(
  { region, refreshAfterDays }: { region: string; refreshAfterDays: number },
  from: RefreshFrom,
): Promise<{ refreshed: boolean } & Remarks> {
  const unseen: Remarks[] = [];
  const older = await from.readStored().catch((error: unknown) => {
    const { message } = refusal(error);
    // One that cannot be read is none: it is written anew. Where it may not be read, that helps nobody.
    if (error instanceof AccessDenied) {
      unseen.push(remarkOn(error, { code: 'stored-prices-denied', region, reason: message }));
    }
    return null;
  });
  try {
    if (older !== null && isFresh(older, refreshAfterDays, from.now()))
      return { refreshed: false, notices: [], incomplete: [] };
    const { regionCatalog, notices } = await readRegionCatalog(region, older, from);
    await from.writeStored(regionCatalog);
    return { refreshed: true, ...allRemarks([...unseen, { notices, incomplete: [] }]) };
  } catch (error) {
    const reason = refusal(error).message;
    const notice = { code: 'prices-not-refreshed', region, reason, ...usedOf(region, older) } as const;
    return { refreshed: false, ...allRemarks([...unseen, remarkOn(error, notice)]) };
  }
}
