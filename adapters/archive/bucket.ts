/** An archive in S3. A put is whole or not at all; what it replaces is said by its ETag. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Unavailable } from '../../core/errors.ts';
import { isNotAsItWas, reading } from '../aws/failure.ts';
import { PagesWithEnd } from '../aws/pages.ts';
import type { ArchiveStore, PutWhere, StoredObject } from './store.ts';

interface Listed {
  key: string;
  etag: string;
  byteLength: number;
}

export class ArchiveBucket implements ArchiveStore {
  private readonly client: S3Client;
  private readonly bucket: string;
  /** Empty, or ends with a slash. */
  private readonly prefix: string;
  /** By prefix; null: none is kept. */
  private keptListings: Map<string, Promise<Map<string, Listed>>> | null = null;

  constructor(client: S3Client, bucket: string, prefix = '') {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  }

  get name(): string {
    return `s3://${this.bucket}/${this.prefix}`;
  }

  list(prefix: string): Promise<string[]> {
    return reading(`s3:ListBucket of ${prefix}`, async () => {
      const found = await this.listing(prefix);
      return [...found.keys()].sort();
    });
  }

  /** From now on each folder is listed once, however many objects are opened in it: for who reads many, and writes none. */
  keepListings(): void {
    this.keptListings = new Map();
  }

  private async find(key: string): Promise<Listed | undefined> {
    const kept = this.keptListings;
    if (kept === null) return (await this.listed(key)).find((one) => one.key === key);
    const prefix =
      [...kept.keys()].find((one) => key.startsWith(one)) ?? key.slice(0, key.lastIndexOf('/') + 1);
    return (await this.listing(prefix)).get(key);
  }

  /** Who asks while it is being listed waits for the same answer; one that failed is asked for again. */
  private listing(prefix: string): Promise<Map<string, Listed>> {
    const known = this.keptListings?.get(prefix);
    if (known !== undefined) return known;
    const found = this.listed(prefix).then((all) => new Map(all.map((one) => [one.key, one])));
    this.keptListings?.set(prefix, found);
    found.catch(() => this.keptListings?.delete(prefix));
    return found;
  }

  /** By listing: S3 answers who may not list the whole bucket with 403 for what is not there; size and ETag come with it. */
  open(key: string): Promise<StoredObject | null> {
    return reading(`s3:ListBucket of ${key}`, async () => {
      const found = await this.find(key);
      if (found === undefined) return null;
      const { etag, byteLength } = found;
      return {
        key,
        etag,
        byteLength,
        slice: (start, end = byteLength) => this.range(key, etag, start, end),
      };
    });
  }

  async put(key: string, bytes: Uint8Array, where: PutWhere | null): Promise<boolean> {
    const condition = where === null ? {} : 'isNew' in where ? { IfNoneMatch: '*' } : { IfMatch: where.etag };
    const object = { Bucket: this.bucket, Key: `${this.prefix}${key}`, Body: bytes, ...condition };
    return reading(`s3:PutObject of ${key}`, async () => {
      try {
        await this.client.send(new PutObjectCommand(object));
        return true;
      } catch (error) {
        if (where !== null && isNotAsItWas(error)) return false;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    await reading(`s3:DeleteObject of ${key}`, () =>
      this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: `${this.prefix}${key}` })),
    );
  }

  private async listed(prefix: string): Promise<Listed[]> {
    const found: Listed[] = [];
    const seen = new PagesWithEnd();
    const request = { Bucket: this.bucket, Prefix: `${this.prefix}${prefix}` };
    for await (const page of paginateListObjectsV2({ client: this.client }, request)) {
      seen.look(page.NextContinuationToken);
      for (const { Key, ETag, Size } of page.Contents ?? []) {
        if (Key === undefined || ETag === undefined || Size === undefined) continue;
        found.push({ key: Key.slice(this.prefix.length), etag: ETag, byteLength: Size });
      }
    }
    return found;
  }

  private range(key: string, etag: string, start: number, end: number): Promise<ArrayBuffer> {
    return reading(`s3:GetObject of ${key}`, async () => {
      try {
        const { Body } = await this.client.send(
          new GetObjectCommand({
            Bucket: this.bucket,
            Key: `${this.prefix}${key}`,
            Range: `bytes=${start}-${end - 1}`,
            IfMatch: etag,
          }),
        );
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        if (bytes.byteLength !== end - start) {
          throw new Unavailable(`s3:GetObject of ${key}: ${bytes.byteLength} of ${end - start} bytes came`);
        }
        // Copied only where it is a part of something larger.
        const isWhole = bytes.byteLength === bytes.buffer.byteLength;
        return (isWhole ? bytes : bytes.slice()).buffer as ArrayBuffer;
      } catch (error) {
        if (isNotAsItWas(error))
          throw new Unavailable(`s3:GetObject of ${key}: was replaced while it was read`);
        throw error;
      }
    });
  }
}
