/** Why a test has its letters, or none. */
import { testsOfFio } from '../../../core/reportcard/fio-tests.ts';
import { gradedTests } from '../../../core/reportcard/report-card.ts';
import { fio3, fio21, type Job } from '../../fixtures/fio-output.ts';

const did = { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 3, p95Ms: 5 };
const random = (users: number, options = {}) => ({
  rw: 'randread',
  bs: '8k',
  numjobs: `${users}`,
  ...options,
});
const card = (...jobs: readonly Job[]) => gradedTests(testsOfFio(fio3(...jobs)));

test('a graded test says where it lies on the scale', () => {
  const [test] = card({ name: 'read', read: did, options: random(16) });
  expect(test?.grade).toBe('A-');
  expect(test?.why).toMatch(
    /^95 % within 5 ms: A- is below 6 ms for 8 KiB random reads at 16 users; how it scales is not known without a test at 32 users$/,
  );
});

test('growth stands with the base load', () => {
  // (8 / 5 - 1) / 2 = 0.3, which is B
  const [base, higher] = card(
    { name: 'read-16', read: did, options: random(16) },
    { name: 'read-32', read: { ...did, p95Ms: 8 }, options: random(32) },
  );
  expect([base?.scalingGrade, higher?.scalingGrade]).toEqual(['B', null]);
  expect(base?.why).toContain('at 32 users 95 % within 8 ms: it grows by 0.3 of what it could, B');
  expect(higher?.why).toBe('no published scale for 8 KiB random reads at 32 users: they are graded at 16');
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
});

test.each([
  [{ iodepth: '32' }, 'for users with one operation under way each, and here they have 32'],
  [{ rate_iops: '100' }, 'its users wait between what they ask for (rate_iops=100)'],
  [{ thinktime: '500' }, 'its users wait between what they ask for (thinktime=500)'],
  [{ iodepth: 'many' }, 'iodepth is many'],
  [{ direct: '0' }, 'it went through the host’s memory (not direct)'],
])('what is not as the scale was made is not graded: %j', (options, why) => {
  const [test] = card({ name: 'read', read: did, options: random(16, options) });
  expect(test?.grade).toBeNull();
  expect(test?.why).toContain(why);
});

test('synchronous writes need not be direct', () => {
  const options = { rw: 'write', bs: '1k', numjobs: '4', direct: '0' };
  const write = { ...did, blockKiB: 1, p95Ms: 0.3 };
  const [sync, buffered] = [{ ...options, sync: '1' }, options].map(
    (one) => card({ name: 'log', write, options: one })[0],
  );
  expect([sync?.grade, buffered?.grade]).toEqual(['A', null]);
  expect(buffered?.why).toContain('neither direct nor sync');
});

test('an error is told, and nothing is graded beside it', () => {
  const tests = card(
    { name: 'read-16', read: did, options: random(16), totalErrors: 2 },
    { name: 'read-32', read: did, options: random(32), error: 5 },
  );
  expect(tests.map(({ grade, scalingGrade, why }) => [grade, scalingGrade, why])).toEqual([
    [null, null, 'not graded: 2 operations failed'],
    [null, null, 'not graded: fio ended with error 5'],
  ]);
});

test('what did nothing is not graded', () => {
  const [test] = card({ name: 'idle', options: random(16) });
  expect([test?.grade, test?.why]).toEqual([null, 'not graded: it did nothing that took time']);
});

test('of fio 2.1 what is missing is said', () => {
  const [test] = gradedTests(testsOfFio(fio21({ name: 'random-read', read: did })));
  expect(test?.grade).toBeNull();
  expect(test?.why).toContain('whether it is random or sequential is not in the file');
});

test('two modes are a sign of throttling or tiering, with the share in each', () => {
  const [test] = card({
    name: 'log',
    write: { ...did, blockKiB: 1, p95Ms: 14, bins: { 0.5: 300, 0.6: 300, 14: 400 } },
    options: { rw: 'write', bs: '1k', numjobs: '4', sync: '1' },
  });
  expect(test?.grade).toBe('D');
  expect(test?.why).toMatch(
    /latency has 2 modes, a sign of throttling or of two tiers of storage: 60 % around 0\.\d+ ms, 40 % around 1\d/,
  );
});

test('a percentile that is the worst of several jobs is said to be that', () => {
  const jobs = [4, 5].map((p95Ms) => ({ name: 'read', read: { ...did, p95Ms }, options: random(16) }));
  const result = fio3(...jobs, ...Array.from({ length: 14 }, () => jobs[0] as (typeof jobs)[0]));
  const [test] = gradedTests(testsOfFio(result));
  expect(test?.why).toContain('95 % within 5 ms at most (the worst of its jobs');
});
