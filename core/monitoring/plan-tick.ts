/**
 * A tick: which of the volumes that are due are polled now, and the calls that this takes. Read the due watches, plan,
 * read the metrics, give each poll to `afterPoll`, write watches and observations; then a second round for those that are
 * due at once.
 */
import type { PublishedChecks } from '../audit/batches.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Volume } from '../inventory.ts';
import { type MetricQuery, packQueries } from '../load/metrics.ts';
import { secondsPerHour, secondsPerMinute } from '../units.ts';
import { nextPoll } from './next-poll.ts';
import { type Budget, pace, spent } from './pace.ts';
import { type Poll, queriesOfPoll } from './queries-of-poll.ts';
import { type MonitoringObservation, sayEnded, sayGone, urgencyOf } from './say.ts';
import { type Place, placeText } from './shards.ts';
import { newWatch, ofVolumeNow, type Watch } from './watch.ts';
import { type Watched, watchedOf } from './watched.ts';

export interface MonitoringFleet {
  /** By volume id: those that are to be watched, and no others. */
  volumes: ReadonlyMap<string, Volume>;
  published: PublishedChecks;
}

/** One GetMetricData call, at 60 s. */
export interface MonitoringCall extends Place {
  startEpochSeconds: number;
  endEpochSeconds: number;
  queries: MetricQuery[];
}

export interface PlannedPoll {
  watch: Watch;
  watched: Watched;
  poll: Poll;
}

/** Of some accounts, inside of the budget of all. */
interface LeftOfAccounts {
  accounts: ReadonlySet<string>;
  /** Metrics. */
  left: number;
}

export interface TickPlan {
  polls: PlannedPoll[];
  calls: MonitoringCall[];
  metrics: number;
  /** As it is when all of this was asked for; null without a bound. */
  budget: Budget | null;
  /** Metrics of each of `budgetsOfAccounts`, in their order. */
  ofAccounts: number[];
  /** What has to wait since it is not paid for, or since too many come at once. */
  waiting: { volumes: number; longestDelaySeconds: number };
  /** Watches to write as they are: there is nothing to poll now. */
  unwatched: Watch[];
  /** Watches to remove: their volumes are gone. What is more than one tick removes stays due. */
  gone: Watch[];
  /** Of the volumes that are gone. */
  observations: MonitoringObservation[];
}

export interface TickContext {
  nowEpochSeconds: number;
  tickSeconds: number;
  budget: Budget | null;
  /** An account may be in several of them: each bounds it. @default none */
  budgetsOfAccounts?: readonly LeftOfAccounts[] | undefined;
  /** What one tick may read. */
  mostPoints: number;
  /** Of it in one Region of one account. @default mostPoints */
  mostPointsOfPlace?: number | undefined;
  /** What one tick may remove. */
  mostGone: number;
  thresholds: Thresholds;
}

/** Volumes that have no watch yet; `account`: where several are watched. */
export const newWatches = (
  volumes: Iterable<Volume>,
  hasWatch: (volumeId: string) => boolean,
  nowEpochSeconds: number,
  account?: string,
): Watch[] =>
  [...volumes]
    .filter(({ volumeId }) => !hasWatch(volumeId))
    .map((volume) => newWatch(volume, nowEpochSeconds, account));

/** The most points that one call may bring decides how many long windows fit into it: like lengths go together. */
const windowSteps = [
  pace.minWindowSeconds,
  2 * secondsPerHour,
  4 * secondsPerHour,
  8 * secondsPerHour,
  pace.firstWindowSeconds + pace.overlapSeconds,
];

function callsOf(polls: readonly PlannedPoll[], nowEpochSeconds: number): MonitoringCall[] {
  const end = Math.ceil(nowEpochSeconds / secondsPerMinute) * secondsPerMinute;
  const groups = new Map<string, { place: Place; start: number; queries: MetricQuery[] }>();
  for (const { watch, poll } of polls) {
    const { region, fromEpochSeconds, queries } = poll;
    const place = { region, ...(watch.account === undefined ? {} : { account: watch.account }) };
    const step = windowSteps.findIndex((seconds) => end - fromEpochSeconds <= seconds + secondsPerMinute);
    const key = `${placeText(place)} ${step}`;
    const group = groups.get(key) ?? { place, start: fromEpochSeconds, queries: [] };
    group.start = Math.min(group.start, fromEpochSeconds);
    group.queries.push(...queries);
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(({ place, start, queries }) =>
    packQueries(queries, end - start).map((packed) => ({
      ...{ ...place, startEpochSeconds: start, endEpochSeconds: end },
      queries: packed,
    })),
  );
}

interface Candidate extends PlannedPoll {
  urgency: number;
}

const pointsOf = ({ fromEpochSeconds, queries }: Poll, nowEpochSeconds: number): number =>
  queries.length * Math.ceil((nowEpochSeconds - fromEpochSeconds) / secondsPerMinute);

/** The most urgent first, as far as the budget goes and as one tick can read; new volumes not all at once. */
function affordable(
  candidates: readonly Candidate[],
  {
    budget,
    budgetsOfAccounts = [],
    nowEpochSeconds,
    mostPoints,
    mostPointsOfPlace = mostPoints,
  }: TickContext,
): { taken: Candidate[]; left: Candidate[]; ofAccounts: number[] } {
  const taken: Candidate[] = [];
  const left: Candidate[] = [];
  let metrics = budget === null ? Number.POSITIVE_INFINITY : budget.left;
  const leftOfAccounts = budgetsOfAccounts.map(({ left }) => left);
  const ofAccounts = budgetsOfAccounts.map(() => 0);
  let points = mostPoints;
  const pointsOfPlaces = new Map<string, number>();
  let newOnes = 0;
  for (const candidate of candidates.toSorted((a, b) => b.urgency - a.urgency)) {
    const isNew = candidate.watch.revision === 0;
    const cost = candidate.poll.queries.length;
    const read = pointsOf(candidate.poll, nowEpochSeconds);
    const place = placeText(candidate.watch);
    const ofPlace = pointsOfPlaces.get(place) ?? mostPointsOfPlace;
    const most = Math.min(points, ofPlace);
    const own = budgetsOfAccounts.flatMap(({ accounts }, i) =>
      accounts.has(`${candidate.watch.account}`) ? [i] : [],
    );
    const tooDear = own.filter((i) => cost > (leftOfAccounts[i] as number));
    if (tooDear.length > 0) {
      left.push(candidate);
      // Others of these accounts wait too; who is not among them goes on.
      for (const i of tooDear) leftOfAccounts[i] = 0;
      continue;
    }
    if (cost > metrics || read > most || (isNew && newOnes >= pace.newVolumesPerTick)) {
      left.push(candidate);
      // Who is less urgent does not go before who waits for want of money, or of time.
      if (cost > metrics) metrics = 0;
      if (read > points) points = 0;
      if (read > ofPlace) pointsOfPlaces.set(place, 0);
      continue;
    }
    if (isNew) newOnes++;
    metrics -= cost;
    for (const i of own) {
      leftOfAccounts[i] = (leftOfAccounts[i] as number) - cost;
      ofAccounts[i] = (ofAccounts[i] as number) + cost;
    }
    points -= read;
    pointsOfPlaces.set(place, ofPlace - read);
    taken.push(candidate);
  }
  return { taken, left, ofAccounts };
}

function waitingOf(left: readonly Candidate[], nowEpochSeconds: number): TickPlan['waiting'] {
  const longestDelaySeconds = left.reduce(
    (longest, { watch }) => Math.max(longest, nowEpochSeconds - watch.nextPollEpochSeconds),
    0,
  );
  return { volumes: left.length, longestDelaySeconds };
}

/** Attached to nothing, a volume is throttled by nothing: what is open of it is said to be gone, as often as it takes. */
function ended(
  watch: Watch,
  nowEpochSeconds: number,
): { watch: Watch; observations: MonitoringObservation[] } {
  const { open, observations } = sayEnded(watch, nowEpochSeconds);
  const pauseSeconds = Object.keys(watch.open).length === 0 ? pace.silentSeconds : pace.saying.everySeconds;
  return { watch: { ...watch, open, nextPollEpochSeconds: nowEpochSeconds + pauseSeconds }, observations };
}

/** @param due the watches whose next poll is now or was before. */
export function planTick(
  due: readonly Watch[],
  { volumes, published }: MonitoringFleet,
  context: TickContext,
): TickPlan {
  const { nowEpochSeconds, tickSeconds, budget, mostGone, thresholds } = context;
  const candidates: Candidate[] = [];
  const unwatched: Watch[] = [];
  const gone: Watch[] = [];
  const observations: MonitoringObservation[] = [];
  for (const before of due) {
    const volume = volumes.get(before.volumeId);
    if (volume === undefined) {
      if (gone.length < mostGone) gone.push(before);
      continue;
    }
    const watch = ofVolumeNow(before, volume);
    const checks = published === null ? null : (published[volume.volumeId] ?? []);
    const watched = watchedOf(volume, checks, thresholds);
    if (watched === null) {
      const after = ended(watch, nowEpochSeconds);
      unwatched.push(after.watch);
      observations.push(...after.observations);
      continue;
    }
    const poll = queriesOfPoll(watch, watched, nowEpochSeconds, tickSeconds);
    if (poll === null) {
      // What was urgent when it was written may have calmed down since.
      const next = nextPoll(watch, watched, nowEpochSeconds, tickSeconds);
      unwatched.push({ ...watch, nextPollEpochSeconds: Math.max(next, nowEpochSeconds + tickSeconds) });
      continue;
    }
    candidates.push({ watch, watched, poll, urgency: urgencyOf(watch, watched, poll, nowEpochSeconds) });
  }
  const { taken, left, ofAccounts } = affordable(candidates, context);
  const metrics = taken.reduce((sum, { poll }) => sum + poll.queries.length, 0);
  return {
    polls: taken.map(({ watch, watched, poll }) => ({ watch, watched, poll })),
    calls: callsOf(taken, nowEpochSeconds),
    metrics,
    budget: budget === null ? null : spent(budget, metrics),
    ofAccounts,
    waiting: waitingOf(left, nowEpochSeconds),
    ...{ unwatched, gone },
    observations: [...observations, ...gone.flatMap((watch) => sayGone(watch, nowEpochSeconds))],
  };
}
