/** An archive in S3, from the command line. */
import { S3Client } from '@aws-sdk/client-s3';
import { ArchiveBucket } from '../adapters/archive/bucket.ts';
import { defaultRegion, ownResources } from '../adapters/aws/session.ts';

/** Where the bucket is in another Region than the credentials name, S3 says in which. */
export async function archiveBucket(
  [name, prefix]: readonly [string, string],
  profile: string | undefined,
): Promise<ArchiveBucket> {
  const client = new S3Client({
    ...ownResources,
    region: (await defaultRegion(profile)) ?? 'us-east-1',
    followRegionRedirects: true,
    ...(profile === undefined ? {} : { profile }),
  });
  return new ArchiveBucket(client, name, prefix);
}
