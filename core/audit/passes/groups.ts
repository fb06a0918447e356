/** The first of two passes, for instances and stripes: what their volumes show together. */
import type { InstanceType } from '../../catalog/instance-types.ts';
import { type AuditWindow, fixedThresholds, type Thresholds } from '../../diagnosis/thresholds.ts';
import { unreachablePerformance } from '../../diagnosis/unreachable.ts';
import { groupBy } from '../../group-by.ts';
import type { Configured, Instance, Volume } from '../../inventory.ts';
import { type FleetMetrics, type MetricName, metricsOfInstance } from '../../load/metrics.ts';
import { type Series, sameTimes } from '../../load/series.ts';
import { type VolumeLoad, volumeLoad } from '../../load/volume-load.ts';
import { exactMonthlyUsd } from '../../prices/prices.ts';
import type { HostEvidence } from '../../stripes/host-evidence.ts';
import { stripesOf } from '../../stripes/stripes.ts';
import { msPerSecond, secondsPerMinute } from '../../units.ts';
import type { PassPlan } from '../batches.ts';
import { lowestFigures, mostOf } from '../instance-bounds.ts';
import type { SavingsContext } from '../savings-of-volume.ts';
import {
  type FirstRead,
  isCovered,
  isEverSet,
  minIoPerMiB,
  minSecondsPerIo,
  mostSpentInDay,
  neighbourRules,
  summedQueue,
  suspect,
  type VolumeState,
} from './volumes.ts';

// Volumes that may be members of one stripe, and whether one of them waits longer than the others.

/** A straggler's latency is so many times its siblings' median; in a stripe all do the same rate, so its queue is too. */
const unevenTimes = ({ stragglerTimes }: Thresholds): number => (2 / 3) * stragglerTimes;
/** It takes so many minutes of that to be reported; half of them make a suspect. */
const unevenSeconds = ({ stragglerMinutes }: Thresholds): number => (stragglerMinutes * secondsPerMinute) / 2;
/** What the fewest operations that a latency is evaluated by keep in flight at the shortest one. */
const loadInFlight = ({ stragglerLeastIops, stragglerLeastMs }: Thresholds): number =>
  (stragglerLeastIops * stragglerLeastMs) / msPerSecond;
/** Of two volumes with loads of their own each waits longer at some time, and one of them does so in most of it. */
const apartTimes = 2;
const apartShare = 0.5;

const figuresOf = ({ volumeType, sizeGiB, iops, throughputMiBps }: Volume): string =>
  JSON.stringify([volumeType, sizeGiB, iops, throughputMiBps]);

/** Volumes of one instance with the same type, size and figures: they may be a stripe that nobody told of. */
export const lookingAlike = (volumes: readonly Volume[]): Volume[][] =>
  [...groupBy(volumes, figuresOf).values()].filter(({ length }) => length > 1);

const areComparable = (series: readonly Series[]): boolean =>
  series.every(({ epochSeconds }) => sameTimes(epochSeconds, (series[0] as Series).epochSeconds));

/** The median of all but one. @param sorted scratch space, one shorter than the values. */
function medianOfOthers(values: Float64Array, but: number, sorted: Float64Array): number {
  for (let i = 0, count = 0; i < values.length; i++) {
    if (i === but) continue;
    const value = values[i] as number;
    let place = count++;
    for (; place > 0 && (sorted[place - 1] as number) > value; place--) {
      sorted[place] = sorted[place - 1] as number;
    }
    sorted[place] = value;
  }
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Does one queue stand far above its siblings' median under load, for minutes? Queues that cannot be compared are uneven. */
export function isUneven(queues: readonly Series[], thresholds: Thresholds): boolean {
  const [first, ...others] = queues;
  if (first === undefined || others.length === 0) return false;
  if (!areComparable(queues)) return true;
  const values = new Float64Array(queues.length);
  const sorted = new Float64Array(others.length);
  const seconds = new Float64Array(queues.length);
  const [times, least] = [unevenTimes(thresholds), loadInFlight(thresholds)];
  const long = unevenSeconds(thresholds);
  for (let i = 0; i < first.values.length; i++) {
    for (let member = 0; member < queues.length; member++) {
      values[member] = (queues[member] as Series).values[i] as number;
    }
    for (let member = 0; member < queues.length; member++) {
      const own = values[member] as number;
      if (own < least || own < times * medianOfOthers(values, member, sorted)) continue;
      seconds[member] = (seconds[member] as number) + first.periodSeconds;
      if ((seconds[member] as number) >= long) return true;
    }
  }
  return false;
}

/** Do two queues differ in most of the time under load, now the one being longer and now the other? */
function isApart(a: Series, b: Series, thresholds: Thresholds): boolean {
  let [loaded, above, below] = [0, 0, 0];
  const leastInFlight = loadInFlight(thresholds);
  for (let i = 0; i < a.values.length; i++) {
    const [one, other] = [a.values[i] as number, b.values[i] as number];
    if (one < leastInFlight && other < leastInFlight) continue;
    loaded++;
    if (one >= apartTimes * other) above++;
    else if (other >= apartTimes * one) below++;
  }
  const least = unevenSeconds(thresholds) / a.periodSeconds;
  return above >= least && below >= least && above + below >= apartShare * loaded;
}

/**
 * Those of a group that may carry one load, by their queues; alone is who carries none with another. Taken for granted:
 * members of a stripe do not take turns in waiting twice as long as each other in most of their time.
 */
export function withOneLoad<T>(
  members: readonly T[],
  queueOf: (member: T) => Series,
  thresholds: Thresholds,
): T[][] {
  if (!areComparable(members.map(queueOf))) return [[...members]];
  let parts: T[][] = [];
  for (const member of members) {
    const isNear = (other: T): boolean => !isApart(queueOf(other), queueOf(member), thresholds);
    const near = parts.filter((part) => part.some(isNear));
    parts = [...parts.filter((part) => !near.includes(part)), [...near.flat(), member]];
  }
  return parts;
}

// Which limits of an instance its volumes could reach: what cannot bind is not asked about.

export interface InstanceBound {
  /** Checks that could be 1. */
  asks: MetricName[];
  /** False where its volumes together stay so far below its maximum that their sum alone never points at it. */
  couldReadBound: boolean;
}

const instanceChecks = {
  iops: 'InstanceEBSIOPSExceededCheck',
  throughput: 'InstanceEBSThroughputExceededCheck',
} as const;
const either: InstanceBound = {
  asks: [instanceChecks.iops, instanceChecks.throughput],
  couldReadBound: true,
};
const neither: InstanceBound = { asks: [], couldReadBound: false };

/** So long an instance does its maximum at least once in 24 h: what it may spend above its baseline in a day. */
const burstSeconds = 30 * secondsPerMinute;
interface OnInstance {
  instance: Instance;
  /** Undefined: not in the catalog. */
  type: InstanceType | undefined;
  /** All its volumes; null where one's configuration is not known. */
  volumes: readonly Configured[] | null;
  /** Queues of all its volumes; null where one was not read. */
  queues: readonly Series[] | null;
}

/**
 * A limit binds where the volumes can do more than it together. Between baseline and maximum that takes credits that are
 * gone: AWS gives half an hour at the maximum in any 24 h, so where the queues allow for less above the baseline than that,
 * they were not. Taken for granted: I/O is counted alike by the volumes and their instance; what was spent before the
 * window is not known. An instance without Nitro publishes no checks.
 */
export function instanceBound(
  { instance, type, volumes, queues }: OnInstance,
  window: AuditWindow,
  periodSeconds: number,
): InstanceBound {
  if (type?.nitro === false) return neither;
  const figures = type && lowestFigures(instance, type);
  if (!figures || volumes === null) return either;
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const most = mostOf(volumes);
  let inFlight: Float64Array | null = null;
  const binds = (sum: number, baseline: number, maximum: number, ioPerUnit: number): boolean => {
    if (sum <= baseline) return false;
    if (sum > maximum || queues === null) return true;
    inFlight ??= summedQueue(queues, window, periodSeconds);
    const unitsPerInFlight = 1 / (ioPerUnit * minSecondsPerIo);
    const spent = mostSpentInDay(inFlight, periodSeconds, { baseline, most: sum, unitsPerInFlight });
    return spent >= (maximum - baseline) * burstSeconds;
  };
  return {
    asks: [
      ...(binds(most.iops, baselineIops, maximumIops, 1) ? [instanceChecks.iops] : []),
      ...(binds(most.mibps, baselineMiBps, maximumMiBps, minIoPerMiB) ? [instanceChecks.throughput] : []),
    ],
    couldReadBound:
      most.iops >= fixedThresholds.atLimitShare * maximumIops ||
      most.mibps >= fixedThresholds.atLimitShare * maximumMiBps,
  };
}

// An instance on its way through the passes, and what it makes of the volumes on it.

export interface InstanceState {
  instance: Instance;
  /** False where it is known from its volumes alone: nothing is asked of it then. */
  isDescribed: boolean;
  /** Of its volumes, those that have anything to read. */
  volumes: VolumeState[];
  stripes: StripeStates;
  bound: InstanceBound;
  isSuspect: boolean;
  isUnread: boolean;
}

const readsOf = ({ volumes }: InstanceState) =>
  volumes.flatMap(({ firstRead }) => (firstRead === null ? [] : [firstRead]));

type Around = Pick<SavingsContext, 'regionCatalogs' | 'thresholds'>;

/** Volumes that are paid for what the instance cannot do; no volume throttled is the most that can be lowered. */
function suspectUnreachable(
  { instance, volumes }: InstanceState,
  { regionCatalogs, thresholds }: Around,
): void {
  const { instanceTypes, prices } = regionCatalogs(instance.region);
  const type = instance.instanceType === null ? undefined : instanceTypes.get(instance.instanceType);
  if (type === undefined) return;
  const all = volumes.map(({ volume }) => volume);
  const found = unreachablePerformance(instance, type, all, prices.ebs, new Set(), thresholds);
  if (found === null || !prices.ebs.known) return;
  const paid = new Set<Volume>();
  for (const { volume, config } of found.lowerable) {
    const { iops, throughput } = exactMonthlyUsd(config, prices.ebs.value);
    if (iops + throughput > 0) paid.add(volume);
  }
  for (const state of volumes) if (paid.has(state.volume)) suspect(state, neighbourRules.unreachable.name);
}

/** After the first pass: what of the instance could have throttled its volumes, and which of those it makes suspects. */
export function boundAfterFirst(state: InstanceState, plan: PassPlan, around: Around): void {
  const { instance, volumes } = state;
  suspectUnreachable(state, around);
  state.stripes.afterFirst();
  const reads = readsOf(state);
  // Nothing was seen to go through it.
  if (reads.length === 0 && volumes.every(({ suspectedBy }) => suspectedBy === null)) return;
  const { instanceTypes } = around.regionCatalogs(instance.region);
  const configured = volumes.map((one) => one.configured);
  const isWhole = instance.excludedVolumes === undefined;
  state.bound = instanceBound(
    {
      instance,
      type: instance.instanceType === null ? undefined : instanceTypes.get(instance.instanceType),
      volumes: isWhole && configured.every((one) => one !== null) ? configured : null,
      queues: isWhole && reads.length === volumes.length ? reads.map(({ queue }) => queue.series) : null,
    },
    plan,
    plan.periodSeconds,
  );
}

/** A check of 1, or one that does not tell of a time in which one of the volumes had something in flight. */
function isThrottled(state: InstanceState, fine: FleetMetrics, plan: PassPlan): boolean {
  const metrics = fine.of(state.instance.instanceId);
  const reads = readsOf(state);
  return state.bound.asks.some((name) => {
    const check = metrics.get(name);
    if (check === undefined) return true;
    if (isEverSet(check)) return true;
    return reads.some(({ queue }) => !isCovered(queue.series, check, plan.periodSeconds));
  });
}

/** After the second look: an instance that may have throttled makes all its volumes suspects; so does one of a group. */
export function readChecks(state: InstanceState, fine: FleetMetrics, plan: PassPlan): void {
  state.isUnread = fine.unusableReason(state.instance.instanceId) !== null;
  if (state.isDescribed && !state.isUnread) state.isSuspect = isThrottled(state, fine, plan);
  if (state.isSuspect) for (const one of state.volumes) suspect(one, neighbourRules.instance.name);
  state.stripes.afterSecond(fine);
}

/**
 * What is read of it in the second pass: everything where it may have throttled. Where it did not, both checks, since
 * they say so of what the sum over its volumes could be taken for.
 */
export function readOfInstance(state: InstanceState): readonly MetricName[] {
  const { isDescribed, isUnread, isSuspect, bound, volumes } = state;
  if (!isDescribed || isUnread) return [];
  if (isSuspect) return metricsOfInstance();
  const hasSuspect = volumes.some(({ suspectedBy }) => suspectedBy !== null);
  return hasSuspect && (bound.asks.length > 0 || bound.couldReadBound) ? Object.values(instanceChecks) : [];
}

// Stripes on their way through the passes. What is one stripe is evaluated as one: with one suspect, or one member that waits
// longer than the others, all of it are suspects. Stripes that a host or a tag names are known from the start.
// Volumes that only look alike are asked for their loads where it matters whether they are.

interface AlikeGroup {
  members: VolumeState[];
  /** Their loads are asked for. */
  isAsked: boolean;
}

const isSuspect = ({ suspectedBy }: VolumeState): boolean => suspectedBy !== null;

function suspectAll(members: readonly VolumeState[]): void {
  for (const member of members) suspect(member, neighbourRules.alike.name);
}

/** One of them waits longer than the others. */
const isUnevenGroup = (members: readonly VolumeState[], thresholds: Thresholds): boolean =>
  isUneven(
    members.flatMap(({ firstRead }) => (firstRead === null ? [] : [firstRead.queue.series])),
    thresholds,
  );

/** It takes all of a stripe to evaluate one of it. */
function suspectTogether(members: readonly VolumeState[], thresholds: Thresholds): void {
  if (members.some(isSuspect) || isUnevenGroup(members, thresholds)) suspectAll(members);
}

/** Those that may carry one load; where a queue is not known nothing tells them apart. */
function partsOf(members: readonly VolumeState[], thresholds: Thresholds): VolumeState[][] {
  const isSeen = members.every(({ firstRead }) => firstRead !== null);
  const parts = isSeen
    ? withOneLoad(members, ({ firstRead }) => (firstRead as FirstRead).queue.series, thresholds)
    : [[...members]];
  return parts.filter(({ length }) => length > 1);
}

/** What is reported of them depends on whether they are one stripe: not where all are read anyway. */
function dependsOnStripe(members: readonly VolumeState[], thresholds: Thresholds): boolean {
  if (members.every(isSuspect)) return false;
  const isNotified = members.some(({ firstRead }) => firstRead?.savings.isReportedAnyway() === true);
  return isNotified || members.some(isSuspect) || isUnevenGroup(members, thresholds);
}

/** The stripes among the volumes of one instance. */
export class StripeStates {
  private readonly instanceId: string;
  private readonly states: ReadonlyMap<Volume, VolumeState>;
  private readonly host: HostEvidence | null;
  private readonly thresholds: Thresholds;
  private groups: AlikeGroup[] = [];

  constructor(
    instanceId: string,
    volumes: readonly VolumeState[],
    host: HostEvidence | null,
    thresholds: Thresholds,
  ) {
    this.instanceId = instanceId;
    this.states = new Map(volumes.map((state) => [state.volume, state]));
    this.host = host;
    this.thresholds = thresholds;
  }

  private membersOf(volumes: readonly Volume[]): VolumeState[] {
    return volumes.map((volume) => this.states.get(volume) as VolumeState);
  }

  private stripes(loads: (volumeId: string) => VolumeLoad | null): VolumeState[][] {
    const found = stripesOf(this.instanceId, [...this.states.keys()], { host: this.host, loads });
    return found.map(({ volumes }) => this.membersOf(volumes));
  }

  /** After the first pass: suspects of what is reported, and what must be asked of volumes that look alike. */
  afterFirst(): void {
    const { thresholds } = this;
    const notified = this.stripes(() => null);
    for (const members of notified) suspectTogether(members, thresholds);
    const decided = new Set([
      ...notified.flat().map(({ volume }) => volume.volumeId),
      ...(this.host?.singleVolumeIds ?? []),
      ...(this.host?.arrays ?? []).flatMap(({ memberVolumeIds }) => memberVolumeIds),
    ]);
    const open = [...this.states.keys()].filter(({ volumeId }) => !decided.has(volumeId));
    this.groups = lookingAlike(open)
      .flatMap((alike) => partsOf(this.membersOf(alike), thresholds))
      .map((members) => ({ members, isAsked: dependsOnStripe(members, thresholds) }));
    for (const { members, isAsked } of this.groups) {
      if (isAsked) for (const member of members) member.asksLoad = true;
    }
  }

  /** After the second look. Of a group that was not asked, and has a suspect by now, all may be one stripe. */
  afterSecond(fine: FleetMetrics): void {
    for (const { members, isAsked } of this.groups)
      if (!isAsked && members.some(isSuspect)) suspectAll(members);
    const found = this.stripes((volumeId) => {
      const load = volumeLoad(fine.of(volumeId));
      return load.known ? load.value : null;
    });
    for (const members of found) suspectTogether(members, this.thresholds);
  }
}
