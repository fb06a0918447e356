/** What is kept of a graded campaign, and what is left where its page cannot be drawn. */

import { campaignReport } from '../../../core/benchmark/campaign/campaign-report.ts';
import { reportPageKey } from '../../../core/report/report-link.ts';
import type { CampaignReport } from '../../../core/schemas/campaign-report.ts';
import { type KeepIn, keepReport } from '../../../lambdas/grade-campaign/keep-report.ts';
import { aCampaign, anEnd, aResult } from '../../core/benchmark/campaign/campaigns.ts';

const cellId = 'stripe-m1-large';
const gradedAt = '2026-11-22T13:00:00.000Z';
const reportOf = (given: Partial<CampaignReport> = {}): CampaignReport => {
  const measured = new Map([[cellId, [{ runId: 'r1', result: aResult('r1', 16, 1_000, 2) }]]]);
  return { ...campaignReport(aCampaign(), [anEnd(cellId)], measured, gradedAt, new Map()), ...given };
};

/** Keys in the order in which they were written. */
function keep(report: CampaignReport, draw: KeepIn['draw'] = async ({ title }) => `<h1>${title}</h1>`) {
  const kept: [string, unknown][] = [];
  const put = async (key: string, value: unknown): Promise<void> => {
    kept.push([key, value]);
  };
  return { kept, done: keepReport(report, { putJson: put, draw, putPage: put }) };
}

test('the report first, then the proof of its finding, then the page', async () => {
  const report = reportOf({ findingId: '0123456789abcdef' });
  const { kept, done } = keep(report);
  expect(await done).toEqual({
    ...{ campaignId: 'c1', measured: 1, cells: 1, usd: report.usd },
    ...{ report: 'campaigns/c1/report.json', page: 'campaigns/c1/report.html' },
  });
  expect(kept).toEqual([
    ['campaigns/c1/report.json', report],
    ['validations/0123456789abcdef.json', report],
    ['campaigns/c1/report.html', '<h1>Campaign c1</h1>'],
  ]);
});

test('links lead where the page is', async () => {
  expect((await keep(reportOf()).done).page).toBe(reportPageKey({ kind: 'campaigns', id: 'c1' }));
});

test.each([
  ['a campaign of no finding', { findingId: null }],
  ['one that measured nothing', { findingId: '0123456789abcdef', cells: [] }],
])('%s proves nothing', async (_, given) => {
  const { kept, done } = keep(reportOf(given));
  await done;
  expect(kept.map(([key]) => key)).toEqual(['campaigns/c1/report.json', 'campaigns/c1/report.html']);
});

test('the page shows the grades, and beside them what the campaign was', async () => {
  const cards: object[] = [];
  const report = reportOf({ label: 'emulated' });
  await keep(report, async (card) => {
    cards.push(card);
    return '';
  }).done;
  const { grades, ...campaign } = report;
  expect(cards).toEqual([
    { version: 1, madeAt: gradedAt, title: 'Campaign c1', label: 'emulated', grades, campaign },
  ]);
});

test('a page that cannot be drawn fails; report and proof are there', async () => {
  const { kept, done } = keep(reportOf({ findingId: '0123456789abcdef' }), () =>
    Promise.reject(new Error('the client of the page is missing')),
  );
  await expect(done).rejects.toThrow('the client of the page is missing');
  expect(kept.map(([key]) => key)).toEqual(['campaigns/c1/report.json', 'validations/0123456789abcdef.json']);
});
