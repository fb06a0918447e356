/** Pages of reports in the bucket: whether one is there, and an address under which it can be read for minutes. */
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { reading, unreadable } from './failure.ts';

/** As long as a browser may take to follow; the session of the role that signs lives longer. */
const expiresIn = 300;

export interface PageObject {
  bucket: string;
  key: string;
}

const isListed = (client: S3Client, { bucket, key }: PageObject): Promise<boolean> =>
  reading(`s3:ListBucket of ${key}`, async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key }));
    return Contents.some(({ Key }) => Key === key);
  });

/**
 * A reply to HEAD with 403 says no more than that: S3 gives it of what is forbidden, and of what is not there to who may
 * not list the whole bucket. The list tells these apart.
 * @throws Unreadable where S3 does not answer; AccessDenied where the page is there and may not be read.
 */
export async function isPageThere(client: S3Client, { bucket, key }: PageObject): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return true;
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    if (status === 404) return false;
    if (status === 403 && !(await isListed(client, { bucket, key }))) return false;
    throw unreadable(`s3:HeadObject of ${key}`, error);
  }
}

/** Good for one method: an address that was signed for GET is refused to HEAD. */
export function pageUrl(
  client: S3Client,
  { bucket, key }: PageObject,
  method: 'GET' | 'HEAD',
): Promise<string> {
  const asked = {
    Bucket: bucket,
    Key: key,
    ResponseContentType: 'text/html; charset=utf-8',
    ResponseContentDisposition: 'inline',
  };
  return method === 'GET'
    ? getSignedUrl(client, new GetObjectCommand(asked), { expiresIn })
    : getSignedUrl(client, new HeadObjectCommand(asked), { expiresIn });
}
