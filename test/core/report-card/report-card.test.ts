/** Why a test has its letters, or none. */
import { testsOfFio } from '../../../core/report-card/fio-tests.ts';
import { gradedTests } from '../../../core/report-card/report-card.ts';
import { fio3, fio21, type Job } from '../../fixtures/fio-output.ts';

const did = { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 3, p95Ms: 5 };
const random = (users: number, options = {}) => ({
  rw: 'randread',
  bs: '8k',
  numjobs: `${users}`,
  ...options,
});
const card = (...jobs: readonly Job[]) => gradedTests(testsOfFio(fio3(...jobs)));

test('a graded test has its place on the scale', () => {
  const [test] = card({ name: 'read', read: did, options: random(16) });
  expect(test?.grade).toBe('A-');
  expect(test?.why).toEqual({
    latency: {
      ...{ code: 'graded', access: 'randread', blockKiB: 8, users: 16, letter: 'A-', p95Ms: 5 },
      ...{ isAtMost: false, side: 'below', boundMs: 6 },
    },
    scaling: { code: 'no-test-at-users', higherUsers: 32 },
  });
});

test('growth stands with the base load', () => {
  // (8 / 5 - 1) / 2 = 0.3, which is B
  const [base, higher] = card(
    { name: 'read-16', read: did, options: random(16) },
    { name: 'read-32', read: { ...did, p95Ms: 8 }, options: random(32) },
  );
  expect([base?.scalingGrade, higher?.scalingGrade]).toEqual(['B', null]);
  expect(base?.why.scaling).toEqual({
    ...{ code: 'graded', letter: 'B', higherUsers: 32, higherP95Ms: 8 },
    growth: expect.closeTo(0.3, 12),
  });
  expect(higher?.why).toEqual({
    latency: { code: 'no-scale-at-users', access: 'randread', blockKiB: 8, users: 32, scaleUsers: 16 },
    scaling: null,
  });
});

test('growth is looked for among tests that are as the scale was made', () => {
  const [base] = card(
    { name: 'read-16', read: did, options: random(16) },
    { name: 'deep-32', read: { ...did, p95Ms: 80 }, options: random(32, { iodepth: '32' }) },
    { name: 'read-32', read: { ...did, p95Ms: 8 }, options: random(32) },
  );
  expect(base?.scalingGrade).toBe('B');
});

test('8 KiB writes have no scale for latency, and one for growth', () => {
  const write = (users: number, p95Ms: number) => ({
    name: `write-${users}`,
    write: { ...did, p95Ms },
    options: { rw: 'write', bs: '8k', numjobs: `${users}`, sync: '1' },
  });
  const [base] = card(write(4, 2), write(16, 10));
  // (10 / 2 - 1) / 4 = 1
  expect([base?.grade, base?.scalingGrade]).toEqual([null, 'D']);
  expect(base?.why.latency).toEqual({ code: 'no-scale', access: 'write', blockKiB: 8 });
});

test.each([
  [{ iodepth: '32' }, { code: 'several-in-flight', ioDepth: 32 }],
  [{ rate_iops: '100' }, { code: 'paced', option: 'rate_iops', value: '100' }],
  [{ thinktime: '500' }, { code: 'paced', option: 'thinktime', value: '500' }],
  [
    { iodepth: 'many' },
    { code: 'load-unknown', reason: { code: 'no-count', option: 'iodepth', value: 'many' } },
  ],
  [{ direct: '0' }, { code: 'through-page-cache', isWrite: false }],
])('what is not as the scale was made is not graded: %j', (options, reason) => {
  const [test] = card({ name: 'read', read: did, options: random(16, options) });
  expect(test?.grade).toBeNull();
  expect(test?.why.latency).toEqual(reason);
});

test('synchronous writes need not be direct', () => {
  const options = { rw: 'write', bs: '1k', numjobs: '4', direct: '0' };
  const write = { ...did, blockKiB: 1, p95Ms: 0.3 };
  const [sync, buffered] = [{ ...options, sync: '1' }, options].map(
    (one) => card({ name: 'log', write, options: one })[0],
  );
  expect([sync?.grade, buffered?.grade]).toEqual(['A', null]);
  expect(buffered?.why.latency).toEqual({ code: 'through-page-cache', isWrite: true });
});

test('an error is reported, and nothing is graded beside it', () => {
  const tests = card(
    { name: 'read-16', read: did, options: random(16), totalErrors: 2 },
    { name: 'read-32', read: did, options: random(32), error: 5 },
  );
  expect(tests.map(({ grade, scalingGrade, why }) => [grade, scalingGrade, why.latency])).toEqual([
    [null, null, { code: 'failed', error: { code: 'operations-failed', operations: 2 } }],
    [null, null, { code: 'failed', error: { code: 'fio-error', errno: 5 } }],
  ]);
});

test('what did nothing is not graded', () => {
  const [test] = card({ name: 'idle', options: random(16) });
  expect([test?.grade, test?.why]).toEqual([null, { latency: { code: 'no-latency' }, scaling: null }]);
});

test('of fio 2.1 it is known what is missing', () => {
  const [test] = gradedTests(testsOfFio(fio21({ name: 'random-read', read: did })));
  expect(test?.grade).toBeNull();
  expect(test?.why.latency).toEqual({
    code: 'load-unknown',
    reason: { code: 'not-in-file', what: 'access' },
  });
});

test('two modes stand beside the letter, with the share in each', () => {
  const [test] = card({
    name: 'log',
    write: { ...did, blockKiB: 1, p95Ms: 14, bins: { 0.5: 300, 0.6: 300, 14: 400 } },
    options: { rw: 'write', bs: '1k', numjobs: '4', sync: '1' },
  });
  expect(test?.grade).toBe('D');
  expect(test?.modes.map(({ share }) => share)).toEqual([expect.closeTo(0.6, 9), expect.closeTo(0.4, 9)]);
});

test('a percentile that is the worst of several jobs is said to be that', () => {
  const jobs = [4, 5].map((p95Ms) => ({ name: 'read', read: { ...did, p95Ms }, options: random(16) }));
  const result = fio3(...jobs, ...Array.from({ length: 14 }, () => jobs[0] as (typeof jobs)[0]));
  const [test] = gradedTests(testsOfFio(result));
  expect(test?.why.latency).toMatchObject({ code: 'graded', p95Ms: 5, isAtMost: true });
});
