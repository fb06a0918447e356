/** The stored catalog of a Region: used where it is there and sound, and nothing is left unjudged where it is not. */
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { AccessDenied } from '../../../core/errors.ts';
import { regionCatalogToEvaluate, storedCatalog } from '../../../lambdas/shared/stored-catalog.ts';
import { awsError } from '../../adapters/aws/aws-error.ts';
import { aStoredCatalog } from '../../fixtures/region-catalog.ts';

const s3 = mockClient(S3Client);
const store = new RunStore(new S3Client({ region: 'us-east-1' }), 'runs-bucket');
const key = 'catalog/eu-central-1.json';

beforeEach(() => {
  s3.reset();
});

function keep(text: string, Key = key): void {
  s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key }] });
  s3.on(GetObjectCommand).callsFake(() => ({ Body: { transformToString: async () => text } }));
}

test('comes back as it was written, under the key of its Region', async () => {
  const regionCatalog = aStoredCatalog();
  keep(JSON.stringify(regionCatalog));
  expect(await storedCatalog(store, 'eu-central-1')).toEqual(regionCatalog);
  expect(s3.commandCalls(ListObjectsV2Command)[0]?.args[0].input).toMatchObject({ Prefix: key });
  const { regionCatalog: evaluated, notices } = await regionCatalogToEvaluate(store, 'eu-central-1');
  expect([evaluated.refreshedAt, notices]).toEqual([regionCatalog.refreshedAt, []]);
  expect(evaluated.prices.instanceMonthlyUsd('m1.large')).toEqual({ known: true, value: 0.12 * 730 });
});

test.each([
  ['none', []],
  ['another key that begins so', [{ Key: `${key}.old` }]],
])(
  'with %s there the table that comes with stripewise is used, without a word, and nothing is got',
  async (_, Contents) => {
    s3.on(ListObjectsV2Command).resolves({ Contents });
    expect(await storedCatalog(store, 'eu-central-1')).toBeNull();
    const { regionCatalog, notices } = await regionCatalogToEvaluate(store, 'eu-central-1');
    expect([regionCatalog.refreshedAt, notices]).toEqual([null, []]);
    expect(s3.commandCalls(GetObjectCommand)).toEqual([]);
  },
);

test.each([
  [
    'gone between the two calls',
    () => {
      s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: key }] });
      s3.on(GetObjectCommand).rejects(awsError('NoSuchKey', 'The specified key does not exist.', 404));
    },
  ],
  ['broken', () => keep('{"region":')],
  ['of another Region', () => keep(JSON.stringify(aStoredCatalog({ region: 'us-west-2' })))],
  ['of an older form', () => keep(JSON.stringify({ ...aStoredCatalog(), prices: {} }))],
])('one that is %s is said, and the table that comes with stripewise is used', async (_, happens) => {
  happens();
  const { regionCatalog, notices, incomplete } = await regionCatalogToEvaluate(store, 'eu-central-1');
  expect(regionCatalog.refreshedAt).toBeNull();
  expect(incomplete).toEqual([]);
  expect(notices).toEqual([
    { code: 'stored-prices-unreadable', region: 'eu-central-1', reason: expect.any(String) },
  ]);
});

test.each([
  ['list', ListObjectsV2Command, 's3:ListBucket'],
  ['get', GetObjectCommand, 's3:GetObject'],
] as const)(
  'where we may not %s it the table that comes with stripewise is used, and the run is partial',
  async (_, command, call) => {
    keep('');
    s3.on(command as typeof GetObjectCommand).rejects(awsError('AccessDenied', 'Access Denied', 403));
    const { regionCatalog, notices, incomplete } = await regionCatalogToEvaluate(store, 'eu-central-1');
    expect([regionCatalog.refreshedAt, notices]).toEqual([null, []]);
    expect(incomplete).toEqual([
      {
        code: 'stored-prices-unreadable',
        ...{ region: 'eu-central-1', reason: `${call} of ${key} failed: AccessDenied: Access Denied` },
      },
    ]);
  },
);

test('who refreshes it is told that it is denied', async () => {
  s3.on(ListObjectsV2Command).rejects(awsError('AccessDenied', 'Access Denied', 403));
  await expect(storedCatalog(store, 'eu-central-1')).rejects.toThrow(AccessDenied);
});

test.each(['../runs/latest', 'eu-central-1.json?', ''])(
  '"%s" is no Region: nothing is asked for',
  async (region) => {
    expect(await storedCatalog(store, region)).toBeNull();
    expect(s3.commandCalls(ListObjectsV2Command)).toEqual([]);
  },
);
