/** Tells who waits for a command that it has ended. Events come more than once, and of commands of anybody. */
type CommandEnd = { succeeded: true } | { succeeded: false; reason: string } | null;

export interface EndFrom {
  whoWaits(commandId: string): Promise<{ instanceId: string; taskToken: string } | null>;
  commandEnd(commandId: string, instanceId: string): Promise<CommandEnd>;
  answer(taskToken: string, end: NonNullable<CommandEnd>): Promise<boolean>;
  forget(commandId: string): Promise<void>;
}

export async function endCommand(
  commandId: string,
  { whoWaits, commandEnd, answer, forget }: EndFrom,
): Promise<'nobody-waits' | 'not-ended' | 'notified' | 'too-late'> {
  const waiting = await whoWaits(commandId);
  if (waiting === null) return 'nobody-waits';
  const end = await commandEnd(commandId, waiting.instanceId);
  // The event of its end comes too; and whoever waits looks for itself after a while.
  if (end === null) return 'not-ended';
  const isHeard = await answer(waiting.taskToken, end);
  await forget(commandId);
  return isHeard ? 'notified' : 'too-late';
}
