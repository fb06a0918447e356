/** What is said of a run beside its results. */
import { AccessDenied } from '../errors.ts';
import type { AuditNotice } from '../schemas/audit-notice.ts';

export interface Remarks {
  /** What a reader should know; the run is complete all the same. */
  notices: AuditNotice[];
  /** What could have been read and was not: it makes the run partial. */
  incomplete: AuditNotice[];
}

/**
 * What could be done without. Where a permission is missing the run is partial for it: that does not pass, and
 * nobody would fix what nobody hears of.
 */
export const remarkOn = (error: unknown, notice: AuditNotice): Remarks =>
  error instanceof AccessDenied
    ? { notices: [], incomplete: [notice] }
    : { notices: [notice], incomplete: [] };

export const allRemarks = (remarks: readonly Remarks[]): Remarks => ({
  notices: remarks.flatMap(({ notices }) => notices),
  incomplete: remarks.flatMap(({ incomplete }) => incomplete),
});
