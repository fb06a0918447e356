/** Why a place is not read, of whatever entering or reading it threw. */
import { refusalOf } from '../../adapters/aws/refusals.ts';
import { NotEntered, Unreadable } from '../../core/errors.ts';
import type { Refused } from '../../core/schemas/accounts.ts';

/** @throws what AWS did not say: a mistake of ours. */
export function refusedBy(error: unknown): Refused {
  if (!(error instanceof Unreadable)) throw error;
  return error instanceof NotEntered ? error.refused : refusalOf(error, 'region');
}
