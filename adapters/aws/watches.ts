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
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { delay, limitAsync } from 'es-toolkit/promise';
import type { z } from 'zod';
import type { Budget } from '../../core/monitoring/pace.ts';
import { type Place, placeText, shardOf } from '../../core/monitoring/shards.ts';
import { type Watch, watchSchema } from '../../core/monitoring/watch.ts';
import type { Target } from '../../core/schemas/accounts.ts';
import { reading } from './failure.ts';

type TableKey = { shard: string; volumeId: string };
type WatchKey = Pick<Watch, 'account' | 'region' | 'volumeId'>;

/** Of a Region, or of a shard of accounts. More take as many queries more each tick; another number is another table. */
const partitions = 8;

const partitionsOf = (name: string): string[] => Array.from({ length: partitions }, (_, i) => `${name} ${i}`);

// Of several accounts a tick reads a shard of them: its watches lie together, whichever account they are of.

const shardName = (shard: number): string => `accounts ${shard}`;

const prefixOf = (place: Place): string => `${placeText(place)}/`;

/** The key of a watch in the table: always the same for a volume. */
export function watchKeyOf({ account, region, volumeId }: WatchKey): TableKey {
  const [byte = 0] = createHash('sha256').update(volumeId).digest();
  const partition = byte % partitions;
  return account === undefined
    ? { shard: `${region} ${partition}`, volumeId }
    : {
        shard: `${shardName(shardOf(account))} ${partition}`,
        volumeId: `${prefixOf({ account, region })}${volumeId}`,
      };
}

const inTarget = (target: Target) => ({
  KeyConditionExpression: '#shard = :shard AND begins_with(volumeId, :place)',
  ExpressionAttributeValues: { ':place': prefixOf(target) },
});

/** Beside the volumes: no shard has this name. @param ofAccounts the key of a budget of some accounts. */
const budgetKeyOf = (ofAccounts?: string) => ({
  shard: 'budget',
  volumeId: ofAccounts === undefined ? 'month' : `accounts ${ofAccounts}`,
});
/** "left" is a word of DynamoDB's own. */
const budgetNames: Record<string, string> = { '#state': 'state', '#left': 'left' };

const inventoryKey = (shard: number) => ({ shard: 'inventories', volumeId: `shard ${shard}` });

/** Who ticks now; no shard has this name either, and the index `due` does not have it. */
const leaseKey = (shard?: number) => ({
  shard: 'lease',
  volumeId: shard === undefined ? 'tick' : `shard ${shard}`,
});

const writesAtOnce = 20;

/**
 * Of several accounts a shard writes to a partition at most so often, 200 times a second: a watch of less than 2 KB takes 2
 * units of the 1,000, and where it is due at another time 4 of its index.
 */
const msBetweenWrites = 5;

export class Watches {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;
  /** By partition, when it may be written to next. */
  private readonly nextWriteMs = new Map<string, number>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** Those whose look is due, the longest due first. One of another form is forgotten: its volume is new again. */
  due(region: string, nowEpochSeconds: number): Promise<Watch[]> {
    return this.dueIn(region, nowEpochSeconds);
  }

  /** Of all accounts of a shard. */
  dueOfShard(shard: number, nowEpochSeconds: number): Promise<Watch[]> {
    return this.dueIn(shardName(shard), nowEpochSeconds);
  }

  private async dueIn(name: string, nowEpochSeconds: number): Promise<Watch[]> {
    const items = await this.query(name, {
      IndexName: 'due',
      KeyConditionExpression: '#shard = :shard AND nextPollEpochSeconds <= :now',
      ExpressionAttributeValues: { ':now': nowEpochSeconds },
    });
    return this.watchesOf(items);
  }

  /** All of an account and Region, due or not. */
  async ofTarget(target: Target): Promise<Watch[]> {
    return this.watchesOf(await this.query(shardName(shardOf(target.account)), inTarget(target)));
  }

  async volumeIds(region: string): Promise<string[]> {
    const items = await this.query(region, {
      KeyConditionExpression: '#shard = :shard',
      ProjectionExpression: 'volumeId',
    });
    return items.map(({ volumeId }) => String(volumeId));
  }

  async volumeIdsOfTarget(target: Target): Promise<string[]> {
    const asked = { ...inTarget(target), ProjectionExpression: 'volumeId' };
    const items = await this.query(shardName(shardOf(target.account)), asked);
    return items.map(({ volumeId }) => String(volumeId).slice(prefixOf(target).length));
  }

  private async watchesOf(items: Record<string, unknown>[]): Promise<Watch[]> {
    const watches: Watch[] = [];
    const strange: TableKey[] = [];
    for (const { shard, ...item } of items) {
      const key = String(item['volumeId']);
      const read = watchSchema.safeParse({ ...item, volumeId: key.slice(key.lastIndexOf('/') + 1) });
      if (read.success) watches.push(read.data);
      else strange.push({ shard: String(shard), volumeId: key });
    }
    await this.remove(strange);
    return watches.sort((a, b) => a.nextPollEpochSeconds - b.nextPollEpochSeconds);
  }

  /** Of all partitions of a Region or a shard, all at once. */
  private async query(
    name: string,
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
      (await Promise.all(partitionsOf(name).map((shard) => ofShard(shard)))).flat(),
    );
  }

  /** Not over a later poll: two ticks at once look twice, and one of them counts. */
  async write(watches: readonly Watch[]): Promise<void> {
    const one = limitAsync((watch: Watch) => this.writeOne(watch), writesAtOnce);
    await Promise.all(watches.map((watch) => one(watch)));
  }

  private async turnOf({ account }: Watch, { shard }: TableKey): Promise<void> {
    if (account === undefined) return;
    const nowMs = performance.now();
    const atMs = Math.max(nowMs, this.nextWriteMs.get(shard) ?? 0);
    this.nextWriteMs.set(shard, atMs + msBetweenWrites);
    if (atMs > nowMs) await delay(atMs - nowMs);
  }

  private writeOne(watch: Watch): Promise<void> {
    return reading('dynamodb:PutItem', async () => {
      const key = watchKeyOf(watch);
      await this.turnOf(watch, key);
      const put = new PutCommand({
        TableName: this.table,
        Item: { ...watch, ...key },
        ConditionExpression: 'attribute_not_exists(volumeId) OR revision <= :revision',
        ExpressionAttributeValues: { ':revision': watch.revision },
      });
      await this.unlessRefused(put);
    });
  }

  forget(watches: readonly WatchKey[]): Promise<void> {
    return this.remove(watches.map(watchKeyOf));
  }

  private async remove(keys: readonly TableKey[]): Promise<void> {
    const one = limitAsync(
      (Key: TableKey) =>
        reading('dynamodb:DeleteItem', () =>
          this.client.send(new DeleteCommand({ TableName: this.table, Key })),
        ),
      writesAtOnce,
    );
    await Promise.all(keys.map((key) => one(key)));
  }

  /** Null where none was kept yet, or one of another form: it is full again, with a day's worth. */
  budget<T>(schema: z.ZodType<T>, ofAccounts?: string): Promise<T | null> {
    return reading('dynamodb:GetItem', async () => {
      const { Item } = await this.client.send(
        new GetCommand({ TableName: this.table, Key: budgetKeyOf(ofAccounts), ConsistentRead: true }),
      );
      return schema.safeParse(Item?.['state']).data ?? null;
    });
  }

  /** @returns false, and nothing is kept, where a later tick has kept one. */
  keepBudget(state: Budget): Promise<boolean> {
    return reading('dynamodb:PutItem', async () => {
      const put = new PutCommand({
        TableName: this.table,
        Item: { ...budgetKeyOf(), state },
        // Not "<=": that does not hold where none is kept, or one of another form.
        ConditionExpression: 'NOT #state.atEpochSeconds > :at',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':at': state.atEpochSeconds },
      });
      return this.unlessRefused(put);
    });
  }

  // Of several shards, who all take of one budget at one time.

  /** @returns false where there is one by now; one of another form is written over. */
  beginBudget(state: Budget, ofAccounts?: string): Promise<boolean> {
    return reading('dynamodb:PutItem', () =>
      this.unlessRefused(
        new PutCommand({
          TableName: this.table,
          Item: { ...budgetKeyOf(ofAccounts), state },
          ConditionExpression:
            'attribute_not_exists(#state.metricsPerMonth) OR attribute_not_exists(#state.atEpochSeconds) OR attribute_not_exists(#state.#left)',
          ExpressionAttributeNames: budgetNames,
        }),
      ),
    );
  }

  /** What came in from one time to another comes in once. @returns false where another counted it meanwhile. */
  accrueBudget(before: Budget, after: Budget, ofAccounts?: string): Promise<boolean> {
    return this.updateBudget(ofAccounts, {
      UpdateExpression:
        'SET #state.metricsPerMonth = :metrics, #state.atEpochSeconds = :at, #state.#left = #state.#left + :came',
      ConditionExpression: '#state.atEpochSeconds = :before',
      ExpressionAttributeValues: {
        ':metrics': after.metricsPerMonth,
        ':at': after.atEpochSeconds,
        ':before': before.atEpochSeconds,
        ':came': after.left - before.left,
      },
    });
  }

  /** @returns false, and nothing is taken, where there is less. Less than nothing is given back. */
  takeOfBudget(metrics: number, ofAccounts?: string): Promise<boolean> {
    return this.updateBudget(ofAccounts, {
      UpdateExpression: 'SET #state.#left = #state.#left - :metrics',
      ConditionExpression: '#state.#left >= :metrics',
      ExpressionAttributeValues: { ':metrics': metrics },
    });
  }

  private updateBudget(
    ofAccounts: string | undefined,
    change: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<boolean> {
    const key = { TableName: this.table, Key: budgetKeyOf(ofAccounts) };
    const asked = { ...key, ...change, ExpressionAttributeNames: budgetNames };
    return reading('dynamodb:UpdateItem', () => this.unlessRefused(new UpdateCommand(asked)));
  }

  /** When each target of a shard was read last; empty where none was kept, or one of another form. */
  inventoryIndex<T extends object>(shard: number, schema: z.ZodType<T>): Promise<T | Record<string, never>> {
    return reading('dynamodb:GetItem', async () => {
      const { Item } = await this.client.send(
        new GetCommand({ TableName: this.table, Key: inventoryKey(shard), ConsistentRead: true }),
      );
      return schema.safeParse(Item?.['targets']).data ?? {};
    });
  }

  async keepInventoryIndex(shard: number, targets: object): Promise<void> {
    const Item = { ...inventoryKey(shard), targets };
    await reading('dynamodb:PutItem', () =>
      this.client.send(new PutCommand({ TableName: this.table, Item })),
    );
  }

  /** @returns false where another holder's lease has not ended yet. */
  takeLease(
    holder: string,
    nowEpochSeconds: number,
    untilEpochSeconds: number,
    shard?: number,
  ): Promise<boolean> {
    return reading('dynamodb:PutItem', async () => {
      const put = new PutCommand({
        TableName: this.table,
        Item: { ...leaseKey(shard), holder, untilEpochSeconds },
        // The holder's own: its request was tried again after a reply that was lost.
        ConditionExpression:
          'attribute_not_exists(volumeId) OR untilEpochSeconds <= :now OR holder = :holder',
        ExpressionAttributeValues: { ':now': nowEpochSeconds, ':holder': holder },
      });
      return this.unlessRefused(put);
    });
  }

  /** Does nothing where another holds it by now. */
  async endLease(holder: string, shard?: number): Promise<void> {
    await reading('dynamodb:DeleteItem', () =>
      this.unlessRefused(
        new DeleteCommand({
          TableName: this.table,
          Key: leaseKey(shard),
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: { ':holder': holder },
        }),
      ),
    );
  }

  /** False where its condition does not hold. */
  private async unlessRefused(command: PutCommand | DeleteCommand | UpdateCommand): Promise<boolean> {
    try {
      await this.client.send(command as PutCommand);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }
}
