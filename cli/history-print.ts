/** How the commands of `history` end: what they print, and the codes. */
import { unreadText } from '../report/terminal/history.ts';
import type { ArchiveOptions } from './history-archive.ts';
import { type ExitCode, exitCodes, type Io, printJson } from './io.ts';

export type Ended = (code: ExitCode) => void;

export interface HistoryOptions extends ArchiveOptions {
  json?: true;
}

interface Answer {
  unreadFiles: readonly { file: string; reason: string }[];
}

/** Prints an answer; where a file could not be read, the last lines say which, and the code is that of a part. */
export function print<T extends Answer>(
  answer: T,
  lines: (answer: T) => string[],
  json: true | undefined,
  io: Io,
  end: Ended,
) {
  if (json) printJson(io, answer);
  else for (const line of lines(answer)) io.out(line);
  for (const line of unreadText(answer.unreadFiles)) io.err(`stripewise: ${line}`);
  if (answer.unreadFiles.length > 0) end(exitCodes.partial);
}

export const exitCodesHelp = `
Exit codes:
  0  done
  2  bad input, such as a directory without an archive
  3  done, and a file could not be read: the last lines name it
  4  failed
`;
