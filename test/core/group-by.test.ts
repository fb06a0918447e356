import { groupBy } from '../../core/group-by.ts';

test('groups stand in the order in which each key comes first, also keys that are numbers', () => {
  const groups = groupBy([30, 2, 31, 21, 3], (value) => Math.floor(value / 10));
  // An object would have 0, 2, 3.
  expect([...groups]).toEqual([
    [3, [30, 31]],
    [0, [2, 3]],
    [2, [21]],
  ]);
});

test('the key may be of the index; of nothing there are no groups', () => {
  expect([...groupBy('abc', (_, index) => index % 2)]).toEqual([
    [0, ['a', 'c']],
    [1, ['b']],
  ]);
  expect(groupBy([], String).size).toBe(0);
});
