/** The archive in S3: what each call asks, and what an answer means. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { ArchiveBucket } from '../../../adapters/archive/bucket.ts';
import { awsError } from '../aws/aws-error.ts';

const s3 = mockClient(S3Client);
const store = new ArchiveBucket(new S3Client({ region: 'us-east-1' }), 'bucket', 'a/prefix');
beforeEach(() => s3.reset());

const bodyOf = (text: string) =>
  ({ Body: { transformToByteArray: async () => new TextEncoder().encode(text) } }) as never;

const listing = (...keys: string[]) => ({
  Contents: keys.map((Key) => ({ Key, ETag: '"1"', Size: 100 })),
});

test('keys are below the prefix of the archive, and come back without it', async () => {
  s3.on(ListObjectsV2Command).resolves(listing('a/prefix/history/b', 'a/prefix/history/a'));
  expect(await store.list('history/')).toEqual(['history/a', 'history/b']);
  expect(s3.commandCalls(ListObjectsV2Command)[0]?.args[0].input).toMatchObject({
    Prefix: 'a/prefix/history/',
  });
});

test('a range is asked for of the object that was opened, not of one that took its place', async () => {
  s3.on(ListObjectsV2Command).resolves(listing('a/prefix/k', 'a/prefix/k2'));
  s3.on(GetObjectCommand).resolves(bodyOf('abcd'));
  const opened = await store.open('k');
  expect(opened).toMatchObject({ key: 'k', etag: '"1"', byteLength: 100 });
  expect(new Uint8Array((await opened?.slice(96)) as ArrayBuffer)).toEqual(
    Uint8Array.from(Buffer.from('abcd')),
  );
  expect(s3.commandCalls(GetObjectCommand)[0]?.args[0].input).toEqual({
    ...{ Bucket: 'bucket', Key: 'a/prefix/k', Range: 'bytes=96-99', IfMatch: '"1"' },
  });
  s3.on(GetObjectCommand).rejects(awsError('PreconditionFailed', 'no', 412));
  await expect(opened?.slice(96)).rejects.toThrow('k: was replaced while it was read');
});

test('an answer that lies in a larger buffer is that answer alone', async () => {
  s3.on(ListObjectsV2Command).resolves(listing('a/prefix/k'));
  const larger = new TextEncoder().encode('xabcdx');
  s3.on(GetObjectCommand).resolves({
    Body: { transformToByteArray: async () => larger.subarray(1, 5) },
  } as never);
  const bytes = await (await store.open('k'))?.slice(0, 4);
  expect(new TextDecoder().decode(bytes)).toBe('abcd');
  expect(bytes?.byteLength).toBe(4);
});

test('an answer that is cut is no answer: 3 of 4 bytes', async () => {
  s3.on(ListObjectsV2Command).resolves(listing('a/prefix/k'));
  s3.on(GetObjectCommand).resolves(bodyOf('abc'));
  await expect((await store.open('k'))?.slice(0, 4)).rejects.toThrow('3 of 4 bytes came');
});

test('what is not there is null; what the listing only begins with is not it', async () => {
  s3.on(ListObjectsV2Command).resolves(listing('a/prefix/k2'));
  expect(await store.open('k')).toBeNull();
});

test('a put is on a condition; where it is not met nothing is written and false is said', async () => {
  const bytes = Uint8Array.of(1);
  s3.on(PutObjectCommand).resolves({});
  expect(await store.put('k', bytes, { isNew: true })).toBe(true);
  expect(await store.put('k', bytes, { etag: '"1"' })).toBe(true);
  expect(await store.put('k', bytes, null)).toBe(true);
  const object = { Bucket: 'bucket', Key: 'a/prefix/k', Body: bytes };
  expect(s3.commandCalls(PutObjectCommand).map((call) => call.args[0].input)).toEqual([
    { ...object, IfNoneMatch: '*' },
    { ...object, IfMatch: '"1"' },
    object,
  ]);
  for (const name of ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey']) {
    s3.on(PutObjectCommand).rejects(awsError(name, 'no', 412));
    expect(await store.put('k', bytes, { etag: '"1"' })).toBe(false);
  }
  s3.on(PutObjectCommand).rejects(awsError('AccessDenied', 'no', 403));
  await expect(store.put('k', bytes, { isNew: true })).rejects.toThrow(
    /s3:PutObject of k failed.*AccessDenied/,
  );
});

test('a removal names one key', async () => {
  s3.on(DeleteObjectCommand).resolves({});
  await store.remove('k');
  expect(s3.commandCalls(DeleteObjectCommand)[0]?.args[0].input).toEqual({
    Bucket: 'bucket',
    Key: 'a/prefix/k',
  });
});

test('who keeps listings lists a folder once, however many of its objects are opened at once', async () => {
  const reader = new ArchiveBucket(new S3Client({ region: 'us-east-1' }), 'bucket');
  reader.keepListings();
  s3.on(ListObjectsV2Command).resolves(listing('history/day=1/a', 'history/day=1/b'));
  const opened = await Promise.all(['a', 'b', 'c'].map((name) => reader.open(`history/day=1/${name}`)));
  expect(opened.map((one) => one?.key)).toEqual(['history/day=1/a', 'history/day=1/b', undefined]);
  expect(s3.commandCalls(ListObjectsV2Command).map(({ args }) => args[0].input.Prefix)).toEqual([
    'history/day=1/',
  ]);
});

test('a listing that failed is asked for again', async () => {
  const reader = new ArchiveBucket(new S3Client({ region: 'us-east-1' }), 'bucket');
  reader.keepListings();
  s3.on(ListObjectsV2Command)
    .rejectsOnce(awsError('AccessDenied', 'no', 403))
    .resolves(listing('history/day=1/a'));
  await expect(reader.open('history/day=1/a')).rejects.toThrow('AccessDenied');
  expect((await reader.open('history/day=1/a'))?.key).toBe('history/day=1/a');
});
