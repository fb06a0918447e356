/** Findings as CSV (RFC 4180) on standard output: a row each, one line each, in which nothing is a formula. */
import { stringify } from 'csv-stringify/sync';
import { withoutInnerFormula } from '../../core/csv-cell.ts';
import { escaped } from '../../core/sanitize.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { findingHead, findingRow } from '../wording/finding-row.ts';

/** It may be printed on a terminal: an end of line within a cell is escaped too. */
const cellOf = (value: string | number | null): string | number => {
  if (value === null) return '';
  return typeof value === 'number' ? value : withoutInnerFormula(escaped(value));
};

/**
 * The head and a line each; all end with CR LF but the last, which whoever prints it ends.
 * @param isOfSeveral accounts: then each row ends with the name of its account.
 */
export function findingsCsv(findings: readonly Finding[], isOfSeveral = false): string {
  const all = [findingHead(isOfSeveral), ...findings.map((finding) => findingRow(finding, isOfSeveral))];
  const rows = all.map((row) => row.map(cellOf));
  return stringify(rows, { escape_formulas: true, record_delimiter: 'windows' }).replace(/\n$/, '');
}
