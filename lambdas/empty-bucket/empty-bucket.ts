/** Empties the bucket of runs when its stack goes, and at no other time. */
import { Unavailable } from '../../core/errors.ts';
import type { Outcome } from '../../core/resource-request.ts';
import { msPerSecond } from '../../core/units.ts';

export interface EmptyWith {
  /** As CloudFormation says it at this moment. */
  stackStatus(): Promise<string>;
  /** Deletes a part of what is in the bucket; how many objects that were, 0 where it is empty. */
  deleteSome(signal: AbortSignal): Promise<number>;
  /** Of the function's own time. */
  remainingMs(): number;
}

/**
 * The stack goes as a whole, and its bucket with it: it is deleted, or its creation failed and is undone. A resource that
 * an update takes out of the template, or that a failed update had brought, is sent the same Delete (decision 0019).
 */
const bucketGoes: ReadonlySet<string> = new Set(['DELETE_IN_PROGRESS', 'ROLLBACK_IN_PROGRESS']);

/** For the answer, after what was begun has been given up. */
const reserveMs = 30 * msPerSecond;

/** @throws Unavailable where time is over before the bucket is empty; what could not be read or deleted as it comes. */
async function deleteAll({ deleteSome, remainingMs }: EmptyWith): Promise<number> {
  const signal = AbortSignal.timeout(Math.max(0, remainingMs() - reserveMs));
  let deleted = 0;
  const timeIsOver = () =>
    new Unavailable(
      `time is over and the bucket is not empty yet: ${deleted} objects were deleted; delete the stack again, and it goes on`,
    );
  for (;;) {
    if (signal.aborted) throw timeIsOver();
    const some = await deleteSome(signal).catch((error: unknown) => {
      throw signal.aborted ? timeIsOver() : error;
    });
    if (some === 0) return deleted;
    deleted += some;
  }
}

/** Never rejects. */
export async function emptyBucket(
  requestType: 'Create' | 'Update' | 'Delete',
  use: EmptyWith,
): Promise<Outcome> {
  if (requestType !== 'Delete') return { status: 'SUCCESS', reason: 'nothing to do before the stack goes' };
  try {
    const status = await use.stackStatus();
    if (!bucketGoes.has(status))
      return { status: 'SUCCESS', reason: `nothing was deleted: the stack stays (${status})` };
    return { status: 'SUCCESS', reason: `the bucket is empty: ${await deleteAll(use)} objects were deleted` };
  } catch (error) {
    return { status: 'FAILED', reason: (error as Error).message };
  }
}
