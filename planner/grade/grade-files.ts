/** Report cards of files that somebody picked: results of fio as JSON, and its logs beside them. */

import { readFioTests } from '../../adapters/files/fio-file.ts';
import type { FilesBeside } from '../../adapters/files/fio-logs.ts';
import { BadInput } from '../../core/errors.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import {
  cardOfFiles,
  gradesOf,
  misfitOf,
  type ResultFile,
  runsOfFiles,
  type SaidOfFiles,
} from '../../core/report-card/graded-files.ts';
import { mibFromBytes } from '../../core/units.ts';
import { lineOf, type PickedFile, readPicked } from '../picked-file.ts';
import type { GradeState } from './grade-state.ts';

export interface GivenText {
  name: string;
  text: string;
  bytes: number;
}

export const maxFileMiB = 64;
export const maxTogetherMiB = 256;
const instead = '`stripewise grade FILE --html card.html`';

/**
 * @param kept what was picked before; of the same name the later one takes its place.
 * @returns of what was picked what could be read, and a line for each that could not.
 */
export async function readAll(
  picked: readonly PickedFile[],
  kept: readonly Pick<GivenText, 'name' | 'bytes'>[],
): Promise<{ texts: GivenText[]; problems: string[] }> {
  const [texts, problems]: [GivenText[], string[]] = [[], []];
  const again = new Set(picked.map(({ name }) => name));
  const keptBytes = kept.reduce((total, { name, bytes }) => total + (again.has(name) ? 0 : bytes), 0);
  let leftMiB = maxTogetherMiB - mibFromBytes(keptBytes);
  for (const file of picked) {
    try {
      const mib = mibFromBytes(file.size);
      if (mib <= maxFileMiB && mib > leftMiB)
        throw new BadInput(
          `${file.name}: the files are more than ${maxTogetherMiB} MiB together, those from before among them; use ${instead}`,
        );
      const read = await readPicked(file, maxFileMiB, instead);
      leftMiB -= mib;
      texts.push({ name: file.name, text: read.text(), bytes: file.size });
    } catch (error) {
      problems.push(error instanceof BadInput ? error.message : `${file.name}: ${lineOf(error)}`);
    }
  }
  return { texts, problems };
}

export const isLog = ({ name }: Pick<GivenText, 'name'>): boolean => name.endsWith('.log');

/** A browser does not say from which directory files were picked: they are taken as of one. */
const folder = { name: 'these files', path: '.' };

function besideOf(logs: readonly GivenText[]): FilesBeside {
  const byName = new Map(logs.map((log) => [log.name, log]));
  const found = (name: string): GivenText => {
    const log = byName.get(name);
    if (log === undefined) throw new BadInput(`${name}: it was not given`);
    return log;
  };
  return {
    names: () => [...byName.keys()],
    bytes: (name) => found(name).bytes,
    text: (name) => found(name).text,
  };
}

const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '');

function resultOf({ name, text }: GivenText, beside: FilesBeside): ResultFile {
  const file = { name, text: () => text };
  return {
    ...{ path: name, fileName: name, directory: '.', folder, stem: stemOf(name) },
    ...readFioTests({ file, fileName: name, beside }),
  };
}

/** In the order of names, as the command line reads a directory. */
const byName = (a: GivenText, b: GivenText): number => Number(a.name > b.name) - Number(a.name < b.name);

/** @returns what can be graded, and a line for each file that cannot. */
export function resultsOf(given: readonly GivenText[]): { results: ResultFile[]; problems: string[] } {
  const beside = besideOf(given.filter(isLog));
  const problems: string[] = [];
  const results = given
    .filter((one) => !isLog(one))
    .toSorted(byName)
    .flatMap((one) => {
      try {
        return [resultOf(one, beside)];
      } catch (error) {
        problems.push(error instanceof BadInput ? error.message : `${one.name}: ${lineOf(error)}`);
        return [];
      }
    });
  return { results, problems };
}

const misfitTexts = {
  'repeats-of-one':
    'Repeats need the files of two runs or more: give them all. The files are shown as one run.',
  'cost-of-several': 'USD a month is of one layout: give its files alone, or say that they are repeats.',
} as const;

const saidOf = ({ areRepeats, access, users, monthlyUsd }: GradeState): SaidOfFiles => ({
  ...{ areRepeats: areRepeats === 'yes', users, monthlyUsd },
  access: access === 'as-in-file' ? null : access,
});

/** @param results at least one. @param madeAt ISO 8601. @returns the card, and in a line what was said and does not fit. */
export function cardOf(
  results: readonly ResultFile[],
  state: GradeState,
  madeAt: string,
): { card: CardReport; misfit: string | null } {
  const said = saidOf(state);
  const asSaid = runsOfFiles(results, said);
  const misfit = misfitOf(asSaid, said);
  const used: SaidOfFiles = misfit === null ? said : { ...said, areRepeats: false, monthlyUsd: null };
  const graded = misfit === null ? asSaid : runsOfFiles(results, used);
  return {
    card: cardOfFiles(gradesOf(graded, used), graded, madeAt),
    misfit: misfit === null ? null : misfitTexts[misfit],
  };
}

/** With more; of two with the same name the later one stays. */
export const withTexts = (before: readonly GivenText[], more: readonly GivenText[]): GivenText[] => [
  ...new Map([...before, ...more].map((one) => [one.name, one])).values(),
];
