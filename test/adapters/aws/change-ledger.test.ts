/** The ledger of changes in DynamoDB: who wrote first is reported, what has ended leaves its index, other items are no changes. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { ChangeLedger } from '../../../adapters/aws/change-ledger.ts';
import { AccessDenied, Throttled } from '../../../core/errors.ts';
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { aChange } from '../../fixtures/volume-change.ts';
import { awsError } from './aws-error.ts';

const documents = mockClient(DynamoDBDocumentClient);
const ledger = new ChangeLedger(
  DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' })),
  'changes',
);
const ofVolume = ['111122223333', 'us-east-1', 'vol-0123456789abcdef0'] as const;
const volumeKey = 'volume 111122223333 us-east-1 vol-0123456789abcdef0';

/** The table, as far as conditions and keys go. */
let items: Map<string, Record<string, unknown>>;

function put({ Item = {}, ConditionExpression, ExpressionAttributeValues = {} }: PutCommandInput): object {
  const key = String(Item['changeId']);
  const before = items.get(key);
  const isAsRead =
    ConditionExpression === 'attribute_not_exists(changeId)'
      ? before === undefined
      : before?.['revision'] === ExpressionAttributeValues[':before'];
  if (!isAsRead) throw new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
  items.set(key, Item);
  return {};
}

beforeEach(() => {
  documents.reset();
  items = new Map();
  documents.on(PutCommand).callsFake(put);
  documents.on(GetCommand).callsFake(({ Key }) => ({ Item: items.get(Key.changeId) }));
  documents.on(QueryCommand).callsFake(() => ({
    Items: [...items.values()].filter(({ isOpen }) => isOpen === 'yes'),
  }));
  documents.on(ScanCommand).callsFake(() => ({ Items: [...items.values()] }));
});

const next = (change: VolumeChange): VolumeChange => ({ ...change, revision: change.revision + 1 });

describe('a change', () => {
  test('is read as it was written, one revision later, and consistently', async () => {
    expect(await ledger.write(aChange())).toBe(true);
    expect(await ledger.read('c-1')).toEqual(next(aChange()));
    const [read] = documents.commandCalls(GetCommand);
    expect(read?.args[0].input).toEqual({
      ...{ TableName: 'changes', Key: { changeId: 'c-1' }, ConsistentRead: true },
    });
  });

  test('of two who read the same one writes', async () => {
    await ledger.write(aChange());
    const read = next(aChange());
    expect(await ledger.write({ ...read, undoAskedBy: 'monitoring' })).toBe(true);
    expect(await ledger.write({ ...read, endedBy: 'slack:U0000000002' })).toBe(false);
    expect(await ledger.read('c-1')).toMatchObject({ undoAskedBy: 'monitoring', endedBy: null });
  });

  test('is begun once', async () => {
    expect(await ledger.write(aChange())).toBe(true);
    expect(await ledger.write(aChange({ requestedBy: 'slack:U0000000009' }))).toBe(false);
    expect(await ledger.read('c-1')).toMatchObject({ requestedBy: 'slack:U0000000001' });
  });

  test('whose write was answered late is written: the answer was lost, and the client sent it again', async () => {
    let sent: PutCommandInput['Item'];
    documents.on(PutCommand).callsFake(({ Item }: PutCommandInput) => {
      sent = Item;
      const Before = { writeId: { S: String(Item?.['writeId']) } };
      throw new ConditionalCheckFailedException({ message: 'no', $metadata: {}, Item: Before });
    });
    expect(await ledger.write(aChange())).toBe(true);
    expect(sent).toMatchObject({ changeId: 'c-1', revision: 1 });
  });

  test('that is not there is null, and so are the items beside the changes', async () => {
    await ledger.writeVolume(...ofVolume, { holder: 'c-1', takenSeconds: 1, revision: 0 });
    await ledger.writeBegun({ begun: [], revision: 0 });
    for (const id of ['c-9', volumeKey, 'begun']) expect(await ledger.read(id)).toBeNull();
  });
});

describe('what is open', () => {
  test('leaves its index with its end', async () => {
    await ledger.write(aChange());
    await ledger.write(aChange({ id: 'c-2' }));
    expect((await ledger.open()).map(({ id }) => id)).toEqual(['c-1', 'c-2']);
    await ledger.write(next(aChange({ end: { code: 'undone' } })));
    expect((await ledger.open()).map(({ id }) => id)).toEqual(['c-2']);
    const [asked] = documents.commandCalls(QueryCommand);
    expect(asked?.args[0].input).toMatchObject({ TableName: 'changes', IndexName: 'open' });
  });
});

describe('all of them', () => {
  test('page by page, without the items beside them', async () => {
    await ledger.write(aChange());
    await ledger.writeVolume(...ofVolume, { holder: 'c-1', takenSeconds: 1, revision: 0 });
    await ledger.writeBegun({ begun: [{ id: 'c-1', atSeconds: 1 }], revision: 0 });
    await ledger.write(aChange({ id: 'c-2', end: { code: 'undone' } }));
    const all = [...items.values()];
    documents
      .on(ScanCommand)
      .callsFake(({ ExclusiveStartKey }) =>
        ExclusiveStartKey === undefined
          ? { Items: all.slice(0, 3), LastEvaluatedKey: { changeId: 'begun' } }
          : { Items: all.slice(3) },
      );
    expect((await ledger.all()).map(({ id }) => id)).toEqual(['c-1', 'c-2']);
    expect(documents.commandCalls(ScanCommand)).toHaveLength(2);
  });
});

describe('by their ids', () => {
  const keysOf = ({ RequestItems }: BatchGetCommandInput): string[] =>
    (RequestItems?.['changes']?.Keys ?? []).map((key) => String(key['changeId']));
  const itemOf = (changeId: string): object => {
    const { id: _, ...item } = aChange();
    return { ...item, changeId };
  };

  test('250 are three calls of 100 keys at most; one that is not there is left out', async () => {
    documents.on(BatchGetCommand).callsFake((input) => ({
      Responses: {
        changes: keysOf(input)
          .filter((id) => id !== 'c-7')
          .map(itemOf),
      },
    }));
    const ids = Array.from({ length: 250 }, (_, i) => `c-${i}`);
    expect((await ledger.readAll(ids)).map(({ id }) => id)).toEqual(ids.filter((id) => id !== 'c-7'));
    const calls = documents
      .commandCalls(BatchGetCommand)
      .map(({ args: [{ input }] }) => keysOf(input).length);
    expect(calls).toEqual([100, 100, 50]);
  });

  test('what DynamoDB leaves unread is asked again', async () => {
    let calls = 0;
    documents.on(BatchGetCommand).callsFake((input) => {
      const [first = '', ...left] = keysOf(input);
      calls += 1;
      const Keys = left.map((changeId) => ({ changeId }));
      return {
        Responses: { changes: [itemOf(first)] },
        ...(left.length === 0 ? {} : { UnprocessedKeys: { changes: { Keys } } }),
      };
    });
    expect((await ledger.readAll(['c-1', 'c-2', 'c-3'])).map(({ id }) => id)).toEqual(['c-1', 'c-2', 'c-3']);
    expect(calls).toBe(3);
  });

  test('again and again unread, it is throttled: never half of the changes', async () => {
    documents
      .on(BatchGetCommand)
      .callsFake((input) => ({ Responses: {}, UnprocessedKeys: input.RequestItems }));
    await expect(ledger.readAll(['c-1'])).rejects.toThrow(Throttled);
  });
});

describe('a volume and what was begun', () => {
  test('of which nobody knows is free', async () => {
    expect(await ledger.volume(...ofVolume)).toEqual({
      ...{ holder: null, takenSeconds: 0, revision: 0 },
    });
    expect(await ledger.begun()).toEqual({ begun: [], revision: 0 });
  });

  test('is taken by one of two', async () => {
    const free = await ledger.volume(...ofVolume);
    expect(await ledger.writeVolume(...ofVolume, { ...free, holder: 'c-1', takenSeconds: 5 })).toBe(true);
    expect(await ledger.writeVolume(...ofVolume, { ...free, holder: 'c-2', takenSeconds: 5 })).toBe(false);
    expect(await ledger.volume(...ofVolume)).toMatchObject({ holder: 'c-1', takenSeconds: 5, revision: 1 });
    expect([...items.keys()]).toEqual([volumeKey]);
  });

  test('a place among what is begun is taken by one of two', async () => {
    const before = await ledger.begun();
    const place = (id: string) => ({ ...before, begun: [{ id, atSeconds: 5 }] });
    expect(await ledger.writeBegun(place('c-1'))).toBe(true);
    expect(await ledger.writeBegun(place('c-2'))).toBe(false);
    expect(await ledger.begun()).toMatchObject({ begun: [{ id: 'c-1', atSeconds: 5 }], revision: 1 });
  });
});

test('what may not be read is denied, and names the action', async () => {
  documents.on(GetCommand).rejects(awsError('AccessDeniedException', 'no', 400));
  await expect(ledger.read('c-1')).rejects.toThrow(AccessDenied);
  await expect(ledger.read('c-1')).rejects.toThrow(/^dynamodb:GetItem failed/);
});
