/** The two EBS buckets of an instance: replayed from means, against the simulator's second by second. */
import fc from 'fast-check';
import { type BalanceStart, instanceBuckets, instanceCredits } from '../../../core/credits/credits.ts';
import { CreditBucket } from '../../simulator/instance-run.ts';
import { uniformSource } from '../../simulator/random.ts';

/** A bucket of IOPS alone; the MiB/s do not burst. */
const figures = (baselineIops: number, maximumIops: number) => ({
  baselineIops,
  maximumIops,
  baselineMiBps: 100,
  maximumMiBps: 100,
});

const m5Large = { baselineIops: 3_600, maximumIops: 18_750, baselineMiBps: 77.5, maximumMiBps: 566.25 };

const minutesOf = (iops: readonly number[], mibps: readonly number[] = iops.map(() => 0)) => ({
  periodSeconds: 60,
  epochSeconds: Float64Array.from(iops, (_, i) => i * 60),
  iops: Float64Array.from(iops),
  mibps: Float64Array.from(mibps),
});

const full = { io: 100, bytes: 100 };

test('30 minutes at maximum empty each bucket, and not the other', () => {
  const rates = minutesOf(Array(40).fill(18_750), Array(40).fill(77.5));
  const { io, bytes } = instanceCredits(m5Large, rates, full);
  expect(io?.percent[14]).toBeCloseTo(50, 9); // 15 of 30 minutes
  expect(io?.percent[29]).toBeCloseTo(0, 9);
  expect(io?.percent[39]).toBe(0);
  expect(bytes?.percent[39]).toBe(100); // at its baseline
});

test('idle it earns its baseline: 15,150 x 1,800 / 3,600 = 7,575 s to be full again', () => {
  const { io } = instanceCredits(m5Large, minutesOf(Array(128).fill(0)), { io: 0, bytes: 100 });
  expect(io?.percent[0]).toBe(0); // the lowest of the minute is that of its start
  expect(io?.percent[126]).toBeCloseTo((126 * 60 * 100) / 7_575, 9); // 99.8
  expect(io?.percent[127]).toBe(100);
});

test('never slower than a full bucket in 24 h: 39,750 x 1,800 / 500 would take 39.75 h', () => {
  const day = minutesOf(Array(1_441).fill(0));
  const { io } = instanceCredits(figures(500, 40_250), day, { io: 0, bytes: 100 });
  expect(io?.percent[720]).toBeCloseTo(50, 9);
  expect(io?.percent[1_440]).toBeCloseTo(100, 9);
});

test('an instance whose maximum is its baseline has no bucket', () => {
  expect(instanceBuckets(figures(3_600, 3_600))).toEqual({ io: null, bytes: null });
  expect(instanceCredits(figures(3_600, 3_600), minutesOf([1, 2]), full)).toEqual({ io: null, bytes: null });
});

test('minutes without a figure neither spend nor earn', () => {
  const { io } = instanceCredits(m5Large, minutesOf([18_750, Number.NaN, Number.NaN, 18_750]), full);
  // 1 of 30 minutes each
  expect([...(io?.percent ?? [])].map((percent) => percent.toFixed(2))).toEqual([
    '96.67',
    '96.67',
    '96.67',
    '93.33',
  ]);
});

/** On and off by the second around a random rate, served as the bucket allows. */
function simulated(bucket: CreditBucket, minutes: number, seed: number) {
  const uniform = uniformSource(seed, 'instance');
  const iops: number[] = [];
  const lowest: number[] = [];
  let [until, demand, cycle, on] = [0, 0, 1, 1];
  for (let minute = 0; minute < minutes; minute++) {
    let [sum, low] = [0, bucket.percent()];
    for (let second = minute * 60; second < minute * 60 + 60; second++) {
      if (second >= until) {
        until = second + 60 * (1 + Math.floor(200 * uniform() ** 3));
        demand = uniform() < 0.3 ? 0 : 1.2 * bucket.maximum * uniform() ** (uniform() < 0.5 ? 1 : 0.1);
        cycle = uniform() < 0.4 ? 1 : 2 + Math.floor(600 * uniform());
        on = cycle === 1 ? 1 : 1 + Math.floor((cycle - 1) * uniform());
      }
      const offered = second % cycle < on ? demand * (0.9 + 0.2 * uniform()) : 0;
      const used = Math.min(offered, bucket.allowed());
      bucket.settle(used);
      sum += used;
      low = Math.min(low, bucket.percent());
    }
    iops.push(sum / 60);
    lowest.push(low);
  }
  return { iops, lowest };
}

const everyFive = <T>(values: readonly number[], combine: (five: number[]) => T): T[] =>
  Array.from({ length: values.length / 5 }, (_, i) => combine(values.slice(5 * i, 5 * i + 5)));

const limits = fc.record({
  baseline: fc.integer({ min: 1_000, max: 40_000 }),
  timesBaseline: fc.double({ min: 1.2, max: 49, noNaN: true }),
  seed: fc.integer({ min: 1 }),
});

test('two days of any load stay within 30 s of the maximum from minutes, within 150 s from five', () => {
  let emptied = 0;
  fc.assert(
    fc.property(limits, ({ baseline, timesBaseline, seed }) => {
      const bucket = new CreditBucket(baseline, baseline * timesBaseline);
      const { iops, lowest } = simulated(bucket, 2 * 1_440, seed);
      if (Math.min(...lowest) < 0.1) emptied++;
      const byMinute = instanceCredits(figures(baseline, bucket.maximum), minutesOf(iops), full).io?.percent;
      const five = everyFive(iops, (rates) => rates.reduce((sum, rate) => sum + rate, 0) / 5);
      const rates = {
        periodSeconds: 300,
        epochSeconds: Float64Array.from(five, (_, i) => i * 300),
        iops: Float64Array.from(five),
        mibps: new Float64Array(five.length),
      };
      const byFive = instanceCredits(figures(baseline, bucket.maximum), rates, full).io?.percent;
      const lowestOfFive = everyFive(lowest, (five) => Math.min(...five));
      const secondPoints = (bucket.maximum / bucket.capacity) * 100;
      const far = (replayed: Float64Array | undefined, truth: readonly number[]): number =>
        Math.max(...truth.map((percent, i) => Math.abs(percent - (replayed?.[i] ?? Number.NaN))));
      expect(far(byMinute, lowest)).toBeLessThan(30 * secondPoints);
      expect(far(byFive, lowestOfFive)).toBeLessThan(150 * secondPoints);
    }),
    { seed: 30, numRuns: 60 },
  );
  expect(emptied).toBeGreaterThan(20);
});

describe('against what was published in five-minute minima', () => {
  const published = (values: readonly number[], startEpochSeconds = 0): BalanceStart => ({
    periodSeconds: 300,
    epochSeconds: Float64Array.from(values, (_, i) => startEpochSeconds + i * 300),
    values: Float64Array.from(values),
  });

  test('the replay starts so that its first five minutes come as low as the first point', () => {
    // 3.33 points a minute at maximum: 5 minutes from 80 % come to 63.33 %
    const io = published([63.333, 46.667]);
    const found = instanceCredits(m5Large, minutesOf(Array(10).fill(18_750)), { io, bytes: 100 }).io;
    expect(found?.percent[0]).toBeCloseTo(76.67, 2);
    expect(found?.percent[9]).toBeCloseTo(46.67, 2);
    expect(found?.deviation).toEqual({ medianPoints: 0, largestPoints: 0, comparedPoints: 2 });
  });

  test('a bucket that falls without load that explains it is reported: 0, 10 and 20 points', () => {
    const io = published([90, 80, 70]);
    const atBaseline = minutesOf(Array(15).fill(3_600));
    const found = instanceCredits(m5Large, atBaseline, { io, bytes: 100 }).io;
    expect(found?.deviation).toEqual({ medianPoints: 10, largestPoints: 20, comparedPoints: 3 });
  });

  test('points that the load does not cover whole are not compared', () => {
    const io = published([90, 80, 70], -120); // the first begins before the load, the last ends after it
    const found = instanceCredits(m5Large, minutesOf(Array(12).fill(3_600)), { io, bytes: 100 }).io;
    expect(found?.deviation?.comparedPoints).toBe(1);
    const none = instanceCredits(m5Large, minutesOf([3_600, 3_600]), { io, bytes: 100 }).io;
    expect(none?.deviation).toBeNull();
    expect(none?.percent[1]).toBe(100); // from a full bucket
  });

  test('the simulator itself agrees to within a few points', () => {
    const bucket = new CreditBucket(m5Large.baselineIops, m5Large.maximumIops);
    const { iops, lowest } = simulated(bucket, 1_440, 99);
    const io = published(everyFive(lowest, (five) => Math.min(...five)));
    const { deviation } = instanceCredits(m5Large, minutesOf(iops), { io, bytes: 100 }).io ?? {};
    expect(deviation?.comparedPoints).toBe(288);
    expect(deviation?.largestPoints).toBeLessThan(2.1); // 30 x 18,750 / (15,150 x 1,800)
  });
});
