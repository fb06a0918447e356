/**
 * Ends all hosts when the stack goes, whatever their campaigns are at, and waits until EC2 has let go of them: while one is
 * there, its security group cannot be deleted, and without its role nobody could end it.
 */
import type { Orphan } from '../../core/benchmark/campaign/clean-up.ts';
import type { Outcome } from '../../core/resource-request.ts';
import { msPerSecond } from '../../core/units.ts';

export interface EndFrom {
  findOrphans(): Promise<Orphan[]>;
  /** Why some were not. */
  terminate(instanceIds: readonly string[]): Promise<string[]>;
  wait(ms: number): Promise<void>;
  /** Of the function's own time. */
  remainingMs(): number;
}

const pollMs = 5 * msPerSecond;
/** For the answer. */
const reserveMs = 30 * msPerSecond;

/** Never rejects. */
export async function endHosts(
  requestType: 'Create' | 'Update' | 'Delete',
  { findOrphans, terminate, wait, remainingMs }: EndFrom,
): Promise<Outcome> {
  if (requestType !== 'Delete') return { status: 'SUCCESS', reason: 'nothing to do before the stack goes' };
  const ended = new Set<string>();
  try {
    for (;;) {
      const there = (await findOrphans()).filter(({ state }) => state !== 'terminated');
      if (there.length === 0)
        return { status: 'SUCCESS', reason: `no host is left: ${ended.size} were terminated` };
      const ids = there.flatMap(({ id, state }) => (state === 'shutting-down' ? [] : [id]));
      const failures = await terminate(ids);
      if (failures.length > 0) return { status: 'FAILED', reason: failures.join('; ') };
      for (const id of ids) ended.add(id);
      if (remainingMs() < reserveMs + pollMs) {
        const left = there.map(({ id }) => id).join(', ');
        return {
          status: 'FAILED',
          reason: `time is over and ${left} shut down still: delete the stack again`,
        };
      }
      await wait(pollMs);
    }
  } catch (error) {
    return { status: 'FAILED', reason: (error as Error).message };
  }
}
