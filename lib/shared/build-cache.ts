/**
 * What is dear to make and is made of files of the checkout: kept below node_modules/.cache by the hash of its inputs, and made
 * again where one of them has changed. Several processes may ask at once: one makes, the others wait.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 100;
/** Of each kind: the newest stay, and whatever was used within an hour (somebody may read it still). */
const keptOfEachKind = 3;
const keptMs = 3_600_000;
/** A lock without its number is being written, or was left by a process that died in that moment. */
const unwrittenLockMs = 10_000;
/** Numbers of processes come again: an older lock is left, whoever has its number now. Nothing here takes so long to make. */
const longestMakeMs = 15 * 60_000;

/** Files below these paths, in a fixed order; a path that is not there has none. */
function filesBelow(root: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const full = join(root, path);
    if (!existsSync(full)) return [];
    if (statSync(full).isFile()) return [path];
    return readdirSync(full, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort();
  });
}

/**
 * @param paths files and folders of the checkout, from its root.
 * @param texts whatever else the result depends on.
 * @returns a SHA-256 of names and contents, in hexadecimal.
 */
export function hashOfInputs(root: string, paths: readonly string[], ...texts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([process.versions.node, ...texts]));
  for (const file of filesBelow(root, paths)) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

export interface Cached {
  /** The checkout. */
  root: string;
  /** A folder of its own: `functions`, `templates` ... */
  kind: string;
  /** Of all that it is made of: `hashOfInputs`. */
  hash: string;
  /** The same asked again: files may be edited while it is made, and what was made of both would be kept as either. */
  hashNow?: () => string;
}

const placeOf = ({ root, kind, hash }: Cached): string =>
  join(root, 'node_modules/.cache/stripewise', kind, hash.slice(0, 32));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Made twice is harmless (the first to be ready stays); the lock only saves the work. */
function takeLock(lock: string): boolean {
  mkdirSync(dirname(lock), { recursive: true });
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    if (isLeft(lock)) rmSync(lock, { force: true });
  } catch (error) {
    // Its owner was ready in this moment.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return false;
}

function isLeft(lock: string): boolean {
  const owner = readFileSync(lock, 'utf8');
  const ageMs = Date.now() - statSync(lock).mtimeMs;
  if (owner === '') return ageMs > unwrittenLockMs;
  return ageMs > longestMakeMs || !isAlive(Number(owner));
}

/** It is there, and was used now. */
function isMade(place: string): boolean {
  if (!existsSync(place)) return false;
  utimesSync(place, new Date(), new Date());
  return true;
}

/** Where it is made, beside its place: nobody ever sees half of it. */
function beginAt(place: string): string {
  const fresh = `${place}.${process.pid}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  return fresh;
}

/** @throws Error where its inputs have changed since they were hashed. */
function putInPlace({ kind, hash, hashNow }: Cached, fresh: string, place: string): void {
  if (hashNow !== undefined && hashNow() !== hash)
    throw new Error(`${kind}: a file that they are made of was changed while they were made: run it again`);
  try {
    renameSync(fresh, place);
  } catch (error) {
    // Another process was sooner.
    if (!existsSync(place)) throw error;
  }
  removeOld(dirname(place));
}

/** Half of what was to be made is of no use to anybody. */
function endAt(fresh: string, lock: string): void {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(lock, { force: true });
}

/** Also what killed processes left: half of something, a lock. */
function removeOld(directory: string): void {
  const all = readdirSync(directory)
    .map((name) => join(directory, name))
    // Another process may remove it in this moment.
    .map((path) => ({ path, usedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedMs - a.usedMs);
  const whole = all.filter(({ path }) => extname(path) === '');
  const kept = new Set(whole.slice(0, keptOfEachKind));
  for (const one of all)
    if (!kept.has(one) && Date.now() - one.usedMs > keptMs)
      rmSync(one.path, { recursive: true, force: true });
}

/** @returns the directory that `make` filled, now or earlier; to be read only. */
export function cachedDirectory(cached: Cached, make: (directory: string) => void): string {
  const place = placeOf(cached);
  const lock = `${place}.lock`;
  while (!isMade(place)) {
    if (!takeLock(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
      continue;
    }
    const fresh = beginAt(place);
    try {
      // Whoever had the lock before may have made it since we looked.
      if (existsSync(place)) continue;
      make(fresh);
      putInPlace(cached, fresh, place);
    } finally {
      endAt(fresh, lock);
    }
  }
  return place;
}

/** The same, of what is made in steps that wait. */
export async function cachedDirectoryLater(
  cached: Cached,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const place = placeOf(cached);
  const lock = `${place}.lock`;
  while (!isMade(place)) {
    if (!takeLock(lock)) {
      await delay(pollMs);
      continue;
    }
    const fresh = beginAt(place);
    try {
      if (existsSync(place)) continue;
      await make(fresh);
      putInPlace(cached, fresh, place);
    } finally {
      endAt(fresh, lock);
    }
  }
  return place;
}
