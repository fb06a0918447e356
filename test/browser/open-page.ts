/**
 * A page as somebody opens it from a disk. What it must never do is noted: errors in the console, requests for anything but
 * itself, dialogs.
 */
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath } from './chromium.ts';

/** Chromium's own calls home would be nobody's fault; a page's fail at once. */
const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

export async function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('no Chromium is there: npm run test:browser installs it');
  // What tests of the command line say of caches is a place that must not come to be.
  const { XDG_CACHE_HOME: _, ...env } = process.env;
  return await chromium.launch({ executablePath, args: flags, env });
}

export interface Viewing {
  /** Of the system. */
  theme: 'light' | 'dark';
  widthPixels: number;
  heightPixels: number;
  /** With what the address ends: #finding-1. */
  hash: string;
}

const usualViewing: Viewing = { theme: 'light', widthPixels: 1_280, heightPixels: 900, hash: '' };
export const phone = { widthPixels: 390, heightPixels: 844 };

export interface OpenedPage {
  page: Page;
  context: BrowserContext;
  /** Everything that it must not do, as it did it. */
  complaints: string[];
}

const isItsOwn = (url: string, address: string): boolean =>
  url.split('#', 1)[0] === address || url.startsWith('data:') || url.startsWith('blob:');

/**
 * In a context of its own that has no network; its heading is there when this returns.
 * @param before script that runs in the page before anything of its own.
 */
export async function openPage(
  browser: Browser,
  file: string,
  viewing: Partial<Viewing> = {},
  before = '',
): Promise<OpenedPage> {
  const { theme, widthPixels, heightPixels, hash } = { ...usualViewing, ...viewing };
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width: widthPixels, height: heightPixels },
    acceptDownloads: true,
  });
  await context.setOffline(true);
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const complaints: string[] = [];
  context.on('request', (request) => {
    if (!isItsOwn(request.url(), address)) complaints.push(`request: ${request.url().slice(0, 200)}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  page.on('websocket', (socket) => complaints.push(`request: ${socket.url().slice(0, 200)}`));
  page.on('crash', () => complaints.push('it crashed'));
  page.on('popup', (popup) => complaints.push(`window: ${popup.url()}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  if (before !== '') await page.addInitScript(before);
  await page.goto(address + hash);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, context, complaints };
}
