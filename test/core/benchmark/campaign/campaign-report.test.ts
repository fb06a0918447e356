/** The report of a campaign: what each cell came to, what it cost, and the letters of what was measured. */
import {
  campaignReport,
  type Measured,
  probeOf,
} from '../../../../core/benchmark/campaign/campaign-report.ts';
import { campaignReportSchema } from '../../../../core/schemas/campaign-report.ts';
import { aCampaign, anEnd, aResult, search } from './campaigns.ts';
import { aLayout } from './requests.ts';

const gradedAt = '2026-11-22T13:00:00Z';
const two = [aLayout(), aLayout({ name: 'one', kind: 'single', members: 1 })];
const [stripe, one] = ['stripe-m1-large', 'one-m1-large'] as const;

const measuredBy = (results: Record<string, [iops: number, p95Ms: number][]>, users = 16): Measured =>
  new Map(
    Object.entries(results).map(([cellId, runs]) => [
      cellId,
      runs.map(([iops, p95Ms], index) => {
        const runId = `r${index + 1}`;
        return { runId, result: aResult(runId, users, iops, p95Ms) };
      }),
    ]),
  );

test('all that was measured is reported, and is what its schema says', () => {
  const campaign = aCampaign({ layouts: two, findingId: '0123456789abcdef' });
  const measured = measuredBy({ [stripe]: [[12_000, 2]], [one]: [[3_000, 6]] });
  const report = campaignReport(campaign, [anEnd(stripe), anEnd(one)], measured, gradedAt);
  expect(campaignReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  expect(report).toMatchObject({
    campaignId: 'c1',
    findingId: '0123456789abcdef',
    gradedAt,
    notes: campaign.notes,
  });
  expect(report.cells.map(({ status, hours }) => [status, hours])).toEqual([
    ['measured', 0.5],
    ['measured', 0.5],
  ]);
  expect(report.grades.tests.map(({ run, iops }) => [run, iops])).toEqual([
    [stripe, 12_000],
    [one, 3_000],
  ]);
  expect(report.grades.comparison).toHaveLength(1);
});

test('it costs the hours that hosts lived, by the price of each', () => {
  const campaign = aCampaign({ layouts: two });
  const { usd } = campaignReport(campaign, [anEnd(stripe), anEnd(one)], new Map(), gradedAt);
  const [a, b] = campaign.cells;
  expect(usd).toBeCloseTo(0.5 * ((a?.usdPerHour ?? 0) + (b?.usdPerHour ?? 0)), 9);
});

test('made anew it is the same', () => {
  const make = () =>
    campaignReport(aCampaign(), [anEnd(stripe)], measuredBy({ [stripe]: [[12_000, 2]] }), gradedAt);
  expect(make()).toEqual(make());
});

describe('a cell that failed', () => {
  const campaign = aCampaign({ layouts: two });

  test('is reported with its step and why, and the other is graded', () => {
    const failure = { step: 'Run it on the host', error: 'HostLost', message: 'gone' };
    const ends = [anEnd(stripe, { failure }), anEnd(one)];
    const report = campaignReport(campaign, ends, measuredBy({ [one]: [[3_000, 6]] }), gradedAt);
    expect(report.cells.map((cell) => [cell.status, cell.failure])).toEqual([
      ['failed', failure],
      ['measured', null],
    ]);
    expect(report.grades.tests.map(({ run }) => run)).toEqual([one]);
  });

  test('is failed although it had measured something; that is graded all the same', () => {
    const ends = [
      anEnd(stripe, { failure: { step: 'Run it on the host', error: 'OutOfTime', message: 'late' } }),
    ];
    const report = campaignReport(campaign, ends, measuredBy({ [stripe]: [[12_000, 2]] }), gradedAt);
    expect(report.cells[0]?.status).toBe('failed');
    expect(report.grades.tests).toHaveLength(1);
  });

  test('costs nothing where it had no host', () => {
    const failure = { step: 'Launch its host', error: 'NoCapacity', message: 'full' };
    const ends = [anEnd(stripe, { launchedAt: null, failure })];
    expect(campaignReport(campaign, ends, new Map(), gradedAt).cells[0]?.usd).toBe(0);
  });

  test('costs nobody knows what where its host was left behind', () => {
    const leftBehind = { step: 'End its host', error: 'Unreadable', message: 'no' };
    const ends = [anEnd(stripe, { endedAt: null, leftBehind }), anEnd(one)];
    const { cells, usd } = campaignReport(campaign, ends, new Map(), gradedAt);
    expect([cells[0]?.usd, cells[0]?.leftBehind, usd]).toEqual([null, leftBehind, null]);
  });

  test('is not measured where nobody tells how it ended, and nothing came of it', () => {
    const report = campaignReport(campaign, [], new Map(), gradedAt);
    expect(report.cells.map(({ status }) => status)).toEqual(['not-measured', 'not-measured']);
    expect([report.usd, report.grades.tests]).toEqual([null, []]);
  });
});

test('of repeats the first stands among the cells, and all of them with their confidence', () => {
  const runs: [number, number][] = [
    [11_900, 2],
    [12_000, 2],
    [12_100, 2],
  ];
  const campaign = aCampaign({ repeats: 3 });
  const { grades } = campaignReport(campaign, [anEnd(stripe)], measuredBy({ [stripe]: runs }), gradedAt);
  expect(grades.tests.map(({ run, iops }) => [run, iops])).toEqual([[stripe, 11_900]]);
  // Three runs: t of two degrees of freedom, 4.303 x 100 / sqrt(3) = 248.4
  expect(grades.repeats).toMatchObject([
    {
      name: 'stripe-m1-large: randread',
      iops: { mean: 12_000, low: expect.closeTo(11_751.6, 1), high: expect.closeTo(12_248.4, 1) },
    },
  ]);
});

describe('a search', () => {
  const campaign = aCampaign({ work: search });
  const probes = (...runs: [users: number, iops: number, p95Ms: number][]): Measured =>
    new Map([
      [
        stripe,
        runs.map(([users, iops, p95Ms], index) => {
          const runId = `p${index + 1}`;
          return { runId, result: aResult(runId, users, iops, p95Ms) };
        }),
      ],
    ]);

  test('tells what it found, from the runs of the load that it found', () => {
    const measured = probes(
      [16, 8_000, 1.5],
      [20, 8_010, 2.5], // over the limit, and hardly more
      [16, 8_000, 1.5],
      [16, 8_000, 1.5],
    );
    const [cell] = campaignReport(campaign, [anEnd(stripe)], measured, gradedAt).cells;
    expect(cell).toMatchObject({
      status: 'measured',
      search: { outcome: 'kept', users: 16, iops: { mean: 8_000 }, reason: { code: 'no-more-iops' } },
    });
  });

  test('is not measured before it has found something', () => {
    const [cell] = campaignReport(campaign, [anEnd(stripe)], probes([16, 8_000, 1.5]), gradedAt).cells;
    expect(cell).toMatchObject({ status: 'not-measured', search: null });
  });

  test('one run without any operation ends it, and not the report', () => {
    const failure = {
      ...{ step: 'Choose what it does next', error: 'Error' },
      message: 'p2: fio told no p95 of any operation',
    };
    const measured = probes([16, 8_000, 1.5], [20, 0, 0]);
    const report = campaignReport(campaign, [anEnd(stripe, { failure })], measured, gradedAt);
    expect(report.cells[0]).toMatchObject({ status: 'failed', failure, search: null });
  });
});

describe('a run of a search', () => {
  test('is how many were under way, what they did, and the percentile of the goal', () => {
    expect(probeOf(aResult('p1', 16, 8_000, 1.5), 'p95')).toEqual({ users: 16, iops: 8_000, latencyMs: 1.5 });
    expect(probeOf(aResult('p1', 16, 8_000, 1.5), 'p99').latencyMs).toBe(3);
  });

  test('that did nothing has no latency, and says so', () => {
    expect(() => probeOf(aResult('p2', 16, 0, 0), 'p95')).toThrow('p2: fio told no p95 of any operation');
  });
});
