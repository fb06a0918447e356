/** A tick of several accounts hands shards on: what is watched, and what cannot be handed on. */
import { Throttled } from '../../../core/errors.ts';
import { type ShardOfTick, shardOf } from '../../../core/monitoring/shards.ts';
import { dispatchShards, watchedTargets } from '../../../lambdas/watch-volumes/dispatch-shards.ts';

const target = (account: string, region = 'us-east-1') => ({ partition: 'aws', account, region });
const own = [target('111122223333')];
const [a, b] = ['222233334444', '333344445555'];
const listed = (account: string) => ({ account, name: `name of ${account}`, units: [], refused: null });
const latest = {
  ...{ accounts: [listed(a), listed(b)], targets: [target(a), target(b)] },
  ...{ notListed: [], notices: [] },
};

test('before an audit has listed the accounts the own one is watched, and nobody knows of others', () => {
  expect(watchedTargets(null, own)).toEqual({ targets: own, accounts: null });
});

test('after it those that it listed, with their names; the own one only where it is among them', () => {
  const { targets, accounts } = watchedTargets(latest, own);
  expect(targets).toEqual(latest.targets);
  expect(accounts?.get(a)?.name).toBe(`name of ${a}`);
});

test('a shard that cannot be handed on waits for the next tick; the others are', async () => {
  const invoked: ShardOfTick[] = [];
  const failed: string[] = [];
  const dispatched = await dispatchShards(watchedTargets(latest, own), {
    ...{ nowEpochSeconds: 0, tickSeconds: 60 },
    invoke: async (shard) => {
      if (shard.shard === shardOf(a)) throw new Throttled('lambda:InvokeFunction: slow down');
      invoked.push(shard);
    },
    onFailed: (shard, reason) => failed.push(`${shard}: ${reason}`),
  });
  expect(dispatched).toBe(1);
  expect(invoked).toEqual([{ shard: shardOf(b), of: 2 }]);
  expect(failed).toEqual([`${shardOf(a)}: lambda:InvokeFunction: slow down`]);
});

test('a fault of ours ends the tick, and is seen', async () => {
  const invoke = async () => {
    throw new TypeError('ours');
  };
  const use = { nowEpochSeconds: 0, tickSeconds: 60, invoke, onFailed: () => undefined };
  await expect(dispatchShards(watchedTargets(latest, own), use)).rejects.toThrow('ours');
});
