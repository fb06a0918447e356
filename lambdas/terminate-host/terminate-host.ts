/**
 * Ends all hosts of a cell of a campaign: whatever was launched for it, however that came about. Volumes go with their host. Of one
 * that had ended before, EC2 says why.
 */
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

const isEnded = ({ state }: Orphan): boolean =>
  ['shutting-down', 'terminated', 'stopping', 'stopped'].includes(state);

/** What somebody asked for, we among them, in an attempt before. */
const byRequest = /^Client\.User/;

/** @throws Unreadable where something could not be ended: it is tried again, and the cleanup takes what stays. */
export async function terminateHost(
  campaignId: string,
  { findOrphans, terminate, now }: TerminateFrom,
): Promise<Pick<CleanUp, 'terminate'> & { endedAt: string; hostEnded: string | null }> {
  const at = now();
  const hosts = await findOrphans();
  const cleanUp = sweepOf(hosts, new Set([campaignId]), at.getTime() / msPerSecond);
  const failures = await terminate(cleanUp.terminate);
  if (failures.length > 0) throw new Unreadable(failures.join('; '));
  const reasons = hosts.filter(isEnded).flatMap(({ stateReason }) => stateReason ?? []);
  const hostEnded = reasons.find((reason) => !byRequest.test(reason)) ?? null;
  return { terminate: cleanUp.terminate, endedAt: at.toISOString(), hostEnded };
}
