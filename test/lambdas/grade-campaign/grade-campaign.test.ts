/** The report, from what hosts wrote: whatever of it there is. */
import { NotYet, Unreadable } from '../../../core/errors.ts';
import type { ExceededChecks } from '../../../core/report-card/exceeded-checks.ts';
import { gradeCampaign } from '../../../lambdas/grade-campaign/grade-campaign.ts';
import { aCampaign, anEnd, aResult } from '../../core/benchmark/campaign/campaigns.ts';

const cellId = 'stripe-m1-large';
const prefix = `campaigns/c1/results/${cellId}/`;

function grade(keys: string[], unread: string[] = [], ends = [anEnd(cellId)]) {
  const listed: string[] = [];
  const report = gradeCampaign(aCampaign({ repeats: 10 }), ends, {
    list: async (under) => {
      listed.push(under);
      return keys;
    },
    readResult: async (key) => {
      if (unread.includes(key)) throw new Unreadable(`${key} is not what was written there`);
      const [, runId = ''] = /([rp]\d+)\.json$/.exec(key) ?? [];
      return aResult(runId, 16, 1_000 * Number(runId.slice(1)), 2);
    },
    readChecks: () => Promise.reject(new Error('nobody asks CloudWatch here')),
    now: () => new Date('2026-11-22T13:00:00Z'),
  });
  return { report, listed };
}

test('results are read below the folder of each cell', async () => {
  const { report, listed } = grade([`${prefix}r1.json`]);
  expect(await report).toMatchObject({
    gradedAt: '2026-11-22T13:00:00.000Z',
    cells: [{ id: cellId, status: 'measured' }],
    grades: { tests: [{ run: cellId, iops: 1_000 }] },
  });
  expect(listed).toEqual([prefix]);
});

test('r2 comes before r10', async () => {
  const { grades } = await grade([1, 10, 2].map((number) => `${prefix}r${number}.json`)).report;
  // 1,000, 2,000 and 10,000: the first is the one that stands among the cells.
  expect(grades.tests.map(({ iops }) => iops)).toEqual([1_000]);
  expect(grades.repeats[0]?.iops.mean).toBeCloseTo(13_000 / 3, 6);
});

test.each(['r1.json.tmp', 'other.json', 'deeper/r1.json', 'r.json'])('%s is no result', async (name) => {
  const { report } = grade([`${prefix}${name}`]);
  expect((await report).cells[0]?.status).toBe('not-measured');
});

test('what cannot be read is left out and told; the rest is graded', async () => {
  const bad = `${prefix}r2.json`;
  const { notes, grades } = await grade([`${prefix}r1.json`, bad], [bad]).report;
  expect(notes.at(-1)).toEqual({
    code: 'not-read',
    unread: [{ code: 'result', key: bad, reason: `${bad} is not what was written there` }],
  });
  expect(grades.tests).toHaveLength(1);
});

describe('devices that tell nothing of limits', () => {
  const at = '2026-11-22T12:10:00Z';
  const looked = [0, 60].map((seconds) => Date.parse(at) / 1000 + seconds);
  const none = { looked, exceeded: [] };
  const counters = (uptimeSeconds: number, reads: number) => ({
    uptimeSeconds,
    disk: {
      ...{ reads, readSectors: 0, readMs: 0, writes: 0, writeSectors: 0, writeMs: 0 },
      ...{ inFlight: 0, busyMs: 0, queueMs: 0 },
    },
    ...{ ebs: null, ebsReason: 'nvme-cli is not there' },
  });
  const measured = (seconds: number) => {
    const result = aResult('r1', 16, 1_000, 2);
    const member = {
      ...{ volumeId: 'vol-1', device: 'nvme1n1' },
      ...{ before: counters(100, 0), after: counters(100 + seconds, 1_000) },
    };
    return { ...result, steps: result.steps.map((step) => ({ ...step, startedAt: at, members: [member] })) };
  };
  const graded = (seconds: number, readChecks: (cell: string, span: object) => Promise<ExceededChecks>) =>
    gradeCampaign(aCampaign(), [anEnd(cellId)], {
      ...{ list: async () => [`${prefix}r1.json`], readResult: async () => measured(seconds), readChecks },
      now: () => new Date('2026-11-22T13:00:00Z'),
    });

  test('CloudWatch is asked over the time of the steps', async () => {
    const asked: object[] = [];
    const { grades } = await graded(120, async (cell, span) => {
      asked.push({ cell, ...span });
      return {
        volumes: { 'vol-1': { iops: { looked, exceeded: looked }, throughput: none } },
        instance: { iops: none, throughput: none },
      };
    });
    expect(asked).toEqual([
      { cell: cellId, fromEpochSeconds: looked[0], toEpochSeconds: (looked[0] ?? 0) + 120 },
    ]);
    expect(grades.tests[0]).toMatchObject({ limit: 'volume-iops', limitReason: null });
  });

  test('it is not asked for less than a minute', async () => {
    const { notes, grades } = await graded(59, () => Promise.reject(new Error('it was asked')));
    expect(notes.map(({ code }) => code)).not.toContain('not-read');
    expect(grades.tests[0]?.limitReason).toEqual({
      code: 'device-silent',
      deviceSays: 'nvme-cli is not there',
    });
  });

  test('where it has not got the last minutes yet, there is no report yet', async () => {
    const early = new NotYet('CloudWatch has the metrics in 20 s');
    await expect(graded(120, () => Promise.reject(early))).rejects.toThrow(early);
  });

  test('where it cannot be asked the report says so', async () => {
    const { notes, cells } = await graded(120, () => Promise.reject(new Unreadable('cloudwatch is away')));
    expect(notes.at(-1)).toEqual({
      code: 'not-read',
      unread: [{ code: 'limits', cellId, reason: 'cloudwatch is away' }],
    });
    expect(cells[0]?.status).toBe('measured');
  });
});

test('a campaign of which nothing came has a report that says so', async () => {
  const failure = { step: 'Launch its host', error: 'NoCapacity', message: 'full' };
  const { report } = grade([], [], [anEnd(cellId, { failure })]);
  expect(await report).toMatchObject({
    cells: [{ status: 'failed', failure }],
    grades: { tests: [] },
  });
});
