/** What the page of a report card shows of its tests: letters by runs, reasons, runs side by side. */
import { gradeAnswer } from '../../../core/report-card/answer.ts';
import { testsOfFio } from '../../../core/report-card/fio-tests.ts';
import type { GradeAnswer } from '../../../core/schemas/grade-answer.ts';
import { glanceOf, loadOf } from '../../../report/browser/card/glance.ts';
import { sectionsOf } from '../../../report/browser/card/sections.ts';
import { sideBySide } from '../../../report/browser/card/side-by-side.ts';
import { fio3, type Job } from '../../fixtures/fio-output.ts';

const aJob = (users: number, operations = 60_000, more: Partial<Job> = {}): Job => ({
  name: `randread-${users}`,
  read: { operations, seconds: 10, blockKiB: 8, meanMs: 1.5, p95Ms: 1.9 },
  options: { rw: 'randread', bs: '8k', numjobs: `${users}`, iodepth: '1' },
  ...more,
});
const aRun = (name: string, monthlyUsd: number | null, ...jobs: Job[]) => ({
  ...{ name, monthlyUsd },
  tests: testsOfFio(fio3(...jobs)),
});
const graded = (...runs: ReturnType<typeof aRun>[]): GradeAnswer => gradeAnswer(runs, { areRepeats: false });

describe('at a glance', () => {
  test('there is a row a test and a column a run, with the number that a test is linked to by', () => {
    const { tests } = graded(aRun('a', null, aJob(16), aJob(32)), aRun('b', null, aJob(32)));
    const { runs, rows } = glanceOf(tests);
    expect(runs).toEqual(['a', 'b']);
    expect(rows.map(({ name, tests: of }) => [name, of.map((one) => one?.number ?? null)])).toEqual([
      ['randread-16', [1, null]],
      ['randread-32', [2, 3]],
    ]);
  });

  test('what a run did twice has two rows', () => {
    const once = aRun('a', null, aJob(16));
    const twice = { ...once, tests: [...once.tests, ...once.tests] };
    const { tests } = graded(twice, aRun('b', null, aJob(16)));
    expect(glanceOf(tests).rows.map((row) => row.tests.map((one) => one?.number ?? null))).toEqual([
      [1, 3],
      [2, null],
    ]);
  });

  test('each reason for no letter is reported once; what has a letter needs none', () => {
    const { tests } = graded(aRun('a', null, aJob(16), aJob(32)), aRun('b', null, aJob(32)));
    const { reasons, reasonNumber } = glanceOf(tests);
    expect(reasons).toEqual([
      'Not graded: no published scale for 8 KiB random reads at 32 users, only at 16.',
    ]);
    expect(tests.map(reasonNumber)).toEqual([null, 1, 1]);
  });
});

test.each([
  [{ access: 'randread', blockKiB: 8, users: 16, ioDepth: 1 }, '8 KiB random reads, 16 users'],
  [
    { access: 'rw', blockKiB: 1_024, users: 1, ioDepth: 4 },
    '1 MiB sequential reads and writes, 1 user, 4 at once each',
  ],
  [{ access: null, blockKiB: null, users: null, ioDepth: null }, 'access not known, users not known'],
] as const)('a load of which %j is known is: %s', (load, said) => {
  expect(loadOf(load)).toBe(said);
});

test('side by side there is what 1,000 IOPS cost, how it scales, and who has most', () => {
  const { comparison, tests } = graded(
    aRun('a', 30, aJob(16), aJob(32)),
    aRun('b', 60, aJob(16, 240_000), aJob(32, 240_000)),
  );
  const [first] = comparison.map((one) => sideBySide(one, tests));
  expect(
    first?.map(({ run, usdPer1000Iops, scalingGrade, isMost }) => [
      run,
      usdPer1000Iops,
      scalingGrade,
      isMost,
    ]),
  ).toEqual([
    ['a', 5, 'A+', false], // 30 USD / 6,000 IOPS
    ['b', 2.5, 'A+', true], // 60 USD / 24,000 IOPS
  ]);
});

describe('the way through the page', () => {
  const card = { version: 1, madeAt: '', title: '', label: null, campaign: null } as const;
  const ids = (grades: GradeAnswer) => sectionsOf({ ...card, grades }).map(({ id }) => id);

  test('leads to what there is', () => {
    expect(ids(graded())).toEqual(['grades', 'scale']);
    expect(ids(graded(aRun('a', null, aJob(16), aJob(32))))).toEqual(['grades', 'scaling', 'tests', 'scale']);
  });
});
