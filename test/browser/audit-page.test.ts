/** The page of an audit, as people use it: the report of the demo's fleet from a disk. */
import { figure } from '../../core/figures.ts';
import type { AuditReport } from '../../core/report/audit-report.ts';
import { bestSavingOf, peakMinutesOf } from '../../core/report/top-recommendations.ts';
import { type Finding, severities } from '../../core/schemas/finding.ts';
import { findingLines } from '../../report/wording/finding-lines.ts';
import { comparedProblem } from '../../report/wording/run-comparison.ts';
import { browserPage } from './browser-page.ts';
import { columnTexts, pdfPages, seenText, tabTo } from './in-the-page.ts';
import { phone, type Viewing } from './open-page.ts';
import { artefact, dataOf } from './places.ts';

const report = dataOf<AuditReport>('audit');
const { findings } = report.result;
const rowsAtOnce = 25;

const browser = browserPage();
const open = (viewing: Partial<Viewing> = {}) => browser.open('audit', viewing);

const table = () => browser.page().locator('#findings table');
const status = () => seenText(browser.page().locator('#findings').getByRole('status'));
const filter = (name: string) => browser.page().locator('#findings').getByLabel(name, { exact: true });
const withSeries = (): Finding => {
  const found = findings.find(({ resource }) => report.withSeries.includes(resource.id));
  if (found === undefined) throw new Error('no finding has a series');
  return found;
};

describe('the table of findings', () => {
  test('begins with all of them, the most urgent first', async () => {
    await open();
    expect(await status()).toBe(`${findings.length} of ${findings.length} findings shown`);
    const shown = await columnTexts(table(), 'Severity');
    expect(shown).toHaveLength(Math.min(rowsAtOnce, findings.length));
    expect(shown).toEqual(findings.slice(0, rowsAtOnce).map(({ severity }) => severity));
  });

  test.each(severities)('filters by severity: %s', async (severity) => {
    await open();
    await filter('Severity').selectOption(severity);
    const expected = findings.filter((finding) => finding.severity === severity);
    expect(await status()).toBe(`${expected.length} of ${findings.length} findings shown`);
    const shown = await columnTexts(table(), 'Severity');
    expect(new Set(shown)).toEqual(new Set([severity]));
    expect(shown).toHaveLength(Math.min(rowsAtOnce, expected.length));
  });

  test('filters by kind and Region at once, and clears', async () => {
    await open();
    const { kind, resource } = findings[0] as Finding;
    await filter('Kind').selectOption(kind);
    await filter('Region').selectOption(resource.region);
    const expected = findings.filter((one) => one.kind === kind && one.resource.region === resource.region);
    expect(await status()).toBe(`${expected.length} of ${findings.length} findings shown`);
    await browser.page().locator('#findings').getByRole('button', { name: 'Clear the filter' }).click();
    expect(await status()).toBe(`${findings.length} of ${findings.length} findings shown`);
  });

  test('is searched by name and id as it is typed', async () => {
    await open();
    const finding = withSeries();
    for (const demand of [finding.resource.name ?? '', finding.resource.id.toUpperCase()]) {
      await filter('Search').fill('');
      await filter('Search').pressSequentially(demand);
      expect((await columnTexts(table(), 'Resource')).join('\n')).toContain(finding.resource.id);
      expect(await table().locator('tbody tr').count()).toBeLessThan(rowsAtOnce);
    }
    await filter('Search').fill('no such thing');
    expect(await status()).toBe(`0 of ${findings.length} findings shown`);
  });

  test('sorts by minutes, most first, then least first; what is not counted stands last', async () => {
    await open();
    const minutes = findings.flatMap((finding) => peakMinutesOf(finding) ?? []).sort((a, b) => b - a);
    const head = table().getByRole('button', { name: 'Throttled, peak 24 h' });
    const column = table().getByRole('columnheader', { name: 'Throttled, peak 24 h' });
    await head.click();
    expect(await column.getAttribute('aria-sort')).toBe('descending');
    const text = (value: number): string => `${figure(value, 1)} min`;
    expect(await columnTexts(table(), 'Throttled, peak 24 h')).toEqual(
      minutes.slice(0, rowsAtOnce).map(text),
    );
    await head.click();
    expect(await column.getAttribute('aria-sort')).toBe('ascending');
    expect(await columnTexts(table(), 'Throttled, peak 24 h')).toEqual(
      minutes.toReversed().slice(0, rowsAtOnce).map(text),
    );
  });

  test('has its other rows on further pages', async () => {
    await open();
    const first = await columnTexts(table(), 'Resource');
    await browser.page().locator('#findings').getByRole('button', { name: 'Next' }).click();
    const second = await columnTexts(table(), 'Resource');
    expect(second).not.toEqual(first);
    expect(second).toHaveLength(Math.min(rowsAtOnce, findings.length - rowsAtOnce));
  });
});

describe('a finding', () => {
  test('opens from a link with its address, and is gone to', async () => {
    const finding = withSeries();
    const page = await open({ hash: `#finding-${finding.id}` });
    const detail = page.locator(`#finding-${finding.id}`);
    await detail.waitFor();
    await detail.locator('canvas').first().waitFor();
    expect(await seenText(detail)).toContain(findingLines(finding)[0]?.text);
    expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
    expect(await page.evaluate('document.activeElement?.id')).toBe(`finding-${finding.id}`);
    await page.screenshot({ path: artefact('audit-finding-light.png') });
  });

  test('opens above those that are open, and is gone to', async () => {
    const page = await open();
    for (const { id } of findings
      .filter(({ resource }) => report.withSeries.includes(resource.id))
      .slice(0, 4)) {
      await page.evaluate(`location.hash = 'finding-${id}'`);
      await page.locator(`#finding-${id} canvas`).first().waitFor();
      const box = await page.locator(`#finding-${id}`).boundingBox();
      expect(Math.abs(box?.y ?? Number.NaN)).toBeLessThan(100);
    }
    expect(await page.locator('.opened > section').count()).toBe(4);
  });

  test('that is not there is said', async () => {
    const page = await open({ hash: '#finding-0000' });
    expect(await seenText(page.getByRole('alert'))).toContain('0000');
  });

  test('of an address that was sent is there with its filter', async () => {
    const page = await open();
    await filter('Severity').selectOption('critical');
    await table().getByRole('link').first().click();
    // The link is followed first; then the page writes its filter beside it.
    await page.waitForFunction('/finding-.*critical/.test(location.hash)');
    const url = page.url();
    await open({ hash: url.slice(url.indexOf('#')) });
    expect(await filter('Severity').inputValue()).toBe('critical');
    await browser.page().locator('.opened section').first().waitFor();
  });

  test('is unpacked when it is opened, and not before', async () => {
    const countsUnpacking = `
      window.unpacked = 0;
      window.DecompressionStream = class extends DecompressionStream {
        constructor(format) {
          super(format);
          window.unpacked++;
        }
      };`;
    const page = await browser.open('audit', {}, countsUnpacking);
    const unpacked = () => page.evaluate<number>('unpacked');
    // Its data; no series.
    expect(await unpacked()).toBe(1);
    const { id } = withSeries();
    await page.evaluate(`location.hash = 'finding-${id}'`);
    await page.locator(`#finding-${id} canvas`).first().waitFor();
    expect(await unpacked()).toBe(2);
  });

  test('is reached, opened and left by the keyboard alone', async () => {
    const page = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.id')).toBe('content');
    expect(await tabTo(page, '#findings table a[href^="#finding-"]', 120)).not.toBeNull();
    const anchor = await page.evaluate<string>(
      "document.activeElement?.getAttribute('href')?.slice(1) ?? ''",
    );
    await page.keyboard.press('Enter');
    await page.locator(`[id="${anchor}"]`).waitFor();
    await page.waitForFunction(`document.activeElement?.id === ${JSON.stringify(anchor)}`);
    expect(await tabTo(page, `[id="${anchor}"] button, [id="${anchor}"] summary`, 20)).not.toBeNull();
  });
});

describe('changes since the earlier run', () => {
  const comparison = report.comparison?.known ? report.comparison.value : null;
  const changed = comparison?.findings ?? [];
  const section = () => browser.page().locator('#changes');

  test('are counted, and each finding that is not as it was is listed', async () => {
    await open();
    const tiles = await section().locator('.tile').allInnerTexts();
    expect(tiles.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      ...['1 new', '1 worse', '1 better', '1 resolved'],
      `${findings.length - 3} ongoing`, // all but those that are new, worse and better
    ]);
    const shown = await columnTexts(section().locator('table'), 'Change');
    expect(shown).toEqual(['new', 'worse', 'better', 'resolved']);
    expect(shown).toEqual(changed.map(({ change }) => change));
    const problems = await columnTexts(section().locator('table'), 'What');
    for (const [i, one] of changed.entries()) expect(problems[i]).toContain(comparedProblem(one));
  });

  test('lead to the finding, where it is still there', async () => {
    const page = await open();
    const rows = await section().locator('tbody tr').all();
    const links = await Promise.all(rows.map((row) => row.getByRole('link').count()));
    expect(links).toEqual([1, 1, 1, 0]);
    await section().getByRole('link').first().click();
    await page.locator(`#finding-${changed[0]?.finding.id}`).waitFor();
  });
});

describe('on a phone', () => {
  /** What can be scrolled sideways, with how wide it is and how wide it is seen. */
  const scrolledSideways = `[...document.querySelectorAll('main *')]
    .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.className + ' ' + one.scrollWidth + ' of ' + one.clientWidth)`;

  test('the first finding is in sight when the page opens', async () => {
    const page = await open(phone);
    const box = await page.locator('#first .things li').first().boundingBox();
    expect(box).not.toBeNull();
    expect((box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(phone.heightPixels);
  });

  test('nothing is scrolled sideways: neither tables, nor charts, nor an open finding', async () => {
    const finding = withSeries();
    const page = await open({ ...phone, hash: `#finding-${finding.id}` });
    await page.locator(`#finding-${finding.id} canvas`).first().waitFor();
    await page.locator('#findings .figures summary, #overview .figures summary').first().click();
    expect(await page.evaluate(scrolledSideways)).toEqual([]);
  });

  test('each cell stands beside the name of its column, and columns still sort', async () => {
    const page = await open(phone);
    const row = page.locator('#findings tbody tr').first();
    const cells = await row.locator('td').all();
    const heads = await Promise.all(cells.map((cell) => cell.getAttribute('data-head')));
    const columns = await table().locator('thead th').allInnerTexts();
    expect(heads).toEqual(columns.map((text) => text.trim()).filter((text) => text !== 'Resource'));
    await table().getByRole('button', { name: 'Best saving, a month' }).click();
    const savings = findings.flatMap((finding) => bestSavingOf(finding) ?? []).sort((a, b) => a - b);
    const first = await seenText(row.locator('[data-head="Best saving, a month"]'));
    expect(first).toBe(`${figure(savings[0] ?? Number.NaN, 2)} USD`);
  });
});

test('light and dark: as the system, as chosen, and as chosen before', async () => {
  const page = await open({ theme: 'dark' });
  const ink = () => page.evaluate<string>('getComputedStyle(document.body).color');
  const theme = () => page.evaluate<string>('document.documentElement.dataset.theme');
  expect(await theme()).toBe('dark');
  const dark = await ink();
  await page.getByLabel('Light', { exact: true }).check({ force: true });
  expect(await theme()).toBe('light');
  expect(await ink()).not.toBe(dark);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await theme()).toBe('light');
});

test('it prints, with what was opened', async () => {
  const finding = withSeries();
  const page = await open({ hash: `#finding-${finding.id}` });
  await page.locator(`#finding-${finding.id} canvas`).first().waitFor();
  const pdf = await page.pdf({ path: artefact('audit.pdf'), format: 'A4', printBackground: true });
  expect(pdfPages(pdf)).toBeGreaterThan(1);
});
