/**
 * Finds the most operations a second that keep a latency, in few short runs instead of a grid of long ones. How many ask at
 * once is what is chosen: the more, the longer each waits, and from the layout's limit on waiting is all that more bring. So
 * beyond the limit latency is proportional to how many ask (Little's law), which says where to look next; halving keeps it
 * safe where that does not hold. The load that is found is run again, and its confidence told.
 *
 * Pure: given what was measured so far it says what to measure next, or what was found.
 */

import { z } from 'zod';
import { BadInput } from '../errors.ts';
import { figure } from '../figures.ts';
import { type Estimate, estimateOf } from '../report-card/report-card.ts';
import { msPerSecond, secondsPerHour } from '../units.ts';

// What a search is for: the most operations a second of a layout with a latency that is kept.

export const percentiles = ['p50', 'p95', 'p99'] as const;
export type Percentile = (typeof percentiles)[number];

export interface Goal {
  percentile: Percentile;
  /** It must be below this. */
  limitMs: number;
}

/** An hour: longer than any run. */
export const maxLimitMs = secondsPerHour * msPerSecond;

const form =
  /^\s*max(?:imum)?\s+iops\s+with\s+(p50|p95|p99)\s+(?:under|below|<)\s*(\d+(?:\.\d+)?)\s*(us|µs|ms|s)\s*$/i;
const msOf: Readonly<Record<string, number>> = { us: 1e-3, µs: 1e-3, ms: 1, s: 1e3 };

/** @param text "max IOPS with p95 under 2 ms". @throws BadInput where it is another. */
export function goalOf(text: string): Goal {
  const match = form.exec(text);
  const limitMs = Number(match?.[2]) * (msOf[match?.[3]?.toLowerCase() ?? ''] ?? Number.NaN);
  if (match !== null && limitMs > maxLimitMs)
    throw new BadInput(`goal "${text}" waits too long: give ${figure(maxLimitMs)} ms or less`);
  if (match === null || !(limitMs > 0))
    throw new BadInput(`goal "${text}" is not understood: give one like "max IOPS with p95 under 2 ms"`);
  return { percentile: match[1]?.toLowerCase() as Percentile, limitMs };
}

// Why a search measured no more: apart from the search, since what reads a report needs no statistics.

export const searchEndSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('most-users'), users: z.number() })
    .meta({ description: 'no more may ask at once' }),
  z.object({ code: z.literal('no-more-iops') }).meta({ description: 'more users only wait longer' }),
  z.object({ code: z.literal('next-load-over-limit') }),
  z.object({ code: z.literal('not-even-one') }),
  z.object({ code: z.literal('runs-spent'), runs: z.number() }),
]);
export type SearchEnd = z.infer<typeof searchEndSchema>;

/** A short run with so many asking at once. */
export interface Probe {
  users: number;
  iops: number;
  /** The percentile of the goal. */
  latencyMs: number;
}

export interface SearchLimits {
  firstUsers: number;
  maxUsers: number;
  /** Runs in all, with the repeated ones. */
  maxProbes: number;
  /** Of the load that is found. */
  repeats: number;
}
export const defaultLimits: SearchLimits = { firstUsers: 16, maxUsers: 1_024, maxProbes: 14, repeats: 3 };

/** One number of users, with all that was measured of it. */
interface Level {
  users: number;
  iops: number;
  latencyMs: number;
  runs: number;
}

export interface Found {
  /** `kept`: with more it would not be. `always`: it was kept with as many as may ask. `never`: not even by one. */
  outcome: 'kept' | 'always' | 'never';
  reason: SearchEnd;
  users: number;
  iops: Estimate;
  latencyMs: Estimate;
}

export type Next = { measure: number } | { found: Found };

/** More users that bring less than this bring nothing. */
const worthwhile = 0.02;
/** Two numbers of users that are closer are one. */
const close = 1.05;
const [minStep, maxStep] = [1.5, 8];

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function levelsOf(probes: readonly Probe[]): Level[] {
  const byUsers = new Map<number, Probe[]>();
  for (const probe of probes) byUsers.set(probe.users, [...(byUsers.get(probe.users) ?? []), probe]);
  return [...byUsers]
    .map(([users, runs]) => ({
      users,
      iops: meanOf(runs.map(({ iops }) => iops)),
      latencyMs: meanOf(runs.map(({ latencyMs }) => latencyMs)),
      runs: runs.length,
    }))
    .sort((a, b) => a.users - b.users);
}

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Users at which the latency of a layout at its limit is what is allowed: a little less, so that it is kept. */
const byProportion = ({ users, latencyMs }: Level, limitMs: number): number =>
  users * (limitMs / latencyMs) * 0.97;

function between(kept: Level, over: Level, limitMs: number): number {
  // On a line through both, in logarithms: what is proportional is straight there.
  const slope = Math.log(over.latencyMs / kept.latencyMs) / Math.log(over.users / kept.users);
  const onLine = kept.users * (limitMs / kept.latencyMs) ** (1 / slope) * 0.98;
  const middle = Math.sqrt(kept.users * over.users);
  const guess = slope > 0 && Number.isFinite(onLine) ? onLine : middle;
  // Neither end again; and never so near one of them that the search creeps.
  const [low, high] = [
    kept.users * (over.users / kept.users) ** 0.1,
    kept.users * (over.users / kept.users) ** 0.9,
  ];
  return clamp(Math.round(clamp(guess, low, high)), kept.users + 1, over.users - 1);
}

/** The search where nothing is left to look for: why; null where more is to be measured. */
function settled(
  kept: Level,
  over: Level | undefined,
  below: Level | undefined,
  limits: SearchLimits,
): SearchEnd | null {
  if (kept.users >= limits.maxUsers) return { code: 'most-users', users: limits.maxUsers };
  // Already with fewer there was hardly less: the layout gives no more, whoever waits longer.
  if (below !== undefined && kept.users / below.users >= minStep && kept.iops < below.iops * (1 + worthwhile))
    return { code: 'no-more-iops' };
  if (over === undefined) return null;
  if (over.iops < kept.iops * (1 + worthwhile)) return { code: 'no-more-iops' };
  if (over.users / kept.users <= close || over.users - kept.users <= 1)
    return { code: 'next-load-over-limit' };
  return null;
}

/**
 * @param probes in the order they were measured.
 * @returns how many are to ask next, or what was found.
 */
export function nextOf(
  probes: readonly Probe[],
  { limitMs }: Goal,
  limits: SearchLimits = defaultLimits,
): Next {
  const levels = levelsOf(probes);
  if (levels.length === 0) return { measure: Math.min(limits.firstUsers, limits.maxUsers) };
  const over = levels.find(({ latencyMs }) => latencyMs >= limitMs);
  const keeping = levels.filter(
    ({ users, latencyMs }) => latencyMs < limitMs && users < (over?.users ?? Number.POSITIVE_INFINITY),
  );
  const kept = keeping.at(-1);
  const isSpent = probes.length >= limits.maxProbes;

  if (kept === undefined) {
    const least = over as Level;
    if (least.users === 1 || isSpent)
      return found(
        probes,
        least,
        'never',
        isSpent ? { code: 'runs-spent', runs: probes.length } : { code: 'not-even-one' },
      );
    const users = Math.floor(
      clamp(byProportion(least, limitMs), least.users / maxStep, least.users / minStep),
    );
    return { measure: Math.max(1, users) };
  }
  const reason = settled(kept, over, keeping.at(-2), limits);
  if (reason === null && !isSpent) {
    if (over !== undefined) return { measure: between(kept, over, limitMs) };
    const users = clamp(byProportion(kept, limitMs), kept.users * minStep, kept.users * maxStep);
    return { measure: Math.min(Math.ceil(users), limits.maxUsers) };
  }
  if (kept.runs < limits.repeats && !isSpent) return { measure: kept.users };
  const outcome = over === undefined && kept.users >= limits.maxUsers ? 'always' : 'kept';
  return found(probes, kept, outcome, reason ?? { code: 'runs-spent', runs: probes.length });
}

function found(
  probes: readonly Probe[],
  { users }: Level,
  outcome: Found['outcome'],
  reason: SearchEnd,
): Next {
  const runs = probes.filter((probe) => probe.users === users);
  return {
    found: {
      ...{ outcome, reason, users },
      iops: estimateOf(runs.map(({ iops }) => iops)),
      latencyMs: estimateOf(runs.map(({ latencyMs }) => latencyMs)),
    },
  };
}
