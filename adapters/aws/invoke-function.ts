import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { Unavailable, Unreadable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { reading } from './failure.ts';

const invokes = 'lambda:InvokeFunction';

/** Hands a function an event; it runs later, and Lambda tries it again where it fails. */
export const invokeFunction = (client: LambdaClient, functionArn: string, event: unknown): Promise<void> =>
  reading(invokes, async () => {
    const asked = { FunctionName: functionArn, Payload: JSON.stringify(event) };
    await client.send(new InvokeCommand({ ...asked, InvocationType: 'Event' }));
  });

/**
 * Waits for what a function answers.
 * @throws Unavailable where it failed: what it did by then is not known
 */
export const callFunction = (client: LambdaClient, functionArn: string, event: unknown): Promise<unknown> =>
  reading(invokes, async () => {
    const asked = { FunctionName: functionArn, Payload: JSON.stringify(event) };
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ ...asked, InvocationType: 'RequestResponse' }),
    );
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError !== undefined)
      throw new Unavailable(`${invokes}: the function failed`, { cause: text });
    const answer = jsonOrNull(text);
    if (answer === null) throw new Unreadable(`${invokes}: the function answered no JSON`);
    return answer;
  });
