/** What a volume showed that it needs, from its busiest period; unknown where that does not show it. */
import { type AuditWindow, secondsOf } from '../../diagnosis/audit-window.ts';
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import { type Known, known, unknown } from '../../known.ts';
import { ssdMiBPerIo } from '../../limits/volume-limits.ts';
import { isHdd, type VolumeType } from '../../limits/volume-types.ts';
import type { VolumeLoad } from '../../load/volume-load.ts';
import type { Rates } from '../../plan/need.ts';
import type { NeedUnknown } from '../../schemas/load-codes.ts';
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
export const usualChunkKiB = 64;
const ssdUnitsPerMiB = 1 / ssdMiBPerIo;

/** What a volume's load shows that it needs, with headroom. */
export interface VolumeNeed {
  rates: Rates;
  /** Null where it may need more: something throttled it, or too little is known. */
  confidence: ObservedNeed['confidence'] | null;
}

/** Null where a volume's load shows nothing. */
export type NeedOf = (volumeId: string) => VolumeNeed | null;

/** With headroom a need has no fractions. */
const withHeadroom = (rate: number, { savingHeadroom }: Thresholds): number =>
  Math.ceil(rate * (1 + savingHeadroom) - 1e-9);

/** Over the non-idle seconds where the idle time is known: an average hides bursts. */
const rateAt = (average: Float64Array, busy: Float64Array | null, i: number): number => {
  const over = busy === null ? Number.NaN : (busy[i] as number);
  return Number.isNaN(over) ? (average[i] as number) : over;
};

/** The busiest of everything that a need is made of; 0 where there was no I/O. */
interface Busiest extends Rates {
  /** Operations as EBS counts them on the volume's kind. */
  countedIops: number;
  /** Each I/O cut at the chunk of a stripe. */
  cutIops: number;
  /** A period with I/O whose bytes, or whose rate over the non-idle seconds, are not known. */
  isMibUnknown: boolean;
  isBusyUnknown: boolean;
}

/**
 * EBS counts I/O on SSD by 256 KiB. Of a period with large I/O among small the average does not tell how many there
 * were: at most as many more as its bytes have units.
 */
function busiest(load: VolumeLoad, volumeType: VolumeType): Busiest {
  const { ops, iops, mibps, activeTimeIops, busyMiBps } = load;
  const hdd = isHdd(volumeType);
  const most = { iops: 0, throughputMiBps: 0, countedIops: 0, cutIops: 0 };
  let [isMibUnknown, isBusyUnknown] = [false, activeTimeIops === null];
  for (let i = 0; i < ops.length; i++) {
    if (!((ops[i] as number) > 0)) continue;
    const rate = rateAt(iops, activeTimeIops, i);
    const mib = rateAt(mibps, busyMiBps, i);
    if (rate > most.iops) most.iops = rate;
    if (mib > most.throughputMiBps) most.throughputMiBps = mib;
    if (activeTimeIops !== null && Number.isNaN(activeTimeIops[i])) isBusyUnknown = true;
    const kibps = kibFromMiB(mibps[i] as number);
    // I/O of a usual size counts as one and is not cut: that is most of all periods.
    if (kibps <= usualChunkKiB * (iops[i] as number)) {
      if (rate > most.countedIops) most.countedIops = rate;
      if (rate > most.cutIops) most.cutIops = rate;
      continue;
    }
    const ioKiB = kibps / (iops[i] as number);
    const counted = !hdd && ioKiB > usualChunkKiB ? rate + ssdUnitsPerMiB * mib : rate;
    if (counted > most.countedIops) most.countedIops = counted;
    const cut = rate * Math.max(1, Math.ceil(ioKiB / usualChunkKiB));
    if (cut > most.cutIops) most.cutIops = cut;
    if (Number.isNaN(mibps[i])) isMibUnknown = true;
  }
  return { ...most, isMibUnknown, isBusyUnknown };
}

const needFrom = ({ countedIops, throughputMiBps }: Busiest, thresholds: Thresholds): Rates => ({
  iops: withHeadroom(countedIops, thresholds),
  throughputMiBps: withHeadroom(throughputMiBps, thresholds),
});

/** A week has every day in it: what runs on Sundays only is not missed. */
const highConfidenceSeconds = 7 * 24 * secondsPerHour;

function confidenceOf({ periodSeconds, knownSeconds }: VolumeLoad): ObservedNeed['confidence'] {
  if (periodSeconds > secondsPerMinute) return 'low';
  return knownSeconds >= highConfidenceSeconds ? 'high' : 'medium';
}

/** What is missing of the load; null where enough is there. */
function missing(
  { knownSeconds, periodSeconds }: VolumeLoad,
  { isMibUnknown, isBusyUnknown }: Busiest,
  window: AuditWindow,
  { savingWindowSeconds, savingKnownShare }: Thresholds,
): NeedUnknown | null {
  const windowSeconds = secondsOf(window);
  if (windowSeconds < savingWindowSeconds)
    return { code: 'window-too-short', leastHours: savingWindowSeconds / secondsPerHour };
  if (knownSeconds < savingKnownShare * windowSeconds)
    return { code: 'too-many-gaps', knownPercent: (100 * knownSeconds) / windowSeconds };
  if (isMibUnknown) return { code: 'bytes-unknown' };
  if (periodSeconds > secondsPerMinute && isBusyUnknown)
    return { code: 'averages-hide-bursts', periodSeconds };
  return null;
}

/** What a load shows of the need. */
export interface SeenNeed {
  /** At least this it needs, whatever throttled it: what it was served in its busiest period, with headroom. */
  least: Rates;
  /** Unknown where that may not be all. */
  need: Known<ObservedNeed, NeedUnknown>;
}

/**
 * The need is at least what was served: where anything throttled the volume it may be more, and is unknown. The idle
 * time shows bursts but where other I/O fills the rest of the period, the less the longer a period is: points of more
 * than a minute make the confidence low.
 */
export function observedNeed(
  load: VolumeLoad,
  volumeType: VolumeType,
  window: AuditWindow,
  throttledMinutes: number,
  thresholds: Thresholds,
): SeenNeed {
  const most = busiest(load, volumeType);
  const least = needFrom(most, thresholds);
  if (throttledMinutes > 0) return { least, need: unknown({ code: 'throttled', minutes: throttledMinutes }) };
  const reason = missing(load, most, window, thresholds);
  if (reason !== null) return { least, need: unknown(reason) };
  return {
    least,
    need: known({
      peak: { iops: most.iops, throughputMiBps: most.throughputMiBps },
      rates: least,
      cutIops: withHeadroom(most.cutIops, thresholds),
      knownSeconds: load.knownSeconds,
      periodSeconds: load.periodSeconds,
      confidence: confidenceOf(load),
    }),
  };
}
