/** The pages of reports: there or not, and the addresses under which they can be read. */
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { isPageThere, pageUrl } from '../../../adapters/aws/report-page.ts';
import { Unavailable } from '../../../core/errors.ts';
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

  test.each([
    [404, 'NotFound'],
    // Without the permission to list, S3 does not say that it is not there.
    [403, 'Forbidden'],
  ])('it is not where S3 says %i', async (status, name) => {
    failing(status, name);
    expect(await isPageThere(client, page)).toBe(false);
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
