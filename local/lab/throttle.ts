/** What QEMU's throttle is reported so that a disk behaves as a volume does: a leaky bucket is a bucket of credits. */
import type { EbsFigures } from '../../core/catalog/instance-types.ts';
import { hddMiBPerIo, isHdd, ssdMiBPerIo, type VolumeLimits } from '../../core/limits/volume-limits.ts';
import { bytesPerMiB } from '../../core/units.ts';

/** Rates that are held to, and how long more is let through. Source: QEMU's docs/throttle.txt, read 2026-11-22. */
export interface Throttle {
  iops: number | null;
  bytesPerSecond: number | null;
  /** An operation above it counts as several. */
  bytesPerOperation: number;
  /** While the bucket lasts; its capacity is rate x seconds, and it starts full. */
  burst:
    | { iops: number; seconds: number }
    | { bytesPerSecond: number; seconds: number }
    | { iops: number; bytesPerSecond: number; seconds: number }
    | null;
}

/** The emulator ends near 40,000 IOPS, so rates are made smaller; and nobody waits half an hour for a bucket. */
export interface Scale {
  /** Of every rate, 0.1 is a tenth. */
  rate: number;
  /** Of every duration, 0.01 makes 30 minutes 18 s. */
  time: number;
}
export const fullScale: Scale = { rate: 1, time: 1 };

/**
 * A bucket of C credits that drains at (burst - baseline) lasts C / (burst - baseline) seconds. QEMU's, of rate x seconds,
 * leaks at the baseline: the same with seconds = C / burst.
 */
export function throttleOf(limits: VolumeLimits, scale: Scale = fullScale): Throttle {
  const unitMiB = isHdd(limits.volumeType) ? hddMiBPerIo : ssdMiBPerIo;
  const base = {
    iops: limits.baselineIops * scale.rate,
    bytesPerSecond: limits.baselineMiBps * bytesPerMiB * scale.rate,
    bytesPerOperation: unitMiB * bytesPerMiB,
    burst: null,
  };
  const { bucket, burstIops, burstMiBps } = limits;
  if (bucket === null) return base;
  if (bucket.unit === 'io') {
    const seconds = (bucket.capacity / burstIops) * scale.time;
    return { ...base, burst: { iops: burstIops * scale.rate, seconds } };
  }
  const seconds = (bucket.capacity / burstMiBps) * scale.time;
  return {
    ...base,
    iops: limits.burstIops * scale.rate,
    burst: { bytesPerSecond: burstMiBps * bytesPerMiB * scale.rate, seconds },
  };
}

/**
 * What all volumes of an instance get together: its maximum for 30 minutes at least, then its baseline. Of two buckets that
 * would last differently both have the longer time.
 */
export function instanceThrottle(figures: EbsFigures): Throttle {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const share = Math.max(1 - baselineIops / maximumIops, 1 - baselineMiBps / maximumMiBps);
  return {
    iops: baselineIops,
    bytesPerSecond: baselineMiBps * bytesPerMiB,
    bytesPerOperation: ssdMiBPerIo * bytesPerMiB,
    burst:
      share > 0
        ? { iops: maximumIops, bytesPerSecond: maximumMiBps * bytesPerMiB, seconds: 1_800 * share }
        : null,
  };
}

/** A disk of so many operations a second, and nothing else that holds it. */
export const iopsOnly = (iops: number): Throttle => ({
  iops,
  bytesPerSecond: null,
  bytesPerOperation: ssdMiBPerIo * bytesPerMiB,
  burst: null,
});

/** As fast as it goes. */
export const unlimited: Throttle = { ...iopsOnly(0), iops: null };

/** Whole numbers, as QEMU takes them; its zero is no limit. */
const whole = (rate: number | null): number => (rate === null ? 0 : Math.max(1, Math.round(rate)));

interface Rates {
  average: number;
  most: number;
  seconds: number;
}
const still = (rate: number | null): Rates => ({ average: whole(rate), most: 0, seconds: 1 });

function rates({ iops, bytesPerSecond, burst }: Throttle): { iops: Rates; bytes: Rates } {
  const steady = { iops: still(iops), bytes: still(bytesPerSecond) };
  if (burst === null) return steady;
  // QEMU asks for at least a second.
  const seconds = Math.max(1, Math.round(burst.seconds));
  return {
    iops: 'iops' in burst ? { ...steady.iops, most: whole(burst.iops), seconds } : steady.iops,
    bytes:
      'bytesPerSecond' in burst
        ? { ...steady.bytes, most: whole(burst.bytesPerSecond), seconds }
        : steady.bytes,
  };
}

/** Arguments of QMP's `block_set_io_throttle`, without the device. */
export function deviceThrottle(throttle: Throttle): Record<string, number> {
  const { iops, bytes } = rates(throttle);
  return {
    ...{ iops: iops.average, iops_rd: 0, iops_wr: 0, bps: bytes.average, bps_rd: 0, bps_wr: 0 },
    ...(iops.most === 0 ? {} : { iops_max: iops.most, iops_max_length: iops.seconds }),
    ...(bytes.most === 0 ? {} : { bps_max: bytes.most, bps_max_length: bytes.seconds }),
    ...(iops.average === 0 ? {} : { iops_size: throttle.bytesPerOperation }),
  };
}

/** The `limits` of a throttle group, which several disks share: an instance. */
export function groupThrottle(throttle: Throttle): Record<string, number> {
  const { iops, bytes } = rates(throttle);
  return {
    ...{ 'iops-total': iops.average, 'bps-total': bytes.average },
    ...{ 'iops-total-max': iops.most, 'iops-total-max-length': iops.seconds },
    ...{ 'bps-total-max': bytes.most, 'bps-total-max-length': bytes.seconds },
    'iops-size': iops.average === 0 ? 0 : throttle.bytesPerOperation,
  };
}
