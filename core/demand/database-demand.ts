/** The IOPS that a database asks of its volumes: physical reads + physical writes + redo writes, each per second. */
import { BadInput } from '../errors.ts';
import { figure } from '../figures.ts';

export interface DatabaseDemand {
  requiredIops: number;
  parts: { reads: number; writes: number; redoWrites: number };
}

/** More than any database has. */
const maxPerSecond = 1e9;

/**
 * Sum of the three rates, in I/O requests a second.
 * Source: the sizing rule published for Oracle on EBS (physical read total I/O requests + physical write total I/O
 * requests + redo writes). It is on the safe side: the write total may count redo requests a second time.
 * @throws BadInput on a rate that is negative, or more than any database has.
 */
export function databaseDemand(parts: DatabaseDemand['parts']): DatabaseDemand {
  for (const [name, value] of Object.entries(parts)) {
    if (!(value >= 0 && value <= maxPerSecond)) {
      throw new BadInput(
        `${name} ${value} cannot be a rate: give I/O requests per second, 0 to ${figure(maxPerSecond)}`,
      );
    }
  }
  return { requiredIops: parts.reads + parts.writes + parts.redoWrites, parts };
}
