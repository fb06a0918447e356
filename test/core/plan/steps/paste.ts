/**
 * Lines pasted into a shell as a person does: bash goes on after a line that was refused, and keeps its variables. From a
 * pipe, dash drops the rest at a syntax error: what is left unfilled says something in bash only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export const shells = ['/bin/bash', '/bin/sh'] as const;

export interface Pasting {
  shell: (typeof shells)[number];
  /** The only directory whose commands are found. */
  bin: string;
  cwd: string;
}

export async function paste(lines: readonly string[], { shell, bin, cwd }: Pasting): Promise<void> {
  const bare = shell === '/bin/bash' ? ['--norc', '--noprofile'] : [];
  const pasted = spawn(shell, [...bare, '-i'], {
    cwd,
    env: { PATH: bin, HISTFILE: '/dev/null', PS1: '', PS2: '', ENV: '' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // interactive, it would take the terminal of the tests
  });
  pasted.stdin.end(`${lines.join('\n')}\n`);
  await once(pasted, 'close');
}

/** What a person puts in the place of <name>. */
export const fill = (line: string, values: Record<string, string> = {}): string =>
  line.replace(/<[a-z][a-z0-9-]*>/g, (placeholder) => values[placeholder] ?? 'x');
