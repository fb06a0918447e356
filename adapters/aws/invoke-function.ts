import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { reading } from './failure.ts';

/** Hands a function an event; it runs later, and Lambda tries it again where it fails. */
export const invokeFunction = (client: LambdaClient, functionArn: string, event: unknown): Promise<void> =>
  reading('lambda:InvokeFunction', async () => {
    const asked = { FunctionName: functionArn, Payload: JSON.stringify(event) };
    await client.send(new InvokeCommand({ ...asked, InvocationType: 'Event' }));
  });
