/** One tick works at a time: who comes while another is under way leaves what is due to it, or to the next. */
import { Unreadable } from '../../core/errors.ts';
import { pace } from '../../core/monitoring/pace.ts';

export interface TickLease {
  /** @returns false where another holder's has not ended yet. */
  take(holder: string, nowEpochSeconds: number, untilEpochSeconds: number): Promise<boolean>;
  end(holder: string): Promise<void>;
  /** Called where it could not be ended: it ends by itself. */
  onUnended(reason: string): void;
}

/**
 * A tick that dies without a word keeps it until `leaseSeconds` are over, which is longer than Lambda lets it live.
 * @param holder of this tick alone.
 * @returns null where another tick is under way.
 */
export async function oneAtATime<T>(
  lease: TickLease,
  holder: string,
  nowEpochSeconds: number,
  tick: () => Promise<T>,
): Promise<T | null> {
  if (!(await lease.take(holder, nowEpochSeconds, nowEpochSeconds + pace.leaseSeconds))) return null;
  try {
    return await tick();
  } finally {
    await end(lease, holder);
  }
}

async function end(lease: TickLease, holder: string): Promise<void> {
  try {
    await lease.end(holder);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    lease.onUnended(error.message);
  }
}
