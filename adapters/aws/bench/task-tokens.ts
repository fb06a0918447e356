/** Who waits for a command: in DynamoDB by its id, so that its end finds the execution. */
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { reading } from '../failure.ts';

const waitingSchema = z.object({ commandId: z.string(), instanceId: z.string(), taskToken: z.string() });
export type Waiting = z.infer<typeof waitingSchema>;

export class TaskTokens {
  private readonly client: DynamoDBDocumentClient;
  private readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** A task that began anew has another token: the last one is the one that waits. */
  async put(waiting: Waiting, expiresEpochSeconds: number): Promise<void> {
    await reading('dynamodb:PutItem', () =>
      this.client.send(new PutCommand({ TableName: this.table, Item: { ...waiting, expiresEpochSeconds } })),
    );
  }

  /** Null: nobody waits for it; most commands of an account are not ours. */
  async get(commandId: string): Promise<Waiting | null> {
    const { Item } = await reading('dynamodb:GetItem', () =>
      this.client.send(new GetCommand({ TableName: this.table, Key: { commandId }, ConsistentRead: true })),
    );
    return Item === undefined ? null : waitingSchema.parse(Item);
  }

  async remove(commandId: string): Promise<void> {
    await reading('dynamodb:DeleteItem', () =>
      this.client.send(new DeleteCommand({ TableName: this.table, Key: { commandId } })),
    );
  }
}
