/** Messages beside the records of findings: kept as they were made, read as they were kept. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { recordsClient } from '../../../adapters/aws/finding-records.ts';
import { StoredMessages } from '../../../adapters/aws/stored-messages.ts';
import { Unreadable } from '../../../core/errors.ts';
import { withinTopic } from '../../../core/lifecycle/notification.ts';
import {
  leasedUntil,
  maxFindingsInMessage,
  messageToSend,
  sentMessage,
  voidMessage,
} from '../../../core/lifecycle/stored-message.ts';
import { aNotification, findingsOnVolumes, someLinks } from '../../fixtures/findings.ts';

const documents = mockClient(DynamoDBDocumentClient);
const messages = new StoredMessages(recordsClient(new DynamoDBClient({ region: 'us-east-1' })), 'findings');
const now = 1_795_132_800;

beforeEach(() => {
  documents.reset();
  documents.on(PutCommand).resolves({});
});
const itemPut = () => documents.commandCalls(PutCommand).at(-1)?.args[0].input.Item ?? {};

const toSend = () => messageToSend(aNotification(findingsOnVolumes(2)), ['finding-0', 'finding-1'], now);

test.each([
  ['about to be sent', toSend()],
  ['taken over', leasedUntil(toSend(), now + 5)],
  ['sent', sentMessage(toSend())],
  ['never to be sent', voidMessage('message-1', now)],
])('%s: read as it was written', async (_, message) => {
  expect(await messages.write(message, message.revision - 1)).toBe(true);
  documents.on(GetCommand).resolves({ Item: itemPut() });
  expect(await messages.read(message.messageId)).toEqual(message);
  expect(documents.commandCalls(GetCommand)[0]?.args[0].input).toEqual({
    TableName: 'findings',
    Key: { findingId: 'message#message-1' },
    ConsistentRead: true,
  });
});

test('is no record of a finding: it has no sourceStates, and is in no index', async () => {
  await messages.write(toSend(), 0);
  for (const name of ['sourceStates', 'openIn', 'toNotify']) expect(itemPut()).not.toHaveProperty(name);
});

test('one that is not there is null', async () => {
  documents.on(GetCommand).resolves({});
  expect(await messages.read('message-1')).toBeNull();
});

test('what is there already is not made twice', async () => {
  documents.on(PutCommand).rejects(new ConditionalCheckFailedException({ message: 'no', $metadata: {} }));
  expect(await messages.write(toSend(), 0)).toBe(false);
});

test('an item of another shape is Unreadable', async () => {
  await messages.write(toSend(), 0);
  documents.on(GetCommand).resolves({ Item: { ...itemPut(), notification: '{}' } });
  await expect(messages.read('message-1')).rejects.toThrow(Unreadable);
});

test('the largest is below the 400 KB of an item: all that SNS carries, and 5,000 ids', async () => {
  const findings = findingsOnVolumes(maxFindingsInMessage);
  const ids = findings.map((_, i) => i.toString(16).padStart(16, '0'));
  await messages.write(messageToSend(withinTopic(aNotification(findings, 'opened', someLinks)), ids, now), 0);
  const { notification, findingIds } = itemPut();
  // An element of a list is its bytes and one more; the rest is names and numbers.
  const bytes = Buffer.byteLength(String(notification), 'utf8') + findingIds.length * (16 + 1) + 1_000;
  expect(bytes).toBeLessThan(400_000);
});
