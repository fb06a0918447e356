/**
 * Units and their conversion: the one place where a factor is written down.
 * Names carry units everywhere else: GiB, MiB and KiB are binary (2^30, 2^20, 2^10).
 */
const bytesPerKiB = 1024;
export const bytesPerMiB = 1024 * 1024;
export const bytesPerGiB = 1024 * bytesPerMiB;
export const gibPerTiB = 1024;
export const msPerSecond = 1000;
export const microsecondsPerSecond = 1_000_000;
export const secondsPerMinute = 60;
export const secondsPerHour = 3600;
export const secondsPerDay = 86_400;
export const minutesPerHour = 60;
/** AWS counts a month as 730 hours. */
export const hoursPerMonth = 730;

/** EC2 says what an instance can do in decimal MB/s; three digits after the point are kept. */
export const mibFromDecimalMB = (megabytes: number): number =>
  Math.round((megabytes * 1e9) / bytesPerMiB) / 1000;
export const mibFromBytes = (bytes: number): number => bytes / bytesPerMiB;
export const bytesFromKiB = (kib: number): number => kib * bytesPerKiB;
export const mibFromGiB = (gib: number): number => gib * 1024;
export const gibFromMiB = (mib: number): number => mib / 1024;
export const kibFromMiB = (mib: number): number => mib * 1024;
export const mibFromKiB = (kib: number): number => kib / 1024;
/** Disks of an instance are reported in decimal GB. */
export const decimalGBFromGiB = (gib: number): number => (gib * 1024 * bytesPerMiB) / 1e9;

/** Seconds since 1970 of an ISO 8601 text; NaN where it is none. */
export const epochSecondsOf = (iso: string): number => Date.parse(iso) / msPerSecond;

/** ISO 8601 in UTC without milliseconds, as CloudWatch stamps its points. */
export const isoFromEpochSeconds = (epochSeconds: number): string =>
  new Date(epochSeconds * msPerSecond).toISOString().replace('.000Z', 'Z');

/** 2026-11-20 14:30, in UTC. */
export const utcText = (epochSeconds: number): string =>
  isoFromEpochSeconds(epochSeconds).slice(0, 16).replace('T', ' ');
