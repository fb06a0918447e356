/** Which accounts and Regions a run of several accounts reads. */
import { organizationSchema } from '../../../core/config/organization.ts';
import { BadInput } from '../../../core/errors.ts';
import type { ListedAccount } from '../../../core/schemas/accounts.ts';
import { type ListFrom, targetsOfAccounts } from '../../../lambdas/list-targets/several-accounts.ts';

const [first, second, third] = ['111122223333', '222233334444', '333344445555'] as const;
const suspended = { code: 'suspended', reason: 'AWS Organizations says SUSPENDED' } as const;
const inOrganization = (account: string, refused: ListedAccount['refused'] = null): ListedAccount => ({
  ...{ account, name: `name of ${account}`, refused },
  units: [{ id: 'r-ab12', name: 'Root' }],
});

const noCalls: ListFrom = {
  listAccounts: async () => Promise.reject(new Error('nobody lists accounts')),
  enabledRegions: async () => Promise.reject(new Error('nobody asks for Regions')),
};
const organizationOf = (settings: object) =>
  organizationSchema.parse({ externalId: 'of-the-members', ...settings });
const targetsOf = (settings: object, from: Partial<ListFrom> = {}, input: object = {}) =>
  targetsOfAccounts(
    {
      ...{ organization: organizationOf(settings), partition: 'aws', defaultRegions: ['us-east-1'] },
      ...input,
    },
    { ...noCalls, ...from },
  );
const shortly = ({ targets }: Awaited<ReturnType<typeof targetsOf>>): string[] =>
  targets.map(({ partition, account, region }) => `${partition} ${account} ${region}`);

test('accounts that the configuration names are read without asking anybody, each once', async () => {
  const read = await targetsOf({ accounts: [second, first, second] });
  expect(shortly(read)).toEqual([`aws ${first} us-east-1`, `aws ${second} us-east-1`]);
  expect(read.accounts).toEqual([
    { account: first, name: null, units: [], refused: null },
    { account: second, name: null, units: [], refused: null },
  ]);
});

test('those of units are listed: names and units come with them, excluded ones are left out, suspended ones not entered', async () => {
  const asked: unknown[] = [];
  const read = await targetsOf(
    { organizationalUnits: ['ou-ab12-11111111'], exclude: [third] },
    {
      listAccounts: async (from) => {
        asked.push(from);
        return [inOrganization(second, suspended), inOrganization(first), inOrganization(third)];
      },
    },
  );
  expect(asked).toEqual([['ou-ab12-11111111']]);
  expect(read.accounts).toEqual([inOrganization(first), inOrganization(second, suspended)]);
  expect(shortly(read)).toEqual([`aws ${first} us-east-1`]);
});

test('`all` asks for the whole organization', async () => {
  const asked: unknown[] = [];
  await targetsOf(
    { accounts: 'all' },
    {
      listAccounts: async (from) => {
        asked.push(from);
        return [inOrganization(first)];
      },
    },
  );
  expect(asked).toEqual(['all']);
});

test('Regions are those of the organization, each once; what the run is asked for goes before', async () => {
  const settings = { accounts: [first], regions: ['eu-west-1', 'eu-west-3', 'eu-west-1'] };
  expect(shortly(await targetsOf(settings))).toEqual([`aws ${first} eu-west-1`, `aws ${first} eu-west-3`]);
  expect(shortly(await targetsOf(settings, {}, { regions: ['us-west-2'] }))).toEqual([
    `aws ${first} us-west-2`,
  ]);
});

test('with `enabled` each account says its own; one that cannot be asked is refused, the others go on', async () => {
  const refused = { code: 'role-refused', reason: 'sts:AssumeRole failed' } as const;
  const read = await targetsOf(
    { accounts: [first, second, third], regions: 'enabled' },
    { enabledRegions: async (account) => (account === second ? refused : [`eu-west-${account[0]}`]) },
  );
  expect(shortly(read)).toEqual([`aws ${first} eu-west-1`, `aws ${third} eu-west-3`]);
  expect(read.notListed).toEqual([{ account: second, refused }]);
});

test('ten accounts are asked for their Regions at one time', async () => {
  const accounts = Array.from({ length: 25 }, (_, i) => `${100_000_000_000 + i}`);
  let [now, most] = [0, 0];
  await targetsOf(
    { accounts, regions: 'enabled' },
    {
      enabledRegions: async () => {
        now++;
        most = Math.max(most, now);
        await new Promise((done) => setImmediate(done));
        now--;
        return ['us-east-1'];
      },
    },
  );
  expect(most).toBe(10);
});

test('5,000 accounts in the list are 5,000 targets in a Region', async () => {
  const accounts = Array.from({ length: 5_000 }, (_, i) => `${100_000_000_000 + i}`);
  const { targets } = await targetsOf({ accounts });
  expect(targets).toHaveLength(5_000);
  // What the definition of the workflow hands to the function: 256 KiB at most.
  expect(JSON.stringify(organizationOf({ accounts })).length).toBeLessThan(256 * 1_024);
});

test('a run may ask for some of the accounts, and for none that the configuration does not read', async () => {
  const settings = { accounts: [first, second, third], exclude: [third] };
  expect(shortly(await targetsOf(settings, {}, { accounts: [second] }))).toEqual([`aws ${second} us-east-1`]);
  const message = `the input: accounts: ${third} is not read: give accounts that organization of the configuration names and does not exclude`;
  await expect(targetsOf(settings, {}, { accounts: [second, third] })).rejects.toThrow(new BadInput(message));
});

test('where nobody is left, the run says so before it reads anything', async () => {
  await expect(targetsOf({ accounts: [first], exclude: [first] })).rejects.toThrow(
    /^no account is left to read: /,
  );
});
