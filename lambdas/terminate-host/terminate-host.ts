/** Ends all hosts of a cell of a campaign: whatever was launched for it, however that came about. Volumes go with their host. */
import type { CleanUp, Orphan } from '../../core/benchmark/campaign/clean-up.ts';
import { sweepOf } from '../../core/benchmark/campaign/clean-up.ts';
import { Unreadable } from '../../core/errors.ts';
import { msPerSecond } from '../../core/units.ts';

export interface TerminateFrom {
  findOrphans(): Promise<Orphan[]>;
  /** Why some were not. */
  terminate(instanceIds: readonly string[]): Promise<string[]>;
  now(): Date;
}

/** @throws Unreadable where something could not be ended: it is tried again, and the cleanup takes what stays. */
export async function terminateHost(
  campaignId: string,
  { findOrphans, terminate, now }: TerminateFrom,
): Promise<Pick<CleanUp, 'terminate'> & { endedAt: string }> {
  const at = now();
  const cleanUp = sweepOf(await findOrphans(), new Set([campaignId]), at.getTime() / msPerSecond);
  const failures = await terminate(cleanUp.terminate);
  if (failures.length > 0) throw new Unreadable(failures.join('; '));
  return { terminate: cleanUp.terminate, endedAt: at.toISOString() };
}
