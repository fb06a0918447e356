import { apart, scaleUpTo } from '../../../report/charts/scale.ts';

test.each([
  // 3,000 / 4 = 750: steps of 1,000
  [3_000, { max: 3_000, interval: 1_000 }],
  [3_001, { max: 4_000, interval: 1_000 }],
  // 0.3 / 4 = 0.075: steps of 0.1, and no 0.30000000000000004
  [0.3, { max: 0.3, interval: 0.1 }],
  // 10 / 4 = 2.5
  [10, { max: 10, interval: 2.5 }],
  [0, { max: 1, interval: 1 }],
  [Number.NaN, { max: 1, interval: 1 }],
])('a scale for up to %d', (most, scale) => {
  expect(scaleUpTo(most)).toEqual(scale);
});

test('labels that would meet stand apart, and none below the panel', () => {
  // 10 and 12 are nearer than 14: the second goes to 24; 60 is free
  expect(apart([10, 12, 60], 14, 100)).toEqual([10, 24, 60]);
  // 100 is the lowest: those above make room
  expect(apart([95, 99], 14, 100)).toEqual([86, 100]);
  expect(apart([], 14, 100)).toEqual([]);
});
