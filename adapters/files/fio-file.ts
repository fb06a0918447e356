/** What fio printed, or what `run-fio` made of it, from a file. */
import type { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { type LoadNote, withConcurrency } from '../../core/report-card/concurrency.ts';
import {
  beginOfJson,
  fioSchema,
  isRunFio,
  jsonOfFio,
  runFioSchema,
} from '../../core/report-card/fio-result.ts';
import { type FioTest, testsOfFio, testsOfRunFio } from '../../core/report-card/fio-tests.ts';
import type { LogNote } from '../../core/report-card/over-time.ts';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import { type FioFile, withLogs } from './fio-logs.ts';
import { place, type TextFile } from './text-file.ts';

const right = 'give what `fio --output-format=json` (or json+) printed, or a result of run-fio, whole';

/** @param why as the parser says it. */
function troubleOf(text: string, why: string): string {
  if (/after JSON/.test(why)) return 'something follows its result, such as another one (--status-interval)';
  const isCut = /end of JSON|Unterminated/.test(why) || !text.trimEnd().endsWith('}');
  return isCut ? 'it is cut short' : 'it is no whole JSON';
}

function documentIn(file: TextFile): unknown {
  const { name } = file;
  const text = file.text().replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new BadInput(`${name}: is empty; ${right}`);
  if (beginOfJson(text) === -1)
    throw new BadInput(
      `${name}: has no result of fio in it (without --output-format=json fio prints text); ${right}`,
    );
  try {
    return jsonOfFio(text);
  } catch (error) {
    const why = sanitizeFirstLine((error as Error).message, 200);
    throw new BadInput(`${name}: ${troubleOf(text, why)} (${why}); ${right}`, { cause: error });
  }
}

function parsed<T>(name: string, document: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new BadInput(
    `${name}: ${place(issue?.path ?? [])} is not as fio prints it: ${issue?.message ?? 'unreadable'}; ${right}`,
  );
}

function testsIn(of: FioFile, document: unknown): { tests: FioTest[]; notes: (LogNote | LoadNote)[] } {
  const { name } = of.file;
  if (isRunFio(document)) return { tests: testsOfRunFio(parsed(name, document, runFioSchema)), notes: [] };
  const result = parsed(name, document, fioSchema);
  const logged = withLogs(of, result['fio version'], testsOfFio(result));
  // Logs are numbered by jobs: their users are counted afterwards. A step of run-fio says itself how many they are.
  const { tests, notes } = withConcurrency(of.fileName, logged.tests);
  return { tests, notes: [...notes, ...logged.notes] };
}

/** Every test in it, and what is odd about the logs beside it. @throws BadInput where it is no result, or has no job. */
export function readFioTests(of: FioFile): { tests: FioTest[]; notes: (LogNote | LoadNote)[] } {
  const found = testsIn(of, documentIn(of.file));
  if (found.tests.length === 0) throw new BadInput(`${of.file.name}: has no job in it; ${right}`);
  return found;
}
