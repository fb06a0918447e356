/** From the tests in files to a report card: files of one run together, each run by its name, with what was said of them. */
import { fewOf } from '../few.ts';
import { known, unknown } from '../known.ts';
import type { CardReport } from '../report/card-report.ts';
import type { GradeAnswer, GradeNote } from '../schemas/grade-answer.ts';
import { gradeAnswer, type Run } from './answer.ts';
import type { FioTest } from './fio-tests.ts';
import { type FileGroup, type GradedFile, groupedFiles, testsOfGroup } from './grouped-files.ts';
import type { Access } from './job-options.ts';

/** A file of results. */
export interface ResultFile extends GradedFile {
  /** Last part of its path. */
  fileName: string;
  /** Of the directory that it is in: its own name, and as who gave the file wrote it; `.` where nothing was written. */
  folder: { name: string; path: string };
  notes: readonly GradeNote[];
}

/** What a person says of all files together. */
export interface SaidOfFiles {
  /** They are repeats of one benchmark. */
  areRepeats: boolean;
  /** Where a file does not say; null: nothing is said. */
  access: Access | null;
  users: number | null;
  /** What the volumes cost. */
  monthlyUsd: number | null;
}

/** Whether what it did can be of that kind. */
function fits(access: Access, { readShare }: FioTest): boolean {
  if (readShare === null) return true;
  if (access === 'rw' || access === 'randrw') return readShare > 0 && readShare < 1;
  return readShare === (access === 'read' || access === 'randread' ? 1 : 0);
}

/** What the file does not say, a person may; what it says stands. */
function withSaid(test: FioTest, { access, users }: SaidOfFiles): FioTest {
  if (test.options !== null) return test;
  const isSaid = access !== null && !test.access.known;
  return {
    ...test,
    ...(isSaid
      ? { access: fits(access, test) ? known(access) : unknown({ code: 'not-what-it-did', access }) }
      : {}),
    ...(users === null || test.users.known ? {} : { users: known(users) }),
  };
}

/** By the path of each: its name, or its path where two have the same. */
function shortNames(files: readonly ResultFile[]): ReadonlyMap<string, string> {
  const areUnique = new Set(files.map(({ fileName }) => fileName)).size === files.length;
  return new Map(files.map(({ path, fileName }) => [path, areUnique ? fileName : path]));
}

const within = (directory: string, name: string): string =>
  directory === '.' ? name : `${directory.replace(/\/$/, '')}/${name}`;

export interface GradedRuns {
  runs: Run[];
  notes: GradeNote[];
}

/** @param files in the order in which they were given, none twice. */
export function runsOfFiles(files: readonly ResultFile[], said: SaidOfFiles): GradedRuns {
  const short = shortNames(files);
  const shortOf = ({ path }: GradedFile): string => short.get(path) ?? path;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const groups = groupedFiles(
    files.map((file) => ({ ...file, tests: file.tests.map((test) => withSaid(test, said)) })),
  );
  const taken = new Set<string>();
  const nameOf = ({ name, files: [first, ...others] }: FileGroup): string => {
    const file = byPath.get(first?.path ?? '');
    if (first === undefined || file === undefined) return '';
    if (others.length === 0) return shortOf(first);
    const own = name ?? file.folder.name;
    const unique = taken.has(own) ? within(file.folder.path, own) : own;
    taken.add(unique);
    return unique;
  };
  const named = groups.map((group) => ({ group, name: nameOf(group) }));
  return {
    runs: named.map(({ group, name }) => ({
      name,
      tests: testsOfGroup(group),
      notes: group.files.flatMap(({ path }) => byPath.get(path)?.notes ?? []),
      monthlyUsd: said.monthlyUsd,
    })),
    notes: named.flatMap(({ group, name }) =>
      group.files.length < 2
        ? []
        : [{ code: 'files-of-one-run' as const, run: name, files: group.files.map(shortOf) }],
    ),
  };
}

/** Why what was said does not fit to so many runs; null where it does. */
export function misfitOf(
  { runs }: GradedRuns,
  { areRepeats, monthlyUsd }: SaidOfFiles,
): 'repeats-of-one' | 'cost-of-several' | null {
  if (areRepeats && runs.length < 2) return 'repeats-of-one';
  return monthlyUsd !== null && runs.length > 1 && !areRepeats ? 'cost-of-several' : null;
}

export function gradesOf({ runs, notes }: GradedRuns, { areRepeats }: SaidOfFiles): GradeAnswer {
  const answer = gradeAnswer(runs, { areRepeats });
  return { ...answer, notes: [...notes, ...answer.notes] };
}

/** @param madeAt ISO 8601. */
export const cardOfFiles = (grades: GradeAnswer, { runs }: GradedRuns, madeAt: string): CardReport => ({
  version: 1,
  madeAt,
  title: `Report card: ${fewOf(runs.map(({ name }) => name))}`,
  label: null,
  grades,
  campaign: null,
});
