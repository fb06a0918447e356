/** What a volume showed that it needs, from its busiest period; unknown where that does not show it. */
import { type AuditWindow, secondsOf } from '../../diagnosis/audit-window.ts';
import { thresholds } from '../../diagnosis/thresholds.ts';
import { figure } from '../../figures.ts';
import { type Known, known, unknown } from '../../known.ts';
import { maximum } from '../../load/series.ts';
import type { VolumeLoad } from '../../load/volume-load.ts';
import type { Rates } from '../../plan/need.ts';
import { secondsPerHour, secondsPerMinute } from '../../units.ts';

export interface ObservedNeed {
  /** Of the busiest period: over its non-idle seconds where the idle time is known, else its average. */
  peak: Rates;
  /** The peak with headroom. */
  rates: Rates;
  knownSeconds: number;
  confidence: 'high' | 'medium';
}

/** With headroom a need has no fractions. */
const withHeadroom = (rate: number): number => Math.ceil(rate * (1 + thresholds.savingHeadroom) - 1e-9);

/** Over the non-idle seconds where the idle time is known: an average hides bursts. */
function peakOf(load: VolumeLoad): Rates {
  return {
    iops: Math.max(maximum(load.iops) ?? 0, maximum(load.busyIops) ?? 0),
    throughputMiBps: Math.max(maximum(load.mibps) ?? 0, maximum(load.busyMiBps) ?? 0),
  };
}

/** At least this it needs, whatever held it back: what it was served in its busiest period, with headroom. */
export function leastNeed(load: VolumeLoad): Rates {
  const { iops, throughputMiBps } = peakOf(load);
  return { iops: withHeadroom(iops), throughputMiBps: withHeadroom(throughputMiBps) };
}

/** A week has every day in it: what runs on Sundays only is not missed. */
const highConfidenceSeconds = 7 * 24 * secondsPerHour;

/**
 * The need is at least what was served: where anything held the volume back it may be more, and is unknown. An average
 * over five minutes hides bursts: without the idle time it takes one-minute points.
 */
export function observedNeed(
  load: VolumeLoad,
  window: AuditWindow,
  heldBackMinutes: number,
): Known<ObservedNeed> {
  if (heldBackMinutes > 0)
    return unknown(
      `something held it back in ${figure(heldBackMinutes, 0)} minutes: what it wanted does not show`,
    );
  const windowSeconds = secondsOf(window);
  if (windowSeconds < thresholds.savingWindowSeconds) return unknown('the window is shorter than a day');
  if (load.knownSeconds < thresholds.savingKnownShare * windowSeconds)
    return unknown('too little of the window is known');
  const hidesBursts = load.busyIops === null && load.periodSeconds > secondsPerMinute;
  if (hidesBursts) return unknown('averages over more than a minute without the idle time hide bursts');
  return known({
    peak: peakOf(load),
    rates: leastNeed(load),
    knownSeconds: load.knownSeconds,
    confidence: load.knownSeconds >= highConfidenceSeconds ? 'high' : 'medium',
  });
}
