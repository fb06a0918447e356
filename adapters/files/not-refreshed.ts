/** That a Region's catalog could not be read, for the commands that come next. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheDirectory } from './cache-directory.ts';
import { readText } from './read-file.ts';

const noteSchema = z.object({
  at: z.iso.datetime(),
  /** With which credentials, as far as their names go. */
  as: z.string(),
});

/** @param region the name of one: it becomes part of a path. */
const noteFile = (region: string): string => join(cacheDirectory(), `catalog-${region}.not-refreshed.json`);

/** When a refresh failed last with the same credentials; null where none did, or nobody can say. */
export function notRefreshedAt(region: string, as: string): Date | null {
  try {
    const note = noteSchema.parse(JSON.parse(readText(noteFile(region), { maxMiB: 1 })));
    return note.as === as ? new Date(note.at) : null;
  } catch {
    return null;
  }
}

/** Where the note cannot be kept, the next command tries again. */
export function noteNotRefreshed(region: string, as: string, at: Date): void {
  try {
    mkdirSync(cacheDirectory(), { recursive: true });
    writeFileSync(noteFile(region), JSON.stringify({ at: at.toISOString(), as }));
  } catch {
    // Nothing depends on it.
  }
}

export function forgetNotRefreshed(region: string): void {
  try {
    rmSync(noteFile(region), { force: true });
  } catch {
    // An hour later it says nothing.
  }
}
