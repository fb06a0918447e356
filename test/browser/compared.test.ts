/** The page of an audit that was compared with another service: totals, every row by its label, and nothing where nothing was. */
import type { AuditReport } from '../../core/report/audit-report.ts';
import type { OpinionLabel, SecondOpinion } from '../../core/schemas/second-opinion.ts';
import { comparedSources } from '../../core/second-opinion/totals.ts';
import { opinionHeadline, opinionNotes, opinionReasonText } from '../../report/wording/second-opinion.ts';
import { browserPage } from './browser-page.ts';
import {
  accessibilityComplaints,
  columnTexts,
  csvRows,
  pdfPages,
  saved,
  seenText,
  tabTo,
} from './in-the-page.ts';
import { phone } from './open-page.ts';
import { artefact, dataOf } from './places.ts';

const { result } = dataOf<AuditReport>('compared');
const opinions: readonly SecondOpinion[] = result.secondOpinion ?? [];
const having = (label: OpinionLabel) => opinions.filter((row) => row.label === label).length;
const browser = browserPage();
const section = () => browser.page().locator('#compared');
const table = () => section().locator('table');

test('totals, what was not read, and the rows with the unsafe first', async () => {
  const page = await browser.open('compared');
  await page.getByRole('link', { name: 'Compared', exact: true }).click();
  expect(await page.evaluate('location.hash')).toBe('#compared');
  const text = await seenText(section());
  for (const one of comparedSources(result))
    for (const said of [opinionHeadline(one), ...opinionNotes(one)]) expect(text).toContain(said);
  expect(await columnTexts(table(), 'Label')).toEqual([
    ...[...Array(3).fill('unsafe'), 'leaves money', 'leaves money', ...Array(8).fill('unseen')],
    ...Array(12).fill('agree'), // 25 rows a page
  ]);
  expect((await columnTexts(table(), 'USD a month')).slice(0, 5)).toEqual([
    ...['not known', '-40.00 USD', '-40.00 USD', '+200.00 USD', '+12.40 USD'],
  ]);
  expect(await seenText(section().getByRole('navigation'))).toContain(`of ${opinions.length}`);
  await section().screenshot({ path: artefact('compared-section.png') });
});

test('a label shows its rows alone, also to somebody who gets the address', async () => {
  const page = await browser.open('compared');
  await section().getByLabel('Label', { exact: true }).selectOption({ label: 'not comparable' });
  const status = `${having('not-comparable')} of ${opinions.length} rows shown`;
  expect(await seenText(section().getByRole('status'))).toBe(status);
  expect(await page.evaluate('location.hash')).toContain('label=not-comparable');
  const reasons = opinions.filter(({ label }) => label === 'not-comparable').map(opinionReasonText);
  expect((await columnTexts(table(), 'Why the label')).toSorted()).toEqual(reasons.toSorted());
  await browser.open('compared', { hash: '#compared?label=unsafe' });
  expect(await columnTexts(table(), 'Label')).toEqual(Array(having('unsafe')).fill('unsafe'));
  await section().getByRole('button', { name: 'Clear the filter' }).click();
  expect(await seenText(section().getByRole('status').first())).toBe(
    `${opinions.length} of ${opinions.length} rows shown`,
  );
});

test('words are searched, and what is saved has the rows that are shown', async () => {
  const page = await browser.open('compared');
  await section().getByLabel('Search', { exact: true }).fill('burst credits');
  expect(await columnTexts(table(), 'Label')).toEqual(['unseen']);
  const { name, text } = await saved(page, section().getByRole('button', { name: 'Save as CSV' }));
  expect(name).toBe(`stripewise-${result.runId}-compared.csv`);
  const [head = [], ...rows] = csvRows(text);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.[head.indexOf('label')]).toBe('unseen');
});

test('the table sorts by the keyboard, and what is not simulated stands last either way', async () => {
  const page = await browser.open('compared');
  await section().getByLabel('Label', { exact: true }).focus();
  expect(await tabTo(page, '#compared thead th:last-child button', 15)).not.toBeNull();
  await page.keyboard.press('Enter');
  const usd = await columnTexts(table(), 'USD a month');
  expect(usd.slice(0, 2)).toEqual(['+200.00 USD', '+12.40 USD']);
  await page.keyboard.press('Enter');
  expect((await columnTexts(table(), 'USD a month')).slice(0, 2)).toEqual(['-40.00 USD', '-40.00 USD']);
});

test.each([
  ['light', {}],
  ['dark', {}],
  ['light', phone],
  ['dark', phone],
] as const)('nothing serious of axe-core, nothing wider than the screen: %s %o', async (theme, size) => {
  const page = await browser.open('compared', { theme, hash: '#compared', ...size });
  const width = 'widthPixels' in size ? 'phone' : 'wide';
  await section().screenshot({ path: artefact(`compared-${theme}-${width}.png`) });
  expect(await accessibilityComplaints(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
});

test('every row is printed, without the filter', async () => {
  const page = await browser.open('compared');
  const one = pdfPages(await page.pdf({ path: artefact('compared.pdf') }));
  expect(one).toBeGreaterThan(3);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await section().locator('tbody tr').count()).toBe(opinions.length);
  expect(await section().getByLabel('Label', { exact: true }).isVisible()).toBe(false);
});

test('where nothing was compared there is no such section and no way to it', async () => {
  const page = await browser.open('accounts');
  expect(await page.locator('#findings').count()).toBe(1);
  expect(await section().count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Compared', exact: true }).count()).toBe(0);
});
