/** Figures of the page of an audit: what stands in it, and what is saved of it, is what the run found. */

import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { figure } from '../../core/figures.ts';
import type { AuditReport } from '../../core/report/audit-report.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { peakMinutesOf } from '../../core/report/top-recommendations.ts';
import { type Finding, severities } from '../../core/schemas/finding.ts';
import { seriesInPage } from '../../report/pages/series-in-page.ts';
import { volumeReasonText } from '../../report/wording/reasons.ts';
import { browserPage } from './browser-page.ts';
import { columnTexts, csvRows, formulasIn, saved, seenText } from './in-the-page.ts';
import { dataOf, pageFile } from './places.ts';

const { result, withSeries } = dataOf<AuditReport>('audit');
const { findings, volumes, coverage } = result;

const browser = browserPage();
const open = (hash = '') => browser.open('audit', { hash });

const filter = (name: string) => browser.page().locator('#findings').getByLabel(name, { exact: true });

/** As it lies in the file. */
function seriesOf(id: string): ResourceSeries {
  const series = seriesInPage(readFileSync(pageFile('audit'), 'utf8')).find(
    ({ resourceId }) => resourceId === id,
  );
  if (series === undefined) throw new Error(`the page has no series of ${id}`);
  return series;
}

/** The table is made after the click, not with it. */
async function openFigures(chart: Locator): Promise<void> {
  await chart.locator('summary').click();
  await chart.locator('tbody tr').first().waitFor();
}

describe('figures', () => {
  test('at its head are those of the run', async () => {
    const page = await open();
    const tiles = await page.locator('.head .tiles li').allInnerTexts();
    const count = (severity: Finding['severity']): number =>
      findings.filter((finding) => finding.severity === severity).length;
    expect(tiles.map((text) => Number(text.split('\n', 1)[0]))).toEqual([
      ...severities.map(count),
      ...[coverage.volumes, coverage.evaluated, coverage.unknown.length],
    ]);
  });

  test('in the table of volumes are those of the evaluations', async () => {
    const page = await open();
    await page
      .locator('#volumes')
      .getByLabel('Search', { exact: true })
      .fill(volumes[0]?.volumeId ?? '');
    const row = page.locator('#volumes tbody tr');
    expect(await row.count()).toBe(1);
    const [volume] = volumes;
    if (volume === undefined) throw new Error('no volume');
    const text = await seenText(row);
    expect(text).toContain(`${figure(volume.sizeGiB)} GiB`);
    if (volume.monthlyUsd !== null) expect(text).toContain(`${volume.monthlyUsd.toFixed(2)} USD`);
    if (volume.topShareOfLimit !== null)
      expect(text).toContain(`${figure(100 * volume.topShareOfLimit, 0)} %`);
  });

  test('of volumes without an evaluation are not said to be zero', async () => {
    const page = await open();
    await page.locator('#volumes').getByLabel('Status', { exact: true }).selectOption('unknown');
    const rows = await page.locator('#volumes tbody tr').allInnerTexts();
    expect(rows).toHaveLength(coverage.unknown.length);
    for (const { volumeId, reason } of coverage.unknown) {
      const row = rows.find((text) => text.includes(volumeId));
      expect(row).toContain(volumeReasonText(reason));
      expect(row).toContain('not known');
    }
  });

  test('of a load are those of its series, bin by bin', async () => {
    const finding = findings.find(
      ({ kind, resource }) => kind === 'throttled-volume-iops' && withSeries.includes(resource.id),
    );
    if (finding === undefined) throw new Error('nothing was throttled');
    const { whole } = seriesOf(finding.resource.id);
    const page = await open(`#finding-${finding.id}`);
    const chart = page.locator(`#finding-${finding.id} figure`).first();
    await openFigures(chart);
    await chart.getByRole('button', { name: /^Show .* more rows$/ }).click();
    const text = (value: number | null): string => (value === null ? 'not known' : figure(value, 3));
    expect(await columnTexts(chart, 'IOPS, most')).toEqual(whole.iops.max.map(text));
    expect(await columnTexts(chart, 'MiB/s, least')).toEqual(whole.mibps.min.map(text));
    expect(await columnTexts(chart, 'Throttled (minutes)')).toEqual(whole.throttled.minutes.map(text));
  });

  test('of minutes by cause are the sums over all volumes', async () => {
    const page = await open();
    const sums = new Map<string, number>();
    for (const { throttledMinutesByCause } of volumes)
      for (const [cause, minutes] of Object.entries(throttledMinutesByCause))
        sums.set(cause, (sums.get(cause) ?? 0) + minutes);
    const chart = page.locator('#overview figure').filter({ hasText: 'Throttled minutes' });
    await openFigures(chart);
    const rows = await chart.locator('tbody tr').allInnerTexts();
    expect(rows).toHaveLength(sums.size);
    const shown = rows.flatMap((row) => row.split('\t').slice(1));
    for (const minutes of sums.values()) expect(shown).toContain(figure(minutes, 3));
  });

  test('of every chart are in its table', async () => {
    const page = await open();
    const charts = page.locator('#overview figure');
    expect(await charts.count()).toBe(3);
    for (const chart of await charts.all()) {
      await openFigures(chart);
      expect(await chart.locator('tbody tr').count()).toBeGreaterThan(0);
      expect(await chart.locator('[role="img"]').getAttribute('aria-label')).not.toBe('');
    }
  });
});

describe('what is saved', () => {
  test('has all findings with their figures, and no formula', async () => {
    const page = await open();
    const { name, text } = await saved(
      page,
      page.locator('#findings').getByRole('button', { name: 'Save as CSV' }),
    );
    expect(name).toBe('stripewise-demo-findings.csv');
    expect(formulasIn(text)).toEqual([]);
    const [head, ...rows] = csvRows(text);
    const [id, minutes] = [
      head?.indexOf('finding id'),
      head?.indexOf('throttled minutes in the peak 24 h'),
    ] as [number, number];
    const said = new Map(rows.map((row) => [row[id], row[minutes]]));
    expect(said).toEqual(new Map(findings.map((finding) => [finding.id, `${peakMinutesOf(finding) ?? ''}`])));
  });

  test('is what the filter lets through', async () => {
    const page = await open();
    await filter('Severity').selectOption('critical');
    const { text } = await saved(
      page,
      page.locator('#findings').getByRole('button', { name: 'Save as CSV' }),
    );
    expect(csvRows(text)).toHaveLength(1 + findings.filter(({ severity }) => severity === 'critical').length);
  });

  test('has all volumes', async () => {
    const page = await open();
    const { text } = await saved(page, page.locator('#volumes').getByRole('button', { name: 'Save as CSV' }));
    expect(formulasIn(text)).toEqual([]);
    expect(csvRows(text)).toHaveLength(1 + volumes.length);
  });
});
