/** The world as a process sees it. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { Io } from './io.ts';

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
      if (code !== 'EAGAIN') throw error;
    }
  }
}

export const processIo: Io = {
  out: (line) => writeAll(1, `${line}\n`),
  err: (line) => writeAll(2, `${line}\n`),
  errStream: process.stderr,
  // Through one of our npm scripts in a checkout, or installed.
  invokedAs: process.env['npm_package_name'] === 'stripewise' ? 'npm run -s stripewise --' : 'stripewise',
  color: process.stdout.isTTY === true && process.stdout.hasColors(),
  errIsTerminal: process.stderr.isTTY === true,
  columns: process.stdout.isTTY === true ? process.stdout.columns : null,
  now: () => new Date(),
  newRunId: () => randomUUID(),
};
