/** The demand where something throttled: minutes, I/O of a millisecond, a limit of 3,000 IOPS. */

import fc from 'fast-check';
import { type Demand, demandOf, highestDemand, onLine } from '../../../core/demand/demand.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { calmWorkers, type Period, throttledLoad, times } from './periods.ts';

const demandIn = (periods: readonly Period[], periodSeconds = 60): Demand => {
  const { load, attribution } = throttledLoad(periods, periodSeconds);
  return demandOf(load, attribution, defaultThresholds);
};
const lastOf = ({ lowIops, highIops }: Demand): { low: number; high: number } => ({
  low: Math.round(lowIops.at(-1) as number),
  high: Math.round(highIops.at(-1) as number),
});
const calm: Period = { iops: 1_000, latencyMs: 1, queue: 1 };
/** In flight or waiting while 3,000 are served; each I/O takes queue / 3,000 seconds. */
const atLimit = (queue: number, rest: Partial<Period> = {}): Period => ({
  iops: 3_000,
  queue,
  latencyMs: queue / 3,
  cause: 'volume-iops',
  ...rest,
});

/** The middle of its size class. */
const aboutKiB = (kib: number): unknown => expect.closeTo(kib, 0);

type Line = Parameters<typeof onLine>[2];
const iopsOn = ({ lowIops, highIops }: Demand, line: Line, i: number): number =>
  onLine(lowIops.at(i) as number, highIops.at(i) as number, line);
const mibpsOn = ({ lowMiBps, highMiBps }: Demand, line: Line, i: number): number =>
  onLine(lowMiBps.at(i) as number, highMiBps.at(i) as number, line);

describe('where nothing was throttled', () => {
  const { load, attribution } = throttledLoad(times(30, calm));
  const demand = demandOf(load, attribution, defaultThresholds);

  test('the demand is the load itself, not a copy of it', () => {
    expect(demand.lowIops).toBe(load.iops);
    expect(demand.highIops).toBe(load.iops);
    expect(demand.lowMiBps).toBe(load.mibps);
    expect(demand.highMiBps).toBe(load.mibps);
    expect(demand.assumptions).toEqual([]);
  });

  test.each(['low', 'likely', 'high'] as const)('and so is its %s line', (line) => {
    expect(load.iops.map((_, i) => iopsOn(demand, line, i))).toEqual(load.iops);
    expect(load.mibps.map((_, i) => mibpsOn(demand, line, i))).toEqual(load.mibps);
  });

  test('minutes beside throttled ones stay what they were', () => {
    const { lowIops, highIops } = demandIn([...times(20, calm), atLimit(12), ...times(5, calm)]);
    expect([...lowIops.subarray(0, 20), ...lowIops.subarray(21)]).toEqual(Array(25).fill(1_000));
    expect([...highIops.subarray(0, 20), ...highIops.subarray(21)]).toEqual(Array(25).fill(1_000));
  });
});

describe('workers that wait for their replies', () => {
  test('and never think want what their queue drives: 12 of them 12 / 1 ms', () => {
    // In calm minutes 10 % more latency is 10 % less rate: at least 98.5 % of the cycle is I/O, so 0.015 ms are thought.
    const demand = demandIn([...calmWorkers(40, 2, 0), atLimit(12)]);
    expect(lastOf(demand)).toEqual({
      low: 11_308, // (12 + 3,000 x 0.0000152) / (0.00105 + 0.0000152)
      high: 12_632, // 12 / 0.00095
    });
    expect(demand.assumptions).toEqual([
      {
        ...{ code: 'service-time', ioKiB: aboutKiB(16), isMeasured: true },
        ...{ lowMs: expect.closeTo(0.95, 2), highMs: expect.closeTo(1.05, 2) },
      },
      {
        ...{ code: 'think-time', calmSteps: 37, limitFalls: 0 },
        ...{ lowMs: expect.closeTo(0, 2), highMs: expect.closeTo(0.02, 2) },
      },
    ]);
  });

  test('and think 4 ms want less: 40 of them 40 / 5 ms = 8,000', () => {
    // 10 % more latency is 2 % less rate: 0.2 of the cycle, known to 0.015, is I/O; 1 x 0.785 / 0.215 to 0.815 / 0.185 ms.
    // Of 40 workers 3,000 x 0.004 = 12 think, 28 wait.
    const demand = demandIn([...calmWorkers(40, 5, 4), atLimit(28)]);
    expect(lastOf(demand)).toEqual({
      low: 7_556, // (28 + 3,000 x 0.004405) / (0.00105 + 0.004405)
      high: 8_466, // (28 + 3,000 x 0.003651) / (0.00095 + 0.003651)
    });
  });

  test('show how long they think where their limit falls: 8 more wait where 2,000 less are served', () => {
    // 20 workers of 1 + 4 ms reach 4,000; of 2,000 served a second 8 think and 12 wait: (12 - 4) / (4,000 - 2,000) = 4 ms.
    // Workers that change by 15 % (nothing tells how much they do) make it 4 +- 1.3 x 0.15 x 20 / 2,000 = 2.05 to 5.95.
    const demand = demandIn([
      ...times(12, { iops: 4_000, queue: 4, latencyMs: 1 }),
      ...times(6, { iops: 2_000, queue: 12, latencyMs: 6, cause: 'volume-credits' }),
    ]);
    expect(lastOf(demand)).toEqual({
      low: 3_439, // (12 + 2,000 x 0.00595) / (0.001 + 0.00595)
      high: 5_279, // (12 + 2,000 x 0.00205) / (0.001 + 0.00205)
    });
    expect(demand.assumptions[1]).toEqual({
      ...{ code: 'think-time', calmSteps: 0, limitFalls: 1 },
      ...{ lowMs: expect.closeTo(2.05, 2), highMs: expect.closeTo(5.95, 2) },
    });
  });

  test('want between what was served and what their queue drives where nothing tells how long they think', () => {
    const demand = demandIn([...times(20, calm), atLimit(12)]);
    expect(lastOf(demand)).toEqual({ low: 3_000, high: 12_000 });
    expect(demand.assumptions[1]).toMatchObject({ code: 'think-time', lowMs: 0, highMs: null });
  });

  test('are reported from an open load, whose rate does not ask how long I/O take', () => {
    const indifferent = Array.from({ length: 40 }, (_, i) => ({
      ...calm,
      latencyMs: i % 2 === 0 ? 0.95 : 1.05,
    }));
    const demand = demandIn([...indifferent, atLimit(12), atLimit(12)]);
    // At most 0.015 of a cycle is I/O: 1 x 0.985 / 0.015 = 65.67 ms of thinking at least.
    expect(lastOf(demand)).toEqual({ low: 3_000, high: 3_137 }); // (12 + 3,000 x 0.06567) / (0.00095 + 0.06567)
    expect(demand.assumptions[1]).toMatchObject({
      ...{ code: 'think-time', lowMs: expect.closeTo(65.67, 2), highMs: null },
    });
  });

  test('without ten calm minutes with I/O of like size an I/O takes what is usual: 0.25 ms to twice 1 + 10 x 1/64', () => {
    const demand = demandIn([...times(9, calm), ...times(20, { ...calm, ioKiB: 256 }), atLimit(12)]);
    expect(lastOf(demand)).toEqual({ low: 3_000, high: 48_000 });
    expect(demand.assumptions[0]).toEqual({
      ...{ code: 'service-time', ioKiB: aboutKiB(16), isMeasured: false },
      ...{ lowMs: expect.closeTo(0.25, 1), highMs: expect.closeTo(2.31, 2) },
    });
  });

  test('wait by Little where there is a latency and no queue, or a queue and no latency', () => {
    const both = demandIn([...calmWorkers(40, 5, 4), atLimit(28)]);
    const without = (name: 'queue' | 'latencyMs'): Demand =>
      demandIn([...calmWorkers(40, 5, 4), atLimit(28)].map(({ [name]: _, ...rest }) => rest));
    expect(lastOf(without('queue'))).toEqual(lastOf(both));
    expect(lastOf(without('latencyMs'))).toEqual(lastOf(both));
  });

  test('want as many MiB as their I/O have: 64 KiB each', () => {
    const { lowMiBps, highMiBps } = demandIn([
      ...times(20, { ...calm, ioKiB: 64 }),
      atLimit(12, { ioKiB: 64 }),
    ]);
    expect(lowMiBps.at(-1)).toBeCloseTo(187.5, 1); // 3,000 / 16
    expect(highMiBps.at(-1)).toBeCloseTo(750, 1); // 12,000 / 16
  });

  test('wait on average over a period that was throttled in part: what they want is an average too', () => {
    // Two of five minutes: 12 in flight at 3,000, else 2 at 2,000. On average 6 at 2,400: 6 / 1 ms = (2 x 12 + 3 x 2) / 5 ms.
    const demand = demandIn(
      [...times(20, calm), { iops: 2_400, queue: 6, latencyMs: 2.5, cause: 'volume-iops' }],
      300,
    );
    expect(lastOf(demand)).toEqual({ low: 2_400, high: 6_000 });
  });
});

describe('where no more can be known', () => {
  const burst = (rest: Partial<Period> = {}): Period => ({
    iops: 300,
    queue: 20,
    latencyMs: 67,
    cause: 'volume-iops',
    isMicroBurst: true,
    activeTimeIops: 2_900,
    ...rest,
  });

  test('a burst of seconds was done within its minute: its average is the demand', () => {
    const demand = demandIn([
      ...times(20, { ...calm, queue: 20 }),
      burst(),
      ...times(5, { ...calm, queue: 20 }),
    ]);
    expect([demand.lowIops[20], demand.highIops[20]]).toEqual([300, 300]);
    expect(demand.assumptions).toEqual([{ code: 'short-bursts', periods: 1, throttledPeriods: 1 }]);
  });

  test.each([
    ['at the edge of an episode', [burst(), atLimit(12)], 20],
    ['with hardly any idle time', [burst({ activeTimeIops: 300 })], 20],
  ])('a burst %s is a part of it: 20 / 1 ms', (_, minutes, at) => {
    expect(demandIn([...times(20, calm), ...minutes]).highIops[at]).toBeGreaterThan(19_000);
  });

  test('while the volume completes nothing, at least what was served: no upper bound', () => {
    const stalled: Period = { iops: 0, queue: 40, cause: 'stalled' };
    const demand = demandIn([...times(20, { ...calm, queue: 40 }), stalled, { ...calm, queue: 40 }]);
    expect([demand.lowIops[20], demand.highIops[20], demand.lowMiBps[20]]).toEqual([0, Number.NaN, 0]);
    expect(demand.assumptions).toEqual([{ code: 'stalled', periods: 1, throttledPeriods: 1 }]);
  });

  test('with neither queue nor latency the high bound is unknown, and both series say at least', () => {
    const demand = demandIn([...times(20, { iops: 1_000 }), { iops: 3_000, cause: 'volume-iops' }]);
    expect([demand.lowIops.at(-1), demand.highIops.at(-1)]).toEqual([3_000, Number.NaN]);
    expect(demand.assumptions).toEqual([{ code: 'no-queue-no-latency', periods: 1, throttledPeriods: 1 }]);
    expect(iopsOn(demand, 'likely', -1)).toBe(3_000);
    expect(iopsOn(demand, 'high', -1)).toBe(3_000);
  });

  test('an unknown load stays unknown, also where a check says that it was throttled', () => {
    const { lowIops, highIops } = demandIn([...times(20, calm), { iops: Number.NaN, cause: 'volume-iops' }]);
    expect([lowIops.at(-1), highIops.at(-1)]).toEqual([Number.NaN, Number.NaN]);
  });
});

test('a line goes through the geometric middle of the intervals: 3,000 to 12,000 is 6,000', () => {
  const demand = demandIn([...times(20, calm), atLimit(12), atLimit(12)]);
  expect(iopsOn(demand, 'likely', 0)).toBe(1_000);
  expect(iopsOn(demand, 'likely', -1)).toBe(6_000);
  expect(mibpsOn(demand, 'likely', -1)).toBe(93.75);
  expect(iopsOn(demand, 'low', -1)).toBe(3_000);
  expect(iopsOn(demand, 'high', -1)).toBe(12_000);
});

const anyPeriod: fc.Arbitrary<Period> = fc.record(
  {
    iops: fc.constantFrom(0, 1, 100, 1_000, 3_000, Number.NaN),
    ioKiB: fc.constantFrom(4, 16, 300),
    latencyMs: fc.constantFrom(0, 0.5, 1, 20, Number.NaN),
    queue: fc.constantFrom(0, 0.1, 30, 100_000, Number.NaN),
    cause: fc.constantFrom('volume-iops', 'instance-credits', 'stalled'),
    isMicroBurst: fc.boolean(),
    activeTimeIops: fc.constantFrom(1, 3_000),
  },
  { requiredKeys: ['iops'] },
);

test('whatever comes, low is not above high, neither is negative, and what was not throttled is left alone', () => {
  fc.assert(
    fc.property(fc.array(anyPeriod, { minLength: 1, maxLength: 60 }), (periods) => {
      const { lowIops, highIops } = demandIn(periods);
      periods.forEach(({ iops, cause }, i) => {
        const [low, high] = [lowIops[i] as number, highIops[i] as number];
        if (cause === undefined || Number.isNaN(iops)) expect([low, high]).toEqual([iops, iops]);
        else {
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high < low).toBe(false);
        }
      });
    }),
  );
});

describe('the highest demand of a load', () => {
  const rates = (...values: number[]): Float64Array => Float64Array.from(values);
  const demandOver = (lowIops: Float64Array, highIops: Float64Array): Demand => ({
    ...{ lowIops, highIops, lowMiBps: lowIops, highMiBps: highIops, assumptions: [] },
  });

  test.each([
    ['1.6 times as much is near enough', [1_000, 3_000], [1_000, 4_800], 4_800, false],
    ['more than that is not known', [1_000, 3_000], [1_000, 4_801], null, true],
    ['nothing bounds it', [3_000], [Number.NaN], null, false],
    ['what bounds it is of another time', [1_000, 3_000], [1_000, Number.NaN], null, true],
  ] as const)('%s', (_, low, high, atMost, isWide) => {
    const demand = demandOver(rates(...low), rates(...high));
    expect(highestDemand(demand, 'IOPS')).toEqual({ atLeast: Math.max(...low), atMost, isWide });
  });
});

test('calm minutes tell the service time where they are one for a hundred throttled ones: rarer ones are chosen by chance', () => {
  const isMeasured = (throttled: number): unknown =>
    demandIn([...times(12, calm), ...times(throttled, atLimit(12))]).assumptions[0];
  expect(isMeasured(1_200)).toMatchObject({ code: 'service-time', isMeasured: true });
  expect(isMeasured(1_201)).toMatchObject({ code: 'service-time', isMeasured: false });
});
