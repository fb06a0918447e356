/** What monitoring remembers of volumes in DynamoDB: what is due, what is written over, what is forgotten. */
import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { z } from 'zod';
import { Watches } from '../../../adapters/aws/watches.ts';
import { AccessDenied, Throttled } from '../../../core/errors.ts';
import { budgetSchema, newBudget } from '../../../core/monitoring/pace.ts';
import { newWatch, type Watch } from '../../../core/monitoring/watch.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { awsError } from './aws-error.ts';

const documents = mockClient(DynamoDBDocumentClient);
const watches = new Watches(
  DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' })),
  'watches',
);
const now = 1_795_132_800;
const aWatch = (volumeId: string, changes: Partial<Watch> = {}): Watch => ({
  ...newWatch(aVolume({ volumeId, region: 'us-east-1' }), now),
  ...changes,
});
/** The first byte of the hash of its id, in eight parts. */
const shardOf = (volumeId: string, region = 'us-east-1'): string =>
  `${region} ${(createHash('sha256').update(volumeId).digest()[0] ?? 0) % 8}`;
/** Pages of items by shard, as the table has them; of the others none. */
function ofShards(pages: Record<string, object[][]>): void {
  documents.on(QueryCommand).callsFake(({ ExpressionAttributeValues, ExclusiveStartKey }) => {
    const shard = ExpressionAttributeValues[':shard'];
    const page = ExclusiveStartKey?.page ?? 0;
    const ofShard = pages[shard] ?? [[]];
    const Items = ofShard[page]?.map((item) => ({ shard, ...item }));
    return { Items, ...(page + 1 < ofShard.length ? { LastEvaluatedKey: { page: page + 1 } } : {}) };
  });
}
const forgotten = () => documents.commandCalls(DeleteCommand).map(({ args: [{ input }] }) => input);

beforeEach(() => {
  documents.reset();
  documents.on(DeleteCommand).resolves({});
});

describe('what is due', () => {
  test('is asked of its index, of every shard and page by page, the longest due first', async () => {
    const later = aWatch('vol-1', { nextPollEpochSeconds: now - 60 });
    const longest = aWatch('vol-2', { nextPollEpochSeconds: now - 90 });
    ofShards({
      'us-east-1 0': [[later], [aWatch('vol-4')]],
      'us-east-1 7': [[longest, aWatch('vol-3')]],
    });
    expect(await watches.due('us-east-1', now)).toEqual([longest, later, aWatch('vol-4'), aWatch('vol-3')]);
    const asked = documents.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
    expect(asked[0]).toMatchObject({
      TableName: 'watches',
      IndexName: 'due',
      KeyConditionExpression: '#shard = :shard AND nextPollEpochSeconds <= :now',
      ExpressionAttributeNames: { '#shard': 'shard' },
      ExpressionAttributeValues: { ':shard': 'us-east-1 0', ':now': now },
    });
    // One call a shard, and one more for the second page of the first.
    const shards = asked.map(({ ExpressionAttributeValues }) => ExpressionAttributeValues?.[':shard']);
    expect(shards.sort()).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7].map((shard) => `us-east-1 ${shard}`));
    expect(forgotten()).toEqual([]);
  });

  test.each([
    ['of another version', { ...aWatch('vol-2'), paces: [1] }],
    ['with a part that is no number', { ...aWatch('vol-2'), seenUntilEpochSeconds: 'yesterday' }],
    ['with a part missing', { volumeId: 'vol-2', region: 'us-east-1', nextPollEpochSeconds: 1 }],
  ])('one %s is forgotten: its volume is new again, and the others are looked at', async (_, strange) => {
    ofShards({ 'us-east-1 3': [[aWatch('vol-1'), strange, aWatch('vol-3')]] });
    expect(await watches.due('us-east-1', now)).toEqual([aWatch('vol-1'), aWatch('vol-3')]);
    expect(forgotten()).toEqual([{ TableName: 'watches', Key: { shard: 'us-east-1 3', volumeId: 'vol-2' } }]);
  });
});

test('the volumes that are watched, page by page, and no more of them than their ids', async () => {
  ofShards({
    'eu-west-1 0': [[{ volumeId: 'vol-1' }], [{ volumeId: 'vol-2' }]],
    'eu-west-1 5': [[{ volumeId: 'vol-3' }]],
  });
  expect(await watches.volumeIds('eu-west-1')).toEqual(['vol-1', 'vol-2', 'vol-3']);
  const [asked] = documents.commandCalls(QueryCommand).map(({ args: [{ input }] }) => input);
  expect(asked).toMatchObject({
    KeyConditionExpression: '#shard = :shard',
    ExpressionAttributeNames: { '#shard': 'shard' },
    ProjectionExpression: 'volumeId',
    ExpressionAttributeValues: { ':shard': 'eu-west-1 0' },
  });
  expect(asked).not.toHaveProperty('IndexName');
});

describe('writing', () => {
  const refused = () => new ConditionalCheckFailedException({ message: 'no', $metadata: {} });

  test('each where there is none, or none of a later look', async () => {
    documents.on(PutCommand).resolves({});
    await watches.write([aWatch('vol-1', { revision: 3 }), aWatch('vol-2')]);
    const put = (watch: Watch) => ({
      TableName: 'watches',
      Item: { ...watch, shard: shardOf(watch.volumeId) },
      ConditionExpression: 'attribute_not_exists(volumeId) OR revision <= :revision',
      ExpressionAttributeValues: { ':revision': watch.revision },
    });
    expect(documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input)).toEqual([
      put(aWatch('vol-1', { revision: 3 })),
      put(aWatch('vol-2')),
    ]);
  });

  test('one that is refused was looked at later by another tick: that look counts, and the others are written', async () => {
    documents.on(PutCommand).rejectsOnce(refused()).resolves({});
    await watches.write([aWatch('vol-1'), aWatch('vol-2')]);
    expect(documents.commandCalls(PutCommand)).toHaveLength(2);
  });

  test('any other failure is thrown', async () => {
    documents.on(PutCommand).rejects(awsError('AccessDeniedException', 'No.'));
    await expect(watches.write([aWatch('vol-1')])).rejects.toThrow(AccessDenied);
  });

  test('a fleet is written by a few at a time', async () => {
    let [atOnce, most] = [0, 0];
    documents.on(PutCommand).callsFake(async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return {};
    });
    await watches.write(Array.from({ length: 100 }, (_, i) => aWatch(`vol-${i}`)));
    expect(documents.commandCalls(PutCommand)).toHaveLength(100);
    expect(most).toBe(20);
  });
});

test('the volumes of a Region are spread evenly, and each is always in the same place', async () => {
  documents.on(PutCommand).resolves({});
  const all = Array.from({ length: 4_000 }, (_, i) => aWatch(`vol-0${i.toString(16).padStart(16, '0')}`));
  await watches.write(all);
  await watches.forget(all);
  const written = documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input.Item ?? {});
  const ofShard = Map.groupBy(written, ({ shard }) => shard);
  expect(ofShard.size).toBe(8);
  // 4,000 / 8 = 500 each; by chance 20 more or less are one standard deviation.
  for (const items of ofShard.values()) expect(Math.abs(items.length - 500)).toBeLessThan(100);
  expect(forgotten().map(({ Key }) => Key)).toEqual(
    written.map(({ shard, volumeId }) => ({ shard, volumeId })),
  );
});

test('what is forgotten is deleted by shard and volume', async () => {
  await watches.forget(['vol-1', 'vol-2'].map((volumeId) => ({ region: 'eu-west-1', volumeId })));
  expect(forgotten().map(({ Key }) => Key)).toEqual([
    { shard: shardOf('vol-1', 'eu-west-1'), volumeId: 'vol-1' },
    { shard: shardOf('vol-2', 'eu-west-1'), volumeId: 'vol-2' },
  ]);
});

describe('the budget', () => {
  const budget = newBudget(1_000_000, now);
  const key = { shard: 'budget', volumeId: 'month' };

  test('is read as it was kept, beside the volumes and as of now', async () => {
    documents.on(PutCommand).resolves({});
    expect(await watches.keepBudget(budget)).toBe(true);
    const Item = documents.commandCalls(PutCommand)[0]?.args[0].input.Item ?? {};
    expect(Item).toEqual({ ...key, state: budget });
    documents.on(GetCommand).resolves({ Item });
    expect(await watches.budget(budgetSchema)).toEqual(budget);
    expect(documents.commandCalls(GetCommand)[0]?.args[0].input).toEqual({
      ...{ TableName: 'watches', Key: key, ConsistentRead: true },
    });
  });

  test('is kept unless a later tick kept one; what is there of another form is written over', async () => {
    documents.on(PutCommand).resolvesOnce({});
    await watches.keepBudget(budget);
    expect(documents.commandCalls(PutCommand)[0]?.args[0].input).toMatchObject({
      ConditionExpression: 'NOT #state.atEpochSeconds > :at',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':at': now },
    });
    documents.on(PutCommand).rejects(new ConditionalCheckFailedException({ message: 'no', $metadata: {} }));
    expect(await watches.keepBudget(budget)).toBe(false);
  });

  test.each([
    ['none', undefined],
    ['one of another form', { ...key, state: { metricsPerMonth: 'many' } }],
    ['an item without one', key],
  ])('%s is null: monitoring goes on with a new one', async (_, Item) => {
    documents.on(GetCommand).resolves(Item === undefined ? {} : { Item });
    expect(await watches.budget(budgetSchema)).toBeNull();
  });
});

test.each([
  ['due', () => watches.due('us-east-1', now), 'dynamodb:Query'],
  ['volumeIds', () => watches.volumeIds('us-east-1'), 'dynamodb:Query'],
  ['write', () => watches.write([aWatch('vol-1')]), 'dynamodb:PutItem'],
  ['forget', () => watches.forget([{ region: 'us-east-1', volumeId: 'vol-1' }]), 'dynamodb:DeleteItem'],
  ['budget', () => watches.budget(budgetSchema), 'dynamodb:GetItem'],
  ['keepBudget', () => watches.keepBudget(newBudget(1, now)), 'dynamodb:PutItem'],
])('%s that fails names the call', async (_, ask, call) => {
  for (const command of [QueryCommand, PutCommand, DeleteCommand, GetCommand])
    documents.on(command as never).rejects(awsError('ThrottlingException', 'Slow'));
  await expect(ask()).rejects.toThrow(Throttled);
  await expect(ask()).rejects.toThrow(`${call} failed: ThrottlingException: Slow`);
});

describe('the lease of a tick', () => {
  const refused = () => new ConditionalCheckFailedException({ message: 'no', $metadata: {} });

  test('is taken where there is none, where the last one ended, or by its own holder', async () => {
    documents.on(PutCommand).resolves({});
    expect(await watches.takeLease('me', now, now + 150)).toBe(true);
    expect(documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input)).toEqual([
      {
        TableName: 'watches',
        Item: { shard: 'lease', volumeId: 'tick', holder: 'me', untilEpochSeconds: now + 150 },
        ConditionExpression:
          'attribute_not_exists(volumeId) OR untilEpochSeconds <= :now OR holder = :holder',
        ExpressionAttributeValues: { ':now': now, ':holder': 'me' },
      },
    ]);
  });

  test('is not taken from who holds it', async () => {
    documents.on(PutCommand).rejects(refused());
    expect(await watches.takeLease('me', now, now + 150)).toBe(false);
  });

  test('is ended by its holder alone', async () => {
    documents.on(DeleteCommand).rejects(refused());
    await watches.endLease('me');
    expect(forgotten()).toEqual([
      {
        TableName: 'watches',
        Key: { shard: 'lease', volumeId: 'tick' },
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': 'me' },
      },
    ]);
  });

  test('any other failure is thrown', async () => {
    documents.on(PutCommand).rejects(awsError('AccessDeniedException', 'No.'));
    await expect(watches.takeLease('me', now, now + 150)).rejects.toThrow(AccessDenied);
  });
});

describe('of several accounts', () => {
  const target = { partition: 'aws', account: '111122223333', region: 'us-east-1' };
  const watch = (volumeId: string): Watch => ({ ...aWatch(volumeId), account: target.account });
  const byte = (text: string): number => createHash('sha256').update(text).digest()[0] ?? 0;
  const shard = byte(target.account) % 32;
  const itemOf = (one: Watch) => ({ ...one, volumeId: `111122223333/us-east-1/${one.volumeId}` });

  test('a watch lies with its shard of accounts, in one of eight partitions, by account, Region and volume', async () => {
    documents.on(PutCommand).resolves({});
    await watches.write([watch('vol-1')]);
    await watches.forget([watch('vol-1')]);
    const Key = {
      ...{ shard: `accounts ${shard} ${byte('vol-1') % 8}`, volumeId: '111122223333/us-east-1/vol-1' },
    };
    expect(documents.commandCalls(PutCommand)[0]?.args[0].input.Item).toEqual({ ...watch('vol-1'), ...Key });
    expect(forgotten().map((input) => input.Key)).toEqual([Key]);
  });

  test('a partition is written 200 times a second at most', async () => {
    const at: number[] = [];
    documents.on(PutCommand).callsFake(async () => {
      at.push(performance.now());
      return {};
    });
    const begun = performance.now();
    await watches.write(Array.from({ length: 40 }, (_, i) => ({ ...watch('vol-1'), revision: i })));
    // 39 times 5 ms; timers may be a millisecond early. From the beginning, since the first one may come late.
    expect((at.at(-1) ?? 0) - begun).toBeGreaterThan(190);
  });

  test('what is due is asked of the shard, eight queries for all its accounts, and comes back as it was written', async () => {
    ofShards({ [`accounts ${shard} 2`]: [[itemOf(watch('vol-1'))]] });
    expect(await watches.dueOfShard(shard, now)).toEqual([watch('vol-1')]);
    expect(documents.commandCalls(QueryCommand)).toHaveLength(8);
  });

  test('one of another form is forgotten where it lies', async () => {
    ofShards({ [`accounts ${shard} 2`]: [[{ ...itemOf(watch('vol-1')), revision: 'x' }]] });
    expect(await watches.dueOfShard(shard, now)).toEqual([]);
    expect(forgotten().map(({ Key }) => Key)).toEqual([
      { shard: `accounts ${shard} 2`, volumeId: '111122223333/us-east-1/vol-1' },
    ]);
  });

  test('of one target they are asked for by the beginning of their keys', async () => {
    ofShards({ [`accounts ${shard} 0`]: [[itemOf(watch('vol-1'))]] });
    expect(await watches.ofTarget(target)).toEqual([watch('vol-1')]);
    expect(await watches.volumeIdsOfTarget(target)).toEqual(['vol-1']);
    for (const { args } of documents.commandCalls(QueryCommand))
      expect(args[0].input).toMatchObject({
        KeyConditionExpression: '#shard = :shard AND begins_with(volumeId, :place)',
        ExpressionAttributeValues: { ':place': '111122223333/us-east-1/' },
      });
  });

  test('each shard has a lease of its own', async () => {
    documents.on(PutCommand).resolves({});
    expect(await watches.takeLease('me', now, now + 150, 7)).toBe(true);
    await watches.endLease('me', 7);
    expect(documents.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({
      ...{ shard: 'lease', volumeId: 'shard 7', holder: 'me' },
    });
    expect(forgotten().map(({ Key }) => Key)).toEqual([{ shard: 'lease', volumeId: 'shard 7' }]);
  });

  test('when its targets were read is kept by shard; of another form it is as if there were none', async () => {
    documents.on(PutCommand).resolves({});
    const schema = z.record(z.string(), z.number());
    await watches.keepInventoryIndex(7, { a: 1 });
    const { Item } = documents.commandCalls(PutCommand)[0]?.args[0].input ?? {};
    expect(Item).toEqual({ shard: 'inventories', volumeId: 'shard 7', targets: { a: 1 } });
    documents
      .on(GetCommand)
      .resolvesOnce({ Item })
      .resolvesOnce({ Item: { targets: { a: 'x' } } });
    expect(await watches.inventoryIndex(7, schema)).toEqual({ a: 1 });
    expect(await watches.inventoryIndex(7, schema)).toEqual({});
  });

  const refused = () => new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
  const budget = newBudget(3_000_000, now);

  test('no more is taken of the budget than there is', async () => {
    documents.on(UpdateCommand).resolvesOnce({}).rejectsOnce(refused());
    expect(await watches.takeOfBudget(40)).toBe(true);
    expect(await watches.takeOfBudget(40)).toBe(false);
    expect(documents.commandCalls(UpdateCommand)[0]?.args[0].input).toEqual({
      ...{ TableName: 'watches', Key: { shard: 'budget', volumeId: 'month' } },
      UpdateExpression: 'SET #state.#left = #state.#left - :metrics',
      ConditionExpression: '#state.#left >= :metrics',
      ExpressionAttributeNames: { '#state': 'state', '#left': 'left' },
      ExpressionAttributeValues: { ':metrics': 40 },
    });
  });

  test('what came in comes in once: by who read it last, on top of what others took meanwhile', async () => {
    documents.on(UpdateCommand).resolvesOnce({}).rejectsOnce(refused());
    // 3,000,000 in 30 days are 100,000 a day and 69.4 a minute.
    const after = { ...budget, left: budget.left + 69.4, atEpochSeconds: now + 60 };
    expect(await watches.accrueBudget(budget, after)).toBe(true);
    expect(await watches.accrueBudget(budget, after)).toBe(false);
    const { ConditionExpression, ExpressionAttributeValues } =
      documents.commandCalls(UpdateCommand)[0]?.args[0].input ?? {};
    expect(ConditionExpression).toBe('#state.atEpochSeconds = :before');
    expect(ExpressionAttributeValues).toMatchObject({ ':before': now, ':at': now + 60 });
    expect(ExpressionAttributeValues?.[':came']).toBeCloseTo(69.4);
  });

  test('a budget of some accounts is an item of its own', async () => {
    documents.on(UpdateCommand).resolves({});
    documents.on(PutCommand).resolves({});
    documents.on(GetCommand).resolves({ Item: { state: budget } });
    await watches.takeOfBudget(40, 'abc');
    await watches.accrueBudget(budget, budget, 'abc');
    await watches.beginBudget(budget, 'abc');
    expect(await watches.budget(budgetSchema, 'abc')).toEqual(budget);
    const updates = documents.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input.Key);
    const [put] = documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input.Item);
    const [get] = documents.commandCalls(GetCommand).map(({ args: [{ input }] }) => input.Key);
    const own = { shard: 'budget', volumeId: 'accounts abc' };
    expect([...updates, put, get]).toEqual([own, own, { ...own, state: budget }, own]);
  });

  test('the first budget is kept once', async () => {
    documents.on(PutCommand).resolvesOnce({}).rejectsOnce(refused());
    expect(await watches.beginBudget(budget)).toBe(true);
    expect(await watches.beginBudget(budget)).toBe(false);
  });
});
