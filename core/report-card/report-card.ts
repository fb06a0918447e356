/// <reference path="./jstat.d.ts" />
/** The report card: each test with its letters, and why it has them or has none. */
import jStat from 'jstat';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { z } from 'zod';
import { sanitize } from '../sanitize.ts';
import { type FioTest, testErrorSchema } from './fio-tests.ts';
import {
  type Access,
  accesses,
  isDirect,
  isSync,
  type LoadUnknown,
  loadUnknownSchema,
  pacedBy,
  pacing,
} from './job-options.ts';
import { type Mode, modesOf } from './latency.ts';
import { type Member, membersOf } from './members.ts';
import {
  allLetters,
  growthOf,
  type Letter,
  latencyBoundOf,
  latencyGrade,
  latencyScales,
  type ScalingScale,
  scalingGrade,
  scalingScales,
} from './scale.ts';

// How sure a mean of few runs is.

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

const letterSchema = z.enum(allLetters);
const loadShape = { access: z.enum(accesses), blockKiB: z.number() };

const latencyReasonSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('graded'),
    ...{ ...loadShape, users: z.number(), letter: letterSchema, p95Ms: z.number() },
    isAtMost: z.boolean().meta({ description: 'p95Ms is the worst of its jobs: json+ tells all together' }),
    side: z.enum(['below', 'from']),
    boundMs: z.number().meta({ description: 'latencies on that side of it have the letter' }),
  }),
  z.object({ code: z.literal('no-scale'), ...loadShape }),
  z.object({
    code: z.literal('no-scale-at-users'),
    ...{ ...loadShape, users: z.number() },
    scaleUsers: z.number().meta({ description: 'with so many the load is graded' }),
  }),
  z.object({ code: z.literal('failed'), error: testErrorSchema }),
  z.object({ code: z.literal('no-latency') }),
  z.object({ code: z.literal('no-p95') }),
  z.object({ code: z.literal('load-unknown'), reason: loadUnknownSchema }),
  z.object({ code: z.literal('several-in-flight'), ioDepth: z.number() }),
  z.object({ code: z.literal('paced'), option: z.enum(pacing), value: z.string() }),
  z.object({
    code: z.literal('through-page-cache'),
    isWrite: z.boolean().meta({ description: 'of writes alone: sync would have done too' }),
  }),
]);
export type LatencyReason = z.infer<typeof latencyReasonSchema>;

const scalingReasonSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('graded'),
    ...{ letter: letterSchema, higherUsers: z.number(), higherP95Ms: z.number() },
    growth: z.number().meta({ description: 'of what more users could cost: 0 where latency stays' }),
  }),
  z.object({ code: z.literal('no-test-at-users'), higherUsers: z.number() }),
  z.object({ code: z.literal('no-p95') }),
]);
export type ScalingReason = z.infer<typeof scalingReasonSchema>;

/** Why a test has its letters, or none; of scaling null where its load has no scale for that. */
export const whySchema = z.object({ latency: latencyReasonSchema, scaling: scalingReasonSchema.nullable() });

export interface GradedTest extends FioTest {
  grade: Letter | null;
  scalingGrade: Letter | null;
  why: z.infer<typeof whySchema>;
  modes: readonly Mode[];
  disks: readonly Member[];
}

/** What the scale was made for: one thing after another of each user, past the host's memory. Null where the test is that. */
function unlikeTheScale({ access, ioDepth, options }: FioTest): LatencyReason | null {
  if (!ioDepth.known) return { code: 'load-unknown', reason: ioDepth.reason };
  if (ioDepth.value !== 1) return { code: 'several-in-flight', ioDepth: ioDepth.value };
  if (options === null) return null;
  const paced = pacedBy(options);
  if (paced !== null) return { code: 'paced', ...paced };
  const writes = access.known && access.value === 'write';
  if (isDirect(options) || (writes && isSync(options))) return null;
  return { code: 'through-page-cache', isWrite: writes };
}

interface Load {
  access: Access;
  blockKiB: number;
  users: number;
}
type LoadOrWhy = { load: Load } | { reason: LoadUnknown };
function loadOf({ access, blockKiB, users }: FioTest): LoadOrWhy {
  if (!access.known) return access;
  if (!blockKiB.known) return blockKiB;
  if (!users.known) return users;
  return { load: { access: access.value, blockKiB: blockKiB.value, users: users.value } };
}

function noScale({ access, blockKiB, users }: Load): LatencyReason {
  const same = latencyScales.find((scale) => scale.access === access && scale.blockKiB === blockKiB);
  return same === undefined
    ? { code: 'no-scale', access, blockKiB }
    : { code: 'no-scale-at-users', access, blockKiB, users, scaleUsers: same.users };
}

function latencyReason(test: FioTest): LatencyReason {
  if (test.error !== null) return { code: 'failed', error: test.error };
  if (test.latency === null) return { code: 'no-latency' };
  const found = loadOf(test);
  if ('reason' in found) return { code: 'load-unknown', reason: found.reason };
  const { load } = found;
  const scale = latencyScales.find(
    ({ access, blockKiB, users }) =>
      access === load.access && blockKiB === load.blockKiB && users === load.users,
  );
  if (scale === undefined) return noScale(load);
  const unlike = unlikeTheScale(test);
  if (unlike !== null) return unlike;
  const { p95Ms, isWorstOfSeveral } = test.latency;
  if (p95Ms === null) return { code: 'no-p95' };
  const letter = latencyGrade(p95Ms, scale);
  return {
    code: 'graded',
    ...load,
    letter,
    p95Ms,
    isAtMost: isWorstOfSeveral,
    ...latencyBoundOf(letter, scale),
  };
}

const keyOf = ({ access, blockKiB, users }: Load): string => `${access} ${blockKiB} ${users}`;

/** The first of each load that growth can be measured by. */
function byLoad(tests: readonly FioTest[]): ReadonlyMap<string, FioTest> {
  const found = new Map<string, FioTest>();
  for (const test of tests) {
    const of = loadOf(test);
    if ('reason' in of || test.error !== null || unlikeTheScale(test) !== null) continue;
    const key = keyOf(of.load);
    if (!found.has(key)) found.set(key, test);
  }
  return found;
}

function scalingReason(test: FioTest, all: ReadonlyMap<string, FioTest>): ScalingReason | null {
  const found = loadOf(test);
  if ('reason' in found || test.error !== null || test.latency === null) return null;
  const { load } = found;
  const isLoad = ({ access, blocksKiB }: ScalingScale): boolean =>
    access === load.access && blocksKiB.includes(load.blockKiB);
  const scale = scalingScales.find((one) => isLoad(one) && one.baseUsers === load.users);
  if (scale === undefined) return null;
  if (unlikeTheScale(test) !== null) return null;
  const { higherUsers } = scale;
  const higher = all.get(keyOf({ ...load, users: higherUsers }));
  if (higher === undefined) return { code: 'no-test-at-users', higherUsers };
  const [base, more] = [test.latency.p95Ms, higher.latency?.p95Ms ?? null];
  if (base === null || more === null || base === 0) return { code: 'no-p95' };
  const growth = growthOf(base, more, scale);
  return { code: 'graded', letter: scalingGrade(growth), higherUsers, higherP95Ms: more, growth };
}

const letterOf = (reason: LatencyReason | ScalingReason | null): Letter | null =>
  reason?.code === 'graded' ? reason.letter : null;

/**
 * The tests of one run with their letters.
 * @param tests of one run on one layout: growth is looked for among them.
 */
export function gradedTests(tests: readonly FioTest[]): GradedTest[] {
  const all = byLoad(tests);
  return tests.map((test) => {
    const [latency, scaling] = [latencyReason(test), scalingReason(test, all)];
    return {
      ...test,
      name: sanitize(test.name, 120),
      ...{ grade: letterOf(latency), scalingGrade: letterOf(scaling), why: { latency, scaling } },
      ...{ modes: modesOf(test.bins), disks: membersOf(test.members, test.notified) },
    };
  });
}
