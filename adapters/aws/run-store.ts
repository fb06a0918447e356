/** A run in S3: JSON documents and JSON lines under `work/<runId>/` (kept for days) and `runs/<runId>/` (kept long). */
import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { delay } from 'es-toolkit/promise';
import type { z } from 'zod';
import { Unavailable, Unreadable } from '../../core/errors.ts';
import { sanitizeJson } from '../../core/sanitize.ts';
import { isNotAsItWas, reading } from './failure.ts';
import { PagesWithEnd } from './pages.ts';

/** Others who change a document at the same time are few: runs that end together. */
const maxTries = 6;
const firstPauseMs = 20;

interface Text {
  text: string;
  etag: string | undefined;
}

export class RunStore {
  private readonly client: S3Client;
  readonly bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.client = client;
    this.bucket = bucket;
  }

  /** As it is, to be opened by a browser. */
  async putPage(key: string, page: string): Promise<void> {
    await this.put(key, page, 'text/html; charset=utf-8');
  }

  async putJson(key: string, value: unknown): Promise<void> {
    await this.put(key, sanitizeJson(value), 'application/json');
  }

  /** One JSON document a line, also to a reader that ends lines at U+2028. */
  async putLines(key: string, values: readonly unknown[]): Promise<void> {
    await this.put(key, values.map((value) => `${sanitizeJson(value)}\n`).join(''), 'application/x-ndjson');
  }

  /** As it is. @throws Unreadable where it is not there. */
  async getText(key: string): Promise<string> {
    return (await this.text(key)).text;
  }

  /** @throws Unreadable where it is not there or not what the schema says. */
  async getJson<T>(key: string, schema: z.ZodType<T>): Promise<T> {
    return this.parse(key, schema, (await this.text(key)).text);
  }

  /**
   * Changes a document that others change too: it is written where it still is as it was read, else read again. Whether it is
   * there is found out by listing: S3 answers who may not list the whole bucket with 403.
   * @param change of null where there is none; called again for each try.
   * @throws Unavailable where others were faster each time; Unreadable where it is not what the schema says: it stays as it is.
   */
  async changeJson<T>(key: string, schema: z.ZodType<T>, change: (before: T | null) => T): Promise<T> {
    for (let tried = 0; tried < maxTries; tried++) {
      if (tried > 0) await delay(firstPauseMs * 2 ** tried * Math.random());
      const isThere = await this.has(key);
      const before = isThere ? await this.text(key) : null;
      const after = change(before === null ? null : this.parse(key, schema, before.text));
      if (await this.putWhereAsRead(key, sanitizeJson(after), before)) return after;
    }
    throw new Unavailable(`s3:PutObject of ${key}: others changed it ${maxTries} times meanwhile`);
  }

  async getLines<T>(key: string, schema: z.ZodType<T>): Promise<T[]> {
    const { text } = await this.text(key);
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => this.parse(key, schema, line));
  }

  /** By listing: S3 answers who may not list the whole bucket with 403 for what is not there. */
  async has(key: string): Promise<boolean> {
    return (await this.list(key)).includes(key);
  }

  /** Keys under a prefix, in order. */
  list(prefix: string): Promise<string[]> {
    return reading(`s3:ListBucket of ${prefix}`, async () => {
      const keys = new Set<string>();
      const seen = new PagesWithEnd();
      const request = { Bucket: this.bucket, Prefix: prefix };
      const pages = paginateListObjectsV2({ client: this.client }, request);
      for await (const { Contents, NextContinuationToken } of pages) {
        seen.look(NextContinuationToken);
        for (const { Key } of Contents ?? []) if (Key !== undefined) keys.add(Key);
      }
      return [...keys].sort();
    });
  }

  private parse<T>(key: string, schema: z.ZodType<T>, text: string): T {
    try {
      return schema.parse(JSON.parse(text));
    } catch (error) {
      throw new Unreadable(`s3://${this.bucket}/${key} is not what was written there`, { cause: error });
    }
  }

  private text(key: string): Promise<Text> {
    return reading(`s3:GetObject of ${key}`, async () => {
      const { Body, ETag } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      return { text: (await Body?.transformToString('utf8')) ?? '', etag: ETag };
    });
  }

  /** @returns false where it is not as it was read; also where an answer was lost and the write was made. */
  private putWhereAsRead(key: string, Body: string, before: Text | null): Promise<boolean> {
    return reading(`s3:PutObject of ${key}`, async () => {
      // Without it the write would have no condition.
      if (before?.etag === undefined && before !== null) throw new Error('it was read without its ETag');
      const condition = before === null ? { IfNoneMatch: '*' } : { IfMatch: before.etag };
      try {
        const object = { Bucket: this.bucket, Key: key, Body, ContentType: 'application/json' };
        await this.client.send(new PutObjectCommand({ ...object, ...condition }));
        return true;
      } catch (error) {
        if (isNotAsItWas(error)) return false;
        throw error;
      }
    });
  }

  private put(key: string, Body: string, ContentType: string): Promise<unknown> {
    return reading(`s3:PutObject of ${key}`, () =>
      this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: key, Body, ContentType })),
    );
  }
}
