/** The memory of what was told: which keys are asked, and under which conditions an item is written. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { ToldFindings } from '../../../adapters/aws/told-findings.ts';
import type { ToldRecord } from '../../../core/advisory/what-to-tell.ts';
import { AccessDenied, Throttled, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const documents = mockClient(DynamoDBDocumentClient);
const told = new ToldFindings(
  DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' })),
  'told',
);
const conditionFailed = new ConditionalCheckFailedException({ message: 'no', $metadata: {} });

const record = (findingId: string, values: Partial<ToldRecord> = {}): ToldRecord => ({
  findingId,
  severity: 'warning',
  runId: 'run-1',
  claimedEpochSeconds: 1_000,
  confirmed: true,
  expiresEpochSeconds: 9_000,
  change: 'new',
  messageId: 'message-1',
  ...values,
});

beforeEach(() => {
  documents.reset();
});

const keysOf = ({ RequestItems }: BatchGetCommandInput): string[] =>
  (RequestItems?.['told']?.Keys ?? []).map((key) => String(key['findingId']));

describe('reading', () => {
  test('250 findings are three calls, of 100 keys at most; what was never told is not there', async () => {
    documents.on(BatchGetCommand).callsFake((input: BatchGetCommandInput) => ({
      Responses: {
        told: keysOf(input)
          .filter((id) => id !== 'f-7')
          .map((id) => record(id)),
      },
    }));
    const ids = Array.from({ length: 250 }, (_, i) => `f-${i}`);
    const records = await told.read(ids);
    const calls = documents.commandCalls(BatchGetCommand).map(({ args: [{ input }] }) => input);
    expect(calls.map((input) => keysOf(input).length)).toEqual([100, 100, 50]);
    expect(calls.every((input) => input.RequestItems?.['told']?.ConsistentRead)).toBe(true);
    expect(records.size).toBe(249);
    expect(records.has('f-7')).toBe(false);
    expect(records.get('f-249')).toEqual(record('f-249'));
  });

  test('nothing to read is no call', async () => {
    expect((await told.read([])).size).toBe(0);
    expect(documents.calls()).toHaveLength(0);
  });

  test('keys that DynamoDB hands back are asked for again', async () => {
    const left = { told: { Keys: [{ findingId: 'b' }] } };
    documents
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { told: [record('a')] }, UnprocessedKeys: left })
      .resolvesOnce({ UnprocessedKeys: left })
      .resolvesOnce({ Responses: { told: [record('b')] }, UnprocessedKeys: {} });
    expect([...(await told.read(['a', 'b'])).keys()]).toEqual(['a', 'b']);
    const [, second, third] = documents.commandCalls(BatchGetCommand).map(({ args: [{ input }] }) => input);
    expect(second?.RequestItems).toEqual(left);
    expect(third?.RequestItems).toEqual(left);
  });

  test('keys that stay unread are Throttled: an unread memory would tell everything again', async () => {
    documents.on(BatchGetCommand).resolves({ UnprocessedKeys: { told: { Keys: [{ findingId: 'a' }] } } });
    await expect(told.read(['a'])).rejects.toThrow(Throttled);
    await expect(told.read(['a'])).rejects.toThrow('dynamodb:BatchGetItem left keys unread 6 times');
  });

  test('an item of another shape is Unreadable', async () => {
    documents.on(BatchGetCommand).resolves({ Responses: { told: [{ ...record('a'), confirmed: 'yes' }] } });
    await expect(told.read(['a'])).rejects.toThrow(Unreadable);
  });
});

describe('claiming', () => {
  const puts = () => documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input);

  test('what was never told is claimed only while nobody else has it', async () => {
    documents.on(PutCommand).resolves({});
    expect(await told.claim(record('a'), null)).toBe(true);
    expect(puts()).toEqual([
      {
        TableName: 'told',
        Item: record('a'),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ConditionExpression: 'attribute_not_exists(findingId)',
      },
    ]);
  });

  test('what was told before is claimed only while it is as it was read', async () => {
    documents.on(PutCommand).resolves({});
    const before = record('a', { runId: 'run-0', claimedEpochSeconds: 500, confirmed: false });
    await told.claim(record('a'), before);
    expect(puts()).toEqual([
      {
        TableName: 'told',
        Item: record('a'),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ConditionExpression: 'claimedEpochSeconds = :claimed AND confirmed = :confirmed AND runId = :runId',
        ExpressionAttributeValues: { ':claimed': 500, ':confirmed': false, ':runId': 'run-0' },
      },
    ]);
  });

  test('an answer that was lost is made good: what is there is this very claim', async () => {
    documents.on(PutCommand).rejects(
      new ConditionalCheckFailedException({
        message: 'The conditional request failed',
        $metadata: {},
        Item: { runId: { S: 'run-1' }, claimedEpochSeconds: { N: '1000' }, confirmed: { BOOL: false } },
      }),
    );
    expect(await told.claim(record('a'), null)).toBe(true);
    expect(await told.claim(record('a', { runId: 'run-2' }), null)).toBe(false);
    // A retry of the step claims later, for the same run.
    expect(await told.claim(record('a', { claimedEpochSeconds: 2_000 }), null)).toBe(true);
  });

  test('another run that was faster is false, any other failure is thrown', async () => {
    documents
      .on(PutCommand)
      .rejectsOnce(conditionFailed)
      .rejectsOnce(awsError('AccessDeniedException', 'No.'));
    expect(await told.claim(record('a'), null)).toBe(false);
    const failed = told.claim(record('a'), null);
    await expect(failed).rejects.toThrow(AccessDenied);
    await expect(failed).rejects.toThrow('dynamodb:PutItem failed: AccessDeniedException: No.');
  });
});

describe('confirming and remembering', () => {
  const updates = () => documents.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => input);

  test('confirms each, as long as it is still of this run', async () => {
    documents.on(UpdateCommand).resolves({});
    await told.confirm([record('a'), record('b', { runId: 'run-2' })]);
    const update = (findingId: string, runId: string) => ({
      TableName: 'told',
      Key: { findingId },
      UpdateExpression: 'SET confirmed = :value',
      ConditionExpression: 'runId = :runId',
      ExpressionAttributeValues: { ':value': true, ':runId': runId },
    });
    expect(updates()).toEqual([update('a', 'run-1'), update('b', 'run-2')]);
  });

  test('remembers each to its new time', async () => {
    documents.on(UpdateCommand).resolves({});
    await told.remember([record('a', { expiresEpochSeconds: 77_000 })]);
    expect(updates()).toMatchObject([
      {
        UpdateExpression: 'SET expiresEpochSeconds = :value',
        ExpressionAttributeValues: { ':value': 77_000, ':runId': 'run-1' },
      },
    ]);
  });

  test('an item that another run took over is left to it; any other failure is thrown', async () => {
    documents.on(UpdateCommand).rejects(conditionFailed);
    await told.confirm([record('a')]);
    documents.on(UpdateCommand).rejects(awsError('InternalServerError', 'Broken', 500));
    await expect(told.confirm([record('a')])).rejects.toThrow(
      'dynamodb:UpdateItem failed: InternalServerError: Broken',
    );
  });

  test('none are no call', async () => {
    await told.confirm([]);
    await told.remember([]);
    expect(documents.calls()).toHaveLength(0);
  });
});
