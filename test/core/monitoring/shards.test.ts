/** Several accounts: which shard each is of, whose turn it is, and what each takes of one budget. */
import {
  placeText,
  rotated,
  shardOf,
  shards,
  shardsOfTick,
  shareOf,
  untargeted,
} from '../../../core/monitoring/shards.ts';

const accounts = Array.from({ length: 1_000 }, (_, i) => `${100_000_000_000 + i}`);
const target = (account: string, region = 'us-east-1') => ({ partition: 'aws', account, region });

test('a thousand accounts are spread over all shards, and each is always of the same one', () => {
  const counts = new Map<number, number>();
  for (const account of accounts) counts.set(shardOf(account), (counts.get(shardOf(account)) ?? 0) + 1);
  expect(counts.size).toBe(shards);
  // 1,000 / 32 = 31 each.
  expect(Math.max(...counts.values())).toBeLessThan(60);
  // Another hash is another table: what is remembered would not be found any more.
  expect(['111122223333', '444455556666'].map(shardOf)).toEqual([14, 10]);
});

test('a tick works on shards that have targets, however many Regions of an account there are, and knows how many', () => {
  const [one = ''] = accounts;
  expect(shardsOfTick([target(one), target(one, 'eu-west-1')], 7)).toEqual([{ shard: shardOf(one), of: 1 }]);
  expect(shardsOfTick([], 7)).toEqual([]);
});

test('each shard comes first in its turn', () => {
  const all = accounts.map((account) => target(account));
  const firsts = Array.from({ length: shards }, (_, tick) => shardsOfTick(all, tick)[0]?.shard);
  expect(new Set(firsts).size).toBe(shards);
  expect(rotated(['a', 'b', 'c'], 4)).toEqual(['b', 'c', 'a']);
});

describe('of a budget', () => {
  const budget = (left: number) => ({ metricsPerMonth: 1_000_000, left, atEpochSeconds: 0 });

  test('a shard takes an equal share of what is left', () => {
    expect(shareOf(budget(32_000), 32)).toEqual(budget(1_000));
  });

  test('at least what a few polls take, and never more than is there: else a small budget would be of use to nobody', () => {
    expect(shareOf(budget(320), 32).left).toBe(100);
    expect(shareOf(budget(40), 32).left).toBe(40);
    expect(shareOf(budget(-5), 32).left).toBe(-5);
  });
});

describe('a watch of which no target is left', () => {
  const watch = (account: string, region = 'us-east-1') => ({ account, region });
  const listed = new Map(
    ['1', '2'].map((account) => [account, { account, name: null, units: [], refused: null }]),
  );

  test('is forgotten where its account is not read any more, and waits where only its Region is not', () => {
    const watches = [watch('1'), watch('1', 'eu-west-1'), watch('3')];
    expect(untargeted(watches, { targets: [target('1')], accounts: listed })).toEqual({
      forgotten: [watch('3')],
      postponed: [watch('1', 'eu-west-1')],
    });
  });

  test('waits where nobody knows which accounts are read', () => {
    expect(untargeted([watch('3')], { targets: [target('1')], accounts: null })).toEqual({
      forgotten: [],
      postponed: [watch('3')],
    });
  });
});

test('a place is named as it was before where there is one account', () => {
  expect(placeText({ region: 'us-east-1' })).toBe('us-east-1');
  expect(placeText(target('1'))).toBe('1/us-east-1');
});
