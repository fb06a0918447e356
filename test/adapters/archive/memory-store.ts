/** A store with what S3 gives and no more; it can stop at any change, before it is made or after, when the answer is lost. */
import { createHash } from 'node:crypto';
import type { ArchiveStore, PutWhere, StoredObject } from '../../../adapters/archive/store.ts';
import { Unavailable } from '../../../core/errors.ts';

export class Stopped extends Error {}

export class MemoryStore implements ArchiveStore {
  readonly name = 'memory';
  readonly objects: Map<string, Uint8Array>;
  /** Puts and removals that were made. */
  changes = 0;
  /** The change at which everything stops; its answer is lost. */
  stopAt: { change: number; isMade: boolean } | null = null;
  /** Ranges that were read: key and bytes. */
  reads: { key: string; bytes: number }[] = [];

  constructor(objects: ReadonlyMap<string, Uint8Array> = new Map()) {
    this.objects = new Map(objects);
  }

  private change(make: () => void): void {
    const isStop = this.stopAt?.change === this.changes;
    if (isStop && !this.stopAt?.isMade) throw new Stopped();
    make();
    this.changes++;
    if (isStop) throw new Stopped();
  }

  async list(prefix: string): Promise<string[]> {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  async open(key: string): Promise<StoredObject | null> {
    const bytes = this.objects.get(key);
    if (bytes === undefined) return null;
    return {
      key,
      etag: createHash('md5').update(bytes).digest('hex'),
      byteLength: bytes.byteLength,
      slice: async (start, end = bytes.byteLength) => {
        if (this.objects.get(key) !== bytes) throw new Unavailable(`${key}: was replaced`);
        this.reads.push({ key, bytes: end - start });
        return Uint8Array.from(bytes.subarray(start, end)).buffer;
      },
    };
  }

  async put(key: string, bytes: Uint8Array, where: PutWhere | null): Promise<boolean> {
    const found = await this.open(key);
    if (where !== null && ('isNew' in where ? found !== null : found?.etag !== where.etag)) return false;
    this.change(() => this.objects.set(key, Uint8Array.from(bytes)));
    return true;
  }

  async remove(key: string): Promise<void> {
    this.change(() => this.objects.delete(key));
  }
}
