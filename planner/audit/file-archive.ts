/** An archive whose files were given to a page: read by range, never written. */
import type { ArchiveStore, StoredObject } from '../../adapters/archive/store.ts';
import { Unreadable } from '../../core/errors.ts';
import { lineOf } from '../picked-file.ts';
import type { FilesOfArchive } from './given-files.ts';

export class FileArchive implements ArchiveStore {
  readonly name: string;
  private readonly files: ReadonlyMap<string, Blob>;
  private readonly keys: readonly string[];

  constructor({ name, files }: FilesOfArchive<Blob>) {
    this.name = name;
    this.files = new Map(files.map(({ key, file }) => [key, file]));
    this.keys = [...this.files.keys()].sort();
  }

  list(prefix: string): Promise<string[]> {
    return Promise.resolve(this.keys.filter((key) => key.startsWith(prefix)));
  }

  open(key: string): Promise<StoredObject | null> {
    const file = this.files.get(key);
    if (file === undefined) return Promise.resolve(null);
    return Promise.resolve({
      key,
      etag: '',
      byteLength: file.size,
      slice: async (start, end = file.size) => {
        try {
          return await file.slice(start, end).arrayBuffer();
        } catch (error) {
          throw new Unreadable(`${this.name}: ${key}: cannot be read: ${lineOf(error)}`, { cause: error });
        }
      },
    });
  }

  put(): Promise<boolean> {
    return Promise.reject(new Unreadable(`${this.name}: a page writes no archive`));
  }

  remove(): Promise<void> {
    return Promise.reject(new Unreadable(`${this.name}: a page changes no archive`));
  }
}
