/**
 * What makes a volume a suspect: for each rule of the audit, the metrics that it is looked for with in the first pass and
 * when that is a suspicion. The second pass reads everything of suspects, so a rule here must hold wherever its findings
 * could be. Why it does stands beside it, and what it takes for granted.
 */

import { creditBucket } from '../../credits/volume-credits.ts';
import { type AuditWindow, isEnoughKnown, secondsOf } from '../../diagnosis/audit-window.ts';
import { fixedThresholds, type Thresholds } from '../../diagnosis/thresholds.ts';
import { idleFinding } from '../../diagnosis/unused.ts';
import type { Volume } from '../../inventory.ts';
import { unknown } from '../../known.ts';
import type { Configured } from '../../limits/volume-configuration.ts';
import { isHdd } from '../../limits/volume-types.ts';
import type { MetricSet } from '../../load/fleet-metrics.ts';
import type { MetricName } from '../../load/metrics.ts';
import { minimum } from '../../load/series.ts';
import { countedSsdIops, type VolumeLoad, volumeLoad } from '../../load/volume-load.ts';
import type { FindingKind } from '../../schemas/finding.ts';
import { secondsPerHour, secondsPerMinute } from '../../units.ts';
import { isCovered, isEverSet, type QueueRead } from './queue.ts';
import type { SavingRead } from './saving-read.ts';

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

export const loadMetrics = [
  'VolumeReadOps',
  'VolumeWriteOps',
  'VolumeReadBytes',
  'VolumeWriteBytes',
] as const;

/** Fewer minutes of the last five or of a day are not reported. */
const reportedSeconds = ({
  throttledCriticalMinutesOfLastFive: ofLastFive,
  throttledWarningMinutes: ofDay,
}: Thresholds): number => Math.min(ofLastFive, ofDay) * secondsPerMinute;

/** Seconds of the periods whose average is at a limit, or whose bytes are not known. */
function secondsAtLimit({ config, limits: of }: Configured, load: VolumeLoad): number {
  const { iops, mibps, periodSeconds } = load;
  let periods = 0;
  for (let i = 0; i < iops.length; i++) {
    const [io, mib] = [iops[i] as number, mibps[i] as number];
    const counted = isHdd(config.volumeType) ? io : countedSsdIops(io, mib);
    const share = Math.max(counted / of.burstIops, mib / of.burstMiBps);
    if (!(share < fixedThresholds.atLimitShare)) periods++;
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

export const volumeRules: readonly VolumeRule[] = [known, limits, rate, credits, stalls, idle, savings];

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
  'uninitialized',
] as const satisfies readonly FindingKind[];
