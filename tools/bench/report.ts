/** How large the report of a large fleet is, and how soon it answers in a browser. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';
import { ensureChromium } from '../../test/browser/chromium.ts';
import { startBrowser } from '../../test/browser/open-page.ts';
import { type Measure, medianOf } from './measure.ts';
import { days } from './report-fleet.ts';

const wantedVolumes = 5_000;
const wantedWithFindings = 500;
const runs = 5;
/** It stays there to be looked at. */
const directory = join(import.meta.dirname, '../../.bench');
const file = join(directory, 'report-5000.html');

const madeSchema = z.object({
  ...{ bytes: z.number(), volumes: z.number(), withFindings: z.number(), findings: z.number() },
  ...{ series: z.number(), seriesBytes: z.number(), longestSeriesBytes: z.number() },
  ...{ drawnId: z.string(), peakMiB: z.number(), seconds: z.number() },
});
type Made = z.infer<typeof madeSchema>;

function make(): Made {
  mkdirSync(directory, { recursive: true });
  const args = [file, `${wantedVolumes}`, `${wantedWithFindings}`];
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, 'report-process.ts'), ...args], {
    encoding: 'utf8',
  });
  return madeSchema.parse(JSON.parse(printed));
}

/** Its own clock, from the start of the navigation; drawn means that a frame with it was handed to the screen. */
const now = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))',
  );

const status = (page: Page) => page.locator('#findings').getByRole('status').first();

interface Opening {
  interactiveMs: number;
  openFindingMs: number;
}

/** In a context of its own: nothing is kept from the one before. */
async function open(browser: Browser, { drawnId }: Made): Promise<Opening> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
    await page.locator('#findings tbody tr').first().waitFor();
    const all = await status(page).textContent();
    await page.locator('#findings').getByLabel('Severity', { exact: true }).selectOption('critical');
    await page.waitForFunction(
      `document.querySelector('#findings [role=status]').textContent !== ${JSON.stringify(all)}`,
    );
    const interactiveMs = await now(page);
    const before = await now(page);
    await page.evaluate(`location.hash = 'finding-${drawnId}'`);
    await page.locator(`[id="finding-${drawnId}"] canvas`).first().waitFor();
    return { interactiveMs, openFindingMs: (await now(page)) - before };
  } finally {
    await context.close();
  }
}

const number = new Intl.NumberFormat('en-US');

export async function reportInBrowser(): Promise<Measure[]> {
  ensureChromium((line) => console.error(line));
  const made = make();
  const browser = await startBrowser();
  const openings: Opening[] = [];
  try {
    for (let run = 0; run < runs; run++) openings.push(await open(browser, made));
  } finally {
    await browser.close();
  }
  const interactive = medianOf(
    openings.map(({ interactiveMs }) => interactiveMs),
    0,
  );
  const openFinding = medianOf(
    openings.map(({ openFindingMs }) => openFindingMs),
    0,
  );
  const fleet = `${number.format(made.volumes)} simulated volumes, ${made.withFindings} with findings (${made.findings}), ${days} days minute by minute; ${made.series} series of at most 700 bins and the worst hours of each`;
  const browserText = `Chromium ${browser.version()} without a screen, from a disk, each in a fresh context`;
  return [
    {
      name: 'report-bytes-5000',
      value: made.bytes,
      unit: 'bytes',
      conditions: `${fleet}, ${number.format(made.seriesBytes)} bytes of them (the longest ${number.format(made.longestSeriesBytes)}); audited and written in ${made.seconds} s with a peak of ${made.peakMiB} MiB, the simulation in it; kept as .bench/report-5000.html; target below 12 MB`,
    },
    {
      name: 'report-interactive-ms-5000',
      value: interactive.value,
      unit: 'ms',
      conditions: `${fleet}; ${browserText}: from the start of the navigation until the table is there and a filter has answered; ${interactive.spread}; target 2,000`,
    },
    {
      name: 'report-open-finding-ms-5000',
      value: openFinding.value,
      unit: 'ms',
      conditions: `the same page, from going to a finding until its chart is drawn; ${browserText}; ${openFinding.spread}`,
    },
  ];
}
