/**
 * The ledger of changes, in DynamoDB: one item a change, for ever. Beside them an item a volume, which names the change that has it,
 * and one item of all, which names the changes that were begun lately: of changes that would
 * begin in the same moment one finds that it was read before the other. And an item for each change that waited for a person.
 *
 * The table: partition key `changeId` (string). The index `open` (partition key `isOpen`, a string: 'yes'; all attributes) holds
 * what has not ended.
 */
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { delay } from 'es-toolkit/promise';
import { z } from 'zod';
import { Throttled } from '../../core/errors.ts';
import { type VolumeChange, volumeChangeSchema } from '../../core/schemas/volume-change.ts';
import { reading } from './failure.ts';
import { putRevision } from './put-revision.ts';

const openIndex = 'open';
/** DynamoDB's most for one BatchGetItem. */
const keysPerCall = 100;
const maxRounds = 6;
const firstPauseMs = 25;

const volumeItemSchema = z.object({
  changeId: z.string(),
  holder: z.string().nullable(),
  takenSeconds: z.number(),
  revision: z.number().int(),
});
/** Which change has a volume, and since when. */
export type VolumeItem = Omit<z.infer<typeof volumeItemSchema>, 'changeId'>;

const begunItemSchema = z.object({
  changeId: z.string(),
  begun: z.array(z.object({ id: z.string(), atSeconds: z.number() })),
  revision: z.number().int(),
});
/** Changes that were begun, the newest last. */
export type BegunItem = Omit<z.infer<typeof begunItemSchema>, 'changeId'>;

const begunKey = 'begun';
const volumeKey = (account: string, region: string, volumeId: string): string =>
  `volume ${account} ${region} ${volumeId}`;

const waitingKey = (id: string): string => `waiting ${id}`;

/** Ids of changes have no blank: the other items do, or are `begun`. */
const isChange = (item: Record<string, unknown>): boolean =>
  typeof item['changeId'] === 'string' && item['changeId'] !== begunKey && !item['changeId'].includes(' ');

const changeOf = ({ changeId, ...item }: Record<string, unknown>): VolumeChange =>
  volumeChangeSchema.parse({ ...item, id: changeId });

export class ChangeLedger {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  private get(changeId: string): Promise<Record<string, unknown> | null> {
    return reading('dynamodb:GetItem', async () => {
      const { Item } = await this.client.send(
        new GetCommand({ TableName: this.table, Key: { changeId }, ConsistentRead: true }),
      );
      return Item ?? null;
    });
  }

  async read(id: string): Promise<VolumeChange | null> {
    const item = await this.get(id);
    return item === null || !isChange(item) ? null : changeOf(item);
  }

  /** As they are now; one that is not there is left out. */
  readAll(ids: readonly string[]): Promise<VolumeChange[]> {
    return reading('dynamodb:BatchGetItem', async () => {
      const found: VolumeChange[] = [];
      for (let at = 0; at < ids.length; at += keysPerCall) {
        const Keys = ids.slice(at, at + keysPerCall).map((changeId) => ({ changeId }));
        for (const item of await this.readKeys(Keys)) found.push(changeOf(item));
      }
      return found;
    });
  }

  private async readKeys(Keys: { changeId: string }[]): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let left: Record<string, unknown>[] = Keys;
    for (let round = 0; round < maxRounds; round++) {
      const { Responses, UnprocessedKeys } = await this.client.send(
        new BatchGetCommand({ RequestItems: { [this.table]: { Keys: left, ConsistentRead: true } } }),
      );
      items.push(...(Responses?.[this.table] ?? []));
      left = UnprocessedKeys?.[this.table]?.Keys ?? [];
      if (left.length === 0) return items;
      await delay(firstPauseMs * 2 ** round);
    }
    throw new Throttled(`dynamodb:BatchGetItem left keys unread ${maxRounds} times`);
  }

  /** @returns false where somebody else wrote since it was read. */
  write({ id, ...change }: VolumeChange): Promise<boolean> {
    const item = {
      ...{ ...change, changeId: id, revision: change.revision + 1 },
      ...(change.end === null ? { isOpen: 'yes' } : {}),
    };
    return putRevision(this.client, this.table, item, change.revision, 'changeId');
  }

  /** What has not ended, as it was a moment ago. */
  open(): Promise<VolumeChange[]> {
    return reading('dynamodb:Query', async () => {
      const found: VolumeChange[] = [];
      const pages = paginateQuery(
        { client: this.client },
        {
          ...{ TableName: this.table, IndexName: openIndex, KeyConditionExpression: 'isOpen = :yes' },
          ExpressionAttributeValues: { ':yes': 'yes' },
        },
      );
      for await (const { Items = [] } of pages) found.push(...Items.map(changeOf));
      return found;
    });
  }

  /** All of it, for the page of the ledger. */
  all(): Promise<VolumeChange[]> {
    return reading('dynamodb:Scan', async () => {
      const found: VolumeChange[] = [];
      for await (const { Items = [] } of paginateScan({ client: this.client }, { TableName: this.table }))
        found.push(...Items.filter(isChange).map(changeOf));
      return found;
    });
  }

  async volume(account: string, region: string, volumeId: string): Promise<VolumeItem> {
    const item = await this.get(volumeKey(account, region, volumeId));
    return item === null
      ? { holder: null, takenSeconds: 0, revision: 0 }
      : volumeItemSchema.omit({ changeId: true }).parse(item);
  }

  writeVolume(account: string, region: string, volumeId: string, item: VolumeItem): Promise<boolean> {
    const changeId = volumeKey(account, region, volumeId);
    const next = { ...item, changeId, revision: item.revision + 1 };
    return putRevision(this.client, this.table, next, item.revision, 'changeId');
  }

  async begun(): Promise<BegunItem> {
    const item = await this.get(begunKey);
    return item === null ? { begun: [], revision: 0 } : begunItemSchema.omit({ changeId: true }).parse(item);
  }

  writeBegun(item: BegunItem): Promise<boolean> {
    const next = { ...item, changeId: begunKey, revision: item.revision + 1 };
    return putRevision(this.client, this.table, next, item.revision, 'changeId');
  }

  /** That the execution of a change waits for a person, with the token that lets it go on. A later one is the one that waits. */
  async waits(id: string, taskToken: string): Promise<void> {
    await reading('dynamodb:PutItem', () =>
      this.client.send(
        new PutCommand({ TableName: this.table, Item: { changeId: waitingKey(id), taskToken } }),
      ),
    );
  }

  /** Null: it never waited. */
  async taskToken(id: string): Promise<string | null> {
    const item = await this.get(waitingKey(id));
    return item === null ? null : z.object({ taskToken: z.string() }).parse(item).taskToken;
  }
}
