/**
 * Which hosts the janitor ends: those that are past their time, whatever their campaign is at; and those of a campaign that has
 * ended, in whatever way. Their volumes go with them.
 */
import { epochSecondsOf, secondsPerHour } from '../../units.ts';

/** A host that this stack launched. */
export interface Leftover {
  id: string;
  campaignId: string;
  /** The tag, as it is; null where somebody took it away. */
  expires: string | null;
  /** ISO 8601 UTC. */
  createdAt: string;
  /** Of EC2: running, stopped and so on. */
  state: string;
}

/** No campaign may take longer, whatever the tag says. */
const longestHours = 48;

const expiresAt = ({ expires, createdAt }: Leftover): number => {
  const latest = epochSecondsOf(createdAt) + longestHours * secondsPerHour;
  const said = expires === null ? Number.NaN : epochSecondsOf(expires);
  return Number.isNaN(said) ? latest : Math.min(said, latest);
};

const isGoing = ({ state }: Leftover): boolean => state === 'terminated' || state === 'shutting-down';

export interface Sweep {
  terminate: string[];
  /** Of a campaign that runs, and not yet past their time. */
  kept: string[];
}

/** @param ended campaigns that do not run any more. */
export function sweepOf(
  leftovers: readonly Leftover[],
  ended: ReadonlySet<string>,
  nowEpochSeconds: number,
): Sweep {
  const sweep: Sweep = { terminate: [], kept: [] };
  for (const one of leftovers) {
    if (isGoing(one)) continue;
    if (!ended.has(one.campaignId) && expiresAt(one) > nowEpochSeconds) sweep.kept.push(one.id);
    else sweep.terminate.push(one.id);
  }
  return sweep;
}
