/** The pages of reports: there or not, and the addresses under which they can be read. */
import { HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { isPageThere, pageUrl } from '../../../adapters/aws/report-page.ts';
import { AccessDenied, Unavailable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const page = { bucket: 'runs-bucket', key: 'runs/run-1/report.html' };
const credentials = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
const client = new S3Client({ region: 'eu-central-1', credentials });

describe('whether a page is there', () => {
  const s3 = mockClient(S3Client);
  beforeEach(() => {
    s3.reset();
  });
  afterAll(() => {
    s3.restore();
  });
  const failing = (httpStatusCode: number, name: string): void => {
    s3.on(HeadObjectCommand).rejects(Object.assign(awsError(name, ''), { $metadata: { httpStatusCode } }));
  };

  test('it is where S3 tells of it', async () => {
    s3.on(HeadObjectCommand, { Bucket: 'runs-bucket', Key: 'runs/run-1/report.html' }).resolves({});
    expect(await isPageThere(client, page)).toBe(true);
  });

  test('it is not where S3 says so', async () => {
    failing(404, 'NotFound');
    expect(await isPageThere(client, page)).toBe(false);
  });

  const listed = (...keys: string[]) =>
    s3
      .on(ListObjectsV2Command, { Bucket: 'runs-bucket', Prefix: page.key })
      .resolves({ Contents: keys.map((Key) => ({ Key })) });

  test('it is not where S3 will not say, and lists it not', async () => {
    failing(403, 'Forbidden');
    listed(`${page.key}.part`);
    expect(await isPageThere(client, page)).toBe(false);
  });

  test('one that is there and may not be read is trouble, and none that is gone', async () => {
    failing(403, 'Forbidden');
    listed(page.key);
    await expect(isPageThere(client, page)).rejects.toThrow(AccessDenied);
    await expect(isPageThere(client, page)).rejects.toThrow(/^s3:HeadObject of runs\/run-1\/report\.html/);
  });

  test('nobody knows where it may not be listed either', async () => {
    failing(403, 'Forbidden');
    s3.on(ListObjectsV2Command).rejects(awsError('AccessDenied', 'No.', 403));
    await expect(isPageThere(client, page)).rejects.toThrow(/^s3:ListBucket of runs\/run-1\/report\.html/);
  });

  test('nobody knows where S3 has trouble', async () => {
    failing(503, 'ServiceUnavailable');
    await expect(isPageThere(client, page)).rejects.toThrow(Unavailable);
    await expect(isPageThere(client, page)).rejects.toThrow(
      /^s3:HeadObject of runs\/run-1\/report\.html failed/,
    );
  });
});

test.each(['GET', 'HEAD'] as const)(
  'an address for %s is of the bucket, for five minutes, and shows a page',
  async (method) => {
    const url = new URL(await pageUrl(client, page, method));
    expect(url.origin + url.pathname).toBe(
      'https://runs-bucket.s3.eu-central-1.amazonaws.com/runs/run-1/report.html',
    );
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      'X-Amz-Expires': '300',
      'X-Amz-Security-Token': 'token',
      'X-Amz-SignedHeaders': 'host',
      'response-content-type': 'text/html; charset=utf-8',
      'response-content-disposition': 'inline',
    });
  },
);

test('an address for GET is another than one for HEAD: S3 looks at the method that was signed', async () => {
  const signature = async (method: 'GET' | 'HEAD') =>
    new URL(await pageUrl(client, page, method)).searchParams.get('X-Amz-Signature');
  expect(await signature('GET')).not.toBe(await signature('HEAD'));
});
