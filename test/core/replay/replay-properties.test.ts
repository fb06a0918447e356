/** What holds for every load and every configuration. */
import fc from 'fast-check';
import { creditBucket, creditsAfter } from '../../../core/credits/credits.ts';
import { causeCode, causes } from '../../../core/diagnosis/causes.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import {
  type CreditedRate,
  type ReplayConfiguration,
  replayConfiguration,
} from '../../../core/replay/configuration.ts';
import {
  minutesByPeriod,
  type ReplaySeries,
  replay,
  replayColumns,
  throttledAndBurstMinutes,
  throttledMinutesOf,
} from '../../../core/replay/replay.ts';
import { configurations, loads, type Minute, minutes, seriesOf } from './any-replay.ts';
import { gp2 } from './loads.ts';
import { slowReplay } from './slow-replay.ts';

const nearestRank = (values: readonly number[], share: number): number =>
  values.length === 0
    ? 0
    : (values.toSorted((a, b) => a - b)[Math.ceil(share * values.length - 1e-9) - 1] as number);

const seed = 20_261_121;
const near = (actual: number, expected: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(expected)));

test('it is what the slow and obvious replay is, period by period and in sum', () => {
  fc.assert(
    fc.property(loads, configurations, (series, configuration) => {
      const slow = slowReplay(series, configuration);
      const columns = replayColumns(series, configuration);
      expect(Array.from(columns.cause, (code) => causes[code])).toEqual(
        slow.periods.map(({ cause }) => cause),
      );
      for (const [i, { served, backlog }] of slow.periods.entries()) {
        near(columns.backlog[i] as number, backlog);
        if (Number.isNaN(served)) expect(columns.served[i]).toBeNaN();
        else near((columns.served[i] as number) * series.periodSeconds, served);
      }
      const result = replay(series, configuration);
      const held = slow.periods.filter(({ cause }) => cause !== 'none' && cause !== 'unknown');
      const delays = slow.periods.filter(({ hasLoad }) => hasLoad).map(({ delaySeconds }) => delaySeconds);
      near(result.throttledMinutes, (held.length * series.periodSeconds) / 60);
      near(result.backlogSecondsMax, Math.max(0, ...delays));
      near(result.backlogSecondsP95, nearestRank(delays, 0.95));
      near(result.unservedShare, slow.askedIo === 0 ? 0 : slow.lateIo / slow.askedIo);
      near(
        result.lowestCreditPercent ?? -1,
        Math.min(...slow.lowestPercent, slow.lowestPercent.length ? 100 : -1),
      );
      near(throttledMinutesOf(series, configuration), result.throttledMinutes);
    }),
    { seed, numRuns: 2_000 },
  );
});

test('throttled minutes by period are those of all periods together', () => {
  fc.assert(
    fc.property(loads, configurations, (series, configuration) => {
      const byPeriod = minutesByPeriod(series, configuration);
      expect(byPeriod).toHaveLength(series.iops.length);
      near(
        byPeriod.reduce((sum, minutes) => sum + minutes, 0),
        throttledAndBurstMinutes(series, configuration),
      );
    }),
    { seed, numRuns: 500 },
  );
});

test('what is served and what still waits is what was asked', () => {
  fc.assert(
    fc.property(loads, configurations, (series, configuration) => {
      const { served, backlog, cause } = replayColumns(series, configuration);
      let asked = 0;
      let done = 0;
      for (const [i, code] of cause.entries()) {
        if (code === causeCode.unknown) continue;
        asked += (series.iops[i] as number) * series.periodSeconds;
        done += (served[i] as number) * series.periodSeconds;
      }
      near(done + (backlog.at(-1) as number), asked);
      near(replay(series, configuration).backlogIoAtEnd, backlog.at(-1) as number);
    }),
    { seed, numRuns: 500 },
  );
});

/** Each limit so many times as high: the volume's I/O and MiB, the instance's. */
const raised = (
  { counting, volumeIops, volumeMiBps, instance }: ReplayConfiguration,
  [io, mib, instanceIo, instanceMiB]: readonly [number, number, number, number],
): ReplayConfiguration => {
  const by = (rate: CreditedRate, factor: number): CreditedRate => ({
    ...rate,
    baselinePerSecond: rate.baselinePerSecond * factor,
    burstPerSecond: rate.burstPerSecond * factor,
  });
  return {
    counting,
    volumeIops: by(volumeIops, io),
    volumeMiBps: by(volumeMiBps, mib),
    instance: instance && { iops: by(instance.iops, instanceIo), mibps: by(instance.mibps, instanceMiB) },
  };
};

const factor = fc.constantFrom(1, 1.01, 1.3, 2);
const factors = fc.tuple(factor, factor, factor, factor);
const bucketsOf = ({ volumeIops, volumeMiBps, instance }: ReplayConfiguration): number =>
  [volumeIops, volumeMiBps, instance?.iops, instance?.mibps].filter((rate) => (rate?.creditCapacity ?? 0) > 0)
    .length;

const alike = (of: readonly Minute[], periodSeconds = 60): ReplaySeries =>
  seriesOf(
    of.map((minute) => ({ ...minute, writes: 3 })),
    periodSeconds,
    false,
  );

test('without credits, more of any limit never throttles more, nor longer, whatever the mix', () => {
  const steady = configurations.filter((one) => bucketsOf(one) === 0);
  let throttled = 0;
  fc.assert(
    fc.property(loads, steady, factors, (series, configuration, by) => {
      const [less, more] = [replay(series, configuration), replay(series, raised(configuration, by))];
      throttled += less.throttledMinutes;
      expect(more.throttledMinutes).toBeLessThanOrEqual(less.throttledMinutes);
      expect(more.backlogSecondsMax).toBeLessThanOrEqual(less.backlogSecondsMax * (1 + 1e-9));
    }),
    { seed, numRuns: 2_000 },
  );
  expect(throttled).toBeGreaterThan(1_000);
});

// A bucket that is spent sooner has served sooner. It holds for I/O of one size: else what waits is another mix, which
// can ask for more of what is dry. Nor does it hold for the delay, which is reported in seconds of the capacity in force:
// a bucket that is dry sooner leaves less of that.
test('with credits too, for I/O of one size', () => {
  const credited = configurations.filter((one) => bucketsOf(one) > 0);
  let throttled = 0;
  fc.assert(
    fc.property(minutes(fc.constant(16)), credited, factors, (of, configuration, by) => {
      const series = alike(of);
      const [less, more] = [replay(series, configuration), replay(series, raised(configuration, by))];
      throttled += less.throttledMinutes;
      expect(more.throttledMinutes).toBeLessThanOrEqual(less.throttledMinutes);
      expect(more.backlogIoAtEnd).toBeLessThanOrEqual(less.backlogIoAtEnd * (1 + 1e-9));
    }),
    { seed, numRuns: 2_000 },
  );
  expect(throttled).toBeGreaterThan(1_000);
});

test('a minute is throttled where any of its seconds is, and leaves the same backlog', () => {
  // Of one I/O size, so that what waits is no mix; without credits, which a minute knows at its start alone.
  const steady = configurations.filter((one) => bucketsOf(one) === 0);
  fc.assert(
    fc.property(minutes(fc.constant(32)), steady, (of, configuration) => {
      const byMinute = replayColumns(alike(of), configuration);
      const seconds = of.flatMap((minute) => Array<Minute>(60).fill(minute));
      const bySecond = replayColumns(alike(seconds, 1), configuration);
      for (const [i, cause] of byMinute.cause.entries()) {
        const [from, to] = [i * 60, (i + 1) * 60];
        expect(cause).toBe(bySecond.cause[from]);
        const isHeld = bySecond.cause.slice(from, to).some((code) => code !== causeCode.none);
        expect(cause !== causeCode.none).toBe(isHeld);
        near(byMinute.backlog[i] as number, bySecond.backlog[to - 1] as number);
      }
    }),
    { seed, numRuns: 300 },
  );
});

test('the credits of a gp2 are what creditsAfter makes of the rates that were served', () => {
  const gibs = fc.integer({ min: 1, max: 999 });
  fc.assert(
    fc.property(minutes(fc.constant(16)), gibs, fc.integer({ min: 0, max: 100 }), (of, sizeGiB, volume) => {
      const bucket = creditBucket(volumeLimits({ volumeType: 'gp2', sizeGiB, deployment: 'region' }));
      if (bucket === null) throw new Error('a gp2 below 1,000 GiB has a bucket');
      const configuration = replayConfiguration(gp2(sizeGiB), { startPercent: { volume } });
      const series = alike(of);
      let credits = (bucket.capacity * volume) / 100;
      let lowest = credits;
      for (const rate of replayColumns(series, configuration).served) {
        if (Number.isNaN(rate)) continue;
        credits = creditsAfter(bucket, credits, rate, 60);
        lowest = Math.min(lowest, credits);
      }
      near(replay(series, configuration).lowestCredits.volume as number, (100 * lowest) / bucket.capacity);
    }),
    { seed, numRuns: 500 },
  );
});
