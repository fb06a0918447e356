/**
 * Monitoring of several accounts, whatever happens: minutes at random, against what monitoring-oracle.ts says. The seed is
 * fixed; STRIPEWISE_MODEL_SEED is another one, STRIPEWISE_MODEL_RUNS says how many stories.
 */
import fc from 'fast-check';
import type { AccountBudget } from '../../core/config/account-budgets.ts';
import { findingId } from '../../core/diagnosis/draft.ts';
import { shardOf } from '../../core/monitoring/shards.ts';
import type { Target } from '../../core/schemas/accounts.ts';
import { AccountsWorld, numbersOf, start } from './monitoring-of-accounts.ts';
import { AccountsOracle } from './monitoring-oracle.ts';

const numRuns = Number(process.env['STRIPEWISE_MODEL_RUNS'] ?? 60);
const seed = Number(process.env['STRIPEWISE_MODEL_SEED'] ?? 1);

/** Four accounts in three shards: of two that share one, one that refuses must not hold the other up. */
const accounts = ['111111111100', '111111111101', '111111111102'];
const together = Array.from({ length: 200 }, (_, i) => `2222222${String(i).padStart(5, '0')}`).find(
  (account) => shardOf(account) === shardOf(`${accounts[0]}`),
) as string;
const all = [...accounts, together];
const targets: Target[] = all.flatMap((account) =>
  ['us-east-1', 'eu-west-1'].map((region) => ({ partition: 'aws', account, region })),
);
const kinds = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'credits-exhausted',
  'credits-will-exhaust',
] as const;

interface Minute {
  /** Accounts that refuse from now on, by index; the others let in. */
  refused: number[];
  ticks: number;
  goOn: number;
  endsAtStep: number;
  /** A volume that goes, by index. */
  goes: number | null;
}
const minutes: fc.Arbitrary<Minute[]> = fc.array(
  fc.record({
    refused: fc.uniqueArray(fc.nat(all.length - 1), { maxLength: 2 }),
    ticks: fc.constantFrom(1, 1, 1, 2, 0),
    goOn: fc.constantFrom(1, 1, 0.9, 0.98),
    endsAtStep: fc.constantFrom(0, 0, 0.01, 0.1),
    goes: fc.option(fc.nat(15), { freq: 8 }),
  }),
  { minLength: 3, maxLength: 25 },
);

const unit = 'ou-ab12-11111111';
/** Two in shards of their own, of which the first has a budget besides. */
const inUnit = [`${accounts[0]}`, `${accounts[1]}`];
/** A metric costs 0.00001 USD: 600 a month, and 1,800 for the unit, of which two shards could take 60 at once. */
const budgets: AccountBudget[] = [
  { accounts: [`${accounts[0]}`], apiUsdPerMonth: 0.006 },
  { organizationalUnits: [unit], apiUsdPerMonth: 0.018 },
];
const oracleBudgets = [
  { accounts: [`${accounts[0]}`], metricsPerMonth: 600 },
  { accounts: inUnit, metricsPerMonth: 1_800 },
];

function worldOf(metricsPerMonth: number | null, numbers: number, of = targets, isBounded = false) {
  const unitsOf = (account: string): string[] => (inUnit.includes(account) ? ['r-ab12', unit] : ['r-ab12']);
  const settings = { targets: of, volumesOfTarget: 2, metricsPerMonth, unitsOf };
  const accountOf = new Map<string, string>();
  const bounds = isBounded ? oracleBudgets : [];
  const oracle = new AccountsOracle(metricsPerMonth, start, accountOf, bounds);
  const world = new AccountsWorld(
    { ...settings, budgets: isBounded ? budgets : [] },
    oracle,
    numbersOf(numbers),
  );
  for (const { volumeId, region, account } of world.volumes)
    for (const kind of kinds) accountOf.set(findingId(kind, { id: volumeId, region }), `${account}`);
  return { world, oracle };
}

async function pass(world: AccountsWorld, { refused, ticks, goOn, endsAtStep, goes }: Minute): Promise<void> {
  world.refused.clear();
  for (const index of refused) world.refused.add(`${all[index]}`);
  if (goes !== null) world.volumes.splice(goes % Math.max(1, world.volumes.length), 1);
  world.endsAtStep = endsAtStep;
  world.tick(ticks);
  await world.goOn(goOn);
  world.now += 60;
}

const calm = (refused: number[] = []): Minute => ({ refused, ticks: 1, goOn: 1, endsAtStep: 0, goes: null });

test.each([
  ['without a bound', null, false],
  ['with a budget that pays for all of it', 3_000_000, false],
  ['with a budget that is too small', 3_000, false],
  ['with budgets of some accounts, and none of all', null, true],
  ['with budgets of some accounts inside of one of all', 3_000_000, true],
  ['with budgets of some accounts inside of one that is too small', 6_000, true],
])(
  'no target is read by two at once, nothing is said of who refuses, nothing is asked that is not paid for: %s',
  async (_, metricsPerMonth, isBounded) => {
    await fc.assert(
      fc.asyncProperty(minutes, fc.nat(), fc.nat(all.length - 1), async (story, numbers, still) => {
        const { world, oracle } = worldOf(metricsPerMonth, numbers, targets, isBounded);
        for (const minute of story) await pass(world, minute);
        // Then nothing fails any more but one account, which refuses: 150 s, and leases of who died are over.
        for (let minute = 0; minute < 6; minute++) await pass(world, calm([still]));
        expect(world.isIdle).toBe(true);
        expect(oracle.violations).toEqual([]);
        if (metricsPerMonth !== null && metricsPerMonth < 3_000_000) return;
        // It is polled in the tick in which it is due: at the end of a minute nothing waits that was due in the one before.
        for (const account of all.filter(
          (one, index) => index !== still && !(isBounded && inUnit.includes(one)),
        ))
          expect(world.waitsOf(account)).toBeLessThanOrEqual(60);
      }),
      { numRuns, seed },
    );
  },
  3_600_000,
);

test('of a budget of 100 metrics a day every account gets some', async () => {
  // 100 metrics a day to save, of three accounts whose first polls take 8 or 9 each; 0.07 come in a minute.
  const few = targets.filter(({ account, region }) => accounts.includes(account) && region === 'us-east-1');
  const { world, oracle } = worldOf(3_000, 1, few);
  for (let minute = 0; minute < 30; minute++) await pass(world, calm());
  expect(oracle.violations).toEqual([]);
  expect(oracle.asked).toBeGreaterThan(50);
  for (const account of accounts) expect(world.waitsOf(account)).toBeLessThan(30 * 60);
});

test('where the budgets of some accounts are used up they wait, and the others go on', async () => {
  const { world, oracle } = worldOf(null, 1, targets, true);
  for (let minute = 0; minute < 60; minute++) await pass(world, calm());
  expect(oracle.violations).toEqual([]);
  const [own, ofUnit] = inUnit.map((account) => oracle.askedOf.get(account) ?? 0) as [number, number];
  // A day's worth and an hour's: 20 + 0.8 of the first, 60 + 2.5 of both. What is left is less than a poll takes.
  expect(own).toBeGreaterThan(20 - 9);
  expect(own + ofUnit).toBeGreaterThan(62 - 9);
  expect(Math.max(...inUnit.map((account) => world.waitsOf(account)))).toBeGreaterThan(600);
  for (const account of all.filter((one) => !inUnit.includes(one)))
    expect(world.waitsOf(account)).toBeLessThanOrEqual(60);
});

test('who refuses is not heard of; who lets in again is, and what went meanwhile is said to be gone then', async () => {
  const { world, oracle } = worldOf(null, 1);
  const [first = ''] = all;
  // Empty after 20 minutes: there is a finding in each account.
  for (let minute = 0; minute < 30; minute++) await pass(world, calm());
  expect([...oracle.heard.keys()].sort()).toEqual([...all].sort());
  const before = oracle.heard.get(first) ?? 0;
  const went = world.volumes.splice(0, 1).map(({ account }) => account);
  expect(went).toEqual([first]);
  world.dueReads.clear();
  for (let minute = 0; minute < 90; minute++) await pass(world, calm([0]));
  expect(oracle.heard.get(first)).toBe(before);
  // Four watches, each read when it is due, and 10, 20, 40 and 80 minutes later; not in each of 90 ticks.
  expect(world.dueReads.get(first)).toBeLessThanOrEqual(4 * 5);
  for (let minute = 0; minute < 70; minute++) await pass(world, calm());
  expect(oracle.heard.get(first)).toBeGreaterThan(before);
  expect(oracle.violations).toEqual([]);
});
