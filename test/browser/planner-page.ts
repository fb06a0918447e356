/** The planner as its tests use it. */
import type { Locator, Page } from 'playwright-core';

export const tabs = ['plan', 'burst', 'audit', 'grade'] as const;
export type Tab = (typeof tabs)[number];

export const tabTexts: Record<Tab, string> = { plan: 'Plan', burst: 'Burst', audit: 'Audit', grade: 'Grade' };

export const linkOf = (page: Page, tab: Tab): Locator =>
  page.getByRole('navigation', { name: 'Questions' }).getByRole('link', { name: tabTexts[tab] });

/** Once what was pressed is on the screen. */
export async function currentTab(page: Page): Promise<string> {
  await settled(page);
  return await page.locator('nav a[aria-current=page] b').innerText();
}

/** What the page says was not right, a line each. */
export async function saidProblems(page: Page): Promise<string[]> {
  const lines = page.locator('[role=alert] li, p[role=alert]');
  const texts = await lines.filter({ visible: true }).allInnerTexts();
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Goes to another address of the same page, as a link does. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await settled(page);
}

/** What was changed is on the screen. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate<void>(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );

export const hashOf = (page: Page): string => {
  const url = page.url();
  return url.includes('#') ? url.slice(url.indexOf('#')) : '';
};

/** Waits until it is so: a string that is asked of the page. Its policy refuses what Playwright itself would poll with. */
export async function until(page: Page, condition: string, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1_000;
  while (!(await page.evaluate<boolean>(`Boolean(${condition})`))) {
    if (Date.now() > end) throw new Error(`it never became so: ${condition}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
