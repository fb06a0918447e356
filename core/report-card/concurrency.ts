/** How many operations are in flight of all jobs together: users, as the published scale counts them. Source: fio's HOWTO. */
import { z } from 'zod';
import { decimalOf } from '../decimal.ts';
import { known } from '../known.ts';
import type { FioTest } from './fio-tests.ts';
import { isOneByOne } from './job-options.ts';

const shape = {
  ...{ file: z.string(), test: z.string(), engine: z.string() },
  ...{ jobs: z.number(), ioDepth: z.number() },
  more: z.number().meta({ description: 'further tests of the file like this one' }),
};
export const loadNotes = [
  z
    .object({ code: z.literal('users-with-depth'), ...shape })
    .meta({ description: 'an asynchronous engine: users are numjobs x iodepth' }),
  z
    .object({ code: z.literal('users-without-depth'), ...shape })
    .meta({ description: 'a synchronous engine: users are numjobs, iodepth does not count' }),
] as const;
export type LoadNote = z.infer<(typeof loadNotes)[number]>;

/** Engines that submit up to iodepth operations without waiting for one. */
const asynchronous = new Set(['libaio', 'io_uring', 'windowsaio', 'posixaio']);

function noteOf(file: string, test: FioTest): LoadNote | null {
  const { options, users, ioDepth, name } = test;
  if (options === null || !users.known) return null;
  const { ioengine: engine = 'psync', iodepth } = options;
  const common = { file, test: name, engine, jobs: users.value, more: 0 };
  if (asynchronous.has(engine))
    return ioDepth.known && ioDepth.value > 1
      ? { code: 'users-with-depth', ...common, ioDepth: ioDepth.value }
      : null;
  const said = decimalOf(iodepth ?? '1');
  return isOneByOne(engine) && said > 1 ? { code: 'users-without-depth', ...common, ioDepth: said } : null;
}

/**
 * Tests whose users are the operations in flight: numjobs x iodepth of an asynchronous engine, each user with one in flight. Of other
 * engines they stay as they are.
 * @param file its name, for the notes: one of each kind, of its first test.
 */
export function withConcurrency(
  file: string,
  tests: readonly FioTest[],
): { tests: FioTest[]; notes: LoadNote[] } {
  const notes = new Map<LoadNote['code'], LoadNote>();
  const counted = tests.map((test) => {
    const note = noteOf(file, test);
    if (note === null) return test;
    const before = notes.get(note.code);
    notes.set(note.code, before === undefined ? note : { ...before, more: before.more + 1 });
    return note.code === 'users-with-depth'
      ? { ...test, users: known(note.jobs * note.ioDepth), ioDepth: known(1) }
      : test;
  });
  return { tests: counted, notes: [...notes.values()] };
}
