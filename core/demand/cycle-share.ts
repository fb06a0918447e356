/**
 * How much of a worker's cycle is waiting for I/O, from calm periods. n workers with a service time of s and a think time
 * of z reach n / (s + z) I/O a second: where only s changes, the rate changes by -s / (s + z) times as much. So the share
 * is the slope of the steps of rate over the steps of latency: 1 for workers that do not think (fio, a scan, a backup), 0 for
 * an open load, whose rate does not ask how long its I/O take.
 */
import type { CalmPeriods } from './calm-periods.ts';

const figures = {
  /** Steps of the rate that differ from the fit by more typical steps than this are the load's own, and left out. */
  ownSteps: 5,
  /** Latency that changes by more than this share from one period to the next has another cause than chance. */
  largestLatencyStep: 0.5,
  fewestSteps: 20,
  /** Both figures come from the same counters, so errors in one show in the other: no share is known better than this. */
  leastError: 0.015,
  /** Four of five lie within so many; the spread of the service time brings the demand to more than nine of ten. */
  standardErrors: 1.3,
} as const;

interface CycleShare {
  low: number;
  high: number;
  steps: number;
}

/** Sums over the steps of one size that are near the line: rate step = -slope x latency step. */
function sumsNear(calm: CalmPeriods, size: number, slope: number, furthest: number) {
  const { sizeClass, rateStep, latencyStep } = calm;
  let count = 0;
  let xx = 0;
  let xy = 0;
  // For the error: residual times latency step, squared, and times the one before (neighbouring steps share a period).
  let squares = 0;
  let neighbours = 0;
  let before = 0;
  for (let i = 0; i < sizeClass.length; i++) {
    const x = latencyStep[i] as number;
    const y = rateStep[i] as number;
    const residual = y + slope * x;
    const isNear = Math.abs(residual) <= furthest && Math.abs(x) <= figures.largestLatencyStep;
    if (!isNear || sizeClass[i] !== size) {
      before = 0;
      continue;
    }
    count++;
    xx += x * x;
    xy += x * y;
    const product = x * residual;
    squares += product * product;
    neighbours += product * before;
    before = product;
  }
  return { count, xx, xy, variance: Math.max(squares / 2, squares + 2 * neighbours) };
}

/** Null where too few steps tell. Least squares twice: the second time without what the load itself did. */
export function cycleShare(calm: CalmPeriods, sizeClass: number): CycleShare | null {
  const furthest = figures.ownSteps * calm.typicalRateStep(sizeClass);
  const rough = sumsNear(calm, sizeClass, 0, furthest);
  if (rough.count < figures.fewestSteps || rough.xx === 0) return null;
  const { count, xx, xy, variance } = sumsNear(calm, sizeClass, -rough.xy / rough.xx, furthest);
  if (count < figures.fewestSteps || xx === 0) return null;
  const slope = -xy / xx;
  const error = figures.leastError + (figures.standardErrors * Math.sqrt(variance)) / xx;
  return {
    low: Math.max(0, Math.min(1, slope) - error),
    high: Math.min(1, Math.max(0, slope) + error),
    steps: count,
  };
}
