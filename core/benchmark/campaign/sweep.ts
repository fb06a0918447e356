/**
 * What the janitor takes away: all that carries the tag of a campaign and is past its time, whatever the campaign is at; and
 * what is left of a campaign that has ended, in whatever way.
 */
import { epochSecondsOf, secondsPerHour } from '../../units.ts';

/** An instance or a volume that carries the tag of a campaign. */
export interface Leftover {
  id: string;
  kind: 'instance' | 'volume';
  campaignId: string;
  /** The tag, as it is; null where somebody took it away. */
  expires: string | null;
  /** ISO 8601 UTC. */
  createdAt: string;
  /** Of EC2: running, in-use and so on. */
  state: string;
}

/** Where the tag says nothing that can be read: no campaign may take longer. */
const longestHours = 48;

const expiresAt = ({ expires, createdAt }: Leftover): number => {
  const said = expires === null ? Number.NaN : epochSecondsOf(expires);
  return Number.isNaN(said) ? epochSecondsOf(createdAt) + longestHours * secondsPerHour : said;
};

const isGoing = ({ kind, state }: Leftover): boolean =>
  kind === 'instance'
    ? state === 'terminated' || state === 'shutting-down'
    : state === 'deleting' || state === 'deleted';

export interface Sweep {
  terminate: string[];
  /** Detached ones: those of an instance go with it. */
  deleteVolumes: string[];
  /** Past their time, and still attached to something that is not ours to end, or on their way. */
  waiting: string[];
  /** Of a campaign that runs, and not yet past their time. */
  kept: string[];
}

/** @param ended campaigns that do not run any more. */
export function sweepOf(
  leftovers: readonly Leftover[],
  ended: ReadonlySet<string>,
  nowEpochSeconds: number,
): Sweep {
  const sweep: Sweep = { terminate: [], deleteVolumes: [], waiting: [], kept: [] };
  for (const one of leftovers) {
    if (isGoing(one)) continue;
    if (!ended.has(one.campaignId) && expiresAt(one) > nowEpochSeconds) sweep.kept.push(one.id);
    else if (one.kind === 'instance') sweep.terminate.push(one.id);
    else if (one.state === 'available' || one.state === 'error') sweep.deleteVolumes.push(one.id);
    else sweep.waiting.push(one.id);
  }
  return sweep;
}
