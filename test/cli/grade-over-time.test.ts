/** `grade`: IOPS and latency over time, of the logs that fio wrote beside its JSON. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { LogTrouble } from '../../core/report-card/over-time.ts';
import { gradeAnswerSchema } from '../../core/schemas/grade-answer.ts';
import { combinedLogs, separateLogs } from '../fixtures/fio-logs.ts';
import { fio3, type Job } from '../fixtures/fio-output.ts';
import { entriesOf, textOf } from '../fixtures/job-logs.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
let count = 0;

const read = { operations: 960, seconds: 6, blockKiB: 8, meanMs: 1, p95Ms: 2 };
const logged = (prefix: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ rw: 'randrw', bs: '8k', numjobs: '2', log_avg_msec: '1000' },
  ...{ write_iops_log: prefix, write_lat_log: prefix },
  ...more,
});
const aJob = (options: Readonly<Record<string, string>>, name = 'paced'): Job => ({ name, read, options });

/** A result with files beside it, graded. */
async function graded(jobs: readonly Job[], files: Readonly<Record<string, string>>) {
  const at = `run-${count++}`;
  for (const [name, text] of Object.entries(files)) directory.write(join(at, name), text);
  const path = directory.write(join(at, 'card.json'), fio3(...jobs));
  return gradeAnswerSchema.parse(await cliJson('grade', path));
}
const about160 = (values: readonly (number | null)[] | undefined): void => {
  expect(values).toHaveLength(5);
  // 2 x (60 + 20) a second.
  for (const value of values ?? []) expect(Math.abs((value ?? 0) - 160)).toBeLessThan(5);
};
const twoJobs = Object.fromEntries(Object.entries(separateLogs).filter(([name]) => !name.includes('.3.')));

test('as fio 3.33 wrote them, a log for each job', async () => {
  const { tests, notes } = await graded([aJob(logged('/srv/fio/recorded'))], twoJobs);
  about160(tests[0]?.overTime?.iops);
  expect(tests[0]?.overTime).toMatchObject({ secondsPerPoint: 1 });
  expect(tests[0]?.overTime?.latencyMs[0]).toBeCloseTo(0.639, 2);
  expect(notes).toEqual([]);
});

test('as fio 3.33 wrote them, one log of all jobs', async () => {
  const { tests, notes } = await graded([aJob(logged('combined', { per_job_logs: '0' }))], combinedLogs);
  about160(tests[0]?.overTime?.iops);
  // (61 x 3.740 + 20 x 0.512 + 60 x 4.296 + 21 x 0.634) / 162 = 3.145
  expect(tests[0]?.overTime?.latencyMs[0]).toBeCloseTo(3.145, 1);
  expect(notes).toEqual([]);
});

test('two sections with one prefix: fio numbers their jobs one after the other', async () => {
  const { tests, notes } = await graded(
    [aJob(logged('recorded'), 'paced'), aJob(logged('recorded', { numjobs: '1' }), 'then-reads')],
    separateLogs,
  );
  about160(tests[0]?.overTime?.iops);
  // 50 reads a second for 4 s: (51 x 999 + 50 x 1) / 1000 = 51 in the first.
  expect(tests[1]?.overTime?.iops.map((value) => Math.round(value ?? 0))).toEqual([51, 50, 50, 50]);
  expect(notes).toEqual([]);
});

test('sections with prefixes of their own', async () => {
  const log = (iops: number) => textOf(entriesOf([iops, iops]));
  const { tests } = await graded([aJob(logged('a'), 'a'), aJob(logged('b'), 'b')], {
    'a_iops.1.log': log(10),
    'b_iops.3.log': log(30),
    'b_clat.3.log': log(4e6),
  });
  expect(tests.map(({ overTime }) => overTime)).toEqual([
    { secondsPerPoint: 1, iops: [10, 10], latencyMs: [null, null] },
    { secondsPerPoint: 1, iops: [30, 30], latencyMs: [4, 4] },
  ]);
});

test('two tests with IOPS of their own and one log of latency: it is of neither', async () => {
  const log = (iops: number) => textOf(entriesOf([iops, iops]));
  const pooled = (iops: string, latency: Readonly<Record<string, string>>) => {
    const { write_lat_log: _, ...options } = logged(iops, { per_job_logs: '0' });
    return aJob({ ...options, ...latency }, iops);
  };
  const files = { 'a_iops.log': log(10), 'b_iops.log': log(30), 'both_clat.log': log(4e6) + log(8e6) };
  const both = { write_lat_log: 'both' };
  const ofA = { secondsPerPoint: 1, iops: [10, 10] };
  const note = { code: 'latency-not-over-time', file: 'card.json', reason: { code: 'of-several-tests' } };

  for (const other of [both, { write_clat_log: 'elsewhere/both' }]) {
    const { tests, notes } = await graded([pooled('a', both), pooled('b', other)], files);
    expect(tests.map(({ overTime }) => overTime)).toEqual([
      { ...ofA, latencyMs: [null, null] },
      { ...ofA, iops: [30, 30], latencyMs: [null, null] },
    ]);
    expect(notes).toEqual([note]);
  }
  // Also where the other one wrote no log of IOPS.
  const { write_iops_log: _, ...onlyLatency } = logged('both', { per_job_logs: '0' });
  const { tests, notes } = await graded([pooled('a', both), aJob(onlyLatency, 'b')], files);
  expect(tests.map(({ overTime }) => overTime)).toEqual([{ ...ofA, latencyMs: [null, null] }, null]);
  expect(notes).toEqual([note]);
  // Alone it is its own.
  const alone = await graded([pooled('a', both)], { ...files, 'both_clat.log': log(4e6) });
  expect(alone.tests[0]?.overTime).toEqual({ ...ofA, latencyMs: [4, 4] });
  expect(alone.notes).toEqual([]);
});

test('without log_avg_msec each line is an operation', async () => {
  const times = [0, 300, 600, 900, 1000, 1500, 2000];
  const log = (value: number) => times.map((ms) => `${ms}, ${value}, 0, 8192, 0\n`).join('');
  const { tests } = await graded([aJob(logged('each', { log_avg_msec: '0' }))], {
    'each_iops.1.log': log(1),
    'each_lat.1.log': log(2e6),
  });
  // 4 in the first second, and 3 in the second with the one at its end.
  expect(tests[0]?.overTime).toEqual({ secondsPerPoint: 1, iops: [4, 3], latencyMs: [2, 2] });
});

test('no option names a log: nothing beside it is read', async () => {
  const { tests, notes } = await graded([aJob({ rw: 'randrw' })], twoJobs);
  expect([tests[0]?.overTime, notes]).toEqual([null, []]);
});

test.each<[string, Job[], Record<string, string>, LogTrouble]>([
  ['logs that are not there', [aJob(logged('recorded'))], {}, { code: 'no-log', log: 'recorded_iops.1.log' }],
  [
    'several sections in one log',
    [
      aJob(logged('combined', { per_job_logs: '0' }), 'a'),
      aJob(logged('combined', { per_job_logs: '0' }), 'b'),
    ],
    combinedLogs,
    { code: 'of-several-tests' },
  ],
  [
    'fewer logs than jobs',
    [aJob(logged('recorded'), 'a'), aJob(logged('recorded'), 'b')],
    separateLogs,
    { code: 'not-as-many-as-jobs' },
  ],
  ...['100000000', '9007199254740991', '1e300'].map(
    (numjobs): [string, Job[], typeof separateLogs, LogTrouble] => [
      `${numjobs} jobs, as one result says`,
      [aJob(logged('recorded', { numjobs }), 'a'), aJob(logged('recorded'), 'b')],
      separateLogs,
      { code: 'not-as-many-as-jobs' },
    ],
  ),
  [
    'prefixes that differ in their directories alone',
    [aJob(logged('one/combined', { per_job_logs: '0' }), 'a'), aJob(logged('combined'), 'b')],
    combinedLogs,
    { code: 'of-several-tests' },
  ],
  [
    'largest values instead of means',
    [aJob(logged('recorded', { log_max_value: '1' }))],
    twoJobs,
    { code: 'largest-values' },
  ],
  ['empty logs', [aJob(logged('a'))], { 'a_iops.1.log': '' }, { code: 'no-whole-second' }],
])('%s: a note', async (_, jobs, files, reason) => {
  const { tests, notes } = await graded(jobs, files);
  expect(tests.map(({ overTime }) => overTime)).toEqual(jobs.map(() => null));
  expect(notes).toEqual([{ code: 'not-over-time', file: 'card.json', reason }]);
});

test('cut and odd lines are left out, in one note', async () => {
  const { tests, notes } = await graded([aJob(logged('a'))], {
    'a_iops.1.log': '1000, 50, 0, 0, 0\nfio: \u001b[2J\n2000, 50, 0, 0, 0\n3000, 5',
    'a_clat.1.log': '1000, 1000000, 0, 0, 0\n2000, 10',
  });
  expect(tests[0]?.overTime).toEqual({ secondsPerPoint: 1, iops: [50, 50], latencyMs: [1, null] });
  expect(notes).toEqual([{ code: 'odd-log-lines', file: 'card.json', lines: 3, first: 'a_iops.1.log:2' }]);
});

describe('a path in the JSON leads nowhere else', () => {
  const log = textOf(entriesOf([50, 50]));
  const elsewhere = () => directory.write('elsewhere/a_iops.1.log', log);

  test.each(['../elsewhere/a', `${directory.path}/elsewhere/a`, '..', '.', '/', '', '../elsewhere/'])(
    'prefix %j',
    async (prefix) => {
      elsewhere();
      const { tests, notes } = await graded([aJob(logged(prefix))], {});
      expect(tests[0]?.overTime).toBeNull();
      expect(notes).toHaveLength(1);
    },
  );

  test('no link is followed', async () => {
    mkdirSync(join(directory.path, `run-${count}`), { recursive: true });
    symlinkSync(elsewhere(), join(directory.path, `run-${count}`, 'a_iops.1.log'));
    const { tests } = await graded([aJob(logged('a'))], {});
    expect(tests[0]?.overTime).toBeNull();
  });
});

test('notes are sanitized in the text', async () => {
  const path = directory.write('odd/card.json', fio3(aJob(logged('a\u001b[2J'))));
  const { out } = await runCli('grade', path);
  expect(out).toContain('note: card.json: no values over time: a\\u{1b}[2J_iops.1.log is not beside it.');
  expect(out).not.toContain('\u001b[2J');
});
