/** The audit of several accounts as it is deployed: who refuses is said, all others are read, and nothing is thought to be gone that nobody looked at. */
import { AccountClient, ListRegionsCommand } from '@aws-sdk/client-account';
import {
  CloudFormationClient,
  DeleteStackCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn';
import { stagingPrefix } from '../../core/archive/keys.ts';
import { groupBy } from '../../core/group-by.ts';
import type { AccountCoverage } from '../../core/schemas/accounts.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { clientSettings, connectSlack } from '../../local/deploy.ts';
import { loadFleet, sendJson } from '../../local/load-fleet.ts';
import { plantOrganization } from '../../local/organization.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { localAccount as hub } from '../../local/services.ts';
import { notReadLine } from '../../report/wording/accounts.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { accountContents } from '../resilience/account-contents.ts';
import { type SimulatedFleet, simulateFleet } from '../simulator/fleet.ts';
import type { FleetPlan } from '../simulator/plan.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { byId, resultOf } from './compare-runs.ts';
import { archiveOf, globbed } from './globbed-archive.ts';
import { budgetedAccount, externalId, type LocalDeployment, localDeployment } from './local-deployment.ts';
import { comesToBe, Ticks, throttleOne } from './ticks-of-accounts.ts';

const [orders, closing, removed, foreign, suspended, fenced, partly, busy] = [
  ...[budgetedAccount, '333344445555', '444455556666', '555566667777'],
  ...['666677778888', '777788889999', '888899990000', '999900001111'],
] as [string, string, string, string, string, string, string, string];
/** In another organization: one wants a hub of its own organization, one a hub of ours. */
const [theirs, partner] = ['131313131313', '141414141414'] as const;

const planOf = (...names: string[]): FleetPlan => ({
  instances: fleetPlan.instances.filter(({ name }) => names.includes(name)),
  loose: [],
});

const directory = temporaryDirectory();
let deployment: LocalDeployment;
let runs: DeployedRun[];
let results: [AuditResult, AuditResult, AuditResult];
/** After those. */
let openThen: ReadonlySet<string>;
/** The run after an account left the organization. */
let afterwards: AuditResult;

function fleetOf(...names: string[]): SimulatedFleet {
  const { endEpochSeconds } = deployment.fleet;
  const fleet = simulateFleet({ endEpochSeconds, plan: planOf(...names) });
  return { ...fleet, regions: fleet.regions.filter(({ region }) => region === 'us-east-1') };
}
/** All that the local AWS has, without these. */
async function regionsBut(...enabled: string[]): Promise<string[]> {
  const client = new AccountClient(clientSettings(deployment.services));
  const { Regions = [] } = await client.send(new ListRegionsCommand({ MaxResults: 50 }));
  client.destroy();
  return Regions.map(({ RegionName = '' }) => RegionName).filter((name) => !enabled.includes(name));
}
const withoutVolumes = (): SimulatedFleet => {
  const fleet = fleetOf('etl');
  const nothing = { describeVolumes: { Volumes: [] }, describeInstances: { Reservations: [] } };
  return { ...fleet, regions: fleet.regions.map((one) => ({ ...one, ...nothing })) };
};

/** Each half an hour after the one before it. */
function until(index: number): string {
  const minutesBefore = 120 - 40 * index;
  return new Date((deployment.fleet.endEpochSeconds - minutesBefore * 60) * 1_000).toISOString();
}
const runAgain = async (index: number): Promise<AuditResult> => {
  const run = await deployment.run({ until: until(index), lookbackDays: 1 });
  runs.push(run);
  return resultOf(run);
};

const refuseMetrics = (account: string) =>
  sendJson('POST', `${deployment.services.urls.cloudWatch}/_stripewise/faults`, {
    ...{ operation: 'GetMetricData', account, times: -1, status: 403 },
    ...{
      error: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    },
  });

beforeAll(async () => {
  deployment = await localDeployment({
    stack: 'organization',
    withoutSchedules: true,
    plan: planOf('broker-us'),
  });
  const { services, outputs } = deployment;
  const accounts: Parameters<typeof plantOrganization>[0]['accounts'] = [
    { id: orders, name: 'orders', unit: 'Prod', fleet: fleetOf('orders-db', 'etl') },
    { id: closing, name: 'closing', unit: 'Prod/Old', fleet: fleetOf('pricing', 'gateway') },
    { id: removed, name: 'removed', role: 'absent' },
    { id: foreign, name: 'foreign', role: 'other external id' },
    { id: suspended, name: 'suspended', state: 'SUSPENDED' },
    { id: fenced, name: 'fenced', denied: ['ec2:DescribeVolumes'] },
    { id: partly, name: 'partly', disabledRegions: await regionsBut('us-east-1') },
    { id: busy, name: 'busy', isThrottled: true },
  ];
  const { id: wantedOrganization } = await plantOrganization({ services, externalId, accounts });
  const another = { services, externalId, isHubIn: false, managementAccount: '121212121212' };
  await plantOrganization({ ...another, accounts: [{ id: theirs, name: 'theirs', fleet: fleetOf('etl') }] });
  await plantOrganization({
    ...{ ...another, wantedOrganization },
    accounts: [
      {
        ...{ id: partner, name: 'partner', fleet: fleetOf('gateway') },
        disabledRegions: await regionsBut('us-east-1', 'me-south-1'),
      },
    ],
  });
  await connectSlack(services, outputs);
  runs = [];
  const first = await runAgain(0);
  // From now on: one account is closed when its volumes were listed; in another one all that it had is gone.
  await refuseMetrics(closing);
  await loadFleet(services.urls, withoutVolumes(), {}, orders);
  results = [first, await runAgain(1), await runAgain(2)];
  openThen = await openFindings();
  await plantOrganization({ services, externalId, accounts: [], left: [closing] });
  afterwards = await runAgain(3);
}, 600_000);
afterAll(() => deployment?.remove());

const coverageOf = ({ accountCoverage = [] }: AuditResult): Map<string, AccountCoverage> =>
  new Map(accountCoverage.map((one) => [one.account, one]));
const placesOf = (run: AuditResult, account: string): string[] =>
  (coverageOf(run).get(account)?.regions ?? []).map(
    ({ region, whole, refused }) => `${region} ${refused?.code ?? (whole ? 'whole' : 'in part')}`,
  );
const planned = (...names: string[]): number =>
  planOf(...names).instances.reduce((sum, { volumes }) => sum + volumes.length, 0);
const accountsOf = (run: AuditResult): string[] => [
  ...new Set(run.findings.map(({ resource }) => resource.account ?? '')),
];

test('every account of the organization is in the coverage, once, with its name and what came of it', () => {
  const [first] = results;
  const states = [...coverageOf(first).values()].map(
    ({ name, state, refused }) => `${name}: ${state}${refused === null ? '' : `, ${refused.code}`}`,
  );
  expect(states).toEqual([
    'hub: read',
    'orders: read',
    'closing: read',
    'removed: not-read, role-refused',
    'foreign: not-read, role-refused',
    'suspended: not-read, suspended',
    'fenced: not-read, denied-by-organization',
    'partly: read-in-part',
    'busy: not-read, sts-throttled',
  ]);
  expect(placesOf(first, orders)).toEqual(['us-east-1 whole', 'eu-central-1 whole']);
  expect(placesOf(first, partly)).toEqual(['us-east-1 whole', 'eu-central-1 region-off']);
  expect(placesOf(first, suspended)).toEqual([]);
  expect(
    coverageOf(first)
      .get(closing)
      ?.units.map(({ name }) => name),
  ).toEqual(['Root', 'Prod', 'Old']);
});

test('the volumes of each account that can be read are evaluated as its own', () => {
  const [first] = results;
  const volumesOf = (account: string): number =>
    first.volumes.filter((volume) => volume.account === account).length;
  expect(volumesOf(hub)).toBe(planned('broker-us'));
  expect(volumesOf(orders)).toBe(planned('orders-db', 'etl'));
  expect(volumesOf(closing)).toBe(planned('pricing', 'gateway'));
  expect(first.coverage.volumes).toBe(first.volumes.length);
  expect(first.coverage.unknown).toEqual([]);
  expect(accountsOf(first).sort()).toEqual([hub, orders, closing]);
  const named = first.findings.find(({ resource }) => resource.account === orders);
  expect(named?.resource).toMatchObject({
    accountName: 'orders',
    accountUnits: [expect.any(String), expect.any(String)],
  });
});

test('the prices of a Region are read once for all accounts', () => {
  const [{ prices, notices }] = results;
  expect(prices.map(({ region }) => region)).toEqual(['us-east-1']);
  expect(notices).toEqual([]);
});

test('accounts of the first run are not compared with any; in the next one none is new', () => {
  const [first, second] = results;
  const isNew = (run: AuditResult): Set<boolean | null> =>
    new Set([...coverageOf(run).values()].map((one) => one.isNew));
  expect([isNew(first), isNew(second)]).toEqual([new Set([null]), new Set([false])]);
});

test('an account that was closed during a run: its volumes are unknown, its targets not whole, all others are read', () => {
  const [, second] = results;
  expect(placesOf(second, closing)).toEqual(['us-east-1 in part', 'eu-central-1 whole']);
  expect(coverageOf(second).get(closing)?.state).toBe('read-in-part');
  const unknown = second.volumes.filter(({ status }) => status === 'unknown');
  expect(new Set(unknown.map(({ account }) => account))).toEqual(new Set([closing]));
  expect(second.coverage.incomplete).toMatchObject([{ code: 'metrics-not-read', account: closing }]);
  expect(coverageOf(second).get(hub)?.state).toBe('read');
  expect(coverageOf(second).get(orders)?.state).toBe('empty');
});

async function findingItems() {
  const client = new DynamoDBClient(clientSettings(deployment.services));
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const table = TableNames.find((name) => name.includes('Records'));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  client.destroy();
  return Items;
}

/** Findings that count as open, as the table of findings has them. */
async function openFindings(): Promise<Set<string>> {
  const items = await findingItems();
  return new Set(
    items.flatMap(({ openIn, findingId }) => (openIn === undefined ? [] : [findingId?.S ?? ''])),
  );
}

async function lastEvents(): Promise<Map<string, string | undefined>> {
  const items = await findingItems();
  return new Map(
    items.map(({ findingId, history }) => [findingId?.S ?? '', history?.L?.at(-1)?.M?.['event']?.S]),
  );
}

test('what is gone of an account that was read is resolved; of one that was not, nothing is', async () => {
  const [first] = results;
  const open = openThen;
  const countOf = (account: string): [found: number, open: number] => {
    const found = byId(first).filter(
      ({ resource, severity }) => resource.account === account && severity !== 'info',
    );
    return [found.length, found.filter(({ id }) => open.has(id)).length];
  };
  const [ofOrders, stillOpenOfOrders] = countOf(orders);
  const [ofClosing, stillOpenOfClosing] = countOf(closing);
  expect(ofOrders).toBeGreaterThan(0);
  expect(stillOpenOfOrders).toBe(0);
  expect(ofClosing).toBeGreaterThan(0);
  expect(stillOpenOfClosing).toBe(ofClosing);
});

test('what an account had that left the organization is open no more, and not resolved', async () => {
  expect([...coverageOf(afterwards).keys()]).not.toContain(closing);
  expect(afterwards.accountsLeft).toEqual([
    { account: closing, name: 'closing', regions: ['us-east-1', 'eu-central-1'] },
  ]);
  const [first] = results;
  const of = byId(first).filter(({ id, resource }) => resource.account === closing && openThen.has(id));
  const [open, events] = [await openFindings(), await lastEvents()];
  expect(of.length).toBeGreaterThan(0);
  expect(of.map(({ id }) => [open.has(id), events.get(id)])).toEqual(of.map(() => [false, 'no-longer-read']));
});

test('who reads in Slack hears of what is new in the first run, and of nothing of the closed account after it', async () => {
  const [first, ...others] = await deployment.slackMessages();
  expect(first?.text).toContain('stripewise: ');
  const [{ findings }] = results;
  const ofClosing = findings.filter(({ resource }) => resource.account === closing);
  for (const { resource } of ofClosing) expect(JSON.stringify(others)).not.toContain(resource.id);
});

test('a run may ask for some of the accounts, each once however often it is named', async () => {
  const some = resultOf(await deployment.run({ accounts: [orders, orders], notify: false }));
  expect([...coverageOf(some).keys()]).toEqual([orders]);
  const unknown = await deployment.run({ accounts: ['121212121212'], notify: false });
  expect(unknown.status).toContain('BadInput');
  expect(unknown.status).toContain('121212121212 is not read');
});

test('accounts of two organizations in a list: who wants a hub of another one refuses, the others are read', async () => {
  for (const run of results) expect([...coverageOf(run).keys()]).not.toContain(theirs);
  const listed = await deployment.cli(
    ...['audit', '--accounts', hub, orders, theirs, partner, '--external-id', externalId],
    ...['--region', 'us-east-1', '--lookback-days', '1', '--until', until(3)],
  );
  const states = [...coverageOf(listed).values()].map(({ account, state }) => [account, state]);
  expect(Object.fromEntries(states)).toEqual({
    ...{ [hub]: 'read', [orders]: 'empty', [theirs]: 'not-read', [partner]: 'read' },
  });
  const line = notReadLine(coverageOf(listed).get(theirs) as AccountCoverage);
  expect(line).toContain('it refused the role StripewiseMember');
  expect(line).toContain("with this hub's account, organization and external id");
});

test('with `enabled` each account is read in its own Regions: an opt-in Region of one is none of another', async () => {
  const config = directory.write(
    'enabled.yaml',
    `organization: { accounts: ["${partner}", "${partly}"], externalId: ${externalId}, regions: enabled }\n`,
  );
  const read = await deployment.cli(
    ...['audit', '--config', config, '--lookback-days', '1', '--until', until(3)],
  );
  expect(placesOf(read, partner)).toEqual(['me-south-1 whole', 'us-east-1 whole']);
  expect(placesOf(read, partly)).toEqual(['us-east-1 whole']);
});

test('what states hold does not grow with the accounts', async () => {
  const client = new SFNClient(clientSettings(deployment.services));
  const executionArn = runs[0]?.executionArn ?? '';
  let [events, largest] = [0, 0];
  for await (const page of paginateGetExecutionHistory({ client }, { executionArn })) {
    for (const event of page.events ?? []) {
      events++;
      largest = Math.max(largest, JSON.stringify(event).length);
    }
  }
  client.destroy();
  // Nine accounts and two Regions; of the targets there is one map.
  expect(events).toBeLessThan(100);
  expect(largest).toBeLessThan(8 * 1_024);
});

describe('what is read of each account is kept in one archive', () => {
  let [first, again]: AuditResult[] = [];
  const ofAccounts = { accounts: [hub, orders], periodSeconds: undefined, notify: false };
  const idsOf = (run: AuditResult | undefined, account: string): string[] =>
    (run?.volumes ?? []).flatMap((volume) => (volume.account === account ? [volume.volumeId] : []));

  beforeAll(async () => {
    await loadFleet(deployment.services.urls, fleetOf('etl'), {}, orders);
    first = resultOf(await deployment.run(ofAccounts));
    again = resultOf(await deployment.run(ofAccounts));
  }, 120_000);

  test('below its account and Region, each minute once; nothing is left staged', async () => {
    const store = archiveOf(deployment);
    expect(await store.list(stagingPrefix)).toEqual([]);
    const keptIn = groupBy(
      await globbed(store),
      ({ key }) => /account=\d+\/region=[a-z0-9-]+/.exec(key)?.[0] ?? key,
    );
    expect([...keptIn.keys()].sort()).toEqual(
      [orders, hub].map((account) => `account=${account}/region=us-east-1`).sort(),
    );
    for (const [account, volumes] of [
      [hub, planned('broker-us')],
      [orders, planned('etl')],
    ] as const) {
      const kept = (keptIn.get(`account=${account}/region=us-east-1`) ?? []).map(({ minutes }) => minutes);
      const ofVolumes = kept.filter(({ resourceType }) => resourceType === 'volume');
      const ids = new Set(ofVolumes.map(({ resourceId }) => resourceId));
      expect([...ids].sort()).toEqual(idsOf(first, account).sort());
      expect(ids.size).toBe(volumes);
      expect(new Set(kept.map(({ arn }) => arn?.split(':')[4]))).toEqual(new Set([account]));
      for (const { evaluation, epochSeconds } of ofVolumes)
        expect(evaluation?.status).toHaveLength(epochSeconds.length);
    }
  });

  test('the next run finds the same, asks for the same metrics, and only for points that are not settled', () => {
    expect(byId(again as AuditResult).map(({ id }) => id)).toEqual(
      byId(first as AuditResult).map(({ id }) => id),
    );
    expect(first?.coverage.incomplete).toEqual([]);
    expect(again?.coverage.incomplete).toEqual([]);
    expect(again?.cost.metricsRequested).toBe(first?.cost.metricsRequested);
    expect(again?.cost.points ?? Number.NaN).toBeLessThan((first?.cost.points ?? Number.NaN) / 4);
  });
});

describe('monitoring, after these audits', () => {
  let ticks: Ticks;
  let throttled: string;
  /** Volumes that can be polled, by account. */
  const volumesOf = {
    [hub]: planned('broker-us'),
    [orders]: planned('orders-db', 'etl'),
    [partly]: planned('reporting'),
  };
  const each = <T>(of: (account: string) => Promise<T>): Promise<Record<string, T>> =>
    Promise.all(Object.keys(volumesOf).map(async (account) => [account, await of(account)] as const)).then(
      Object.fromEntries,
    );

  beforeAll(async () => {
    const { services } = deployment;
    const reporting = fleetOf('reporting');
    await loadFleet(services.urls, fleetOf('orders-db', 'etl'), {}, orders);
    await loadFleet(services.urls, reporting, {}, partly);
    // It lets in now, but gives no metrics.
    const letsIn = { id: foreign, name: 'foreign', fleet: fleetOf('pricing', 'gateway') };
    await plantOrganization({ services, externalId, accounts: [letsIn] });
    await refuseMetrics(foreign);
    throttled = await throttleOne(deployment, partly, reporting);
    ticks = new Ticks(deployment);
    await ticks.forgetCounts();
    await Promise.all([ticks.tick(), ticks.tick()]);
    await comesToBe(() => ticks.areOver());
  }, 200_000);

  test('two ticks at one time poll each volume once, in its account', async () => {
    expect(await ticks.areOver()).toBe(true);
    expect(await each((account) => ticks.watched(account))).toEqual(volumesOf);
    expect(await each((account) => ticks.polled(account))).toEqual(volumesOf);
    for (const { calls, metrics } of Object.values(await each((account) => ticks.asked(account)))) {
      expect(calls).toBeGreaterThan(0);
      expect(metrics).toBeGreaterThan(0);
    }
  });

  test('an account that refuses its metrics is not asked again by the next tick', async () => {
    expect(await ticks.watched(foreign)).toBe(planned('pricing', 'gateway'));
    expect((await ticks.asked(foreign)).calls).toBe(1);
    expect(await ticks.tickOf(foreign)).toMatchObject({ polls: 0, unread: [] });
    expect((await ticks.asked(foreign)).calls).toBe(1);
    expect(await ticks.polled(foreign)).toBe(0);
  });

  test('an account without the member role is not asked for anything', async () => {
    expect(await ticks.watched(removed)).toBe(0);
    expect(await ticks.asked(removed)).toEqual({ calls: 0, metrics: 0 });
  });

  test('a volume of a member that is throttled now is told with its account', async () => {
    const told = async (): Promise<string | undefined> =>
      (await deployment.slackMessages())
        .map((message) => JSON.stringify(message))
        .find((text) => text.includes(throttled));
    await comesToBe(async () => (await told()) !== undefined);
    expect(await told()).toContain('partly');
  }, 100_000);

  test('what an account was asked is taken of its own budget', async () => {
    const { left, metricsPerMonth } = await ticks.budgetLeft();
    // Full is a day of 30. In a minute since then metrics for a minute came in, some ten.
    const taken = metricsPerMonth / 30 - left;
    const { metrics } = await ticks.asked(orders);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(metrics + 1);
    expect(taken).toBeGreaterThan(metrics - (metricsPerMonth / 30 / 24 / 60) * 2);
  });
});

/** What the CDK made for every app. */
const ofTheCdk = /^(cdk-|CDKToolkit|\/cdk-bootstrap\/)/;

/** Last: there is no stack after it. */
test('a hub that is removed leaves the bucket of its runs, and no role of a fixed name', async () => {
  const { services, outputs } = deployment;
  // What the requests were allowed by is the stack.
  await deployment.checkRequests();
  const before = await accountContents(services);
  expect(before['roles']).toEqual(expect.arrayContaining([expect.stringMatching(/^Stripewise-hub-/)]));
  const client = new CloudFormationClient(clientSettings(services));
  const StackName = before['stacks']?.find((name) => name !== 'CDKToolkit');
  await client.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete({ client, maxWaitTime: 120, minDelay: 1, maxDelay: 1 }, { StackName });
  client.destroy();
  const after = Object.entries(await accountContents(services));
  const left = after.flatMap(([kind, names]) =>
    names.flatMap((name) => (ofTheCdk.test(name) ? [] : [`${kind}: ${name}`])),
  );
  const kept = [`buckets: ${outputs.RunsBucket}`, `objects: ${outputs.RunsBucket}/`];
  expect(left.filter((name) => !kept.some((start) => name.startsWith(start)))).toEqual([]);
  expect(left).toContain(`buckets: ${outputs.RunsBucket}`);
}, 180_000);
