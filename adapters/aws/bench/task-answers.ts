/** Answers a task of Step Functions that waits with a token. */
import {
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import { reading } from '../failure.ts';
import type { CommandEnd } from './host-commands.ts';

/** What workflows know it by. */
export const commandFailed = 'CommandFailed';

/** @returns false where nobody waits any more: it was answered before, or its execution has ended. */
export async function answerTask(
  client: SFNClient,
  taskToken: string,
  end: NonNullable<CommandEnd>,
): Promise<boolean> {
  const command = end.succeeded
    ? new SendTaskSuccessCommand({ taskToken, output: '{}' })
    : new SendTaskFailureCommand({ taskToken, error: commandFailed, cause: end.reason });
  const name = end.succeeded ? 'SendTaskSuccess' : 'SendTaskFailure';
  return reading(`states:${name}`, async () => {
    try {
      await client.send(command as SendTaskSuccessCommand);
      return true;
    } catch (error) {
      if (error instanceof TaskTimedOut || error instanceof TaskDoesNotExist || error instanceof InvalidToken)
        return false;
      throw error;
    }
  });
}
