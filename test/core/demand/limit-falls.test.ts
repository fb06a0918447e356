/** How long workers think, from limits that fall and rise: n = Q + X x z on both sides. */
import { LimitFalls, sizeClassOf } from '../../../core/demand/cycle-times.ts';
import { type Period, throttledLoad, times } from './periods.ts';

const of16KiB = sizeClassOf(1 / 64);
const thinkIn = (periods: readonly Period[]): { low: number; high: number; falls: number } | null => {
  const { load, attribution } = throttledLoad(periods);
  const found = new LimitFalls(load, attribution.cause).thinkTime(of16KiB);
  const ms = (seconds: number): number => Number((1_000 * seconds).toFixed(2));
  return found && { low: ms(found.low), high: ms(found.high), falls: found.falls };
};

// 20 workers of 1 + 4 ms reach 4,000; of 2,000 served 20 - 2,000 x 0.004 = 12 wait.
const calm: Period = { iops: 4_000, queue: 4 };
const held: Period = { iops: 2_000, queue: 12, cause: 'volume-credits' };
// Halfway through the minute: the mean of both.
const between: Period = { iops: 3_000, queue: 8, cause: 'volume-credits' };

describe('nothing known of how workers change: they are taken to by 15 %', () => {
  // 1.3 x 0.15 x 20 / 2,000 = 1.95 ms either way
  test.each([
    ['a fall', [...times(9, calm), ...times(6, held)]],
    ['a rise', [...times(6, held), ...times(9, calm)]],
  ])('%s tells 4 ms', (_, periods) => {
    expect(thinkIn(periods)).toEqual({ low: 2.05, high: 5.95, falls: 1 });
  });

  test('a fall in the middle of a minute tells it too', () => {
    // The minute counts as one of five after it: 2,200 served; 1.3 x 0.15 x 20 / 1,800 = 2.17 ms either way
    const periods = [...times(9, calm), between, ...times(6, held)];
    expect(thinkIn(periods)).toEqual({ low: 1.83, high: 6.17, falls: 1 });
  });

  test('a smaller fall tells less', () => {
    // (12 - 8) / (3,000 - 2,000) = 4 ms; 1.3 x 0.15 x 20 / 1,000 = 3.9 ms either way
    const periods = [...times(9, { iops: 3_000, queue: 8 }), ...times(6, held)];
    expect(thinkIn(periods)).toEqual({ low: 0.1, high: 7.9, falls: 1 });
  });

  test('one minute alone tells next to nothing: four of the five after the fall are calm', () => {
    // 3,600 served: 1.3 x 0.15 x 20 / 400 = 9.75 ms either way
    const periods = [...times(9, calm), held, ...times(9, calm)];
    expect(thinkIn(periods)).toEqual({ low: 0, high: 13.75, falls: 1 });
  });

  test('four of them tell it twice as well', () => {
    const day = [...times(9, calm), ...times(6, held)];
    // A fall, a rise, a fall, a rise: 1.95 / 2 = 0.975
    expect(thinkIn([...day, ...day, ...times(9, calm)])).toEqual({ low: 3.02, high: 4.98, falls: 4 });
  });
});

test('workers that hardly change, as the calm time before shows, tell it to 1.3 x 1 % x 20 / 2,000 = 0.13 ms', () => {
  expect(thinkIn([...times(300, calm), ...times(6, held)])).toEqual({ low: 3.87, high: 4.13, falls: 1 });
});

test('two limits that both throttle tell it too', () => {
  const higher: Period = { ...held, cause: 'volume-iops' };
  const lower: Period = { iops: 1_000, queue: 16, cause: 'volume-credits' };
  // (16 - 12) / (2,000 - 1,000) = 4 ms; 1.3 x 0.15 x 20 / 1,000 = 3.9 ms either way
  expect(thinkIn([...times(6, higher), ...times(6, lower)])).toEqual({ low: 0.1, high: 7.9, falls: 1 });
});

test('falls in which the workers changed too make up for each other: none is left out', () => {
  // A tenth more workers, of which 22 - 2,000 x 0.004 = 14 wait; then a tenth fewer.
  const grown: Period = { ...held, queue: 14 };
  const shrunk: Period = { ...held, queue: 10 };
  const day = [...times(9, calm), ...times(6, grown), ...times(9, calm), ...times(6, shrunk)];
  // (10 + 10 + 6 + 6) / 8,000 = 4 ms
  expect(thinkIn([...day, ...times(9, calm)])).toEqual({ low: 3.02, high: 4.98, falls: 4 });
});

test('workers that never think are as many in the queue as before', () => {
  const found = thinkIn([...times(9, { iops: 4_000, queue: 4 }), ...times(6, { ...held, queue: 4 })]);
  expect(found?.low).toBe(0);
});

describe('nothing is reported by', () => {
  const gapAfter9 = (periods: readonly Period[]): ReturnType<typeof thinkIn> => {
    const { load, attribution } = throttledLoad(periods);
    for (let i = 9; i < periods.length; i++) load.epochSeconds[i] = 60 * (i + 30);
    return new LimitFalls(load, attribution.cause).thinkTime(of16KiB);
  };

  test.each([
    [
      'work that ends: less is served and less waits',
      [...times(6, held), ...times(9, { iops: 500, queue: 1 })],
    ],
    ['more work, up to a limit', [...times(9, { iops: 1_000, queue: 1 }), ...times(6, held)]],
    ['a fall to half of I/O twice as large', [...times(9, calm), ...times(6, { ...held, ioKiB: 32 })]],
    ['less served under the same limit', [...times(6, { ...held, iops: 3_000 }), ...times(6, held)]],
    [
      'a queue that nobody tells',
      [...times(9, { iops: 4_000 }), ...times(6, { iops: 2_000, cause: 'volume-iops' } as const)],
    ],
  ])('%s', (_, periods) => {
    expect(thinkIn(periods)).toBeNull();
  });

  test('the two sides of a gap', () => {
    expect(gapAfter9([...times(9, calm), ...times(6, held)])).toBeNull();
  });
});
