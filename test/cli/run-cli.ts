/** Runs a command line in this process and keeps what it printed. */
import type { Io } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';

/** What this machine's user refreshed is not what tests are about; a test of the cache names its own. */
process.env['XDG_CACHE_HOME'] = '/nowhere';
/** No command asks AWS by itself; a test of that switches it on. */
process.env['STRIPEWISE_CATALOG_REFRESH'] = 'off';

/** What was shown to the person; with a trouble nothing can be shown. */
export const browser = { opened: [] as string[], trouble: null as string | null };

/** Who is asked; without answers nobody is there. */
export const person = {
  answers: null as string[] | null,
  questions: [] as string[],
  answer(question: string): string | null {
    this.questions.push(question);
    return this.answers?.shift() ?? null;
  },
};

export interface CliRun {
  code: number;
  out: string;
  err: string;
}

/** Keeps what is printed, a line each. */
export const collectingIo = (out: string[], err: string[]): Io => ({
  out: (line) => out.push(line),
  err: (line) => err.push(line),
  errIsTerminal: false,
  errStream: process.stderr,
  color: false,
  invokedAs: 'stripewise',
  columns: null,
  openFile: async (path) => {
    browser.opened.push(path);
    return browser.trouble;
  },
  ask: person.answers === null ? null : async (question) => person.answer(question),
  now: () => new Date('2026-11-20T12:34:56Z'),
  newRunId: () => 'run-1',
});

export async function runCli(...argv: string[]): Promise<CliRun> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(argv, collectingIo(out, err));
  return { code, out: out.join('\n'), err: err.join('\n') };
}

/** The JSON document that a command printed; it must have ended well. */
export async function cliJson<T = Record<string, unknown>>(...argv: string[]): Promise<T> {
  const { code, out, err } = await runCli(...argv, '--json');
  if (code !== 0) throw new Error(`stripewise ${argv.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}
