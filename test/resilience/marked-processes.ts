/** The processes of one directory: it stands in their environment or in their command line. Linux alone tells. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

export interface MarkedProcess {
  pid: number;
  /** Its words, with spaces between them. */
  command: string;
  /** NAME=value, with spaces between them. */
  environment: string;
}

const words = (file: string): string => readFileSync(file, 'utf8').replaceAll('\0', ' ').trim();

/** @throws where the system does not tell: nothing found would mean nothing. */
export function processesOf(directory: string): MarkedProcess[] {
  if (!existsSync('/proc/self/environ'))
    throw new Error('needs /proc/PID/environ of Linux to find processes');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // Both are empty for one that is dead and not yet collected.
        return {
          pid: Number(name),
          command: words(`/proc/${name}/cmdline`),
          environment: words(`/proc/${name}/environ`),
        };
      } catch {
        // Ended meanwhile, or somebody else's.
        return [];
      }
    })
    .filter(
      ({ pid, command, environment }) =>
        pid !== process.pid && (command.includes(directory) || environment.includes(directory)),
    );
}

/** The ports that they were told to listen on. */
export const portsOf = (processes: readonly MarkedProcess[]): number[] =>
  processes.flatMap(({ command, environment }) => {
    const notified = / --port (\d+)/.exec(command) ?? /(?:^| )GATEWAY_PORT=(\d+)/.exec(environment);
    return notified === null ? [] : Number(notified[1]);
  });

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const pollMs = 100;

/** True when it holds within that time, asked again and again. */
export async function comesTrue(holds: () => boolean, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await after(pollMs)) {
    if (holds()) return true;
  }
  return holds();
}

/** The demo looks up from simulating only when that is done: seconds, more where the machine has other work. */
const goneWithinMs = 30_000;

/** What of a directory is still there after some seconds, in words; how long it took where nothing is. */
export async function leftOf(directory: string, ports: readonly number[]) {
  const from = Date.now();
  const waited = (): number => Date.now() - from;
  let left: string[];
  do {
    left = processesOf(directory).map(({ pid, command }) => `${pid} ${command}`);
    // A process has no environment any more before its ports are closed.
    for (const port of new Set(ports)) if (await isOpen(port)) left.push(`port ${port}`);
    if (left.length === 0) break;
    await after(pollMs);
  } while (waited() < goneWithinMs);
  return { left: left.join('; '), within: `${(waited() / 1_000).toFixed(1)} s` };
}

/** So that a test that fails leaves nothing either. */
export function endAllOf(directory: string): void {
  for (const { pid } of processesOf(directory)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Ended meanwhile.
    }
  }
}
