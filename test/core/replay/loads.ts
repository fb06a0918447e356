/** Loads and layouts with figures that are easy to add. */
import type { Layout } from '../../../core/plan/layout.ts';
import type { ReplaySeries } from '../../../core/replay/replay.ts';

/** So many periods of one rate. */
export const times = (periods: number, rate: number): number[] => Array<number>(periods).fill(rate);

/** One-minute periods of I/O of one size, reads alone. */
export function load(iops: readonly number[], ioKiB = 16, more: Partial<ReplaySeries> = {}): ReplaySeries {
  return {
    periodSeconds: 60,
    epochSeconds: Float64Array.from(iops, (_, i) => i * 60),
    iops: Float64Array.from(iops),
    mibps: Float64Array.from(iops, (rate) => (rate * ioKiB) / 1024),
    writeShare: 0,
    ...more,
  };
}

/** One gp3 as it comes: 3,000 IOPS and 125 MiB/s. */
export const aLayout = (layout: Partial<Layout> = {}): Layout => ({
  kind: 'single',
  members: 1,
  volumeType: 'gp3',
  sizeGiB: 500,
  iops: 3_000,
  throughputMiBps: 125,
  ...layout,
});

export const gp2 = (sizeGiB: number, layout: Partial<Layout> = {}): Layout =>
  aLayout({ volumeType: 'gp2', sizeGiB, iops: Math.max(100, 3 * sizeGiB), throughputMiBps: 250, ...layout });
