/** What is coming for a volume whose credits run out: the mean of the last half hour, for as long as is looked ahead. */

import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { Sized } from '../recommendations/throttled/demand.ts';
import type { StartPercent } from '../replay/configuration.ts';
import type { ReplaySeries } from '../replay/series.ts';
import { kibFromMiB, secondsPerMinute } from '../units.ts';
import { busiest } from './replay-basis.ts';

export interface ComingLoad {
  sized: Sized;
  ioKiB: number;
  series: ReplaySeries;
  /** Now. */
  startPercent: Partial<StartPercent>;
}

/** Mean of the known periods from one on; NaN where none is known. */
function meanFrom(column: Float64Array, first: number): number {
  let [sum, count] = [0, 0];
  for (let i = first; i < column.length; i++) {
    const value = column[i] as number;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** Of the last half hour, a rate that goes on for two hours, minute by minute. */
function steady(
  epochSeconds: number,
  iops: number,
  mibps: number,
  { willExhaustSeconds }: Thresholds,
): ReplaySeries {
  const length = willExhaustSeconds / secondsPerMinute;
  return {
    periodSeconds: secondsPerMinute,
    epochSeconds: Float64Array.from({ length }, (_, i) => epochSeconds + i * secondsPerMinute),
    iops: new Float64Array(length).fill(iops),
    mibps: new Float64Array(length).fill(mibps),
    writeShare: 0,
  };
}

/**
 * Null where it has no credits, or where its last half hour is not known. The rates that are asked for have the headroom
 * of a saving; those of a gp2 are no less than it does with its credits.
 */
export function comingLoad(
  { limits, load, attribution: { balance } }: DiagnosedVolume,
  thresholds: Thresholds,
): ComingLoad | null {
  const { epochSeconds, periodSeconds, iops, mibps } = load;
  const last = epochSeconds.length - 1;
  const end = (epochSeconds[last] as number) + periodSeconds;
  const first = epochSeconds.findIndex((at) => at >= end - fixedThresholds.recentRateSeconds);
  const [io, mib] = [meanFrom(iops, first), meanFrom(mibps, first)];
  if (balance === null || Number.isNaN(io) || Number.isNaN(mib)) return null;
  const series = steady(end, io, mib, thresholds);
  const hdd = isHdd(limits.volumeType);
  const { rates, cutIops } = busiest({ ...series, activeTimeIops: null }, hdd);
  const most = 1 + thresholds.savingHeadroom;
  const atLeast = hdd ? { iops: 0, mibps: 0 } : { iops: limits.burstIops, mibps: limits.burstMiBps };
  return {
    series,
    sized: {
      rates: {
        iops: Math.max(most * rates.iops, atLeast.iops),
        throughputMiBps: Math.max(most * rates.throughputMiBps, atLeast.mibps),
      },
      cutIops: Math.max(most * cutIops, atLeast.iops),
    },
    ioKiB: kibFromMiB(mib) / io,
    startPercent: { volume: balance.percent[last] as number },
  };
}
