/** What is remembered of channels, in the table of what was posted: messages of an hour, threads, requests that came. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { reading } from './failure.ts';

const keepThreadDays = 90;
const threadExpires = (nowEpochSeconds: number): number => nowEpochSeconds + keepThreadDays * secondsPerDay;

export class ChannelMemory {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** One of so many of an hour. @returns false where all were taken. */
  takeOfHour(channel: string, hourEpochSeconds: number, most: number): Promise<boolean> {
    return this.write('dynamodb:UpdateItem', () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.table,
          Key: { id: `hour#${channel}#${hourEpochSeconds}` },
          UpdateExpression: 'ADD taken :one SET expiration = :expiration',
          ConditionExpression: 'attribute_not_exists(taken) OR taken < :most',
          ExpressionAttributeValues: {
            ':one': 1,
            ':most': most,
            ':expiration': hourEpochSeconds + 2 * secondsPerHour,
          },
        }),
      ),
    );
  }

  /** One that was taken of an hour, and is free again. */
  async giveBackOfHour(channel: string, hourEpochSeconds: number): Promise<void> {
    // False: the hour is long over, and forgotten.
    await this.write('dynamodb:UpdateItem', () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.table,
          Key: { id: `hour#${channel}#${hourEpochSeconds}` },
          UpdateExpression: 'ADD taken :back',
          ConditionExpression: 'taken > :none',
          ExpressionAttributeValues: { ':back': -1, ':none': 0 },
        }),
      ),
    );
  }

  /** True the first time. */
  isFirst(id: string, untilEpochSeconds: number): Promise<boolean> {
    return this.write('dynamodb:PutItem', () =>
      this.client.send(
        new PutCommand({
          TableName: this.table,
          Item: { id: `seen#${id}`, expiration: untilEpochSeconds },
          ConditionExpression: 'attribute_not_exists(id)',
        }),
      ),
    );
  }

  /** Where the thread of a finding begins; null where it has none. */
  thread(channel: string, findingId: string, nowEpochSeconds: number): Promise<string | null> {
    return reading('dynamodb:UpdateItem', async () => {
      // Read by a write that changes nothing but when it is forgotten: a thread that is used goes on.
      const { Attributes } = await this.client
        .send(
          new UpdateCommand({
            TableName: this.table,
            Key: { id: `thread#${channel}#${findingId}` },
            UpdateExpression: 'SET expiration = :expiration',
            ConditionExpression: 'attribute_exists(ts)',
            ExpressionAttributeValues: { ':expiration': threadExpires(nowEpochSeconds) },
            ReturnValues: 'ALL_NEW',
          }),
        )
        .catch((error: unknown) => {
          if (error instanceof ConditionalCheckFailedException) return { Attributes: undefined };
          throw error;
        });
      return z.object({ ts: z.string() }).safeParse(Attributes).data?.ts ?? null;
    });
  }

  keepThread(channel: string, findingId: string, ts: string, nowEpochSeconds: number): Promise<void> {
    return reading('dynamodb:PutItem', async () => {
      const Item = { id: `thread#${channel}#${findingId}`, ts, expiration: threadExpires(nowEpochSeconds) };
      await this.client.send(new PutCommand({ TableName: this.table, Item }));
    });
  }

  private write(asked: string, send: () => Promise<unknown>): Promise<boolean> {
    return reading(asked, async () => {
      try {
        await send();
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    });
  }
}
