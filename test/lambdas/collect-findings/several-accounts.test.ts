/** A run of several accounts put together: what is known of each account, and that nothing of an unread one is thought to be gone. */
import { isWholeIn, regionsOfFindings, regionsOfRun } from '../../../core/audit/accounts.ts';
import { isPartial } from '../../../core/audit/audit.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { ListedAccount, Refused, TargetList } from '../../../core/schemas/accounts.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { type MonitoringBudgets, spentOfAccounts } from '../../../lambdas/collect-findings/budgets.ts';
import { collectFindings } from '../../../lambdas/collect-findings/collect-findings.ts';
import type { Child } from '../../../lambdas/collect-findings/map-failures.ts';
import {
  type AccountsFrom,
  readAccounts,
  severalAccountsSchema,
} from '../../../lambdas/collect-findings/several-accounts.ts';
import { aFinding, aResult, onVolume } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const [first, second, third] = ['111122223333', '222233334444', '333344445555'] as const;
const plan = { startEpochSeconds: 1_795_046_400, endEpochSeconds: 1_795_132_800, periodSeconds: 300 };
const account = (id: string, refused: Refused | null = null): ListedAccount => ({
  ...{ account: id, name: `name of ${id}`, refused },
  units: [{ id: 'r-ab12', name: 'Root' }],
});
const target = (id: string, region = 'us-east-1') => ({ partition: 'aws', account: id, region });

const discovered = (id: string, others: object = {}) => ({
  ...{ account: id, region: 'us-east-1', batches: 1, volumes: 2, excluded: 0, benchmarkVolumes: 0 },
  ...{ incomplete: [], apiCalls: 3, manifestKey: `map of ${id}` },
  ...others,
});
const succeeded = (output: object): Child => ({ Output: JSON.stringify(output) });
const batchOf = (id: string, region = 'us-east-1'): string => `${id}-${region}-00001-request.json`;
const roleRefused = { code: 'role-refused', reason: 'sts:AssumeRole failed: AccessDenied' } as const;

interface Run {
  run: Partial<TargetList>;
  children: Child[];
  results?: Record<string, AuditResult>;
  /** Children of maps over batches that failed, by manifest. */
  failed?: Record<string, Child[]>;
  before?: TargetList;
  isOfAll?: boolean;
  refreshed?: unknown[];
  read?: Partial<AccountsFrom>;
  monitoring?: MonitoringBudgets;
  onCost?: (account: string, usd: number) => void;
}

async function collected({ run, children, results = {}, failed = {}, refreshed = [], ...more }: Run) {
  const { before = null, isOfAll = true, read, monitoring = null, onCost = () => undefined } = more;
  const runTargets = { accounts: [], targets: [], notListed: [], notices: [], ...run };
  const event = severalAccountsSchema.parse({
    manifestKey: 'the map over the targets',
    refreshed,
    isOfAll,
  });
  const { targets, accounts, ...batches } = await readAccounts(event, {
    readTargets: async () => runTargets,
    readChildren: async (key, which) => (which === 'all' ? children : (failed[key] ?? [])),
    readBatches: async ({ account: id, region }) => [batchOf(id, region)],
    readBefore: async () => before,
    ...read,
  });
  return collectFindings(
    { thresholds: defaultThresholds, monitoring, runId: 'run-1', plan, targets, accounts },
    {
      ...{ ...batches, onCost },
      listResults: async () => Object.keys(results),
      readBatch: async (name) => ({
        ...{ region: 'us-east-1', account: name.slice(0, 12), instances: [], published: null },
        volumes: [aVolume({ account: name.slice(0, 12) })],
      }),
      readResult: async (name) => results[name] as AuditResult,
      readRegionCatalog: async (region) => ({
        ...{ regionCatalog: builtInRegionCatalog(region), notices: [], incomplete: [] },
      }),
    },
  );
}

const inBoth = { accounts: [account(first), account(second)], targets: [target(first), target(second)] };

test('what was found in each account has its account, and its name', async () => {
  const found = (id: string) =>
    aResult([aFinding({ id: `of ${id}`, resource: onVolume('vol-1', { account: id }) })]);
  const result = await collected({
    run: inBoth,
    children: [succeeded(discovered(first)), succeeded(discovered(second))],
    results: { [batchOf(first)]: found(first), [batchOf(second)]: found(second) },
  });
  expect(result.findings.map(({ resource }) => [resource.account, resource.accountName])).toEqual([
    [first, `name of ${first}`],
    [second, `name of ${second}`],
  ]);
  expect(new Set(result.volumes.map((volume) => volume.account))).toEqual(new Set([first, second]));
  expect(result.accountCoverage?.map(({ state, volumes }) => [state, volumes])).toEqual([
    ['read', 2],
    ['read', 2],
  ]);
  // 3 of each target, and 10 of each batch.
  expect(result.cost.apiCalls).toBe(2 * 3 + 2 * 10);
  expect(result.wholeRegions).toBeUndefined();
  expect(isPartial(result)).toBe(false);
});

describe('where the archive begins after the window', () => {
  const days = (id: number): string => `2026-11-${String(1 + (id % 20)).padStart(2, '0')}T00:00:00Z`;
  const begins = (start: string, region = 'us-east-1') =>
    aResult([], { notices: [{ code: 'archive-begins', start, regions: [region] }] });
  const noticesOf = async (ofBatches: Record<string, AuditResult>) => {
    const ids = [...new Set(Object.keys(ofBatches).map((name) => name.slice(0, 12)))];
    const { notices } = await collected({
      run: { accounts: ids.map((id) => account(id)), targets: ids.map((id) => target(id)) },
      children: ids.map((id) => succeeded(discovered(id))),
      results: ofBatches,
      read: {
        readBatches: async ({ account: id }) => Object.keys(ofBatches).filter((name) => name.startsWith(id)),
      },
    });
    return notices;
  };

  test('100 accounts say it once: the latest start, of which Regions, of how many', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => String(111_111_111_111 + i));
    const each = ids.map((id, i) => [batchOf(id), begins(days(i))] as const);
    const inEurope = [batchOf(ids[7] ?? '', 'eu-central-1'), begins(days(3), 'eu-central-1')] as const;
    const once = {
      ...{ code: 'archive-begins', start: '2026-11-20T00:00:00Z', accounts: 100 },
      regions: ['eu-central-1', 'us-east-1'],
    };
    expect(await noticesOf(Object.fromEntries([...each, inEurope]))).toEqual([once]);
    expect(await noticesOf(Object.fromEntries([inEurope, ...each.toReversed()]))).toEqual([once]);
  });

  test('one account of two keeps its name', async () => {
    const ofSecond = {
      [batchOf(second)]: begins(days(1)),
      [batchOf(second, 'us-west-2')]: begins(days(4), 'us-west-2'),
    };
    expect(await noticesOf({ [batchOf(first)]: aResult([]), ...ofSecond })).toEqual([
      { code: 'archive-begins', start: days(4), regions: ['us-east-1', 'us-west-2'], account: second },
    ]);
  });
});

test('a budget of some accounts that bounds monitoring of them is said, and what a budget names in vain', async () => {
  const costs = new Map<string, number>();
  const costOf = (usd: number) => aResult([], { cost: { apiCalls: 1, metricsRequested: 1, usd } });
  const ofAccounts = [
    { accounts: [first, third], apiUsdPerMonth: 5 },
    { accounts: [second], apiUsdPerMonth: 5 },
    { organizationalUnits: ['r-ab12', 'ou-ab12-11111111'], apiUsdPerMonth: 50 },
  ];
  const result = await collected({
    run: inBoth,
    children: [
      succeeded(discovered(first, { volumes: 200 })),
      succeeded(discovered(second, { volumes: 20 })),
    ],
    results: { [batchOf(first)]: costOf(0.1), [batchOf(second)]: costOf(0.02) },
    monitoring: { everyMinutes: 1, budgetUsd: null, auditsAMonth: 30, ofAccounts },
    onCost: (account, usd) => costs.set(account, usd),
  });
  // 30 audits x 0.10 are 3 USD of 5; 200 volumes x 44.09 / 1,000 = 8.82 USD of the 2 that are left: 4.4 times 15 min.
  expect(result.notices).toEqual([
    {
      ...{ code: 'monitoring-bounded', volumes: 200, budgetUsd: 5, enoughUsd: 12 },
      ...{ quietEveryMinutes: 67, usualEveryMinutes: 15 },
      accounts: { entry: 0, first: [first], count: 1 },
    },
    { code: 'budget-of-nothing-read', entry: 0, names: [third], count: 1 },
    { code: 'budget-of-nothing-read', entry: 2, names: ['ou-ab12-11111111'], count: 1 },
  ]);
  const spent = spentOfAccounts(ofAccounts, inBoth.accounts, costs).map(({ usd }) => usd);
  expect(spent).toEqual([0.1, 0.02, expect.closeTo(0.12)]);
});

test('an account that lets nobody in is said with its reason; nothing of it counts as gone', async () => {
  const result = await collected({
    run: inBoth,
    children: [
      succeeded(discovered(first, { batches: 0, volumes: 0 })),
      succeeded(discovered(second, { batches: 0, volumes: 0, refused: roleRefused })),
    ],
  });
  expect(result.accountCoverage).toMatchObject([
    { account: first, state: 'empty', refused: null },
    { account: second, state: 'not-read', refused: roleRefused },
  ]);
  expect(result.coverage.incomplete).toEqual([]);
  const isWhole = isWholeIn(result);
  expect([first, second].map((id) => isWhole({ account: id, region: 'us-east-1' }))).toEqual([true, false]);
  expect(isPartial(result)).toBe(true);
});

test.each<[string, Refused['code'], boolean]>([
  ['is suspended', 'suspended', false],
  ['is closed', 'closed', false],
  ['has a role that refuses', 'role-refused', true],
  ['answers in no Region', 'other', true],
])(
  'a run is partial where somebody could do something about it: an account that %s',
  async (_, code, partial) => {
    const accounts = [account(first), account(second, { code, reason: null })];
    const result = await collected({
      run: { accounts, targets: [target(first)] },
      children: [succeeded(discovered(first, { batches: 0, volumes: 0 }))],
    });
    expect(result.accountCoverage).toMatchObject([
      { state: 'empty' },
      { state: 'not-read', refused: { code } },
    ]);
    expect(isPartial(result)).toBe(partial);
  },
);

test('a Region that is off is not whole, and makes no run partial', async () => {
  const off = { code: 'region-off', reason: 'AuthFailure' };
  const result = await collected({
    run: { accounts: [account(first)], targets: [target(first), target(first, 'eu-south-1')] },
    children: [
      succeeded(discovered(first, { batches: 0, volumes: 0 })),
      succeeded(discovered(first, { region: 'eu-south-1', batches: 0, volumes: 0, refused: off })),
    ],
  });
  expect(result.accountCoverage).toMatchObject([
    {
      state: 'read-in-part',
      regions: [
        { region: 'us-east-1', whole: true, refused: null },
        { region: 'eu-south-1', whole: false, refused: off },
      ],
    },
  ]);
  expect(isPartial(result)).toBe(false);
});

test('an account whose Regions could not be listed has the reason of that', async () => {
  const result = await collected({
    run: { accounts: [account(first)], notListed: [{ account: first, refused: roleRefused }] },
    children: [],
  });
  expect(result.accountCoverage).toMatchObject([{ state: 'not-read', refused: roleRefused, regions: [] }]);
});

describe('a target that failed is not read, and the reason is a line of its account', () => {
  const cause = JSON.stringify({ errorMessage: 'signal: killed' });
  const input = JSON.stringify({ runId: 'run-1', target: target(second) });
  test.each<[string, Child[], string]>([
    [
      'caught in its child',
      [
        succeeded({
          account: second,
          region: 'us-east-1',
          failure: { Error: 'Runtime.ExitError', Cause: cause },
        }),
      ],
      'Runtime.ExitError: signal: killed',
    ],
    [
      'a child that failed as a whole',
      [{ Input: input, Error: 'States.DataLimitExceeded', Cause: 'too large' }],
      'States.DataLimitExceeded: too large',
    ],
    ['a child that nobody began', [], 'States.Runtime: the map over the targets gave no result of it'],
  ])('%s', async (_, children, reason) => {
    const result = await collected({
      run: inBoth,
      children: [succeeded(discovered(first, { batches: 0, volumes: 0 })), ...children],
    });
    expect(result.coverage.incomplete).toEqual([
      { code: 'region-not-read', account: second, region: 'us-east-1', reason },
    ]);
    expect(result.accountCoverage).toMatchObject([
      { state: 'empty' },
      { state: 'not-read', refused: { code: 'other', reason } },
    ]);
    expect(result.notices).toEqual([{ code: 'cost-is-at-least' }]);
  });
});

describe('an account that was closed during the run', () => {
  const children = [succeeded(discovered(first)), succeeded(discovered(second))];
  const stateOf = ({ accountCoverage }: AuditResult) =>
    accountCoverage?.map(({ state, regions }) => [state, regions[0]?.whole]);

  test('whose batch could not be entered any more: it says why, and the target is not whole', async () => {
    const failed: Child = {
      Input: JSON.stringify({ key: `work/run-1/batches/${batchOf(second)}` }),
      ...{ Error: 'NotEntered', Cause: JSON.stringify({ errorMessage: 'sts:AssumeRole failed' }) },
    };
    const result = await collected({
      ...{ run: inBoth, children, results: { [batchOf(first)]: aResult([]) } },
      failed: { [`map of ${second}`]: [failed] },
    });
    expect(result.coverage.incomplete).toEqual([
      {
        ...{ code: 'batch-not-read', volumes: 1, reason: 'NotEntered: sts:AssumeRole failed' },
        account: second,
      },
    ]);
    expect(stateOf(result)).toEqual([
      ['read', true],
      ['read-in-part', false],
    ]);
  });

  test('whose metrics were denied to a batch: its target is not whole either', async () => {
    const coverage = aResult([]).coverage;
    const unread = aResult([], {
      coverage: {
        ...{ ...coverage, evaluated: 0 },
        incomplete: [{ code: 'metrics-not-read', metrics: 9, resources: 2, reason: 'AccessDenied' }],
      },
    });
    const result = await collected({
      ...{ run: inBoth, children },
      results: { [batchOf(first)]: aResult([]), [batchOf(second)]: unread },
    });
    expect(stateOf(result)).toEqual([
      ['read', true],
      ['read-in-part', false],
    ]);
  });

  test('whose map over the batches failed as a whole: that is the reason of each of them', async () => {
    const failure = { Error: 'States.ItemReaderFailed', Cause: 'no bucket' };
    const result = await collected({
      run: { accounts: [account(second)], targets: [target(second)] },
      children: [succeeded(discovered(second, { manifestKey: undefined, notEvaluated: failure }))],
    });
    expect(result.coverage.incomplete).toMatchObject([
      { code: 'batch-not-read', reason: 'States.ItemReaderFailed: no bucket', account: second },
    ]);
    expect(stateOf(result)).toEqual([['read-in-part', false]]);
  });
});

test('what the prices of a Region are is said once for all accounts, and what refreshing them took is counted once', async () => {
  const old = { code: 'ebs-prices-unknown', region: 'us-east-1' } as const;
  const result = await collected({
    run: inBoth,
    children: [succeeded(discovered(first)), succeeded(discovered(second))],
    results: {
      [batchOf(first)]: aResult([], { notices: [old] }),
      [batchOf(second)]: aResult([], { notices: [old] }),
    },
    refreshed: [{ region: 'us-east-1', refresh: { notices: [old], incomplete: [], apiCalls: 7 } }],
  });
  expect(result.notices).toEqual([old]);
  expect(result.cost.apiCalls).toBe(7 + 2 * 3 + 2 * 10);
});

const listBefore: TargetList = {
  accounts: [account(first), account(third)],
  targets: [target(first), target(third), target(third, 'eu-central-1')],
  notListed: [],
};

test('an account is new where the run before did not ask it; in the first run nothing is known of that', async () => {
  const run = { run: inBoth, children: [] };
  const isNew = ({ accountCoverage }: AuditResult) => accountCoverage?.map((one) => one.isNew);
  expect(isNew(await collected({ ...run, before: listBefore }))).toEqual([false, true]);
  expect(isNew(await collected(run))).toEqual([null, null]);
});

test('an account left where the run before asked it and this one, of all, does not', async () => {
  const run = { run: inBoth, children: [] };
  const left = { account: third, name: `name of ${third}`, regions: ['us-east-1', 'eu-central-1'] };
  const result = await collected({ ...run, before: listBefore });
  expect(result.accountsLeft).toEqual([left]);
  // What is open there is looked up in its Regions, though nothing else is read in one of them.
  expect(regionsOfRun(result)).toEqual(['us-east-1']);
  expect(regionsOfFindings(result)).toEqual(['us-east-1', 'eu-central-1']);
  expect((await collected(run)).accountsLeft).toEqual([]);
  expect((await collected({ ...run, before: listBefore, isOfAll: false })).accountsLeft).toBeUndefined();
});

test('twenty targets are asked for their batches at one time', async () => {
  const ids = Array.from({ length: 50 }, (_, i) => `${100_000_000_000 + i}`);
  let [now, most] = [0, 0];
  await collected({
    run: { accounts: ids.map((id) => account(id)), targets: ids.map((id) => target(id)) },
    children: ids.map((id) => succeeded(discovered(id))),
    read: {
      readBatches: async () => {
        now++;
        most = Math.max(most, now);
        await new Promise((done) => setImmediate(done));
        now--;
        return [];
      },
    },
  });
  expect(most).toBe(20);
});
