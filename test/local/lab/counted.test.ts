import { median, usualIops } from '../../../local/lab/counted.ts';
import type { VolumeInterval } from '../../../local/lab/recorder.ts';

const second = (volumeId: string, end: number, reads: number, activeSeconds = 1): VolumeInterval => ({
  ...{ volumeId, endEpochSeconds: end, seconds: 1, reads, writes: 0, activeSeconds },
  ...{ readBytes: 0, writeBytes: 0, readSeconds: 0, writeSeconds: 0, queueLength: 1 },
});

test('a second in which the machine stood still, and those at both ends, do not lower the usual rate', () => {
  // It begins, works at 250, stands still for a second, goes on, and ends.
  const rates = [30, 250, 251, 40, 250, 249, 120];
  const of = (volumeId: string, factor: number): VolumeInterval[] =>
    rates.map((iops, index) => second(volumeId, index, iops * factor));
  // Of 250, 251, 40, 250, 249 the middle is 250; the other does half of it.
  expect(usualIops([...of('vol-1', 1), ...of('vol-2', 0.5)])).toEqual({ busiest: 250, members: 375 });
});

test('a rate that is low in most seconds is low', () => {
  const rows = [0, 200, 200, 250, 200, 0].map((iops, index) => second('vol-1', index, iops));
  expect(usualIops(rows).busiest).toBe(200);
});

test('before and after the load there are seconds without work; of two seconds alone nothing is known', () => {
  const rows = [0, 0, 30, 250, 250, 250, 60, 0].map((iops, index) =>
    second('vol-1', index, iops, Math.min(1, iops / 250)),
  );
  expect(usualIops(rows).busiest).toBe(250);
  expect(usualIops(rows.slice(6)).busiest).toBeNaN();
});

test('the median of an even number is between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});
