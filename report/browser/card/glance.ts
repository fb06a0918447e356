/** Tests by runs: what has which letters, and why some have none. */
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import { accessWords, blockText, latencyReasonText, usersText } from '../../wording/report-card.ts';

/** Of a test without letter for its latency. */
const reasonOf = ({ why }: GradedTestAnswer): string => latencyReasonText(why.latency);

/** "8 KiB random reads, 16 users, 4 at once each": of what is known. */
export function loadOf(test: Pick<GradedTestAnswer, 'access' | 'blockKiB' | 'users' | 'ioDepth'>): string {
  const { access, blockKiB, users, ioDepth } = test;
  const block = blockKiB === null ? '' : `${blockText(blockKiB)} `;
  return [
    access === null ? `${block}access not known` : `${block}${accessWords[access]}`,
    users === null ? 'users not known' : usersText(users),
    ...(ioDepth === null || ioDepth === 1 ? [] : [`${ioDepth} at once each`]),
  ].join(', ');
}

export interface NumberedTest extends GradedTestAnswer {
  /** From 1, as the page links to it. */
  number: number;
}

export interface GlanceRow {
  name: string;
  load: string;
  /** One entry a run; null where it has no such test. */
  tests: (NumberedTest | null)[];
}

export interface Glance {
  runs: string[];
  rows: GlanceRow[];
  /** Each once; the first has the number 1. */
  reasons: string[];
  /** Number of the reason; null where there is a letter. */
  reasonNumber: (test: GradedTestAnswer) => number | null;
}

/** @param tests in the order of the answer. Of a run that did the same twice there are two rows. */
export function glanceOf(tests: readonly GradedTestAnswer[]): Glance {
  const runs = [...new Set(tests.map(({ run }) => run))];
  const rows = new Map<string, GlanceRow>();
  const seen = new Map<string, number>();
  tests.forEach((test, index) => {
    const { run, name, access, blockKiB, users, ioDepth } = test;
    const same = JSON.stringify([name, access, blockKiB, users, ioDepth]);
    const inRun = JSON.stringify([run, same]);
    const before = seen.get(inRun) ?? 0;
    seen.set(inRun, before + 1);
    const key = `${before} ${same}`;
    const row = rows.get(key) ?? { name, load: loadOf(test), tests: runs.map(() => null) };
    row.tests[runs.indexOf(run)] = { ...test, number: index + 1 };
    rows.set(key, row);
  });
  const reasons = [...new Set(tests.filter(({ grade }) => grade === null).map(reasonOf))];
  const reasonNumber = (test: GradedTestAnswer): number | null =>
    test.grade === null ? reasons.indexOf(reasonOf(test)) + 1 : null;
  return { runs, rows: [...rows.values()], reasons, reasonNumber };
}
