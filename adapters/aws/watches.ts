/**
 * What monitoring remembers of volumes, in DynamoDB: partition `shard`, sort `volumeId`; the index `due` has the same
 * partition and `nextPollEpochSeconds` as its sort, all attributes. A partition takes 1,000 writes of 1 KB a second and 3,000
 * reads of 4 KB: the volumes of a Region are spread over several.
 */
import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { limitAsync } from 'es-toolkit/promise';
import type { z } from 'zod';
import type { Budget } from '../../core/monitoring/pace.ts';
import { type Watch, watchSchema } from '../../core/monitoring/watch.ts';
import { reading } from './failure.ts';

type WatchKey = Pick<Watch, 'region' | 'volumeId'>;

/** Of a Region. More take as many queries more each tick; another number is another table. */
const shards = 8;

const shardsOf = (region: string): string[] => Array.from({ length: shards }, (_, i) => `${region} ${i}`);

/** The key of a watch in the table: always the same for a volume. */
export function watchKeyOf({ region, volumeId }: WatchKey): { shard: string; volumeId: string } {
  const [byte = 0] = createHash('sha256').update(volumeId).digest();
  return { shard: `${region} ${byte % shards}`, volumeId };
}

/** Beside the volumes: no shard has this name. */
const budgetKey = { shard: 'budget', volumeId: 'month' };

/** Who ticks now; no shard has this name either, and the index `due` does not have it. */
const leaseKey = { shard: 'lease', volumeId: 'tick' };

const writesAtOnce = 20;

export class Watches {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** Those whose look is due, the longest due first. One of another form is forgotten: its volume is new again. */
  async due(region: string, nowEpochSeconds: number): Promise<Watch[]> {
    const items = await this.query(region, {
      IndexName: 'due',
      KeyConditionExpression: '#shard = :shard AND nextPollEpochSeconds <= :now',
      ExpressionAttributeValues: { ':now': nowEpochSeconds },
    });
    const watches: Watch[] = [];
    const strange: WatchKey[] = [];
    for (const { shard: _, ...item } of items) {
      const read = watchSchema.safeParse(item);
      if (read.success) watches.push(read.data);
      else strange.push({ region, volumeId: String(item['volumeId']) });
    }
    await this.forget(strange);
    return watches.sort((a, b) => a.nextPollEpochSeconds - b.nextPollEpochSeconds);
  }

  async volumeIds(region: string): Promise<string[]> {
    const items = await this.query(region, {
      KeyConditionExpression: '#shard = :shard',
      ProjectionExpression: 'volumeId',
    });
    return items.map(({ volumeId }) => String(volumeId));
  }

  /** Of all shards of a Region, all at once. */
  private async query(
    region: string,
    asked: Omit<QueryCommandInput, 'TableName'>,
  ): Promise<Record<string, unknown>[]> {
    const ofShard = async (shard: string): Promise<Record<string, unknown>[]> => {
      const ExpressionAttributeValues = { ...asked.ExpressionAttributeValues, ':shard': shard };
      // A word of DynamoDB's own.
      const names = { ExpressionAttributeNames: { '#shard': 'shard' } };
      const request = { ...asked, ...names, TableName: this.table, ExpressionAttributeValues };
      const items: Record<string, unknown>[] = [];
      for await (const { Items = [] } of paginateQuery({ client: this.client }, request))
        items.push(...Items);
      return items;
    };
    return reading('dynamodb:Query', async () =>
      (await Promise.all(shardsOf(region).map((shard) => ofShard(shard)))).flat(),
    );
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
        Item: { ...watch, ...watchKeyOf(watch) },
        ConditionExpression: 'attribute_not_exists(volumeId) OR revision <= :revision',
        ExpressionAttributeValues: { ':revision': watch.revision },
      });
      await this.unlessRefused(put);
    });
  }

  async forget(watches: readonly WatchKey[]): Promise<void> {
    const one = limitAsync(
      (watch: WatchKey) =>
        reading('dynamodb:DeleteItem', () =>
          this.client.send(new DeleteCommand({ TableName: this.table, Key: watchKeyOf(watch) })),
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
