/** The records of findings in DynamoDB: which keys are asked, under which conditions an item is written, what indexes hold. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { FindingRecords, recordsClient } from '../../../adapters/aws/finding-records.ts';
import { AccessDenied, Throttled } from '../../../core/errors.ts';
import type { FindingRecord } from '../../../core/lifecycle/finding-record.ts';
import { acknowledgedBy, afterObservation, mutedUntil } from '../../../core/lifecycle/lifecycle.ts';
import { jsonReply, listen, readText } from '../../../local/http.ts';
import { aFinding, anObservation, aRecord, asNews, someRules } from '../../fixtures/findings.ts';
import { awsError } from './aws-error.ts';

let documents = mockClient(DynamoDBDocumentClient);
const skipped: string[] = [];
const onUnreadable = (findingId: string, reason: string) => {
  skipped.push(`${findingId}: ${reason}`);
};
const records = new FindingRecords(
  recordsClient(new DynamoDBClient({ region: 'us-east-1' })),
  'findings',
  onUnreadable,
);

const record = (id: string): FindingRecord => aRecord(aFinding({ id }));
/** One of which everything is set that can be. */
const fullRecord = (): FindingRecord => {
  const people = { by: 'Ann', nowEpochSeconds: 1_795_132_900 };
  const [news] = asNews([aFinding({ id: 'full' })]) as [FindingRecord];
  const known = { epochSeconds: 1_795_132_000, level: 'critical' } as const;
  const notified = { ...news, notified: known, notifiedOfDay: [known], validatedEpochSeconds: 1_795_000_000 };
  const seen = anObservation(null, { source: 'audit', atEpochSeconds: 1_795_219_200 });
  const observed = afterObservation('full', notified, seen, someRules, seen.atEpochSeconds) as FindingRecord;
  return acknowledgedBy(mutedUntil(observed, 1_795_200_000, people, someRules), people, someRules);
};

beforeEach(() => {
  documents.reset();
  skipped.length = 0;
});

const keysOf = ({ RequestItems }: BatchGetCommandInput): string[] =>
  (RequestItems?.['findings']?.Keys ?? []).map((key) => String(key['findingId']));

describe('reading', () => {
  test('250 findings are three calls, of 100 keys at most; what is not remembered is not there', async () => {
    documents.on(BatchGetCommand).callsFake((input: BatchGetCommandInput) => ({
      Responses: {
        findings: keysOf(input)
          .filter((id) => id !== 'f-7')
          .map(record),
      },
    }));
    const read = await records.read(Array.from({ length: 250 }, (_, i) => `f-${i}`));
    const calls = documents.commandCalls(BatchGetCommand).map(({ args: [{ input }] }) => input);
    expect(calls.map((input) => keysOf(input).length)).toEqual([100, 100, 50]);
    expect(calls.every((input) => input.RequestItems?.['findings']?.ConsistentRead)).toBe(true);
    expect(read.size).toBe(249);
    expect(read.has('f-7')).toBe(false);
    expect(read.get('f-249')).toEqual(record('f-249'));
  });

  test('what was written is read as it was, whatever is set in it', async () => {
    documents.on(PutCommand).resolves({});
    await records.write(fullRecord(), 3);
    const Item = documents.commandCalls(PutCommand)[0]?.args[0].input.Item;
    documents.on(BatchGetCommand).resolves({ Responses: { findings: [Item ?? {}] } });
    expect((await records.read(['full'])).get('full')).toEqual(fullRecord());
  });

  test('nothing to read is no call', async () => {
    expect((await records.read([])).size).toBe(0);
    expect(documents.calls()).toHaveLength(0);
  });

  test('keys that DynamoDB hands back are asked for again', async () => {
    const left = { findings: { Keys: [{ findingId: 'b' }] } };
    documents
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { findings: [record('a')] }, UnprocessedKeys: left })
      .resolvesOnce({ UnprocessedKeys: left })
      .resolvesOnce({ Responses: { findings: [record('b')] }, UnprocessedKeys: {} });
    expect([...(await records.read(['a', 'b'])).keys()]).toEqual(['a', 'b']);
    const [, second, third] = documents.commandCalls(BatchGetCommand).map(({ args: [{ input }] }) => input);
    expect(second?.RequestItems).toEqual(left);
    expect(third?.RequestItems).toEqual(left);
  });

  test('keys that stay unread are Throttled: unread records would tell everything again', async () => {
    documents.on(BatchGetCommand).resolves({ UnprocessedKeys: { findings: { Keys: [{ findingId: 'a' }] } } });
    const reading = records.read(['a']);
    await expect(reading).rejects.toThrow(Throttled);
    await expect(reading).rejects.toThrow('dynamodb:BatchGetItem left keys unread 6 times');
  });

  test.each([
    ['a level that is not known', { level: 'severe' }],
    ['a kind that is not known', { finding: { ...record('b').finding, kind: 'of-a-later-version' } }],
    ['a field that is missing', { notifiedOfDay: undefined }],
    [
      'a source that is not known',
      { sourceStates: { later: { atEpochSeconds: 1, level: null, lower: null } } },
    ],
  ])('of three items one has %s: it is skipped and said, wherever it is read', async (_, other) => {
    const items = [record('a'), { ...record('b'), ...other }, record('c')];
    documents.on(BatchGetCommand).resolves({ Responses: { findings: items } });
    documents.on(QueryCommand).resolves({ Items: items });
    documents.on(ScanCommand).resolves({ Items: items });
    const leftOut: string[] = [];
    const read = await records.read(['a', 'b', 'c'], (id) => leftOut.push(id));
    expect([[...read.keys()], leftOut]).toEqual([['a', 'c'], ['b']]);
    const others = [record('a'), record('c')];
    expect([await records.open(['us-east-1']), await records.all()]).toEqual([others, others]);
    expect(skipped).toHaveLength(3);
    expect(new Set(skipped)).toEqual(
      new Set([
        expect.stringMatching(
          /^b: reading its record failed: ZodError: (level|finding|notified\w*|sourceStates).* destroy the stack and deploy it anew\.$/,
        ),
      ]),
    );
  });
});

describe('writing', () => {
  const puts = () => documents.commandCalls(PutCommand).map(({ args: [{ input }] }) => input);
  const refused = (Item?: Record<string, { S: string }>) =>
    new ConditionalCheckFailedException({ message: 'no', $metadata: {}, ...(Item && { Item }) });

  test('what was not there is written only while nobody else has it', async () => {
    documents.on(PutCommand).resolves({});
    expect(await records.write(record('a'), 0)).toBe(true);
    expect(puts()).toEqual([
      {
        TableName: 'findings',
        Item: { ...record('a'), openIn: 'us-east-1', toNotify: 'yes', writeId: expect.any(String) },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ConditionExpression: 'attribute_not_exists(findingId)',
      },
    ]);
  });

  test('what was read is written only while it is as it was read', async () => {
    documents.on(PutCommand).resolves({});
    await records.write({ ...record('a'), revision: 8 }, 7);
    expect(puts()).toMatchObject([
      { ConditionExpression: 'revision = :before', ExpressionAttributeValues: { ':before': 7 } },
    ]);
  });

  test('the indexes hold what is open, and what there is something to tell of', async () => {
    documents.on(PutCommand).resolves({});
    await records.write({ ...record('a'), level: null }, 1);
    await records.write({ ...record('b'), notifyFromEpochSeconds: null }, 1);
    const [resolved, notified] = puts().map(({ Item }) => Item);
    expect(resolved).not.toHaveProperty('openIn');
    expect(resolved).toHaveProperty('toNotify', 'yes');
    expect(notified).toHaveProperty('openIn', 'us-east-1');
    expect(notified).not.toHaveProperty('toNotify');
    // A key of an index must not be null.
    expect(notified).not.toHaveProperty('notifyFromEpochSeconds');
  });

  test('what a finding does not say is left out of what goes over the wire', async () => {
    documents.restore();
    const bodies: string[] = [];
    const server = await listen(0, async (request) => {
      bodies.push(await readText(request));
      return jsonReply({});
    });
    const client = new DynamoDBClient({
      ...{ region: 'us-east-1', endpoint: server.url },
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    try {
      const whole = record('a');
      const resource = { ...whole.finding.resource, tags: undefined };
      const item = { ...whole, finding: { ...whole.finding, resource } } as unknown as FindingRecord;
      expect(await new FindingRecords(recordsClient(client), 'findings', onUnreadable).write(item, 0)).toBe(
        true,
      );
      expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
        Item: { findingId: { S: 'a' }, revision: { N: '1' }, openIn: { S: 'us-east-1' } },
      });
      expect(bodies[0]).not.toContain('tags');
    } finally {
      client.destroy();
      await server.stop();
      documents = mockClient(DynamoDBDocumentClient);
    }
  });

  test('an answer that was lost is made good: what is there is this very write', async () => {
    documents.on(PutCommand).callsFake(({ Item }) => {
      throw refused({ writeId: { S: Item.writeId } });
    });
    expect(await records.write(record('a'), 0)).toBe(true);
  });

  test('somebody who was faster is false, any other failure is thrown', async () => {
    documents
      .on(PutCommand)
      .rejectsOnce(refused({ writeId: { S: 'of another' } }))
      .rejectsOnce(refused())
      .rejectsOnce(awsError('AccessDeniedException', 'No.'));
    expect(await records.write(record('a'), 0)).toBe(false);
    expect(await records.write(record('a'), 0)).toBe(false);
    const failed = records.write(record('a'), 0);
    await expect(failed).rejects.toThrow(AccessDenied);
    await expect(failed).rejects.toThrow('dynamodb:PutItem failed: AccessDeniedException: No.');
  });
});

describe('what many have in common', () => {
  test('what is open is asked for by Region, page by page', async () => {
    const asked: [string, string | undefined][] = [];
    documents.on(QueryCommand).callsFake((input: QueryCommandInput) => {
      expect(input).toMatchObject({
        ...{ TableName: 'findings', IndexName: 'open' },
        KeyConditionExpression: 'openIn = :region',
      });
      const region = String(input.ExpressionAttributeValues?.[':region']);
      const after = input.ExclusiveStartKey?.['findingId'];
      asked.push([region, after]);
      if (region !== 'us-east-1') return { Items: [] };
      return after === undefined
        ? { Items: [record('a')], LastEvaluatedKey: { findingId: 'a' } }
        : { Items: [record('b')] };
    });
    expect(await records.open(['us-east-1', 'eu-central-1'])).toEqual([record('a'), record('b')]);
    expect(asked).toEqual([
      ['us-east-1', undefined],
      ['us-east-1', 'a'],
      ['eu-central-1', undefined],
    ]);
  });

  test('what is due is ids alone, of all pages', async () => {
    documents
      .on(QueryCommand)
      .resolvesOnce({
        Items: [{ findingId: 'a', toNotify: 'yes', notifyFromEpochSeconds: 0 }],
        LastEvaluatedKey: { findingId: 'a' },
      })
      .resolvesOnce({ Items: [{ findingId: 'b', toNotify: 'yes', notifyFromEpochSeconds: 5 }] });
    expect(await records.due(77)).toEqual(['a', 'b']);
    expect(documents.commandCalls(QueryCommand)[0]?.args[0].input).toMatchObject({
      IndexName: 'toNotify',
      KeyConditionExpression: 'toNotify = :yes AND notifyFromEpochSeconds <= :now',
      ExpressionAttributeValues: { ':yes': 'yes', ':now': 77 },
    });
  });

  test('all are scanned, page by page, and messages left out', async () => {
    documents
      .on(ScanCommand)
      .resolvesOnce({ Items: [record('a')], LastEvaluatedKey: { findingId: 'a' } })
      .resolvesOnce({ Items: [] })
      .resolves({ Items: [] });
    expect(await records.all()).toEqual([record('a')]);
    const calls = documents.commandCalls(ScanCommand).map(({ args: [{ input }] }) => input);
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject({
      FilterExpression: 'attribute_exists(sourceStates)',
      ExclusiveStartKey: { findingId: 'a' },
    });
  });

  test.each([
    ['open', () => records.open(['us-east-1']), 'dynamodb:Query'],
    ['due', () => records.due(0), 'dynamodb:Query'],
    ['all', () => records.all(), 'dynamodb:Scan'],
  ])('%s that fails names the call', async (_, read, call) => {
    documents.on(QueryCommand).rejects(awsError('ThrottlingException', 'Slow'));
    documents.on(ScanCommand).rejects(awsError('ThrottlingException', 'Slow'));
    await expect(read()).rejects.toThrow(`${call} failed: ThrottlingException: Slow`);
  });
});
