/** What a volume showed that it needs, from its busiest period; unknown where that does not show it. */
import { type AuditWindow, secondsOf } from '../../diagnosis/audit-window.ts';
import { thresholds } from '../../diagnosis/thresholds.ts';
import { figure } from '../../figures.ts';
import { type Known, known, unknown } from '../../known.ts';
import { ssdMiBPerIo } from '../../limits/volume-limits.ts';
import { isHdd, type VolumeType } from '../../limits/volume-types.ts';
import { maximum } from '../../load/series.ts';
import type { VolumeLoad } from '../../load/volume-load.ts';
import type { Rates } from '../../plan/need.ts';
import { kibFromMiB, secondsPerHour, secondsPerMinute } from '../../units.ts';

export interface ObservedNeed {
  /** Of the busiest period: over its non-idle seconds where the idle time is known, else its average. */
  peak: Rates;
  /** The peak with headroom. */
  rates: Rates;
  /** IOPS with headroom where each I/O is cut at the chunk of a stripe. */
  cutIops: number;
  knownSeconds: number;
  periodSeconds: number;
  confidence: 'high' | 'medium' | 'low';
}

/** The chunk that a stripe is made with where nobody says another. */
const chunkKiB = 64;
const ssdUnitsPerMiB = 1 / ssdMiBPerIo;

/** What a volume's load shows that it needs, with headroom. */
export interface VolumeNeed {
  rates: Rates;
  /** Null where it may need more: something held it back, or too little is known. */
  confidence: ObservedNeed['confidence'] | null;
}

/** Null where a volume's load shows nothing. */
export type NeedOf = (volumeId: string) => VolumeNeed | null;

/** With headroom a need has no fractions. */
const withHeadroom = (rate: number): number => Math.ceil(rate * (1 + thresholds.savingHeadroom) - 1e-9);

/** The highest of a figure over the periods in which there was I/O; 0 where there was none. */
function highest(load: VolumeLoad, of: (period: number) => number): number {
  return maximum(load.ops.map((ops, i) => (ops > 0 ? of(i) : Number.NaN))) ?? 0;
}

/** Over the non-idle seconds where the idle time is known: an average hides bursts. */
const rateAt = (average: Float64Array, busy: Float64Array | null, i: number): number => {
  const over = busy?.[i] ?? Number.NaN;
  return Number.isNaN(over) ? (average[i] as number) : over;
};

const iopsAt = (load: VolumeLoad, i: number): number => rateAt(load.iops, load.busyIops, i);
const mibpsAt = (load: VolumeLoad, i: number): number => rateAt(load.mibps, load.busyMiBps, i);
const ioKiBAt = (load: VolumeLoad, i: number): number =>
  kibFromMiB(load.mibps[i] as number) / (load.iops[i] as number);

/**
 * EBS counts I/O on SSD by 256 KiB. Of a period with large I/O among small the average does not tell how many there
 * were: at most as many more as its bytes have units.
 */
function countedIopsAt(load: VolumeLoad, i: number): number {
  const more = ioKiBAt(load, i) > chunkKiB ? ssdUnitsPerMiB * mibpsAt(load, i) : 0;
  return iopsAt(load, i) + more;
}

/** At least this it needs, whatever held it back: what it was served in its busiest period, with headroom. */
export function leastNeed(load: VolumeLoad, volumeType: VolumeType): Rates {
  const counted = isHdd(volumeType) ? iopsAt : countedIopsAt;
  return {
    iops: withHeadroom(highest(load, (i) => counted(load, i))),
    throughputMiBps: withHeadroom(highest(load, (i) => mibpsAt(load, i))),
  };
}

/** A week has every day in it: what runs on Sundays only is not missed. */
const highConfidenceSeconds = 7 * 24 * secondsPerHour;

function confidenceOf({ periodSeconds, knownSeconds }: VolumeLoad): ObservedNeed['confidence'] {
  if (periodSeconds > secondsPerMinute) return 'low';
  return knownSeconds >= highConfidenceSeconds ? 'high' : 'medium';
}

/** What is missing of the load; null where enough is there. */
function missing(load: VolumeLoad, window: AuditWindow): string | null {
  const windowSeconds = secondsOf(window);
  if (windowSeconds < thresholds.savingWindowSeconds) return 'the window is shorter than a day';
  if (load.knownSeconds < thresholds.savingKnownShare * windowSeconds)
    return 'too little of the window is known';
  const isMissing = (column: Float64Array | null): boolean =>
    load.ops.some((ops, i) => ops > 0 && Number.isNaN(column?.[i] ?? Number.NaN));
  if (isMissing(load.mibps)) return 'of periods with I/O the bytes are not known';
  if (load.periodSeconds > secondsPerMinute && isMissing(load.busyIops))
    return 'averages over more than a minute without the idle time hide bursts';
  return null;
}

/**
 * The need is at least what was served: where anything held the volume back it may be more, and is unknown. The idle
 * time shows bursts but where other I/O fills the rest of the period, the less the longer a period is: points of more
 * than a minute make the confidence low.
 */
export function observedNeed(
  load: VolumeLoad,
  volumeType: VolumeType,
  window: AuditWindow,
  heldBackMinutes: number,
): Known<ObservedNeed> {
  if (heldBackMinutes > 0)
    return unknown(
      `something held it back in ${figure(heldBackMinutes, 0)} minutes: what it wanted does not show`,
    );
  const because = missing(load, window);
  if (because !== null) return unknown(because);
  const pieces = (i: number): number => Math.max(1, Math.ceil(ioKiBAt(load, i) / chunkKiB));
  return known({
    peak: {
      iops: highest(load, (i) => iopsAt(load, i)),
      throughputMiBps: highest(load, (i) => mibpsAt(load, i)),
    },
    rates: leastNeed(load, volumeType),
    cutIops: withHeadroom(highest(load, (i) => iopsAt(load, i) * pieces(i))),
    knownSeconds: load.knownSeconds,
    periodSeconds: load.periodSeconds,
    confidence: confidenceOf(load),
  });
}
