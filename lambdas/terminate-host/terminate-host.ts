/** Ends all hosts of a cell of a campaign: whatever was launched for it, however that came about. Volumes go with their host. */
import type { Leftover, Sweep } from '../../core/benchmark/campaign/sweep.ts';
import { sweepOf } from '../../core/benchmark/campaign/sweep.ts';
import { Unreadable } from '../../core/errors.ts';
import { msPerSecond } from '../../core/units.ts';

export interface TerminateFrom {
  findLeftovers(): Promise<Leftover[]>;
  /** Why some were not. */
  terminate(instanceIds: readonly string[]): Promise<string[]>;
  now(): Date;
}

/** @throws Unreadable where something could not be ended: it is tried again, and the janitor takes what stays. */
export async function terminateHost(
  campaignId: string,
  { findLeftovers, terminate, now }: TerminateFrom,
): Promise<Pick<Sweep, 'terminate'> & { endedAt: string }> {
  const at = now();
  const sweep = sweepOf(await findLeftovers(), new Set([campaignId]), at.getTime() / msPerSecond);
  const failures = await terminate(sweep.terminate);
  if (failures.length > 0) throw new Unreadable(failures.join('; '));
  return { terminate: sweep.terminate, endedAt: at.toISOString() };
}
