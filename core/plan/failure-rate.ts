/** How likely it is that a layout loses data within a year, by the failure rates that AWS states. */
import { figure } from '../figures.ts';
import type { VolumeType } from '../limits/volume-types.ts';
import type { LayoutKind } from './layout.ts';

/** The upper end of what AWS states: 99.999 % durability for io2, 99.8 to 99.9 % for the others. */
export const volumeFailureRate = (volumeType: VolumeType): number =>
  volumeType === 'io2' ? 0.000_01 : 0.002;

const oneDigit = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 1 });

/** In words; a small rate keeps its first digit, as none is zero. */
export const rateText = (rate: number, digits = 4): string => {
  const percent = figure(rate * 100, digits);
  return `${percent === '0' ? oneDigit.format(rate * 100) : percent} %`;
};

/**
 * A stripe fails when any member does: 1 - (1 - a)^N. RAID10 when both of a pair do, RAID5 when two do, each without
 * repair within the year: 1 - (1 - a^2)^(N/2) and 1 - (1 - a)^N - N a (1 - a)^(N - 1).
 */
export function annualFailureRate(kind: LayoutKind, members: number, volumeType: VolumeType): number {
  const a = volumeFailureRate(volumeType);
  // 1 - (1 - x)^n without losing digits where x is small.
  const any = (x: number, n: number): number => -Math.expm1(n * Math.log1p(-x));
  if (kind === 'raid10') return any(a * a, members / 2);
  if (kind === 'raid5') return any(a, members) - members * a * (1 - a) ** (members - 1);
  return any(a, members);
}
