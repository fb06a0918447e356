/** Pages of reports in the bucket: whether one is there, and an address under which it can be read for minutes. */
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { unreadable } from './failure.ts';

/** As long as a browser may take to follow; the session of the role that signs lives longer. */
const expiresIn = 300;

export interface PageObject {
  bucket: string;
  key: string;
}

/** S3 says 403 and not 404 of what is not there to who may not list, and a reply to HEAD says no more than that. */
const notThere = new Set([403, 404]);

/** @throws Unreadable where S3 does not answer. */
export async function isPageThere(client: S3Client, { bucket, key }: PageObject): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return true;
  } catch (error) {
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
    if (notThere.has($metadata?.httpStatusCode ?? 0)) return false;
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
