/** Runs of one test beside each other, with what else is known of each. */
import type { Compared, GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';

type ComparedRun = Compared['runs'][number];

export interface SideBySide extends ComparedRun {
  scalingGrade: string | null;
  usdPer1000Iops: number | null;
  /** Nothing else of the same has more IOPS. */
  isMost: boolean;
}

/** By name, load and run; of several that are alike in all that, the first with the same figures. */
function testOf(
  { name, access, blockKiB, users }: Compared,
  { run, iops }: ComparedRun,
  tests: readonly GradedTestAnswer[],
): GradedTestAnswer | undefined {
  return tests.find(
    (test) =>
      test.run === run &&
      test.name === name &&
      test.access === access &&
      test.blockKiB === blockKiB &&
      test.users === users &&
      test.iops === iops,
  );
}

export function sideBySide(compared: Compared, tests: readonly GradedTestAnswer[]): SideBySide[] {
  const most = Math.max(...compared.runs.map(({ iops }) => iops));
  const isAlone = compared.runs.filter(({ iops }) => iops === most).length === 1;
  return compared.runs.map((run) => {
    const test = testOf(compared, run, tests);
    return {
      ...run,
      scalingGrade: test?.scalingGrade ?? null,
      usdPer1000Iops: test?.usdPer1000Iops ?? null,
      isMost: isAlone && run.iops === most,
    };
  });
}
