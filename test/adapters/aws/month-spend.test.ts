/** What reading cost in a month: added up by AWS, so that two at once both count. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { addSpend } from '../../../adapters/aws/month-spend.ts';
import { Throttled, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const documents = mockClient(DynamoDBDocumentClient);
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }));
const now = new Date('2026-11-30T23:59:59Z');
const adding = (source: 'audit' | 'monitoring', usd = 0.25) =>
  addSpend(client, 'spend', { source, usd, now });

beforeEach(() => {
  documents.reset();
});

test('is added to who read, in the calendar month (UTC), and what the month cost by now comes back', async () => {
  documents.on(UpdateCommand).resolves({ Attributes: { month: '2026-11', audit: 1.5, monitoring: 0.75 } });
  expect(await adding('monitoring')).toEqual({ audit: 1.5, monitoring: 0.75 });
  expect(documents.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input)).toEqual([
    {
      TableName: 'spend',
      Key: { month: '2026-11' },
      UpdateExpression: 'ADD #source :usd SET expires = :expires',
      ExpressionAttributeNames: { '#source': 'monitoring' },
      ExpressionAttributeValues: {
        ':usd': 0.25,
        ':expires': 1_796_083_199 + 400 * 86_400, // 2026-11-30T23:59:59Z and 400 days
      },
      ReturnValues: 'ALL_NEW',
    },
  ]);
});

test('what accounts with a budget of their own cost is an item of its own', async () => {
  documents.on(UpdateCommand).resolves({ Attributes: { month: '2026-11 abc', audit: 0.25 } });
  await addSpend(client, 'spend', { source: 'audit', usd: 0.25, now, ofAccounts: 'abc' });
  const [call] = documents.commandCalls(UpdateCommand);
  expect(call?.args[0].input.Key).toEqual({ month: '2026-11 abc' });
});

test('who did not read yet cost nothing', async () => {
  documents.on(UpdateCommand).resolves({ Attributes: { month: '2026-11', audit: 0.25 } });
  expect(await adding('audit')).toEqual({ audit: 0.25, monitoring: 0 });
});

test.each([[undefined], [{ month: '2026-11', audit: 'much' }]])(
  'a reply of another form is Unreadable, and no cost of zero: %j',
  async (Attributes) => {
    documents.on(UpdateCommand).resolves(Attributes === undefined ? {} : { Attributes });
    await expect(adding('audit')).rejects.toThrow(Unreadable);
  },
);

test('a failure names the call', async () => {
  documents.on(UpdateCommand).rejects(awsError('ThrottlingException', 'Slow'));
  await expect(adding('audit')).rejects.toThrow(Throttled);
  await expect(adding('audit')).rejects.toThrow('dynamodb:UpdateItem failed: ThrottlingException: Slow');
});
