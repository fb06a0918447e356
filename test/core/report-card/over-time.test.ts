/** IOPS and latency over time, of logs. */
import fc from 'fast-check';
import {
  type JobLogs,
  mostPoints,
  type OverTime,
  overTimeOf,
  overTimeOfEach,
  overTimeSchema,
  parseFioLog,
} from '../../../core/report-card/over-time.ts';
import { separateLogs } from '../../fixtures/fio-logs.ts';
import { anyJobs, entriesOf, expectAlike } from '../../fixtures/job-logs.ts';

const nsPerMs = 1e6;
const ms = (...values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? null : value * nsPerMs));
function answerOf(jobs: readonly JobLogs[], averagedMs = 1000): OverTime {
  const found = overTimeOf(jobs, { averagedMs, unitsPerMs: nsPerMs });
  if (!found.known) throw new Error(found.reason.code);
  return overTimeSchema.parse(found.value);
}

test('IOPS of jobs add up; latency is their mean, each as often as it had operations', () => {
  const found = answerOf([
    { iops: entriesOf([300, 100]), latency: entriesOf(ms(2, 4)) },
    { iops: entriesOf([100, 300]), latency: entriesOf(ms(6, 4)) },
  ]);
  // (300 x 2 + 100 x 6) / 400 = 3
  expect(found).toEqual({ secondsPerPoint: 1, iops: [400, 400], latencyMs: [3, 4] });
});

test('reads and writes add up too', () => {
  const writes = { direction: 1 };
  const found = answerOf([
    {
      iops: [...entriesOf([90, 90]), ...entriesOf([10, 30], writes)],
      latency: [...entriesOf(ms(1, 1)), ...entriesOf(ms(11, 5), writes)],
    },
  ]);
  // (90 x 1 + 10 x 11) / 100 = 2; (90 x 1 + 30 x 5) / 120 = 2
  expect(found).toMatchObject({ iops: [100, 120], latencyMs: [2, 2] });
});

test('points are a second or more: four of 250 ms are one', () => {
  const quarter = { everyMs: 250 };
  const found = answerOf(
    [
      {
        // (100 + 200 + 300 + 400) / 4 = 250
        iops: entriesOf([100, 200, 300, 400, 80, 80, 80, 80], quarter),
        latency: entriesOf(ms(1, 1, 3, 3, 5, 5, 5, 5), quarter),
      },
    ],
    250,
  );
  expect(found).toEqual({ secondsPerPoint: 1, iops: [250, 80], latencyMs: [2, 5] });
});

test.each([
  { seconds: 700, secondsPerPoint: 1, points: 700 },
  // 701 / 2 = 350.5: the last one is shorter.
  { seconds: 701, secondsPerPoint: 2, points: 351 },
  // 86,400 / 700 = 123.4
  { seconds: 86_400, secondsPerPoint: 124, points: 697 },
])('$seconds s are $points points of $secondsPerPoint s', ({ seconds, secondsPerPoint, points }) => {
  const found = answerOf([
    {
      iops: entriesOf(Array<number>(seconds).fill(50)),
      latency: entriesOf(Array<number>(seconds).fill(7e6)),
    },
  ]);
  expect([found.secondsPerPoint, found.iops.length]).toEqual([secondsPerPoint, points]);
  expect(new Set([...found.iops, ...found.latencyMs])).toEqual(new Set([50, 7]));
});

test('a second in which nothing ended has no line: 0 IOPS, and no latency', () => {
  const found = answerOf([{ iops: entriesOf([50, null, 50]), latency: entriesOf(ms(1, null, 1)) }]);
  expect(found).toMatchObject({ iops: [50, 0, 50], latencyMs: [1, null, 1] });
});

test('operations ended, and how many is not there: not known', () => {
  const found = answerOf([{ iops: entriesOf([50, null, 50]), latency: entriesOf(ms(1, 9, 1)) }]);
  expect(found).toMatchObject({ iops: [50, null, 50], latencyMs: [1, null, 1] });
});

test('0 IOPS that fio wrote is a reading', () => {
  expect(answerOf([{ iops: entriesOf([50, 0, 50]), latency: [] }])).toMatchObject({
    iops: [50, 0, 50],
    latencyMs: [null, null, null],
  });
});

test('fio drifts: entries 1,050 ms apart leave no hole', () => {
  // 40 x 1.05 = 42 s, in which there are 40 entries.
  const found = answerOf([
    { iops: entriesOf(Array<number>(40).fill(50), { everyMs: 1050, fromMs: 0 }), latency: [] },
  ]);
  // The first has nothing before it: it is of 1,000 ms, and 41.95 s are 42 points.
  expect(found.iops).toEqual(Array<number>(42).fill(50));
});

test('the last point is left out where jobs had ended', () => {
  const jobs = [
    [50, 50],
    [50, 50, 50],
  ]
    .map((values) => entriesOf(values))
    .map((iops) => ({ iops, latency: [] }));
  expect(answerOf(jobs).iops).toEqual([100, 100]);
});

test('jobs that begin later, as since 1970: on one axis', () => {
  const began = 1_795_382_078_838;
  const found = answerOf([
    { iops: entriesOf([50, 50, 50], { fromMs: began }), latency: [] },
    { iops: entriesOf([7, 7], { fromMs: began + 1000 }), latency: [] },
  ]);
  expect(found.iops).toEqual([50, 57, 57]);
});

test('as fio 3.33 wrote it: two jobs of 60 reads and 20 writes a second', () => {
  const entries = (name: string) => parseFioLog(separateLogs[name] ?? '').entries;
  const found = answerOf(
    [1, 2].map((job) => ({
      iops: entries(`recorded_iops.${job}.log`),
      latency: entries(`recorded_clat.${job}.log`),
    })),
  );
  expect(found.iops).toHaveLength(5);
  // 2 x (60 + 20) = 160
  for (const second of found.iops) expect(Math.abs((second ?? 0) - 160)).toBeLessThan(4);
  // (61 x 0.552 + 20 x 0.613 + 60 x 0.590 + 21 x 1.053) / 162 = 0.639
  expect(found.latencyMs[0]).toBeCloseTo(0.639, 2);
});

test.each<[string, JobLogs[]]>([
  ['no logs', []],
  ['empty ones', [{ iops: [], latency: entriesOf([1e6]) }]],
])('%s: not known', (_, jobs) => {
  expect(overTimeOf(jobs, { averagedMs: 1000, unitsPerMs: nsPerMs })).toMatchObject({ known: false });
});

describe('a line for each operation', () => {
  const each = (...times: readonly number[]) => times.map((at) => ({ ms: at, value: 1, direction: 0 }));

  test('they are counted, and latency is a plain mean', () => {
    const latency = [3, 5, 1, 1, 7].map((value, index) => ({
      ms: [0, 400, 1100, 1300, 2000][index] ?? 0,
      value: value * nsPerMs,
      direction: 0,
    }));
    expect(
      overTimeOfEach({ iops: each(0, 400, 1100, 1300, 2000), latency }, { unitsPerMs: nsPerMs }),
    ).toEqual({
      known: true,
      // Of 2 s: 2 in the first; 3 in the second, with the one at its end: (1 + 1 + 7) / 3 = 3.
      value: { secondsPerPoint: 1, iops: [2, 3], latencyMs: [4, 3] },
    });
  });

  test('fio 2 counts microseconds', () => {
    const latency = each(0, 1000).map((entry) => ({ ...entry, value: 2500 }));
    expect(overTimeOfEach({ iops: each(0, 1000), latency }, { unitsPerMs: 1e3 })).toMatchObject({
      value: { latencyMs: [2.5] },
    });
  });

  test('in no time: not known', () => {
    expect(overTimeOfEach({ iops: each(5), latency: [] }, { unitsPerMs: nsPerMs })).toMatchObject({
      known: false,
    });
  });
});

describe('whatever jobs wrote', () => {
  test('it is of the schema, the order of jobs does not matter, and no latency is outside of theirs', () => {
    fc.assert(
      fc.property(anyJobs, (jobs) => {
        const found = answerOf(jobs);
        expectAlike(answerOf(jobs.toReversed()), found);
        const all = jobs.flatMap(({ latency }) => latency.map(({ value }) => value / nsPerMs));
        for (const value of found.latencyMs) {
          if (value === null) continue;
          expect(value).toBeGreaterThanOrEqual(Math.min(...all) - 1e-3);
          expect(value).toBeLessThanOrEqual(Math.max(...all) + 1e-3);
        }
      }),
    );
  });

  test('one that is as fast all the time is so at each point, however late its lines are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 999, max: 1100 }), { minLength: 2, maxLength: 900 }),
        fc.nat(100_000),
        (gaps, iops) => {
          let at = 0;
          const entries = gaps.map((gap) => {
            at += gap;
            return { ms: at, value: iops, direction: 0 };
          });
          const found = answerOf([{ iops: entries, latency: [] }]);
          expect(found.iops.length).toBeLessThanOrEqual(mostPoints);
          expect(new Set(found.iops)).toEqual(new Set([iops]));
        },
      ),
    );
  });
});
