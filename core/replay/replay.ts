/** The replay: a load against volumes and an instance, credits included. It explains what stands and evaluates candidates. */
import { quickselect } from 'simple-statistics';
import { type Cause, causeCode, causes } from '../diagnosis/causes.ts';
import { slack } from '../plan/layout.ts';
import { secondsPerMinute } from '../units.ts';
import {
  type CreditedRate,
  counted,
  exceededMost,
  instanceCause,
  most,
  noLimit,
  ofPeriod,
  orCredits,
  type ReplayConfiguration,
  settled,
  volumeCause,
} from './configuration.ts';

// A load over time, as a replay asks for it.

/** Rates a second, one entry a period; NaN where the period is unknown. Periods without an entry are unknown too. */
export interface ReplaySeries {
  periodSeconds: number;
  /** Ascending; each stands for one period from it on. */
  epochSeconds: Float64Array;
  iops: Float64Array;
  mibps: Float64Array;
  /** Share of the I/O that writes, 0 to 1. */
  writeShare: number | Float64Array;
  /** Share of the bytes that are written; the same where it is absent. */
  writeByteShare?: number | Float64Array;
  /** I/O a second of the seconds that were not idle; absent or null where idle time is not known. */
  activeTimeIops?: Float64Array | null;
  /** What the other volumes of the instance carry in the same periods, as EBS counts it. */
  beside?: { iops: Float64Array; mibps: Float64Array } | null;
}

/** Seconds between the entries that no entry stands for. */
export function gapSeconds({ periodSeconds, epochSeconds }: ReplaySeries): number {
  let seconds = 0;
  for (let i = 1; i < epochSeconds.length; i++) {
    const step = (epochSeconds[i] as number) - (epochSeconds[i - 1] as number);
    if (step > periodSeconds) seconds += step - periodSeconds;
  }
  return seconds;
}

// What the loop of the replay finds.

/** One entry a period. */
export interface ReplayColumns {
  /** I/O a second of the application; NaN where the period is unknown. */
  served: Float64Array;
  /** I/O of the application that wait at the end of the period. */
  backlog: Float64Array;
  /** `causeCode`; `none` where nothing was throttled. */
  cause: Uint8Array;
}

/** Credits at the end of each period; 0 where the configuration has no such bucket. */
export interface CreditColumns {
  volumeIo: Float64Array;
  volumeMiB: Float64Array;
  instanceIo: Float64Array;
  instanceMiB: Float64Array;
}

interface Walked {
  knownPeriods: number;
  /** By `causeCode`: periods that throttled load. */
  periodsByCause: Float64Array;
  throttledPeriods: number;
  /** Periods that fit on average, and not in their busy seconds. */
  burstPeriods: number;
  /** Periods with load, new or waiting. */
  loadedPeriods: number;
  demandedIo: number;
  /** I/O that were not served in their own period, first in, first out. */
  lateIo: number;
  /** I/O that wait at the end. */
  waitingIo: number;
  /** Of periods that end with a backlog: the backlog in periods of the capacity in force. */
  delays: Float64Array;
  /** Of the credits, at the ends of periods: by the volume's I/O and MiB, by the instance's. */
  lowest: { volumeIo: number; volumeMiB: number; instanceIo: number; instanceMiB: number };
}

interface WalkOptions {
  /** Ends early, after one throttled period more. */
  mostThrottledPeriods: number;
  /** Filled in where they are demanded: `served` is what is asked, until something waits. */
  columns: ReplayColumns | null;
  /** Filled in where they are demanded: full, until something is spent. */
  credits?: CreditColumns;
  /** Filled in where they are demanded: 1 where a period fits on average, and not in its busy seconds. */
  bursts?: Uint8Array;
}

// The loop of the replay: what is demanded, what the limits let through, what waits, period by period. It runs for every
// candidate over every period of a volume, so its state is local variables and typed arrays, in one function.

/** What the series and the configuration are to the loop. */
function inputsOf(series: ReplaySeries, { counting, instance }: ReplayConfiguration) {
  const { writeShare, writeByteShare = writeShare } = series;
  const moreByWrite = counting.writePenalty - 1;
  const columnOf = (share: number | Float64Array): Float64Array | null =>
    typeof share === 'number' || moreByWrite === 0 ? null : share;
  const constantOf = (share: number | Float64Array): number =>
    typeof share === 'number' ? 1 + share * moreByWrite : 1;
  return {
    chunkMiB: counting.chunkMiB,
    unitsPerMiB: 1 / counting.unitMiB,
    moreByWrite,
    writeShares: columnOf(writeShare),
    writeByteShares: columnOf(writeByteShare),
    sameFactor: constantOf(writeShare),
    sameByteFactor: constantOf(writeByteShare),
    activeTimeIops: series.activeTimeIops ?? null,
    beside: instance === null ? null : (series.beside ?? null),
  };
}

function enter(columns: ReplayColumns, i: number, served: number, backlog: number, cause: number): void {
  columns.served[i] = served;
  columns.backlog[i] = backlog;
  columns.cause[i] = cause;
}

function enterCredits(
  columns: CreditColumns,
  i: number,
  volumeIo: number,
  volumeMiB: number,
  instanceIo: number,
  instanceMiB: number,
): void {
  columns.volumeIo[i] = volumeIo;
  columns.volumeMiB[i] = volumeMiB;
  columns.instanceIo[i] = instanceIo;
  columns.instanceMiB[i] = instanceMiB;
}

/** Quantities are of a period; units are I/O as EBS counts them, redundancy included. */
function walk(
  series: ReplaySeries,
  configuration: ReplayConfiguration,
  { mostThrottledPeriods, columns, credits, bursts }: WalkOptions,
): Walked {
  const { periodSeconds: seconds, iops, mibps } = series;
  const inputs = inputsOf(series, configuration);
  const { chunkMiB, unitsPerMiB, moreByWrite, activeTimeIops, beside } = inputs;
  const { writeShares, sameFactor, writeByteShares, sameByteFactor } = inputs;
  const { volumeIops, volumeMiBps, instance } = configuration;
  // Of the volume and of the instance, by I/O and by MiB.
  const volumeIo = ofPeriod(volumeIops, seconds);
  const volumeMiB = ofPeriod(volumeMiBps, seconds);
  const instanceIo = ofPeriod(instance?.iops ?? noLimit, seconds);
  const instanceMiB = ofPeriod(instance?.mibps ?? noLimit, seconds);
  const quietUnits = Math.min(volumeIo.base, instanceIo.base);
  const quietMiB = Math.min(volumeMiB.base, instanceMiB.base);
  let volumeIoCredits = volumeIo.start;
  let volumeMiBCredits = volumeMiB.start;
  let instanceIoCredits = instanceIo.start;
  let instanceMiBCredits = instanceMiB.start;
  let volumeIoLowest = volumeIo.start;
  let volumeMiBLowest = volumeMiB.start;
  let instanceIoLowest = instanceIo.start;
  let instanceMiBLowest = instanceMiB.start;
  let isAtRest = false;
  let waitingIo = 0;
  let waitingUnits = 0;
  let waitingMiB = 0;
  let knownPeriods = 0;
  let loadedPeriods = 0;
  let throttledPeriods = 0;
  let burstPeriods = 0;
  let demandedIo = 0;
  let lateIo = 0;
  const periodsByCause = new Float64Array(causes.length);
  // Most walks delay nothing.
  let delays = new Float64Array(0);
  let delayed = 0;
  for (let i = 0; i < iops.length && throttledPeriods <= mostThrottledPeriods; i++) {
    const io = (iops[i] as number) * seconds;
    const mibOnce = (mibps[i] as number) * seconds;
    const factor = writeShares === null ? sameFactor : 1 + (writeShares[i] as number) * moreByWrite;
    const byteFactor =
      writeByteShares === null ? sameByteFactor : 1 + (writeByteShares[i] as number) * moreByWrite;
    const units = counted(io, mibOnce, chunkMiB, unitsPerMiB) * factor;
    const mib = mibOnce * byteFactor;
    const besideUnits = beside === null ? 0 : (beside.iops[i] as number) * seconds;
    const besideMiB = beside === null ? 0 : (beside.mibps[i] as number) * seconds;
    if (!(units + mib + besideUnits + besideMiB >= 0)) {
      // Unknown: what waits and what is saved stand still.
      if (columns !== null) enter(columns, i, Number.NaN, waitingIo, causeCode.unknown);
      if (credits !== undefined)
        enterCredits(credits, i, volumeIoCredits, volumeMiBCredits, instanceIoCredits, instanceMiBCredits);
      continue;
    }
    knownPeriods++;
    demandedIo += io;
    if (units + mib + waitingUnits + waitingMiB > 0) loadedPeriods++;
    const activeTimeIo = activeTimeIops === null ? Number.NaN : (activeTimeIops[i] as number) * seconds;
    const peak = io > 0 && activeTimeIo > io ? activeTimeIo / io : 1;
    // Nothing waits, every bucket is full, and it is below all baselines: it changes nothing.
    if (isAtRest && units * peak + besideUnits <= quietUnits && mib * peak + besideMiB <= quietMiB) continue;

    const demandUnits = waitingUnits + units;
    const demandMiB = waitingMiB + mib;
    const volumeIoMost = most(volumeIo, volumeIoCredits);
    const volumeMiBMost = most(volumeMiB, volumeMiBCredits);
    const instanceIoMost = most(instanceIo, instanceIoCredits);
    const instanceMiBMost = most(instanceMiB, instanceMiBCredits);
    let cause: number = causeCode.none;
    let byVolume = 1;
    if (demandUnits > volumeIoMost * slack || demandMiB > volumeMiBMost * slack) {
      const byIo = volumeIoMost / demandUnits;
      const byMiB = volumeMiBMost / demandMiB;
      byVolume = Math.min(byIo, byMiB);
      cause = volumeCause(byIo <= byMiB);
    }
    const offeredUnits = demandUnits * byVolume + besideUnits;
    const offeredMiB = demandMiB * byVolume + besideMiB;
    let share = byVolume;
    let byInstance = 1;
    if (offeredUnits > instanceIoMost * slack || offeredMiB > instanceMiBMost * slack) {
      const byIo = instanceIoMost / offeredUnits;
      const byMiB = instanceMiBMost / offeredMiB;
      byInstance = Math.min(byIo, byMiB);
      // Where nothing is demanded here, it throttles what is beside alone.
      if (demandUnits + demandMiB > 0) {
        share *= byInstance;
        cause = instanceCause(byIo <= byMiB);
      }
    }
    if (share === 1 && (peak > 1 || waitingUnits + waitingMiB > 0)) {
      // All is served: in its first second already, in its busy seconds too? As if those lasted the period.
      const isWaiting = waitingUnits + waitingMiB > 0;
      const ownUnits = isWaiting ? waitingUnits * seconds + units : units * peak;
      const ownMiB = isWaiting ? waitingMiB * seconds + mib : mib * peak;
      const [ofUnits, ofMiB] = [ownUnits + besideUnits, ownMiB + besideMiB];
      const isOwnAbove = ownUnits > volumeIoMost || ownMiB > volumeMiBMost;
      const isAnyAbove = isOwnAbove || ofUnits > instanceIoMost || ofMiB > instanceMiBMost;
      if (isAnyAbove) {
        const [byIo, byMiB] = [ownUnits / volumeIoMost, ownMiB / volumeMiBMost];
        const exceeded = exceededMost(byIo, byMiB, ofUnits / instanceIoMost, ofMiB / instanceMiBMost);
        if (isWaiting) cause = exceeded;
        else if (exceeded !== causeCode.none) {
          burstPeriods++;
          if (bursts !== undefined) bursts[i] = 1;
        }
      }
    }
    if (cause !== causeCode.none) {
      cause = orCredits(
        cause,
        volumeIoMost * slack < volumeIo.burst,
        volumeMiBMost * slack < volumeMiB.burst,
        instanceIoMost * slack < instanceIo.burst,
        instanceMiBMost * slack < instanceMiB.burst,
      );
      throttledPeriods++;
      periodsByCause[cause] = (periodsByCause[cause] as number) + 1;
    }

    if (volumeIo.capacity > 0) {
      volumeIoCredits = settled(volumeIoCredits, volumeIo, demandUnits * share);
      if (volumeIoCredits < volumeIoLowest) volumeIoLowest = volumeIoCredits;
    }
    if (volumeMiB.capacity > 0) {
      volumeMiBCredits = settled(volumeMiBCredits, volumeMiB, demandMiB * share);
      if (volumeMiBCredits < volumeMiBLowest) volumeMiBLowest = volumeMiBCredits;
    }
    if (instanceIo.capacity > 0) {
      instanceIoCredits = settled(instanceIoCredits, instanceIo, offeredUnits * byInstance);
      if (instanceIoCredits < instanceIoLowest) instanceIoLowest = instanceIoCredits;
    }
    if (instanceMiB.capacity > 0) {
      instanceMiBCredits = settled(instanceMiBCredits, instanceMiB, offeredMiB * byInstance);
      if (instanceMiBCredits < instanceMiBLowest) instanceMiBLowest = instanceMiBCredits;
    }
    const servedIo = (waitingIo + io) * share;
    if (share < 1) {
      waitingIo = (waitingIo + io) * (1 - share);
      waitingUnits = demandUnits * (1 - share);
      waitingMiB = demandMiB * (1 - share);
      lateIo += Math.min(waitingIo, io);
      if (delayed === 0) delays = new Float64Array(iops.length);
      delays[delayed++] = (1 - share) / share;
      isAtRest = false;
    } else {
      waitingIo = 0;
      waitingUnits = 0;
      waitingMiB = 0;
      isAtRest =
        volumeIoCredits === volumeIo.capacity &&
        volumeMiBCredits === volumeMiB.capacity &&
        instanceIoCredits === instanceIo.capacity &&
        instanceMiBCredits === instanceMiB.capacity;
    }
    if (columns !== null) enter(columns, i, servedIo / seconds, waitingIo, cause);
    if (credits !== undefined)
      enterCredits(credits, i, volumeIoCredits, volumeMiBCredits, instanceIoCredits, instanceMiBCredits);
  }
  return {
    knownPeriods,
    periodsByCause,
    throttledPeriods,
    burstPeriods,
    loadedPeriods,
    demandedIo,
    lateIo,
    waitingIo,
    delays: delays.subarray(0, delayed),
    lowest: {
      volumeIo: volumeIoLowest,
      volumeMiB: volumeMiBLowest,
      instanceIo: instanceIoLowest,
      instanceMiB: instanceMiBLowest,
    },
  };
}

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

const allPeriods = { mostThrottledPeriods: Number.POSITIVE_INFINITY, columns: null } as const;

/** Null where the busy seconds are not known. */
const burstMinutesOf = (
  { activeTimeIops, periodSeconds }: ReplaySeries,
  { burstPeriods }: Walked,
): number | null => (activeTimeIops ? burstPeriods * Math.min(1, periodSeconds / secondsPerMinute) : null);

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
  const walked = walk(series, configuration, allPeriods);
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
    burstMinutes: burstMinutesOf(series, walked),
  };
}

/** Minutes throttled on average or in the busy seconds of a period, and nothing of what waited for how long. */
export function throttledAndBurstMinutes(series: ReplaySeries, configuration: ReplayConfiguration): number {
  const walked = walk(series, configuration, allPeriods);
  const minutesPerPeriod = series.periodSeconds / secondsPerMinute;
  return walked.throttledPeriods * minutesPerPeriod + (burstMinutesOf(series, walked) ?? 0);
}

/** The same, period by period: in the order of `epochSeconds`. */
export function minutesByPeriod(series: ReplaySeries, configuration: ReplayConfiguration): Float64Array {
  const [columns, bursts] = [emptyColumns(series), new Uint8Array(series.iops.length)];
  walk(series, configuration, { ...allPeriods, columns, bursts });
  const minutesPerPeriod = series.periodSeconds / secondsPerMinute;
  const burstMinutes = series.activeTimeIops ? Math.min(1, minutesPerPeriod) : 0;
  return Float64Array.from(columns.cause, (cause, i) => {
    if (cause !== causeCode.none && cause !== causeCode.unknown) return minutesPerPeriod;
    return bursts[i] === 1 ? burstMinutes : 0;
  });
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

const emptyColumns = ({ iops }: ReplaySeries): ReplayColumns => ({
  served: iops.slice(),
  backlog: new Float64Array(iops.length),
  cause: new Uint8Array(iops.length),
});

/** What was served, what waited and why, period by period: for charts. */
export function replayColumns(series: ReplaySeries, configuration: ReplayConfiguration): ReplayColumns {
  const columns = emptyColumns(series);
  walk(series, configuration, { ...allPeriods, columns });
  return columns;
}

/** The same, with what was left of the credits. */
export function replayCredits(
  series: ReplaySeries,
  configuration: ReplayConfiguration,
): ReplayColumns & { credits: CreditColumns } {
  const { volumeIops, volumeMiBps, instance } = configuration;
  const full = (rate: CreditedRate | undefined): Float64Array =>
    new Float64Array(series.iops.length).fill(rate?.creditCapacity ?? 0);
  const columns = emptyColumns(series);
  const credits = {
    ...{ volumeIo: full(volumeIops), volumeMiB: full(volumeMiBps) },
    ...{ instanceIo: full(instance?.iops), instanceMiB: full(instance?.mibps) },
  };
  walk(series, configuration, { ...allPeriods, columns, credits });
  return { ...columns, credits };
}
