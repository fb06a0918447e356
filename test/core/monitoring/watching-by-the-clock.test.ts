/** Monitoring by the clock, over simulated volumes whose truth is known: what it promises, whatever the load. */
import fc from 'fast-check';
import type { Volume } from '../../../core/inventory.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { expectedChecks } from '../../../core/load/metrics.ts';
import type { WatchedVolume } from '../../../tools/bench/monitoring-fleet.ts';
import { historyOf } from '../../../tools/bench/monitoring-minutes.ts';
import { type RunSettings, runMonitoring } from '../../../tools/bench/monitoring-run.ts';
import { scoreOf } from '../../../tools/bench/monitoring-score.ts';
import { truthOf } from '../../../tools/bench/monitoring-truth.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { uniformSource } from '../../simulator/random.ts';
import { aGp2 } from './watching.ts';

const day = 1_440;
const everyMinute: RunSettings = { everyMinutes: 1, metricsPerMonth: null, lastMinute: day };

/** Shares of the limit minute by minute; the last one goes on. */
function simulated(volume: Volume, shares: readonly number[], seed = 1): WatchedVolume {
  const { volumeType, sizeGiB, iops, throughputMiBps } = volume;
  const provisioned =
    volumeType === 'gp3' ? { iops: iops ?? undefined, throughputMiBps: throughputMiBps ?? undefined } : {};
  const limits = volumeLimits({
    volumeType: volumeType as 'gp3',
    sizeGiB,
    deployment: 'region',
    ...provisioned,
  });
  const uniform = uniformSource(seed, 'published');
  const demand = (minute: number) => {
    const share = shares[minute] ?? shares.at(-1) ?? 0;
    return { share, topSecondShare: share };
  };
  const history = historyOf(limits, volumeType.endsWith('1') ? 1_024 : 16, demand, uniform, { length: day });
  return { volume, group: 'test', checks: expectedChecks(volume), history };
}

async function watch(one: WatchedVolume, settings = everyMinute) {
  const run = await runMonitoring([one], settings);
  const notified = run.notified.get(one.volume.volumeId) ?? [];
  return {
    run,
    notified,
    score: scoreOf(truthOf(one, settings.everyMinutes * 60), notified, one.history.balance),
  };
}

const during = (from: number, minutes: number, share: number, quiet = 0.01): number[] => [
  ...Array.from({ length: from }, () => quiet),
  ...Array.from({ length: minutes }, () => share),
  quiet,
];

test('a full bucket of 33 GiB that is spent at full speed: warned of some twenty minutes before it is empty', async () => {
  // 5.4 M / (3,000 - 100) = 31 min; a fifth of it is spent after 6 min, seen 2 to 3 min later at the next poll but one.
  const { score } = await watch(simulated(aGp2(33), during(400, 120, 1.1)));
  expect(score).toMatchObject({ exhaustions: 1, couldBeWarned: 1, warned: 1, missed: 0 });
  expect((score.leads[0] as number) / 60).toBeGreaterThan(12);
});

test('whatever empties a bucket, whenever: nobody misses it, and who could be warned was', async () => {
  const volume = fc.oneof(
    fc.integer({ min: 33, max: 900 }).map((sizeGiB) => aGp2(sizeGiB)),
    fc
      .record({ volumeType: fc.constantFrom('st1', 'sc1'), sizeGiB: fc.integer({ min: 125, max: 4_000 }) })
      .map((one) => aVolume({ ...one, iops: null, throughputMiBps: null })),
  );
  const stretch = fc.record({
    minutes: fc.integer({ min: 1, max: 300 }),
    share: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0.05, max: 1.2, noNaN: true })),
  });
  const seen = { exhaustions: 0, couldBeWarned: 0 };
  await fc.assert(
    fc.asyncProperty(
      volume,
      fc.array(stretch, { minLength: 1, maxLength: 20 }),
      fc.nat(1_000),
      async (one, stretches, seed) => {
        const shares = stretches.flatMap(({ minutes, share }) =>
          Array.from({ length: minutes }, () => share),
        );
        const { score } = await watch(simulated(one, shares, seed));
        expect(score.missed).toBe(0);
        expect(score.warned).toBe(score.couldBeWarned);
        seen.exhaustions += score.exhaustions;
        seen.couldBeWarned += score.couldBeWarned;
      },
    ),
    { seed: 21, numRuns: 100 },
  );
  expect(seen.exhaustions).toBeGreaterThan(80);
  expect(seen.couldBeWarned).toBeGreaterThan(60);
});

test('near its limit for a while, then over it: told within five minutes of the first full minute', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 30, max: 900 }),
      fc.integer({ min: 30, max: 120 }),
      fc.nat(1_000),
      async (from, near, seed) => {
        const shares = [...during(from, near, 0.88, 0.1).slice(0, -1), ...during(0, 30, 1.2, 0.1)];
        const one = simulated(aVolume(), shares, seed);
        one.history.published.fill(90);
        const { score } = await watch(one);
        expect(score.delays).toHaveLength(1);
        expect(score.delays[0]).toBeLessThanOrEqual(300);
      },
    ),
    { seed: 4, numRuns: 40 },
  );
});

test('a quiet volume is asked for little more than its queue: on the first day every five minutes, as nothing is known of it', async () => {
  const { run, notified } = await watch(simulated(aVolume(), [0.05]));
  expect(notified).toEqual([]);
  // 288 queues, and some full polls.
  expect(run.metrics).toBeLessThan(1.1 * 288);
});

test('with a tick every five minutes it is polled once a tick at most', async () => {
  const { run } = await watch(simulated(aGp2(100), during(300, 400, 0.9)), {
    ...everyMinute,
    everyMinutes: 5,
  });
  expect(run.ticks).toBe(day / 5);
  expect(run.polls).toBeLessThan(2 * run.ticks);
  const { score } = await watch(simulated(aGp2(100), during(300, 400, 0.9)), {
    ...everyMinute,
    everyMinutes: 5,
  });
  expect(score).toMatchObject({ missed: 0, warned: 1 });
});

test('of a budget that is too small as much is spent as there is, and trouble comes first', async () => {
  const quiet = Array.from({ length: 40 }, (_, i) =>
    simulated(aVolume({ volumeId: `vol-quiet-${i}` }), [0.05], i),
  );
  const drained = simulated(aGp2(100, { volumeId: 'vol-drained' }), during(700, 300, 1));
  const metricsPerMonth = 30 * 1_500;
  const run = await runMonitoring([...quiet, drained], { ...everyMinute, metricsPerMonth });
  // A day's worth is there at first, and another comes in.
  expect(run.metrics).toBeGreaterThan(2_500);
  expect(run.metrics).toBeLessThanOrEqual(3_000);
  expect(run.longestWaitSeconds).toBeGreaterThan(300);
  const score = scoreOf(truthOf(drained, 60), run.notified.get('vol-drained') ?? [], drained.history.balance);
  expect(score).toMatchObject({ exhaustions: 1, warned: 1, missed: 0 });
});
