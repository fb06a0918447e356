/** The records of findings, in DynamoDB: one item a finding, and beside them the messages that tell of them (stored-messages.ts). */
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  type BatchGetCommandOutput,
  DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { delay } from 'es-toolkit/promise';
import { Throttled } from '../../core/errors.ts';
import type { FindingRecord } from '../../core/lifecycle/finding-record.ts';
import { secondsPerDay } from '../../core/units.ts';
import { reading, unreadable } from './failure.ts';
import { findingIdSchema, recordSchema } from './finding-record-schema.ts';
import { putRevision } from './put-revision.ts';

/** DynamoDB's most for one BatchGetItem. */
const keysPerCall = 100;
/** Keys that DynamoDB hands back unread are asked for again, so often. */
const maxRounds = 6;
const firstPauseMs = 25;
/** Longer than any run takes to be handed in. */
const keepAuditDays = 30;

/** What a finding does not say is left out of its item. */
export const recordsClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** Given an item whose form is not known here, and why. */
type OnUnreadable = (findingId: string, reason: string) => void;

/** The index of what is open, and that of what there is something to tell of. */
const openIndex = 'open';
const toNotifyIndex = 'toNotify';

/**
 * The table: partition key `findingId` (string), time to live `expiresEpochSeconds`. Two indexes hold only what has their
 * attributes: `open` (partition key `openIn`, a string: the Region; all attributes) what counts as open, and `toNotify`
 * (partition key `toNotify`, a string: 'yes'; sort key `notifyFromEpochSeconds`, a number; keys only) what there is something to
 * tell of.
 */
export class FindingRecords {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;
  private readonly onUnreadable: OnUnreadable;

  constructor(client: DynamoDBDocumentClient, table: string, onUnreadable: OnUnreadable) {
    this.client = client;
    this.table = table;
    this.onUnreadable = onUnreadable;
  }

  /**
   * By finding id, as they are now; one that is not there is left out.
   * @param skip given the id of each that is there in a form that is not known here: it is left out too.
   */
  read(
    findingIds: readonly string[],
    skip: (findingId: string) => void = () => {},
  ): Promise<Map<string, FindingRecord>> {
    return reading('dynamodb:BatchGetItem', async () => {
      const records = new Map<string, FindingRecord>();
      for (let at = 0; at < findingIds.length; at += keysPerCall) {
        const Keys = findingIds.slice(at, at + keysPerCall).map((findingId) => ({ findingId }));
        for (const item of await this.readKeys(Keys)) {
          const record = this.recordOf(item);
          if (record === null) skip(findingIdSchema.parse(item).findingId);
          else records.set(record.findingId, record);
        }
      }
      return records;
    });
  }

  /** Null for an item of another form, such as one that a later version wrote before a rollback: it stops no other. */
  private recordOf(item: object): FindingRecord | null {
    const { data, error } = recordSchema.safeParse(item);
    if (data !== undefined) return data;
    const { message } = unreadable('reading its record', error);
    const wayOut = 'Another version of stripewise wrote it: destroy the stack and deploy it anew.';
    this.onUnreadable(findingIdSchema.parse(item).findingId, `${message}. ${wayOut}`);
    return null;
  }

  private recordsOf(items: readonly object[] = []): FindingRecord[] {
    return items.flatMap((item) => this.recordOf(item) ?? []);
  }

  private async readKeys(Keys: Record<string, string>[]): Promise<object[]> {
    const items: object[] = [];
    let RequestItems: BatchGetCommandInput['RequestItems'] = { [this.table]: { Keys, ConsistentRead: true } };
    for (let round = 0; round < maxRounds; round++) {
      const reply: BatchGetCommandOutput = await this.client.send(new BatchGetCommand({ RequestItems }));
      items.push(...(reply.Responses?.[this.table] ?? []));
      RequestItems = reply.UnprocessedKeys;
      if (RequestItems?.[this.table] === undefined) return items;
      await delay(firstPauseMs * 2 ** round);
    }
    throw new Throttled(`dynamodb:BatchGetItem left keys unread ${maxRounds} times`);
  }

  /**
   * @param beforeRevision of the record as it was read; 0: there was none.
   * @returns false where somebody else was faster.
   */
  write(record: FindingRecord, beforeRevision: number): Promise<boolean> {
    const isOpen = record.level !== null;
    const { notifyFromEpochSeconds, ...rest } = record;
    const item = {
      ...rest,
      ...(isOpen ? { openIn: record.finding.resource.region } : {}),
      // A key of an index must not be null: DynamoDB refuses the whole item.
      ...(notifyFromEpochSeconds === null ? {} : { toNotify: 'yes', notifyFromEpochSeconds }),
    };
    return putRevision(this.client, this.table, item, beforeRevision);
  }

  /**
   * Notes an audit that read this Region, or this account and Region, in whole, in an item beside the records.
   * @returns false where one that ended later was noted before.
   */
  isNewestAudit(place: string, endEpochSeconds: number): Promise<boolean> {
    return reading('dynamodb:PutItem', async () => {
      try {
        await this.client.send(
          new PutCommand({
            TableName: this.table,
            Item: {
              findingId: `audit#${place}`,
              endEpochSeconds,
              expiresEpochSeconds: endEpochSeconds + keepAuditDays * secondsPerDay,
            },
            ConditionExpression: 'attribute_not_exists(findingId) OR endEpochSeconds <= :end',
            ExpressionAttributeValues: { ':end': endEpochSeconds },
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    });
  }

  /** What counted as open in these Regions about a second ago. */
  open(regions: Iterable<string>): Promise<FindingRecord[]> {
    return reading('dynamodb:Query', async () => {
      const records: FindingRecord[] = [];
      for (const region of regions) {
        const items = this.query({
          IndexName: openIndex,
          KeyConditionExpression: 'openIn = :region',
          ExpressionAttributeValues: { ':region': region },
        });
        for await (const item of items) records.push(...this.recordsOf([item]));
      }
      return records;
    });
  }

  /** Ids of what there was something to tell of about a second ago, what waits longest first. */
  due(nowEpochSeconds: number): Promise<string[]> {
    return reading('dynamodb:Query', async () => {
      const ids: string[] = [];
      const items = this.query({
        IndexName: toNotifyIndex,
        KeyConditionExpression: 'toNotify = :yes AND notifyFromEpochSeconds <= :now',
        ExpressionAttributeValues: { ':yes': 'yes', ':now': nowEpochSeconds },
      });
      for await (const item of items) ids.push(findingIdSchema.parse(item).findingId);
      return ids;
    });
  }

  private async *query(input: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<object> {
    const pages = paginateQuery({ client: this.client }, { TableName: this.table, ...input });
    for await (const { Items } of pages) yield* Items ?? [];
  }

  /** All that is remembered. */
  all(): Promise<FindingRecord[]> {
    return reading('dynamodb:Scan', async () => {
      const records: FindingRecord[] = [];
      const pages = paginateScan(
        { client: this.client },
        // Messages and audits have none.
        { TableName: this.table, FilterExpression: 'attribute_exists(sourceStates)' },
      );
      for await (const { Items } of pages) records.push(...this.recordsOf(Items));
      return records;
    });
  }
}
