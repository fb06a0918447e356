/** A load over time, as a replay asks for it. */
import { BadInput } from '../errors.ts';
import { figure } from '../figures.ts';
import { activeSeconds } from '../load/volume-load.ts';
import { bytesPerMiB, isoFromEpochSeconds } from '../units.ts';

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

/** Sums of each period, as they are recorded. */
export interface RecordedSums {
  periodSeconds: number;
  epochSeconds: Float64Array;
  readOps: Float64Array;
  writeOps: Float64Array;
  readBytes: Float64Array;
  writeBytes: Float64Array;
  /** Seconds without I/O; null where nothing tells. */
  idleSeconds: Float64Array | null;
}

/** Part / whole; 0 where there is nothing to have a share of. */
const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** No volume is asked for so much; beyond it sums overflow. */
const mostPerSecond = 1e12;

function requirePlausible({ epochSeconds, iops, mibps }: ReplaySeries): void {
  const at = iops.findIndex((rate, i) => !(rate <= mostPerSecond && (mibps[i] as number) <= mostPerSecond));
  if (at < 0) return;
  throw new BadInput(
    `the row of ${isoFromEpochSeconds(epochSeconds[at] as number)} makes ${iops[at]?.toPrecision(3)} IOPS and ${mibps[at]?.toPrecision(3)} MiB/s, more than any volume is asked for; give sums that make ${figure(mostPerSecond)} a second at most`,
  );
}

export interface RecordedRates extends ReplaySeries {
  writeShare: Float64Array;
}

/**
 * Busy seconds are ceil(P - idle), at least one: AWS's estimate of micro-bursts.
 * @throws BadInput where a rate is beyond all reason.
 */
export function seriesOf(sums: RecordedSums): RecordedRates {
  const { periodSeconds, epochSeconds, readOps, writeOps, readBytes, writeBytes, idleSeconds } = sums;
  const { length } = epochSeconds;
  const iops = new Float64Array(length);
  const mibps = new Float64Array(length);
  const writeShare = new Float64Array(length);
  const writeByteShare = new Float64Array(length);
  const activeTimeIops = idleSeconds && new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const io = (readOps[i] as number) + (writeOps[i] as number);
    const bytes = (readBytes[i] as number) + (writeBytes[i] as number);
    iops[i] = io / periodSeconds;
    mibps[i] = bytes / bytesPerMiB / periodSeconds;
    writeShare[i] = shareOf(writeOps[i] as number, io);
    writeByteShare[i] = shareOf(writeBytes[i] as number, bytes);
    if (activeTimeIops !== null && idleSeconds !== null)
      activeTimeIops[i] = io / activeSeconds(periodSeconds, idleSeconds[i] as number);
  }
  const series = { periodSeconds, epochSeconds, iops, mibps, writeShare, writeByteShare, activeTimeIops };
  requirePlausible(series);
  return series;
}
