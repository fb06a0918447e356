/** The first of two passes, for a volume: which rules make it a suspect. */
import { creditBucket } from '../../credits/credits.ts';
import { firstReadsEnd } from '../../diagnosis/first-reads.ts';
import { leastLatencyIops } from '../../diagnosis/latency.ts';
import {
  type AuditWindow,
  fixedThresholds,
  isEnoughKnown,
  secondsOf,
  type Thresholds,
} from '../../diagnosis/thresholds.ts';
import { idleFinding } from '../../diagnosis/volume-findings.ts';
import { type Configured, configurationOf, type Instance, type Volume } from '../../inventory.ts';
import { unknown } from '../../known.ts';
import { isHdd } from '../../limits/volume-limits.ts';
import {
  expectedChecks,
  type FleetMetrics,
  type MetricName,
  type MetricSet,
  metricsOfVolume,
} from '../../load/metrics.ts';
import { alignTo, maximum, minimum, type Series } from '../../load/series.ts';
import { countedSsdIops, type VolumeLoad, volumeLoad } from '../../load/volume-load.ts';
import type { FindingKind } from '../../schemas/finding.ts';
import { msPerSecond, secondsPerDay, secondsPerHour, secondsPerMinute } from '../../units.ts';
import type { PassPlan, PublishedChecks } from '../batches.ts';
import type { ClearedVolume } from '../observed.ts';
import { type SavingsContext, savingsBeside } from '../savings-of-volume.ts';
import { type SavingRead, savingRead } from './saving-read.ts';

// What the queue length of a volume tells alone. By Little, mean in flight = rate x seconds per I/O: it bounds what a
// volume did without its operations being read.

/** No EBS volume answers faster: the fastest type needs 0.25 ms and more. It bounds a rate from above: in flight / this. */
export const minSecondsPerIo = 0.0001;
/** NVMe on EC2 cuts I/O at 256 KiB. */
export const minIoPerMiB = 4;

/** Who takes all that a limit gives has something in flight all the time; a little less, for the edges of it. */
const alwaysInFlight = 0.9;

interface QueueRead {
  series: Series;
  knownSeconds: number;
  /** Points with something in flight. */
  activePeriods: number;
  /** Seconds of points with at least one I/O in flight on average, so that there may have been one all the time. */
  fullSeconds: number;
  meanInFlight: number;
  mostInFlight: number;
}

function queueRead(series: Series): QueueRead {
  const { values, periodSeconds } = series;
  let [sum, most, activePeriods, fullPeriods] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const inFlight = values[i] as number;
    if (!(inFlight > 0)) continue;
    activePeriods++;
    if (inFlight >= alwaysInFlight) fullPeriods++;
    sum += inFlight;
    if (inFlight > most) most = inFlight;
  }
  return {
    series,
    knownSeconds: values.length * periodSeconds,
    activePeriods,
    fullSeconds: fullPeriods * periodSeconds,
    meanInFlight: values.length === 0 ? 0 : sum / values.length,
    mostInFlight: most,
  };
}

/** Was a check 1 in any minute? */
export const isEverSet = (check: Series | undefined): boolean =>
  check !== undefined && (maximum(check.values) ?? 0) > 0;

/** Has a check a point for every time at which something was in flight? Both series ascend. */
export function isCovered(queue: Series, check: Series, checkPeriodSeconds: number): boolean {
  const { epochSeconds, values } = queue;
  for (let i = 0, j = 0; i < values.length; i++) {
    if (!((values[i] as number) > 0)) continue;
    const time = epochSeconds[i] as number;
    while (j < check.epochSeconds.length && (check.epochSeconds[j] as number) + checkPeriodSeconds <= time)
      j++;
    if (j >= check.epochSeconds.length || (check.epochSeconds[j] as number) > time) return false;
  }
  return true;
}

/** The sum of several queues, one entry a period of the window. */
export function summedQueue(
  queues: readonly Series[],
  { startEpochSeconds, endEpochSeconds }: AuditWindow,
  periodSeconds: number,
): Float64Array {
  const sum = new Float64Array(Math.ceil((endEpochSeconds - startEpochSeconds) / periodSeconds));
  for (const { epochSeconds, values } of queues) {
    for (let i = 0; i < values.length; i++) {
      const at = Math.floor(((epochSeconds[i] as number) - startEpochSeconds) / periodSeconds);
      if (at >= 0 && at < sum.length) sum[at] = (sum[at] as number) + (values[i] as number);
    }
  }
  return sum;
}

/**
 * The most that can have been spent above a baseline within 24 hours, in the unit of the rates: each period at the highest
 * rate that its queue allows, and no higher than the volumes can do.
 */
export function mostSpentInDay(
  inFlight: Float64Array,
  periodSeconds: number,
  { baseline, most, unitsPerInFlight }: { baseline: number; most: number; unitsPerInFlight: number },
): number {
  const periods = secondsPerDay / periodSeconds;
  const spentAt = (i: number): number =>
    Math.max(0, Math.min(most, (inFlight[i] as number) * unitsPerInFlight) - baseline) * periodSeconds;
  let [sum, highest] = [0, 0];
  for (let i = 0; i < inFlight.length; i++) {
    sum += spentAt(i);
    if (i >= periods) sum -= spentAt(i - periods);
    if (sum > highest) highest = sum;
  }
  return highest;
}

// What makes a volume a suspect: for each rule of the audit, the metrics that it is looked for with in the first pass and
// when that is a suspicion. The second pass reads everything of suspects, so a rule here must hold wherever its findings
// could be. Why it does stands beside it, and what it takes for granted.

export interface FirstRead {
  volume: Volume;
  configured: Configured;
  window: AuditWindow;
  /** Points of the first pass; its queue length is read in points of the second, at the same price. */
  coarsePeriodSeconds: number;
  queue: QueueRead;
  metrics: MetricSet;
  savings: SavingRead;
}

/** What a rule says of a volume: nothing of the kind, a suspect, or that it takes more metrics to tell. */
type Opinion = 'clear' | 'suspect' | readonly [MetricName, ...MetricName[]];

export interface VolumeRule {
  name: string;
  /** The findings that it must not miss. */
  kinds: readonly FindingKind[];
  first(firstRead: FirstRead, thresholds: Thresholds): Opinion;
  /** With the metrics that the first opinion asked for. */
  isSuspect?(firstRead: FirstRead, seen: MetricSet, thresholds: Thresholds): boolean;
}

const suspectIf = (is: boolean): Opinion => (is ? 'suspect' : 'clear');

/** What is known for too little time to be called healthy is evaluated by everything there is. */
const known: VolumeRule = {
  name: 'little known',
  kinds: [],
  first: ({ queue, window }) => suspectIf(!isEnoughKnown(queue.knownSeconds, window)),
};

export const exceededChecks = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const;

/**
 * AWS sets a check in each minute in which more was attempted than the volume may do, and its Sum over five minutes counts
 * them: 0 is five times no. A time in which something was in flight and no check came is a suspicion. Taken for granted:
 * AWS's word on bursts; what checks that stay 0 hide of whole minutes is for `rate`.
 */
const limits: VolumeRule = {
  name: 'limits',
  kinds: ['throttled-volume-iops', 'throttled-volume-throughput', 'micro-burst', 'credits-exhausted'],
  first: ({ metrics, queue, coarsePeriodSeconds }) =>
    suspectIf(
      exceededChecks.some((name) => {
        const check = metrics.get(name);
        if (check === undefined) return queue.activePeriods > 0;
        return isEverSet(check) || !isCovered(queue.series, check, coarsePeriodSeconds);
      }),
    ),
};

const loadMetrics = ['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes'] as const;

/** Fewer minutes of the last five or of a day are not reported. */
const reportedSeconds = ({
  throttledCriticalMinutesOfLastFive: ofLastFive,
  throttledWarningMinutes: ofDay,
}: Thresholds): number => Math.min(ofLastFive, ofDay) * secondsPerMinute;

/** Seconds of the periods whose average is at a limit, its own or one that is seen below it, or whose bytes are not known. */
function secondsAtLimit({ config, limits: of }: Configured, load: VolumeLoad): number {
  const { iops, mibps, periodSeconds } = load;
  let periods = 0;
  for (let i = 0; i < iops.length; i++) {
    const [io, mib] = [iops[i] as number, mibps[i] as number];
    const counted = isHdd(config.volumeType) ? io : countedSsdIops(io, mib);
    const share = Math.max(counted / of.burstIops, mib / of.burstMiBps);
    if (!(share < fixedThresholds.seenLimitShare)) periods++;
  }
  return periods * periodSeconds;
}

/**
 * A rate at the limit that the checks do not tell of. What a limit throttles waits: while it does at least one I/O is in
 * flight all the time. Where the queue says so, the averages of those minutes tell. Taken for granted: a load that takes
 * just what the limit gives and never waits is not throttled.
 */
const rate: VolumeRule = {
  name: 'rate',
  kinds: ['throttled-volume-iops', 'throttled-volume-throughput'],
  first: ({ queue }, thresholds) =>
    queue.fullSeconds >= reportedSeconds(thresholds) ? loadMetrics : 'clear',
  isSuspect: ({ configured }, seen, thresholds) => {
    const load = volumeLoad(seen);
    return !load.known || secondsAtLimit(configured, load.value) >= reportedSeconds(thresholds);
  },
};

/**
 * A balance at the end from which on nothing can empty the bucket in time, and the lowest that it ever may have stood at: see
 * `credits`. With 2 h 90 and 60.
 */
function clearPercents({ willExhaustSeconds }: Thresholds): { last: number; lowest: number } {
  const recents = willExhaustSeconds / fixedThresholds.recentRateSeconds;
  const hours = willExhaustSeconds / secondsPerHour;
  // Half of the way from what could be empty in time to full; five points above what an hour of the rhythm leaves.
  const last = (100 + 100 / (1 + 1 / recents)) / 2;
  return { last, lowest: Math.min(last, 105 - last / Math.max(1, hours)) };
}

/** Does the volume ever spend credits? */
export const hasBucket = ({ limits: of }: Configured): boolean => {
  const bucket = creditBucket(of);
  return bucket !== null && bucket.burstPerSecond > bucket.baselinePerSecond;
};

/**
 * Exhausted: the lowest of five minutes is as low as the lowest of any of them. Will be: to be empty within 2 h (or what is
 * configured) at the rate of the last 30 min, the balance fell in those by a quarter of what is left, so it is at 80 % or
 * less; to be empty by the rhythm of the hours, one hour like the coming ones took half of what is left now, so from 90 %
 * on it once stood at 55 % or less. Taken for granted: the balance follows the load. Without a balance it is replayed from the load: a suspect.
 */
const credits: VolumeRule = {
  name: 'credits',
  kinds: ['credits-exhausted', 'credits-will-exhaust'],
  first: ({ configured, metrics, queue }, thresholds) => {
    if (!hasBucket(configured)) return 'clear';
    const balance = metrics.get('BurstBalance');
    if (balance === undefined) return suspectIf(queue.activePeriods > 0);
    const clear = clearPercents(thresholds);
    const last = balance.values.at(-1) as number;
    return suspectIf(last < clear.last || (minimum(balance.values) as number) < clear.lowest);
  },
};

/** Of a stalled minute at least half is seen in one point, wherever the minute of the check begins. */
const seenOfStall = 0.5;

/** While nothing completes at least one I/O stays in flight: a point with a stalled minute in it has half a minute of that. */
const stalls: VolumeRule = {
  name: 'stalls',
  kinds: ['stalled'],
  first: ({ queue }) => {
    const least = (seenOfStall * secondsPerMinute) / queue.series.periodSeconds;
    return queue.mostInFlight >= least ? ['VolumeStalledIOCheck'] : 'clear';
  },
  isSuspect: (_, seen) => isEverSet(seen.get('VolumeStalledIOCheck')),
};

/** Mean latency of an idle volume at most: AWS says single-digit milliseconds of SSD, the large and the cold take longer. */
const idleSecondsPerIo = { ssd: 0.02, other: 0.1 } as const;

/** One operation a minute keeps that often so much in flight. Taken for granted: the mean latency above. */
const idle: VolumeRule = {
  name: 'idle',
  kinds: ['idle'],
  first: ({ queue, window, configured: { config } }, thresholds) => {
    if (secondsOf(window) < thresholds.idleWindowSeconds) return 'clear';
    const slow = isHdd(config.volumeType) || config.volumeType === 'standard';
    const opsPerSecond = thresholds.idleOpsPerMinute / secondsPerMinute;
    const most = opsPerSecond * (slow ? idleSecondsPerIo.other : idleSecondsPerIo.ssd);
    return queue.meanInFlight < most ? ['VolumeReadOps', 'VolumeWriteOps'] : 'clear';
  },
  isSuspect: ({ window, volume: { deployment, region } }, seen, thresholds) => {
    const load = volumeLoad(seen);
    // What it costs says nothing of whether it is idle.
    const price = { usd: unknown({ code: 'no-ebs-prices' as const, region }), deployment };
    return !load.known || idleFinding(load.value, secondsOf(window), price, thresholds) !== null;
  },
};

/**
 * A need is at least nothing, and at least what the averages of its busiest minutes show: what neither would save, no load
 * does, since more need costs no less. Without prices none is looked for. Told without the load: gp3 as fast as gp2 is at
 * its best; what the load would save besides is not reported then.
 */
const savings: VolumeRule = {
  name: 'savings',
  kinds: ['over-provisioned', 'cheaper-type', 'cheaper-stripe'],
  first: ({ savings: saved }) => (saved.dependsOnLoad(null) ? loadMetrics : 'clear'),
  isSuspect: ({ savings: saved }, seen) => {
    const load = volumeLoad(seen);
    return !load.known || saved.dependsOnLoad(load.value);
  },
};

/** Queue and rate are both averages: by Little they show a latency to within this share of it. */
const latencyIsWithin = 0.5;

/**
 * A latency above the target keeps so much in flight, under the least load that counts; and the queue against the rate shows it,
 * period by period. Without a target none is looked for.
 */
const latency: VolumeRule = {
  name: 'latency',
  kinds: ['latency-above-target'],
  first: ({ queue: { series } }, { maxLatencyMs, latencyMinutes }) => {
    if (maxLatencyMs === 0) return 'clear';
    const least = (latencyIsWithin * maxLatencyMs * leastLatencyIops) / msPerSecond;
    const periods = series.values.filter((inFlight) => inFlight >= least).length;
    return periods * series.periodSeconds >= latencyMinutes * secondsPerMinute ? loadMetrics : 'clear';
  },
  isSuspect: ({ queue: { series } }, seen, { maxLatencyMs, latencyMinutes }) => {
    const load = volumeLoad(new Map([...seen, ['VolumeQueueLength', series]]));
    if (!load.known) return true;
    const { iops, queueLength, periodSeconds } = load.value;
    const least = (latencyIsWithin * maxLatencyMs) / msPerSecond;
    const periods = iops.filter(
      (rate, i) => rate >= leastLatencyIops && !((queueLength?.[i] ?? Number.NaN) < least * rate),
    ).length;
    return periods * periodSeconds >= latencyMinutes * secondsPerMinute;
  },
};

/** Reads of a volume that may be first ones: whether one of its periods has reads that are slow enough. Writes and limits come later. */
const firstReads: VolumeRule = {
  name: 'first reads',
  kinds: ['uninitialized'],
  first: ({ volume, window }) => {
    const end = firstReadsEnd(volume) ?? window.startEpochSeconds;
    return end <= window.startEpochSeconds ? 'clear' : ['VolumeReadOps', 'VolumeTotalReadTime'];
  },
  isSuspect: (_, seen) => {
    const [reads, seconds] = [seen.get('VolumeReadOps'), seen.get('VolumeTotalReadTime')];
    if (reads === undefined || seconds === undefined) return false;
    const took = alignTo(reads, seconds, 'Sum');
    const least = fixedThresholds.firstReadsLeastPerSecond * reads.periodSeconds;
    const leastSeconds = fixedThresholds.firstReadsLeastMs / msPerSecond;
    return reads.values.some((count, i) => count >= least && (took[i] as number) >= leastSeconds * count);
  },
};

export const volumeRules: readonly VolumeRule[] = [
  ...[known, limits, rate, credits, stalls, idle, savings, latency, firstReads],
];

/** Suspicions that come from what a volume stands beside: `TwoPasses` decides them. */
export const neighbourRules = {
  /** An instance whose check was 1, or that publishes none where its volumes could reach its limit, and all its volumes. */
  instance: {
    name: 'instance',
    kinds: ['throttled-instance-iops', 'throttled-instance-throughput', 'instance-credits-exhausted'],
  },
  /** Volumes that are paid for what their instance cannot do: what lowering saves depends on what each needs. */
  unreachable: { name: 'unreachable', kinds: ['unreachable-performance'] },
  /** Volumes that may be one stripe: one of them waits twice as long as its siblings, or is a suspect itself. */
  alike: { name: 'alike', kinds: ['stripe-straggler'] },
} as const satisfies Record<string, Pick<VolumeRule, 'name' | 'kinds'>>;

/** What no metric tells: the inventory does. */
export const foundWithoutMetrics = [
  'unattached',
  'ebs-card-imbalance',
] as const satisfies readonly FindingKind[];

/** Takes weeks of one-minute points and earlier modifications: of two passes only suspects of an archived run have them. */
export const notInTwoPasses = ['schedule-iops'] as const satisfies readonly FindingKind[];

// A volume on its way through the passes: suspected by which rule, or cleared by what.

/** What was read so far: in points of the first pass, and in points of the second. */
export interface Reads {
  coarse: FleetMetrics;
  fine: FleetMetrics;
}

/** Another service would change or delete it: that is simulated on its load. */
export const recommendedElsewhere = 'recommended elsewhere';

/** Its checks are not published: nothing cheap would show that it is throttled. */
export const withoutChecks = 'no published checks';

export interface VolumeState {
  volume: Volume;
  /** Null where it cannot be evaluated whatever is read, or has nothing to read: then nothing is asked. */
  configured: Configured | null;
  /** By which rule; null where none did. */
  suspectedBy: string | null;
  /** What the first pass showed; null before it, and where it showed nothing. */
  firstRead: FirstRead | null;
  /** The first pass showed nothing of it, and its instances are stopped: there is nothing to read. */
  isSilent: boolean;
  /** CloudWatch did not give what was asked: it must not be evaluated on the rest. */
  isUnread: boolean;
  /** Its load would show whether it carries one with another volume. */
  asksLoad: boolean;
  /** Rules that take more metrics to tell. */
  open: { rule: VolumeRule; metrics: readonly MetricName[] }[];
}

export function volumeState(volume: Volume, published: PublishedChecks): VolumeState {
  const configured = configurationOf(volume);
  const isRead = configured.known && metricsOfVolume(volume).length > 0;
  const checks = published === null ? expectedChecks(volume) : (published[volume.volumeId] ?? []);
  const hasChecks = exceededChecks.every((check) => checks.some(({ metric }) => metric === check));
  return {
    volume,
    configured: isRead ? configured.value : null,
    suspectedBy: isRead && !hasChecks ? withoutChecks : null,
    firstRead: null,
    isSilent: false,
    isUnread: false,
    asksLoad: false,
    open: [],
  };
}

/** The first suspicion names it. */
export function suspect(state: VolumeState, by: string): void {
  if (state.configured !== null && !state.isUnread) state.suspectedBy ??= by;
}

export const isCleared = ({ firstRead, isUnread, suspectedBy }: VolumeState): boolean =>
  firstRead !== null && !isUnread && suspectedBy === null;

const isStopped = ({ attachments }: Volume, instances: ReadonlyMap<string, Instance>): boolean =>
  attachments.every(({ instanceId }) => instances.get(instanceId)?.state === 'stopped');

/** What the first pass shows of a volume, and what each rule makes of it. */
export function readFirst(state: VolumeState, reads: Reads, plan: PassPlan, around: SavingsContext): void {
  const { volume, configured } = state;
  const { volumeId } = volume;
  if (configured === null) return;
  state.isUnread =
    reads.coarse.unusableReason(volumeId) !== null || reads.fine.unusableReason(volumeId) !== null;
  if (state.isUnread) return;
  const metrics = new Map([...reads.coarse.of(volumeId), ...reads.fine.of(volumeId)]);
  const queue = metrics.get('VolumeQueueLength');
  state.isSilent = metrics.size === 0 && isStopped(volume, around.instances);
  if (state.isSilent) state.suspectedBy = null;
  else if (queue === undefined || queue.periodSeconds !== plan.periodSeconds)
    suspect(state, 'no queue length');
  if (queue === undefined || state.suspectedBy !== null) return;
  const prices = around.regionCatalogs(volume.region).prices.ebs;
  const firstRead: FirstRead = {
    volume,
    configured,
    window: plan,
    coarsePeriodSeconds: plan.coarsePeriodSeconds,
    queue: queueRead(queue),
    metrics,
    savings: savingRead(savingsBeside({ volume, prices, ...configured }, around), plan, plan.periodSeconds),
  };
  state.firstRead = firstRead;
  for (const rule of volumeRules) {
    const opinion = rule.first(firstRead, around.thresholds);
    if (opinion === 'suspect') suspect(state, rule.name);
    else if (opinion !== 'clear') state.open.push({ rule, metrics: opinion });
  }
}

/** What it takes to clear a volume, or to know what it belongs to. */
export const metricsToClear = ({ suspectedBy, open, asksLoad, isUnread }: VolumeState): MetricName[] => [
  ...(suspectedBy === null && !isUnread ? open.flatMap(({ metrics }) => metrics) : []),
  ...(asksLoad && !isUnread ? loadMetrics : []),
];

/** What the rules make of it that asked for more. */
export function readSecond(state: VolumeState, fine: FleetMetrics, thresholds: Thresholds): void {
  const { firstRead, volume } = state;
  if (firstRead === null || state.suspectedBy !== null) return;
  state.isUnread = fine.unusableReason(volume.volumeId) !== null;
  for (const { rule } of state.open) {
    if (rule.isSuspect?.(firstRead, fine.of(volume.volumeId), thresholds)) suspect(state, rule.name);
  }
}

/** What is known of a volume that the first pass cleared. */
export function clearedVolume({ configured, queue, metrics }: FirstRead): ClearedVolume {
  const balance = hasBucket(configured) ? metrics.get('BurstBalance') : undefined;
  return {
    knownSeconds: queue.knownSeconds,
    activePeriods: queue.activePeriods,
    lowestBalancePercent: balance === undefined ? null : minimum(balance.values),
  };
}
