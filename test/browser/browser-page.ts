/** For a file of tests: a browser, and one page of it at a time that must not have complained when it is closed. */
import type { Browser, Page } from 'playwright-core';
import { type OpenedPage, openPage, startBrowser, type Viewing } from './open-page.ts';
import { type PageName, pageFile } from './places.ts';

interface BrowserPage {
  /** Closes the one before. @param before script that runs in the page before anything of its own. */
  open(name: PageName | 'planner', viewing?: Partial<Viewing>, before?: string): Promise<Page>;
  /** What was opened last. */
  page(): Page;
  /** What it must not do and did since it was opened or this was asked: for what a test makes it do. */
  takeComplaints(): string[];
}

export function browserPage(): BrowserPage {
  let browser: Browser;
  let opened: OpenedPage | null = null;
  async function close(): Promise<void> {
    const closed = opened;
    opened = null;
    await closed?.context.close();
    expect(closed?.complaints ?? []).toEqual([]);
  }
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  afterEach(close);
  function theOpened(): OpenedPage {
    if (opened === null) throw new Error('no page is open');
    return opened;
  }
  return {
    async open(name, viewing, before) {
      await close();
      opened = await openPage(browser, pageFile(name), viewing, before);
      return opened.page;
    },
    page: () => theOpened().page,
    takeComplaints: () => theOpened().complaints.splice(0),
  };
}
