/** An event for a function that runs later. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { callFunction, invokeFunction } from '../../../adapters/aws/invoke-function.ts';
import { AccessDenied, Unavailable, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const lambda = mockClient(LambdaClient);
const client = new LambdaClient({ region: 'us-east-1' });
const arn = 'arn:aws:lambda:us-east-1:111122223333:function:tell';

beforeEach(() => {
  lambda.reset();
});

test('nobody waits for what it does', async () => {
  lambda.on(InvokeCommand).resolves({ StatusCode: 202 });
  await invokeFunction(client, arn, { findingIds: ['a', 'b'] });
  expect(lambda.commandCalls(InvokeCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { FunctionName: arn, InvocationType: 'Event', Payload: '{"findingIds":["a","b"]}' },
  ]);
});

test('a call that fails names itself', async () => {
  lambda.on(InvokeCommand).rejects(awsError('AccessDeniedException', 'No.', 403));
  const invoking = invokeFunction(client, arn, {});
  await expect(invoking).rejects.toThrow(AccessDenied);
  await expect(invoking).rejects.toThrow('lambda:InvokeFunction failed: AccessDeniedException: No.');
});

describe('a function whose answer is waited for', () => {
  const answering = (payload: string, FunctionError?: string) =>
    lambda.on(InvokeCommand).resolves({
      Payload: new Uint8Array(Buffer.from(payload)) as never,
      ...(FunctionError === undefined ? {} : { FunctionError }),
    });

  test('gives it', async () => {
    answering('{"refused":"ended"}');
    expect(await callFunction(client, arn, { do: 'undo' })).toEqual({ refused: 'ended' });
    expect(lambda.commandCalls(InvokeCommand)[0]?.args[0].input).toEqual({
      ...{ FunctionName: arn, InvocationType: 'RequestResponse', Payload: '{"do":"undo"}' },
    });
  });

  test('may fail: then nobody knows what it did', async () => {
    answering('{"errorMessage":"Task timed out"}', 'Unhandled');
    await expect(callFunction(client, arn, {})).rejects.toThrow(Unavailable);
  });

  test('may answer something else', async () => {
    answering('');
    await expect(callFunction(client, arn, {})).rejects.toThrow(Unreadable);
  });
});
