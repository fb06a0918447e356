/** Runs side by side, and as repeats of one. */
import { gradeAnswer, type Run } from '../../../core/report-card/answer.ts';
import { testsOfFio } from '../../../core/report-card/fio-tests.ts';
import { gradeAnswerSchema } from '../../../core/schemas/grade-answer.ts';
import { fio3, type Job } from '../../fixtures/fio-output.ts';

const read = (iops: number, p95Ms: number) => ({
  operations: iops * 60,
  seconds: 60,
  blockKiB: 8,
  meanMs: p95Ms / 2,
  p95Ms,
});
const job = (iops: number, p95Ms: number, users = 16, name = 'read'): Job => ({
  name,
  read: read(iops, p95Ms),
  options: { rw: 'randread', bs: '8k', numjobs: `${users}` },
});
const run = (name: string, ...jobs: readonly Job[]): Run => ({
  name,
  tests: testsOfFio(fio3(...jobs)),
  monthlyUsd: null,
});
const sideBySide = (...runs: readonly Run[]) =>
  gradeAnswerSchema.parse(gradeAnswer(runs, { areRepeats: false }));
const repeated = (...runs: readonly Run[]) =>
  gradeAnswerSchema.parse(gradeAnswer(runs, { areRepeats: true }));

test('the same test of two runs stands side by side, the second in IOPS of the first', () => {
  const { comparison, repeats } = sideBySide(
    run('linear', job(571, 20)),
    run('stripe', job(3_426, 3)), // 3,426 / 571 = 6
  );
  expect(repeats).toEqual([]);
  expect(comparison).toEqual([
    {
      ...{ name: 'read', access: 'randread', blockKiB: 8, users: 16 },
      runs: [
        { run: 'linear', iops: 571, timesFirst: 1, p95Ms: 20, grade: 'D' },
        { run: 'stripe', iops: 3_426, timesFirst: 6, p95Ms: 3, grade: 'A' },
      ],
    },
  ]);
});

test('tests of other users, or of one run only, are not compared', () => {
  const { comparison } = sideBySide(
    run('one', job(100, 5, 16)),
    run('two', job(100, 5, 32), job(100, 5, 1, 'single')),
  );
  expect(comparison).toEqual([]);
});

test('two of the same name in one run are two tests, each with its own in the other', () => {
  // Sections of a job file one after the other (stonewall): groups 0 and 1.
  const twice = (name: string, first: number, second: number): Run => ({
    name,
    tests: [job(first, 5), job(second, 5)].flatMap((one) => testsOfFio(fio3(one))),
    monthlyUsd: null,
  });
  expect(sideBySide(twice('one', 100, 200)).comparison).toEqual([]);
  const { comparison } = sideBySide(twice('one', 100, 200), twice('two', 110, 220));
  expect(comparison.map(({ runs }) => runs.map(({ iops }) => iops))).toEqual([
    [100, 110],
    [200, 220],
  ]);
});

test('repeats: the mean of each test, and how sure it is', () => {
  const { comparison, repeats } = repeated(
    run('1', job(980, 4)),
    run('2', job(1_000, 5)),
    run('3', job(1_020, 6)),
  );
  expect(comparison).toEqual([]);
  const [one, ...others] = repeats;
  expect(others).toEqual([]);
  // Deviation 20, 4.303 x 20 / root of 3 = 49.7; of the latency 1, so 2.48.
  expect(one).toMatchObject({ name: 'read', users: 16, runs: 3, iops: { mean: 1_000 }, p95Ms: { mean: 5 } });
  expect(one?.iops.low).toBeCloseTo(950.3, 1);
  expect(one?.iops.high).toBeCloseTo(1_049.7, 1);
  expect(one?.p95Ms?.high).toBeCloseTo(7.48, 2);
});

test('a run that failed is not one of the repeats, and that is said', () => {
  const failed: Job = { name: 'read', error: 5, options: { rw: 'randread', bs: '8k', numjobs: '16' } };
  const { repeats, notes } = repeated(run('1', job(980, 4)), run('2', failed), run('3', job(1_020, 6)));
  // (980 + 1,020) / 2, not a third of it.
  expect(repeats).toMatchObject([{ runs: 2, iops: { mean: 1_000 } }]);
  expect(notes).toEqual([
    { code: 'not-compared', run: '2', name: 'read', error: { code: 'fio-error', errno: 5 } },
  ]);
});

test('one that is left alone is no repeat', () => {
  expect(repeated(run('1', job(980, 4)), run('2', job(1, 1, 32))).repeats).toEqual([]);
});

test('more and more users are a curve; another depth is another curve', () => {
  const deep = (users: number): Job => ({
    ...job(5_000, 9, users, `deep-${users}`),
    options: { rw: 'randread', bs: '8k', numjobs: `${users}`, iodepth: '32' },
  });
  const { curves } = sideBySide(
    run('a', job(2_000, 8, 32, 'two'), job(1_000, 5, 16, 'one'), deep(16), deep(32)),
  );
  expect(curves.map(({ ioDepth, points }) => [ioDepth, points.map(({ users }) => users)])).toEqual([
    [1, [16, 32]],
    [32, [16, 32]],
  ]);
});

test('what 1,000 IOPS cost', () => {
  const [test] = gradeAnswer([{ ...run('a', job(3_000, 5)), monthlyUsd: 60 }], { areRepeats: false }).tests;
  expect(test?.usdPer1000Iops).toBe(20); // 60 / 3
});
