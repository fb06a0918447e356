/** A write that finds what it read: an item counts its writes, and who comes with an older count is reported so. */
import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { reading } from './failure.ts';

/**
 * @param beforeRevision of the item as it was read; 0: there was none.
 * @param key the partition key of the table.
 * @returns false where somebody else was faster.
 */
export function putRevision(
  client: DynamoDBDocumentClient,
  TableName: string,
  item: Record<string, unknown> & { revision: number },
  beforeRevision: number,
  key: 'findingId' | 'changeId' = 'findingId',
): Promise<boolean> {
  // The answer of a write can be lost, and the client sends it again: then this very write is there already.
  const writeId = randomUUID();
  const condition =
    beforeRevision === 0
      ? { ConditionExpression: `attribute_not_exists(${key})` }
      : {
          ConditionExpression: 'revision = :before',
          ExpressionAttributeValues: { ':before': beforeRevision },
        };
  return reading('dynamodb:PutItem', async () => {
    try {
      await client.send(
        new PutCommand({
          TableName,
          Item: { ...item, writeId },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          ...condition,
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item?.['writeId']?.S === writeId;
    }
  });
}
