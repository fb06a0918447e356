/** Accounts as people read them: every reason why one is not read, in a file that a person reads in a review. */
import { isPartial } from '../../../core/audit/audit.ts';
import { type AccountCoverage, type Refusal, refusals } from '../../../core/schemas/accounts.ts';
import {
  accountNames,
  accountsText,
  notReadCount,
  notReadInShort,
  notReadLine,
  withAccountNames,
} from '../../../report/wording/accounts.ts';
import { noticeTextIn } from '../../../report/wording/audit-notices.ts';
import { partialText } from '../../../report/wording/partial.ts';
import { anAccount, billing, lab, orders, resultOfAccounts, roleRefused } from '../../fixtures/accounts.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';
import { expectToRead, unreadable } from './rendered.ts';

type Refused = NonNullable<AccountCoverage['refused']>;

const notRead = (refused: Refused | null, more: Partial<AccountCoverage> = {}): AccountCoverage =>
  anAccount({ ...orders, refused, regions: [], ...more });

/** A code that is missing does not compile. */
const reasons: Readonly<Record<Refusal, (string | null)[]>> = {
  'role-refused': [roleRefused.reason, null],
  'denied-by-organization': [
    'sts:AssumeRole failed: AccessDenied: with an explicit deny in a service control policy',
  ],
  'sts-throttled': ['sts:AssumeRole failed: ThrottlingException: Rate exceeded'],
  suspended: ['AWS Organizations says SUSPENDED'],
  closed: ['AWS Organizations says PENDING_CLOSURE'],
  'region-off': ['ec2:DescribeVolumes in us-east-1 failed: AuthFailure'],
  'another-partition': [null],
  other: ['sts:AssumeRole failed: connect ETIMEDOUT.', null],
};

const region = (name: string, refused: Refused | null, whole = false) => ({ region: name, whole, refused });
const off = { code: 'region-off', reason: 'ec2:DescribeVolumes failed: AuthFailure' } as const;

const accounts: AccountCoverage[] = [
  ...refusals.flatMap((code) => reasons[code].map((reason) => notRead({ code, reason }))),
  notRead(null),
  notRead(null, { name: null, regions: [region('us-east-1', off), region('us-west-2', roleRefused)] }),
  notRead(null, {
    state: 'read-in-part',
    regions: [region('us-east-1', null, true), region('me-south-1', off), region('af-south-1', off)],
  }),
  notRead(null, {
    state: 'read-in-part',
    regions: [region('us-east-1', null), region('us-west-2', null), region('me-south-1', off)],
  }),
];

const lines = accounts.map((account) => notReadLine(account) ?? '');

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  expectToRead('accounts.txt', lines);
});

test('each is one line of whole sentences, none of which is too long, and no two are alike', () => {
  expect(unreadable(lines)).toEqual([]);
  expect(lines.filter((line) => !/^Account \S.*\.$/.test(line))).toEqual([]);
  expect(new Set(lines).size).toBe(lines.length);
});

test('of what was read nothing is missing', () => {
  const read = [billing, lab, anAccount({ state: 'empty', volumes: 0 })];
  expect(read.map(notReadLine)).toEqual([null, null, null]);
});

test('names and what AWS says stay in their line', () => {
  const untrusted = 'i-1\n\u001b[31m\u202e';
  const line = notReadLine(notRead({ code: 'other', reason: untrusted }, { name: untrusted }));
  expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});

test.each<[AccountCoverage[], string]>([
  [[orders, billing, lab], '3 asked, 2 read, 1 not read. 1 new since the run before.'],
  [
    [billing, anAccount({ state: 'empty' }), anAccount({ state: 'read-in-part' })],
    '3 asked, 2 read (1 without volumes), 1 read in part.',
  ],
  [[orders], '1 asked, 0 read, 1 not read.'],
])('how many were read: %#', (all, text) => {
  expect(accountsText(all)).toBe(text);
});

test('accounts that are asked no more are named, the first few', () => {
  const left = Array.from({ length: 7 }, (_, i) => ({ account: `${222_233_330_000 + i}`, name: null }));
  expect(accountsText([billing], [{ account: '222233334444', name: 'shop' }])).toBe(
    '1 asked, 1 read. No longer asked: shop (222233334444). Findings there are neither open nor resolved.',
  );
  expect(accountsText([billing], left)).toContain('222233330004, 2 more. Findings');
});

const first = (...all: AccountCoverage[]) =>
  all.map(({ account, name, refused }) => ({ account, name, code: refused?.code ?? null }));

test('in a message: how many were not read, the first two, and why', () => {
  expect(notReadInShort({ accounts: 3, accountsNotRead: { count: 1, first: first(orders) } })).toBe(
    '1 of 3 accounts was not read: orders (111122223333), it refused the role.',
  );
  const more = first(orders, notRead({ code: 'suspended', reason: null }, { name: null }), orders);
  expect(notReadInShort({ accounts: 120, accountsNotRead: { count: 12, first: more } })).toBe(
    '12 of 120 accounts were not read: orders (111122223333), it refused the role; 111122223333, it is suspended; 10 more.',
  );
  expect(notReadCount({ accounts: 1, accountsNotRead: { count: 1, first: [] } })).toBe(
    '1 of 1 account was not read',
  );
  expect([notReadInShort({}), notReadInShort({ accounts: 3 })]).toEqual([null, null]);
});

test('each reason fits into a message in short', () => {
  const texts = refusals.map((code) =>
    notReadInShort({
      accounts: 3,
      accountsNotRead: { count: 1, first: first(notRead({ code, reason: null })) },
    }),
  );
  expect(unreadable(texts.map((text) => text ?? ''))).toEqual([]);
  expect(new Set(texts).size).toBe(refusals.length);
});

test('a note on an account begins with its name, else with its number', () => {
  const notice = {
    code: 'region-not-read',
    region: 'us-east-1',
    reason: 'denied',
    account: orders.account,
  } as const;
  const textOf = noticeTextIn(accountNames([orders]));
  expect(textOf(notice)).toBe('Account orders (111122223333): No volume of us-east-1 was evaluated: denied.');
  expect(textOf({ ...notice, account: '123456789012', times: 2 })).toBe(
    'Account 123456789012: No volume of us-east-1 was evaluated: denied. (2 times)',
  );
  const { account: _, ...ofOne } = notice;
  expect(textOf(ofOne)).toBe('No volume of us-east-1 was evaluated: denied.');
});

test('where nobody tells a name, a finding of several accounts is called by its number; of one it stays as it is', () => {
  const findings = [aFinding()];
  expect(withAccountNames(aResult(findings))).toEqual(findings);
  const [named] = withAccountNames(aResult(findings, { accountCoverage: [orders, billing] }));
  expect(named?.resource).toMatchObject({ account: '111122223333', accountName: '111122223333' });
  const [, ofBilling] = withAccountNames(resultOfAccounts());
  expect(ofBilling?.resource.accountName).toBe('billing');
});

test.each<[string, AccountCoverage[], boolean]>([
  ['all were read', [billing, anAccount({ state: 'empty' })], false],
  ['one was not', [billing, orders], true],
  [
    'one was read in part',
    [anAccount({ state: 'read-in-part', regions: [{ region: 'us-east-1', whole: false, refused: null }] })],
    true,
  ],
])('a run in which %s is partial: %#', (_, accountCoverage, partial) => {
  expect(isPartial(resultOfAccounts({ accountCoverage }))).toBe(partial);
});

test('the last line of a partial run counts them and says where each is', () => {
  const result = resultOfAccounts();
  const texts = (['above', 'in-json'] as const).map((listed) =>
    partialText(result, { selectors: [], listed }),
  );
  expect(texts).toEqual([
    'Partial, exit code 3. 1 account not read in whole (orders (111122223333)). Listed above under "Accounts not read, or not in whole".',
    'Partial, exit code 3. 1 account not read in whole (orders (111122223333)). Listed in accountCoverage.',
  ]);
});
