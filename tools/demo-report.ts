/** What the demo keeps to be looked at: the report that the deployed audit wrote, and pictures of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxBy } from 'es-toolkit/array';
import type { Browser } from 'playwright-core';
import type { ResourceSeries } from '../core/report/resource-series.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type Finding, isSaving } from '../core/schemas/finding.ts';
import { secondsPerMinute } from '../core/units.ts';
import { messageAsPage } from '../local/slack/as-page.ts';
import { loadChart } from '../report/charts/load-chart.ts';
import { light } from '../report/charts/palette.ts';
import { chartPng, chartSvg } from '../report/charts/picture.ts';
import { seriesInPage } from '../report/pages/series-in-page.ts';
import { chromiumPath } from '../test/browser/chromium.ts';
import { openPage, startBrowser } from '../test/browser/open-page.ts';

/** The page, as who follows the link in the message gets it. @throws Error where it leads to none. */
export async function openFromSlack(message: unknown): Promise<string> {
  const [, link] = /<([^<>|]+)\|Open report>/.exec(JSON.stringify(message)) ?? [];
  if (link === undefined) throw new Error('the Slack message has no link to the report');
  const reply = await fetch(link);
  const html = await reply.text();
  if (!reply.ok) throw new Error(`the link to the report answers ${reply.status}: ${html.slice(0, 200)}`);
  return html;
}

const widthPixels = 1_000;
const label = 'emulated: a local AWS, a simulated fleet';

/** Throttled for longer, all of the picture would be of one color. */
const mostShareThrottled = 0.5;

/** Of the window. */
function shareThrottled({ whole: { throttled, binSeconds } }: ResourceSeries): number {
  const minutes = throttled.minutes.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return (secondsPerMinute * minutes) / (binSeconds * throttled.minutes.length);
}

/** The volume that was throttled for the largest part of the time up to that: the picture shows when. */
function maxNotifying(
  { findings }: AuditResult,
  series: readonly ResourceSeries[],
): { finding: Finding; of: ResourceSeries } | null {
  const byResource = new Map(series.map((one) => [one.resourceId, one]));
  const held = findings.flatMap((finding) => {
    const of = byResource.get(finding.resource.id);
    const isNotifying = of?.closeUp && of.kind === 'volume' && !isSaving(finding);
    return isNotifying && shareThrottled(of) <= mostShareThrottled ? [{ finding, of }] : [];
  });
  return maxBy(held, ({ of }) => shareThrottled(of)) ?? null;
}

async function pictureOfFinding(html: string, result: AuditResult): Promise<Buffer | null> {
  const notified = maxNotifying(result, seriesInPage(html));
  if (notified === null) return null;
  const { finding, of } = notified;
  const chart = loadChart(of, { which: 'whole', findingId: finding.id, palette: light });
  return chartPng(chartSvg(chart, { widthPixels, note: label }));
}

/** The top of the page as it opens. */
async function pictureOfPage(browser: Browser, file: string): Promise<Buffer> {
  const { page, complaints } = await openPage(browser, file);
  if (complaints.length > 0) throw new Error(`the page of the report complains: ${complaints.join('; ')}`);
  return await page.screenshot();
}

const messageWidthPixels = 900;

/** As our own page shows it, in its own height. */
async function pictureOfMessage(browser: Browser, message: unknown): Promise<Buffer> {
  const viewport = { width: messageWidthPixels, height: 100 };
  const page = await browser.newPage({ viewport, colorScheme: 'light' });
  await page.setContent(messageAsPage(message, `${label}; drawn by stripewise, not by Slack`));
  return await page.screenshot({ fullPage: true });
}

/** What a browser draws; nothing where there is none. */
async function picturesByBrowser(page: string, message: unknown): Promise<Record<string, Buffer>> {
  if (chromiumPath() === null) return {};
  const browser = await startBrowser();
  try {
    return {
      'report.png': await pictureOfPage(browser, page),
      'message.png': await pictureOfMessage(browser, message),
    };
  } finally {
    await browser.close();
  }
}

interface Kept {
  html: string;
  result: AuditResult;
  message: unknown;
}

/** @returns what was written, page first. */
export async function keepReport({ html, result, message }: Kept, directory: string): Promise<string[]> {
  mkdirSync(directory, { recursive: true });
  const page = join(directory, 'report.html');
  writeFileSync(page, html);
  const written = [page];
  const pictures = {
    'finding.png': await pictureOfFinding(html, result),
    ...(await picturesByBrowser(page, message)),
  };
  for (const [name, picture] of Object.entries(pictures)) {
    if (picture === null) continue;
    const file = join(directory, name);
    writeFileSync(file, picture);
    written.push(file);
  }
  return written;
}
