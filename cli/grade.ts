/** `stripewise grade`: the report card of what fio measured. */
import { basename, dirname, join, parse, resolve } from 'node:path';
import { Command } from 'commander';
import { readFioTests } from '../adapters/files/fio-file.ts';
import { filesInDirectory } from '../adapters/files/read-file.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { known, unknown } from '../core/known.ts';
import type { CardReport } from '../core/report/card-report.ts';
import { gradeAnswer, type Run } from '../core/report-card/answer.ts';
import { maxUsers } from '../core/report-card/fio-result.ts';
import type { FioTest } from '../core/report-card/fio-tests.ts';
import {
  type FileGroup,
  type GradedFile,
  groupedFiles,
  testsOfGroup,
} from '../core/report-card/grouped-files.ts';
import { type Access, accesses } from '../core/report-card/job-options.ts';
import type { GradeAnswer, GradeNote } from '../core/schemas/grade-answer.ts';
import { gradeText } from '../report/terminal/grade.ts';
import { type CardOptions, CardOutputs } from './card-outputs.ts';
import { type Io, printJson } from './io.ts';
import { oneOf, positive, wholeFrom } from './options.ts';
import { orDropped, pictureOption } from './written-file.ts';

interface Options extends CardOptions {
  repeats?: true;
  access?: Access;
  users?: number;
  monthlyUsd?: number;
  json?: true;
}

/** Whether what it did can be of that kind. */
function fits(access: Access, { readShare }: FioTest): boolean {
  if (readShare === null) return true;
  if (access === 'rw' || access === 'randrw') return readShare > 0 && readShare < 1;
  return readShare === (access === 'read' || access === 'randread' ? 1 : 0);
}

/** What the file does not say, a person may; what it says stands. */
function said(test: FioTest, { access, users }: Options): FioTest {
  if (test.options !== null) return test;
  const notified = access !== undefined && !test.access.known;
  return {
    ...test,
    ...(notified
      ? { access: fits(access, test) ? known(access) : unknown({ code: 'not-what-it-did', access }) }
      : {}),
    ...(users === undefined || test.users.known ? {} : { users: known(users) }),
  };
}

/** Files by their names; by their paths where two have the same. */
function namesOf(files: readonly string[]): string[] {
  const short = files.map((file) => basename(file));
  return new Set(short).size === files.length ? short : [...files];
}

/** Files as they were named; of a directory all its JSON, in the order of names. */
function filesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const entries = filesInDirectory(path);
    if (entries === null) return [path];
    const files = entries.filter((name) => name.endsWith('.json'));
    if (files.length === 0) throw new BadInput(`${path}: has no .json in it; give a directory with results`);
    return files.map((name) => join(path, name));
  });
}

interface ReadFiles {
  runs: Run[];
  notes: GradeNote[];
}

function runsOf(paths: readonly string[], options: Options): ReadFiles {
  const short = new Map(namesOf(paths).map((name, index) => [paths[index] as string, name]));
  const shortOf = (path: string): string => short.get(path) ?? path;
  const notesOf = new Map<string, readonly GradeNote[]>();
  const groups = groupedFiles(
    paths.map((path) => {
      const { tests, notes } = readFioTests(path);
      notesOf.set(path, notes);
      return {
        ...{ path, directory: resolve(dirname(path)), stem: parse(path).name },
        tests: tests.map((test) => said(test, options)),
      };
    }),
  );
  const taken = new Set<string>();
  const nameOf = ({ name, files }: FileGroup): string => {
    const [first] = files as [GradedFile];
    if (files.length === 1) return shortOf(first.path);
    const own = name ?? basename(first.directory);
    const unique = taken.has(own) ? join(dirname(first.path), own) : own;
    taken.add(unique);
    return unique;
  };
  const named = groups.map((group) => ({ group, name: nameOf(group) }));
  return {
    runs: named.map(({ group, name }) => ({
      name,
      tests: testsOfGroup(group),
      notes: group.files.flatMap(({ path }) => notesOf.get(path) ?? []),
      monthlyUsd: options.monthlyUsd ?? null,
    })),
    notes: named.flatMap(({ group: { files }, name }) =>
      files.length < 2
        ? []
        : [{ code: 'files-of-one-run' as const, run: name, files: files.map(({ path }) => shortOf(path)) }],
    ),
  };
}

function graded(paths: readonly string[], options: Options): { answer: GradeAnswer; names: string[] } {
  const { runs, notes } = runsOf(paths, options);
  if (options.repeats && runs.length < 2)
    throw new BadInput('--repeats needs the files of two runs or more: give them all');
  if (options.monthlyUsd !== undefined && runs.length > 1 && !options.repeats)
    throw new BadInput('--monthly-usd is of one layout: grade its file alone, or give --repeats');
  const answer = gradeAnswer(runs, { areRepeats: options.repeats === true });
  return {
    answer: { ...answer, notes: [...notes, ...answer.notes] },
    names: runs.map(({ name }) => name),
  };
}

const cardOf = (grades: GradeAnswer, names: readonly string[], io: Io): CardReport => ({
  version: 1,
  madeAt: io.now().toISOString(),
  title: `Report card: ${fewOf(names)}`,
  label: null,
  grades,
  campaign: null,
});

export const gradeCommand = (io: Io): Command =>
  new Command('grade')
    .description('Report card of what fio measured: letters for latency and how it grows, and why.')
    .argument(
      '<file...>',
      'JSON of fio 2 or 3 (json+ shows most), results of run-fio, or a directory of them',
    )
    .option('--repeats', 'the files are repeats of one benchmark: how sure is its mean?')
    .option(
      '--access <kind>',
      `where the file does not say (fio before 2.9): ${accesses.join(', ')}`,
      oneOf('--access', accesses),
    )
    .option('--users <n>', 'where the file does not say', wholeFrom('--users', 1, maxUsers))
    .option(
      '--monthly-usd <n>',
      'what the volumes cost a month: for USD per 1,000 IOPS',
      positive('--monthly-usd', 'USD a month'),
    )
    .option('--html <file>', 'write the report card: one page that opens anywhere')
    .option(
      '--chart <file>',
      'write a picture (.svg or .png): files side by side; of one how its first load scales',
      pictureOption('--chart'),
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Four tests get a letter, by the 95th percentile of their latency:
  8 KiB random reads at 16 users, and how it grows to 32
  1 MiB sequential reads at 1 user, and how it grows to 8
  1 KiB and 128 KiB synchronous sequential writes at 4 users, and how it grows to 16 (of 8 KiB too)
Other tests are shown without a letter. IOPS and latency over time come from fio's logs beside the JSON
(write_iops_log, write_lat_log, log_avg_msec=1000).
Users are numjobs x iodepth with libaio, io_uring, windowsaio and posixaio, else numjobs. Files whose names differ
only by their load are one run: randread.json and randwrite.json, run1-randread.json and run1-randwrite.json.

Examples:
  fio --output-format=json+ --output=one.json report-card.fio && stripewise grade one.json
  stripewise grade linear.json stripe.json
  stripewise grade results/
  stripewise grade linear.json stripe.json --html card.html --chart side-by-side.png
  stripewise grade --repeats run-1.json run-2.json run-3.json --json`,
    )
    .action(async (paths: string[], options: Options) => {
      const files = filesOf(paths);
      const twice = files.find(
        (file, index) => files.findIndex((one) => resolve(one) === resolve(file)) < index,
      );
      if (twice !== undefined) throw new BadInput(`${twice} is given twice: give each file once`);
      const outputs = new CardOutputs(options, files);
      await orDropped(outputs, async () => {
        const { answer, names } = graded(files, options);
        if (options.json) printJson(io, answer);
        else for (const line of gradeText(answer)) io.out(line);
        await outputs.keep(cardOf(answer, names, io), io);
      });
    });
