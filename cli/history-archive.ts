/** The archive that `history` asks: a directory, or a prefix in S3, whose files are fetched as far as they are asked for. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { limitAsync } from 'es-toolkit/promise';
import { metricsFilesOf, nothingThere, type Part, tableFilesOf } from '../adapters/archive/archived-files.ts';
import type { ArchiveBucket } from '../adapters/archive/bucket.ts';
import { ArchiveDirectory } from '../adapters/archive/directory.ts';
import { type ArchivedFile, askFiles } from '../adapters/archive/duckdb.ts';
import { missingFiles } from '../adapters/archive/read-minutes.ts';
import type { ArchiveStore } from '../adapters/archive/store.ts';
import { metricsPrefix, type TablePlace } from '../core/archive/keys.ts';
import { momentOf } from '../core/audit/batches.ts';
import { BadInput, DiskFull, Unreadable } from '../core/errors.ts';
import { msPerSecond, secondsPerDay } from '../core/units.ts';
import { asBadInput } from './credentials.ts';
import { regionOption } from './options.ts';

export interface ArchiveOptions {
  archive: string;
  from?: number;
  to?: number;
  account?: string[];
  region?: string[];
  profile?: string;
}

/** A day is its beginning; of an end that is a day, the day after it. */
const timeOf =
  (option: string, isEnd: boolean) =>
  (given: string): number => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(given);
    try {
      const seconds = momentOf(isDay ? `${given}T00:00Z` : given).getTime() / msPerSecond;
      return isDay && isEnd ? seconds + secondsPerDay : seconds;
    } catch {
      throw new BadInput(
        `${option} "${given}" is not a day or a time: give one like 2026-11-20 or 2026-11-20T14:30Z`,
      );
    }
  };

const several =
  (check: (text: string) => string) =>
  (given: string, before: string[] = []): string[] => [...before, ...given.split(',').map(check)];

function accountOption(given: string): string {
  if (/^\d{12}$/.test(given)) return given;
  throw new BadInput(`--account "${given}" is not an account: give its 12 digits`);
}

/** Where an archive is, and of whom. */
export const ofPlace = (command: Command): Command =>
  command
    .requiredOption('--archive <place>', 'a directory, or s3://bucket/prefix')
    .option('--account <ids>', 'of these accounts alone, with commas', several(accountOption))
    .option('--region <regions>', 'of these Regions alone, with commas', several(regionOption('--region')))
    .option('--profile <name>', 'of the AWS configuration, for S3');

/** The options of the commands that read all of an archive, or a window of it. */
export const ofArchive = (command: Command): Command =>
  ofPlace(command)
    .option('--from <time>', 'from this day or time on, UTC', timeOf('--from', false))
    .option('--to <time>', 'up to this day (included) or time, UTC', timeOf('--to', true));

/** From and to with a slash between. */
export const periodOption =
  (option: string) =>
  (given: string): { from: number; to: number } => {
    const [first = '', last, ...others] = given.split('/');
    if (last === undefined || others.length > 0)
      throw new BadInput(`${option} "${given}" is no period: give one like 2026-11-16/2026-11-22`);
    const [from, to] = [timeOf(option, false)(first), timeOf(option, true)(last)];
    if (from >= to)
      throw new BadInput(`${option} "${given}" ends before it begins: give a time, and a later one`);
    return { from, to };
  };

export function partOf({ from, to, account, region }: ArchiveOptions): Part {
  if (from !== undefined && to !== undefined && from >= to)
    throw new BadInput('--from is not before --to: give a time, and a later one');
  return {
    ...{ fromSeconds: from ?? null, endSeconds: to ?? null },
    ...{ accounts: account ?? null, regions: region ?? null },
  };
}

/** Bucket and prefix; null for what is no place in S3. @throws BadInput where it looks like one. */
function placeInS3(archive: string): [bucket: string, prefix: string] | null {
  if (!archive.startsWith('s3:')) return null;
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(archive) ?? [];
  if (bucket === undefined)
    throw new BadInput(`--archive "${archive}" is no place in S3: give one like s3://bucket/prefix`);
  return [bucket, prefix];
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

export interface OpenedArchive {
  store: ArchiveStore;
  /** Null: the files are on this machine. */
  bucket: ArchiveBucket | null;
}

/** @throws BadInput where it is not there. Whether it holds anything is seen by what is asked. */
export async function openArchive({ archive, profile }: ArchiveOptions): Promise<OpenedArchive> {
  const inS3 = placeInS3(archive);
  if (inS3 === null) {
    if (!isDirectory(archive))
      throw new BadInput(`--archive ${archive}: there is no such directory: give one that an archive is in`);
    return { store: new ArchiveDirectory(archive), bucket: null };
  }
  // Loaded only when needed: the AWS SDK takes longer to load than a day of the archive.
  const bucket = await (await import('./history-bucket.ts')).archiveBucket(inS3, profile);
  bucket.keepListings();
  return { store: bucket, bucket };
}

/** Who asks S3 without credentials can put that right. */
export async function asking<T>({ profile }: ArchiveOptions, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof Unreadable
      ? asBadInput(error, profile, 'copy the archive and give its directory')
      : error;
  }
}

const fetchesAtOnce = 16;

async function fetchTo(directory: string, store: ArchiveStore, key: string): Promise<string> {
  const path = join(directory, ...key.split('/'));
  const object = await store.open(key);
  if (object === null) throw new Unreadable(`${store.name}: ${key} was removed while it was read`);
  const bytes = new Uint8Array(await object.slice(0));
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  } catch (error) {
    throw new DiskFull(`${path}: cannot be written: ${(error as Error).message}`, { cause: error });
  }
  return path;
}

/** Which of the tables of a part are asked. */
type ChooseTables = (tables: TablePlace[]) => TablePlace[];

/** The files of a part on this machine; those of a bucket are fetched. */
async function filesOf(
  { store, bucket }: OpenedArchive,
  part: Part,
  directory: string,
  chooseTables: ChooseTables,
): Promise<{ files: ArchivedFile[]; missing: { file: string; reason: string }[] }> {
  const places = await metricsFilesOf(store, part);
  const missing = await missingFiles(store, part, places, bucket === null ? 'each' : 'empty');
  if (places.length === 0 && missing.length === 0) await nothingThere(store, metricsPrefix);
  const tables = chooseTables(await tableFilesOf(store, part));
  const fetched = limitAsync((key: string): Promise<string> => fetchTo(directory, store, key), fetchesAtOnce);
  const files = await Promise.all(
    [...places, ...tables].map(async (place) => ({
      place,
      path: bucket === null ? join(store.name, ...place.key.split('/')) : await fetched(place.key),
    })),
  );
  return { files, missing: missing.map(({ key, reason }) => ({ file: key, reason })) };
}

/** Asks DuckDB; what was fetched for it is removed. */
export async function askInSql<T>(
  options: ArchiveOptions,
  ask: Parameters<typeof askFiles<T>>[3],
  chooseTables: ChooseTables = (tables) => tables,
): ReturnType<typeof askFiles<T>> {
  const part = partOf(options);
  const opened = await openArchive(options);
  const directory = mkdtempSync(join(tmpdir(), `stripewise-history-${process.pid}-`));
  try {
    const { files, missing } = await asking(options, () => filesOf(opened, part, directory, chooseTables));
    const { answer, unreadFiles } = await askFiles(files, part, directory, ask);
    return { answer, unreadFiles: [...missing, ...unreadFiles] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
