/** `stripewise grade`: the report card of what fio measured. */
import { basename, dirname, join, normalize, parse, resolve } from 'node:path';
import { Command } from 'commander';
import { readFioTests } from '../adapters/files/fio-file.ts';
import { fioFileAt } from '../adapters/files/fio-file-at.ts';
import { filesInDirectory } from '../adapters/files/read-file.ts';
import { BadInput } from '../core/errors.ts';
import { maxUsers } from '../core/report-card/fio-result.ts';
import {
  cardOfFiles,
  gradesOf,
  misfitOf,
  type ResultFile,
  runsOfFiles,
  type SaidOfFiles,
} from '../core/report-card/graded-files.ts';
import { type Access, accesses } from '../core/report-card/job-options.ts';
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

/** @throws BadInput where it cannot be graded. */
function resultFileAt(path: string): ResultFile {
  const directory = resolve(dirname(path));
  return {
    ...{ path, directory, stem: parse(path).name, fileName: basename(path) },
    folder: { name: basename(directory), path: normalize(dirname(path)) },
    ...readFioTests(fioFileAt(path)),
  };
}

const misfitTexts = {
  'repeats-of-one': '--repeats needs the files of two runs or more: give them all',
  'cost-of-several': '--monthly-usd is of one layout: grade its file alone, or give --repeats',
} as const;

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
        const { repeats = false, access = null, users = null, monthlyUsd = null } = options;
        const said: SaidOfFiles = { areRepeats: repeats, access, users, monthlyUsd };
        const graded = runsOfFiles(files.map(resultFileAt), said);
        const misfit = misfitOf(graded, said);
        if (misfit !== null) throw new BadInput(misfitTexts[misfit]);
        const answer = gradesOf(graded, said);
        if (options.json) printJson(io, answer);
        else for (const line of gradeText(answer)) io.out(line);
        await outputs.keep(cardOfFiles(answer, graded, io.now().toISOString()), io);
      });
    });
