/** What a search is for: the most operations a second of a layout with a latency that is kept. */
import { BadInput } from '../errors.ts';
import { figure } from '../figures.ts';
import { msPerSecond, secondsPerHour } from '../units.ts';

export const percentiles = ['p50', 'p95', 'p99'] as const;
export type Percentile = (typeof percentiles)[number];

export interface Goal {
  percentile: Percentile;
  /** It must be below this. */
  limitMs: number;
}

/** An hour: longer than any run. */
export const mostLimitMs = secondsPerHour * msPerSecond;

const form =
  /^\s*max(?:imum)?\s+iops\s+with\s+(p50|p95|p99)\s+(?:under|below|<)\s*(\d+(?:\.\d+)?)\s*(us|µs|ms|s)\s*$/i;
const msOf: Readonly<Record<string, number>> = { us: 1e-3, µs: 1e-3, ms: 1, s: 1e3 };

/** @param text "max IOPS with p95 under 2 ms". @throws BadInput where it is another. */
export function goalOf(text: string): Goal {
  const match = form.exec(text);
  const limitMs = Number(match?.[2]) * (msOf[match?.[3]?.toLowerCase() ?? ''] ?? Number.NaN);
  if (match !== null && limitMs > mostLimitMs)
    throw new BadInput(`goal "${text}" waits too long: give ${figure(mostLimitMs)} ms or less`);
  if (match === null || !(limitMs > 0))
    throw new BadInput(`goal "${text}" is not understood: give one like "max IOPS with p95 under 2 ms"`);
  return { percentile: match[1]?.toLowerCase() as Percentile, limitMs };
}
