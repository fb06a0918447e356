/** The local AWS with many accounts: whose volumes, metrics, quotas and roles are seen with which credentials. */
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientSettings } from '../../local/deploy.ts';
import { sessionAuthoriser } from '../../local/gateway/authorise.ts';
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts';
import { sendJson } from '../../local/load-fleet.ts';
import { iamIn, type PlantedOrganization, plantOrganization } from '../../local/organization.ts';
import { localAccount, type Services, startServices } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { lookupsIn } from '../requests/lookups.ts';
import { at, endSeconds, query, series } from './cloudwatch-fixture.ts';

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
            ...{ VolumeId: 'vol-1', Size, VolumeType: 'gp3', State: 'in-use', AvailabilityZone: `${region}a` },
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
])('a role that %s is refused as AWS does', async (_, account, id) => {
  expect(await refusal(assumed(account, id))).toBe('');
});

test('a quota that is used up in one account throttles no other one', async () => {
  // 25 ListMetrics a second in an account and Region, and none are left after 25.
  const scope = (account: string) =>
    `AWS4-HMAC-SHA256 Credential=${account}/20261127/${region}/monitoring/aws4_request`;
  const listed = async (account: string): Promise<number> => {
    const reply = await fetch(services.urls.cloudWatch, {
      ...{ method: 'POST', body: '{}' },
      headers: {
        authorization: scope(account),
        'x-amz-target': 'GraniteServiceVersion20100801.ListMetrics',
      },
    });
    return reply.status;
  };
  const many = await Promise.all(Array.from({ length: 60 }, () => listed(orders)));
  expect(many).toContain(400);
  expect(await listed(ledger)).toBe(200);
});
