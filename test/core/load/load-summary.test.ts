/** One walk over a load, against the same figures found one by one from its columns. */
import fc from 'fast-check';
import { summaryOf, usualChunkKiB } from '../../../core/load/load-summary.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import { loadOf, metricSet, type Points, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

const maybe = <T>(value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined, freq: 6 }) as fc.Arbitrary<T | undefined>;
const aPeriod = fc.record({
  ops: maybe(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200_000 }))),
  kib: maybe(fc.constantFrom(1, 16, 64, 65, 200, 256, 300, 1_024)),
  idle: maybe(fc.double({ min: 0, max: 60, noNaN: true })),
  queue: maybe(fc.double({ min: 0, max: 40, noNaN: true })),
});
const aLoad = fc
  .record({ periods: fc.array(aPeriod, { minLength: 2, maxLength: 12 }), hasIdle: fc.boolean() })
  .filter(({ periods }) => periods.filter(({ ops }) => ops !== undefined).length >= 2)
  .map(({ periods, hasIdle }) => {
    const points: Points = {
      ...readsOf16KiB(periods.map(({ ops }) => ops)),
      VolumeReadBytes: periods.map(({ ops, kib }) =>
        ops === undefined || kib === undefined ? undefined : ops * kib * 1_024,
      ),
      VolumeQueueLength: periods.map(({ queue }) => queue),
      ...(hasIdle ? { VolumeIdleTime: periods.map(({ idle }) => idle) } : {}),
    };
    return loadOf(metricSet(points));
  });

const known = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));
const highest = (values: readonly number[]): number => Math.max(0, ...known(values));

function oneByOne({ ops, iops, mibps, activeTimeIops, busyMiBps }: VolumeLoad) {
  const active = [...ops.keys()].filter((i) => (ops[i] as number) > 0);
  const rate = (i: number): number =>
    known([activeTimeIops?.[i] ?? Number.NaN, iops[i] as number])[0] ?? Number.NaN;
  const mib = (i: number): number =>
    known([busyMiBps?.[i] ?? Number.NaN, mibps[i] as number])[0] ?? Number.NaN;
  const ioKiB = (i: number): number => ((mibps[i] as number) * 1_024) / (iops[i] as number);
  return {
    activePeriods: active.length,
    topActiveTimeIops:
      known([...(activeTimeIops ?? [])]).length === 0 ? null : highest([...(activeTimeIops ?? [])]),
    topBusyMiBps: known([...(busyMiBps ?? [])]).length === 0 ? null : highest([...(busyMiBps ?? [])]),
    isAnyUnknown: ops.some(Number.isNaN),
    isSmallThroughout: mibps.every(
      (mib, i) => !(mib > 0) || mib * 1_024 <= usualChunkKiB * (iops[i] as number),
    ),
    periodsBusyOverTwiceAverage:
      activeTimeIops?.filter((busy, i) => busy > 2 * (iops[i] as number)).length ?? null,
    busiest: {
      iops: highest(active.map(rate)),
      throughputMiBps: highest(active.map(mib)),
      countedIops: highest(active.map((i) => (ioKiB(i) > usualChunkKiB ? rate(i) + 4 * mib(i) : rate(i)))),
      replayedIops: highest(active.flatMap((i) => [rate(i), 4 * mib(i)])),
      cutIops: highest(
        active.map((i) => rate(i) * (ioKiB(i) > usualChunkKiB ? Math.ceil(ioKiB(i) / usualChunkKiB) : 1)),
      ),
      isMibUnknown: active.some((i) => Number.isNaN(mibps[i])),
      isBusyUnknown: activeTimeIops === null || active.some((i) => Number.isNaN(activeTimeIops[i])),
    },
  };
}

/** Without the column of idle time, as a load of several volumes has it: what is asked of columns is the same. */
const asColumns = ({ activeTimeIops, busyMiBps, ...load }: VolumeLoad): VolumeLoad => ({
  ...load,
  ...{ activeTimeIops, busyMiBps, idleSeconds: null },
});

test('a summary is what its columns say one by one, with a column of idle time or without', () => {
  fc.assert(
    fc.property(aLoad, (load) => {
      const { topPeriod, secondsPerIo, activeTimeIopsInTopPeriod, ...summary } = summaryOf(load);
      expect(summary).toEqual(oneByOne(load));
      expect(load.iops[topPeriod]).toBe(Math.max(...known([...load.iops])));
      expect(activeTimeIopsInTopPeriod).toBe(load.activeTimeIops?.[topPeriod] ?? null);
      expect(summaryOf(asColumns(load))).toEqual(summaryOf(load));
    }),
  );
});

test('seconds of an I/O: the least and the most of all; none where a queue is not known, or nothing was done while one stood', () => {
  const of = (ops: (number | undefined)[], queue: (number | undefined)[]) =>
    summaryOf(loadOf(metricSet({ ...readsOf16KiB(ops), VolumeQueueLength: queue }))).secondsPerIo;
  const even = repeat(5, 6_000);
  expect(of([6_000, 12_000, 0], [0.1, 0.4, 0])).toEqual({ least: 0.001, most: 0.002 });
  expect(of([...even, 6_000, 6_000], [...even.map(() => 0.1), undefined, 0.1])).toBeNull();
  expect(of([6_000, 12_000, 0], [0.1, 0.4, 1])).toBeNull();
  expect(summaryOf(loadOf(metricSet(readsOf16KiB([6_000, 12_000])))).secondsPerIo).toBeNull();
});
