/** A campaign for people. */
import { type CellEnd, campaignReport } from '../../../core/benchmark/campaign/campaign-report.ts';
import type { BenchPlanAnswer } from '../../../core/schemas/bench-plan-answer.ts';
import type { CampaignReport } from '../../../core/schemas/campaign-report.ts';
import { benchPlanText, campaignReportText, progressText } from '../../../report/terminal/bench.ts';
import { aCampaign, anEnd, aResult, search } from '../../core/benchmark/campaign/campaigns.ts';
import { aRequest } from '../../core/benchmark/campaign/requests.ts';

const cellId = 'stripe-m1-large';

function aReport(end: Partial<CellEnd> = {}, more: Partial<CampaignReport> = {}, request: object = {}) {
  const measured = new Map([[cellId, [{ runId: 'r1', result: aResult('r1', 16, 12_000, 2) }]]]);
  const report = campaignReport(aCampaign(request), [anEnd(cellId, end)], measured, '2026-11-22T13:00:00Z');
  return campaignReportText({ ...report, notes: [], ...more }).join('\n');
}

describe('a plan', () => {
  const answer: BenchPlanAnswer = {
    ...{ region: 'us-east-1', request: aRequest(), hours: 0.5, totalUsd: 0.0748, notes: [] },
    cells: [
      {
        ...{ id: cellId, hours: 0.5, addressUsd: 0.0025 },
        ...{ instanceUsd: 0.05, volumesUsd: 0.0224, totalUsd: 0.0748 },
      },
    ],
  };
  const text = (more: Partial<BenchPlanAnswer> = {}, file: string | null = null) =>
    benchPlanText({ ...answer, ...more }, file, 'stripewise').join('\n');

  test('by host and in all', () => {
    expect(text()).toMatch(/│ stripe-m1-large │ 30 min \(1,800 s\) +│ 0\.05 USD │ 0\.02 USD │ 0\.07 USD │/);
    expect(text()).toMatch(/1 host in us-east-1, 4 at once: about 30 min .* and 0\.07 USD by list prices; /);
  });

  test('a price that is not known is no zero', () => {
    const [cell] = answer.cells;
    if (cell === undefined) throw new Error('no cell');
    expect(text({ cells: [{ ...cell, instanceUsd: null, totalUsd: null }] })).toMatch(
      /│ unknown +│ 0\.02 USD │ unknown/,
    );
  });

  test('what its result will not show, and how it is started', () => {
    const said = text({ notes: [{ code: 'credits-spent-first' }] }, 'request.json');
    expect(said).toMatch(/\nnote: Burst credits are spent first: .*\n/);
    expect(said).toMatch(
      /\nNothing is launched by this\. Start it with: stripewise bench start request\.json$/,
    );
  });
});

describe('a report', () => {
  test('cost, cells and letters', () => {
    // Half an hour at 0.105 + 408 x 0.08 / 730 = 0.1497 USD
    const said = aReport();
    expect(said).toMatch(/^Campaign c1: 0\.07 USD by list prices, estimated 0\.04 USD\.\n/);
    expect(said).toMatch(/│ stripe-m1-large │ stripe +│ measured │ 30 min \(1,800 s\) │ 0\.07 USD │/);
    expect(said).toMatch(/│ randread/);
  });

  test('a label stands before all', () => {
    expect(aReport({}, { label: 'emulated' })).toMatch(/^\*\*\* emulated \*\*\*\n\nCampaign c1/);
  });

  test('what failed, and what was left to the cleanup', () => {
    const said = aReport({
      failure: { step: 'Run it on the host', error: 'HostLost', message: 'gone' },
      leftBehind: { step: 'End its host', error: null, message: 'no' },
      endedAt: null,
    });
    expect(said).toMatch(/\nstripe-m1-large failed: Run it on the host: HostLost: gone\.\n/);
    expect(said).toMatch(
      /\nstripe-m1-large: its host was not terminated \(End its host: unknown error: no\)\. The cleanup takes it\.\n/,
    );
    expect(said).toMatch(/^Campaign c1: unknown by list prices/);
  });

  test('nothing measured', () => {
    const grades = { tests: [], curves: [], comparison: [], repeats: [], notes: [] };
    expect(aReport({}, { grades })).toMatch(/\n\nNothing was measured\.$/);
  });

  type Found = NonNullable<CampaignReport['cells'][number]['search']>;
  const found: Found = {
    outcome: 'kept',
    ...{ reason: { code: 'no-more-iops' }, users: 16 },
    ...{ iops: { mean: 8_000, low: -10, high: 8_500 }, latencyMs: { mean: 1.5, low: null, high: null } },
  };
  const searched = (more: Partial<Found>) => {
    const report = campaignReport(
      aCampaign({ work: search }),
      [anEnd(cellId)],
      new Map(),
      '2026-11-22T13:00:00Z',
    );
    const cells = report.cells.map((cell) => ({ ...cell, search: { ...found, ...more } }));
    return campaignReportText({ ...report, cells }).join('\n');
  };

  test('what a search found, with its confidence; fewer than none there are not', () => {
    expect(searched({})).toMatch(
      /\nstripe-m1-large: most IOPS with p95 under 2 ms: 8,000 IOPS \(0 to 8,500 with 95 % confidence\) with 16 in flight\. More users get no more IOPS, they only wait longer\.\n/,
    );
  });

  test('one run has no confidence', () => {
    expect(searched({ iops: { mean: 8_000, low: null, high: null } })).toMatch(
      /: 8,000 IOPS with 16 in flight\. /,
    );
  });

  test('a goal that nothing keeps', () => {
    expect(searched({ outcome: 'never', users: 1, reason: { code: 'not-even-one' } })).toMatch(
      /: none with 1 user\. Not even one user alone stays below the limit\.\n/,
    );
  });

  test('text of a host is sanitized', () => {
    const failure = { step: 'Run it on the host', error: 'HostLost', message: '\u001b[31mred' };
    expect(aReport({ failure })).toContain('\\u{1b}[31mred');
  });
});

test('progress is a line a cell', () => {
  expect(
    progressText([{ cellId, step: { code: 'measure-load', inFlight: 16, runId: 'r\u001b[2J' } }]),
  ).toEqual(['stripe-m1-large: measure 16 operations in flight (r\\u{1b}[2J)']);
});
