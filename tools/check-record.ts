/**
 * What .ci/run asks and writes of .ci/record.json:
 *   check-record.ts unchanged PART    exits with 0 where the part need not run again, with 1 where it must; says why
 *   check-record.ts begin PART DIR    notes in DIR what the part's inputs are, before it runs
 *   check-record.ts record DIR        all have passed: writes the record from what is in DIR
 * .ci/run puts into DIR how long a part took (PART.seconds), and Jest its results (PART.tests.json).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { known } from '../core/known.ts';
import { hashesOfInputs, type PartName, partNames, parts, readVersions, stateOf } from './checked-parts.ts';
import {
  type CheckRecord,
  decide,
  decisionLine,
  type Figures,
  parseRecord,
  recordedPartOf,
} from './unchanged-part.ts';

const root = join(import.meta.dirname, '..');
const recordFile = join(root, '.ci/record.json');
const jestResults = z.object({ success: z.literal(true), numPassedTests: z.number() });

const isPart = (name: string | undefined): name is PartName => partNames.some((part) => part === name);
const stateNow = (name: PartName) => {
  const versions = readVersions(root, parts[name]);
  return versions.known ? known(stateOf(root, parts[name], versions.value)) : versions;
};

function isUnchanged(part: PartName): boolean {
  const record = parseRecord(existsSync(recordFile) ? readFileSync(recordFile, 'utf8') : undefined);
  const decision = decide({ record, part, now: new Date(), state: stateNow(part) });
  console.log(decisionLine(part, decision));
  return decision.unchanged;
}

const begunFile = (directory: string, part: PartName): string => join(directory, `${part}.begun.json`);

const begin = (part: PartName, directory: string): void =>
  writeFileSync(begunFile(directory, part), JSON.stringify(hashesOfInputs(root, parts[part])));

function figuresOf(part: PartName, directory: string): Figures {
  const seconds = Number(readFileSync(join(directory, `${part}.seconds`), 'utf8'));
  const file = join(directory, `${part}.tests.json`);
  if (!existsSync(file)) return { seconds };
  const results = jestResults.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!results.success)
    throw new Error(`${part}: Jest does not say that its tests passed; nothing is recorded`);
  return { seconds, testsPassed: results.data.numPassedTests };
}

/** @throws where a part did not pass, or changed while it ran: then nothing is written. */
function writeRecord(directory: string): void {
  const record: CheckRecord = {};
  const now = new Date();
  for (const part of partNames) {
    const file = begunFile(directory, part);
    if (!existsSync(file)) throw new Error(`${part}: it did not run; nothing is recorded`);
    const begun = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
    const passed = recordedPartOf({ begun, figures: figuresOf(part, directory), state: stateNow(part) }, now);
    if (!passed.known) throw new Error(`${part}: ${passed.reason}; nothing is recorded`);
    record[part] = passed.value;
  }
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  console.log('written: commit .ci/record.json');
}

function main([command, ...args]: string[]): number {
  const [first, directory] = args;
  if (command === 'unchanged' && isPart(first) && args.length === 1) return isUnchanged(first) ? 0 : 1;
  if (command === 'begin' && isPart(first) && directory !== undefined) begin(first, directory);
  else if (command === 'record' && first !== undefined) writeRecord(first);
  else {
    console.error(
      `check-record: unchanged PART, begin PART DIR or record DIR, where PART is ${partNames.join(', ')}; it was asked: ${[command, ...args].join(' ')}`,
    );
    return 2;
  }
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(`check-record: ${(error as Error).message}`);
  process.exitCode = 4;
}
