/** What is remembered of channels, in the table of what was posted: messages of an hour, threads, requests that came, alarms. */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import type { Saying } from '../../core/delivery/pending-delivery.ts';
import { secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { reading } from './failure.ts';

const keepThreadDays = 90;
/** Longer than a message waits, in its queue and then in that of what was not delivered. */
const keepSaidDays = 30;
const threadExpires = (nowEpochSeconds: number): number => nowEpochSeconds + keepThreadDays * secondsPerDay;

/** Nothing later was begun or said. */
const isNews =
  'attribute_not_exists(begun) OR begun <= :order AND attribute_not_exists(said) OR begun <= :order AND said < :order';

/** What stands of a finding in a channel: orders of changes, and whether people know it as open. */
const saidSchema = z.object({
  begun: z.number().optional(),
  said: z.number().optional(),
  knowsOpen: z.boolean().optional(),
  waits: z.number().optional(),
});

export class ChannelState {
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

  /** @returns false where a later change of the alarm is known. */
  isNewestOfAlarm(arn: string, changedAtMs: number, nowEpochSeconds: number): Promise<boolean> {
    return this.write('dynamodb:UpdateItem', () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.table,
          Key: { id: `alarm#${arn}` },
          UpdateExpression: 'SET changedAtMs = :changed, expiration = :expiration',
          ConditionExpression: 'attribute_not_exists(changedAtMs) OR changedAtMs <= :changed',
          ExpressionAttributeValues: {
            ':changed': changedAtMs,
            ':expiration': nowEpochSeconds + keepSaidDays * secondsPerDay,
          },
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

  /**
   * Notes that it is about to be said of the finding in the channel: an answer that is lost leaves open whether it was.
   * @returns false where it was said, something later was said or about to be, or it is the end of what was never said to be open.
   */
  async beginSaying(channel: string, saying: Saying, nowEpochSeconds: number): Promise<boolean> {
    const before = await this.noteSaying('begun = :order', isNews, channel, saying, nowEpochSeconds);
    if (before === null) return false;
    const { begun, said, knowsOpen, waits } = saidSchema.parse(before);
    const isUnheard = waits !== undefined && begun === said && knowsOpen !== true;
    if (!saying.isResolved || !isUnheard) return true;
    await this.noteSaid(channel, saying, nowEpochSeconds);
    return false;
  }

  /** Notes what was said of a finding; not where something later was. */
  async noteSaid(channel: string, saying: Saying, nowEpochSeconds: number): Promise<void> {
    const isLater = 'attribute_not_exists(said) OR said < :order';
    const change = 'said = :order, knowsOpen = :knowsOpen';
    await this.noteSaying(change, isLater, channel, saying, nowEpochSeconds, {
      ':knowsOpen': !saying.isResolved,
    });
  }

  /** Notes that it was over before it was said. @returns false where something later was said or begun. */
  async noteWaiting(channel: string, saying: Saying, nowEpochSeconds: number): Promise<boolean> {
    return (await this.noteSaying('waits = :order', isNews, channel, saying, nowEpochSeconds)) !== null;
  }

  /** @returns what stood there before; null where the condition does not hold. */
  private async noteSaying(
    change: string,
    ConditionExpression: string,
    channel: string,
    { findingId, order }: Saying,
    nowEpochSeconds: number,
    values: Record<string, unknown> = {},
  ): Promise<object | null> {
    let before: object = {};
    const isNoted = await this.write('dynamodb:UpdateItem', async () => {
      const { Attributes = {} } = await this.client.send(
        new UpdateCommand({
          TableName: this.table,
          Key: { id: `said#${channel}#${findingId}` },
          UpdateExpression: `SET ${change}, expiration = :expiration`,
          ConditionExpression,
          ExpressionAttributeValues: {
            ':order': order,
            ':expiration': nowEpochSeconds + keepSaidDays * secondsPerDay,
            ...values,
          },
          ReturnValues: 'ALL_OLD',
        }),
      );
      before = Attributes;
    });
    return isNoted ? before : null;
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
