/** What is remembered of channels: conditional writes, and what one that is refused means. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { ChannelState } from '../../../adapters/aws/channel-state.ts';
import { Throttled } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const documents = mockClient(DynamoDBDocumentClient);
const memory = new ChannelState(
  DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' })),
  'posted',
);
const refused = () => new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
/** 2026-11-19 12:00 UTC: the start of an hour. */
const noon = 1_795_089_600;

const updates = () => documents.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input);
const puts = () => documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input);

beforeEach(() => {
  documents.reset();
});

describe('messages of an hour', () => {
  test('one is taken while there are fewer than the most, and forgotten when the hour is long over', async () => {
    documents.on(UpdateCommand).resolves({});
    expect(await memory.takeOfHour('slack', noon, 60)).toBe(true);
    expect(updates()).toEqual([
      {
        TableName: 'posted',
        Key: { id: `hour#slack#${noon}` },
        UpdateExpression: 'ADD taken :one SET expiration = :expiration',
        ConditionExpression: 'attribute_not_exists(taken) OR taken < :most',
        ExpressionAttributeValues: { ':one': 1, ':most': 60, ':expiration': noon + 7_200 },
      },
    ]);
  });

  test('a write that is refused: all were taken', async () => {
    documents.on(UpdateCommand).rejects(refused());
    expect(await memory.takeOfHour('slack', noon, 60)).toBe(false);
  });

  test('one that is given back is free again, and there are never fewer than none', async () => {
    documents.on(UpdateCommand).resolvesOnce({}).rejects(refused());
    await memory.giveBackOfHour('slack', noon);
    expect(updates()).toEqual([
      {
        TableName: 'posted',
        Key: { id: `hour#slack#${noon}` },
        UpdateExpression: 'ADD taken :back',
        ConditionExpression: 'taken > :none',
        ExpressionAttributeValues: { ':back': -1, ':none': 0 },
      },
    ]);
    await expect(memory.giveBackOfHour('slack', noon)).resolves.toBeUndefined();
  });
});

test('a change of an alarm is the newest where no later one is known', async () => {
  documents.on(UpdateCommand).resolvesOnce({}).rejects(refused());
  expect(await memory.isNewestOfAlarm('arn:alarm', 7_000, noon)).toBe(true);
  expect(updates()).toEqual([
    {
      TableName: 'posted',
      Key: { id: 'alarm#arn:alarm' },
      UpdateExpression: 'SET changedAtMs = :changed, expiration = :expiration',
      ConditionExpression: 'attribute_not_exists(changedAtMs) OR changedAtMs <= :changed',
      ExpressionAttributeValues: { ':changed': 7_000, ':expiration': noon + 30 * 86_400 },
    },
  ]);
  expect(await memory.isNewestOfAlarm('arn:alarm', 6_000, noon)).toBe(false);
});

test('what is about to be said of a finding is noted where it is news, and what was said where nothing later was', async () => {
  documents.on(UpdateCommand).resolvesOnce({}).resolvesOnce({}).rejects(refused());
  const saying = { findingId: 'finding-1', order: 7, isResolved: false };
  expect(await memory.beginSaying('dba', saying, noon)).toBe(true);
  await memory.noteSaid('dba', saying, noon);
  const of = {
    Key: { id: 'said#dba#finding-1' },
    ExpressionAttributeValues: { ':order': 7, ':expiration': noon + 30 * 86_400 },
  };
  expect(updates()).toMatchObject([
    {
      ...{ ...of, UpdateExpression: 'SET begun = :order, expiration = :expiration' },
      ConditionExpression:
        'attribute_not_exists(begun) OR begun <= :order AND attribute_not_exists(said) OR begun <= :order AND said < :order',
    },
    {
      ...{ ...of, UpdateExpression: 'SET said = :order, knowsOpen = :knowsOpen, expiration = :expiration' },
      ConditionExpression: 'attribute_not_exists(said) OR said < :order',
    },
  ]);
  expect(await memory.beginSaying('dba', saying, noon)).toBe(false);
  await expect(memory.noteSaid('dba', { ...saying, order: 6 }, noon)).resolves.toBeUndefined();
});

test.each([
  ['where nothing stands there: it may be forgotten', {}, true],
  ['where it was said to be open', { waits: 5, begun: 6, said: 6, knowsOpen: true }, true],
  ['where it is not known whether it was said to be open', { waits: 5, begun: 6 }, true],
  ['but not where it was over before it could be said', { waits: 5 }, false],
  [
    'but not where it was over before it could be said again',
    { waits: 5, begun: 4, said: 4, knowsOpen: false },
    false,
  ],
])('the end of a finding is said, %s', async (_, Attributes, isSaid) => {
  documents.on(UpdateCommand).resolvesOnce({ Attributes }).resolves({});
  const end = { findingId: 'finding-1', order: 7, isResolved: true };
  expect(await memory.beginSaying('dba', end, noon)).toBe(isSaid);
  // What needs no saying counts as said: what is older than it is overtaken.
  expect(updates()).toHaveLength(isSaid ? 1 : 2);
});

describe('requests that came', () => {
  test('the first one is written where there is none', async () => {
    documents.on(PutCommand).resolves({});
    expect(await memory.isFirst('abc', noon)).toBe(true);
    expect(puts()).toEqual([
      {
        TableName: 'posted',
        Item: { id: 'seen#abc', expiration: noon },
        ConditionExpression: 'attribute_not_exists(id)',
      },
    ]);
  });

  test('a write that is refused: it came before', async () => {
    documents.on(PutCommand).rejects(refused());
    expect(await memory.isFirst('abc', noon)).toBe(false);
  });
});

describe('threads', () => {
  const ts = '1795089600.000100';

  test('what was kept is read, by channel and finding, and kept for another 90 days', async () => {
    documents.on(PutCommand).resolves({});
    documents.on(UpdateCommand).resolves({ Attributes: { ts, expiration: 1 } });
    await memory.keepThread('dba', 'finding-1', ts, noon);
    expect(await memory.thread('dba', 'finding-1', noon)).toBe(ts);
    const [kept] = puts();
    expect(kept).toMatchObject({ TableName: 'posted', Item: { id: 'thread#dba#finding-1', ts } });
    // Whoever is reported on a later day finds the thread of before.
    expect(kept).not.toHaveProperty('ConditionExpression');
    const [read] = updates();
    expect(read).toMatchObject({
      Key: { id: 'thread#dba#finding-1' },
      UpdateExpression: 'SET expiration = :expiration',
      ConditionExpression: 'attribute_exists(ts)',
      ReturnValues: 'ALL_NEW',
    });
    for (const until of [kept?.Item?.['expiration'], read?.ExpressionAttributeValues?.[':expiration']])
      expect(until).toBe(noon + 90 * 86_400);
  });

  test('a write that is refused: there is none', async () => {
    documents.on(UpdateCommand).rejects(refused());
    expect(await memory.thread('dba', 'finding-1', noon)).toBeNull();
  });

  test.each([[undefined], [{ ts: 5 }]])('of another form is none: %j', async (Attributes) => {
    documents.on(UpdateCommand).resolves(Attributes === undefined ? {} : { Attributes });
    expect(await memory.thread('dba', 'finding-1', noon)).toBeNull();
  });
});

test.each([
  ['takeOfHour', () => memory.takeOfHour('slack', noon, 60), 'dynamodb:UpdateItem'],
  ['giveBackOfHour', () => memory.giveBackOfHour('slack', noon), 'dynamodb:UpdateItem'],
  ['isFirst', () => memory.isFirst('abc', noon), 'dynamodb:PutItem'],
  ['thread', () => memory.thread('dba', 'finding-1', noon), 'dynamodb:UpdateItem'],
  ['keepThread', () => memory.keepThread('dba', 'finding-1', '1.2', noon), 'dynamodb:PutItem'],
])('%s that fails in another way is no answer: it names the call', async (_, ask, call) => {
  documents.on(UpdateCommand).rejects(awsError('ThrottlingException', 'Slow'));
  documents.on(PutCommand).rejects(awsError('ThrottlingException', 'Slow'));
  await expect(ask()).rejects.toThrow(Throttled);
  await expect(ask()).rejects.toThrow(`${call} failed: ThrottlingException: Slow`);
});
