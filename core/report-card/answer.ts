/** Report cards of one or several runs, as one document. */
import type { Known } from '../known.ts';
import type { Curve, GradeAnswer, GradedTestAnswer, GradeNote } from '../schemas/grade-answer.ts';
import type { FioTest } from './fio-tests.ts';
import { limitThatEnded, slowMembers } from './members.ts';
import { type GradedTest, gradedTests } from './report-card.ts';
import { comparison, leftOut, repeats } from './several-runs.ts';

/** Of one file, or of one layout. */
export interface Run {
  name: string;
  tests: readonly FioTest[];
  /** What the layout costs a month, in USD; null where nobody said. */
  monthlyUsd: number | null;
  /** What was odd about its files. */
  notes?: readonly GradeNote[];
}

const valueOrNull = <T>(value: Known<T, unknown>): T | null => (value.known ? value.value : null);

function testAnswer(test: GradedTest, { name, monthlyUsd }: Run): GradedTestAnswer {
  const limit = limitThatEnded(test.disks);
  const slow = new Set(slowMembers(test.disks));
  const { latency } = test;
  return {
    ...{ run: name, name: test.name },
    ...{ access: valueOrNull(test.access), blockKiB: valueOrNull(test.blockKiB) },
    ...{ users: valueOrNull(test.users), ioDepth: valueOrNull(test.ioDepth), readShare: test.readShare },
    ...{ iops: test.iops, mibps: test.mibps },
    latencyMs: {
      ...{ mean: latency?.meanMs ?? null, p50: latency?.p50Ms ?? null },
      ...{ p95: latency?.p95Ms ?? null, p99: latency?.p99Ms ?? null },
      isWorstOfSeveral: latency?.isWorstOfSeveral ?? false,
    },
    ...{ grade: test.grade, scalingGrade: test.scalingGrade, why: test.why, modes: [...test.modes] },
    histogram: test.bins.map(({ fromMs, toMs, share }) => ({
      ...{ fromMs, share },
      toMs: Number.isFinite(toMs) ? toMs : null,
    })),
    members: test.disks.map(({ volumeId, device, iops, share, waitMs, exceeded }, index) => ({
      ...{ volumeId, device, iops, share, waitMs, exceeded },
      isSlow: slow.has(test.disks[index] as (typeof test.disks)[number]),
    })),
    limit: valueOrNull(limit),
    limitReason: limit.known ? null : limit.reason,
    error: test.error,
    usdPer1000Iops: monthlyUsd === null || test.iops === 0 ? null : (monthlyUsd / test.iops) * 1000,
    overTime: test.overTime,
  };
}

/** Loads that were measured with more than one number of users. */
function curvesOf(tests: readonly GradedTestAnswer[]): Curve[] {
  const found = new Map<string, Curve>();
  for (const { run, access, blockKiB, users, ioDepth, iops, mibps, latencyMs, error } of tests) {
    if (access === null || blockKiB === null || users === null || error !== null) continue;
    const key = JSON.stringify([run, access, blockKiB, ioDepth]);
    const curve = found.get(key) ?? { run, access, blockKiB, ioDepth, points: [] };
    curve.points.push({ users, iops, mibps, meanMs: latencyMs.mean, p95Ms: latencyMs.p95 });
    found.set(key, curve);
  }
  return [...found.values()]
    .filter(({ points }) => new Set(points.map(({ users }) => users)).size > 1)
    .map((curve) => ({ ...curve, points: curve.points.sort((a, b) => a.users - b.users) }));
}

/** @param areRepeats of one benchmark: told with their confidence, instead of side by side. */
export function gradeAnswer(runs: readonly Run[], { areRepeats }: { areRepeats: boolean }): GradeAnswer {
  const tests = runs.flatMap((run) => gradedTests(run.tests).map((test) => testAnswer(test, run)));
  return {
    tests,
    curves: curvesOf(tests),
    comparison: areRepeats ? [] : comparison(tests),
    repeats: areRepeats ? repeats(tests) : [],
    notes: [...runs.flatMap(({ notes = [] }) => notes), ...(runs.length > 1 ? leftOut(tests) : [])],
  };
}
