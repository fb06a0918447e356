/** `audit --accounts`, `--organization`: several accounts, each by its member role, and what is said of those that refuse. */
import { AccountClient, ListRegionsCommand } from '@aws-sdk/client-account';
import {
  DescribeOrganizationalUnitCommand,
  ListAccountsForParentCommand,
  ListOrganizationalUnitsForParentCommand,
  ListParentsCommand,
  ListRootsCommand,
  OrganizationsClient,
} from '@aws-sdk/client-organizations';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import type { AccountCoverage } from '../../core/schemas/accounts.ts';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const hub = '111122223333';
const orders = '222233334444';
const ledger = '333344445555';
const external = 'example-7f3a';

const account = liveAccount();
const directory = temporaryDirectory();
const organizations = mockClient(OrganizationsClient);
const regionsOf = mockClient(AccountClient);
afterAll(() => {
  organizations.restore();
  regionsOf.restore();
});

const day = ['--lookback-days', '1', '--until', '2026-11-20T00:00Z'];
const several = ['--external-id', external, '--region', 'us-east-1', ...day];

async function audited(...options: string[]): Promise<{ code: number; result: AuditResult; err: string }> {
  const { code, out, err } = await runCli('audit', '--json', ...options);
  if (out === '') throw new Error(`the audit ended with ${code}: ${err}`);
  return { code, result: auditResultSchema.parse(JSON.parse(out)), err };
}

const accountIn = (arn = ''): string => arn.split(':')[4] ?? '';
/** Why STS refuses, by account; the others let everybody in who knows the external id. */
let refusing: Record<string, Error>;

const volumes = (...ids: string[]) => ({
  describeVolumes: describeVolumes(...ids.map((VolumeId) => ({ VolumeId, Attachments: [] }))),
  describeInstances: describeInstances(),
});
const [v0, v1, v2] = ['vol-0123456789abcdef0', 'vol-0123456789abcdef1', 'vol-0123456789abcdef2'] as const;

const denied = (role: string): Error =>
  awsError(
    'AccessDenied',
    `User: arn:aws:iam::${hub}:user/a is not authorized to perform: sts:AssumeRole on resource: ${role}`,
    403,
  );

beforeEach(() => {
  refusing = {};
  account.regions['us-east-1'] = volumes(v0);
  account.members = { [orders]: { 'us-east-1': volumes(v1) }, [ledger]: { 'us-east-1': volumes(v2) } };
  account.sts
    .on(AssumeRoleCommand)
    .callsFake(({ RoleArn, ExternalId }: { RoleArn: string; ExternalId?: string }) => {
      const refused = refusing[accountIn(RoleArn)];
      if (refused !== undefined) throw refused;
      if (ExternalId !== external) throw denied(RoleArn);
      return {
        Credentials: {
          AccessKeyId: `ASIA${accountIn(RoleArn)}`,
          SecretAccessKey: 'secret',
          SessionToken: 'token',
          Expiration: new Date(Date.now() + 3_600_000),
        },
      };
    });
  organizations.reset();
  organizations.on(ListRootsCommand).resolves({ Roots: [{ Id: 'r-ab12', Name: 'Root' }] });
  organizations.on(ListOrganizationalUnitsForParentCommand).resolves({ OrganizationalUnits: [] });
  organizations
    .on(ListOrganizationalUnitsForParentCommand, { ParentId: 'r-ab12' })
    .resolves({ OrganizationalUnits: [{ Id: 'ou-ab12-11111111', Name: 'Shops' }] });
  organizations
    .on(ListAccountsForParentCommand, { ParentId: 'r-ab12' })
    .resolves({ Accounts: [{ Id: hub, Name: 'management', State: 'ACTIVE' }] });
  organizations.on(ListAccountsForParentCommand, { ParentId: 'ou-ab12-11111111' }).resolves({
    Accounts: [
      { Id: ledger, Name: 'ledger', State: 'ACTIVE' },
      { Id: orders, Name: 'orders', State: 'ACTIVE' },
    ],
  });
  regionsOf.reset();
});

const statesOf = ({ accountCoverage = [] }: AuditResult): Record<string, string> =>
  Object.fromEntries(
    accountCoverage.map(({ account: id, state, refused }: AccountCoverage) => [
      id,
      refused === null ? state : `${state}: ${refused.code}`,
    ]),
  );
const enteredAccounts = (): string[] =>
  account.sts
    .commandCalls(AssumeRoleCommand)
    .map(({ args }) => accountIn(args[0].input.RoleArn))
    .sort();

test('three accounts in a list, one of them twice: each is read once, the own one without a role', async () => {
  const { result, code } = await audited('--accounts', orders, hub, ledger, orders, ...several);
  expect(result.volumes.map(({ volumeId, account: of }) => [volumeId, of])).toEqual([
    [v0, hub],
    [v1, orders],
    [v2, ledger],
  ]);
  expect(statesOf(result)).toEqual({ [hub]: 'read', [orders]: 'read', [ledger]: 'read' });
  expect(enteredAccounts()).toEqual([orders, ledger].sort());
  expect(organizations.calls()).toHaveLength(0); // nobody has to list them
  // No metric was there: the volumes are not attached, which is known.
  expect([0, 3]).toContain(code);
});

test('one AssumeRole for an account, however many Regions of it are read; its session says the run', async () => {
  account.members[orders] = { 'us-east-1': volumes(v1), 'eu-central-1': volumes(v2) };
  const { result } = await audited(
    ...['--accounts', orders, '--external-id', external, '--region', 'us-east-1', 'eu-central-1', ...day],
  );
  expect(result.volumes.map(({ region }) => region)).toEqual(['us-east-1', 'eu-central-1']);
  const [call, ...others] = account.sts.commandCalls(AssumeRoleCommand);
  expect(others).toHaveLength(0);
  expect(call?.args[0].input).toMatchObject({
    RoleArn: `arn:aws:iam::${orders}:role/StripewiseMember`,
    ExternalId: external,
    DurationSeconds: 3_600,
    RoleSessionName: expect.stringContaining('stripewise-'),
  });
});

test('the organization lists them with names and units', async () => {
  const { result } = await audited('--organization', ...several);
  expect(
    result.accountCoverage?.map(({ account: id, name, units }) => [id, name, units.at(-1)?.name]),
  ).toEqual([
    [hub, 'management', 'Root'],
    [orders, 'orders', 'Shops'],
    [ledger, 'ledger', 'Shops'],
  ]);
});

test('a unit alone, with what it is in; an account that is left out is not asked', async () => {
  organizations
    .on(DescribeOrganizationalUnitCommand)
    .resolves({ OrganizationalUnit: { Id: 'ou-ab12-11111111', Name: 'Shops' } });
  organizations.on(ListParentsCommand).resolves({ Parents: [{ Id: 'r-ab12', Type: 'ROOT' }] });
  const { result } = await audited(
    ...['--organization', 'ou-ab12-11111111', '--exclude-accounts', ledger, ...several],
  );
  expect(
    result.accountCoverage?.map(({ account: id, units }) => [id, units.map(({ id: unit }) => unit)]),
  ).toEqual([[orders, ['r-ab12', 'ou-ab12-11111111']]]);
  expect(enteredAccounts()).toEqual([orders]);
});

describe('an account that cannot be read is said, and the others are read', () => {
  const role = `arn:aws:iam::${orders}:role/StripewiseMember`;
  test.each([
    ['the role is not there, or does not trust us', denied(role), 'role-refused'],
    [
      'a policy of the organization denies',
      awsError(
        'AccessDenied',
        `${denied(role).message} with an explicit deny in a service control policy`,
        403,
      ),
      'denied-by-organization',
    ],
    ['STS throttles', awsError('Throttling', 'Rate exceeded', 400, 8), 'sts-throttled'],
    ['STS answers something else', awsError('MalformedPolicyDocument', 'no', 400), 'other'],
  ])('%s', async (_, error, code) => {
    refusing[orders] = error;
    const { result } = await audited('--accounts', hub, orders, ledger, ...several);
    expect(statesOf(result)).toEqual({ [hub]: 'read', [orders]: `not-read: ${code}`, [ledger]: 'read' });
    expect(result.volumes.map(({ volumeId }) => volumeId)).toEqual([v0, v2]);
    // It is asked once, however many Regions it has.
    expect(enteredAccounts().filter((id) => id === orders)).toHaveLength(1);
  });

  test('another external id is the role that refuses', async () => {
    const { result } = await audited(
      ...['--accounts', orders, '--external-id', 'another-one', '--region', 'us-east-1', ...day],
    );
    expect(statesOf(result)).toEqual({ [orders]: 'not-read: role-refused' });
  });

  test('suspended and closed ones are not asked', async () => {
    organizations.on(ListAccountsForParentCommand, { ParentId: 'ou-ab12-11111111' }).resolves({
      Accounts: [
        { Id: orders, Name: 'orders', State: 'SUSPENDED' },
        { Id: ledger, Name: 'ledger', State: 'PENDING_CLOSURE' },
      ],
    });
    const { result } = await audited('--organization', ...several);
    expect(statesOf(result)).toEqual({
      [hub]: 'read',
      [orders]: 'not-read: suspended',
      [ledger]: 'not-read: closed',
    });
    expect(enteredAccounts()).toEqual([]);
  });

  test('a Region that is off: the other one of the same account is read', async () => {
    account.members[orders] = {
      'us-east-1': volumes(v1),
      'me-south-1': awsError('OptInRequired', 'You are not subscribed to this service.', 403),
    };
    const { result } = await audited(
      ...['--accounts', orders, '--external-id', external, '--region', 'us-east-1', 'me-south-1', ...day],
    );
    expect(statesOf(result)).toEqual({ [orders]: 'read-in-part' });
    expect(
      result.accountCoverage?.[0]?.regions.map(({ region, whole, refused }) => [
        region,
        whole,
        refused?.code,
      ]),
    ).toEqual([
      ['us-east-1', true, undefined],
      ['me-south-1', false, 'region-off'],
    ]);
    expect(result.coverage.incomplete).toEqual([]); // the account says it
  });

  test('an account that is closed during the run is read in part, or not at all', async () => {
    account.members[orders] = {
      'us-east-1': awsError(
        'AuthFailure',
        'AWS was not able to validate the provided access credentials',
        401,
      ),
    };
    const { result } = await audited('--accounts', hub, orders, ...several);
    expect(statesOf(result)).toMatchObject({ [hub]: 'read', [orders]: 'not-read: other' });
  });
});

test('enabled Regions are those of each account', async () => {
  regionsOf.on(ListRegionsCommand).resolves({
    Regions: [
      { RegionName: 'us-east-1', RegionOptStatus: 'ENABLED_BY_DEFAULT' },
      { RegionName: 'eu-central-1', RegionOptStatus: 'ENABLED' },
    ],
  });
  account.members[orders] = { 'eu-central-1': volumes(v2), 'us-east-1': volumes(v1) };
  const config = directory.write(
    'organization.yaml',
    `regions: [us-east-1]\norganization:\n  accounts: ["${orders}"]\n  externalId: ${external}\n  regions: enabled\n`,
  );
  const regionsRead = async (...options: string[]): Promise<string[] | undefined> =>
    (await audited('--config', config, ...options, ...day)).result.accountCoverage?.[0]?.regions.map(
      ({ region }) => region,
    );
  expect(await regionsRead()).toEqual(['eu-central-1', 'us-east-1']);
  // An option goes before the file.
  expect(await regionsRead('--region', 'us-east-1')).toEqual(['us-east-1']);
});

test('5,000 accounts in the list: those that let nobody in are told apart, each asked once', async () => {
  const ids = Array.from({ length: 5_000 }, (_, i) => String(400_000_000_000 + i));
  for (const id of ids) refusing[id] = denied(`arn:aws:iam::${id}:role/StripewiseMember`);
  const config = directory.write(
    'many.yaml',
    `organization:\n  accounts: [${[orders, ...ids, ...ids].map((id) => `"${id}"`).join(', ')}]\n  externalId: ${external}\n`,
  );
  const { result } = await audited('--config', config, '--region', 'us-east-1', ...day);
  expect(result.accountCoverage).toHaveLength(5_001);
  expect(enteredAccounts()).toHaveLength(5_001);
  expect(result.volumes.map(({ volumeId }) => volumeId)).toEqual([v1]);
}, 60_000);

describe('bad input is one line', () => {
  const line = async (...options: string[]): Promise<string> => {
    const { code, err } = await runCli('audit', ...options, '--region', 'us-east-1', ...day);
    expect(code).toBe(2);
    const lines = err.trim().split('\n');
    expect(lines).toHaveLength(1);
    return lines[0] ?? '';
  };
  test.each([
    [['--accounts', orders], 'needs --external-id'],
    [
      ['--accounts', orders, '12', '--external-id', external],
      '--accounts "12" cannot be used: give the 12 digits of an account, with blanks between several; all of the organization is --organization',
    ],
    [
      ['--accounts', `${orders},${ledger}`, '--external-id', external],
      `--accounts "${orders},${ledger}" cannot be used`,
    ],
    [
      ['--organization', 'Shops', '--external-id', external],
      '--organization "Shops" cannot be used: give the id of an organizational unit, like ou-ab12-11111111, or of a root, like r-ab12; without one it is all of the organization',
    ],
    [
      ['--accounts', orders, '--exclude-accounts', '\u001b[31m', '--external-id', external],
      '--exclude-accounts "\\u{1b}[31m" cannot be used',
    ],
    [
      ['--accounts', orders, '--member-role', `arn:aws:iam::${orders}:role/a`, '--external-id', external],
      `--member-role "arn:aws:iam::${orders}:role/a" cannot be used: give the name of a role`,
    ],
    [['--accounts', orders, '--external-id', '!'], '--external-id cannot be used: give the external id'],
    [['--accounts', orders, '--organization', '--external-id', external], 'give one'],
    [['--member-role', 'Reader'], 'give --accounts or --organization too'],
    [['--accounts', orders, '--exclude-accounts', orders, '--external-id', external], 'no account is left'],
    [['--accounts', orders, '--external-id', external, '--host-discovery', 'x'], 'members grant no commands'],
  ])('%j', async (options, expected) => {
    expect(await line(...options)).toContain(expected);
  });

  test.each(['11112222333', '../../runs', ''])(
    'a list with %j, which is no account, is not read',
    async (Id) => {
      organizations.on(ListAccountsForParentCommand, { ParentId: 'r-ab12' }).resolves({ Accounts: [{ Id }] });
      const { code, err } = await runCli('audit', '--organization', ...several);
      expect([code, err]).toEqual([
        4,
        `stripewise: failed: organizations:ListAccountsForParent of r-ab12 failed: a reply came with "${Id}", which is no account`,
      ]);
      expect(enteredAccounts()).toEqual([]);
    },
  );

  test('who may not list the accounts is told who may', async () => {
    organizations
      .on(ListRootsCommand)
      .rejects(awsError('AccessDeniedException', "You don't have permissions to access this resource.", 400));
    const text = await line('--organization', '--external-id', external);
    expect(text).toContain('organizations:ListRoots');
    expect(text).toContain('management account or a delegated administrator');
  });
});
