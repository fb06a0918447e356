/** Servers that are started for a while: up when they answer, gone with everything they started. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { release, spawnOwned } from './owned-process.ts';

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

interface LoggedProcess {
  command: string;
  args: readonly string[];
  /** All of its environment. */
  env: Readonly<Record<string, string>>;
  /** Where its output goes; started anew. */
  logFile: string;
  /** Called with the process group as soon as there is one. */
  onSpawn?: (pid: number) => void;
}

export interface StartProcess extends LoggedProcess {
  /** It is up when a GET of this is answered with a status below 500. */
  readyUrl: string;
  /** @default 60,000 */
  readyWithinMs?: number;
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

/** SIGTERM to a process group, SIGKILL to what is left of it after 3 s; done when it is gone. False: there was none. */
export async function endGroup(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  signalGroup(pid, 'SIGTERM');
  if (await goneWithin(pid, graceMs)) return true;
  signalGroup(pid, 'SIGKILL');
  await goneWithin(pid, afterKillMs);
  return true;
}

/** When a process started, as the system says it; null where there is none. Numbers come again, with this they do not. */
export function startedAt(pid: number): string | null {
  try {
    // Its 22nd field, in hundredths of a second; the second is the name in brackets, which may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
    const asked = spawnSync('ps', ['-p', `${pid}`, '-o', 'lstart='], { encoding: 'utf8', env });
    return asked.stdout?.trim() || null;
  }
}

function spawnLogged({ command, args, env, logFile, onSpawn }: LoggedProcess, cwd?: string): ChildProcess {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const child = spawnOwned(command, args, { env, output: log, ...(cwd === undefined ? {} : { cwd }) });
  closeSync(log);
  if (child.pid !== undefined) onSpawn?.(child.pid);
  return child;
}

/** Ends what is left of an owned process and all it started; from then on its number may be another's. */
async function endOwned({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  await endGroup(pid);
  release(pid);
}

const howItEnded = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `it ended with status ${code}` : `it was ended by ${signal}`;

const lastOf = (logFile: string): string =>
  readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lastLines).join('\n');

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
  const { command, readyUrl, logFile, readyWithinMs = 60_000 } = options;
  const child = spawnLogged(options);
  let ended: string | undefined;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code, signal) => {
    ended = howItEnded(code, signal);
  });

  const { pid } = child;
  const keep = (): void => {
    if (pid !== undefined) release(pid);
    child.unref();
  };
  const stop = (): Promise<void> => endOwned(child);

  const deadline = Date.now() + readyWithinMs;
  while (ended === undefined && Date.now() < deadline) {
    if (pid !== undefined && (await answers(readyUrl))) return { pid, stop, keep };
    await after(pollMs);
  }
  await stop();
  const why = ended ?? `${readyUrl} did not answer within ${readyWithinMs / 1_000} s`;
  throw new Error(`${command} did not start: ${why}. The last lines of ${logFile}:\n${lastOf(logFile)}`);
}

/** Runs a command to its end. @throws where it fails, with the last lines of its output. */
export async function runToEnd(options: LoggedProcess & { cwd: string; name: string }): Promise<void> {
  const child = spawnLogged(options, options.cwd);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (...how) => resolve(how));
  });
  // Whoever killed it may have left what it started.
  await endOwned(child);
  if (code === 0) return;
  // It failed by itself: its last lines say why. It was killed: they do not.
  const lines = signal === null ? `. The last lines of ${options.logFile}:\n${lastOf(options.logFile)}` : '';
  throw new Error(`${options.name} did not come to its end: ${howItEnded(code, signal)}${lines}`);
}
