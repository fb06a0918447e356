/** Totals of a run of several accounts, by account and by organizational unit. */
import { accountTotals, unitTotals } from '../../../core/report/account-totals.ts';
import { billing, lab, orders, resultOfAccounts } from '../../fixtures/accounts.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';

const totalsOf = (result = resultOfAccounts()) =>
  accountTotals(result).map(({ account, totals }) => [account.name, totals]);

test('of each account, the largest savings first; of one that was not read nothing is known', () => {
  expect(totalsOf()).toEqual([
    // Minutes of vol-3 are not known.
    ['lab', { volumes: 1, findings: 1, savingMonthlyUsd: 100, throttledMinutesPeak24h: 0 }],
    // 30 + 12.50; 90 + 10; the slow one saves nothing
    ['billing', { volumes: 2, findings: 3, savingMonthlyUsd: 42.5, throttledMinutesPeak24h: 100 }],
    ['orders', null],
  ]);
});

test('savings of accounts add up to those of the run', () => {
  const result = resultOfAccounts();
  expect(result.summary.possibleSavingsMonthlyUsd).toBe(142.5); // 100 + 42.5
});

test('an account that was read in part has the figures of its part', () => {
  const accountCoverage = [{ ...billing, state: 'read-in-part' as const }];
  expect(totalsOf(resultOfAccounts({ accountCoverage }))).toEqual([
    ['billing', { volumes: 2, findings: 3, savingMonthlyUsd: 42.5, throttledMinutesPeak24h: 100 }],
  ]);
});

test('by unit each account counts once, where it is directly in; a unit without a name has its id', () => {
  expect(unitTotals(accountTotals(resultOfAccounts()))).toEqual([
    {
      ...{ path: ['Root', 'ou-ab12-22222222'], accounts: 1, notRead: 0 },
      totals: { volumes: 1, findings: 1, savingMonthlyUsd: 100, throttledMinutesPeak24h: 0 },
    },
    {
      ...{ path: ['Root', 'Production'], accounts: 2, notRead: 1 }, // billing, and orders that refused
      totals: { volumes: 2, findings: 3, savingMonthlyUsd: 42.5, throttledMinutesPeak24h: 100 },
    },
  ]);
});

test('two units of the same name are two', () => {
  const other = {
    ...lab,
    units: [
      { id: 'r-ab12', name: 'Root' },
      { id: 'ou-ab12-33333333', name: 'Production' },
    ],
  };
  const totals = unitTotals(accountTotals(resultOfAccounts({ accountCoverage: [billing, other] })));
  expect(totals.map(({ path, accounts }) => [path.join(' / '), accounts])).toEqual([
    ['Root / Production', 1],
    ['Root / Production', 1],
  ]);
});

test('of a unit in which no account was read nothing is known', () => {
  expect(unitTotals(accountTotals(resultOfAccounts({ accountCoverage: [orders] })))).toEqual([
    { path: ['Root', 'Production'], accounts: 1, notRead: 1, totals: null },
  ]);
});

test('where nobody told the units there are none, and of one account there are no totals', () => {
  const accountCoverage = [billing, lab].map((account) => ({ ...account, units: [] }));
  expect(unitTotals(accountTotals(resultOfAccounts({ accountCoverage })))).toEqual([]);
  expect(accountTotals(aResult([aFinding()]))).toEqual([]);
});
