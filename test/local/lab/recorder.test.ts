import { intervalsOf } from '../../../local/lab/recorder.ts';

const line = (device: string, ...counters: number[]): string =>
  `   259       0 ${device} ${counters.join(' ')}`;
// reads, merged, sectors, ms, writes, merged, sectors, ms, in flight, busy ms, weighted ms, and what later kernels add
const text = [
  'look 100.0',
  line('nvme1n1', 10, 0, 80, 5, 100, 2, 1_600, 50, 0, 40, 55, 0, 0, 0, 0),
  line('nvme2n1', 1, 0, 8, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0),
  'look 102.0',
  line('nvme1n1', 30, 0, 240, 25, 400, 2, 6_400, 650, 3, 1_040, 4_055, 0, 0, 0, 0),
  'look 103.0',
  line('nvme1n1', 31, 0, 248, 26, 400, 2, 6_400, 650, 3, 1_04),
].join('\n');

test('counters become rows of what was done between two looks; one that is half written is left out', () => {
  expect(intervalsOf(text, new Map([['nvme1n1', 'vol-1']]))).toEqual([
    {
      ...{ volumeId: 'vol-1', endEpochSeconds: 102, seconds: 2 },
      // 160 sectors of 512 bytes.
      ...{ reads: 20, readBytes: 81_920, readSeconds: 0.02 },
      ...{ writes: 300, writeBytes: 2_457_600, writeSeconds: 0.6 },
      // 4,000 ms of waiting in 2,000 ms: two on average.
      ...{ activeSeconds: 1, queueLength: 2 },
    },
  ]);
});

test('a disk that came in between has no row yet, and one that is no volume never has', () => {
  expect(intervalsOf(text, new Map([['nvme2n1', 'vol-2']]))).toEqual([]);
  expect(intervalsOf(text, new Map())).toEqual([]);
});
