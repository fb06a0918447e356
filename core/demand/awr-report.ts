/** Reads the three rates of `databaseDemand` from an Oracle AWR report in text form. */
import { BadInput } from '../errors.ts';
import type { DatabaseDemand } from './database-demand.ts';

const statistics = {
  reads: 'physical read total IO requests',
  writes: 'physical write total IO requests',
  redoWrites: 'redo writes',
} as const;

/** The columns of "Instance Activity Stats": Total, per Second, per Trans; the rate is the second number. */
const columns = /^\s+([\d,.#]+)\s+([\d,.#]+)(?:\s+[\d,.#]+)?\s*$/;

function perSecond(lines: readonly string[], statistic: string): number {
  const line = lines.find((candidate) => candidate.startsWith(`${statistic} `));
  if (line === undefined) {
    throw new BadInput(
      `the AWR report has no line "${statistic}": give a text report (awrrpt.sql, format text) with its Instance Activity Stats`,
    );
  }
  const rate = columns.exec(line.slice(statistic.length))?.[2];
  const value = rate === undefined ? Number.NaN : Number(rate.replaceAll(',', ''));
  if (!Number.isFinite(value)) {
    throw new BadInput(
      `the AWR line "${line.trim()}" has no readable per-second figure: expected Total, per Second, per Trans`,
    );
  }
  return value;
}

/**
 * The rates per second from the section "Instance Activity Stats" of a text report.
 * @throws BadInput where a statistic is missing or its figure did not fit its column.
 */
export function demandFromAwr(text: string): DatabaseDemand['parts'] {
  const lines = text.split(/\r?\n/);
  return {
    reads: perSecond(lines, statistics.reads),
    writes: perSecond(lines, statistics.writes),
    redoWrites: perSecond(lines, statistics.redoWrites),
  };
}
