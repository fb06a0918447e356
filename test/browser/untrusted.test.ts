/** Whatever somebody put into a Name tag or an error, the pages show it and do nothing of it. */
import type { Page } from 'playwright-core';
import type { AuditReport } from '../../core/report/audit-report.ts';
import { sanitize } from '../../core/sanitize.ts';
import { browserPage } from './browser-page.ts';
import { accessibilityComplaints, csvRows, formulasIn, saved } from './in-the-page.ts';
import { artefact, dataOf } from './places.ts';
import { untrustedTexts } from './untrusted-texts.ts';

const { open } = browserPage();

/** No page of ours has one of these. */
const neverOurs = [
  ...['iframe', 'object', 'embed', 'base', 'form', 'img', 'video', 'audio', 'source', 'math', 'svg', 'x'],
  ...['plaintext', 'textarea', 'template', 'script[src]', 'meta[http-equiv="refresh"]'],
  ...['[onclick]', '[onload]', '[onerror]', '[onfocus]', '[onmouseover]', '[ontoggle]', '[srcdoc]'],
];
/** And of these no more than it was written with. */
const once = ['script:not([type])', 'style', 'link', 'title', 'h1', '#page', '#data'];

async function expectNothingRan(page: Page): Promise<void> {
  for (const selector of neverOurs)
    expect([selector, await page.locator(selector).count()]).toEqual([selector, 0]);
  for (const selector of once)
    expect([selector, await page.locator(selector).count()]).toEqual([selector, 1]);
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('[href]')].map((element) => element.getAttribute('href'))",
  );
  expect(links.filter((href) => !href.startsWith('#') && href !== 'data:,')).toEqual([]);
  expect(await page.evaluate('window.__hacked')).toBeUndefined();
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
}

/** Of all that is not ours, each by itself, also what is folded. */
const foreignTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>("[...document.querySelectorAll('bdi')].map((element) => element.textContent)");

const leastShown = 20;

/** As it is, sanitized; or its beginning. */
function isAmong(texts: ReadonlySet<string>, text: string): boolean {
  const whole = sanitize(text, Number.POSITIVE_INFINITY);
  if (texts.has(whole)) return true;
  return [...texts].some(
    (shown) => shown.endsWith('…') && shown.length > leastShown && whole.startsWith(shown.slice(0, -1)),
  );
}

const notAmong = (texts: readonly string[]): string[] => {
  const all = new Set(texts);
  return untrustedTexts.filter((text) => text !== '' && !isAmong(all, text));
};

/** Of a table that shows a page of its rows at a time: of all of them. */
async function onEveryPage(page: Page, section: string): Promise<string[]> {
  const texts = await foreignTexts(page);
  const next = page.locator(section).getByRole('button', { name: 'Next' });
  while ((await next.count()) > 0 && (await next.isEnabled())) {
    await next.click();
    texts.push(...(await foreignTexts(page)));
  }
  return texts;
}

/** Without what a CSV adds to a text: apostrophes before a formula, and \u{..} for what would move a cursor or hide. */
const asGiven = (text: string): string =>
  text
    .replaceAll("'", '')
    .replaceAll(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .toWellFormed();

describe('the page of an audit', () => {
  const { findings, volumes } = dataOf<AuditReport>('untrusted-audit').result;

  test('shows every text as it is, in its tables', async () => {
    const page = await open('untrusted-audit');
    await page.screenshot({ path: artefact('untrusted-audit.png'), fullPage: true });
    expect(notAmong(await onEveryPage(page, '#findings'))).toEqual([]);
    expect(notAmong(await onEveryPage(page, '#volumes'))).toEqual([]);
    expect(notAmong(await onEveryPage(page, '#compared'))).toEqual([]);
    await expectNothingRan(page);
  });

  test('shows them in what is reported of each finding', async () => {
    const page = await open('untrusted-audit');
    // Each tells of several texts that follow each other.
    for (let index = 0; index < findings.length; index += 3) {
      await page.evaluate(`location.hash = 'finding-finding-${index}'`);
      await page.locator(`#finding-finding-${index} canvas`).first().waitFor();
    }
    const texts = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.opened bdi')].map((element) => element.textContent)",
    );
    expect(notAmong(texts)).toEqual([]);
    await expectNothingRan(page);
  });

  test('does nothing of them where something is pointed at', async () => {
    const page = await open('untrusted-audit');
    await page.evaluate("location.hash = 'finding-finding-0'");
    await page.locator('#finding-finding-0 canvas').first().waitFor();
    for (const chart of await page.locator('#overview [role="img"], .opened [role="img"]').all()) {
      await chart.scrollIntoViewIfNeeded();
      const box = await chart.boundingBox();
      if (box === null) throw new Error('a chart has no place');
      for (let x = 0.1; x < 0.95; x += 0.08)
        for (const y of [0.2, 0.35, 0.5, 0.65, 0.8])
          await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    }
    await expectNothingRan(page);
  });

  test('searches for them, and puts them into its address', async () => {
    const page = await open('untrusted-audit');
    const search = page.locator('#findings').getByLabel('Search', { exact: true });
    for (const text of untrustedTexts
      .filter((one) => !/[\r\n\0]/.test(one))
      .map((one) => one.slice(0, 150))) {
      await search.fill(text.toWellFormed());
      await page.locator('#findings').getByRole('status').first().waitFor();
    }
    await expectNothingRan(page);
    await page.reload();
    await expectNothingRan(page);
  });

  test('takes an address for nothing but an address', async () => {
    for (const text of [
      '<img src=x onerror="window.__hacked=1">',
      'javascript:window.__hacked=1',
      '%',
      '%E0%A4%A',
    ]) {
      for (const hash of [
        `#finding-${text}`,
        `#finding-0?q=${text}&severity=${text}&sort=${text}`,
        `#${text}`,
      ]) {
        await expectNothingRan(await open('untrusted-audit', { hash }));
      }
    }
  });

  test.each(['findings', 'volumes'] as const)(
    'saves %s without a formula, and with every name',
    async (what) => {
      const page = await open('untrusted-audit');
      const { text } = await saved(
        page,
        page.locator(`#${what}`).getByRole('button', { name: 'Save as CSV' }),
      );
      expect(formulasIn(text)).toEqual([]);
      // Control, format and bidirectional characters; tabs and ends of lines are in quotes.
      expect(text.replace(/^\uFEFF/, '')).not.toMatch(/(?![\t\r\n])[\p{Cc}\p{Cf}]/u);
      const [head = [], ...rows] = csvRows(text);
      const names = rows.map((row) => asGiven(row[head.indexOf('name')] ?? ''));
      const expected =
        what === 'findings' ? findings.map(({ resource }) => resource.name) : volumes.map(({ name }) => name);
      expect(names.toSorted()).toEqual(expected.map((name) => asGiven(name ?? '')).toSorted());
    },
  );

  test('is as usable as any', async () => {
    const page = await open('untrusted-audit');
    expect(await accessibilityComplaints(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});

describe('the page of a report card', () => {
  test('shows every text as it is', async () => {
    const page = await open('untrusted-card');
    await page.screenshot({ path: artefact('untrusted-card.png') });
    expect(notAmong(await foreignTexts(page))).toEqual([]);
    await expectNothingRan(page);
  });

  test('does nothing of them where something is pointed at', async () => {
    const page = await open('untrusted-card');
    for (const chart of (await page.locator('[role="img"]').all()).slice(0, 12)) {
      await chart.scrollIntoViewIfNeeded();
      const box = await chart.boundingBox();
      if (box === null) throw new Error('a chart has no place');
      for (let x = 0.1; x < 0.95; x += 0.1)
        for (const y of [0.3, 0.5, 0.7]) await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    }
    await expectNothingRan(page);
  });

  test('is no wider than the screen', async () => {
    const page = await open('untrusted-card');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});
