/** Volumes that look like one stripe at a glance, and are not. */
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import { stripesOf } from '../../../core/stripes/stripes.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { balanced, dealtOut, loadBy, loadsIn, twoDays } from './loads.ts';

const minutesOfDay = 1_440;
/** Limits that none of these loads meet. */
const provisioned = { iops: 16_000, throughputMiBps: 1_000 };

const inferred = (loads: readonly VolumeLoad[], tags: readonly (string | null)[] = []) =>
  stripesOf(
    'i-1',
    loads.map((_, i) => aVolume({ volumeId: `vol-${i + 1}`, stripeTag: tags[i] ?? null, ...provisioned })),
    { host: null, loads: loadsIn(loads) },
  ).map(({ volumes }) => volumes.map(({ volumeId }) => volumeId));

/** 100 IOPS for two days, off by so much a minute, but for some minutes of a night with so many IOPS on each. */
const withJobs = (off: number, minutes: number, iops: readonly number[]): VolumeLoad[] =>
  balanced(
    twoDays.map(() => iops.length * 6_000),
    iops.length,
    off,
  ).map((load, i) =>
    loadBy(
      [...load.ops].map((ops, minute) => (minute % minutesOfDay < minutes ? 60 * (iops[i] as number) : ops)),
    ),
  );

describe('two steady volumes are no stripe for a job', () => {
  test.each([0, 0.01, 0.02, 0.03])('of one of them, off by %d else', (off) => {
    // 10 to 40 of 1,440 minutes: fewer than the tenth that may differ
    for (const minutes of [10, 20, 30, 40])
      expect(inferred(withJobs(off, minutes, [100, 10_000]))).toEqual([]);
  });

  test.each([0, 0.01, 0.02, 0.03])('of both, each at a rate of its own, off by %d else', (off) => {
    for (const minutes of [10, 30, 60]) expect(inferred(withJobs(off, minutes, [8_000, 14_000]))).toEqual([]);
  });
});

test('a stripe stays one where a member has a job of its own: its other minutes rise and fall with the others', () => {
  const loads = dealtOut(twoDays, 2).map((load, i) =>
    loadBy([...load.ops].map((ops, minute) => (i === 1 && minute % minutesOfDay < 10 ? ops + 60_000 : ops))),
  );
  expect(inferred(loads)).toEqual([['vol-1', 'vol-2']]);
});

test('tags of two names keep apart what carries the same load; one that only some have does not', () => {
  const loads = dealtOut(twoDays, 3);
  expect(inferred(loads, ['data', 'log', null])).toEqual([['vol-1', 'vol-3']]);
  expect(inferred(loads, ['data', null, null])).toEqual([['vol-1', 'vol-2', 'vol-3']]);
});
