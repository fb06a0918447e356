/** What reading cost in a calendar month, in DynamoDB: one item a month, with USD by who read; for a budget of some accounts one more. */
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import type { Source } from '../../core/schemas/notification.ts';
import { msPerSecond, secondsPerDay } from '../../core/units.ts';
import { reading } from './failure.ts';

const keepDays = 400;

const spendSchema = z.object({ audit: z.number().default(0), monitoring: z.number().default(0) });
/** USD. */
export type MonthSpend = z.infer<typeof spendSchema>;

interface Spending {
  source: Source;
  usd: number;
  now: Date;
  /** The key of a budget of some accounts: what they cost. */
  ofAccounts?: string | undefined;
}

const monthOf = (now: Date): string => now.toISOString().slice(0, 'yyyy-mm'.length);

/** @returns what was spent in the month with it. A call that is made again counts again: rather too much than too little. */
export const addSpend = (
  client: DynamoDBDocumentClient,
  table: string,
  { source, usd, now, ofAccounts }: Spending,
): Promise<MonthSpend> =>
  reading('dynamodb:UpdateItem', async () => {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { month: ofAccounts === undefined ? monthOf(now) : `${monthOf(now)} ${ofAccounts}` },
        UpdateExpression: 'ADD #source :usd SET expires = :expires',
        ExpressionAttributeNames: { '#source': source },
        ExpressionAttributeValues: {
          ':usd': usd,
          ':expires': Math.floor(now.getTime() / msPerSecond) + keepDays * secondsPerDay,
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return spendSchema.parse(Attributes);
  });
