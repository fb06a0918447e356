/** A run in S3: JSON documents and JSON lines under `work/<runId>/` (kept for days) and `runs/<runId>/` (kept long). */
import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import type { z } from 'zod';
import { Unreadable } from '../../core/errors.ts';
import { inertJson } from '../../core/inert.ts';
import { reading } from './failure.ts';
import { PagesWithEnd } from './pages.ts';

export class RunStore {
  private readonly client: S3Client;
  readonly bucket: string;

  constructor(client: S3Client, bucket: string) {
    this.client = client;
    this.bucket = bucket;
  }

  async putJson(key: string, value: unknown): Promise<void> {
    await this.put(key, inertJson(value), 'application/json');
  }

  /** One JSON document a line, also to a reader that ends lines at U+2028. */
  async putLines(key: string, values: readonly unknown[]): Promise<void> {
    await this.put(key, values.map((value) => `${inertJson(value)}\n`).join(''), 'application/x-ndjson');
  }

  /** @throws Unreadable where it is not there or not what the schema says. */
  async getJson<T>(key: string, schema: z.ZodType<T>): Promise<T> {
    return this.parse(key, schema, await this.text(key));
  }

  async getLines<T>(key: string, schema: z.ZodType<T>): Promise<T[]> {
    const lines = (await this.text(key)).split('\n').filter((line) => line !== '');
    return lines.map((line) => this.parse(key, schema, line));
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

  private text(key: string): Promise<string> {
    return reading(`s3:GetObject of ${key}`, async () => {
      const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      return (await Body?.transformToString('utf8')) ?? '';
    });
  }

  private put(key: string, Body: string, ContentType: string): Promise<unknown> {
    return reading(`s3:PutObject of ${key}`, () =>
      this.client.send(new PutObjectCommand({ Bucket: this.bucket, Key: key, Body, ContentType })),
    );
  }
}
