/** `grade`: the report card of what fio measured. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gradeAnswerSchema } from '../../core/schemas/grade-answer.ts';
import { direction3, fio3, fio21, type Job } from '../fixtures/fio-output.ts';
import { dataInPage } from '../fixtures/page-parts.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const did = (p95Ms: number, iops = 1_000, blockKiB = 8) => ({
  ...{ operations: iops * 60, seconds: 60, blockKiB, meanMs: p95Ms / 2, p95Ms },
});
const random = (users: number, p95Ms: number, iops = 1_000): Job => ({
  name: `randread-8k-${users}`,
  read: did(p95Ms, iops),
  options: { rw: 'randread', bs: '8k', numjobs: `${users}` },
});
const sequential = (users: number, p95Ms: number): Job => ({
  name: `read-1m-${users}`,
  read: did(p95Ms, 100, 1_024),
  options: { rw: 'read', bs: '1m', numjobs: `${users}` },
});
const log = (kib: number, users: number, p95Ms: number): Job => ({
  name: `write-${kib}k-${users}`,
  write: did(p95Ms, 500, kib),
  options: { rw: 'write', bs: `${kib}k`, numjobs: `${users}`, sync: '1' },
});
const fileOf = (name: string, ...jobs: readonly Job[]) => directory.write(name, fio3(...jobs));
const answerOf = async (...argv: string[]) => gradeAnswerSchema.parse(await cliJson('grade', ...argv));

describe('one file', () => {
  const file = fileOf(
    'card.json',
    // (7.5 / 5 - 1) / 2 = 0.25
    ...[random(16, 5), random(32, 7.5)],
    // (40 / 10 - 1) / 8 = 0.375
    ...[sequential(1, 10), sequential(8, 40)],
    // (0.5 / 0.3 - 1) / 4 = 0.17
    ...[log(1, 4, 0.3), log(1, 16, 0.5)],
    // (14 / 14 - 1) / 4 = 0
    ...[log(128, 4, 14), log(128, 16, 14)],
  );

  test('letters of the published scale, as JSON of its schema', async () => {
    const { tests, comparison, repeats } = await answerOf(file);
    expect(tests.map(({ name, grade, scalingGrade }) => [name, grade, scalingGrade])).toEqual([
      ['randread-8k-16', 'A-', 'B'],
      ['randread-8k-32', null, null],
      ['read-1m-1', 'A+', 'B-'],
      ['read-1m-8', null, null],
      ['write-1k-4', 'A', 'A-'],
      ['write-1k-16', null, null],
      ['write-128k-4', 'D', 'A+'],
      ['write-128k-16', null, null],
    ]);
    expect(tests.map(({ why }) => why.latency.code)).toEqual(
      tests.map(({ grade }) => (grade === null ? 'no-scale-at-users' : 'graded')),
    );
    expect([comparison, repeats]).toEqual([[], []]);
    expect(tests[0]).toMatchObject({
      ...{ run: 'card.json', access: 'randread', blockKiB: 8, users: 16, ioDepth: 1, iops: 1_000 },
      latencyMs: { mean: 2.5, p50: 2.5, p95: 5, p99: 10 },
      usdPer1000Iops: null,
    });
  });

  test('a row a test, and why', async () => {
    const { code, out } = await runCli('grade', file);
    expect(code).toBe(0);
    expect(out).toMatch(
      /│ randread-8k-16 │ 8 +│ 16 +│ 1,000 │ 7\.81\d* +│ 2\.5 +│ 2\.5 +│ 5 +│ 10 +│ A- +│ B +│/,
    );
    expect(out).toContain(
      'randread-8k-16: Grade A-: 95 % within 5 ms (below 6 ms for 8 KiB random reads at 16 users). Scaling B: 95 % within 7.5 ms at 32 users, a growth of 0.25.',
    );
    expect(out).not.toContain('Side by side');
    expect(out.split('\n').every((line) => line === line.trimEnd())).toBe(true);
  });

  test('--monthly-usd: what 1,000 IOPS cost', async () => {
    const [first] = (await answerOf(file, '--monthly-usd', '42')).tests;
    expect(first?.usdPer1000Iops).toBe(42); // of 1,000 IOPS
    expect((await runCli('grade', file, '--monthly-usd', '42')).out).toContain('42.00');
  });

  test('text of the file does nothing to the terminal', async () => {
    const untrusted = fileOf('untrusted.json', { ...random(16, 5), name: 'a\u001b[31m\nb\u202e' });
    const { out } = await runCli('grade', untrusted);
    expect(out).toContain('a\\u{1b}[31m\\u{a}b\\u{202e}');
    expect(out).not.toContain('\u001b');
  });
});

describe('fio 2.1, which does not say what it did', () => {
  const file = directory.write('old.json', fio21({ name: 'random-read', read: did(5) }));

  test('is reported without letters, and why', async () => {
    const [test] = (await answerOf(file)).tests;
    expect(test).toMatchObject({ access: null, users: null, blockKiB: 8, grade: null, iops: 1_000 });
    expect(test?.why.latency).toEqual({
      code: 'load-unknown',
      reason: { code: 'not-in-file', what: 'access' },
    });
    expect((await runCli('grade', file)).out).toContain(
      'Not graded: whether it was random or sequential is not in the file (fio before 2.9).',
    );
  });

  test('--access and --users say it', async () => {
    const [test] = (await answerOf(file, '--access', 'randread', '--users', '16')).tests;
    expect(test).toMatchObject({ access: 'randread', users: 16, grade: 'A-' });
  });

  test('what is not what it did is not taken', async () => {
    const [test] = (await answerOf(file, '--access', 'write', '--users', '4')).tests;
    expect(test).toMatchObject({
      access: null,
      grade: null,
      why: { latency: { code: 'load-unknown', reason: { code: 'not-what-it-did', access: 'write' } } },
    });
  });

  test('they do not change what a file says', async () => {
    const trims: Job = { ...random(16, 5), options: { rw: 'randtrim', bs: '8k', numjobs: '16' } };
    const [trim, read] = (
      await answerOf(fileOf('trim.json', trims, random(16, 5)), '--access', 'randread', '--users', '4')
    ).tests;
    expect(trim).toMatchObject({
      ...{ access: null, grade: null },
      why: { latency: { code: 'load-unknown', reason: { code: 'other-access', access: 'randtrim' } } },
    });
    expect(read).toMatchObject({ users: 16, grade: 'A-' });
  });
});

describe('several files', () => {
  const linear = fileOf('linear.json', random(16, 20, 500));
  const stripe = fileOf('stripe.json', random(16, 3, 3_000));

  test('stand side by side', async () => {
    const { comparison } = await answerOf(linear, stripe);
    expect(comparison[0]?.runs).toEqual([
      { run: 'linear.json', iops: 500, timesFirst: 1, p95Ms: 20, grade: 'D' },
      { run: 'stripe.json', iops: 3_000, timesFirst: 6, p95Ms: 3, grade: 'A' },
    ]);
    expect((await runCli('grade', linear, stripe)).out).toContain(
      'randread-8k-16: linear.json 500 IOPS 95 % in 20 ms, stripe.json 3,000 IOPS (6.00 times) 95 % in 3 ms',
    );
  });

  test('--repeats: a mean, and how sure it is', async () => {
    const files = [980, 1_000, 1_020].map((iops) => fileOf(`run-${iops}.json`, random(16, 5, iops)));
    const { repeats, comparison } = await answerOf('--repeats', ...files);
    expect(comparison).toEqual([]);
    // 4.303 x 20 / root of 3 = 49.7
    expect(repeats[0]).toMatchObject({ runs: 3, iops: { mean: 1_000, low: expect.closeTo(950.3, 1) } });
    expect((await runCli('grade', '--repeats', ...files)).out).toContain(
      'randread-8k-16: 3 runs, 1,000 IOPS (950 to 1,050), 95 % in 5 ms (5 to 5), with 95 % confidence',
    );
  });

  test('of the same name they are called by their paths', async () => {
    const [a, b] = ['a/card.json', 'b/card.json'].map((name) => fileOf(name, random(16, 5))) as [
      string,
      string,
    ];
    expect((await answerOf(a, b)).tests.map(({ run }) => run)).toEqual([a, b]);
  });

  test('one that failed is not compared, and that is said', async () => {
    const failed = fileOf('failed.json', { ...random(16, 5), error: 5 });
    const { code, out } = await runCli('grade', linear, failed);
    expect(code).toBe(0);
    expect(out).toContain('note: randread-8k-16 of failed.json is not compared: fio ended with error 5.');
    expect(out).not.toContain('Side by side');
  });
});

test('histograms, two modes: throttling or tiering', async () => {
  const bimodal = { ...did(14, 500, 1), bins: { 0.5: 18_000, 14: 12_000 } };
  const file = fileOf('modes.json', { ...log(1, 4, 14), write: bimodal });
  const [test] = (await answerOf(file)).tests;
  expect(test?.modes.map(({ share }) => share)).toEqual([0.6, 0.4]);
  expect((await runCli('grade', file)).out).toContain(
    'Latency has 2 modes, a sign of throttling or of two storage tiers: 60 % around',
  );
});

test('json+ without the 95th percentile has it in its histogram', async () => {
  const result = fio3(random(16, 5));
  const [job] = result.jobs ?? [];
  if (job === undefined) throw new Error('no job');
  job.read = direction3({ ...did(5), bins: { 3: 94, 7: 6 } });
  job.read.clat_ns = { ...(job.read.clat_ns as NonNullable<typeof job.read.clat_ns>), percentile: undefined };
  const [test] = (await answerOf(directory.write('bins.json', result))).tests;
  expect(test).toMatchObject({ latencyMs: { p50: 3, p95: 7, isWorstOfSeveral: false }, grade: 'B' });
});

describe('as a page and as a picture', () => {
  const one = fileOf('one.json', random(16, 5), random(32, 7.5));
  const two = fileOf('two.json', random(16, 4, 2_000), random(32, 5, 2_000));
  const at = (name: string): string => join(directory.path, name);
  const graded = (...argv: string[]) => runCli('grade', ...argv);

  test('the page has the answer', async () => {
    const { code, out, err } = await graded(one, two, '--html', at('card.html'), '--json');
    expect(code).toBe(0);
    expect(err).toMatch(/^wrote .*\/card\.html \(4 tests, [\d.]+ .iB\): open it in a browser$/);
    expect(dataInPage(readFileSync(at('card.html'), 'utf8'))).toEqual({
      ...{ version: 1, madeAt: '2026-11-20T12:34:56.000Z', title: 'Report card: one.json, two.json' },
      ...{ label: null, grades: JSON.parse(out), campaign: null },
    });
  });

  test.each<[string, string[], RegExp]>([
    ['several files side by side', [one, two], /\(Runs side by side, /],
    ['repeats by how they scale', ['--repeats', one, two], /\(Scaling: /],
    ['one file by how it scales', [one], /\(Scaling: /],
  ])('%s', async (_, argv, shown) => {
    const { code, err } = await graded(...argv, '--chart', at('card.svg'));
    expect(code).toBe(0);
    expect(err).toMatch(shown);
    expect(readFileSync(at('card.svg'), 'utf8')).toMatch(/^<svg /);
  });

  test('what is no fio result leaves no file behind', async () => {
    await expectOneLine(
      ['grade', directory.write('no.json', '{}'), '--html', at('none.html'), '--chart', at('none.png')],
      /no\.json/,
    );
    expect(readdirSync(directory.path).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});
