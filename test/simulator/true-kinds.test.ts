import type { Cause } from './causes.ts';
import {
  activeTimeRateMinutes,
  instanceKinds,
  maxInADay,
  minutesToEmpty,
  type VolumeTruth,
  volumeKinds,
} from './true-kinds.ts';

const minutes = 1_560;

const column = (value: number | ((minute: number) => number)): Float64Array =>
  Float64Array.from({ length: minutes }, (_, minute) => (typeof value === 'number' ? value : value(minute)));

const causesAt = (cause: Cause, ...at: number[]): Cause[] =>
  Array.from({ length: minutes }, (_, minute) => (at.includes(minute) ? cause : 'none'));

const range = (from: number, count: number, step = 1): number[] =>
  Array.from({ length: count }, (_, i) => from + i * step);

const truth = (changed: Partial<VolumeTruth>): VolumeTruth => ({
  causes: causesAt('none'),
  shareOfIops: column(1),
  shareOfThroughput: column(1),
  balancePercent: column(Number.NaN),
  operations: column(600),
  ...changed,
});

describe('the kinds of a volume', () => {
  test.each([
    { at: range(500, 4, 60), kinds: [] },
    { at: range(500, 5, 60), kinds: ['throttled-volume-iops'] },
    // 4 at the start, 4 at the end, 1,456 minutes apart: never 5 in 1,440
    { at: [...range(10, 4, 10), ...range(1_500, 4, 10)], kinds: [] },
    // the same, 1,400 apart: all 8 within 1,440
    { at: [...range(100, 4, 10), ...range(1_500, 4, 10)], kinds: ['throttled-volume-iops'] },
    // fewer than 5, but 3 of the last 5
    { at: [1_555, 1_557, 1_559], kinds: ['throttled-volume-iops'] },
    { at: [1_554, 1_557, 1_559], kinds: [] },
  ])('throttled in minutes $at: $kinds', ({ at, kinds }) => {
    expect(volumeKinds(truth({ causes: causesAt('volume-iops', ...at) }))).toEqual(kinds);
  });

  test('three minutes throttled below 80 % of the limit are micro-bursts, at 80 % they are not', () => {
    const causes = causesAt('volume-throughput', 300, 600, 900);
    expect(volumeKinds(truth({ causes, shareOfThroughput: column(0.79) }))).toEqual(['micro-burst']);
    expect(volumeKinds(truth({ causes, shareOfThroughput: column(0.8) }))).toEqual([]);
  });

  test('an instance that throttles a volume is no trouble of the volume', () => {
    const causes = causesAt('instance-iops', ...range(300, 90));
    expect(volumeKinds(truth({ causes, shareOfIops: column(0.1) }))).toEqual([]);
    expect(
      instanceKinds({
        causes,
        shareOfIops: column(1),
        shareOfThroughput: column(1),
        balancePercent: column(100),
        operations: column(9),
      }),
    ).toEqual(['throttled-instance-iops']);
  });

  test.each([
    { lowest: 1, operations: 600, kinds: ['credits-exhausted'] },
    { lowest: 1.1, operations: 600, kinds: [] },
    { lowest: 0, operations: 0, kinds: ['idle'] },
  ])(
    'a balance of $lowest % with $operations operations a minute: $kinds',
    ({ lowest, operations, kinds }) => {
      const balancePercent = column((minute) => (minute === 700 ? lowest : 100));
      expect(volumeKinds(truth({ balancePercent, operations: column(operations) }))).toEqual(kinds);
    },
  );

  test.each([
    { percentPerMinute: 0.5, kinds: ['credits-will-exhaust'] }, // 60 % / 0.5 = 120 minutes
    { percentPerMinute: 0.49, kinds: [] }, // 122 minutes
    { percentPerMinute: -0.5, kinds: [] },
  ])('60 % left, falling by $percentPerMinute a minute: $kinds', ({ percentPerMinute, kinds }) => {
    const balancePercent = column((minute) => 60 + Math.min(60, minutes - 1 - minute) * percentPerMinute);
    expect(volumeKinds(truth({ balancePercent }))).toEqual(kinds);
  });

  test('fewer than one operation a minute over the whole window is idle, one is not', () => {
    expect(volumeKinds(truth({ operations: column((minute) => (minute === 0 ? 0 : 1)) }))).toEqual(['idle']);
    expect(volumeKinds(truth({ operations: column(1) }))).toEqual([]);
  });

  test('one stalled minute is enough', () => {
    expect(volumeKinds(truth({ causes: causesAt('stalled', 800) }))).toEqual(['stalled']);
  });
});

test('counts the most within any 24 hours', () => {
  expect(maxInADay(2_000, (minute) => minute % 1_440 === 0)).toBe(1);
  expect(maxInADay(2_000, (minute) => minute % 1_439 === 0)).toBe(2);
});

test('a bucket that does not drain never empties', () => {
  expect(minutesToEmpty(column(50))).toBe(Number.POSITIVE_INFINITY);
  expect(minutesToEmpty(column(Number.NaN))).toBe(Number.POSITIVE_INFINITY);
});

test('the active-time rate alone misleads', () => {
  // 20 % of the limit with 56 idle seconds: 0.2 x 60 / 4 = 3 times the limit
  expect(activeTimeRateMinutes(truth({ shareOfIops: column(0.2) }), column(56))).toBe(1_440);
  expect(activeTimeRateMinutes(truth({ shareOfIops: column(0.2) }), column(0))).toBe(0);
});
