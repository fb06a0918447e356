/** The fleet in parts that one evaluation takes: an instance always together with all its volumes. */
import { sumOfMinutes } from '../archive/fleet-days.ts';
import type { AuditWindow } from '../diagnosis/thresholds.ts';
import { BadInput } from '../errors.ts';
import type { Instance, Volume } from '../inventory.ts';
import {
  finestEbsPeriodSeconds,
  type MetricQuery,
  type PublishedCheck,
  pointsOf,
  pointsPerCall,
  queriesOfInstance,
  queriesOfVolume,
  usdOfMetrics,
} from '../load/metrics.ts';
import type { VolumeModification } from '../recommendations/modifications.ts';
import { mostUrgentFirst } from '../report/top-recommendations.ts';
import type { AuditNotice, NotRead } from '../schemas/audit-notice.ts';
import { type AuditResult, type PassCost, passNames } from '../schemas/audit-result.ts';
import type { OpinionRead } from '../schemas/second-opinion.ts';
import type { GivenOpinions } from '../schemas/volume-recommendation.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerDay } from '../units.ts';
import { summaryOf } from './audit.ts';
import { mostRoom, withDestinations } from './instance-room.ts';
import { distinct, withScheduleNotices } from './notices.ts';

// Which time an audit reads, in points of which period: what CloudWatch still keeps, aligned to whole periods.

/** Date takes 30 February as 2 March. */
const isDayOfCalendar = (day: string): boolean => new Date(`${day}T00:00Z`).toISOString().startsWith(day);

/** A moment as people write it, with its zone: 2026-11-20T14:30Z, seconds if they like. @throws BadInput */
export function momentOf(text: string): Date {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(isMoment ? text : Number.NaN);
  if (!Number.isNaN(time.getTime()) && isDayOfCalendar(text.slice(0, 10))) return time;
  throw new BadInput(`"${text}" is not a time: give one like 2026-11-20T14:30Z`);
}

export interface ReadingPlan extends AuditWindow {
  /** Of every metric; of two passes, of the second. */
  periodSeconds: number;
  /**
   * Two passes: few metrics of all volumes in points of this period first, then all metrics of the suspects. Without it one
   * pass reads everything.
   */
  coarsePeriodSeconds?: number | undefined;
  /** Evaluated from the archive: CloudWatch is asked only for what is not settled there. */
  isArchived?: boolean | undefined;
  /** Of a run that asks for another window than the configuration's. */
  isOfOwnWindow?: boolean | undefined;
}

export type PassPlan = ReadingPlan & { coarsePeriodSeconds: number };

export const isInPasses = (plan: ReadingPlan): plan is PassPlan => plan.coarsePeriodSeconds !== undefined;

/** CloudWatch keeps points of one minute for 15 days and of five minutes for 63; hourly ones hide what we look for. */
const retention = [
  { periodSeconds: 60, days: 15 },
  { periodSeconds: 300, days: 63 },
] as const;
type Kept = (typeof retention)[number];

const coarsest = retention[1];
/** Of the first of two passes. */
export const coarsestPeriodSeconds: number = coarsest.periodSeconds;

/** Clocks differ a little. */
const futureSeconds = 300;

interface ReadingRequest {
  lookbackDays: number;
  /**
   * Of one pass, in seconds or the finest that CloudWatch still keeps; in two the first one reads points of five minutes, the
   * second the finest.
   */
  periodSeconds: number | 'finest' | 'two-passes';
  /** The end of the window: a time of the past, or now. */
  until: Date;
  now: Date;
  /** How fresh figures may be; the newest minutes of CloudWatch are not complete yet. */
  settleSeconds: number;
}

const isKept = ({ lookbackDays, until, now }: ReadingRequest, { days }: Kept): boolean =>
  lookbackDays <= days &&
  until.getTime() - lookbackDays * secondsPerDay * msPerSecond >=
    now.getTime() - days * secondsPerDay * msPerSecond;

/** @throws BadInput where CloudWatch does not keep such points. */
function keptFor(request: ReadingRequest): Kept {
  const { periodSeconds } = request;
  if (typeof periodSeconds === 'string') return retention.find((kept) => isKept(request, kept)) ?? coarsest;
  const kept = retention.find((entry) => entry.periodSeconds === periodSeconds);
  if (kept !== undefined) return kept;
  throw new BadInput(
    `a period of ${periodSeconds} s is too coarse, or CloudWatch does not keep it: ask for 60 or 300`,
  );
}

/**
 * The window in whole periods; of two passes in whole periods of the first.
 * @throws BadInput where CloudWatch does not keep such points, or not that long.
 */
export function readingPlan(request: ReadingRequest): ReadingPlan {
  const { lookbackDays, until, now, settleSeconds } = request;
  const kept = keptFor(request);
  const { periodSeconds, days } = kept;
  if (lookbackDays > days) {
    throw new BadInput(
      `${lookbackDays} days are longer than CloudWatch keeps points of ${periodSeconds} s (${days} days): ask for fewer days or a longer period`,
    );
  }
  const nowSeconds = now.getTime() / msPerSecond;
  const untilSeconds = until.getTime() / msPerSecond;
  if (untilSeconds > nowSeconds + futureSeconds) {
    throw new BadInput(`${isoFromEpochSeconds(untilSeconds)} is in the future: ask for a time that is over`);
  }
  const isTwoPasses = request.periodSeconds === 'two-passes';
  const stepSeconds = isTwoPasses ? coarsest.periodSeconds : periodSeconds;
  const oldest = nowSeconds - days * secondsPerDay;
  const whole = (seconds: number): number => Math.floor(seconds / stepSeconds) * stepSeconds;
  const end = whole(Math.min(untilSeconds, nowSeconds - settleSeconds));
  const steps = Math.max(1, Math.round((lookbackDays * secondsPerDay) / stepSeconds));
  // All that is kept is a little less than it was when the newest points were complete.
  const start = Math.max(end - steps * stepSeconds, whole(oldest) + stepSeconds);
  if (untilSeconds - lookbackDays * secondsPerDay < oldest || start >= end) {
    throw new BadInput(
      `${isoFromEpochSeconds(untilSeconds)} and ${lookbackDays} days before it are longer ago than CloudWatch keeps points of ${periodSeconds} s (${days} days): ask for a later time, fewer days or a longer period`,
    );
  }
  const plan = { startEpochSeconds: start, endEpochSeconds: end, periodSeconds };
  return isTwoPasses ? { ...plan, coarsePeriodSeconds: coarsest.periodSeconds } : plan;
}

/** A year, and the month before it to compare with. */
export const longestArchivedDays = 395;

/**
 * The window of an audit from the archive, in minutes: as far back as the archive keeps them.
 * @throws BadInput where that is too far.
 */
export function archivedPlan({
  lookbackDays,
  periodSeconds,
  until,
  now,
  settleSeconds,
  isOfOwnWindow = false,
}: Omit<ReadingRequest, 'periodSeconds'> & {
  periodSeconds: 60 | 'two-passes';
  isOfOwnWindow?: boolean;
}): ReadingPlan {
  if (lookbackDays > longestArchivedDays)
    throw new BadInput(
      `${lookbackDays} days are longer than an audit from the archive looks back: ask for at most ${longestArchivedDays}`,
    );
  const nowSeconds = now.getTime() / msPerSecond;
  const untilSeconds = until.getTime() / msPerSecond;
  if (untilSeconds > nowSeconds + futureSeconds)
    throw new BadInput(`${isoFromEpochSeconds(untilSeconds)} is in the future: ask for a time that is over`);
  const step = finestEbsPeriodSeconds;
  const end = Math.floor(Math.min(untilSeconds, nowSeconds - settleSeconds) / step) * step;
  const steps = Math.max(1, Math.round((lookbackDays * secondsPerDay) / step));
  return {
    startEpochSeconds: end - steps * step,
    endEpochSeconds: end,
    periodSeconds: step,
    ...(periodSeconds === 'two-passes' ? { coarsePeriodSeconds: step } : {}),
    isArchived: true,
    ...(isOfOwnWindow ? { isOfOwnWindow } : {}),
  };
}

/** By volume id; a volume that is not there has no published check. Null: nobody could list them. */
export type PublishedChecks = Readonly<Record<string, readonly PublishedCheck[]>> | null;

export interface AuditBatch {
  volumes: Volume[];
  instances: Instance[];
  published: PublishedChecks;
  /** What other services recommend for its volumes, each source that answered once; absent: none was asked. */
  opinions?: GivenOpinions[] | undefined;
  /** By volume id what is known of earlier modifications; absent: nobody asked, or was not answered. */
  modifications?: Readonly<Record<string, readonly VolumeModification[]>> | undefined;
}

/** What one evaluation reads: 50 full calls, which is about 40 MB of points in memory. */
const maxPointsPerBatch = 50 * pointsPerCall;
/** From the archive: some 250 volumes in 14 days. What is read of them then fills 30 calls, and leaves little of the last one empty. */
export const maxArchivedPointsPerBatch = 4 * maxPointsPerBatch;

/** All queries of a batch; instances without a volume are not asked about. */
export function queriesOfBatch(
  { volumes, instances, published }: AuditBatch,
  periodSeconds: number,
): MetricQuery[] {
  const attachedTo = new Set(
    volumes.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId)),
  );
  return [
    ...volumes.flatMap((volume) =>
      queriesOfVolume(
        volume,
        periodSeconds,
        published === null ? undefined : (published[volume.volumeId] ?? []),
      ),
    ),
    ...instances
      .filter(({ instanceId }) => attachedTo.has(instanceId))
      .flatMap((instance) => queriesOfInstance(instance, periodSeconds)),
  ];
}

export interface Group {
  volumes: Volume[];
  instances: Instance[];
}

/** Volumes and instances that hang together: a Multi-Attach volume joins the instances it is attached to. */
export function connectedGroups(volumes: readonly Volume[], instances: readonly Instance[]): Group[] {
  const groupOfInstance = new Map<string, Group>();
  const groups = new Set<Group>();
  const open = (group: Group): Group => {
    groups.add(group);
    return group;
  };
  const join = (into: Group, other: Group): void => {
    if (into === other) return;
    into.volumes.push(...other.volumes);
    into.instances.push(...other.instances);
    for (const [id, group] of groupOfInstance) if (group === other) groupOfInstance.set(id, into);
    groups.delete(other);
  };
  for (const instance of instances) {
    groupOfInstance.set(instance.instanceId, open({ volumes: [], instances: [instance] }));
  }
  for (const volume of volumes) {
    const ids = volume.attachments.map(({ instanceId }) => instanceId);
    // Two of its instances may be in one group already: each group once.
    const known = new Set(ids.flatMap((id) => groupOfInstance.get(id) ?? []));
    const [home = open({ volumes: [], instances: [] }), ...others] = known;
    for (const other of others) join(home, other);
    home.volumes.push(volume);
    for (const id of ids) groupOfInstance.set(id, home);
  }
  return [...groups];
}

interface BatchReading {
  periodSeconds: number;
  windowSeconds: number;
  /** Of a batch whose volumes are all in trouble, so that it is read in time at its share of the quota; without it any. */
  mostPoints?: number;
  /** What is in memory together. */
  maxPoints?: number;
  /** How much of the window is read from CloudWatch; without it all. */
  readSecondsOf?: (resourceId: string) => number;
  /** A batch ends where its last call is nearly full, once it is large enough. */
  fillsCalls?: boolean;
}

/** Of a call: a group of volumes and instances is mostly less than the rest. */
const nearlyFull = 0.88;
/** Of the most that a batch may hold: from there on its end is looked for. */
const largeEnough = 0.7;

/** Points that a call holds of queries of a minute over so many seconds. */
function pointsOfFullCall(readSeconds: number): number {
  const each = readSeconds / finestEbsPeriodSeconds;
  return each === 0 || each > pointsPerCall ? pointsPerCall : Math.floor(pointsPerCall / each) * each;
}

/**
 * @param published what was discovered of the checks; null where it could not be.
 * @param queriesOf what is read of a batch at least; everything without it.
 * @returns batches whose queries stay under 50 full calls each, and under the most points should all of it be read,
 * where no single group is larger than that.
 */
export function batchesOf(
  volumes: readonly Volume[],
  instances: readonly Instance[],
  published: PublishedChecks,
  {
    periodSeconds,
    windowSeconds,
    mostPoints = Number.POSITIVE_INFINITY,
    maxPoints = maxPointsPerBatch,
    readSecondsOf = () => windowSeconds,
    fillsCalls = false,
  }: BatchReading,
  queriesOf = (batch: AuditBatch): MetricQuery[] => queriesOfBatch(batch, periodSeconds),
): AuditBatch[] {
  const batches: AuditBatch[] = [];
  const pointsIn = (queries: readonly MetricQuery[]): number =>
    queries.reduce((total, query) => total + pointsOf(query, windowSeconds), 0);
  const readIn = (queries: readonly MetricQuery[]): number =>
    queries.reduce((total, query) => total + pointsOf(query, readSecondsOf(query.resourceId)), 0);
  let [points, read, readOfAll] = [0, 0, 0];
  for (const group of connectedGroups(volumes, instances)) {
    const checks =
      published &&
      Object.fromEntries(
        group.volumes.flatMap(({ volumeId }) =>
          published[volumeId] === undefined ? [] : [[volumeId, published[volumeId]]],
        ),
      );
    const part = { ...group, published: checks };
    const queries = queriesOf(part);
    const more = pointsIn(queries);
    // What is asked in longer points first is asked again of a suspect.
    const asksTwice = queries.filter((query) => query.periodSeconds > periodSeconds);
    const moreRead = readIn(queries);
    const moreOfAll = readIn(queriesOfBatch(part, periodSeconds)) + readIn(asksTwice);
    const last = batches.at(-1);
    const readSeconds = readSecondsOf(group.volumes[0]?.volumeId ?? '');
    const callsRead = read / pointsOfFullCall(readSeconds);
    const isFilled = fillsCalls && points > largeEnough * maxPoints && callsRead % 1 > nearlyFull;
    const isFull =
      isFilled ||
      points + more > maxPoints ||
      read + moreRead > maxPointsPerBatch ||
      readOfAll + moreOfAll > mostPoints;
    if (last === undefined || isFull) {
      batches.push(part);
      [points, read, readOfAll] = [more, moreRead, moreOfAll];
      continue;
    }
    last.volumes.push(...group.volumes);
    last.instances.push(...group.instances);
    if (last.published !== null) Object.assign(last.published, checks);
    points += more;
    read += moreRead;
    readOfAll += moreOfAll;
  }
  return batches;
}

// The results of batches as one: counts add up, findings are most urgent first again.

/** What a run knows beside the results of its batches. */
export interface RunFacts {
  runId: string;
  window: AuditResult['window'];
  notices: readonly AuditNotice[];
  /** What could not be read at all, such as the volumes of a Region. */
  incomplete: readonly NotRead[];
  /** Calls outside the batches; they ask for no metrics. */
  apiCalls: number;
  /** Volumes that the configuration excludes. */
  excluded?: number;
  /** Volumes of the benchmark's own hosts. */
  benchmarkVolumes?: number;
  /** Accounts that were read, also where they have nothing. */
  accounts?: readonly string[];
  /** What came of asking other services; absent: none was asked. */
  opinionReads?: readonly OpinionRead[] | undefined;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What each pass took over all parts. */
/** Together; none where one of them did not count its points. */
function pointsIn(costs: readonly { points?: number | undefined }[]): { points?: number } {
  const points = costs.map((one) => one.points);
  return points.includes(undefined) ? {} : { points: sum(points.map((one) => one ?? 0)) };
}

function mergedPasses(passes: readonly PassCost[]): PassCost[] {
  return passNames.flatMap((pass) => {
    const same = passes.filter((one) => one.pass === pass);
    const metricsRequested = sum(same.map((one) => one.metricsRequested));
    const merged = {
      pass,
      volumes: sum(same.map(({ volumes }) => volumes)),
      instances: sum(same.map(({ instances }) => instances)),
      metricsRequested,
      ...pointsIn(same),
      apiCalls: sum(same.map(({ apiCalls }) => apiCalls)),
      usd: usdOfMetrics(metricsRequested),
    };
    return same.length === 0 ? [] : [merged];
  });
}

/** What reading in these passes took, each pass told once. */
export function costOfPasses(passes: readonly PassCost[]): AuditResult['cost'] {
  const metricsRequested = sum(passes.map((one) => one.metricsRequested));
  return {
    apiCalls: sum(passes.map(({ apiCalls }) => apiCalls)),
    metricsRequested,
    ...pointsIn(passes),
    usd: usdOfMetrics(metricsRequested),
    passes: mergedPasses(passes),
  };
}

/** Hundreds of batches can have the same to say: it is said once, and how often. */
function counted(all: readonly NotRead[]): NotRead[] {
  const seen = new Map<string, { notice: AuditNotice; times: number }>();
  for (const { times = 1, ...notice } of all) {
    const key = JSON.stringify(notice);
    const before = seen.get(key);
    seen.set(key, { notice, times: (before?.times ?? 0) + times });
  }
  return [...seen.values()].map(({ notice, times }) => (times === 1 ? notice : { ...notice, times }));
}

/** Rows of all parts, and what came of asking: of a part, of the run. Absent: nothing was compared. */
function mergedOpinions(
  parts: readonly AuditResult[],
  { opinionReads }: RunFacts,
): Pick<AuditResult, 'secondOpinion' | 'secondOpinionReads'> {
  const rows = parts.flatMap(({ secondOpinion }) => (secondOpinion === undefined ? [] : [secondOpinion]));
  const reads = [...(opinionReads ?? []), ...parts.flatMap((part) => part.secondOpinionReads ?? [])];
  const isAsked = rows.length > 0 || opinionReads !== undefined || reads.length > 0;
  if (!isAsked) return {};
  return { secondOpinion: rows.flat(), ...(reads.length === 0 ? {} : { secondOpinionReads: reads }) };
}

export function mergeResults(parts: readonly AuditResult[], facts: RunFacts): AuditResult {
  const coverages = parts.map(({ coverage }) => coverage);
  const instances = coverages.map((coverage) => coverage.instances);
  const costs = parts.map(({ cost }) => cost);
  const metricsRequested = sum(costs.map((cost) => cost.metricsRequested));
  // All are of one configuration; one that changes meanwhile is reported of all the same.
  const thresholds: Record<string, number> = Object.assign({}, ...parts.map((part) => part.thresholds));
  const accounts = new Set([...(facts.accounts ?? []), ...parts.flatMap((part) => part.accounts ?? [])]);
  const passes = mergedPasses(costs.flatMap((cost) => cost.passes ?? []));
  const minutes = parts.flatMap((part) => part.minutesByDay ?? []);
  const rooms = mostRoom(parts.flatMap((part) => part.instanceRooms ?? []));
  const findings = withDestinations(
    parts.flatMap((part) => part.findings),
    rooms,
  ).sort(mostUrgentFirst);
  const volumes = parts.flatMap((part) => part.volumes);
  return {
    runId: facts.runId,
    summary: summaryOf(findings, volumes),
    window: facts.window,
    coverage: {
      volumes: sum(coverages.map(({ volumes }) => volumes)),
      ...(facts.excluded ? { excluded: facts.excluded } : {}),
      ...(facts.benchmarkVolumes ? { benchmarkVolumes: facts.benchmarkVolumes } : {}),
      evaluated: sum(coverages.map(({ evaluated }) => evaluated)),
      unknown: coverages.flatMap(({ unknown }) => unknown),
      instances: {
        total: sum(instances.map(({ total }) => total)),
        evaluated: sum(instances.map(({ evaluated }) => evaluated)),
        notEvaluated: instances.flatMap(({ notEvaluated }) => notEvaluated),
      },
      metricsWithoutResource: coverages.flatMap(({ metricsWithoutResource }) => metricsWithoutResource),
      incomplete: counted([...facts.incomplete, ...coverages.flatMap(({ incomplete }) => incomplete)]),
    },
    findings,
    volumes,
    stripes: parts.flatMap(({ stripes }) => stripes),
    prices: [...new Map(parts.flatMap(({ prices }) => prices.map((one) => [one.region, one]))).values()],
    ...(Object.keys(thresholds).length === 0 ? {} : { thresholds }),
    // Each batch of a Region says the same of its prices.
    notices: withScheduleNotices(
      distinct([...facts.notices, ...parts.flatMap(({ notices }) => notices)]),
      volumes,
    ),
    ...(minutes.length === 0 ? {} : { minutesByDay: sumOfMinutes(minutes) }),
    ...(accounts.size === 0 ? {} : { accounts: [...accounts].sort() }),
    ...mergedOpinions(parts, facts),
    ...(rooms.length === 0 ? {} : { instanceRooms: rooms }),
    cost: {
      apiCalls: facts.apiCalls + sum(costs.map(({ apiCalls }) => apiCalls)),
      metricsRequested,
      ...pointsIn(costs),
      usd: usdOfMetrics(metricsRequested),
      ...(passes.length === 0 ? {} : { passes }),
    },
  };
}
