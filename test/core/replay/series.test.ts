/** Sums of periods as rates. */
import { BadInput } from '../../../core/errors.ts';
import { type RecordedSums, seriesOf } from '../../../core/replay/recorded-rates.ts';
import { gapSeconds } from '../../../core/replay/replay.ts';

const mib = 1024 * 1024;

const sums = (more: Partial<RecordedSums> = {}): RecordedSums => ({
  periodSeconds: 60,
  epochSeconds: Float64Array.of(0, 60),
  readOps: Float64Array.of(900, 0),
  writeOps: Float64Array.of(300, 0),
  readBytes: Float64Array.of(60 * mib, 0),
  writeBytes: Float64Array.of(180 * mib, 0),
  idleSeconds: null,
  ...more,
});

test('rates, and the share of writes by I/O and by bytes', () => {
  expect(seriesOf(sums())).toEqual({
    periodSeconds: 60,
    epochSeconds: Float64Array.of(0, 60),
    iops: Float64Array.of(20, 0),
    mibps: Float64Array.of(4, 0),
    writeShare: Float64Array.of(0.25, 0), // 300 of 1,200
    writeByteShare: Float64Array.of(0.75, 0), // 180 of 240
    activeTimeIops: null,
  });
});

test('busy seconds are rounded up, one at least', () => {
  const { activeTimeIops } = seriesOf(sums({ idleSeconds: Float64Array.of(20.5, 60) }));
  expect(activeTimeIops).toEqual(Float64Array.of(30, 0)); // 1,200 / 40
  expect(seriesOf(sums({ idleSeconds: Float64Array.of(60, 60) })).activeTimeIops).toEqual(
    Float64Array.of(1_200, 0),
  );
});

test.each([
  ['I/O', { readOps: Float64Array.of(0, 1e305) }],
  ['bytes', { writeBytes: Float64Array.of(0, 1e308) }],
  ['a sum that overflows', { readOps: Float64Array.of(0, 1.7e308), writeOps: Float64Array.of(0, 1.7e308) }],
])('%s beyond all reason are refused, with the row', (_, more) => {
  expect(() => seriesOf(sums(more))).toThrow(BadInput);
  expect(() => seriesOf(sums(more))).toThrow(/the row of 1970-01-01T00:01:00Z makes .* IOPS/);
});

test('time that no entry stands for', () => {
  const at = (...epochSeconds: number[]) => ({
    ...seriesOf(sums()),
    epochSeconds: Float64Array.from(epochSeconds),
  });
  expect(gapSeconds(at(0, 60, 120))).toBe(0);
  expect(gapSeconds(at(0, 60, 180, 600))).toBe(60 + 360);
  expect(gapSeconds(at(0, 30, 90))).toBe(0); // an overlap is no gap
});
