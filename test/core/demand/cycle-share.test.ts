/** How much of a worker's cycle is I/O: from how the rate follows the latency. */
import { CalmPeriods, cycleShare, sizeClassOf } from '../../../core/demand/cycle-times.ts';
import { uniformSource } from '../../simulator/random.ts';
import { calmWorkers, type Period, throttledLoad, times } from './periods.ts';

const of16KiB = sizeClassOf(1 / 64);
const shareIn = (periods: readonly Period[]): ReturnType<typeof cycleShare> => {
  const { load, attribution } = throttledLoad(periods);
  return cycleShare(new CalmPeriods(load, attribution.cause), of16KiB);
};

test.each([
  [0, { low: 0.985, high: 1 }], // 1 / (1 + 0), known to 0.015
  [1, { low: 0.485, high: 0.515 }], // 1 / (1 + 1)
  [4, { low: 0.185, high: 0.215 }],
  [99, { low: 0, high: 0.025 }],
])('of workers that think %d ms beside I/O of 1 ms', (thinkMs, share) => {
  const found = shareIn(calmWorkers(40, 5, thinkMs));
  expect(found?.low).toBeCloseTo(share.low, 3);
  expect(found?.high).toBeCloseTo(share.high, 3);
});

/** Workers of 1 + 1 ms whose number changes by up to 10 % from minute to minute, and doubles now and then. */
function busyDay(seed: number): Period[] {
  const uniform = uniformSource(seed, 'busy day');
  return Array.from({ length: 1_000 }, (_, i) => {
    const latencyMs = 0.95 + 0.1 * uniform();
    const workers = (i % 97 < 20 ? 20 : 10) * (0.9 + 0.2 * uniform());
    return { iops: workers / ((latencyMs + 1) / 1_000), latencyMs };
  });
}

test('is found in a load that has a life of its own, four times in five at least', () => {
  const days = Array.from({ length: 40 }, (_, seed) => shareIn(busyDay(seed)));
  const right = days.filter((found) => found !== null && found.low <= 0.5 && found.high >= 0.5);
  expect(right.length).toBeGreaterThanOrEqual(32);
  for (const found of days) expect((found?.high ?? 1) - (found?.low ?? 0)).toBeLessThan(0.4);
});

describe('is not reported', () => {
  test.each([
    ['by fewer than 20 steps', calmWorkers(22, 5, 1)], // three minutes before the first
    ['by a latency that never changes', times(40, { iops: 1_000, latencyMs: 1 })],
    ['by I/O of another size', calmWorkers(40, 5, 1).map((period) => ({ ...period, ioKiB: 64 }))],
    [
      'by minutes next to throttled ones',
      Array.from({ length: 40 }, () => [
        ...calmWorkers(3, 5, 1),
        { iops: 3_000, latencyMs: 4, cause: 'volume-iops' } as const,
      ]).flat(),
    ],
    ['by minutes with hardly any I/O', calmWorkers(40, 0.0004, 1)], // 0.2 a second are 12 a minute
    [
      'by minutes whose I/O change in size by a tenth',
      calmWorkers(40, 5, 1).map((period, i) => ({ ...period, ioKiB: i % 2 === 0 ? 15 : 16.5 })),
    ],
  ])('%s', (_, periods) => {
    expect(shareIn(periods)).toBeNull();
  });

  test('across a gap', () => {
    const { load, attribution } = throttledLoad(calmWorkers(40, 5, 1));
    for (let i = 20; i < 40; i++) load.epochSeconds[i] = 60 * (i + 1);
    // 17 steps before the gap, 17 after it: 34, where 37 were without.
    const { rateStep } = new CalmPeriods(load, attribution.cause);
    expect(rateStep.filter((step) => !Number.isNaN(step))).toHaveLength(34);
  });
});
