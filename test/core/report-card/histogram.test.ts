import { binsOf, modesOf, type Point } from '../../../core/report-card/latency.ts';

/** Operations around some latency: the middle, and a quarter more and less. */
const around = (ms: number, count: number): Point[] => [
  { ms: ms * 0.75, count: count / 4 },
  { ms, count: count / 2 },
  { ms: ms * 1.25, count: count / 4 },
];
const modes = (...heaps: readonly Point[][]) => modesOf(binsOf(heaps.flat().sort((a, b) => a.ms - b.ms)));

test('shares of bins are all of the operations, and none is outside its bin', () => {
  const bins = binsOf([...around(0.5, 400), ...around(20, 100)]);
  expect(bins.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  expect(bins[0]?.fromMs).toBeLessThanOrEqual(0.375);
  expect(bins.at(-1)?.toMs).toBeGreaterThan(25);
});

test('one heap is one mode', () => {
  const [only, ...others] = modes(around(4, 1_000));
  expect(others).toEqual([]);
  expect(only?.share).toBeCloseTo(1, 12);
  expect(only?.peakMs).toBeGreaterThan(3);
  expect(only?.peakMs).toBeLessThan(5);
});

test('60 % below 1 ms and 40 % above 10 ms are two modes, with their shares', () => {
  const found = modes(around(0.6, 600), around(14, 400));
  expect(found.map(({ share }) => Math.round(share * 100))).toEqual([60, 40]);
  expect(found[0]?.toMs).toBeLessThanOrEqual(1);
  expect(found[1]?.fromMs).toBeGreaterThanOrEqual(8);
  const [low, high] = found.map(({ peakMs }) => peakMs);
  expect(low).toBeGreaterThan(0.5);
  expect(low).toBeLessThan(0.75);
  expect(high).toBeGreaterThan(10);
  expect(high).toBeLessThan(20);
});

test('three modes are three', () => {
  expect(modes(around(0.3, 300), around(3, 300), around(30, 400))).toHaveLength(3);
});

test('fewer than one in twenty are a tail, not a mode', () => {
  expect(modes(around(1, 960), around(50, 40))).toHaveLength(1);
  expect(modes(around(1, 940), around(50, 60))).toHaveLength(2);
});

test('heaps that are not twice apart are one', () => {
  expect(modes(around(4, 500), around(6, 500))).toHaveLength(1);
});

test('a long slope is one mode', () => {
  const slope = Array.from({ length: 40 }, (_, index) => ({ ms: 1.1 ** index, count: 400 - 10 * index }));
  expect(modes(slope)).toHaveLength(1);
});

test("fio's own twenty bins tell modes too", () => {
  const found = modesOf([
    { fromMs: 0.25, toMs: 0.5, share: 0.55 },
    { fromMs: 0.5, toMs: 0.75, share: 0.04 },
    { fromMs: 0.75, toMs: 1, share: 0.01 },
    { fromMs: 10, toMs: 20, share: 0.37 },
    { fromMs: 20, toMs: 50, share: 0.03 },
  ]);
  expect(found.map(({ share }) => Math.round(share * 100))).toEqual([60, 40]);
});

test('of nothing there is no mode', () => {
  expect(modesOf([])).toEqual([]);
});
