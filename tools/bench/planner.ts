/** The planner in Chromium: its size, how soon it answers, how it follows a slider, and what an audit of files takes. */
import { execFileSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { max, median } from 'simple-statistics';
import { ensureChromium } from '../../test/browser/chromium.ts';
import { startBrowser } from '../../test/browser/open-page.ts';
import { pageFile } from '../../test/browser/places.ts';
import { type PrintedFleet, writeFleetInThree } from './large-fleet.ts';
import { type Measure, medianOf } from './measure.ts';
import { peakMiBOfRenderers } from './renderer-memory.ts';

const root = join(import.meta.dirname, '../..');
const directory = join(root, '.bench/planner');

const limits = { bytes: 3e6, firstAnswerMs: 1_500, inputMs: 50, auditSeconds: 20, auditPeakMiB: 1_536 };
const openings = 5;
const inputs = 200;
const auditedVolumes = 250;

/** What is asked, where its answer stands, and the slider that is moved. */
const sliders = [
  {
    name: 'planner-plan-input-ms',
    hash: '#plan?v=1&plan.iops=20000&plan.capacityGiB=1000',
    slider: 'IOPS, slider',
    answer: '.plan-result .plan-options',
    text: 'a plan without an instance',
  },
  {
    name: 'planner-plan-instance-input-ms',
    hash: '#plan?v=1&plan.iops=20000&plan.capacityGiB=1000&plan.instance=choose&plan.vcpus=8&plan.memoryGiB=64',
    slider: 'IOPS, slider',
    answer: '.plan-result .plan-options',
    text: 'a plan that chooses among all instance types',
  },
  {
    name: 'planner-burst-input-ms',
    hash: '#burst?v=1&burst.sizeGiB=100',
    slider: 'Size, slider',
    answer: '.burst-answers',
    text: 'burst credits of a gp2 volume',
  },
];

export const plannerNames = [
  ...['planner-bytes', 'planner-first-answer-ms'],
  ...sliders.flatMap(({ name }) => [name, `${name}-worst`]),
  ...['planner-audit-seconds', 'planner-audit-peak-mib'],
];

/** Its own clock, from the start of the navigation; a frame with what is there was handed to the screen. */
const now = (page: Page): Promise<number> =>
  page.evaluate<number>(
    'new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))',
  );

async function opened(browser: Browser, hash: string): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(pageFile('planner')).href + hash, { waitUntil: 'commit' });
  return { page, context };
}

async function firstAnswerMs(browser: Browser): Promise<number> {
  const { page, context } = await opened(browser, '');
  try {
    await page.locator('.plan-result .plan-options').waitFor();
    return await now(page);
  } finally {
    await context.close();
  }
}

/**
 * Moves the slider so many times, to and fro over the middle of its way, and waits each time until the answer has changed and a
 * frame with it was handed to the screen. @returns ms of each.
 */
const moveSlider = ({ slider, answer }: (typeof sliders)[number]): string => `(async () => {
  const input = document.querySelector('input[aria-label="${slider}"]');
  const answer = () => document.querySelector('${answer}')?.innerText;
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const took = [];
  const [low, high] = [Number(input.min), Number(input.max)];
  for (let i = 0; i < ${inputs}; i++) {
    const before = answer();
    await new Promise((done) => setTimeout(done, 30));
    const start = performance.now();
    input.value = String(Math.round(low + (high - low) * (0.45 + (0.3 * ((i * 37) % 101)) / 101)));
    input.dispatchEvent(new Event('input', { bubbles: true }));
    while (true) {
      await frame();
      if (answer() !== before) break;
      if (performance.now() - start > 5000) throw new Error('the answer stayed the same at input ' + i);
    }
    took.push(performance.now() - start);
  }
  return took;
})()`;

async function inputMs(browser: Browser, asked: (typeof sliders)[number]): Promise<number[]> {
  const { page, context } = await opened(browser, asked.hash);
  try {
    await page.locator(asked.answer).waitFor();
    return await page.evaluate<number[]>(moveSlider(asked));
  } finally {
    await context.close();
  }
}

async function auditOf({ paths }: PrintedFleet): Promise<{ seconds: number; peakMiB: number }> {
  // A browser of its own: its renderers have had no other page.
  const browser = await startBrowser();
  try {
    const { page } = await opened(browser, '#audit');
    const input = page.getByLabel('Choose files', { exact: true });
    await input.waitFor({ state: 'attached' });
    const before = await now(page);
    await input.setInputFiles(paths);
    await page.getByRole('button', { name: 'Audit', exact: true }).click();
    await page.locator('#findings tbody tr').first().waitFor({ timeout: 300_000 });
    return { seconds: ((await now(page)) - before) / 1_000, peakMiB: peakMiBOfRenderers() };
  } finally {
    await browser.close();
  }
}

async function audited(browserText: string): Promise<Measure[]> {
  const fleet = writeFleetInThree(directory, auditedVolumes);
  const bytes = fleet.paths.reduce((total, path) => total + statSync(path).size, 0);
  try {
    const { seconds, peakMiB } = await auditOf(fleet);
    const conditions = `${fleet.volumes} simulated volumes with a day of minutes, ${fleet.metrics} metrics, files of the AWS CLI with ${Math.round(bytes / 1e6)} MB in all; ${browserText}; one run`;
    return [
      {
        name: 'planner-audit-seconds',
        value: Math.round(seconds * 10) / 10,
        unit: 's',
        limit: limits.auditSeconds,
        conditions: `from choosing the files to the table of findings; ${conditions}`,
      },
      {
        name: 'planner-audit-peak-mib',
        value: Math.round(peakMiB),
        unit: 'MiB resident',
        limit: limits.auditPeakMiB,
        conditions: `of the renderer with the page and its worker, at its peak; ${conditions}`,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function measuredInputs(browser: Browser, browserText: string): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const one of sliders) {
    const took = await inputMs(browser, one);
    const conditions = `${one.text}: from the input of a slider to its answer on the screen, the frame in it, ${inputs} inputs; ${browserText}`;
    for (const [name, value] of [
      [one.name, median(took)],
      [`${one.name}-worst`, max(took)],
    ] as const)
      measures.push({
        name,
        value: Math.round(value * 10) / 10,
        unit: 'ms',
        limit: limits.inputMs,
        conditions,
      });
  }
  return measures;
}

export async function plannerInBrowser(): Promise<Measure[]> {
  ensureChromium((line) => console.error(line));
  execFileSync(process.execPath, [join(root, 'tools/build-planner.ts')], { cwd: root, stdio: 'ignore' });
  const browser = await startBrowser();
  try {
    const browserText = `Chromium ${browser.version()} without a screen, from a disk, no network`;
    const firsts: number[] = [];
    for (let run = 0; run < openings; run++) firsts.push(await firstAnswerMs(browser));
    const first = medianOf(firsts, 0);
    return [
      {
        name: 'planner-bytes',
        value: statSync(pageFile('planner')).size,
        unit: 'bytes',
        limit: limits.bytes,
        conditions: 'dist/planner.html, with the prices and instance types that come with it',
      },
      {
        name: 'planner-first-answer-ms',
        value: first.value,
        unit: 'ms',
        limit: limits.firstAnswerMs,
        conditions: `from the start of the navigation to the first plan on the screen, each in a fresh context; ${browserText}; ${first.spread}`,
      },
      ...(await measuredInputs(browser, browserText)),
      ...(await audited(browserText)),
    ];
  } finally {
    await browser.close();
  }
}
