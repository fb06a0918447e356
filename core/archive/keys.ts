/**
 * Where what lies in the archive. A glob over `history/metrics/` and Athena see each object there, so only what counts lies there:
 * what is being made lies under `history-staging/`, manifests under `history/manifests/`.
 */
import type { Target } from '../schemas/accounts.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { type TableName, tableNames } from './tables.ts';

/** An account and Region. */
export type ArchiveTarget = Pick<Target, 'account' | 'region'>;

export const historyPrefix = 'history/';
export const metricsPrefix = `${historyPrefix}metrics/`;
export const manifestsPrefix = `${historyPrefix}manifests/`;
/** The fleet by day: no table, so it lies beside the prefixes that are asked. */
export const fleetDaysKey = `${historyPrefix}fleet-days.json`;
export const stagingPrefix = 'history-staging/';

/** 2026-11-23, in UTC. */
export const dayOf = (epochSeconds: number): string => isoFromEpochSeconds(epochSeconds).slice(0, 10);
export const dayStart = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;
const monthOf = (day: string): string => day.slice(0, 7);

export const placeOf = ({ account, region }: ArchiveTarget): string => `account=${account}/region=${region}`;

/**
 * How the metrics of a day and target are kept: in the object of the month, or in objects of the day, each with the resources from an
 * id on up to the next one's. It is chosen before the day's first row is written, and stays: a row never changes its object.
 */
export type DayLayout = { kept: 'month' } | { kept: 'day'; firstIds: string[] };

/** One object of a day's metrics, and the resources in it: from the first id on, up to (without) the end; null: no end. */
export interface Slot {
  key: string;
  firstId: string;
  endId: string | null;
}

const digits = 4;
const plainId = /^[\w-]+$/;

/** 0001, 0002-vol-0a1b2c3d4e5f60718: who lists the objects of a day knows which of them may hold a resource. */
const partName = (firstId: string, i: number): string =>
  `${String(i + 1).padStart(digits, '0')}${plainId.test(firstId) ? `-${firstId}` : ''}`;

export function slotsOf(day: string, target: ArchiveTarget, layout: DayLayout): Slot[] {
  if (layout.kept === 'month') {
    const key = `${metricsPrefix}month=${monthOf(day)}/${placeOf(target)}/metrics.parquet`;
    return [{ key, firstId: '', endId: null }];
  }
  return layout.firstIds.map((firstId, i) => ({
    key: `${metricsPrefix}day=${day}/${placeOf(target)}/${partName(firstId, i)}.parquet`,
    firstId,
    endId: layout.firstIds[i + 1] ?? null,
  }));
}

const placePattern = 'account=([\\w.-]+)/region=([\\w.-]+)';
const metricsPattern = new RegExp(
  `^${metricsPrefix}(day|month)=(\\d{4}-\\d{2}(?:-\\d{2})?)/${placePattern}/(?:\\d+-([\\w-]+)|[\\w.-]+)\\.parquet$`,
);
const manifestPattern = new RegExp(`^${manifestsPrefix}${placePattern}/day=(\\d{4}-\\d{2}-\\d{2})\\.json$`);

/** An object of metrics by its key: of one day, or of a month. */
export interface MetricsPlace extends ArchiveTarget {
  key: string;
  kept: 'day' | 'month';
  /** 2026-11-23 or 2026-11. */
  time: string;
  /** What its key says: it holds resources from this id on. Null: any. */
  firstId: string | null;
}

/** Null for what is none of ours. */
export function metricsPlace(key: string): MetricsPlace | null {
  const [, kept, time = '', account = '', region = '', firstId = null] = metricsPattern.exec(key) ?? [];
  if (kept !== 'day' && kept !== 'month') return null;
  return { key, kept, time, account, region, firstId };
}

export const tablePrefix = (name: TableName): string => `${historyPrefix}${name}/`;

export const tableKey = (name: TableName, day: string, target: ArchiveTarget): string =>
  `${tablePrefix(name)}day=${day}/${placeOf(target)}/${name}.parquet`;

const tablePattern = new RegExp(
  `^${historyPrefix}(${tableNames.join('|')})/day=(\\d{4}-\\d{2}-\\d{2})/${placePattern}/[\\w.-]+\\.parquet$`,
);

/** An object of the inventory or the findings of a day. */
export interface TablePlace extends ArchiveTarget {
  key: string;
  kept: TableName;
  /** 2026-11-23. */
  time: string;
}

/** Null for what is none of ours. */
export function tablePlace(key: string): TablePlace | null {
  const [, kept, time = '', account = '', region = ''] = tablePattern.exec(key) ?? [];
  const name = tableNames.find((one) => one === kept);
  return name === undefined ? null : { key, kept: name, time, account, region };
}

/** Null for what is none of ours. */
export function manifestPlace(key: string): (ArchiveTarget & { day: string }) | null {
  const [, account = '', region = '', day] = manifestPattern.exec(key) ?? [];
  return day === undefined ? null : { day, account, region };
}

/** By target first: one listing shows all days of one. */
export const manifestPrefixOf = (target: ArchiveTarget): string => `${manifestsPrefix}${placeOf(target)}/`;

export const manifestKey = (day: string, target: ArchiveTarget): string =>
  `${manifestPrefixOf(target)}day=${day}.json`;

export const stagingPrefixOf = (target: ArchiveTarget): string => `${stagingPrefix}${placeOf(target)}/`;

/** A second try of a batch read at another time: nothing that is staged is replaced while somebody commits it. */
export const stagedKey = (
  target: ArchiveTarget,
  runId: string,
  batch: string,
  readAtSeconds: number,
): string => `${stagingPrefixOf(target)}run=${runId}/${batch}-${readAtSeconds}.parquet`;

/**
 * Up to so many volumes a target's metrics are kept by month: a day of one volume is some 50 KB, so objects of a day have 1 MB and more,
 * and the object of a month, which is written anew each day, has 30 MB at most.
 */
const mostVolumesByMonth = 20;
/** A part is made in the memory of a function, and holds some 10 MB of a day. */
const resourcesAPart = 250;

/** @param resourceIds what the day begins with, an id as often as it was read; later ones find their place between them. */
export function chooseLayout(resourceIds: readonly string[]): DayLayout {
  const sorted = [...new Set(resourceIds)].sort();
  if (sorted.length <= mostVolumesByMonth) return { kept: 'month' };
  const parts = Math.ceil(sorted.length / resourcesAPart);
  const firstIds = Array.from({ length: parts }, (_, part) =>
    part === 0 ? '' : (sorted[Math.floor((part * sorted.length) / parts)] as string),
  );
  return { kept: 'day', firstIds };
}
