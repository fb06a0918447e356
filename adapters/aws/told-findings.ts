/** The memory of what was told, in DynamoDB: one item a finding, claimed before it is told, confirmed after. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { delay, limitAsync } from 'es-toolkit/promise';
import { z } from 'zod';
import type { ToldRecord } from '../../core/advisory/what-to-tell.ts';
import { Throttled } from '../../core/errors.ts';
import { changes } from '../../core/schemas/advisory.ts';
import { severities } from '../../core/schemas/finding.ts';
import { reading } from './failure.ts';

/** DynamoDB's most for one BatchGetItem. */
const keysPerCall = 100;
/** Keys that DynamoDB hands back unread are asked for again, so often. */
const mostRounds = 6;
const firstPauseMs = 25;
const writesAtOnce = 10;

const recordSchema = z.object({
  findingId: z.string(),
  severity: z.enum(severities),
  runId: z.string(),
  claimedEpochSeconds: z.number(),
  confirmed: z.boolean(),
  expiresEpochSeconds: z.number(),
  change: z.enum(changes),
  messageId: z.string(),
}) satisfies z.ZodType<ToldRecord>;

export class ToldFindings {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** By finding id; a finding that was never told is not there. */
  read(findingIds: readonly string[]): Promise<Map<string, ToldRecord>> {
    return reading('dynamodb:BatchGetItem', async () => {
      const records = new Map<string, ToldRecord>();
      for (let at = 0; at < findingIds.length; at += keysPerCall) {
        const Keys = findingIds.slice(at, at + keysPerCall).map((findingId) => ({ findingId }));
        for (const record of await this.readKeys(Keys)) records.set(record.findingId, record);
      }
      return records;
    });
  }

  private async readKeys(Keys: Record<string, string>[]): Promise<ToldRecord[]> {
    const records: ToldRecord[] = [];
    let RequestItems: BatchGetCommandInput['RequestItems'] = { [this.table]: { Keys, ConsistentRead: true } };
    for (let round = 0; round < mostRounds; round++) {
      const reply: BatchGetCommandOutput = await this.client.send(new BatchGetCommand({ RequestItems }));
      records.push(...(reply.Responses?.[this.table] ?? []).map((item) => recordSchema.parse(item)));
      RequestItems = reply.UnprocessedKeys;
      if (RequestItems?.[this.table] === undefined) return records;
      await delay(firstPauseMs * 2 ** round);
    }
    throw new Throttled(`dynamodb:BatchGetItem left keys unread ${mostRounds} times`);
  }

  /**
   * Claims the right to tell: the item must still be as it was read, so of two runs at once only one tells.
   * @returns false where another run was faster.
   */
  claim(record: ToldRecord, before: ToldRecord | null): Promise<boolean> {
    const condition =
      before === null
        ? { ConditionExpression: 'attribute_not_exists(findingId)' }
        : {
            ConditionExpression:
              'claimedEpochSeconds = :claimed AND confirmed = :confirmed AND runId = :runId',
            ExpressionAttributeValues: {
              ':claimed': before.claimedEpochSeconds,
              ':confirmed': before.confirmed,
              ':runId': before.runId,
            },
          };
    return reading('dynamodb:PutItem', async () => {
      try {
        await this.client.send(
          new PutCommand({
            TableName: this.table,
            Item: record,
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            ...condition,
          }),
        );
        return true;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        // The answer of a claim can be lost, and the claim be there: the client sends it again, or a retry of the step does.
        const there = error.Item;
        return there?.['runId']?.S === record.runId && there['confirmed']?.BOOL === false;
      }
    });
  }

  /** The message is out: these are told. */
  confirm(records: readonly ToldRecord[]): Promise<void> {
    return this.update(records, 'SET confirmed = :value', () => true);
  }

  /** Moves on the time when these are forgotten. */
  remember(records: readonly ToldRecord[]): Promise<void> {
    return this.update(records, 'SET expiresEpochSeconds = :value', (record) => record.expiresEpochSeconds);
  }

  private async update(
    records: readonly ToldRecord[],
    UpdateExpression: string,
    newValue: (record: ToldRecord) => boolean | number,
  ): Promise<void> {
    const one = limitAsync(
      (record: ToldRecord) =>
        reading('dynamodb:UpdateItem', () =>
          this.client
            .send(
              new UpdateCommand({
                TableName: this.table,
                Key: { findingId: record.findingId },
                UpdateExpression,
                // Of an item that another run took over meanwhile nothing is changed here.
                ConditionExpression: 'runId = :runId',
                ExpressionAttributeValues: { ':value': newValue(record), ':runId': record.runId },
              }),
            )
            .catch((error: unknown) => {
              if (!(error instanceof ConditionalCheckFailedException)) throw error;
            }),
        ),
      writesAtOnce,
    );
    await Promise.all(records.map((record) => one(record)));
  }
}
