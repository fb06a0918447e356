/**
 * Which hosts the cleanup ends: those that are past their time, whatever their campaign is at; and those of a campaign that has
 * ended, in whatever way. Their volumes go with them.
 */
import { epochSecondsOf, secondsPerHour } from '../../units.ts';

/** A host that this stack launched. */
export interface Orphan {
  id: string;
  campaignId: string;
  /** The tag, as it is; null where somebody took it away. */
  expires: string | null;
  /** ISO 8601 UTC. */
  createdAt: string;
  /** Of EC2: running, stopped and so on. */
  state: string;
  /** In EC2's words why it came to that; null where it does not say. */
  stateReason: string | null;
}

/** No campaign may take longer, whatever the tag says. */
const longestHours = 48;

const expiresAt = ({ expires, createdAt }: Orphan): number => {
  const latest = epochSecondsOf(createdAt) + longestHours * secondsPerHour;
  const said = expires === null ? Number.NaN : epochSecondsOf(expires);
  return Number.isNaN(said) ? latest : Math.min(said, latest);
};

const isGoing = ({ state }: Orphan): boolean => state === 'terminated' || state === 'shutting-down';

export interface CleanUp {
  terminate: string[];
  /** Of a campaign that runs, and not yet past their time. */
  kept: string[];
}

/** @param ended campaigns that do not run any more. */
export function sweepOf(
  orphans: readonly Orphan[],
  ended: ReadonlySet<string>,
  nowEpochSeconds: number,
): CleanUp {
  const cleanUp: CleanUp = { terminate: [], kept: [] };
  for (const one of orphans) {
    if (isGoing(one)) continue;
    if (!ended.has(one.campaignId) && expiresAt(one) > nowEpochSeconds) cleanUp.kept.push(one.id);
    else cleanUp.terminate.push(one.id);
  }
  return cleanUp;
}
