/** What a terminal, a CSV file and a table of Markdown say of several accounts. */
import { parse } from 'csv-parse/sync';
import { auditText } from '../../../report/terminal/audit.ts';
import { findingsCsv } from '../../../report/terminal/findings-csv.ts';
import { findingsMarkdown } from '../../../report/terminal/findings-markdown.ts';
import { anAccount, billing, orders, resultOfAccounts } from '../../fixtures/accounts.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';

const linesOf = (result = resultOfAccounts(), columns: number | null = null): string[] =>
  auditText(result, { columns, color: false, invokedAs: 'stripewise', recorded: false });

test('the headline and the totals count accounts; one that was not read says what would let it be read', () => {
  const lines = linesOf();
  expect(lines[0]).toMatch(/ 3 volumes, 1 Region, 3 accounts\.$/);
  expect(lines).toContain('Accounts  3 asked, 2 read, 1 not read. 1 new since the run before.');
  const at = lines.indexOf('Accounts not read, or not in whole:');
  expect(lines[at + 1]).toMatch(
    /^ {2}Account orders \(111122223333\) was not read: .*StripewiseMember.* external id\.$/,
  );
});

const figures =
  'the largest savings first (minutes throttled in the peak 24 h, possible savings in USD a month)';

const table = (lines: readonly string[], title: string): string[] => {
  const at = lines.findIndex((line) => line.startsWith(title));
  return lines.slice(at, lines.indexOf('', at)).map((line) => line.trim().replaceAll(/ {2,}/g, ' | '));
};

test('totals by account and by organizational unit, the largest savings first', () => {
  const lines = linesOf();
  expect(table(lines, 'By account')).toEqual([
    `By account, ${figures}:`,
    'volumes | findings | throttled | savings | state | unit | account',
    '1 | 1 | 0 | 100.00 | read | Root / ou-ab12-22222222 | lab (777788889999)',
    '2 | 3 | 100 | 42.50 | read | Root / Production | billing (444455556666)', // 30 + 12.50, 90 + 10
    '- | - | - | - | not read | Root / Production | orders (111122223333)',
  ]);
  expect(table(lines, 'By organizational unit')).toEqual([
    `By organizational unit, ${figures}:`,
    'volumes | findings | throttled | savings | accounts | not read | unit',
    '1 | 1 | 0 | 100.00 | 1 | 0 | Root / ou-ab12-22222222',
    '2 | 3 | 100 | 42.50 | 2 | 1 | Root / Production',
  ]);
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...orders, account: `${100_000_000_000 + i}` }));

test('of many accounts ten are said with their reason, and twenty have a row', () => {
  const lines = linesOf(resultOfAccounts({ accountCoverage: [billing, ...numbered(22)] }));
  expect(lines.filter((line) => line.startsWith('  Account '))).toHaveLength(10);
  expect(lines).toContain('  and 12 more: see --json'); // 22 - 10
  const rows = table(lines, 'By account');
  expect(rows[0]).toBe(`By account (20 of 23), ${figures}:`);
  expect(rows).toHaveLength(22); // title, head, 20 accounts
});

test('on a narrow terminal no line is too long', () => {
  const lines = linesOf(resultOfAccounts(), 80);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('a finding says whose it is beside its Region, by the number where nobody named it', () => {
  const text = linesOf().join('\n');
  expect(text).toContain('vol-2 "db" gp3 100 GiB us-east-1 billing (444455556666)'.replace(' "db"', ''));
  const unnamed = aResult([aFinding()], {
    accountCoverage: [anAccount({ account: '111122223333', name: null })],
  });
  expect(linesOf(unnamed).join('\n')).toContain('vol-1 "db" gp3 100 GiB us-east-1 111122223333');
});

test('of one account nothing is said of accounts', () => {
  const text = linesOf(aResult([aFinding()])).join('\n');
  expect(text).not.toMatch(/account/i);
});

test('CSV: a column with the name after the id, of several accounts alone', () => {
  const { findings } = resultOfAccounts();
  const rows = parse(`${findingsCsv(findings, true)}\n`) as string[][];
  const at = rows[0]?.indexOf('finding id') ?? -1;
  expect(rows.map((row) => row.slice(at, at + 2))).toEqual([
    ['finding id', 'account name'],
    ['slow', 'billing'],
    ['of-vol-1', 'billing'],
    ['of-vol-2', 'billing'],
    ['of-vol-3', 'lab'],
  ]);
  expect(findingsCsv(findings)).not.toContain('account name');
});

test('Markdown: a column with the account at the end, and what was not read above', () => {
  const result = resultOfAccounts();
  const lines = findingsMarkdown(result, result.findings.slice(0, 1), 1);
  expect(lines[2]).toMatch(/^Account orders \(111122223333\) was not read: /);
  expect(lines.slice(4, 5)).toEqual(['| Severity | Resource | Problem | Fix | Account |']);
  expect(lines.at(-1)).toMatch(
    /^\| warning \| vol-1 gp3 100 GiB us-east-1 \| .* \| billing \(444455556666\) \|$/,
  );
});
