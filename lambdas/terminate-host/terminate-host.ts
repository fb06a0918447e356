/** Ends all that a cell of a campaign has, by its tags: whatever was launched for it, however that came about. */
import type { Leftover, Sweep } from '../../core/benchmark/campaign/sweep.ts';
import { sweepOf } from '../../core/benchmark/campaign/sweep.ts';
import { Unreadable } from '../../core/errors.ts';
import { msPerSecond } from '../../core/units.ts';

export interface TerminateFrom {
  findLeftovers(): Promise<Leftover[]>;
  /** Why some were not. */
  terminate(instanceIds: readonly string[]): Promise<string[]>;
  deleteVolumes(volumeIds: readonly string[]): Promise<string[]>;
  now(): Date;
}

/** @throws Unreadable where something could not be ended: it is tried again, and the janitor takes what stays. */
export async function terminateHost(
  campaignId: string,
  { findLeftovers, terminate, deleteVolumes, now }: TerminateFrom,
): Promise<Pick<Sweep, 'terminate'> & { deleted: string[]; endedAt: string }> {
  const at = now();
  const sweep = sweepOf(await findLeftovers(), new Set([campaignId]), at.getTime() / msPerSecond);
  const failures = [...(await terminate(sweep.terminate)), ...(await deleteVolumes(sweep.deleteVolumes))];
  if (failures.length > 0) throw new Unreadable(failures.join('; '));
  return { terminate: sweep.terminate, deleted: sweep.deleteVolumes, endedAt: at.toISOString() };
}
