/** The page of an audit of several accounts: what was found in each, which was not read, and what is of one alone. */
import type { AuditReport } from '../../core/report/audit-report.ts';
import { notReadLine } from '../../report/wording/accounts.ts';
import { billing, lab, orders } from '../fixtures/accounts.ts';
import { browserPage } from './browser-page.ts';
import { accessibilityComplaints, columnTexts, saved, seenText } from './in-the-page.ts';
import { phone } from './open-page.ts';
import { dataOf } from './places.ts';

const { findings, volumes } = dataOf<AuditReport>('accounts').result;
const browser = browserPage();
const section = (id: string) => browser.page().locator(`#${id}`);

test('each account has a row, the largest savings first, and what was not read says why', async () => {
  await browser.open('accounts');
  const accounts = section('accounts').locator('table').first();
  expect(await columnTexts(accounts, 'State')).toEqual(['read', 'read', 'not read']);
  expect(await columnTexts(accounts, 'Possible savings, a month')).toEqual([
    '100.00 USD',
    '42.50 USD', // 30 + 12.50
    'not read',
  ]);
  const text = await seenText(section('accounts'));
  expect(text).toContain(notReadLine(orders));
  const units = section('accounts').locator('table').nth(1);
  expect(await columnTexts(units, 'Organizational unit')).toEqual([
    'Root / ou-ab12-22222222',
    'Root / Production',
  ]);
});

test('the top of the page leads to what was not read', async () => {
  const page = await browser.open('accounts');
  await page.getByRole('link', { name: 'Which were not read in whole, and why' }).click();
  expect(await page.evaluate('location.hash')).toBe('#accounts');
});

test('the number of its findings shows them alone; the table says whose each is', async () => {
  const page = await browser.open('accounts');
  await section('accounts')
    .getByRole('button', { name: `of account ${lab.account}: show them` })
    .click();
  const ofLab = findings.filter(({ resource }) => resource.account === lab.account).length;
  expect(await seenText(section('findings').getByRole('status'))).toBe(
    `${ofLab} of ${findings.length} findings shown`,
  );
  expect(await page.evaluate('location.hash')).toBe(`#findings?account=${lab.account}`);
  const shown = await columnTexts(section('findings').locator('table'), 'Region');
  expect(shown.map((text) => text.split('\n'))).toEqual(Array(ofLab).fill(['us-east-1', 'lab']));
});

test('volumes are filtered by account, and saved with its name', async () => {
  const page = await browser.open('accounts');
  await section('volumes')
    .getByLabel('Account', { exact: true })
    .selectOption({ label: 'billing (444455556666)' });
  const ofBilling = volumes.filter(({ account }) => account === billing.account).length;
  expect(await seenText(section('volumes').getByRole('status'))).toBe(
    `${ofBilling} of ${volumes.length} volumes shown`,
  );
  const { text } = await saved(page, section('volumes').getByRole('button', { name: 'Save as CSV' }));
  expect(text.trim().split('\r\n')[0]).toMatch(/,account,account name$/);
  expect(text).toContain(`${billing.account},billing`);
});

test.each(['light', 'dark'] as const)('nothing serious of axe-core on a phone, %s', async (theme) => {
  const page = await browser.open('accounts', { theme, ...phone });
  expect(await accessibilityComplaints(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});

test('a page of one account has no such section and no such filter', async () => {
  await browser.open('audit');
  expect(await section('accounts').count()).toBe(0);
  expect(await section('volumes').getByLabel('Account', { exact: true }).count()).toBe(0);
});

test('with an archive the fleet is there by week, the newest first; what is not known says so', async () => {
  await browser.open('accounts');
  const weeks = section('weeks').locator('table');
  expect(await columnTexts(weeks, 'Throttled minutes')).toEqual(['unknown', '312 in 5 of 7 days']);
  expect(await columnTexts(weeks, 'USD a month')).toEqual(['unknown', '4,812.00 USD']);
  expect(await columnTexts(weeks, 'Findings')).toEqual(['unknown', '1 critical, 2 warnings']);
  expect(await seenText(weeks)).toContain('2026-W47, 2026-11-16 to 2026-11-22');
});

test('without an archive there is no such section', async () => {
  const page = await browser.open('audit');
  expect(await page.locator('#findings').count()).toBe(1);
  expect(await page.locator('#weeks').count()).toBe(0);
});
