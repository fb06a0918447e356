/** Deletes what is in a bucket, part by part, in every version. */
import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Unreadable } from '../../core/errors.ts';
import { isNoSuchBucket, reading } from './failure.ts';

/** The most that one DeleteObjects takes. Source: its API reference, read 2026-11-22. */
const keysACall = 1_000;

/** In a bucket that never had versions every object has one, "null". Null where there is no such bucket. */
const firstVersions = (
  client: S3Client,
  bucket: string,
  abortSignal: AbortSignal,
): Promise<ListObjectVersionsCommandOutput | null> =>
  reading(`s3:ListBucketVersions of ${bucket}`, () =>
    client
      .send(new ListObjectVersionsCommand({ Bucket: bucket, MaxKeys: keysACall }), { abortSignal })
      .catch((error: unknown) => {
        if (isNoSuchBucket(error)) return null;
        throw error;
      }),
  );

/**
 * Deletes at most 1,000 versions and delete markers; from the first key on, so that what could not be deleted is met again.
 * @returns how many were deleted: 0 where the bucket is empty, or is not there.
 * @throws Unreadable where none of them could be deleted, with what S3 says of the first.
 */
export async function deleteSomeObjects(
  client: S3Client,
  bucket: string,
  abortSignal: AbortSignal,
): Promise<number> {
  const listed = await firstVersions(client, bucket, abortSignal);
  const objects = [...(listed?.Versions ?? []), ...(listed?.DeleteMarkers ?? [])]
    .map(({ Key, VersionId }) => ({ Key, VersionId }))
    .slice(0, keysACall);
  if (objects.length === 0) return 0;
  return reading(`s3:DeleteObjects in ${bucket}`, async () => {
    const Delete = { Objects: objects, Quiet: true };
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }), {
      abortSignal,
    });
    const [first] = Errors;
    if (first !== undefined && Errors.length === objects.length) {
      throw new Unreadable(
        `s3:DeleteObjects in ${bucket} deleted none of ${objects.length}; of ${first.Key} it says ${first.Code}: ${first.Message}`,
      );
    }
    return objects.length - Errors.length;
  });
}
