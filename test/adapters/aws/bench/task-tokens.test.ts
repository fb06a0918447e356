/** Who waits for which command. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { TaskTokens } from '../../../../adapters/aws/bench/task-tokens.ts';
import { Throttled } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const dynamo = mockClient(DynamoDBDocumentClient);
const tokens = new TaskTokens(
  DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' })),
  'waiting',
);
const waiting = { commandId: 'command-1', instanceId: 'i-1', taskToken: 'token-1' };

beforeEach(() => {
  dynamo.reset();
});

test('it is kept by the command, until its host is long gone', async () => {
  const asked = answerInTurn(dynamo.on(PutCommand), [{}]);
  await tokens.put(waiting, 1_800_000_000);
  expect(asked).toEqual([{ TableName: 'waiting', Item: { ...waiting, expiresEpochSeconds: 1_800_000_000 } }]);
});

test('it is read as it was written last', async () => {
  const asked = answerInTurn(dynamo.on(GetCommand), [{ Item: { ...waiting, expiresEpochSeconds: 1 } }, {}]);
  expect(await tokens.get('command-1')).toEqual(waiting);
  expect(asked).toEqual([{ TableName: 'waiting', Key: { commandId: 'command-1' }, ConsistentRead: true }]);
  expect(await tokens.get('of-somebody-else')).toBeNull();
});

test('it is removed', async () => {
  const asked = answerInTurn(dynamo.on(DeleteCommand), [{}]);
  await tokens.remove('command-1');
  expect(asked).toEqual([{ TableName: 'waiting', Key: { commandId: 'command-1' } }]);
});

test('what DynamoDB refuses is said', async () => {
  dynamo.on(GetCommand).rejects(awsError('ProvisionedThroughputExceededException', 'Slow down.'));
  await expect(tokens.get('command-1')).rejects.toThrow(Throttled);
});
