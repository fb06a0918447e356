/** The cache of `catalog refresh` where it is odd or old, and what a refresh keeps of it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import { cachedCatalog } from '../../adapters/files/cached-catalog.ts';
import { type StoredCatalog, storedCatalogSchema } from '../../core/catalog/region-catalog.ts';
import { describedInstanceType as described } from '../fixtures/described-instance-type.ts';
import { aStoredCatalog, somePrices } from '../fixtures/region-catalog.ts';
import { catalogAccount } from './catalog-account.ts';
import { expectOneLine } from './expect-one-line.ts';
import { runCli } from './run-cli.ts';

const { account, directory, file, cached, refresh, show } = catalogAccount();
const stored = (region?: string): StoredCatalog =>
  storedCatalogSchema.parse(JSON.parse(readFileSync(file(region), 'utf8')));

describe('a cache that is no file of ours is one line, at once', () => {
  test.each<[string, () => void, RegExp]>([
    [
      'a named pipe',
      () => execFileSync('sh', ['-c', 'mkfifo "$0"', file()]),
      /it is not a regular file; expected what /,
    ],
    ['a directory', () => mkdirSync(file()), /it is not a regular file; expected what /],
    [
      'one that is too large',
      () => {
        cached('');
        truncateSync(file(), 16 * 1024 * 1024 + 1);
      },
      /it is larger than 16 MiB; expected what .* writes: run it again, or remove the file/,
    ],
  ])('%s', async (_, make, why) => {
    mkdirSync(dirname(file()), { recursive: true });
    make();
    await expectOneLine(['catalog', 'show', '--region', 'eu-central-1'], why);
  });
});

describe('a Region is never a path', () => {
  const outside = (): string => directory.write('outside.json', 'secret of another file');

  test('a text that is no Region has no cache', () => {
    outside();
    mkdirSync(dirname(file()), { recursive: true });
    // catalog-x/ need not be there: join() takes "catalog-x/../../.." away.
    for (const region of ['x/../../../outside', '../../outside', '', 'eu-central-1/'])
      expect(cachedCatalog(region)).toBeNull();
  });

  test('in recorded series it is refused, and nothing of the other file is said', async () => {
    outside();
    directory.write('recorded/volumes.json', {
      volumes: [
        {
          ...{ volumeId: 'db', series: 's.csv', volumeType: 'gp3', sizeGiB: 100 },
          region: 'x/../../../outside',
        },
      ],
    });
    const argv = ['audit', '--recorded', `${directory.path}/recorded`];
    await expectOneLine(argv, /volumes\[0\]\.region is not as expected: not a Region like us-east-1/);
    expect((await runCli(...argv)).err).not.toContain('secret');
  });
});

describe('where what was read is older than what comes with stripewise', () => {
  const old = (asOf: string) => {
    const prices = somePrices({ region: 'us-east-1' });
    const ebs = prices.ebs === null ? null : { ...prices.ebs, asOf, gp3PerIops: 0.007 };
    return aStoredCatalog({ region: 'us-east-1', prices: { ...prices, ebs } });
  };

  test('the newer is used, and said', async () => {
    cached(old('2026-08-01'), 'us-east-1');
    expect(await show()).toMatchObject({
      refreshedAt: null,
      ebsPrices: { asOf: '2026-09-30', gp3PerIops: 0.005 },
    });
    const { out } = await runCli('catalog', 'show');
    expect(out).toContain('from         this Region, and the tables that come with stripewise');
    expect(out).toContain('(comes with stripewise; newer than what was read, 2026-08-01)');
  });

  test('what was read is used where it is the newer one', async () => {
    cached(old('2026-10-01'), 'us-east-1');
    expect(await show()).toMatchObject({
      refreshedAt: '2026-11-18T00:00:00.000Z',
      ebsPrices: { asOf: '2026-10-01', gp3PerIops: 0.007 },
    });
  });
});

describe('refresh', () => {
  test('keeps a price that is not reported any more, with the time when it was read, and says so', async () => {
    cached(aStoredCatalog({ region: 'eu-west-3' }), 'eu-west-3');
    // The local Price List does not know eu-west-3.
    const { code, out, err } = await runCli('catalog', 'refresh', '--region', 'eu-west-3');
    expect(code).toBe(0);
    expect(err).toContain('there are no rows. EBS prices of 2026-11-15 are used.\n');
    expect(out).not.toContain('not known any more');
    const { prices, pricesReadAt, refreshedAt } = stored('eu-west-3');
    expect(prices).toEqual(somePrices({ region: 'eu-west-3' }));
    expect([refreshedAt, pricesReadAt.ebs]).toEqual(['2026-11-20T12:34:56.000Z', '2026-11-18T00:00:00.000Z']);
    expect((await show('--region', 'eu-west-3')).refreshedAt).toBe('2026-11-18T00:00:00.000Z');
  });

  test('says which prices were not known before', async () => {
    const { out } = await refresh();
    expect(out).toContain('3 prices not known before: EBS, m5.large, m5.xlarge');
    expect((await refresh()).out).toContain('nothing is different from what was read 2026-11-20');
  });

  test('leaves out a type that could not be read again, and names it', async () => {
    const odd = described('m9.large', { InstanceStorageInfo: { TotalSizeInGB: 0, Disks: [] } });
    account.ec2.on(DescribeInstanceTypesCommand).resolves({
      InstanceTypes: [odd, described('m5.large')] as never,
    });
    const { code, err } = await refresh();
    expect(code).toBe(0);
    expect(err).toMatch(
      /1 of 2 instance types of eu-central-1 .* left out\. Among them: m9\.large \(instanceStore\.disks: /,
    );
    expect(stored().instanceTypes.types).toHaveLength(1);
    expect(await show('--region', 'eu-central-1')).toMatchObject({ instanceTypes: { known: 1 } });
  });
});
