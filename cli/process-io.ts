/** The world as a process sees it. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { DiskFull } from '../core/errors.ts';
import type { Io } from './io.ts';

// The SDK that is bundled runs on Node 20. Its warning is about later versions of it: on each call, and no matter of who runs this.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

/** Writes all of a text, also to a pipe that takes it in parts; a reader that went away is no error of ours. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return;
      if (code === 'ENOSPC')
        throw new DiskFull('what is printed cannot be written: the disk is full; make room', {
          cause: error,
        });
      if (code !== 'EAGAIN') throw error;
    }
  }
}

/** A program that shows pages would take the terminal where there is no display. */
function isWithoutDisplay({ platform, env }: NodeJS.Process): boolean {
  if (platform === 'darwin' || platform === 'win32') return false;
  return !['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => env[name]);
}

async function openFile(path: string): Promise<string | null> {
  if (isWithoutDisplay(process)) return 'there is no display here';
  try {
    const { default: open } = await import('open');
    await open(path);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** On standard error, so that standard output has results alone. Ctrl-C and Ctrl-D end it. */
async function ask(question: string): Promise<string | null> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.on('close', () => resolve(null));
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}

interface MaybeTerminal {
  isTTY?: boolean;
  hasColors?: (env: NodeJS.ProcessEnv) => boolean;
}

/**
 * On a terminal that has colors, and where NO_COLOR is not set (https://no-color.org); nowhere else. FORCE_COLOR goes not before
 * NO_COLOR, as it does in Node, and colors no file.
 */
export const mayColor = (stream: MaybeTerminal, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env['NO_COLOR'] && stream.hasColors?.(env) === true;

export const processIo: Io = {
  out: (line) => writeAll(1, `${line}\n`),
  err: (line) => writeAll(2, `${line}\n`),
  errStream: process.stderr,
  // Through one of our npm scripts in a checkout, or installed.
  invokedAs: process.env['npm_package_name'] === 'stripewise' ? 'npm run -s stripewise --' : 'stripewise',
  color: mayColor(process.stdout, process.env),
  errIsTerminal: process.stderr.isTTY === true,
  columns: process.stdout.isTTY === true ? process.stdout.columns : null,
  openFile,
  ask: process.stdin.isTTY === true && process.stderr.isTTY === true ? ask : null,
  now: () => new Date(),
  newRunId: () => randomUUID(),
};
