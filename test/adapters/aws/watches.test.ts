/** What monitoring remembers of volumes in DynamoDB: what is due, what is written over, what is forgotten. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { Watches } from '../../../adapters/aws/watches.ts';
import { AccessDenied, Throttled } from '../../../core/errors.ts';
import { budgetSchema, newBudget } from '../../../core/monitoring/pace.ts';
import { newWatch, type Watch } from '../../../core/monitoring/watch.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { answerInTurn } from './answer-in-turn.ts';
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
const forgotten = () => documents.commandCalls(DeleteCommand).map(({ args: [{ input }] }) => input);

beforeEach(() => {
  documents.reset();
  documents.on(DeleteCommand).resolves({});
});

describe('what is due', () => {
  test('is asked of its index, page by page', async () => {
    const asked = answerInTurn(documents.on(QueryCommand), [
      { Items: [aWatch('vol-1')], LastEvaluatedKey: { volumeId: 'vol-1' } },
      { Items: [aWatch('vol-2')] },
    ]);
    expect(await watches.due('us-east-1', now)).toEqual([aWatch('vol-1'), aWatch('vol-2')]);
    const query = {
      TableName: 'watches',
      IndexName: 'due',
      KeyConditionExpression: '#region = :region AND nextPollEpochSeconds <= :now',
      ExpressionAttributeNames: { '#region': 'region' },
      ExpressionAttributeValues: { ':region': 'us-east-1', ':now': now },
    };
    expect(asked).toMatchObject([query, { ...query, ExclusiveStartKey: { volumeId: 'vol-1' } }]);
    expect(forgotten()).toEqual([]);
  });

  test.each([
    ['of another version', { ...aWatch('vol-2'), paces: [1] }],
    ['with a part that is no number', { ...aWatch('vol-2'), seenUntilEpochSeconds: 'yesterday' }],
    ['with a part missing', { volumeId: 'vol-2', region: 'us-east-1', nextPollEpochSeconds: 1 }],
  ])('one %s is forgotten: its volume is new again, and the others are looked at', async (_, strange) => {
    documents.on(QueryCommand).resolves({ Items: [aWatch('vol-1'), strange, aWatch('vol-3')] });
    expect(await watches.due('us-east-1', now)).toEqual([aWatch('vol-1'), aWatch('vol-3')]);
    expect(forgotten()).toEqual([{ TableName: 'watches', Key: { region: 'us-east-1', volumeId: 'vol-2' } }]);
  });
});

test('the volumes that are watched, page by page, and no more of them than their ids', async () => {
  const asked = answerInTurn(documents.on(QueryCommand), [
    { Items: [{ volumeId: 'vol-1' }], LastEvaluatedKey: { volumeId: 'vol-1' } },
    { Items: [{ volumeId: 'vol-2' }] },
  ]);
  expect(await watches.volumeIds('eu-west-1')).toEqual(['vol-1', 'vol-2']);
  expect(asked[0]).toMatchObject({
    ProjectionExpression: 'volumeId',
    ExpressionAttributeValues: { ':region': 'eu-west-1' },
  });
  expect(asked[0]).not.toHaveProperty('IndexName');
});

describe('writing', () => {
  const refused = () => new ConditionalCheckFailedException({ message: 'no', $metadata: {} });

  test('each where there is none, or none of a later look', async () => {
    documents.on(PutCommand).resolves({});
    await watches.write([aWatch('vol-1', { revision: 3 }), aWatch('vol-2')]);
    const put = (watch: Watch) => ({
      TableName: 'watches',
      Item: watch,
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

test('what is forgotten is deleted by Region and volume', async () => {
  await watches.forget(['vol-1', 'vol-2'].map((volumeId) => ({ region: 'eu-west-1', volumeId })));
  expect(forgotten().map(({ Key }) => Key)).toEqual([
    { region: 'eu-west-1', volumeId: 'vol-1' },
    { region: 'eu-west-1', volumeId: 'vol-2' },
  ]);
});

describe('the budget', () => {
  const budget = newBudget(1_000_000, now);
  const key = { region: 'budget', volumeId: 'month' };

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
        Item: { region: 'lease', volumeId: 'tick', holder: 'me', untilEpochSeconds: now + 150 },
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
        Key: { region: 'lease', volumeId: 'tick' },
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
