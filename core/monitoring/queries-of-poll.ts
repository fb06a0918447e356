/** What a poll asks for: the parts that are due, and as few metrics as they need. */
import {
  finestEbsPeriodSeconds,
  type MetricName,
  type MetricQuery,
  queriesOfVolume,
} from '../load/metrics.ts';
import { dueOfParts, isChecked, nearnessOf } from './next-poll.ts';
import { pace } from './pace.ts';
import { type Part, parts, type Watch } from './watch.ts';
import type { Watched } from './watched.ts';

export interface Poll {
  volumeId: string;
  region: string;
  parts: Part[];
  queries: MetricQuery[];
  /** Of every query: monitoring asks for minutes from here to now. */
  fromEpochSeconds: number;
}

const rateMetrics: readonly MetricName[] = [
  'VolumeReadOps',
  'VolumeWriteOps',
  'VolumeReadBytes',
  'VolumeWriteBytes',
];

/** Near one limit and far from the other only the check of the one is asked for. */
function checksOf(watch: Watch, isWhole: boolean, nowEpochSeconds: number): MetricName[] {
  const { iops, throughput } = nearnessOf(watch, nowEpochSeconds);
  const isNearOne = Math.max(iops, throughput) >= pace.nearShare;
  const both: MetricName[] = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'];
  if (isWhole || !isNearOne) return both;
  if (throughput < pace.otherLimitShare) return both.slice(0, 1);
  return iops < pace.otherLimitShare ? both.slice(1) : both;
}

/** The parts that are due, and those that are nothing without another. */
function partsOf(watch: Watch, watched: Watched, nowEpochSeconds: number, tickSeconds: number): Set<Part> {
  const due = dueOfParts(watch, watched, nowEpochSeconds, tickSeconds);
  const asked = new Set(parts.filter((part) => due[part] <= nowEpochSeconds));
  // What is in flight is learned from the rates; without checks it tells whether a rate was throttled.
  if (asked.has('rates')) asked.add('queue');
  // A check of 1 on an empty bucket is for want of credits.
  const isThrottlingLookedFor = asked.has('checks') || (asked.has('rates') && !isChecked(watch, watched));
  if (watched.bucket !== null && isThrottlingLookedFor) asked.add('balance');
  // What AWS did not publish yesterday it may publish today.
  const isTriedAgain = nowEpochSeconds - (watch.askedEpochSeconds.checks ?? 0) >= pace.tryChecksSeconds;
  if (asked.has('rates') && watched.checks.length > 0 && isTriedAgain) asked.add('checks');
  return asked;
}

function windowStart(
  watch: Watch,
  asked: ReadonlySet<Part>,
  watched: Watched,
  nowEpochSeconds: number,
): number {
  const last = [...asked].map((part) => watch.askedEpochSeconds[part]);
  if (last.includes(null)) return nowEpochSeconds - pace.firstWindowSeconds;
  const since = Math.min(...last.map((one) => (one as number) - pace.overlapSeconds));
  const learned = asked.has('rates') ? (watch.learnedUntilEpochSeconds ?? since) : since;
  const isByRate = asked.has('rates') && !isChecked(watch, watched);
  const least = isByRate ? pace.uncheckedWindowSeconds : pace.minWindowSeconds;
  const from = Math.min(since, learned, nowEpochSeconds - least);
  return Math.max(from, nowEpochSeconds - pace.firstWindowSeconds);
}

/** The poll that is due at a volume; null where nothing is. */
export function queriesOfPoll(
  watch: Watch,
  watched: Watched,
  nowEpochSeconds: number,
  tickSeconds: number,
): Poll | null {
  const asked = partsOf(watch, watched, nowEpochSeconds, tickSeconds);
  if (asked.size === 0) return null;
  const isWhole = asked.has('rates');
  const metrics = new Set<MetricName>([
    ...(asked.has('balance') ? (['BurstBalance'] as const) : []),
    ...(asked.has('queue') ? (['VolumeQueueLength'] as const) : []),
    ...(isWhole ? rateMetrics : []),
    ...(asked.has('checks') ? checksOf(watch, isWhole, nowEpochSeconds) : []),
  ]);
  const { volume, checks } = watched;
  const from = windowStart(watch, asked, watched, nowEpochSeconds);
  return {
    ...{ volumeId: volume.volumeId, region: volume.region, parts: parts.filter((part) => asked.has(part)) },
    queries: queriesOfVolume(volume, finestEbsPeriodSeconds, checks).filter(({ metric }) =>
      metrics.has(metric),
    ),
    // CloudWatch rounds to whole minutes.
    fromEpochSeconds: Math.floor(from / finestEbsPeriodSeconds) * finestEbsPeriodSeconds,
  };
}
