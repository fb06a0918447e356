/** `stripewise grade`: the report card of what fio measured. */
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { readFioTests } from '../adapters/files/fio-file.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { known, unknown } from '../core/known.ts';
import type { CardReport } from '../core/report/card-report.ts';
import { gradeAnswer } from '../core/report-card/answer.ts';
import { maxUsers } from '../core/report-card/fio-result.ts';
import type { FioTest } from '../core/report-card/fio-tests.ts';
import { type Access, accesses } from '../core/report-card/job-options.ts';
import type { GradeAnswer } from '../core/schemas/grade-answer.ts';
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

function graded(files: readonly string[], names: readonly string[], options: Options): GradeAnswer {
  const runs = files.map((file, index) => {
    const { tests, notes } = readFioTests(file);
    return {
      ...{ name: names[index] as string, notes },
      tests: tests.map((test) => said(test, options)),
      monthlyUsd: options.monthlyUsd ?? null,
    };
  });
  return gradeAnswer(runs, { areRepeats: options.repeats === true });
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
    .argument('<file...>', 'JSON of fio 2 or 3 (json+ shows most), or a result of run-fio')
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

Examples:
  fio --output-format=json+ --output=one.json report-card.fio && stripewise grade one.json
  stripewise grade linear.json stripe.json
  stripewise grade linear.json stripe.json --html card.html --chart side-by-side.png
  stripewise grade --repeats run-1.json run-2.json run-3.json --json`,
    )
    .action(async (files: string[], options: Options) => {
      if (options.repeats && files.length < 2)
        throw new BadInput('--repeats needs the files of two runs or more: give them all');
      if (options.monthlyUsd !== undefined && files.length > 1 && !options.repeats)
        throw new BadInput('--monthly-usd is of one layout: grade its file alone, or give --repeats');
      const twice = files.find(
        (file, index) => files.findIndex((one) => resolve(one) === resolve(file)) < index,
      );
      if (twice !== undefined) throw new BadInput(`${twice} is given twice: give each file once`);
      const names = namesOf(files);
      const outputs = new CardOutputs(options, files);
      await orDropped(outputs, async () => {
        const answer = graded(files, names, options);
        if (options.json) printJson(io, answer);
        else for (const line of gradeText(answer)) io.out(line);
        await outputs.keep(cardOf(answer, names, io), io);
      });
    });
