/** A command started as a person's shell starts it: a process group, whose processes a directory marks. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { comesTrue } from './marked-processes.ts';

export interface StartedCommand {
  /** Of its leader; its group has the same number. */
  pid: number;
  output(): string;
  /** Until it is in that state. @throws with its last lines where it ends before or never comes there. */
  reaches(state: string, isThere: () => boolean): Promise<void>;
  /** Its exit code, as a shell says it: 128 and the number of the signal that ended it. */
  ended: Promise<number>;
}

/** Twice what was seen on two cores with much other work. */
const reachesWithinMs = 600_000;

interface StartCommand {
  /** Marks all that it starts: the directory for temporary files is handed on by all of ours. */
  directory: string;
  cwd: string;
  env?: Record<string, string>;
}

export function startCommand(
  [command, ...args]: readonly [string, ...string[]],
  { directory, cwd, env }: StartCommand,
): StartedCommand {
  const temporary = join(directory, 'tmp');
  mkdirSync(temporary, { recursive: true });
  // What npm says to this test is not said to the command.
  const plain = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|AWS_)/.test(name));
  const child = spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(plain), ...env, TMPDIR: temporary },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let isOver = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      isOver = true;
      resolve(signal === null ? (code ?? -1) : 128 + constants.signals[signal]);
    });
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    reaches: async (state, isThere) => {
      const there = await comesTrue(() => isOver || isThere(), reachesWithinMs);
      if (there && !isOver) return;
      const how = isOver ? `ended with ${await ended}` : 'did not get there';
      throw new Error(`until "${state}": ${how}: ${output.split('\n').slice(-20).join('\n')}`);
    },
  };
}
