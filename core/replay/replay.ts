/**
 * The replay: a load against any configuration of volumes and instance, credits included. It explains today's
 * configuration and evaluates every candidate.
 */
import { quickselect } from 'simple-statistics';
import { type Cause, causes } from '../diagnosis/causes.ts';
import { secondsPerMinute } from '../units.ts';
import type { CreditedRate, ReplayConfiguration } from './configuration.ts';
import { gapSeconds, type ReplaySeries } from './series.ts';
import { walk } from './walk.ts';
import type { ReplayColumns, Walked } from './walked.ts';

/** In percent of a full bucket; null where there is none. */
interface LowestCredits {
  volume: number | null;
  instanceIo: number | null;
  instanceBytes: number | null;
}

export interface ReplayResult {
  /** From the first period to the end of the last, the unknown ones too. */
  minutes: number;
  unknownMinutes: number;
  /** Minutes of the periods in which load was throttled in any second. */
  throttledMinutes: number;
  /** Share of all I/O that was not served in its own period; 0 where nothing was asked. */
  unservedShare: number;
  /** Backlog at the end of a period / capacity in force; nearest rank over the periods with load, new or waiting. */
  backlogSecondsP95: number;
  backlogSecondsMax: number;
  /** I/O of the application that still wait when the series ends. */
  backlogIoAtEnd: number;
  /** Of all buckets that there are; null where there is none. */
  lowestCreditPercent: number | null;
  lowestCredits: LowestCredits;
  /** Throttled minutes by what would have to be raised first; what never throttled anything is absent. */
  byCause: Partial<Record<Cause, number>>;
  /**
   * Minutes that hold on average, and not in the seconds that were not idle; one of a longer period. Null where idle
   * time is not known. Evidence, not proof: idle time shorter than a second makes a light load look busier than it is.
   */
  burstMinutes: number | null;
}

/** Nearest rank: the value that so large a share of all is not above; `zeros` values of 0 stand before the others. */
function nearestRank(values: Float64Array, zeros: number, share: number): number {
  const rank = Math.ceil(share * (zeros + values.length) * (1 - Number.EPSILON));
  if (rank <= zeros) return 0;
  const at = rank - zeros - 1;
  // It only swaps in place, as well in a typed array as in the other kind that its types know.
  quickselect(values as unknown as number[], at);
  return values[at] as number;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}

const percentOf = (credits: number, rate: CreditedRate | undefined): number | null =>
  rate === undefined || rate.creditCapacity === 0 ? null : (100 * credits) / rate.creditCapacity;

function lowestCreditsOf(
  { lowest }: Walked,
  { volumeIops, volumeMiBps, instance }: ReplayConfiguration,
): LowestCredits {
  return {
    volume: percentOf(lowest.volumeIo, volumeIops) ?? percentOf(lowest.volumeMiB, volumeMiBps),
    instanceIo: percentOf(lowest.instanceIo, instance?.iops),
    instanceBytes: percentOf(lowest.instanceMiB, instance?.mibps),
  };
}

function byCauseOf({ periodsByCause }: Walked, minutesPerPeriod: number): ReplayResult['byCause'] {
  const minutes: ReplayResult['byCause'] = {};
  for (const [code, cause] of causes.entries()) {
    const periods = periodsByCause[code] as number;
    if (periods > 0) minutes[cause] = periods * minutesPerPeriod;
  }
  return minutes;
}

/**
 * Replays a series, period by period: served = min(demand + backlog, capacity), of I/O and bytes together, so that the
 * mix is kept. A bucket that runs dry within a period gives baseline x P + credits, at most burst x P. The instance
 * shares what it has between these volumes and what is beside them by what each wants; what that leaves of the load
 * beside is not carried on.
 * - A period is throttled where load waits at its end, or waited at its start for longer than its first second.
 * - Its cause is the limit that is exceeded most, of its credits where it would let more through with them.
 * - Unknown periods change nothing: what waits and what is saved stand still.
 * - The I/O size of a period is its mean.
 */
export function replay(series: ReplaySeries, configuration: ReplayConfiguration): ReplayResult {
  const walked = walk(series, configuration, {
    mostThrottledPeriods: Number.POSITIVE_INFINITY,
    columns: null,
  });
  const { periodSeconds, iops } = series;
  const { knownPeriods, throttledPeriods, loadedPeriods, delays } = walked;
  const minutesPerPeriod = periodSeconds / secondsPerMinute;
  const seconds = iops.length * periodSeconds + gapSeconds(series);
  const lowestCredits = lowestCreditsOf(walked, configuration);
  const percents = Object.values(lowestCredits).filter((percent) => percent !== null);
  const longest = largest(delays);
  return {
    minutes: seconds / secondsPerMinute,
    unknownMinutes: (seconds - knownPeriods * periodSeconds) / secondsPerMinute,
    throttledMinutes: throttledPeriods * minutesPerPeriod,
    unservedShare: walked.lateIo === 0 ? 0 : walked.lateIo / walked.demandedIo,
    backlogSecondsP95: nearestRank(delays, loadedPeriods - delays.length, 0.95) * periodSeconds,
    backlogSecondsMax: longest * periodSeconds,
    backlogIoAtEnd: walked.waitingIo,
    lowestCreditPercent: percents.length === 0 ? null : Math.min(...percents),
    lowestCredits,
    byCause: byCauseOf(walked, minutesPerPeriod),
    burstMinutes: series.activeTimeIops ? walked.burstPeriods * Math.min(1, minutesPerPeriod) : null,
  };
}

/**
 * Throttled minutes alone.
 * @param enough to know that there are more than so many: the replay ends there, and what it counted is above it.
 */
export function throttledMinutesOf(
  series: ReplaySeries,
  configuration: ReplayConfiguration,
  enough = Number.POSITIVE_INFINITY,
): number {
  const minutesPerPeriod = series.periodSeconds / secondsPerMinute;
  const mostThrottledPeriods = Math.floor(enough / minutesPerPeriod);
  const { throttledPeriods } = walk(series, configuration, { mostThrottledPeriods, columns: null });
  return throttledPeriods * minutesPerPeriod;
}

/** What was served, what waited and why, period by period: for charts. */
export function replayColumns(series: ReplaySeries, configuration: ReplayConfiguration): ReplayColumns {
  const columns = {
    served: series.iops.slice(),
    backlog: new Float64Array(series.iops.length),
    cause: new Uint8Array(series.iops.length),
  };
  walk(series, configuration, { mostThrottledPeriods: Number.POSITIVE_INFINITY, columns });
  return columns;
}
