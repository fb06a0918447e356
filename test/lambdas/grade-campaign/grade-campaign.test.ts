/** The report, from what hosts wrote: whatever of it there is. */
import { Unreadable } from '../../../core/errors.ts';
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
  expect(notes.at(-1)).toBe(`results that could not be read: ${bad}: ${bad} is not what was written there`);
  expect(grades.tests).toHaveLength(1);
});

test('a campaign of which nothing came has a report that says so', async () => {
  const { report } = grade([], [], [anEnd(cellId, { failure: 'Launch its host: NoCapacity: full' })]);
  expect(await report).toMatchObject({
    cells: [{ status: 'failed', failure: 'Launch its host: NoCapacity: full' }],
    grades: { tests: [] },
  });
});
