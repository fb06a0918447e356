/** What a look says of findings: what is new or other at once, what goes on now and then, what is gone a few times. */
import type { RememberedFinding, Sighting } from '../advisory/finding-record.ts';
import { findingId } from '../diagnosis/finding-id.ts';
import { figure } from '../figures.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { type Advising, adviceOn } from './advise.ts';
import type { Judged } from './judge.ts';
import { pace } from './pace.ts';
import type { OpenFinding, PulseKind, Watch } from './watch.ts';
import type { Watched } from './watched.ts';

/** A sighting, and which finding it is about. */
export interface PulseSighting extends Sighting {
  findingId: string;
  kind: PulseKind;
}

/** Said so often, and for so long, that who hears it has settled on it. */
const isSettled = ({ times, from }: OpenFinding, nowEpochSeconds: number): boolean =>
  times >= pace.saying.times && nowEpochSeconds - from >= pace.saying.seconds;

const isSame = ({ gone, severity }: OpenFinding, { found }: Judged): boolean =>
  found === null ? gone : !gone && severity === found.severity;

/** Is it worth a write? */
function isToSay(open: OpenFinding | undefined, judged: Judged, nowEpochSeconds: number): boolean {
  if (open === undefined) return judged.found !== null;
  const again = isSettled(open, nowEpochSeconds) ? pace.sayAgainSeconds : pace.saying.everySeconds;
  return !isSame(open, judged) || nowEpochSeconds - open.said >= again;
}

/** What is remembered of it after it was said; null: nothing any more. */
function afterSaying(
  open: OpenFinding | undefined,
  judged: Judged,
  nowEpochSeconds: number,
): OpenFinding | null {
  const { found } = judged;
  if (open === undefined && found === null) return null;
  const before = open !== undefined && isSame(open, judged) ? open : { from: nowEpochSeconds, times: 0 };
  const said = { from: before.from, times: before.times + 1, said: nowEpochSeconds };
  if (found !== null) {
    const since = open?.gone === false ? Math.min(open.since, found.since) : found.since;
    return { severity: found.severity, since, gone: false, ...said };
  }
  const after = { ...(open as OpenFinding), gone: true, ...said };
  return isSettled(after, nowEpochSeconds) ? null : after;
}

function findingOf(
  { volume }: Watched,
  kind: PulseKind,
  found: NonNullable<Judged['found']>,
  since: number,
  advising: Advising,
): RememberedFinding {
  const { volumeId, name, region, account, tags } = volume;
  const tagged = Object.keys(tags).length === 0 ? {} : { tags };
  const resource = { volumeId, name, region, account, ...tagged };
  const { severity, reason } = found;
  return {
    ...{ id: findingId(kind, resource), kind, severity, resource },
    since: isoFromEpochSeconds(since),
    reason,
    ...adviceOn(volume, { kind, severity, since: null, reason, evidence: {} }, advising),
    volumeText: `${volume.volumeType} ${figure(volume.sizeGiB, 0)} GiB`,
  };
}

export interface Said {
  open: Watch['open'];
  sightings: PulseSighting[];
}

/** @param judged the kinds that this look looked at; of others nothing is said, and nothing changes. */
export function say(
  watch: Watch,
  watched: Watched,
  judged: readonly Judged[],
  nowEpochSeconds: number,
  advising: Advising,
): Said {
  const open = { ...watch.open };
  const sightings: PulseSighting[] = [];
  const { volumeId, region } = watched.volume;
  for (const one of judged) {
    const before = open[one.kind];
    if (!isToSay(before, one, nowEpochSeconds)) continue;
    // Two rounds of one tick have one time; of two sightings at one time the second counts for nothing.
    const at = Math.max(nowEpochSeconds, (before?.said ?? 0) + 1);
    const after = afterSaying(before, one, at);
    if (after === null) delete open[one.kind];
    else open[one.kind] = after;
    sightings.push({
      ...{ findingId: findingId(one.kind, { volumeId, region, account: null }), kind: one.kind },
      ...{ source: 'pulse', by: 'pulse', atEpochSeconds: at },
      finding:
        one.found === null
          ? null
          : findingOf(watched, one.kind, one.found, after?.since ?? one.found.since, advising),
    });
  }
  return { open, sightings };
}

/** A volume that is not there any more has nothing. */
export const sayGone = ({ open, volumeId, region }: Watch, nowEpochSeconds: number): PulseSighting[] =>
  (Object.keys(open) as PulseKind[]).map((kind) => ({
    ...{ findingId: findingId(kind, { volumeId, region, account: null }), kind },
    ...{ source: 'pulse', by: 'pulse', atEpochSeconds: nowEpochSeconds },
    finding: null,
  }));
