/** Weeks in at most 700 bins: no peak is lost, and what is not known is not drawn as zero. */
import fc from 'fast-check';
import { causeCode } from '../../../core/diagnosis/causes.ts';
import { type ColumnsOverTime, envelope, maxBins } from '../../../core/report/envelope.ts';

const start = Date.parse('2026-11-01T00:00:00Z') / 1_000;

function columns(iops: readonly number[], more: Partial<ColumnsOverTime> = {}): ColumnsOverTime {
  return {
    periodSeconds: 60,
    epochSeconds: Float64Array.from(iops, (_, i) => start + 60 * i),
    iops: Float64Array.from(iops),
    mibps: Float64Array.from(iops, (one) => one / 64),
    ...{
      queueLength: null,
      latencyMs: null,
      balancePercent: null,
      ioBalancePercent: null,
      byteBalancePercent: null,
    },
    ...{ demandIops: null, demandMiBps: null },
    cause: new Uint8Array(iops.length),
    throttledMinutes: new Float64Array(iops.length),
    ...more,
  };
}
const spanOf = (minutes: number) => ({ startEpochSeconds: start, endEpochSeconds: start + 60 * minutes });

test('up to 700 periods each have a bin of their own', () => {
  const { binSeconds, iops } = envelope(columns([10, 30, 20]), spanOf(3));
  expect(binSeconds).toBe(60);
  expect(iops).toEqual({ min: [10, 30, 20], max: [10, 30, 20] });
});

test('14 days of minutes are 696 bins of 29 minutes, and one busy minute among them is seen', () => {
  const minutes = 14 * 24 * 60; // 20,160 / 700 = 28.8, so 29 a bin, and 20,160 / 29 = 695.2 bins
  const load = new Array<number>(minutes).fill(100);
  load[1_000] = 16_000; // 1,000 / 29 = 34.5
  const { binSeconds, iops } = envelope(columns(load), spanOf(minutes));
  expect(binSeconds).toBe(29 * 60);
  expect(iops.max).toHaveLength(696);
  expect([iops.min[34], iops.max[34], iops.max[35]]).toEqual([100, 16_000, 100]);
});

test('a period without a figure has no bin, and is counted as unknown', () => {
  const known = columns([10, Number.NaN, 20]);
  known.cause[1] = causeCode.unknown;
  const { iops, throttled } = envelope(known, spanOf(4)); // the fourth minute has no row at all
  expect(iops.max).toEqual([10, null, 20, null]);
  expect(throttled.unknownMinutes).toEqual([0, 1, 0, 1]);
});

test('a bin is throttled by what throttled the most of its minutes', () => {
  const load = columns(new Array<number>(1_400).fill(1)); // 2 minutes a bin
  const hold = (minute: number, cause: keyof typeof causeCode, minutes: number): void => {
    load.cause[minute] = causeCode[cause];
    load.throttledMinutes[minute] = minutes;
  };
  hold(0, 'volume-iops', 0.25);
  hold(1, 'instance-iops', 1);
  const { throttled } = envelope(load, spanOf(1_400));
  expect([throttled.minutes[0], throttled.cause[0]]).toEqual([1.25, 'instance-iops']);
  expect([throttled.minutes[1], throttled.cause[1]]).toEqual([0, null]);
  // Each cause keeps its own minutes.
  expect(throttled.minutesByCause).toEqual([
    { cause: 'instance-iops', minutes: 1 },
    { cause: 'volume-iops', minutes: 0.25 },
  ]);
});

test('the last bin ends with the span: 20,160 known minutes have none that are unknown', () => {
  const { throttled, endEpochSeconds } = envelope(columns(new Array<number>(20_160).fill(1)), spanOf(20_160));
  expect(throttled.unknownMinutes.every((one) => one === 0)).toBe(true); // 695 x 29 + 5
  expect(endEpochSeconds).toBe(start + 60 * 20_160);
});

test('the demand is reported only where it is more than what was served', () => {
  const demand = columns([10, 3_000], { demandIops: Float64Array.of(10, 4_000) });
  expect(envelope(demand, spanOf(2)).demandIops).toEqual([null, 4_000]);
  expect(envelope(columns([10], { demandIops: Float64Array.of(10) }), spanOf(1)).demandIops).toBeNull();
});

test('figures are told to three digits: 12,345 is drawn as 12,300', () => {
  expect(envelope(columns([12_345]), spanOf(1)).iops.max).toEqual([12_300]);
});

test('of any load every bin holds the least and the most of its periods, and there are 700 at most', () => {
  const load = fc.array(fc.oneof(fc.integer({ min: 0, max: 999 }), fc.constant(Number.NaN)), {
    minLength: 1,
    maxLength: 3_000,
  });
  fc.assert(
    fc.property(load, (iops) => {
      const { binSeconds, iops: band } = envelope(columns(iops), spanOf(iops.length));
      expect(band.max.length).toBeLessThanOrEqual(maxBins);
      const each = binSeconds / 60;
      for (const [bin, max] of band.max.entries()) {
        const known = iops.slice(bin * each, (bin + 1) * each).filter((one) => !Number.isNaN(one));
        expect([band.min[bin], max]).toEqual(
          known.length === 0 ? [null, null] : [Math.min(...known), Math.max(...known)],
        );
      }
    }),
    { numRuns: 50 },
  );
});
