/** The audit of several accounts as it is deployed: who refuses is said, all others are read, and nothing is thought to be gone that nobody looked at. */
import { DynamoDBClient, ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn';
import type { AccountCoverage } from '../../core/schemas/accounts.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { clientSettings, connectSlack } from '../../local/deploy.ts';
import { loadFleet, sendJson } from '../../local/load-fleet.ts';
import { plantOrganization } from '../../local/organization.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { localAccount as hub } from '../../local/services.ts';
import { type SimulatedFleet, simulateFleet } from '../simulator/fleet.ts';
import type { FleetPlan } from '../simulator/plan.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { byId, resultOf } from './compare-runs.ts';
import { budgetedAccount, externalId, type LocalDeployment, localDeployment } from './local-deployment.ts';
import { comesToBe, Ticks, throttleOne } from './ticks-of-accounts.ts';

const [orders, closing, removed, foreign, suspended, fenced, partly, busy] = [
  ...[budgetedAccount, '333344445555', '444455556666', '555566667777'],
  ...['666677778888', '777788889999', '888899990000', '999900001111'],
] as [string, string, string, string, string, string, string, string];

const planOf = (...names: string[]): FleetPlan => ({
  instances: fleetPlan.instances.filter(({ name }) => names.includes(name)),
  loose: [],
});

let deployment: LocalDeployment;
let runs: DeployedRun[];
let results: [AuditResult, AuditResult, AuditResult];

function fleetOf(...names: string[]): SimulatedFleet {
  const { endEpochSeconds } = deployment.fleet;
  const fleet = simulateFleet({ endEpochSeconds, plan: planOf(...names) });
  return { ...fleet, regions: fleet.regions.filter(({ region }) => region === 'us-east-1') };
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
    { id: partly, name: 'partly', disabledRegions: ['eu-central-1'] },
    { id: busy, name: 'busy', isThrottled: true },
  ];
  await plantOrganization({ services, externalId, accounts });
  await connectSlack(services, outputs);
  runs = [];
  const first = await runAgain(0);
  // From now on: one account is closed when its volumes were listed; in another one all that it had is gone.
  await sendJson('POST', `${services.urls.cloudWatch}/_stripewise/faults`, {
    ...{ operation: 'GetMetricData', account: closing, times: -1, status: 403 },
    ...{
      error: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    },
  });
  await loadFleet(services.urls, withoutVolumes(), {}, orders);
  results = [first, await runAgain(1), await runAgain(2)];
}, 400_000);
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

/** Findings that count as open, as the table of findings has them. */
async function openFindings(): Promise<Set<string>> {
  const client = new DynamoDBClient(clientSettings(deployment.services));
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const table = TableNames.find((name) => name.includes('Records'));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  client.destroy();
  return new Set(
    Items.flatMap(({ openIn, findingId }) => (openIn === undefined ? [] : [findingId?.S ?? ''])),
  );
}

test('what is gone of an account that was read is resolved; of one that was not, nothing is', async () => {
  const [first] = results;
  const open = await openFindings();
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
    expect(await ticks.watched(closing)).toBe(planned('pricing', 'gateway'));
    expect((await ticks.asked(closing)).calls).toBe(1);
    expect(await ticks.tickOf(closing)).toMatchObject({ polls: 0, unread: [] });
    expect((await ticks.asked(closing)).calls).toBe(1);
    expect(await ticks.polled(closing)).toBe(0);
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
