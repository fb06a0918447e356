/// <reference path="./jstat.d.ts" />
/** How sure a mean of few runs is. */
import jStat from 'jstat';
import { mean, sampleStandardDeviation } from 'simple-statistics';

const confidence = 0.95;

export interface Estimate {
  mean: number;
  low: number | null;
  high: number | null;
}

/** The mean, and where the true one is with 95 % confidence. @param values at least one. */
export function estimateOf(values: readonly number[]): Estimate {
  const all = [...values];
  if (all.length < 2) return { mean: mean(all), low: null, high: null };
  const t = jStat.studentt.inv((1 + confidence) / 2, all.length - 1);
  const half = (t * sampleStandardDeviation(all)) / Math.sqrt(all.length);
  return { mean: mean(all), low: mean(all) - half, high: mean(all) + half };
}
