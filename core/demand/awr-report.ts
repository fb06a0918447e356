/** Reads the three rates of `databaseDemand` from an Oracle AWR report in text form. */
import { BadInput } from '../errors.ts';
import type { DatabaseDemand } from './database-demand.ts';

const statistics = {
  reads: 'physical read total IO requests',
  writes: 'physical write total IO requests',
  redoWrites: 'redo writes',
} as const;

/** A figure as AWR prints it: 1,234.5 or 1234.5; anything else (342,9) is another language's and not guessed. */
const figure = '(?:\\d{1,3}(?:,\\d{3})+|\\d+)';
/** The columns of "Instance Activity Stats": Total (whole), per Second, per Trans. */
const columns = new RegExp(`^\\s+${figure}\\s+(${figure}(?:\\.\\d+)?)\\s+${figure}(?:\\.\\d+)?\\s*$`);

function perSecond(lines: readonly string[], statistic: string): number {
  const line = lines.find((candidate) => candidate.startsWith(`${statistic} `));
  if (line === undefined) {
    throw new BadInput(
      `the AWR report has no line "${statistic}": give a text report (awrrpt.sql, format text) with its Instance Activity Stats`,
    );
  }
  const rate = columns.exec(line.slice(statistic.length))?.[1];
  if (rate === undefined) {
    throw new BadInput(
      `the AWR line "${line.trim()}" is not readable: expected Total, per Second and per Trans, like 1,234,567  342.9  1.2`,
    );
  }
  return Number(rate.replaceAll(',', ''));
}

/**
 * The rates per second from the section "Instance Activity Stats" of a text report.
 * @throws BadInput where a statistic is missing or its figure did not fit its column.
 */
export function demandFromAwr(text: string): DatabaseDemand['parts'] {
  const all = text.split(/\r?\n/);
  const section = all.findIndex((line) => line.includes('Instance Activity Stats'));
  const lines = section < 0 ? all : all.slice(section);
  return {
    reads: perSecond(lines, statistics.reads),
    writes: perSecond(lines, statistics.writes),
    redoWrites: perSecond(lines, statistics.redoWrites),
  };
}
