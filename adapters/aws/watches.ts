/**
 * What monitoring remembers of volumes, in DynamoDB: partition `region`, sort `volumeId`; the index `due` has the same
 * partition and `nextPollEpochSeconds` as its sort, all attributes.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import { limitAsync } from 'es-toolkit/promise';
import type { z } from 'zod';
import type { Budget } from '../../core/monitoring/pace.ts';
import { type Watch, watchSchema } from '../../core/monitoring/watch.ts';
import { reading } from './failure.ts';

type WatchKey = Pick<Watch, 'region' | 'volumeId'>;

/** Beside the volumes: no Region has this name. */
const budgetKey: WatchKey = { region: 'budget', volumeId: 'month' };

/** Who ticks now; no Region has this name either, and the index `due` does not have it. */
const leaseKey: WatchKey = { region: 'lease', volumeId: 'tick' };

const writesAtOnce = 20;

export class Watches {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** Those whose look is due, the longest due first. One of another form is forgotten: its volume is new again. */
  due(region: string, nowEpochSeconds: number): Promise<Watch[]> {
    return reading('dynamodb:Query', async () => {
      const pages = paginateQuery(
        { client: this.client },
        {
          TableName: this.table,
          IndexName: 'due',
          KeyConditionExpression: '#region = :region AND nextPollEpochSeconds <= :now',
          ExpressionAttributeNames: { '#region': 'region' },
          ExpressionAttributeValues: { ':region': region, ':now': nowEpochSeconds },
        },
      );
      const watches: Watch[] = [];
      const strange: WatchKey[] = [];
      for await (const { Items = [] } of pages) {
        for (const item of Items) {
          const read = watchSchema.safeParse(item);
          if (read.success) watches.push(read.data);
          else strange.push({ region, volumeId: String(item['volumeId']) });
        }
      }
      await this.forget(strange);
      return watches;
    });
  }

  volumeIds(region: string): Promise<string[]> {
    return reading('dynamodb:Query', async () => {
      const pages = paginateQuery(
        { client: this.client },
        {
          TableName: this.table,
          KeyConditionExpression: '#region = :region',
          ProjectionExpression: 'volumeId',
          ExpressionAttributeNames: { '#region': 'region' },
          ExpressionAttributeValues: { ':region': region },
        },
      );
      const ids: string[] = [];
      for await (const { Items = [] } of pages) ids.push(...Items.map(({ volumeId }) => String(volumeId)));
      return ids;
    });
  }

  /** Not over a later poll: two ticks at once look twice, and one of them counts. */
  async write(watches: readonly Watch[]): Promise<void> {
    const one = limitAsync((watch: Watch) => this.writeOne(watch), writesAtOnce);
    await Promise.all(watches.map((watch) => one(watch)));
  }

  private writeOne(watch: Watch): Promise<void> {
    return reading('dynamodb:PutItem', async () => {
      const put = new PutCommand({
        TableName: this.table,
        Item: watch,
        ConditionExpression: 'attribute_not_exists(volumeId) OR revision <= :revision',
        ExpressionAttributeValues: { ':revision': watch.revision },
      });
      await this.unlessRefused(put);
    });
  }

  async forget(watches: readonly WatchKey[]): Promise<void> {
    const one = limitAsync(
      ({ region, volumeId }: WatchKey) =>
        reading('dynamodb:DeleteItem', () =>
          this.client.send(new DeleteCommand({ TableName: this.table, Key: { region, volumeId } })),
        ),
      writesAtOnce,
    );
    await Promise.all(watches.map((watch) => one(watch)));
  }

  /** Null where none was kept yet, or one of another form: it is full again, with a day's worth. */
  budget<T>(schema: z.ZodType<T>): Promise<T | null> {
    return reading('dynamodb:GetItem', async () => {
      const { Item } = await this.client.send(
        new GetCommand({ TableName: this.table, Key: budgetKey, ConsistentRead: true }),
      );
      return schema.safeParse(Item?.['state']).data ?? null;
    });
  }

  /** @returns false, and nothing is kept, where a later tick has kept one. */
  keepBudget(state: Budget): Promise<boolean> {
    return reading('dynamodb:PutItem', async () => {
      const put = new PutCommand({
        TableName: this.table,
        Item: { ...budgetKey, state },
        // Not "<=": that does not hold where none is kept, or one of another form.
        ConditionExpression: 'NOT #state.atEpochSeconds > :at',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':at': state.atEpochSeconds },
      });
      return this.unlessRefused(put);
    });
  }

  /** @returns false where another holder's lease has not ended yet. */
  takeLease(holder: string, nowEpochSeconds: number, untilEpochSeconds: number): Promise<boolean> {
    return reading('dynamodb:PutItem', async () => {
      const put = new PutCommand({
        TableName: this.table,
        Item: { ...leaseKey, holder, untilEpochSeconds },
        // The holder's own: its request was tried again after a reply that was lost.
        ConditionExpression:
          'attribute_not_exists(volumeId) OR untilEpochSeconds <= :now OR holder = :holder',
        ExpressionAttributeValues: { ':now': nowEpochSeconds, ':holder': holder },
      });
      return this.unlessRefused(put);
    });
  }

  /** Does nothing where another holds it by now. */
  async endLease(holder: string): Promise<void> {
    await reading('dynamodb:DeleteItem', () =>
      this.unlessRefused(
        new DeleteCommand({
          TableName: this.table,
          Key: leaseKey,
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: { ':holder': holder },
        }),
      ),
    );
  }

  /** False where its condition does not hold. */
  private async unlessRefused(command: PutCommand | DeleteCommand): Promise<boolean> {
    try {
      await this.client.send(command as PutCommand);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
