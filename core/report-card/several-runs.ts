/** Runs side by side, or as repeats of one. */

import type { Compared, GradedTestAnswer, GradeNote, Repeated } from '../schemas/grade-answer.ts';
import { estimateOf } from './report-card.ts';

/** The same test of several runs has the same name, load and users; of one run no two are the same. */
function bySameTest(tests: readonly GradedTestAnswer[]): GradedTestAnswer[][] {
  const found = new Map<string, GradedTestAnswer[]>();
  const seen = new Map<string, number>();
  for (const test of tests) {
    const { run, name, access, blockKiB, users, ioDepth } = test;
    const load = JSON.stringify([name, access, blockKiB, users, ioDepth]);
    const inRun = JSON.stringify([run, load]);
    const before = seen.get(inRun) ?? 0;
    seen.set(inRun, before + 1);
    const key = `${before} ${load}`;
    const same = found.get(key);
    if (same === undefined) found.set(key, [test]);
    else same.push(test);
  }
  // What failed says nothing of how fast it is.
  return [...found.values()]
    .map((same) => same.filter(({ error }) => error === null))
    .filter((same) => same.length > 1);
}

/** Tests that are not counted, and why. */
export const leftOut = (tests: readonly GradedTestAnswer[]): GradeNote[] =>
  tests.flatMap(({ run, name, error }) =>
    error === null ? [] : [{ code: 'not-compared' as const, run, name, error }],
  );

const sameOf = ({ name, access, blockKiB, users }: GradedTestAnswer) => ({ name, access, blockKiB, users });

export const comparison = (tests: readonly GradedTestAnswer[]): Compared[] =>
  bySameTest(tests).map((same) => {
    const [first] = same as [GradedTestAnswer];
    return {
      ...sameOf(first),
      runs: same.map(({ run, iops, latencyMs, grade }) => ({
        ...{ run, iops, p95Ms: latencyMs.p95, grade },
        timesFirst: first.iops > 0 ? iops / first.iops : null,
      })),
    };
  });

export const repeats = (tests: readonly GradedTestAnswer[]): Repeated[] =>
  bySameTest(tests).map((same) => {
    const [first] = same as [GradedTestAnswer];
    const p95 = same.flatMap(({ latencyMs }) => latencyMs.p95 ?? []);
    return {
      ...sameOf(first),
      runs: same.length,
      iops: estimateOf(same.map(({ iops }) => iops)),
      p95Ms: p95.length === same.length ? estimateOf(p95) : null,
    };
  });
