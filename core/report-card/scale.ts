/**
 * Letters for latency, and for how it grows with more users.
 * Source: "IO characteristics of Elastic Block Storage (EBS) in AWS: grades are out".
 */
import type { Access } from './job-options.ts';

const letters = ['A+', 'A', 'A-', 'B', 'B-', 'C', 'C-'] as const;
const worst = 'D';
/** The best first. The last has no bound. */
export const allLetters = [...letters, worst] as const;
export type Letter = (typeof allLetters)[number];

type Bounds = readonly [number, number, number, number, number, number, number];

/** The letter of a latency that is below one bound and not below those before it: on a bound it is the worse one. */
function letterBelow(value: number, bounds: Bounds): Letter {
  const index = bounds.findIndex((bound) => value < bound);
  return letters[index] ?? worst;
}

/** On a bound it is the better one. */
function letterUpTo(value: number, bounds: Bounds): Letter {
  const index = bounds.findIndex((bound) => value <= bound);
  return letters[index] ?? worst;
}

/** Loads that have a scale for latency. */
export interface LatencyScale {
  access: Access;
  blockKiB: number;
  users: number;
  boundsMs: Bounds;
}
export const latencyScales: readonly LatencyScale[] = [
  { access: 'randread', blockKiB: 8, users: 16, boundsMs: [2, 4, 6, 8, 10, 12, 14] },
  { access: 'read', blockKiB: 1024, users: 1, boundsMs: [12, 14, 16, 18, 20, 22, 24] },
  { access: 'write', blockKiB: 1, users: 4, boundsMs: [0.2, 0.5, 1, 1.5, 2, 2.5, 3] },
  { access: 'write', blockKiB: 128, users: 4, boundsMs: [2, 4, 6, 8, 10, 12, 14] },
];

/** @param p95Ms the 95th percentile, in milliseconds. */
export const latencyGrade = (p95Ms: number, { boundsMs }: LatencyScale): Letter =>
  letterBelow(p95Ms, boundsMs);

/** Which latencies have this letter: those below a bound; of the worst those from the last bound on. */
export function latencyBoundOf(
  letter: Letter,
  { boundsMs }: LatencyScale,
): { side: 'below' | 'from'; boundMs: number } {
  const boundMs = boundsMs[letters.indexOf(letter as (typeof letters)[number])];
  return boundMs === undefined ? { side: 'from', boundMs: boundsMs[6] } : { side: 'below', boundMs };
}

/** Loads whose growth has a scale: latency at the higher number of users against that at the base. */
export interface ScalingScale {
  access: Access;
  blocksKiB: readonly number[];
  baseUsers: number;
  higherUsers: number;
  factor: number;
}
export const scalingScales: readonly ScalingScale[] = [
  { access: 'randread', blocksKiB: [8], baseUsers: 16, higherUsers: 32, factor: 2 },
  { access: 'read', blocksKiB: [1024], baseUsers: 1, higherUsers: 8, factor: 8 },
  { access: 'write', blocksKiB: [1, 8, 128], baseUsers: 4, higherUsers: 16, factor: 4 },
];
export const growthBounds: Bounds = [0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.9];

/**
 * How much of what more users could cost they do: 0 where latency stays, 1 where it grows by as much as the factor.
 * ((latency at the higher load / latency at the base load) - 1) / factor.
 */
export const growthOf = (baseMs: number, higherMs: number, { factor }: ScalingScale): number =>
  (higherMs / baseMs - 1) / factor;

/** (8 / 5 - 1) / 2 is 0.3, and not a bit more. */
const tolerance = 1e-12;

export const scalingGrade = (growth: number): Letter => letterUpTo(growth - tolerance, growthBounds);
