/**
 * Sends a command to a host, once, and leaves word of who waits for its end. Called again for the same command, after an
 * error or because nothing was heard of it for a while, it looks at the one that it sent: so a lost event is no lost run.
 */
import type { Command } from '../../core/benchmark/campaign/commands.ts';

/** The host cannot be reached any more. */
export class HostLost extends Error {
  override readonly name = 'HostLost';
}
/** It has lived as long as it may. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

type CommandEnd = { succeeded: true } | { succeeded: false; reason: string } | null;

export interface RunFrom {
  /** The one that was sent before, by its comment. */
  findCommand(comment: string): Promise<string | null>;
  sendCommand(command: Command, comment: string): Promise<string>;
  rememberWaiting(commandId: string): Promise<void>;
  commandEnd(commandId: string): Promise<CommandEnd>;
  /** Of the host. */
  pingStatus(): Promise<string | null>;
  /** Answers whoever waits. */
  answer(end: NonNullable<CommandEnd>): Promise<unknown>;
  now(): Date;
}

export interface RunCommand {
  campaignId: string;
  cellId: string;
  /** Which of its commands: how many were done before. */
  commandsDone: number;
  command: Command;
  /** ISO 8601 UTC. */
  hostExpiresAt: string;
}

/** SSM takes 100 characters of a comment: of longer names the end tells them apart. */
const maxComment = 100;
export const commentOf = ({ campaignId, cellId, commandsDone }: RunCommand): string =>
  `${commandsDone} ${cellId} ${campaignId}`.slice(0, maxComment);

/** @throws HostLost, OutOfTime. */
export async function runCommand(
  run: RunCommand,
  from: RunFrom,
): Promise<{ commandId: string; ended: boolean }> {
  if (from.now().getTime() >= Date.parse(run.hostExpiresAt))
    throw new OutOfTime(`the host may live until ${run.hostExpiresAt}, and the command has not ended`);
  const comment = commentOf(run);
  const sentBefore = await from.findCommand(comment);
  const commandId = sentBefore ?? (await from.sendCommand(run.command, comment));
  await from.rememberWaiting(commandId);
  // It may have ended before anybody waited for it.
  const end = await from.commandEnd(commandId);
  if (end !== null) {
    await from.answer(end);
    return { commandId, ended: true };
  }
  if (sentBefore !== null && (await from.pingStatus()) !== 'Online')
    throw new HostLost('Systems Manager does not reach the host any more');
  return { commandId, ended: false };
}
