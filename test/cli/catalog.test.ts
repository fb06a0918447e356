/** `catalog`: what is known of a Region, and reading it anew from the account into a cache that all commands use. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import { type StoredCatalog, storedCatalogSchema } from '../../core/catalog/region-catalog.ts';
import { catalogAnswerSchema } from '../../core/schemas/catalog-answer.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { describedInstanceType as described } from '../fixtures/described-instance-type.ts';
import { aStoredCatalog } from '../fixtures/region-catalog.ts';
import { catalogAccount } from './catalog-account.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';

const { account, directory, file, refresh, show, cached } = catalogAccount();

describe('show', () => {
  test('without a refresh it is what comes with stripewise, and says so', async () => {
    const answer = await show();
    expect(catalogAnswerSchema.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      ...{ region: 'us-east-1', refreshedAt: null, instanceType: null },
      instanceTypes: { known: 1_395, withEbsLimits: 1_376, withPrice: 1_340 },
      ebsPrices: { asOf: '2026-09-30', gp3PerMiBps: 0.04 },
    });
    const { out } = await runCli('catalog', 'show');
    expect(out).toContain('us-east-1: 1,395 instance types, EBS limits of 1,376, prices of 1,340');
    expect(out).toContain('the tables that come with stripewise');
    expect(out).toContain('Next: stripewise catalog refresh --region us-east-1');
  });

  test('a Region without prices says that they are not known', async () => {
    expect(await show('--region', 'eu-west-3')).toMatchObject({ ebsPrices: null, priceSources: [] });
    expect((await runCli('catalog', 'show', '--region', 'eu-west-3')).out).toContain('prices are not known');
  });

  test('of one type all limits, cards and the price', async () => {
    const { instanceType } = await show('--instance-type', 'r8gb.48xlarge');
    expect(instanceType).toMatchObject({
      ...{ vcpus: 192, ebs: { baselineIops: 1_440_000 }, attachments: { most: 128 } },
      cards: [{ baselineIops: 720_000 }, { baselineIops: 720_000 }],
      ...{ monthlyUsd: 12_767.17, monthlyUsdUnknownReason: null }, // 17.48928 x 730
    });
    const { out } = await runCli('catalog', 'show', '--instance-type', 'r8gb.48xlarge');
    expect(out).toMatch(/EBS card 1 +720,000 IOPS/);
    expect(out).toMatch(/price +12,767.17 USD a month/);
  });

  test('what was refreshed is shown with its day', async () => {
    cached();
    expect(await show('--region', 'eu-central-1', '--instance-type', 'm1.large')).toMatchObject({
      refreshedAt: '2026-11-18T00:00:00.000Z',
      instanceTypes: { known: 1, withPrice: 1 },
      instanceType: { monthlyUsd: 87.6 }, // 0.12 x 730
    });
    const { out } = await runCli('catalog', 'show', '--region', 'eu-central-1');
    expect(out).toContain('this Region, read 2026-11-18');
  });

  test.each<[string, string[], RegExp]>([
    [
      'a Region of no form',
      ['--region', 'Frankfurt'],
      /--region "Frankfurt" is not a Region: give one like us-east-1/,
    ],
    [
      'a size that is not there',
      ['--instance-type', 'm5.huge'],
      /"m5.huge" is not known in us-east-1: of m5 are known: m5.large, /,
    ],
    ['a family that is not there', ['--instance-type', 'z99.large'], /give one like m7i.2xlarge, or refresh/],
  ])('%s is one line', async (_, options, line) => {
    await expectOneLine(['catalog', 'show', ...options], line);
  });

  test.each<[string, string | object, RegExp]>([
    ['cut short', '{"region": "eu-cen', /not whole JSON/],
    ['of another form', { region: 'eu-central-1' }, /refreshedAt is not as expected/],
    ['of another Region', aStoredCatalog({ region: 'us-west-2' }), /it is of us-west-2, not of eu-central-1/],
  ])('a cached file %s is one line that names it and says what to do', async (_, content, why) => {
    cached(content);
    const region = ['--region', 'eu-central-1'];
    for (const argv of [
      ['catalog', 'show', ...region],
      ['limits', '--type', 'gp3', '--size-gib', '100', ...region],
    ]) {
      await expectOneLine(argv, why);
      const { err } = await runCli(...argv);
      expect(err).toContain(file());
      expect(err).toContain('`stripewise catalog refresh --region eu-central-1` writes: run it again');
    }
  });
});

describe('refresh', () => {
  const stored = (path = file()): StoredCatalog =>
    storedCatalogSchema.parse(JSON.parse(readFileSync(path, 'utf8')));

  test('reads the Region, keeps it, and says what it took and what is different', async () => {
    const { code, out, err } = await refresh();
    expect([code, err]).toEqual([0, '']);
    const { prices, instanceTypes, refreshedAt } = stored();
    expect(refreshedAt).toBe('2026-11-20T12:34:56.000Z');
    expect(instanceTypes.types.map(({ instanceType }) => instanceType)).toEqual(['m5.large', 'm5.xlarge']);
    expect(prices.ebs?.gp3PerIops).toBe(0.00595); // 0.005 x 1.19
    // 12 pages of 1,199 virtual and 2 of 141 metal instances, 3 of EBS; EC2 is mocked and not counted.
    expect(out).toContain(`eu-central-1: 2 instance types, read in 17 calls: ${file()}`);
    expect(out).toContain('against the tables that come with stripewise');
    expect(out).toMatch(/1,393 types removed: .* and 1,388 more/); // 1,395 - 2
    expect(readdirSync(dirname(file()))).toEqual(['catalog-eu-central-1.json']);
  });

  test('then all commands use it', async () => {
    await refresh();
    const limits = ['limits', '--type', 'gp3', '--size-gib', '100', '--region', 'eu-central-1'];
    expect(await cliJson(...limits)).toMatchObject({ monthlyUsd: 9.52 }); // 100 x 0.08 x 1.19
    expect((await show('--region', 'eu-central-1')).refreshedAt).toBe('2026-11-20T12:34:56.000Z');
  });

  test('a second one is compared with the first', async () => {
    await refresh();
    expect((await refresh()).out).toContain('nothing is different from what was read 2026-11-20');
    account.ec2.on(DescribeInstanceTypesCommand).resolves({
      InstanceTypes: [described('m5.large', {}, 12_000), described('m7i.large')] as never,
    });
    const { out } = await refresh();
    expect(out).toContain('1 type added: m7i.large');
    expect(out).toContain('1 type removed: m5.xlarge');
    expect(out).toContain('1 type with other limits: m5.large');
  });

  test('a broken file is replaced', async () => {
    cached({});
    expect((await refresh()).code).toBe(0);
    expect(stored().region).toBe('eu-central-1');
  });

  test('with --out the cache is left alone', async () => {
    const path = join(directory.path, 'elsewhere', 'eu.json');
    const { code } = await refresh('--out', path);
    expect([code, existsSync(file())]).toEqual([0, false]);
    expect(stored(path).region).toBe('eu-central-1');
  });

  test('a Region that the Price List does not tell of is kept without prices, and says so', async () => {
    const { code, err } = await runCli('catalog', 'refresh', '--region', 'eu-west-3');
    expect(code).toBe(0);
    expect(err).toContain('EBS prices of eu-west-3 in the Price List cannot be used: there are no rows.');
    expect(stored(file('eu-west-3')).prices).toMatchObject({ ebs: null, instances: null });
  });

  test('what is denied fails with one line, and what is kept stays', async () => {
    cached();
    const denied = awsError('UnauthorizedOperation', 'You are not authorized.', 403);
    account.ec2.on(DescribeInstanceTypesCommand).rejects(denied);
    const { code, out, err } = await refresh();
    expect([code, out]).toEqual([4, '']);
    expect(err).toBe(
      'stripewise: failed: ec2:DescribeInstanceTypes in eu-central-1 failed: UnauthorizedOperation: You are not authorized.',
    );
    expect(stored().refreshedAt).toBe('2026-11-18T00:00:00.000Z');
  });

  test.each<[string, () => string[], RegExp]>([
    ['no Region', () => [], /required option '--region <region>' not specified/],
    ['a Region of no form', () => ['--region', 'eu'], /--region "eu" is not a Region/],
    [
      'a path below a file',
      () => ['--region', 'eu-central-1', '--out', join(directory.write('a-file', ''), 'x.json')],
      /x\.json: cannot be written: a file is there/,
    ],
    [
      'a profile that is not there',
      () => {
        account.environment({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
        return ['--region', 'eu-central-1', '--profile', 'nobody'];
      },
      /AWS credentials of profile "nobody" cannot be used: /,
    ],
  ])('%s is one line', async (_, options, line) => {
    await expectOneLine(['catalog', 'refresh', ...options()], line);
  });
});
