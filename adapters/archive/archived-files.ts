/** Which files of an archive may hold what is asked for: by their keys, without opening them. */
import {
  type ArchiveTarget,
  dayOf,
  dayStart,
  type MetricsPlace,
  manifestPlace,
  manifestsPrefix,
  metricsPlace,
  metricsPrefix,
  type TablePlace,
  tablePlace,
  tablePrefix,
} from '../../core/archive/keys.ts';
import { tableNames } from '../../core/archive/tables.ts';
import { BadInput } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import type { ArchiveStore } from './store.ts';

/** What of an archive is asked for; null: all of it. */
export interface Part {
  fromSeconds: number | null;
  /** Not included. */
  endSeconds: number | null;
  accounts: readonly string[] | null;
  regions: readonly string[] | null;
}

type Keys = Pick<ArchiveStore, 'list'>;

const isOfTarget = (
  { account, region }: { account: string; region: string },
  { accounts, regions }: Part,
): boolean => accounts?.includes(account) !== false && regions?.includes(region) !== false;

/** The days of a part, the last one included; null: no bound. */
function daysOfPart({ fromSeconds, endSeconds }: Part): [string | null, string | null] {
  return [
    fromSeconds === null ? null : dayOf(fromSeconds),
    endSeconds === null ? null : dayOf(endSeconds - 1),
  ];
}

/** A month is in between where any of its days is: by as many characters as it has. */
const isBetween = (time: string, [first, last]: [string | null, string | null]): boolean =>
  (first === null || time >= first.slice(0, time.length)) &&
  (last === null || time <= last.slice(0, time.length));

/** What days from the first to the last begin with alike. */
function sameBeginning(first: string | null, last: string | null): string {
  if (first === null || last === null) return '';
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, length);
}

/** Objects of metrics that may hold rows of the part. Where days begin alike no others are listed. */
export async function metricsFilesOf(store: Keys, part: Part): Promise<MetricsPlace[]> {
  const days = daysOfPart(part);
  const alike = sameBeginning(...days);
  const month = alike.slice(0, '2026-11'.length);
  const keys = await Promise.all(
    [`day=${alike}`, `month=${month}`].map((prefix) => store.list(`${metricsPrefix}${prefix}`)),
  );
  return keys.flat().flatMap((key) => {
    const place = metricsPlace(key);
    return place !== null && isOfTarget(place, part) && isBetween(place.time, days) ? [place] : [];
  });
}

/** Objects of the inventory and the findings of these days. */
export async function tableFilesOf(store: Keys, part: Part): Promise<TablePlace[]> {
  const days = daysOfPart(part);
  const alike = sameBeginning(...days);
  const keys = await Promise.all(tableNames.map((name) => store.list(`${tablePrefix(name)}day=${alike}`)));
  return keys.flat().flatMap((key) => {
    const place = tablePlace(key);
    return place !== null && isOfTarget(place, part) && isBetween(place.time, days) ? [place] : [];
  });
}

/** Those of a target's files that may hold a resource: of the parts of a day the one that begins before it. */
export function filesOfResource(files: readonly MetricsPlace[], target: ArchiveTarget, id: string): string[] {
  const own = files.filter(({ account, region }) => account === target.account && region === target.region);
  return [...groupBy(own, ({ kept, time }) => `${kept}=${time}`).values()].flatMap((parts) => {
    const inOrder = [...parts].sort((a, b) => (a.key < b.key ? -1 : 1));
    return inOrder.flatMap(({ key, firstId }, i) => {
      const endId = inOrder[i + 1]?.firstId ?? null;
      return (firstId === null || id >= firstId) && (endId === null || id < endId) ? [key] : [];
    });
  });
}

export interface DayAndTarget {
  day: string;
  account: string;
  region: string;
}

/** The days and targets that have a manifest, the newest first. */
export async function daysAndTargets(store: Keys, part: Part): Promise<DayAndTarget[]> {
  const days = daysOfPart(part);
  // Of one account all lie together.
  const [account, ...others] = part.accounts ?? [];
  const ofOne = account !== undefined && others.length === 0 ? `account=${account}/` : '';
  const keys = await store.list(`${manifestsPrefix}${ofOne}`);
  return keys
    .flatMap((key) => {
      const place = manifestPlace(key);
      return place !== null && isOfTarget(place, part) && isBetween(place.day, days) ? [place] : [];
    })
    .sort((a, b) => dayStart(b.day) - dayStart(a.day));
}

/**
 * @param asked below what prefix nothing was found.
 * @throws BadInput: nothing of what was asked is there, and why.
 */
export async function nothingThere(
  store: Keys & Pick<ArchiveStore, 'name'>,
  asked: typeof metricsPrefix | typeof manifestsPrefix,
): Promise<never> {
  const [metrics] = await store.list(metricsPrefix);
  const [manifest] = await store.list(manifestsPrefix);
  if (metrics === undefined && manifest === undefined)
    throw new BadInput(
      `${store.name}: no archive is in it, that is, nothing below ${metricsPrefix}: give the directory or prefix above it`,
    );
  if (asked === manifestsPrefix && manifest === undefined)
    throw new BadInput(
      `${store.name}: the manifests of the archive are missing, that is, all below ${manifestsPrefix}: put them back`,
    );
  throw new BadInput(
    `${store.name}: the archive has nothing of these days, accounts and Regions: give others, or leave them out`,
  );
}
