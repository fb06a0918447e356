/** Whoever waits with a token is reported; that nobody waits any more is no error. */
import {
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { answerTask, commandFailed } from '../../../../adapters/aws/bench/task-answers.ts';
import { AccessDenied } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const states = mockClient(SFNClient);
const client = new SFNClient({ region: 'us-east-1' });
const failed = { succeeded: false, reason: 'Failed: no disk' } as const;

beforeEach(() => {
  states.reset();
});

test('that it succeeded', async () => {
  const asked = answerInTurn(states.on(SendTaskSuccessCommand), [{}]);
  expect(await answerTask(client, 'token-1', { succeeded: true })).toBe(true);
  expect(asked).toEqual([{ taskToken: 'token-1', output: '{}' }]);
});

test('that it failed, under the name that the workflow knows', async () => {
  const asked = answerInTurn(states.on(SendTaskFailureCommand), [{}]);
  expect(await answerTask(client, 'token-1', failed)).toBe(true);
  expect(asked).toEqual([{ taskToken: 'token-1', error: commandFailed, cause: 'Failed: no disk' }]);
});

test.each([TaskTimedOut, TaskDoesNotExist, InvalidToken])('%p: nobody waits any more', async (Gone) => {
  states.on(SendTaskFailureCommand).rejects(new Gone({ message: 'gone', $metadata: {} }));
  expect(await answerTask(client, 'token-1', failed)).toBe(false);
});

test('a refusal names the call', async () => {
  states.on(SendTaskSuccessCommand).rejects(awsError('AccessDeniedException', 'No.', 400));
  const answering = answerTask(client, 'token-1', { succeeded: true });
  await expect(answering).rejects.toThrow(AccessDenied);
  await expect(answering).rejects.toThrow('states:SendTaskSuccess failed: AccessDeniedException: No.');
});
