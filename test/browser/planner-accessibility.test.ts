/** Each tab with what it answers, in each look: nothing of axe, nothing wider than the screen, keyboard alone, and on paper. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { fio3 } from '../fixtures/fio-output.ts';
import { browserPage } from './browser-page.ts';
import { pdfPages, tabTo } from './in-the-page.ts';
import { phone } from './open-page.ts';
import { artefact } from './places.ts';
import { currentTab, hashOf, settled, tabTexts } from './planner-page.ts';

const browser = browserPage();

/** All that axe finds, whatever it calls it. */
async function axeFinds(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.slice(0, 3).map(({ target, html }) => `${impact} ${id}: ${target.join(' ')} ${html.slice(0, 150)}`),
  );
}

const result = fio3({
  name: 'reads',
  read: {
    operations: 174_000,
    seconds: 60,
    blockKiB: 16,
    meanMs: 1,
    p95Ms: 2,
    bins: { 1: 100_000, 2: 74_000 },
  },
  options: { bs: '16k', rw: 'randread' },
});

async function graded(page: Page): Promise<void> {
  const file = {
    name: 'result.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(result)),
  };
  await page.getByLabel('Choose results of fio').setInputFiles([file]);
  await page.locator('#grades').waitFor();
}

async function unfolded(page: Page): Promise<void> {
  for (const summary of await page.locator('main details:not([open]) > summary').all())
    if (await summary.isVisible()) await summary.click();
}

/** Charts are drawn when they come near to what is seen. */
async function scrolled(page: Page): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (let y = 0; y < height; y += 600) {
    await page.evaluate(`scrollTo(0, ${y})`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  await page.evaluate('scrollTo(0, 0)');
  await settled(page);
}

const shown: Record<string, { hash: string; ready?: (page: Page) => Promise<void> }> = {
  plan: { hash: '#plan', ready: unfolded },
  'plan with an instance and what stands': {
    hash: '#plan?v=1&plan.iops=20000&plan.current=4xgp2%3A250&plan.currentInstance=r6i.2xlarge',
    ready: unfolded,
  },
  'plan that chooses an instance': { hash: '#plan?v=1&plan.instance=choose' },
  'plan without an answer': { hash: '#plan?v=1&plan.iops=2000000&plan.maxMembers=1', ready: unfolded },
  'plan that is refused': { hash: '#plan?v=1&plan.current=gp9' },
  'plan of a wrong link': { hash: '#plan?v=1&plan.iops=NaN' },
  burst: { hash: '#burst', ready: unfolded },
  'burst of an instance': { hash: '#burst?v=1&burst.of=instance' },
  'burst of st1, steady': { hash: '#burst?v=1&burst.of=st1&burst.sizeGiB=500&burst.load=steady' },
  audit: { hash: '#audit', ready: unfolded },
  grade: { hash: '#grade' },
  'grade with a card': { hash: '#grade', ready: graded },
};
const names = Object.keys(shown);

async function look(name: string, viewing: Parameters<typeof browser.open>[1]): Promise<Page> {
  const { hash, ready } = shown[name] ?? { hash: '' };
  const page = await browser.open('planner', { ...viewing, hash });
  await settled(page);
  await ready?.(page);
  await scrolled(page);
  return page;
}

const slug = (name: string): string => name.replaceAll(/\W+/g, '-');

/** Each in both looks, one of them on a phone. */
const looks = names.flatMap((name, i) => {
  const [wide, onPhone] = i % 2 === 0 ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  return [[name, wide, 'wide'] as const, [name, onPhone, 'phone'] as const];
});

test.each(looks)(
  '%s, %s, %s: axe finds nothing, and nothing is wider than the screen',
  async (name, theme, width) => {
    const page = await look(name, { theme, ...(width === 'phone' ? phone : {}) });
    await page.screenshot({ path: artefact(`planner-${slug(name)}-${theme}-${width}.png`), fullPage: true });
    expect(await axeFinds(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  },
);

test.each(names)('%s on paper: what moves or is pressed is gone, what is answered is there', async (name) => {
  const page = await look(name, {});
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await settled(page);
  const controls = await page
    .locator('button, input[type=range], input[type=file], nav a, main details:not([open]) > summary')
    .filter({ visible: true })
    .evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 120)));
  expect(controls).toEqual([]);
  expect((await page.locator('main').innerText()).length).toBeGreaterThan(40);
  // Black on white, whatever the screen has.
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toMatch(
    /^rgb\(255, 255, 255\)$|^rgba\(0, 0, 0, 0\)$/,
  );
  const pdf = await page.pdf({ format: 'A4', path: artefact(`planner-${slug(name)}.pdf`) });
  expect(pdfPages(pdf)).toBeLessThanOrEqual(8);
});

describe('with a keyboard alone', () => {
  test('Tab goes first to the way past the head, and that goes to the content', async () => {
    const page = await browser.open('planner', { hash: '#plan' });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    expect(hashOf(page)).toBe('#plan');
  });

  test('each tab is reached and opened', async () => {
    const page = await browser.open('planner', { hash: '#plan' });
    expect(await tabTo(page, 'nav a[href^="#burst"]', 25)).not.toBeNull();
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await currentTab(page)).toBe(tabTexts.burst);
  });

  test('a figure is typed, an option chosen, its steps opened', async () => {
    const page = await browser.open('planner', { hash: '#plan' });
    expect(await tabTo(page, 'main input[type=text]', 40)).not.toBeNull();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('16000');
    expect(await tabTo(page, '.plan-options input[type=radio]', 40)).not.toBeNull();
    await page.keyboard.press('ArrowDown');
    await settled(page);
    expect(await page.locator('.plan-options tr.is-selected').count()).toBe(1);
    expect(await page.locator('.plan-options tbody tr').nth(1).getAttribute('class')).toBe('is-selected');
    expect(await tabTo(page, '.plan-result summary', 20)).not.toBeNull();
    await page.keyboard.press('Enter');
    await page.locator('.plan-steps').waitFor();
  });

  test('files are chosen: the button of files is reached in the tabs that take them', async () => {
    for (const tab of ['audit', 'grade'] as const) {
      const page = await browser.open('planner', { hash: `#${tab}` });
      expect(await tabTo(page, 'main input[type=file]', 40)).not.toBeNull();
    }
  });
});
