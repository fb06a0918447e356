/** `grade`: files with one load each are one run, by their names; users are the operations in flight. */
import { dirname, join } from 'node:path';
import { gradeAnswerSchema } from '../../core/schemas/grade-answer.ts';
import { fio3, type Job } from '../fixtures/fio-output.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const did = { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 2, p95Ms: 5 };
const load = (rw: string, options: Record<string, string> = {}, name = rw): Job => ({
  ...{ name, options: { rw, bs: '8k', numjobs: '16', ...options } },
  ...(rw.endsWith('read') ? { read: did } : { write: did }),
});
const write = (name: string, ...jobs: Job[]): string => directory.write(name, fio3(...jobs));
const answerOf = async (...argv: string[]) => gradeAnswerSchema.parse(await cliJson('grade', ...argv));
const namesOf = ({ tests }: Awaited<ReturnType<typeof answerOf>>) =>
  tests.map(({ run, name }) => `${run} ${name}`);

describe('a file for each load', () => {
  const [read, written] = [
    write('one/randread.json', load('randread')),
    write('one/randwrite.json', load('randwrite')),
  ];

  test('is one run, called by its directory, and that is said', async () => {
    const answer = await answerOf(read, written);
    expect(namesOf(answer)).toEqual(['one randread', 'one randwrite']);
    expect(answer.comparison).toEqual([]);
    expect(answer.notes).toEqual([
      { code: 'files-of-one-run', run: 'one', files: ['randread.json', 'randwrite.json'] },
    ]);
    expect((await runCli('grade', read, written)).out).toContain(
      'note: one is one run of 2 files, a load each: randread.json, randwrite.json.',
    );
  });

  test('a directory is all its JSON', async () => {
    directory.write('one/randread_iops.1.log', '');
    expect(await answerOf(dirname(read))).toEqual(await answerOf(read, written));
  });

  test('growth is looked for among them', async () => {
    const more = write('one/randread-32.json', load('randread', { numjobs: '32' }));
    const { tests, curves } = await answerOf(read, more);
    expect(tests[0]).toMatchObject({ run: 'one', grade: 'A-', scalingGrade: 'A+' }); // 5 ms at both
    expect(curves.map(({ points }) => points.map(({ users }) => users))).toEqual([[16, 32]]);
  });

  test('it has a price a month, as one layout', async () => {
    const { tests } = await answerOf(read, written, '--monthly-usd', '42');
    expect(tests.map(({ usdPer1000Iops }) => usdPer1000Iops)).toEqual([42, 42]);
  });

  test('jobs of one name are called by their files', async () => {
    const files = ['randread', 'randwrite'].map((rw) => write(`same/a-${rw}.json`, load(rw, {}, 'test')));
    expect(namesOf(await answerOf(...files))).toEqual(['a randread', 'a randwrite']);
  });
});

describe('several runs', () => {
  const files = ['run1', 'run2'].flatMap((run) =>
    ['randread', 'randwrite'].map((rw) => write(`runs/${run}-${rw}.json`, load(rw))),
  );

  test('stand side by side, load by load', async () => {
    const { comparison } = await answerOf(...files);
    expect(comparison.map(({ name, runs }) => [name, runs.map(({ run }) => run)])).toEqual([
      ['randread', ['run1', 'run2']],
      ['randwrite', ['run1', 'run2']],
    ]);
  });

  test('--repeats counts runs, not files', async () => {
    const { repeats } = await answerOf('--repeats', ...files);
    expect(repeats.map(({ name, runs }) => [name, runs])).toEqual([
      ['randread', 2],
      ['randwrite', 2],
    ]);
    await expectOneLine(
      ['grade', '--repeats', ...files.slice(0, 2)],
      /--repeats needs the files of two runs or more/,
    );
  });

  test.each([
    ['numbers at the end', ['randread-1', 'randwrite-1', 'randread-2', 'randwrite-2'], ['1', '1', '2', '2']],
    ['sizes and depths', ['gp3_4k-randread_qd1', 'gp3_8k-randwrite_qd1'], ['gp3', 'gp3']],
  ])('%s', async (_name, stems, runs) => {
    const made = stems.map((stem) =>
      write(`ends-${runs.length}/${stem}.json`, load(stem.includes('read') ? 'randread' : 'randwrite')),
    );
    const { tests } = await answerOf(...made);
    expect(tests.map(({ run }) => run).sort()).toEqual(runs);
  });

  test('directories apart are runs apart', async () => {
    const apart = ['a', 'b'].flatMap((run) =>
      ['randread', 'randwrite'].map((rw) => write(`apart/${run}/${rw}.json`, load(rw))),
    );
    const { tests } = await answerOf(...apart);
    expect(new Set(tests.map(({ run }) => run))).toEqual(new Set(['a', 'b']));
  });
});

describe('files that are no loads of one run', () => {
  test.each([
    ['other words in their names', 'linear', 'stripe'],
    ['the same load twice', 'randread', 'randread-8k'],
    ['no word of a load', 'a', 'a_'],
  ])('%s', async (_name, first, second) => {
    const rw = first === 'linear' ? 'randwrite' : 'randread';
    const files = [
      write(`no/${first}.json`, load('randread')),
      write(`no/${second}.json`, load(rw, { bs: '8k' })),
    ];
    const { tests, notes } = await answerOf(...files);
    expect(tests.map(({ run }) => run)).toEqual([`${first}.json`, `${second}.json`]);
    expect(notes).toEqual([]);
  });
});

describe('users', () => {
  test.each([
    // numjobs, iodepth, engine: users
    ['1', '16', 'libaio', 16],
    ['4', '8', 'io_uring', 32],
    ['2', '8', 'windowsaio', 16],
    ['2', '8', 'posixaio', 16],
    ['16', '1', 'libaio', 16],
    ['16', '32', 'psync', 16],
    ['16', '32', 'sync', 16],
  ])('numjobs %s, iodepth %s, %s: %d', async (numjobs, iodepth, ioengine, users) => {
    const [test] = (await answerOf(write('users.json', load('randread', { numjobs, iodepth, ioengine }))))
      .tests;
    expect(test).toMatchObject({ users, ioDepth: 1, grade: users === 16 ? 'A-' : null });
  });

  test('that is said, once a file', async () => {
    const file = write(
      'depths.json',
      ...['16', '32'].map((iodepth) => load('randread', { numjobs: '1', iodepth }, `qd${iodepth}`)),
      load('randwrite', { ioengine: 'psync', iodepth: '4' }),
    );
    const { out } = await runCli('grade', file);
    expect(out).toContain(
      'note: depths.json: users are numjobs x iodepth (libaio is asynchronous): qd16 has 1 x 16, and 1 test more.',
    );
    expect(out).toContain(
      'note: depths.json: users are numjobs (psync is synchronous): iodepth 4 of randwrite does not count.',
    );
    // A sweep over iodepth is one curve.
    expect((await answerOf(file)).curves.map(({ points }) => points.length)).toEqual([2]);
  });

  test('of an engine that is not known they are numjobs, and no letter is given', async () => {
    const [test] = (
      await answerOf(write('rados.json', load('randread', { ioengine: 'rados', iodepth: '8' })))
    ).tests;
    expect(test).toMatchObject({ users: 16, ioDepth: 8, grade: null });
    expect(test?.why.latency).toEqual({ code: 'several-in-flight', ioDepth: 8 });
  });

  test('a step of measure-load says itself how many jobs it had', async () => {
    const fio = fio3(load('randread', { numjobs: '4', iodepth: '8' }));
    const file = directory.write(join('lab', 'r1.json'), {
      ...{ version: 1, document: 'measure-load', runId: 'r1', profile: 'load', variant: 'short' },
      steps: [{ name: 'randread', startedAt: '2026-11-22T12:10:00Z', users: 4, fio, members: [] }],
    });
    const { tests, notes } = await answerOf(file);
    expect(tests[0]).toMatchObject({ users: 4, ioDepth: 8 });
    expect(notes).toEqual([]);
  });
});
