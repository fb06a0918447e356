/** Commands that use a Region's prices read them anew by themselves: when, what they say, and what ends them: nothing. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import { awsError } from '../adapters/aws/aws-error.ts';
import { aStoredCatalog } from '../fixtures/region-catalog.ts';
import { catalogAccount } from './catalog-account.ts';
import { type CliRun, runCli } from './run-cli.ts';

const { account, cached, file } = catalogAccount();
beforeEach(() => account.environment({ STRIPEWISE_CATALOG_REFRESH: undefined }));

/** In eu-central-1 prices are those of us-east-1 times 1.19: 500 x 0.08 x 1.19 = 47.60 */
const limits = (region = 'eu-central-1'): Promise<CliRun> =>
  runCli('limits', '--type', 'gp3', '--size-gib', '500', '--region', region);
const asked = (): number => account.ec2.commandCalls(DescribeInstanceTypesCommand).length;
const noteOf = (region?: string): string => file(region).replace(/\.json$/, '.not-refreshed.json');

test('a Region that was never read is read, kept, and said in one line', async () => {
  const { code, out, err } = await limits();
  expect(code).toBe(0);
  expect(err).toMatch(
    /^stripewise: prices and instance types of eu-central-1 were not known: read, \d+ calls, kept in \S+catalog-eu-central-1\.json$/,
  );
  expect(out).toContain('47.60 USD a month');
  expect(existsSync(file())).toBe(true);
  expect(await limits()).toMatchObject({ code: 0, err: '' });
  expect(asked()).toBe(1);
});

test.each([
  ['2026-10-21T12:34:57.000Z', 0], // a second less than 30 days before 2026-11-20T12:34:56Z
  ['2026-10-21T12:34:56.000Z', 30],
  ['2026-10-10T12:34:56.000Z', 41],
])('one of %s is %i days old', async (refreshedAt, days) => {
  cached(aStoredCatalog({ refreshedAt }));
  const { err } = await limits();
  if (days === 0) expect(err).toBe('');
  else expect(err).toContain(`of eu-central-1 are ${days} days old: read anew, `);
});

test('what comes with stripewise of us-east-1 is young: no call', async () => {
  const plan = await runCli('plan', '--iops', '6000', '--capacity-gib', '500', '--kinds', 'single');
  expect(plan).toMatchObject({ code: 0, err: '' });
  expect(asked()).toBe(0);
});

test('switched off nothing is read', async () => {
  account.environment({ STRIPEWISE_CATALOG_REFRESH: 'off' });
  expect(await limits()).toMatchObject({ code: 0, err: '' });
  expect(asked()).toBe(0);
});

test('commands that make no use of prices read nothing', async () => {
  await runCli('burst', '--type', 'gp2', '--size-gib', '100');
  await runCli('catalog', 'show', '--region', 'eu-central-1');
  expect(asked()).toBe(0);
});

describe('where AWS refuses', () => {
  const denied = awsError('UnauthorizedOperation', 'You are not authorized');
  beforeEach(() => account.ec2.on(DescribeInstanceTypesCommand).rejects(denied));

  test('the command goes on with what there is, and says so in one line', async () => {
    cached(aStoredCatalog({ refreshedAt: '2026-10-10T12:34:56.000Z' }));
    const { code, out, err } = await limits();
    expect(code).toBe(0);
    expect(out).toContain('40.00 USD a month'); // 500 x 0.08, of the old table
    expect(err.split('\n')).toHaveLength(1);
    expect(err).toContain(
      'are 41 days old, and could not be read: ec2:DescribeInstanceTypes in eu-central-1 failed: UnauthorizedOperation: You are not authorized; they are used as they are, and the next try is in an hour',
    );
  });

  test('the next command does not try again within an hour; one with other credentials does', async () => {
    await limits();
    expect(await limits()).toMatchObject({ code: 0, err: '' });
    expect(asked()).toBe(1);
    const note = JSON.parse(readFileSync(noteOf(), 'utf8'));
    writeFileSync(noteOf(), JSON.stringify({ ...note, at: '2026-11-20T11:34:57.000Z' })); // 59 min 59 s before
    await limits();
    expect(asked()).toBe(1);
    writeFileSync(noteOf(), JSON.stringify({ ...note, at: '2026-11-20T11:34:56.000Z' }));
    await limits();
    expect(asked()).toBe(2);
    account.environment({ AWS_PROFILE: 'there' });
    await limits();
    expect(asked()).toBe(3);
  });

  test('other Regions are asked for all the same', async () => {
    await limits();
    await limits('eu-west-1');
    expect(asked()).toBe(2);
  });
});

test('without credentials too', async () => {
  account.environment({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
  account.ec2.restore();
  const { code, out, err } = await limits();
  expect(code).toBe(0);
  expect(out).toContain('unknown in eu-central-1');
  expect(err).toContain('AWS credentials cannot be used');
  expect(err.split('\n')).toHaveLength(1);
});
