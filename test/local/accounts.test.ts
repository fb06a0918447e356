/** The local AWS with many accounts: whose volumes, metrics, quotas and roles are seen with which credentials. */
import { AccountClient, ListRegionsCommand } from '@aws-sdk/client-account';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeTagsCommand, DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  ListAccountsCommand,
  ListAccountsForParentCommand,
  ListOrganizationalUnitsForParentCommand,
  ListParentsCommand,
  ListRootsCommand,
  OrganizationsClient,
  paginateListAccounts,
} from '@aws-sdk/client-organizations';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from '../../local/deploy.ts';
import { sessionAuthoriser } from '../../local/gateway/authorise.ts';
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts';
import { sendJson } from '../../local/load-fleet.ts';
import { iamIn, type PlantedOrganization, plantOrganization } from '../../local/organization.ts';
import { localAccount, type Services, startServices } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { lookupsIn } from '../requests/lookups.ts';
import { at, endSeconds, query } from './cloudwatch-fixture.ts';

const directory = temporaryDirectory();
const region = 'us-east-1';
const externalId = 'the-hub';
const [orders, ledger, removed, foreign, closed, fenced] = [
  '222233334444',
  '333344445555',
  '444455556666',
  '555566667777',
  '666677778888',
  '777788889999',
] as const;

let services: Services;
let gateway: Gateway;
let organization: PlantedOrganization;

/** A volume of that name in both accounts, of another size in each. */
const fleetOf = (Size: number, values: readonly number[]) => ({
  endEpochSeconds: endSeconds,
  regions: [
    {
      region,
      describeVolumes: {
        Volumes: [
          {
            ...{
              VolumeId: 'vol-1',
              Size,
              VolumeType: 'gp3',
              State: 'in-use',
              AvailabilityZone: `${region}a`,
            },
            ...{ CreateTime: '2026-01-01T00:00:00+00:00', Attachments: [] },
          },
        ],
      },
      describeInstances: { Reservations: [] },
      getMetricData: {
        MetricDataResults: [
          {
            Label: 'vol-1 VolumeReadOps',
            Timestamps: values.map((_, i) => at(endSeconds - 3_600 + i * 60).toISOString()),
            Values: values,
          },
        ],
      },
    },
  ],
});

beforeAll(async () => {
  services = await startServices({ root: process.cwd(), directory: directory.path, say: () => {} });
  organization = await plantOrganization({
    services,
    externalId,
    accounts: [
      { id: orders, name: 'orders', unit: 'Prod/Data', fleet: fleetOf(100, [60, 120]) },
      { id: ledger, name: 'ledger', unit: 'Prod', disabledRegions: ['eu-west-2'], fleet: fleetOf(500, [6]) },
      { id: removed, name: 'removed', role: 'absent' },
      { id: foreign, name: 'foreign', role: 'other external id' },
      { id: closed, name: 'closed', state: 'CLOSED' },
      { id: fenced, name: 'fenced', denied: ['ec2:DescribeVolumes'] },
    ],
  });
  gateway = await startGateway({
    isAllowed: sessionAuthoriser({ iamOf: iamIn(services), ...lookupsIn(services) }),
  });
  const { aws, ec2, cloudWatch } = services.urls;
  gateway.route({ ec2, cloudwatch: cloudWatch }, aws);
}, 300_000);
afterAll(async () => {
  await gateway?.stop();
  await services?.stop();
});
afterEach(() => gateway.reset());

const roleOf = (account: string, name = 'StripewiseMember') => `arn:aws:iam::${account}:role/${name}`;

async function assumed(account: string, ExternalId = externalId, endpoint = services.urls.aws) {
  const sts = new STSClient({ ...clientSettings(services), endpoint, maxAttempts: 1 });
  const of = ExternalId === 'none' ? {} : { ExternalId };
  const input = { RoleArn: roleOf(account), RoleSessionName: 'run-1', ...of };
  const { Credentials } = await sts.send(new AssumeRoleCommand(input)).finally(() => sts.destroy());
  return {
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  };
}
type Credentials = Awaited<ReturnType<typeof assumed>>;

async function sizes(credentials: Credentials, endpoint = services.urls.ec2, inRegion = region) {
  const ec2 = new EC2Client({ endpoint, region: inRegion, credentials, maxAttempts: 1 });
  const { Volumes = [] } = await ec2.send(new DescribeVolumesCommand({})).finally(() => ec2.destroy());
  return Volumes.map(({ VolumeId, Size }) => `${VolumeId} ${Size}`);
}

async function readOps(credentials: object, endpoint = services.urls.cloudWatch): Promise<number[]> {
  const cloudWatch = new CloudWatchClient({
    ...{ endpoint, region, maxAttempts: 1 },
    credentials: credentials as Credentials,
  });
  const asked = new GetMetricDataCommand({
    ...{ StartTime: at(endSeconds - 3_600), EndTime: at(endSeconds) },
    ...{ MetricDataQueries: [query('m0', 'vol-1')], ScanBy: 'TimestampAscending' },
  });
  const { MetricDataResults = [] } = await cloudWatch.send(asked).finally(() => cloudWatch.destroy());
  return MetricDataResults[0]?.Values ?? [];
}

/** Name and message of what a call is refused with. */
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    ({ name, message }: Error) => `${name}: ${message}`,
  );

test('volumes and metrics of one name in two accounts hold apart, and the hub has neither', async () => {
  const [inOrders, inLedger] = await Promise.all([assumed(orders), assumed(ledger)]);
  expect(await sizes(inOrders)).toEqual(['vol-1 100']);
  expect(await sizes(inLedger)).toEqual(['vol-1 500']);
  expect(await readOps(inOrders)).toEqual([60, 120]);
  expect(await readOps(inLedger)).toEqual([6]);
  const { credentials } = clientSettings(services);
  expect(await sizes({ ...credentials, sessionToken: '' })).toEqual([]);
  expect(await readOps(credentials)).toEqual([]);
});

test('a session is of the role in the member', async () => {
  const credentials = await assumed(orders);
  const sts = new STSClient({ ...clientSettings(services), credentials });
  const { Account, Arn } = await sts.send(new GetCallerIdentityCommand({}));
  sts.destroy();
  expect([Account, Arn]).toEqual([orders, `arn:aws:sts::${orders}:assumed-role/StripewiseMember/run-1`]);
});

test.each([
  ['is not there', removed, externalId],
  ['has another external id', foreign, externalId],
  ['is asked for without its external id', orders, 'none'],
  ['is of an account that is closed', closed, externalId],
])('a role that %s is refused, and AWS says no more of it', async (_, account, id) => {
  const hub = `arn:aws:iam::${localAccount}:root`;
  expect(await refusal(assumed(account, id))).toBe(
    `AccessDenied: User: ${hub} is not authorized to perform: sts:AssumeRole on resource: ${roleOf(account)}`,
  );
});

test('a quota that is used up in one account throttles no other one', async () => {
  const listed = async (account: string): Promise<number> => {
    const scope = `Credential=${account}/20261127/${region}/monitoring/aws4_request`;
    const target = 'GraniteServiceVersion20100801.ListMetrics';
    const headers = { authorization: `AWS4-HMAC-SHA256 ${scope}`, 'x-amz-target': target };
    return (await fetch(services.urls.cloudWatch, { method: 'POST', body: '{}', headers })).status;
  };
  // 25 a second in an account and Region.
  const many = await Promise.all(Array.from({ length: 60 }, () => listed(orders)));
  expect(many).toContain(400);
  expect(await listed(ledger)).toBe(200);
});

test('an error that is ordered for one account meets no other one, and calls are counted by account', async () => {
  const [inOrders, inLedger] = await Promise.all([assumed(orders), assumed(ledger)]);
  const { cloudWatch, ec2 } = services.urls;
  await fetch(`${cloudWatch}/_stripewise/counts/reset`, { method: 'POST' });
  const throttled = { operation: 'GetMetricData', account: orders, error: 'ThrottlingException', times: 1 };
  await sendJson('POST', `${cloudWatch}/_stripewise/faults`, throttled);
  expect(await readOps(inLedger)).toEqual([6]);
  expect(await refusal(readOps(inOrders))).toMatch('ThrottlingException');
  expect(await readOps(inOrders)).toEqual([60, 120]);
  const counts = async (url: string): Promise<unknown> => (await fetch(url)).json();
  expect(await counts(`${cloudWatch}/_stripewise/counts/accounts`)).toMatchObject({
    [orders]: { regions: { [region]: { calls: { GetMetricData: 2 }, faulted: 1 } } },
    [ledger]: { regions: { [region]: { calls: { GetMetricData: 1 }, faulted: 0 } } },
  });
  await fetch(`${ec2}/_stripewise/counts/reset`, { method: 'POST' });
  await sizes(inOrders);
  await sizes(inLedger);
  expect(await counts(`${ec2}/_stripewise/counts`)).toEqual({ calls: { DescribeVolumes: 2 } });
  expect(await counts(`${ec2}/_stripewise/counts?account=${orders}`)).toEqual({
    calls: { DescribeVolumes: 1 },
  });
});

test('a Region that is off in an account knows none of its keys', async () => {
  const inLedger = await assumed(ledger);
  expect(await refusal(sizes(inLedger, services.urls.ec2, 'eu-west-2'))).toMatch('AuthFailure');
  expect(await sizes(inLedger)).toEqual(['vol-1 500']);
});

describe('Organizations', () => {
  const client = (accessKeyId: string) =>
    new OrganizationsClient({
      ...clientSettings(services),
      credentials: { accessKeyId, secretAccessKey: 'test' },
      maxAttempts: 1,
    });

  test('lists accounts with their states, in pages', async () => {
    const listed: string[] = [];
    const pages = paginateListAccounts({ client: client(localAccount), pageSize: 3 }, {});
    const sizesOfPages: number[] = [];
    for await (const { Accounts = [] } of pages) {
      sizesOfPages.push(Accounts.length);
      for (const { Id, Name, State, Status } of Accounts) listed.push(`${Id} ${Name} ${State} ${Status}`);
    }
    expect(sizesOfPages).toEqual([3, 3, 1]);
    expect(listed).toContain(`${localAccount} hub ACTIVE ACTIVE`);
    expect(listed).toContain(`${closed} closed CLOSED SUSPENDED`);
  });

  test('has units in units, each with its accounts', async () => {
    const hub = client(localAccount);
    const { Roots = [] } = await hub.send(new ListRootsCommand({}));
    expect(Roots[0]?.Id).toBe(organization.rootId);
    const named = async (ParentId: string | undefined) => {
      const units = await hub.send(new ListOrganizationalUnitsForParentCommand({ ParentId }));
      const accounts = await hub.send(new ListAccountsForParentCommand({ ParentId }));
      return [
        (units.OrganizationalUnits ?? []).map(({ Name }) => Name),
        (accounts.Accounts ?? []).map(({ Name }) => Name),
      ];
    };
    expect(await named(organization.rootId)).toEqual([
      ['Prod'],
      ['hub', 'removed', 'foreign', 'closed', 'fenced'],
    ]);
    expect(await named(organization.units['Prod'])).toEqual([['Data'], ['ledger']]);
    expect(await named(organization.units['Prod/Data'])).toEqual([[], ['orders']]);
    const ChildId = organization.units['Prod/Data'];
    const { Parents } = await hub.send(new ListParentsCommand({ ChildId }));
    expect(Parents).toEqual([{ Id: organization.units['Prod'], Type: 'ORGANIZATIONAL_UNIT' }]);
  });

  test('answers no member that is no delegated administrator, and nobody outside', async () => {
    const list = new ListAccountsCommand({});
    expect(await refusal(client(orders).send(list))).toMatch(/^AccessDeniedException/);
    expect(await refusal(client('999988887777').send(list))).toMatch(/^AWSOrganizationsNotInUseException/);
  });

  test('a member and its management account see which Regions are off', async () => {
    const regionsOf = async (credentials: Credentials, AccountId?: string) => {
      const account = new AccountClient({ ...clientSettings(services), credentials });
      const input = {
        RegionOptStatusContains: ['DISABLED' as const],
        ...(AccountId === undefined ? {} : { AccountId }),
      };
      const { Regions = [] } = await account.send(new ListRegionsCommand(input));
      return Regions.map(({ RegionName }) => RegionName);
    };
    const hub = { ...clientSettings(services).credentials, sessionToken: '' };
    expect(await regionsOf(await assumed(ledger))).toEqual(['eu-west-2']);
    expect(await regionsOf(hub, ledger)).toEqual(['eu-west-2']);
    expect(await regionsOf(hub, orders)).toEqual([]);
  });
});

describe('behind a gateway', () => {
  test('a session may do what its role may, as far as the organization lets it', async () => {
    const [inOrders, inFenced] = [
      await assumed(orders, externalId, gateway.url),
      await assumed(fenced, externalId, gateway.url),
    ];
    expect(await sizes(inOrders, gateway.url)).toEqual(['vol-1 100']);
    const other = new EC2Client({ endpoint: gateway.url, region, credentials: inOrders, maxAttempts: 1 });
    expect(await refusal(other.send(new DescribeTagsCommand({})))).toMatch(
      /^UnauthorizedOperation: .* no identity-based policy allows it$/,
    );
    other.destroy();
    expect(await refusal(sizes(inFenced, gateway.url))).toMatch(
      /^UnauthorizedOperation: .* with an explicit deny in a service control policy$/,
    );
    expect(await readOps(inFenced, gateway.url)).toEqual([]);
  });

  test('AssumeRole is throttled for one account, and counted by role', async () => {
    gateway.faults.add({ kind: 'throttled', times: 1, operation: 'AssumeRole', account: orders });
    await assumed(ledger, externalId, gateway.url);
    expect(await refusal(assumed(orders, externalId, gateway.url))).toBe('Throttling: Rate exceeded');
    await assumed(orders, externalId, gateway.url);
    const roles = gateway.calls.map(({ assumes }) => assumes);
    expect(roles).toEqual([roleOf(ledger), roleOf(orders), roleOf(orders)]);
  });

  test('an account that is closed in the middle knows its keys no more, and its role cannot be assumed', async () => {
    gateway.faults.add({ kind: 'unrecognized-client', times: -1, account: orders, after: 2 });
    const inOrders = await assumed(orders, externalId, gateway.url);
    expect(await sizes(inOrders, gateway.url)).toEqual(['vol-1 100']);
    expect(await refusal(sizes(inOrders, gateway.url))).toMatch(/^AuthFailure/);
    expect(await refusal(readOps(inOrders, gateway.url))).toMatch(/^UnrecognizedClientException/);
    expect(await refusal(assumed(orders, externalId, gateway.url))).toMatch(/^AccessDenied/);
    expect(await readOps(await assumed(ledger, externalId, gateway.url), gateway.url)).toEqual([6]);
  });
});
