/** Each gap of the emulator about accounts, without its patch and with it: when the test of a gap fails, take the patch out. */

import { CreateRoleCommand, IAMClient, ListRolesCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { ListAccountsCommand, OrganizationsClient } from '@aws-sdk/client-organizations';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { accountOfKey } from '../../local/account-of-key.ts';
import { plantOrganization } from '../../local/organization.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const hub = '111122223333';
const member = '222233334444';
const externalId = 'the-hub';
const roleName = 'StripewiseMember';
const RoleArn = `arn:aws:iam::${member}:role/${roleName}`;

const servers = twoMiniStacks();
const { path: directory } = temporaryDirectory();

const settingsOf = ({ url }: MiniStack, credentials: object) => ({
  ...{ endpoint: url, region: 'us-east-1', maxAttempts: 1 },
  credentials: credentials as { accessKeyId: string; secretAccessKey: string },
});
const keyOf = (accessKeyId: string) => ({ accessKeyId, secretAccessKey: 'test' });

/** How AssumeRole ends, or the key that it gives. */
async function assumed(server: MiniStack, input: object, credentials: object = keyOf(hub)) {
  const sts = new STSClient(settingsOf(server, credentials));
  const asked = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'run', ...input });
  try {
    const { Credentials = {} } = (await sts.send(asked)) as { Credentials?: { AccessKeyId?: string } };
    return { error: null, key: Credentials.AccessKeyId ?? '', credentials: Credentials };
  } catch (error) {
    return { error: `${(error as Error).name}: ${(error as Error).message}`, key: '', credentials: {} };
  } finally {
    sts.destroy();
  }
}

const trusting = (condition: object) => ({
  Version: '2012-10-17',
  Statement: {
    ...{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: `arn:aws:iam::${hub}:root` } },
    Condition: condition,
  },
});

async function aRole(
  server: MiniStack,
  account: string,
  RoleName: string,
  trust: object,
  may: object[] = [],
) {
  const iam = new IAMClient(settingsOf(server, keyOf(account)));
  await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: json(trust) }));
  const PolicyDocument = json({ Version: '2012-10-17', Statement: may });
  if (may.length > 0)
    await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument }));
  iam.destroy();
}

const states = async (server: MiniStack) => {
  const organizations = new OrganizationsClient(settingsOf(server, keyOf(hub)));
  const { Accounts = [] } = await organizations.send(new ListAccountsCommand({}));
  organizations.destroy();
  return Accounts.map(({ State }) => State);
};

const urlsOf = (server: MiniStack) => ({
  urls: { aws: server.url, ec2: '', cloudWatch: '', pricing: '', ssm: '', slack: '' },
});
const planted = (server: MiniStack) =>
  plantOrganization({
    services: urlsOf(server),
    externalId,
    accounts: [{ id: member, name: 'orders' }],
  });

test('accounts have no State, without its patch', async () => {
  expect(await states(servers.stock)).toEqual([undefined]);
});

test('accounts that were put there have a State', async () => {
  await planted(servers.patched);
  expect(await states(servers.patched)).toEqual(['ACTIVE', 'ACTIVE']);
});

test('another external id is no matter, without its patch, and a key says no account', async () => {
  await aRole(servers.stock, member, roleName, trusting({ StringEquals: { 'sts:ExternalId': externalId } }));
  const { error, key } = await assumed(servers.stock, { ExternalId: 'another' });
  expect([error, accountOfKey(key)]).toEqual([null, null]);
});

test('another external id is refused, and a key says its account', async () => {
  const { key } = await assumed(servers.patched, { ExternalId: externalId });
  expect(accountOfKey(key)).toBe(member);
  const { error } = await assumed(servers.patched, { ExternalId: 'another' });
  expect(error).toMatch(/^AccessDenied: User: .* is not authorized to perform: sts:AssumeRole on resource: /);
});

test('a function reads in a member as its role', async () => {
  await servers.patched.deploy(
    'reader',
    `const { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } = require('@aws-sdk/client-sts');
    const { Credentials } = await new STSClient({}).send(new AssumeRoleCommand(event));
    const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials;
    const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    return (await new STSClient({ credentials }).send(new GetCallerIdentityCommand({}))).Arn;`,
  );
  const Payload = json({ RoleArn, RoleSessionName: 'run', ExternalId: externalId });
  const answer = await servers.patched.lambda.send(new InvokeCommand({ FunctionName: 'reader', Payload }));
  expect(answer.Payload?.transformToString()).toBe(
    json(`arn:aws:sts::${member}:assumed-role/${roleName}/run`),
  );
});

describe('with permissions enforced', () => {
  let server: MiniStack;
  beforeAll(async () => {
    server = await startMiniStack('all', directory, { AUTH: 'true' });
    await planted(server);
    const may = [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: 'arn:aws:iam::*:role/*' }];
    await aRole(server, hub, 'Stripewise-hub-DiscoverVolumes', trusting({}), may);
    await aRole(server, hub, 'Stripewise-hub-MayNothing', trusting({}));
    await aRole(server, hub, 'Somebody', trusting({}), may);
  }, 300_000);
  afterAll(() => server?.stop());

  function ownOf(credentials: object) {
    const { AccessKeyId, SecretAccessKey, SessionToken } = credentials as Record<string, string>;
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  }

  /** As a role of the hub. */
  async function asRole(name: string, input: object = {}) {
    const { credentials } = await assumed(server, { RoleArn: `arn:aws:iam::${hub}:role/${name}` });
    return assumed(server, { ExternalId: externalId, ...input }, ownOf(credentials));
  }
  const refusedFor = (name: string, role = RoleArn) =>
    `AccessDenied: User: arn:aws:sts::${hub}:assumed-role/${name}/run is not authorized to perform: sts:AssumeRole on resource: ${role}`;

  test('a member lets in the roles that it names, and nobody else of the hub', async () => {
    expect((await asRole('Stripewise-hub-DiscoverVolumes')).error).toBeNull();
    expect((await asRole('Somebody')).error).toBe(refusedFor('Somebody'));
    expect((await assumed(server, { ExternalId: externalId })).error).toMatch(/^AccessDenied/);
  });

  test('a role of the hub that may assume none is refused, whom it names or not', async () => {
    expect((await asRole('Stripewise-hub-MayNothing')).error).toMatch(/^AccessDenied/);
  });

  test('another external id is refused', async () => {
    const { error } = await asRole('Stripewise-hub-DiscoverVolumes', { ExternalId: 'another' });
    expect(error).toBe(refusedFor('Stripewise-hub-DiscoverVolumes'));
  });

  test('a hub of another organization is refused', async () => {
    const theirs = '999900001111';
    await plantOrganization({
      ...{ services: urlsOf(server), externalId, isHubIn: false, managementAccount: '888899990000' },
      accounts: [{ id: theirs, name: 'theirs' }],
    });
    const of = `arn:aws:iam::${theirs}:role/${roleName}`;
    const { error } = await asRole('Stripewise-hub-DiscoverVolumes', { RoleArn: of });
    expect(error).toBe(refusedFor('Stripewise-hub-DiscoverVolumes', of));
    expect((await asRole('Stripewise-hub-DiscoverVolumes')).error).toBeNull();
  });

  test('a session may do what its role may, as far as the organization lets it', async () => {
    const [free, fenced] = ['333344445555', '444455556666'] as const;
    await plantOrganization({
      ...{ services: urlsOf(server), externalId, actions: ['iam:ListRoles'] },
      accounts: [
        { id: free, name: 'free' },
        { id: fenced, name: 'fenced', denied: ['iam:ListRoles'] },
      ],
    });
    const listRoles = async (account: string): Promise<string> => {
      const input = { RoleArn: `arn:aws:iam::${account}:role/${roleName}` };
      const { credentials } = await asRole('Stripewise-hub-DiscoverVolumes', input);
      const iam = new IAMClient(settingsOf(server, ownOf(credentials)));
      const { Roles = [] } = await iam.send(new ListRolesCommand({})).finally(() => iam.destroy());
      return Roles.map(({ Arn }) => Arn).join();
    };
    expect(await listRoles(free)).toBe(`arn:aws:iam::${free}:role/${roleName}`);
    await expect(listRoles(fenced)).rejects.toThrow('is not authorized to perform: iam:ListRoles');
    await expect(listRoles(member)).rejects.toThrow('is not authorized to perform: iam:ListRoles');
  });

  test('a session of a session lasts an hour at most', async () => {
    const { error } = await asRole('Stripewise-hub-DiscoverVolumes', { DurationSeconds: 3_601 });
    expect(error).toMatch(/^ValidationError: .* 1 hour session limit for roles assumed by role chaining$/);
  });
});
