/** The page of a report card, as people use it: two layouts side by side, three repeats, a campaign. */
import type { Locator } from 'playwright-core';
import { figure } from '../../core/figures.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import { whyLines } from '../../report/wording/report-card.ts';
import { browserPage } from './browser-page.ts';
import { pdfPages, seenText, tabTo } from './in-the-page.ts';
import { artefact, dataOf } from './places.ts';

const { open } = browserPage();

/** Opened, and as it is read: cells of its rows. */
async function figuresBelow(chart: Locator): Promise<string[][]> {
  await chart.locator('summary').click();
  await chart.locator('tbody tr').first().waitFor();
  const rows = await chart.locator('tbody tr').all();
  return await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

describe('two layouts', () => {
  const { grades } = dataOf<CardReport>('layouts');
  const graded = grades.tests.findIndex(({ grade }) => grade !== null);

  test('every test has its letters, or why it has none', async () => {
    const page = await open('layouts');
    const cells = await page.locator('#grades tbody td').allInnerTexts();
    expect(cells).toHaveLength(grades.tests.length);
    const shown = (name: string): number => cells.filter((text) => text.includes(name)).length;
    expect(shown('no letter')).toBe(grades.tests.filter(({ grade }) => grade === null).length);
    expect(shown('scaling')).toBe(grades.tests.filter(({ scalingGrade }) => scalingGrade !== null).length);
    const iops = grades.tests.map((test) => `${figure(test.iops, 0)} IOPS`);
    expect(iops.filter((text) => cells.every((cell) => !cell.includes(text)))).toEqual([]);
  });

  test('a link to a test goes there', async () => {
    const page = await open('layouts', { hash: `#test-${graded + 1}` });
    const test = page.locator(`#test-${graded + 1}`);
    const box = await test.boundingBox();
    expect(box?.y).toBeLessThan(200);
    const [why] = grades.tests.slice(graded, graded + 1).flatMap(whyLines);
    expect(await seenText(test)).toContain(why);
  });

  test('the histogram of a test has all that it was made of', async () => {
    const page = await open('layouts');
    const chart = page.locator(`#test-${graded + 1} figure`).first();
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').first().waitFor();
    const rows = await figuresBelow(chart);
    expect(rows.length).toBeGreaterThanOrEqual(grades.tests[graded]?.histogram.length ?? 0);
  });

  test('the members of a stripe stand below it, and the slow one is called that', async () => {
    const page = await open('layouts');
    const index = grades.tests.findIndex(({ members }) => members.some(({ isSlow }) => isSlow));
    const table = page.locator(`#test-${index + 1} table`).filter({ hasText: 'Members' });
    const rows = await table.locator('tbody tr').allInnerTexts();
    const members = grades.tests[index]?.members ?? [];
    expect(rows).toHaveLength(members.length);
    members.forEach(({ volumeId, iops, isSlow }, i) => {
      expect(rows[i]).toContain(volumeId);
      expect(rows[i]).toContain(figure(iops, 0));
      expect(rows[i]?.includes('slower than the others')).toBe(isSlow);
    });
  });

  test('side by side they are as often as fast as was measured', async () => {
    const page = await open('layouts');
    const text = await seenText(page.locator('#side-by-side'));
    for (const { runs } of grades.comparison)
      for (const { iops } of runs) expect(text).toContain(figure(iops, 0));
  });

  test('every curve of more users is drawn, with its figures', async () => {
    const page = await open('layouts');
    const charts = page.locator('#scaling figure');
    expect(await charts.count()).toBeGreaterThan(0);
    for (const chart of await charts.all()) {
      await chart.scrollIntoViewIfNeeded();
      await chart.locator('canvas').first().waitFor();
      expect((await figuresBelow(chart)).length).toBeGreaterThan(1);
    }
  });

  test('links of its contents are reached and followed by the keyboard', async () => {
    const page = await open('layouts');
    expect(await tabTo(page, 'nav a[href="#tests"]', 30)).not.toBeNull();
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      "Math.abs(document.getElementById('tests').getBoundingClientRect().top) < 100",
    );
    expect(await tabTo(page, '#tests *', 10)).not.toBeNull();
  });

  test('light and dark', async () => {
    const page = await open('layouts', { theme: 'dark' });
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    expect(await theme()).toBe('dark');
    await page.getByLabel('Light', { exact: true }).check({ force: true });
    expect(await theme()).toBe('light');
  });

  test('it prints with its charts', async () => {
    const page = await open('layouts');
    const pdf = await page.pdf({ path: artefact('layouts.pdf'), format: 'A4', printBackground: true });
    expect(pdfPages(pdf)).toBeGreaterThan(grades.tests.length / 2);
    // Pictures of charts that were never seen on the screen are in it too.
    expect(pdf.toString('latin1').match(/\/Subtype\s*\/Image/g)?.length ?? 0).toBeGreaterThan(
      grades.tests.length,
    );
  });
});

test('repeats are reported with how sure their mean is', async () => {
  const { repeats } = dataOf<CardReport>('repeats').grades;
  const page = await open('repeats');
  const rows = await page.locator('#repeats table tbody tr').allInnerTexts();
  expect(rows).toHaveLength(repeats.length);
  repeats.forEach(({ iops }, i) => {
    for (const value of [iops.mean, iops.low, iops.high]) expect(rows[i]).toContain(figure(value ?? 0, 0));
  });
});

test('of a campaign: what became of each host, what it cost, and its label before all', async () => {
  const { campaign, label } = dataOf<CardReport>('campaign');
  const page = await open('campaign');
  expect(await seenText(page.locator('.banner'))).toBe(label);
  const text = await seenText(page.locator('#campaign'));
  for (const { id, failure, leftBehind } of campaign?.cells ?? [])
    for (const notified of [id, failure?.message, leftBehind?.error])
      if (notified !== undefined && notified !== null) expect(text).toContain(notified);
  // Of one host it is not known.
  expect(campaign?.usd).toBeNull();
  expect(text).toMatch(/not known; estimated \d/);
});
