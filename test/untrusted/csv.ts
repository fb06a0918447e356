/** The CSV of `--minutes` and of findings: read back it is what was written, and a spreadsheet finds no formula in it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { minutesFile } from '../../adapters/files/minutes-csv.ts';
import { minuteColumns, notQuiet } from '../../core/diagnosis/minutes.ts';
import { findingsCsv } from '../../report/terminal/findings-csv.ts';
import { findingHead, findingRow } from '../../report/wording/finding-row.ts';
import { complaintsIf, restless } from './complaints.ts';
import type { UntrustedRun } from './untrusted-run.ts';

function written(diagnosed: UntrustedRun['diagnosed']): string {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-test-'));
  try {
    const path = join(directory, 'minutes.csv');
    const file = minutesFile(path);
    for (const one of diagnosed) file.add(one);
    file.keep();
    return new TextDecoder('utf8', { fatal: true }).decode(readFileSync(path));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** As OWASP's page on CSV injection lists them, and what Numbers takes for them; a number is none. */
const isFormula = (cell: string): boolean =>
  /^["\s]*[=+\-@＝＋－＠]/.test(cell) && Number.isNaN(Number(cell));

/** Where a spreadsheet splits at something else than we wrote: the language of the machine says so. */
const splitAnyhow = (text: string): string[] => text.split(/[;\t\r\n]/);

/** What would move a cursor or turn text round; tabs and ends of lines are in quotes. */
const moves = /[^\P{Cc}\t\r\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Without what is put before a formula to make it text, and with what is escaped as it was. */
const withoutGuard = (text: string): string =>
  text
    .replaceAll("'", '')
    .replaceAll(/\\u\{([0-9a-f]+)\}/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .toWellFormed();

type Rows = readonly (readonly (string | number | null)[])[];

/** @param text of a CSV. @param expected its cells as they were before they were made text. */
function complaintsAbout(text: string, expected: Rows): string[] {
  const rows = parse(text) as string[][];
  const isOther = (row: Rows[number], i: number): boolean =>
    row.some((cell, column) => {
      const read = rows[i]?.[column] ?? '';
      return typeof cell === 'string' ? withoutGuard(read) !== withoutGuard(cell) : read !== `${cell ?? ''}`;
    });
  return complaintsIf(
    [rows.length !== expected.length, 'not the rows that were written'],
    [expected.some(isOther), 'a cell is not what was written'],
    [moves.test(text), 'a character that moves a cursor or turns text round'],
    [rows.flat().some(isFormula), 'a formula'],
    [
      splitAnyhow(text).some(isFormula),
      'a formula where lines are split at a semicolon, a tab or within quotes',
    ],
  );
}

export function csvComplaints({ diagnosed }: UntrustedRun): string[] {
  const expected = [[...minuteColumns], ...diagnosed.flatMap((one) => [...notQuiet(one)])];
  return [
    ...complaintsAbout(written(diagnosed), expected),
    ...complaintsIf([expected.length < 100, 'rows are missing']),
  ];
}

/** It is printed on standard output, which may be a terminal. */
export function findingsCsvComplaints({ result: { findings } }: UntrustedRun): string[] {
  // As it is printed: a line ends.
  const text = `${findingsCsv(findings, true)}\n`;
  const lines = text.split('\r\n').slice(0, -1);
  return [
    ...complaintsAbout(text, [findingHead(true), ...findings.map((finding) => findingRow(finding, true))]),
    ...complaintsIf(
      [lines.length !== 1 + findings.length, 'not a line for each finding'],
      [lines.some((line) => restless.test(line)), 'a character that a terminal acts on'],
    ),
  ];
}
