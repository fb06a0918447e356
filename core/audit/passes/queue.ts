/**
 * What the queue length of a volume tells alone. By Little, mean in flight = rate x seconds per I/O: it bounds what a
 * volume did without its operations being read.
 */
import type { AuditWindow } from '../../diagnosis/audit-window.ts';
import { maximum, type Series } from '../../load/series.ts';
import { secondsPerDay } from '../../units.ts';

/** No EBS volume answers faster: the fastest type needs 0.25 ms and more. It bounds a rate from above: in flight / this. */
export const leastSecondsPerIo = 0.0001;
/** NVMe on EC2 cuts I/O at 256 KiB. */
export const leastIoPerMiB = 4;

/** Who takes all that a limit gives has something in flight all the time; a little less, for the edges of it. */
const alwaysInFlight = 0.9;

export interface QueueRead {
  series: Series;
  knownSeconds: number;
  /** Points with something in flight. */
  activePeriods: number;
  /** Seconds of points with at least one I/O in flight on average, so that there may have been one all the time. */
  fullSeconds: number;
  meanInFlight: number;
  mostInFlight: number;
}

export function queueRead(series: Series): QueueRead {
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
