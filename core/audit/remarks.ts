/** What is said of a run beside its results. */
import { AccessDenied } from '../errors.ts';

export interface Remarks {
  /** What a reader should know; the run is complete all the same. */
  notices: string[];
  /** What could have been read and was not: it makes the run partial. */
  incomplete: string[];
}

/**
 * A line about what could be done without. Where a permission is missing the run is partial for it: that does not pass, and
 * nobody would mend what nobody hears of.
 */
export const remarkOn = (error: unknown, line: string): Remarks =>
  error instanceof AccessDenied ? { notices: [], incomplete: [line] } : { notices: [line], incomplete: [] };

export const allRemarks = (remarks: readonly Remarks[]): Remarks => ({
  notices: remarks.flatMap(({ notices }) => notices),
  incomplete: remarks.flatMap(({ incomplete }) => incomplete),
});
