/** Files of one run, each with a load of its own: by what their names share beside the words of a load. */
import type { FioTest } from './fio-tests.ts';

export interface GradedFile {
  path: string;
  directory: string;
  /** Without directory and ending. */
  stem: string;
  tests: readonly FioTest[];
}

export interface FileGroup {
  /** null: the file stands alone, or the names of its group are those of loads only. */
  name: string | null;
  files: GradedFile[];
}

const accessWord =
  /^(rand|random|seq|sequential)?[-_]?(reads?|writes?|rw|readwrite|mixed)(\d+(k|m)(i?b)?)?$|^(rand|random|seq|sequential)$/;
const sizeWord = /^(bs)?\d+(k|m)(i?b)?$/;
const countWord = /^(qd|iodepth|numjobs|jobs|j|users|u)\d+$|^\d+(users|jobs)$/;

const numberOrNull = (value: FioTest['users']): number | null => (value.known ? value.value : null);

/** Words of a name that are of its load: its access, block size and counts, or the name of its job. */
function isLoadWord(word: string, tests: readonly FioTest[]): boolean {
  if (accessWord.test(word) || sizeWord.test(word) || countWord.test(word)) return true;
  return tests.some(
    ({ users, name }) =>
      name.toLowerCase() === word ||
      // A lone number is a count only where the load is so.
      (/^\d+$/.test(word) && numberOrNull(users) === Number(word) && Number(word) > 1),
  );
}

/** What is left of a name without its load, in order: "run1" of run1-randread. */
function runWords({ stem, tests }: GradedFile): { run: string; load: string } {
  const [run, load]: [string[], string[]] = [[], []];
  const only = tests.length === 1 ? (tests[0]?.name.toLowerCase() ?? '') : '';
  const lower = stem.toLowerCase();
  // The name of its job as a whole, where that has several words.
  const at = only === '' ? -1 : lower.indexOf(only);
  const isWhole =
    at >= 0 &&
    !/[a-z0-9]/.test(lower[at - 1] ?? '') &&
    !/[a-z0-9]/.test(lower[at + only.length] ?? '') &&
    only.length < lower.length;
  const rest = isWhole ? `${lower.slice(0, at)} ${lower.slice(at + only.length)}` : lower;
  for (const word of rest.split(/[-_.\s]+/).filter(Boolean))
    (isLoadWord(word, tests) ? load : run).push(word);
  return { run: run.join('-'), load: isWhole ? [only, ...load].join('-') : load.join('-') };
}

/** Two tests of the same load are two runs of it. */
const loadKey = ({ name, access, blockKiB, users }: FioTest): string =>
  access.known
    ? JSON.stringify([access.value, blockKiB.known && blockKiB.value, numberOrNull(users)])
    : JSON.stringify([name]);

/** No load is there twice, and each file has words of a load in its name. */
function areLoadsOfOneRun(files: readonly GradedFile[]): boolean {
  const keys = files.flatMap(({ tests }) => [...new Set(tests.map(loadKey))]);
  return new Set(keys).size === keys.length && files.every((file) => runWords(file).load !== '');
}

/**
 * Files in the order of their groups' first. Those of one directory are one run where their names differ only by words of a load,
 * and no load is in two of them; every other file is a run of its own.
 */
export function groupedFiles(files: readonly GradedFile[]): FileGroup[] {
  const byRun = new Map<string, GradedFile[]>();
  for (const file of files) {
    const key = JSON.stringify([file.directory, runWords(file).run]);
    byRun.set(key, [...(byRun.get(key) ?? []), file]);
  }
  return [...byRun.values()].flatMap((group): FileGroup[] => {
    const [first] = group as [GradedFile];
    if (group.length < 2 || !areLoadsOfOneRun(group))
      return group.map((file) => ({ name: null, files: [file] }));
    return [{ name: runWords(first).run || null, files: group }];
  });
}

/** The tests of a group. Where jobs of two files have one name, each is called by the words of the load in its file's name. */
export function testsOfGroup({ files }: FileGroup): FioTest[] {
  const names = files.flatMap(({ tests }) => tests.map(({ name }) => name));
  const isShared = (name: string): boolean => names.filter((one) => one === name).length > 1;
  return files.flatMap((file) =>
    file.tests.map((test) =>
      files.length > 1 && isShared(test.name) && file.tests.length === 1
        ? { ...test, name: runWords(file).load }
        : test,
    ),
  );
}
