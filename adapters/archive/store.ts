/**
 * Where an archive lies: a bucket or a directory. What is asked of it is what S3 gives: an object is put whole or not at all, on a
 * condition; nothing is moved, and no two objects change together.
 */

export interface StoredObject {
  key: string;
  /** Changes with each put. */
  etag: string;
  byteLength: number;
  /** @throws Unavailable where the object was replaced since it was opened. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** What must be there for an object to be put: nothing, or what was opened. */
export type PutWhere = { isNew: true } | { etag: string };

export interface ArchiveStore {
  /** s3://bucket/prefix or a path: for messages. */
  readonly name: string;
  /** Keys under a prefix, in order. */
  list(prefix: string): Promise<string[]>;
  /** Null where it is not there. */
  open(key: string): Promise<StoredObject | null>;
  /** Null condition: whatever is there. @returns false where the condition is not met, and nothing was written. */
  put(key: string, bytes: Uint8Array, where: PutWhere | null): Promise<boolean>;
  remove(key: string): Promise<void>;
}
