/** What passes through an instance: the sum over its volumes, and at least what it publishes itself. */
import fc from 'fast-check';
import { instanceLoad } from '../../../core/diagnosis/instance-evidence.ts';
import type { TimeAxis } from '../../../core/load/series.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import { loadOf, metricSet, type Points, repeat } from '../../fixtures/metric-set.ts';
import { loadAt } from './one-instance.ts';

const minutes = (count: number): TimeAxis => ({
  periodSeconds: 60,
  epochSeconds: Float64Array.from({ length: count }, (_, i) => i * 60),
});
const none = metricSet({});
const iopsOf = (loads: VolumeLoad[], metrics = none, axis = minutes(3)): number[] => [
  ...instanceLoad(axis, metrics, loads).iops,
];
const mibpsOf = (loads: VolumeLoad[], metrics = none, axis = minutes(3)): number[] => [
  ...instanceLoad(axis, metrics, loads).mibps,
];

describe('the sum over its volumes', () => {
  test('is added minute by minute', () => {
    const loads = [loadAt([100, 200, 300]), loadAt([1, 2, 3])];
    expect(iopsOf(loads)).toEqual([101, 202, 303]);
    expect(mibpsOf(loads)).toEqual([101 / 64, 202 / 64, 303 / 64]); // 16 KiB each
  });

  test('counts large I/O as several: 10 of 1 MiB a second are 40', () => {
    const large = loadAt(repeat(3, { iops: 10, mibps: 10 }));
    expect(iopsOf([large, loadAt([5, 5, 5])])).toEqual([45, 45, 45]);
  });

  test('is at least what is known: a minute or the bytes of one volume may be missing', () => {
    const gap = loadAt([100, undefined, 300, 400]);
    const noBytes = loadAt(repeat(3, { iops: 64, mibps: null }));
    expect(iopsOf([gap, loadAt([1, 2, 3])])).toEqual([101, 2, 303]);
    expect(iopsOf([noBytes])).toEqual([64, 64, 64]);
    expect(mibpsOf([noBytes, loadAt([64, 64, 64])])).toEqual([1, 1, 1]);
  });

  test('a minute whose writes are not known adds nothing', () => {
    const reads = [60, 60, 60];
    const half = loadOf(
      metricSet({ VolumeReadOps: reads, VolumeWriteOps: [0, undefined, 0], VolumeReadBytes: reads }),
    );
    expect(iopsOf([half, loadAt([5, 5, 5])])).toEqual([6, 5, 6]);
  });

  test('is 0 where nothing is known of any volume', () => {
    expect(iopsOf([])).toEqual([0, 0, 0]);
    expect(mibpsOf([])).toEqual([0, 0, 0]);
  });

  test('leaves out a volume that is known by five minutes: it says nothing of one', () => {
    expect(iopsOf([loadAt([1, 2, 3]), loadAt([600, 600], 300)])).toEqual([1, 2, 3]);
  });

  test('leaves out minutes of a volume before and after those that are asked for', () => {
    const axis = { periodSeconds: 60, epochSeconds: Float64Array.of(120, 180) };
    expect(iopsOf([loadAt([1, 2, 3, 4, 5])], none, axis)).toEqual([3, 4]);
    expect(iopsOf([loadAt([1, 2], 60, 180)], none, axis)).toEqual([0, 1]);
  });

  test('whichever minutes each volume has, each counts in its own', () => {
    const volume = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 2, maxLength: 31 });
    fc.assert(
      fc.property(fc.array(volume, { maxLength: 5 }), fc.integer({ min: 1, max: 31 }), (volumes, count) => {
        // Steps of one minute somewhere, so that its period is a minute
        const known = volumes.map((of) => new Set([...of, 0, 1]));
        const loads = known.map((has, v) =>
          loadAt(Array.from({ length: 31 }, (_, i) => (has.has(i) ? 2 ** v : undefined))),
        );
        const expected = Array.from({ length: count }, (_, i) =>
          known.reduce((sum, has, v) => sum + (has.has(i) ? 2 ** v : 0), 0),
        );
        expect(iopsOf(loads, none, minutes(count))).toEqual(expected);
      }),
      { seed: 7 },
    );
  });
});

describe('what the instance publishes of all its volumes', () => {
  const published = (points: Points, periodSeconds = 300) => metricSet(points, periodSeconds);

  test('raises each minute to the mean of its own five, and lowers none', () => {
    // (400,000 + 200,000) / 300 = 2,000 a second
    const metrics = published({ EBSReadOps: [400_000, 0], EBSWriteOps: [200_000, 0] });
    const load = loadAt([1_500, 2_500, 1_500, 1_500, 1_500, 1_500, 1_500]);
    expect(iopsOf([load], metrics, minutes(7))).toEqual([2_000, 2_500, 2_000, 2_000, 2_000, 1_500, 1_500]);
  });

  test('bytes are reported as MiB/s', () => {
    const metrics = published({
      EBSReadBytes: repeat(2, 200 * 300 * 1_048_576),
      EBSWriteBytes: repeat(2, 50 * 300 * 1_048_576),
    });
    expect(mibpsOf([], metrics)).toEqual([250, 250, 250]);
    expect(iopsOf([], metrics)).toEqual([0, 0, 0]);
  });

  test('a point stands for its five minutes and for none before or after', () => {
    // 30,000 / 300 = 100 from minute 2 to minute 6, and 200 from minute 7 to minute 11
    const metrics = metricSet({ EBSReadOps: [30_000, 60_000], EBSWriteOps: [0, 0] }, 300, 120);
    const expected = [0, 0, ...repeat(5, 100), ...repeat(5, 200), 0];
    expect(iopsOf([], metrics, minutes(13))).toEqual(expected);
  });

  test('points of a minute, where its monitoring is detailed', () => {
    const metrics = metricSet({ EBSReadOps: [60, 600, 6_000], EBSWriteOps: [60, 0, 0] });
    expect(iopsOf([loadAt([5, 5, 5])], metrics)).toEqual([5, 10, 100]);
  });

  test.each<[string, Points]>([
    ['reads alone are not the sum', { EBSReadOps: [600_000, 600_000] }],
    ['reads and writes of different times are not added', { EBSReadOps: [6e5, 6e5], EBSWriteOps: [6e5] }],
  ])('%s: the volumes alone tell', (_what, points) => {
    expect(iopsOf([loadAt([5, 5, 5])], published(points))).toEqual([5, 5, 5]);
  });
});
