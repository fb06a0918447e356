/** The search against layouts whose answer is known: a closed loop of users before a limit on operations a second. */
import fc from 'fast-check';
import {
  defaultLimits,
  type Found,
  type Goal,
  goalOf,
  nextOf,
  type Probe,
} from '../../../core/benchmark/search.ts';

interface Layout {
  limitIops: number;
  /** Of an operation that nothing waits for. */
  serviceMs: number;
  /** The percentile against the mean. */
  spread: number;
}

/** Little's law: N users before a limit wait N / limit; below it, as long as an operation takes. */
function measured({ limitIops, serviceMs, spread }: Layout, users: number, noise: number): Probe {
  const iops = Math.min((users * 1_000) / serviceMs, limitIops);
  return { users, iops: iops * (1 + noise / 4), latencyMs: ((users * 1_000) / iops) * spread * (1 + noise) };
}

/** The most that any number of users has below the limit. */
function best(layout: Layout, { limitMs }: Goal): number {
  let most = 0;
  for (let users = 1; users <= defaultLimits.maxUsers; users++) {
    const { iops, latencyMs } = measured(layout, users, 0);
    if (latencyMs < limitMs) most = Math.max(most, iops);
  }
  return most;
}

function search(
  layout: Layout,
  goal: Goal,
  noiseOf: () => number = () => 0,
): { found: Found; probes: Probe[] } {
  const probes: Probe[] = [];
  for (;;) {
    const next = nextOf(probes, goal);
    if ('found' in next) return { found: next.found, probes };
    if (probes.length >= defaultLimits.maxProbes) throw new Error('it does not end');
    probes.push(measured(layout, next.measure, noiseOf()));
  }
}

const goal: Goal = { percentile: 'p95', limitMs: 20 };

test('five members of 1,600: all 8,000 IOPS below 20 ms, in few runs', () => {
  const { found, probes } = search({ limitIops: 8_000, serviceMs: 1, spread: 1.2 }, goal);
  expect(found.outcome).toBe('kept');
  expect(found.iops.mean).toBeCloseTo(8_000, 6);
  expect(found.latencyMs.mean).toBeLessThan(20);
  expect(probes.length).toBeLessThanOrEqual(6);
});

test('a limit that is met below the rate of the layout: where they wait for each other', () => {
  // 0.5 ms each: 40 users alone would do 80,000; the goal is kept up to 0.9 ms x 8,000 / 1.2 = 6 users.
  const layout = { limitIops: 8_000, serviceMs: 0.5, spread: 1.2 };
  const { found } = search(layout, { percentile: 'p95', limitMs: 0.7 });
  expect(found.outcome).toBe('kept');
  expect(found.iops.mean).toBeGreaterThanOrEqual(0.95 * best(layout, { percentile: 'p95', limitMs: 0.7 }));
});

test('what not even one alone keeps', () => {
  const { found } = search({ limitIops: 100, serviceMs: 30, spread: 1.1 }, goal);
  expect(found).toMatchObject({ outcome: 'never', users: 1, reason: { code: 'not-even-one' } });
});

test('what is kept however many ask', () => {
  const { found } = search({ limitIops: 1e9, serviceMs: 1, spread: 1 }, goal);
  expect(found).toMatchObject({
    ...{ outcome: 'always', users: 1_024 },
    reason: { code: 'most-users', users: 1_024 },
  });
});

test('of the load that is found, the confidence of repeated runs', () => {
  const noise = [0.02, -0.02, 0, 0.03, -0.01];
  let turn = 0;
  const { found } = search(
    { limitIops: 8_000, serviceMs: 1, spread: 1.2 },
    goal,
    () => noise[turn++ % noise.length] as number,
  );
  expect(found.latencyMs.low).toBeLessThan(found.latencyMs.mean);
  expect(found.latencyMs.high).toBeGreaterThan(found.latencyMs.mean);
});

test('any layout, any noise of 3 %: within a tenth of the best, and it ends', () => {
  fc.assert(
    fc.property(
      fc.record({
        limitIops: fc.integer({ min: 200, max: 80_000 }),
        serviceMs: fc.double({ min: 0.2, max: 5, noNaN: true }),
        spread: fc.double({ min: 1, max: 3, noNaN: true }),
      }),
      fc.double({ min: 2, max: 50, noNaN: true }),
      fc.infiniteStream(fc.double({ min: -0.03, max: 0.03, noNaN: true })),
      (layout, limitMs, noise) => {
        const asked: Goal = { percentile: 'p95', limitMs };
        const { found, probes } = search(layout, asked, () => noise.next().value as number);
        expect(probes.length).toBeLessThanOrEqual(defaultLimits.maxProbes);
        const most = best(layout, asked);
        // Where nothing waits and it is still on the limit, noise decides whether it is kept.
        const isByNoise = measured(layout, 1, 0.031).latencyMs >= limitMs;
        if (found.outcome === 'never') expect(isByNoise).toBe(true);
        else if (!isByNoise) expect(found.iops.mean).toBeGreaterThan(0.9 * most);
      },
    ),
    { numRuns: 2_000 },
  );
});

test.each([
  ['max IOPS with p95 under 2 ms', { percentile: 'p95', limitMs: 2 }],
  ['MAX iops WITH p99 below 500 us', { percentile: 'p99', limitMs: 0.5 }],
  ['maximum IOPS with p50 < 1 s', { percentile: 'p50', limitMs: 1_000 }],
])('%s', (text, expected) => {
  expect(goalOf(text)).toEqual(expected);
});

test.each([
  '',
  'p95 under 2 ms',
  'max IOPS with p95 under 0 ms',
  'max IOPS with p96 under 2 ms',
  'max IOPS with p95 under 2',
])('"%s" is no goal', (text) => {
  expect(() => goalOf(text)).toThrow('give one like "max IOPS with p95 under 2 ms"');
});
