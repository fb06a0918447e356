/**
 * A tick: which of the volumes that are due are looked at now, and the calls that this takes. Read the due watches, plan,
 * read the metrics, give each look to `afterLook`, write watches and sightings; then a second round for those that are
 * due at once.
 */
import type { PublishedChecks } from '../audit/batches.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Volume } from '../inventory.ts';
import { type MetricQuery, packQueries } from '../load/metric-queries.ts';
import { secondsPerHour, secondsPerMinute } from '../units.ts';
import { type Budget, spent } from './budget.ts';
import { nextLook } from './next-look.ts';
import { pace } from './pace.ts';
import { type Look, queriesOfLook } from './queries-of-look.ts';
import { type PulseSighting, sayEnded, sayGone } from './say.ts';
import { urgencyOf } from './urgency.ts';
import { newWatch, ofVolumeNow, type Watch } from './watch.ts';
import { type Watched, watchedOf } from './watched.ts';

export interface PulseFleet {
  /** By volume id: those that are to be watched, and no others. */
  volumes: ReadonlyMap<string, Volume>;
  published: PublishedChecks;
}

/** One GetMetricData call, at 60 s. */
export interface PulseCall {
  region: string;
  startEpochSeconds: number;
  endEpochSeconds: number;
  queries: MetricQuery[];
}

export interface PlannedLook {
  watch: Watch;
  watched: Watched;
  look: Look;
}

export interface TickPlan {
  looks: PlannedLook[];
  calls: PulseCall[];
  metrics: number;
  /** As it is when all of this was asked for; null without a bound. */
  budget: Budget | null;
  /** What has to wait since it is not paid for, or since too many come at once. */
  waiting: { volumes: number; longestDelaySeconds: number };
  /** Watches to write as they are: there is nothing to look at now. */
  unwatched: Watch[];
  /** Watches to remove: their volumes are gone. */
  gone: Watch[];
  /** Of the volumes that are gone. */
  sightings: PulseSighting[];
}

export interface TickContext {
  nowEpochSeconds: number;
  tickSeconds: number;
  budget: Budget | null;
  thresholds: Thresholds;
}

/** Volumes that have no watch yet. */
export const newWatches = (
  volumes: Iterable<Volume>,
  hasWatch: (volumeId: string) => boolean,
  nowEpochSeconds: number,
): Watch[] =>
  [...volumes]
    .filter(({ volumeId }) => !hasWatch(volumeId))
    .map((volume) => newWatch(volume, nowEpochSeconds));

/** The most points that one call may bring decides how many long windows fit into it: like lengths go together. */
const windowSteps = [
  pace.leastWindowSeconds,
  2 * secondsPerHour,
  4 * secondsPerHour,
  8 * secondsPerHour,
  pace.firstWindowSeconds + pace.overlapSeconds,
];

function callsOf(looks: readonly Look[], nowEpochSeconds: number): PulseCall[] {
  const end = Math.ceil(nowEpochSeconds / secondsPerMinute) * secondsPerMinute;
  const groups = new Map<string, { region: string; start: number; queries: MetricQuery[] }>();
  for (const { region, fromEpochSeconds, queries } of looks) {
    const step = windowSteps.findIndex((seconds) => end - fromEpochSeconds <= seconds + secondsPerMinute);
    const key = `${region} ${step}`;
    const group = groups.get(key) ?? { region, start: fromEpochSeconds, queries: [] };
    group.start = Math.min(group.start, fromEpochSeconds);
    group.queries.push(...queries);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ region, start, queries }) =>
    packQueries(queries, end - start).map((packed) => ({
      ...{ region, startEpochSeconds: start, endEpochSeconds: end },
      queries: packed,
    })),
  );
}

interface Candidate extends PlannedLook {
  urgency: number;
}

const pointsOf = ({ fromEpochSeconds, queries }: Look, nowEpochSeconds: number): number =>
  queries.length * Math.ceil((nowEpochSeconds - fromEpochSeconds) / secondsPerMinute);

/** The most urgent first, as far as the budget goes and as one tick can read; new volumes not all at once. */
function affordable(
  candidates: readonly Candidate[],
  budget: Budget | null,
  nowEpochSeconds: number,
): { taken: Candidate[]; left: Candidate[] } {
  const taken: Candidate[] = [];
  const left: Candidate[] = [];
  let metrics = budget === null ? Number.POSITIVE_INFINITY : budget.left;
  let points: number = pace.pointsPerTick;
  let newOnes = 0;
  for (const candidate of candidates.toSorted((a, b) => b.urgency - a.urgency)) {
    const isNew = candidate.watch.revision === 0;
    const cost = candidate.look.queries.length;
    const read = pointsOf(candidate.look, nowEpochSeconds);
    if (cost > metrics || read > points || (isNew && newOnes >= pace.newVolumesPerTick)) {
      left.push(candidate);
      // Who is less urgent does not go before who waits for want of money, or of time.
      if (cost > metrics) metrics = 0;
      if (read > points) points = 0;
      continue;
    }
    if (isNew) newOnes++;
    metrics -= cost;
    points -= read;
    taken.push(candidate);
  }
  return { taken, left };
}

function waitingOf(left: readonly Candidate[], nowEpochSeconds: number): TickPlan['waiting'] {
  const longestDelaySeconds = left.reduce(
    (longest, { watch }) => Math.max(longest, nowEpochSeconds - watch.nextLookEpochSeconds),
    0,
  );
  return { volumes: left.length, longestDelaySeconds };
}

/** Attached to nothing, a volume is held back by nothing: what is open of it is said to be gone, as often as it takes. */
function ended(watch: Watch, nowEpochSeconds: number): { watch: Watch; sightings: PulseSighting[] } {
  const { open, sightings } = sayEnded(watch, nowEpochSeconds);
  const pauseSeconds = Object.keys(watch.open).length === 0 ? pace.silentSeconds : pace.saying.everySeconds;
  return { watch: { ...watch, open, nextLookEpochSeconds: nowEpochSeconds + pauseSeconds }, sightings };
}

/** @param due the watches whose next look is now or was before. */
export function planTick(
  due: readonly Watch[],
  { volumes, published }: PulseFleet,
  { nowEpochSeconds, tickSeconds, budget, thresholds }: TickContext,
): TickPlan {
  const candidates: Candidate[] = [];
  const unwatched: Watch[] = [];
  const gone: Watch[] = [];
  const sightings: PulseSighting[] = [];
  for (const before of due) {
    const volume = volumes.get(before.volumeId);
    if (volume === undefined) {
      gone.push(before);
      continue;
    }
    const watch = ofVolumeNow(before, volume);
    const checks = published === null ? null : (published[volume.volumeId] ?? []);
    const watched = watchedOf(volume, checks, thresholds);
    if (watched === null) {
      const after = ended(watch, nowEpochSeconds);
      unwatched.push(after.watch);
      sightings.push(...after.sightings);
      continue;
    }
    const look = queriesOfLook(watch, watched, nowEpochSeconds, tickSeconds);
    if (look === null) {
      // What was urgent when it was written may have calmed down since.
      const next = nextLook(watch, watched, nowEpochSeconds, tickSeconds);
      unwatched.push({ ...watch, nextLookEpochSeconds: Math.max(next, nowEpochSeconds + tickSeconds) });
      continue;
    }
    candidates.push({ watch, watched, look, urgency: urgencyOf(watch, watched, look, nowEpochSeconds) });
  }
  const { taken, left } = affordable(candidates, budget, nowEpochSeconds);
  const metrics = taken.reduce((sum, { look }) => sum + look.queries.length, 0);
  return {
    looks: taken.map(({ watch, watched, look }) => ({ watch, watched, look })),
    calls: callsOf(
      taken.map(({ look }) => look),
      nowEpochSeconds,
    ),
    metrics,
    budget: budget === null ? null : spent(budget, metrics),
    waiting: waitingOf(left, nowEpochSeconds),
    ...{ unwatched, gone },
    sightings: [...sightings, ...gone.flatMap((watch) => sayGone(watch, nowEpochSeconds))],
  };
}
