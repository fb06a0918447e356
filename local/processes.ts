/** Servers that are started for a while: up when they answer, gone with everything they started. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const pollMs = 50;
const graceMs = 3_000;
const afterKillMs = 2_000;
const lastLines = 15;

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** What a server needs of this process's environment: nothing of an AWS account, proxy or profile reaches it. */
export function plainEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG'].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(kept.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

export interface StartProcess {
  command: string;
  args: readonly string[];
  /** All of its environment. */
  env: Readonly<Record<string, string>>;
  /** It is up when a GET of this is answered with a status below 500. */
  readyUrl: string;
  /** Where its output goes; started anew. */
  logFile: string;
  /** @default 60,000 */
  readyWithinMs?: number;
  /** Told the process group as soon as there is one. */
  onSpawn?: (pid: number) => void;
}

export interface RunningProcess {
  pid: number;
  /** SIGTERM to it and all it started, SIGKILL to what is left after 3 s; done when they are gone. */
  stop(): Promise<void>;
  /** It stays when this process ends. */
  keep(): void;
}

/** Sends a signal to a whole process group; false when there is none any more. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where nobody collects orphans (a container without init), dead ones stay visible to a signal: only `ps` tells.
 * Without `ps` they count as alive.
 */
function isAlive(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false;
  const listed = spawnSync('ps', ['-A', '-o', 'pgid=,stat='], { encoding: 'utf8' });
  if (listed.status !== 0) return true;
  return listed.stdout.split('\n').some((line) => {
    const [group, state] = line.trim().split(/\s+/);
    return group === String(pid) && state?.startsWith('Z') === false;
  });
}

async function goneWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await after(pollMs)) {
    if (!isAlive(pid)) return true;
  }
  return !isAlive(pid);
}

async function endGroup(pid: number): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await goneWithin(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await goneWithin(pid, afterKillMs);
}

/** The command line of a process; empty where there is none. */
export const commandOf = (pid: number): string =>
  spawnSync('ps', ['-p', `${pid}`, '-o', 'args='], { encoding: 'utf8' }).stdout ?? '';

/** Ends a process group that another process started, if its leader's command line has this text: numbers come again. */
export async function stopGroup(pid: number, commandText: string): Promise<void> {
  if (commandOf(pid).includes(commandText)) await endGroup(pid);
}

async function answers(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url, {
      signal: AbortSignal.timeout(2_000),
      headers: { connection: 'close' },
    });
    await reply.arrayBuffer();
    return reply.status < 500;
  } catch {
    return false;
  }
}

export async function startProcess(options: StartProcess): Promise<RunningProcess> {
  const { command, args, env, readyUrl, logFile, readyWithinMs = 60_000 } = options;
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  // Detached: a process group of its own, so that a signal reaches its children too.
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let ended: string | undefined;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code, signal) => {
    ended = signal === null ? `it ended with status ${code}` : `it was ended by ${signal}`;
  });

  const { pid } = child;
  if (pid !== undefined) options.onSpawn?.(pid);
  const killNow = (): void => {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  };
  process.once('exit', killNow);
  const keep = (): void => {
    process.removeListener('exit', killNow);
    child.unref();
  };
  const stop = async (): Promise<void> => {
    process.removeListener('exit', killNow);
    if (pid !== undefined) await endGroup(pid);
  };

  const deadline = Date.now() + readyWithinMs;
  while (ended === undefined && Date.now() < deadline) {
    if (pid !== undefined && (await answers(readyUrl))) return { pid, stop, keep };
    await after(pollMs);
  }
  await stop();
  const why = ended ?? `${readyUrl} did not answer within ${readyWithinMs / 1_000} s`;
  const output = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLines).join('\n');
  throw new Error(`${command} did not start: ${why}. The last lines of ${logFile}:\n${output}`);
}
