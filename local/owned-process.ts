/**
 * Processes that end with this one, and directories that go with it, in whatever way it ends: a watchdog beside it
 * (watchdog.mjs) sees to it. One for all of them, started with the first, gone after the last.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';

const owned = new Set<number>();
const directories = new Set<string>();
let watchdog: Socket | null = null;

function startWatchdog(): Socket {
  // What is started by hand may outlive its shell.
  const starter = process.env['npm_lifecycle_event'] === undefined ? [] : [`${process.ppid}`];
  const child = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.mjs'), ...starter], {
    // A session of its own: what is typed at the terminal does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pipe = child.stdin as Socket;
  const lost = (): void => {
    if (watchdog === pipe) watchdog = null;
  };
  child.on('error', lost);
  child.on('exit', lost);
  pipe.on('error', lost);
  // This process waits for neither.
  child.unref();
  pipe.unref();
  // Where an earlier one was ended by somebody, this one takes over.
  for (const pid of owned) pipe.write(`+${pid}\n`);
  for (const directory of directories) pipe.write(`>${directory}\n`);
  return pipe;
}

export interface OwnedProcessOptions {
  /** All of its environment. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Where standard output and error go: a file descriptor, or a pipe to this process. */
  output: number | 'pipe';
}

/**
 * A process group of its own, so that a signal reaches its children too. It is a shell first, which tells the watchdog
 * its number and then becomes the command: at no moment does the command run unwatched.
 */
export function spawnOwned(
  command: string,
  args: readonly string[],
  { env, cwd, output }: OwnedProcessOptions,
): ChildProcess {
  watchdog ??= startWatchdog();
  const watched = ['-c', 'echo "+$$" >&3 || exit 1; exec 3>&-; exec "$@"', 'sh', command, ...args];
  const child = spawn('/bin/sh', watched, {
    env,
    ...(cwd === undefined ? {} : { cwd }),
    detached: true,
    stdio: ['ignore', output, output, watchdog],
  });
  if (child.pid !== undefined) owned.add(child.pid);
  return child;
}

function endWatchdogAfterLast(): void {
  if (owned.size + directories.size > 0) return;
  watchdog?.end();
  watchdog = null;
}

/** It is over, or it stays when this process ends. */
export function release(pid: number): void {
  if (!owned.delete(pid)) return;
  watchdog?.write(`-${pid}\n`);
  endWatchdogAfterLast();
}

/** @param directory gone, with all that is in it, when this process has ended. In one line, from the root. */
export function ownDirectory(directory: string): void {
  if (!/^\/.+$/.test(directory)) throw new Error(`${directory} must be a path from the root, in one line`);
  watchdog ??= startWatchdog();
  directories.add(directory);
  watchdog.write(`>${directory}\n`);
}

/** It is gone already, or it stays. */
export function releaseDirectory(directory: string): void {
  if (!directories.delete(directory)) return;
  watchdog?.write(`<${directory}\n`);
  endWatchdogAfterLast();
}
