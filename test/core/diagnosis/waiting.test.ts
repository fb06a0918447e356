/** Is more I/O in flight than a rate needs? In flight = rate x seconds that an operation takes (Little). */
import fc from 'fast-check';
import { Waiting } from '../../../core/diagnosis/waiting.ts';
import { loadOf, metricSet, type Points, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

interface Minute {
  iops: number;
  /** Undefined: no figure. */
  queue?: number | undefined;
  kib?: number;
}

const calm: Minute = { iops: 100, queue: 0.1 }; // 1 ms

/** After calm minutes, which none of those given is. */
function waiting(minutes: Minute[], before = repeat(20, calm), slowDevice = false): Waiting {
  const all = [...before, ...minutes];
  const points: Points = {
    ...readsOf16KiB(all.map(({ iops }) => iops * 60)),
    VolumeReadBytes: all.map(({ iops, kib = 16 }) => iops * 60 * kib * 1_024),
    VolumeQueueLength: all.map(({ queue }) => queue),
  };
  return new Waiting(loadOf(metricSet(points)), (i) => i < before.length, slowDevice);
}

const withoutMetric = (): Waiting =>
  new Waiting(loadOf(metricSet(readsOf16KiB(repeat(21, 6_000)))), () => true, false);

describe('more in flight than the rate needs', () => {
  test.each([
    { iops: 1_000, queue: 1.99, waits: false }, // 1,000 x 0.001 = 1, twice that is 2
    { iops: 1_000, queue: 2.01, waits: true },
    { iops: 50, queue: 0.09, waits: false }, // 0.05
    { iops: 50, queue: 0.11, waits: true },
  ])('$iops IOPS with $queue: $waits', ({ iops, queue, waits }) => {
    expect(waiting([{ iops, queue }]).at(20)).toBe(waits);
    expect(waiting([{ iops, queue }]).whereKnown(20)).toBe(waits);
  });

  test('so many times as is asked for', () => {
    const some = waiting([{ iops: 1_000, queue: 1.3 }]);
    expect(some.at(20, 1.25)).toBe(true); // 1.25 of 1
    expect(some.whereKnown(20, 1.25)).toBe(true);
    expect(some.at(20, 1.35)).toBe(false);
    expect(some.whereKnown(20, 1.35)).toBe(false);
  });

  test('a minute without a figure proves nothing, and where it is asked what is known, nobody knows', () => {
    const gap = waiting([{ iops: 1_000, queue: undefined }]);
    expect(gap.at(20)).toBe(false);
    expect(gap.whereKnown(20)).toBeNull();
    expect(gap.isLongAt(20)).toBe(false);
  });

  test('without the metric nobody knows of any minute', () => {
    expect(withoutMetric().at(20)).toBeNull();
    expect(withoutMetric().whereKnown(20)).toBeNull();
    expect(withoutMetric().isLongAt(20)).toBe(false);
  });
});

describe('with ten calm minutes of such I/O what the rate needs is learned, with fewer it is what is typical', () => {
  // 16 KiB: 1 ms and 10 ms a MiB make 1.156 ms, so 1.156 in flight at 1,000 IOPS
  test.each([
    { calmMinutes: 9, queue: 1.1, known: false, learned: false },
    { calmMinutes: 9, queue: 2.4, known: true, learned: false },
    { calmMinutes: 10, queue: 1.1, known: false, learned: true },
    { calmMinutes: 10, queue: 2.4, known: true, learned: true },
  ])('$calmMinutes calm minutes, $queue in flight: $learned', ({ calmMinutes, queue, known, learned }) => {
    const some = waiting([{ iops: 1_000, queue }], repeat(calmMinutes, calm));
    expect(some.whereKnown(calmMinutes)).toBe(known);
    expect(some.isCalmLearned(calmMinutes)).toBe(learned);
  });
});

test.each([
  [1.9, false],
  [2.1, true],
])('without the queue metric what is in flight is rate x latency: 1,000 IOPS at %d ms: %s', (ms, waits) => {
  const iops = [...repeat(20, 100), 1_000];
  const seconds = iops.map((rate) => rate * 60 * (rate === 100 ? 0.001 : ms / 1_000));
  const points = readsOf16KiB(
    iops.map((rate) => rate * 60),
    { VolumeTotalReadTime: seconds, VolumeTotalWriteTime: repeat(21, 0) },
  );
  const some = new Waiting(loadOf(metricSet(points)), (i) => i < 20, false);
  expect(some.at(20)).toBe(waits); // calm at 1 ms: twice 1 in flight
  expect(some.isLongAt(20)).toBe(waits);
});

describe('a long queue is twice what the rate needs, and one I/O more all the time', () => {
  test.each([
    // At few IOPS the one more binds
    { iops: 100, queue: 1.09, long: false }, // 0.1 + 1
    { iops: 100, queue: 1.11, long: true },
    // At many the twice
    { iops: 3_000, queue: 5.9, long: false }, // 2 x 3
    { iops: 3_000, queue: 6.1, long: true },
    // At 1,000 both are 2
    { iops: 1_000, queue: 1.99, long: false },
    { iops: 1_000, queue: 2.01, long: true },
    // Without load any I/O in flight is one more
    { iops: 0, queue: 0.9, long: false },
    { iops: 0, queue: 1, long: true },
  ])('$iops IOPS with $queue: $long', ({ iops, queue, long }) => {
    expect(waiting([{ iops, queue }]).isLongAt(20)).toBe(long);
  });
});

describe('what an operation takes', () => {
  const kib = (size: number): number => size / 1_024; // MiB

  test('is the median of calm minutes: of 1, 2 and 9 ms it is 2', () => {
    const of = (queue: number): Minute[] => repeat(5, { iops: 100, queue });
    const mixed = waiting([], [...of(0.1), ...of(0.2), ...of(0.9)]);
    expect(mixed.calmSecondsPerIo(kib(16))).toBeCloseTo(0.002, 9);
    expect(
      waiting([{ iops: 500, queue: 1 }], [...of(0.1), ...of(0.2), ...of(0.9)]).inFlightWhenCalm(15),
    ).toBe(500 * 0.002);
  });

  test('minutes that are not calm, idle or without a queue figure do not count', () => {
    const notCalm = repeat(40, { iops: 3_000, queue: 100 });
    const idle = repeat(40, { iops: 0, queue: 5 });
    const gaps = repeat(40, { iops: 100, queue: undefined });
    const few = waiting(notCalm, [...repeat(10, calm), ...idle, ...gaps]);
    expect(few.calmSecondsPerIo(kib(16))).toBeCloseTo(0.001, 9);
    expect(few.calmSecondsPerIo(Number.NaN)).toBeCloseTo(0.001, 9);
  });

  test('large and small I/O are learned apart, alike within twice the size', () => {
    const small: Minute[] = repeat(10, { iops: 100, queue: 0.1, kib: 16 }); // 1 ms
    const large: Minute[] = repeat(10, { iops: 100, queue: 0.7, kib: 1_024 }); // 7 ms
    const both = waiting([], [...small, ...large]);
    for (const size of [8, 16, 32]) expect(both.calmSecondsPerIo(kib(size))).toBeCloseTo(0.001, 9);
    for (const size of [512, 1_024, 2_048]) expect(both.calmSecondsPerIo(kib(size))).toBeCloseTo(0.007, 9);
    // Between them nothing is alike: 1 ms and 10 ms for each MiB
    expect(both.calmSecondsPerIo(kib(128))).toBeCloseTo(0.001 + 0.01 / 8, 9);
  });

  test.each([
    { calmMinutes: 9, slowDevice: false, seconds: 0.001 + 0.01 / 64 }, // 16 KiB are 1/64 MiB
    { calmMinutes: 9, slowDevice: true, seconds: 0.01 + 0.01 / 64 },
    { calmMinutes: 10, slowDevice: false, seconds: 0.004 },
    { calmMinutes: 10, slowDevice: true, seconds: 0.004 },
  ])(
    'of $calmMinutes calm minutes at 4 ms, slow device $slowDevice: $seconds s',
    ({ calmMinutes, slowDevice, seconds }) => {
      const before = repeat(calmMinutes, { iops: 100, queue: 0.4 });
      expect(
        waiting([], before.concat({ iops: 0, queue: 0 }), slowDevice).calmSecondsPerIo(kib(16)),
      ).toBeCloseTo(seconds, 9);
    },
  );

  test('of a size that is not known all calm minutes tell, and with too few the device alone', () => {
    const small: Minute[] = repeat(6, { iops: 100, queue: 0.3, kib: 16 });
    const large: Minute[] = repeat(5, { iops: 100, queue: 0.7, kib: 1_024 });
    // The median of six times 3 ms and five times 7 ms
    expect(waiting([], [...small, ...large]).calmSecondsPerIo(Number.NaN)).toBeCloseTo(0.003, 9);
    expect(waiting([], large).calmSecondsPerIo(Number.NaN)).toBe(0.001);
    expect(waiting([], large, true).calmSecondsPerIo(Number.NaN)).toBe(0.01);
  });

  test('is asked of no minute before somebody asks', () => {
    let asked = 0;
    const load = loadOf(metricSet(readsOf16KiB(repeat(20, 6_000), { VolumeQueueLength: repeat(20, 0.1) })));
    const lazy = new Waiting(load, () => ++asked > 0, false);
    expect(asked).toBe(0);
    lazy.at(0);
    lazy.isLongAt(1);
    for (const size of [4, 64, 1_024]) lazy.calmSecondsPerIo(kib(size));
    expect(asked).toBe(20); // each once, whatever the size
  });
});

test('where plainly nothing waits, no period is found to wait, whatever calm periods are like', () => {
  const aMinute = fc.record({
    iops: fc.integer({ min: 0, max: 5_000 }),
    queue: fc.double({ min: 0.1, max: 6, noNaN: true }),
    kib: fc.constantFrom(4, 16, 256),
  });
  let plain = 0;
  fc.assert(
    fc.property(
      fc.array(aMinute, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 0, max: 20 }),
      fc.boolean(),
      (minutes, calmMinutes, slowDevice) => {
        // Latencies near that of the calm minutes: half of the loads are plain.
        const near = minutes.map(({ iops, queue, kib }) => ({
          iops,
          kib,
          queue: (iops / 1_000) * (0.5 + queue / 2),
        }));
        const one = waiting(near, repeat(calmMinutes, calm), slowDevice);
        if (!one.isNeverSeen()) return;
        plain++;
        expect([...one.isLong]).toEqual(repeat(calmMinutes + near.length, 0));
      },
    ),
    { numRuns: 500 },
  );
  expect(plain).toBeGreaterThan(50);
});
