/** What a command may touch of the world, so that it can be called and tested without a process. */
import { sanitizeJson } from '../core/sanitize.ts';

export interface Io {
  /** Standard output, a line at a time. */
  out(line: string): void;
  /** Standard error: errors, progress and notes. */
  err(line: string): void;
  /** Progress is shown to a terminal only. */
  errIsTerminal: boolean;
  /** Standard error as a stream, for a progress bar on a terminal. */
  errStream: NodeJS.WritableStream;
  /** May the output be colored? */
  color: boolean;
  /** How the person called us, to be written before a command that they can copy. */
  invokedAs: string;
  /** Characters in a line of the terminal; null where the output is not one. */
  columns: number | null;
  /** Shows a file in the browser. @returns why that cannot be; null: it was handed over. */
  openFile(path: string): Promise<string | null>;
  /** Asks the person. @returns what was typed; null: they ended it. Null instead of a function: nobody is there to be asked. */
  ask: ((question: string) => Promise<string | null>) | null;
  now(): Date;
  newRunId(): string;
}

/** How a run ended; the numbers are a contract. */
export const exitCodes = { done: 0, findings: 1, badInput: 2, partial: 3, failed: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One JSON document on standard output, and nothing else there. */
export const printJson = (io: Io, document: unknown): void => io.out(sanitizeJson(document, 2));
