/** What was recorded, as sums of periods, made rates that a replay takes. */
import { BadInput } from '../errors.ts';
import { figure } from '../figures.ts';
import { activeSeconds } from '../load/volume-load.ts';
import { bytesPerMiB, isoFromEpochSeconds } from '../units.ts';
import type { ReplaySeries } from './replay.ts';

/** Sums of each period, as they are recorded. */
export interface RecordedSums {
  periodSeconds: number;
  epochSeconds: Float64Array;
  readOps: Float64Array;
  writeOps: Float64Array;
  readBytes: Float64Array;
  writeBytes: Float64Array;
  /** Seconds without I/O; null where it is not known. */
  idleSeconds: Float64Array | null;
}

/** Part / whole; 0 where there is nothing to have a share of. */
const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** No volume is asked for so much; beyond it sums overflow. */
const maxPerSecond = 1e12;

function requirePlausible({ epochSeconds, iops, mibps }: ReplaySeries): void {
  const at = iops.findIndex((rate, i) => !(rate <= maxPerSecond && (mibps[i] as number) <= maxPerSecond));
  if (at < 0) return;
  throw new BadInput(
    `the row of ${isoFromEpochSeconds(epochSeconds[at] as number)} makes ${iops[at]?.toPrecision(3)} IOPS and ${mibps[at]?.toPrecision(3)} MiB/s, more than any volume is asked for; give sums that make ${figure(maxPerSecond)} a second at most`,
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
