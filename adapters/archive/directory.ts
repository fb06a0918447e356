/** An archive in a directory: a file an object, written under a name of its own and renamed. One writer at a time. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Unavailable, Unreadable } from '../../core/errors.ts';
import { codeOf } from '../files/read-file.ts';
import { writing } from '../files/write-file.ts';
import type { ArchiveStore, PutWhere, StoredObject } from './store.ts';

interface Stat {
  ino: bigint;
  size: bigint;
  mtimeNs: bigint;
}

const etagOf = ({ ino, size, mtimeNs }: Stat): string => `${ino}-${size}-${mtimeNs}`;

async function orNull<T>(path: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${path}: cannot be read: ${String(error)}`, { cause: error });
  }
}

export class ArchiveDirectory implements ArchiveStore {
  readonly name: string;

  constructor(path: string) {
    this.name = path;
  }

  private pathOf(key: string): string {
    return join(this.name, ...key.split('/'));
  }

  async list(prefix: string): Promise<string[]> {
    const folder = this.pathOf(prefix.slice(0, prefix.lastIndexOf('/') + 1));
    const found = await orNull(folder, () => readdir(folder, { recursive: true, withFileTypes: true }));
    return (found ?? [])
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map((entry) => relative(this.name, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .filter((key) => key.startsWith(prefix))
      .sort();
  }

  async open(key: string): Promise<StoredObject | null> {
    const path = this.pathOf(key);
    const found = await orNull(path, () => stat(path, { bigint: true }));
    if (found === null) return null;
    const [etag, byteLength] = [etagOf(found), Number(found.size)];
    return {
      key,
      etag,
      byteLength,
      slice: async (start, end = byteLength) => {
        const bytes = await orNull(path, async () => {
          const file = await open(path, 'r');
          try {
            if (etagOf(await file.stat({ bigint: true })) !== etag) return null;
            const { buffer, bytesRead } = await file.read({
              buffer: new Uint8Array(end - start),
              position: start,
            });
            return bytesRead === end - start ? buffer.buffer : null;
          } finally {
            await file.close();
          }
        });
        if (bytes === null) throw new Unavailable(`${path}: was replaced while it was read`);
        return bytes as ArrayBuffer;
      },
    };
  }

  async put(key: string, bytes: Uint8Array, where: PutWhere | null): Promise<boolean> {
    const path = this.pathOf(key);
    return writing(path, () => {
      mkdirSync(dirname(path), { recursive: true });
      const part = `${path}.${randomUUID()}.part`;
      try {
        writeFileSync(part, bytes, { flush: true });
        if (where !== null && 'isNew' in where) {
          // Unlike a rename, a link is refused where the name is taken.
          try {
            linkSync(part, path);
          } catch (error) {
            if (codeOf(error) === 'EEXIST') return false;
            throw error;
          }
          return true;
        }
        if (where !== null) {
          const found = statSync(path, { bigint: true, throwIfNoEntry: false });
          if (found === undefined || etagOf(found) !== where.etag) return false;
        }
        renameSync(part, path);
        return true;
      } finally {
        rmSync(part, { force: true });
      }
    });
  }

  async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }
}
