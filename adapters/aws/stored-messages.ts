/** Messages about findings, kept in the table of their records from before they are sent. */
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import type { StoredMessage } from '../../core/lifecycle/stored-message.ts';
import { sanitizeJson } from '../../core/sanitize.ts';
import { notificationSchema } from '../../core/schemas/notification.ts';
import { reading } from './failure.ts';
import { putRevision } from './put-revision.ts';

const keyOf = (messageId: string): string => `message#${messageId}`;

const messageSchema = z.object({
  messageId: z.string(),
  revision: z.number(),
  state: z.enum(['sending', 'sent', 'void']),
  notification: z.string().transform(jsonOrNull).pipe(notificationSchema).nullable(),
  findingIds: z.array(z.string()),
  leaseUntilEpochSeconds: z.number(),
  expiresEpochSeconds: z.number(),
}) satisfies z.ZodType<StoredMessage>;

export class StoredMessages {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** As it is now; null where there is none. */
  read(messageId: string): Promise<StoredMessage | null> {
    return reading('dynamodb:GetItem', async () => {
      const { Item } = await this.client.send(
        new GetCommand({ TableName: this.table, Key: { findingId: keyOf(messageId) }, ConsistentRead: true }),
      );
      return Item === undefined ? null : messageSchema.parse(Item);
    });
  }

  /**
   * @param beforeRevision of the message as it was read; 0: there was none.
   * @returns false where somebody else was faster.
   */
  write(message: StoredMessage, beforeRevision: number): Promise<boolean> {
    const { messageId, notification } = message;
    const item = {
      ...message,
      findingId: keyOf(messageId),
      // A finding is deep, and each level of it would count as bytes of the item.
      notification: notification === null ? null : sanitizeJson(notification),
    };
    return putRevision(this.client, this.table, item, beforeRevision);
  }
}
