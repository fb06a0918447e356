/** Volumes that look like one stripe by their loads, and those that only nearly do. */
import type { Volume } from '../../../core/inventory.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import { stripesOf } from '../../../core/stripes/stripes.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { balanced, daily, dealtOut, loadBy, loadsIn, twoDays } from './loads.ts';
import { inShort } from './stripes.ts';

const volumesOf = (count: number, more: Partial<Volume> = {}): Volume[] =>
  Array.from({ length: count }, (_, i) => aVolume({ volumeId: `vol-${i + 1}`, ...more }));

const infer = (loads: readonly VolumeLoad[], volumes = volumesOf(loads.length)) =>
  stripesOf('i-1', volumes, { host: null, loads: loadsIn(loads) });

test.each([2, 4, 8, 16])('%d members among which every operation is dealt out', (members) => {
  const all = Array.from({ length: members }, (_, i) => `vol-${i + 1}`);
  // 60,000 a minute at most: 1,000 IOPS for all, at 16 members 6 to 63 each
  const stripes = infer(dealtOut(daily(2 * 1_440, 60_000), members));
  expect(stripes.map(({ volumes }) => volumes.length)).toEqual([members]);
  expect(new Set(stripes[0]?.volumes.map(({ volumeId }) => volumeId))).toEqual(new Set(all));
  expect(stripes[0]).toMatchObject({ evidence: 'inferred', name: null, kind: null, builtWith: null });
});

test('as even as dealing out makes them is medium, balanced within a few percent is low: it may be something else', () => {
  // 1,000,000 operations in 2 parts: chance is 0.1 %
  expect(infer(dealtOut(daily(1_440, 1_000_000), 2))[0]?.confidence).toBe('medium');
  expect(infer(balanced(twoDays, 2, 0.03))[0]?.confidence).toBe('low');
});

test('directories of a node that are balanced by what is stored, 15 % off at a time, are not taken for a stripe', () => {
  expect(infer(balanced(twoDays, 4, 0.15))).toEqual([]);
});

test('two stripes of the same figures are two, and a volume like none is in none', () => {
  const night = daily(2 * 1_440, 60_000)
    .reverse()
    .map((ops, i) => (i % 2 === 0 ? ops : ops / 3));
  const loads = [
    ...dealtOut(twoDays, 2, 'one'),
    ...dealtOut(night, 2, 'two'),
    loadBy(twoDays.map(() => 5_000)),
  ];
  expect(inShort(infer(loads)).map(([ids]) => ids)).toEqual(['vol-1 vol-2', 'vol-3 vol-4']);
});

test.each([
  ['the same steady load', [1, 2].map(() => loadBy(twoDays.map(() => 5_000)))],
  [
    'steady loads that are off by themselves, 2 % at a time',
    balanced(
      twoDays.map(() => 60_000),
      2,
      0.02,
    ),
  ],
  ['no load', [1, 2].map(() => loadBy(twoDays.map(() => 0)))],
  [
    '59 busy minutes',
    dealtOut([...daily(59, 60_000).map((_, i) => 20_000 + 500 * i), ...twoDays.map(() => 0)], 2),
  ],
  ['too few operations to tell', dealtOut(daily(2 * 1_440, 1_000), 2)],
  // 3,000 IOPS: 180,000 a minute, by their limit and not by themselves; below it they differ
  [
    'both at their limit, each for itself',
    [0, 1].map((odd) => loadBy(twoDays.map((_, i) => (i % 10 === odd ? 60_000 : 180_000)))),
  ],
  [
    'as many operations, of another size',
    [16, 64].map((kib) =>
      loadBy(
        twoDays.map((ops) => ops / 2),
        { kib },
      ),
    ),
  ],
  [
    'one that has 7 % more all the time: dealt out, they would be equal',
    [30_000, 28_000].map((most) => loadBy(daily(2 * 1_440, most))),
  ],
  [
    'another period',
    [60, 300].map((periodSeconds) =>
      loadBy(
        twoDays.map((ops) => ops / 2),
        { periodSeconds },
      ),
    ),
  ],
  [
    'times that never meet',
    dealtOut(twoDays, 2).map((load, i) => ({
      ...load,
      epochSeconds: load.epochSeconds.map((time) => time + i),
    })),
  ],
  [
    'unknown bytes',
    dealtOut(twoDays, 2).map((load) => ({ ...load, mibps: load.mibps.map(() => Number.NaN) })),
  ],
])('not from %s', (_, loads) => {
  expect(infer(loads)).toEqual([]);
});

test('a steady load will do where both are off by the same at the same time', () => {
  const [one] = balanced(
    twoDays.map(() => 60_000),
    1,
    0.02,
  );
  if (one === undefined) throw new Error('a load');
  expect(
    infer(
      dealtOut(
        [...one.ops].map((ops) => 4 * ops),
        2,
      ),
    ),
  ).toHaveLength(1);
});

test('60 busy minutes that rise by half are enough; the points of one may be missing here and there', () => {
  const [first, second] = dealtOut(
    Array.from({ length: 60 }, (_, i) => 20_000 + 400 * i),
    2,
  );
  if (first === undefined || second === undefined) throw new Error('two loads');
  expect(infer([first, second])).toHaveLength(1);
  const longer = dealtOut(twoDays, 2);
  const thinned = (load: VolumeLoad): VolumeLoad => {
    const keep = (column: Float64Array) => column.filter((_, i) => i % 7 !== 0);
    return {
      ...load,
      epochSeconds: keep(load.epochSeconds),
      ops: keep(load.ops),
      iops: keep(load.iops),
      mibps: keep(load.mibps),
    };
  };
  expect(infer(longer.map((load, i) => (i === 0 ? load : thinned(load))))).toHaveLength(1);
});

test.each([
  ['another size', { sizeGiB: 200 }],
  ['another type', { volumeType: 'gp2', throughputMiBps: null }],
  ['other figures', { iops: 4_000 }],
  ['a type that is not known', { volumeType: 'gp9' }],
])('volumes with %s are not compared', (_, other) => {
  const [first, second] = volumesOf(2);
  if (first === undefined || second === undefined) throw new Error('two volumes');
  expect(infer(dealtOut(twoDays, 2), [first, { ...second, ...other }])).toEqual([]);
});

test('the id is of its members: the same however they are listed, another with another member', () => {
  const loads = dealtOut(twoDays, 3);
  const [all] = infer(loads);
  const [reversed] = infer(loads, volumesOf(3).reverse());
  const [fewer] = infer(loads, volumesOf(2));
  expect(all?.stripeId).toMatch(/^i-1\/[0-9a-f]{12}$/);
  expect(reversed?.stripeId).toBe(all?.stripeId);
  expect(fewer?.stripeId).not.toBe(all?.stripeId);
});
