/** Objects of a bucket deleted part by part, whatever versions there are. */
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { deleteSomeObjects } from '../../../adapters/aws/delete-objects.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const s3 = mockClient(S3Client);
const client = new S3Client({ region: 'us-east-1' });
const { signal } = new AbortController();
const deleteSome = () => deleteSomeObjects(client, 'runs', signal);
const deleted = () => s3.commandCalls(DeleteObjectsCommand).map(({ args: [{ input }] }) => input);

beforeEach(() => {
  s3.reset();
  s3.on(DeleteObjectsCommand).resolves({});
});

test('lists the first 1,000 and deletes them in one call, without their names in the reply', async () => {
  s3.on(ListObjectVersionsCommand).resolves({
    Versions: [
      { Key: 'runs/1/summary.json', VersionId: 'null' },
      { Key: 'work/1/a', VersionId: 'v2' },
    ],
    DeleteMarkers: [{ Key: 'work/1/a', VersionId: 'v3' }],
  });
  expect(await deleteSome()).toBe(3);
  expect(s3.commandCalls(ListObjectVersionsCommand)[0]?.args[0].input).toEqual({
    Bucket: 'runs',
    MaxKeys: 1_000,
  });
  expect(deleted()).toEqual([
    {
      Bucket: 'runs',
      Delete: {
        Quiet: true,
        Objects: [
          { Key: 'runs/1/summary.json', VersionId: 'null' },
          { Key: 'work/1/a', VersionId: 'v2' },
          { Key: 'work/1/a', VersionId: 'v3' },
        ],
      },
    },
  ]);
});

test('of an empty bucket nothing is deleted', async () => {
  s3.on(ListObjectVersionsCommand).resolves({});
  expect(await deleteSome()).toBe(0);
  expect(deleted()).toEqual([]);
});

test('a bucket that somebody removed before has nothing left to delete', async () => {
  s3.on(ListObjectVersionsCommand).rejects(
    awsError('NoSuchBucket', 'The specified bucket does not exist', 404),
  );
  expect(await deleteSome()).toBe(0);
});

test('more than one call takes are left for the next', async () => {
  const Versions = Array.from({ length: 1_200 }, (_, at) => ({ Key: `${at}`, VersionId: 'null' }));
  s3.on(ListObjectVersionsCommand).resolves({ Versions });
  expect(await deleteSome()).toBe(1_000);
  expect(deleted()[0]?.Delete?.Objects).toHaveLength(1_000);
});

describe('what cannot be deleted', () => {
  const locked = { Key: 'runs/1/a', Code: 'AccessDenied', Message: 'object protected by object lock' };
  const Versions = [
    { Key: 'runs/1/a', VersionId: 'v1' },
    { Key: 'runs/1/b', VersionId: 'v1' },
  ];

  test('does not keep the others: it is met again in the next list', async () => {
    s3.on(ListObjectVersionsCommand).resolves({ Versions });
    s3.on(DeleteObjectsCommand).resolves({ Errors: [locked] });
    expect(await deleteSome()).toBe(1);
  });

  test('is named once nothing else is left', async () => {
    s3.on(ListObjectVersionsCommand).resolves({ Versions: Versions.slice(0, 1) });
    s3.on(DeleteObjectsCommand).resolves({ Errors: [locked] });
    await expect(deleteSome()).rejects.toThrow(Unreadable);
    await expect(deleteSome()).rejects.toThrow(
      's3:DeleteObjects in runs deleted none of 1; of runs/1/a it says AccessDenied: object protected by object lock',
    );
  });
});

test('a refusal names the call and the bucket', async () => {
  s3.on(ListObjectVersionsCommand).resolves({ Versions: [{ Key: 'a', VersionId: 'null' }] });
  s3.on(DeleteObjectsCommand).rejects(awsError('AccessDenied', 'Access Denied', 403));
  await expect(deleteSome()).rejects.toThrow(AccessDenied);
  await expect(deleteSome()).rejects.toThrow('s3:DeleteObjects in runs failed: AccessDenied: Access Denied');
  s3.on(ListObjectVersionsCommand).rejects(awsError('AccessDenied', 'Access Denied', 403));
  await expect(deleteSome()).rejects.toThrow('s3:ListBucketVersions of runs failed: AccessDenied');
});
