/** What hosts make of fio's logs, in a shell without a host: the same as core makes of them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type JobLogs, overTimeOf, parseFioLog } from '../../core/report-card/over-time.ts';
import { separateLogs } from '../fixtures/fio-logs.ts';
import { anyJobs, entriesOf, expectAlike, textOf } from '../fixtures/job-logs.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
let count = 0;

/** Files as fio names them, in a scratch directory of their own. */
function inShell(files: Readonly<Record<string, string>>, seconds = 60) {
  const scratch = join(directory.path, `scratch-${count++}`);
  mkdirSync(join(scratch, 'logs'), { recursive: true });
  for (const [name, text] of Object.entries(files))
    directory.write(join(`scratch-${count - 1}`, 'logs', name), text);
  const { status, stdout, stderr } = spawnSync(
    'sh',
    [
      '-uc',
      `document=run-fio step=randread scratch=$1; . ./over-time.sh; over_time ${seconds}`,
      'sh',
      scratch,
    ],
    {
      cwd: join(__dirname, '../../ssm-documents/shared'),
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    },
  );
  expect(status).toBe(0);
  return { found: JSON.parse(stdout) as unknown, stderr };
}

const filesOf = (jobs: readonly JobLogs[]): Record<string, string> =>
  Object.fromEntries(
    jobs.flatMap(({ iops, latency }, index) => [
      [`step_iops.${index + 1}.log`, textOf(iops)],
      [`step_clat.${index + 1}.log`, textOf(latency)],
    ]),
  );

test('IOPS add up, latency is weighed by them', () => {
  const { found, stderr } = inShell(
    filesOf([
      { iops: entriesOf([300, 100]), latency: entriesOf([2e6, 4e6]) },
      { iops: entriesOf([100, null]), latency: entriesOf([6e6, null]) },
      { iops: entriesOf([0, 300]), latency: entriesOf([9e6, 4e6]) },
    ]),
  );
  // (300 x 2 + 100 x 6) / 400 = 3. In the second second as many wrote: two of three, so it is not left out for that.
  expect(found).toEqual({ secondsPerPoint: 1, iops: [400], latencyMs: [3] });
  expect(stderr).toBe('');
});

test('of a long step: points of as many seconds as make no more than 600', () => {
  // 3,610 s / 600 = 6.02, so 7 s: 515.7 of them.
  const everyMs = 7000;
  const iops = entriesOf(Array<number>(515).fill(50), { everyMs, fromMs: 1_795_382_078_838 });
  const { found } = inShell(filesOf([{ iops, latency: [] }]), 3_610);
  expect(found).toEqual({ secondsPerPoint: 7, iops: Array(515).fill(50), latencyMs: Array(515).fill(null) });
});

test.each([
  { seconds: 1, ms: '1000' },
  { seconds: 600, ms: '1000' },
  { seconds: 601, ms: '2000' },
  { seconds: 3_600, ms: '6000' },
])('$seconds s: a line each $ms ms', ({ seconds, ms }) => {
  const { stdout } = spawnSync('sh', ['-uc', `scratch=/x; . ./over-time.sh; step_ms ${seconds}`], {
    cwd: join(__dirname, '../../ssm-documents/shared'),
    encoding: 'utf8',
  });
  expect(stdout).toBe(ms);
});

function ofCore(jobs: readonly JobLogs[]) {
  const found = overTimeOf(jobs, { averagedMs: 1000, unitsPerMs: 1e6 });
  if (!found.known) throw new Error(found.reason.code);
  return found.value;
}
test('what fio 3.33 wrote: as core says', () => {
  const jobs = [1, 2, 3].map((job) => ({
    iops: parseFioLog(separateLogs[`recorded_iops.${job}.log`] ?? '').entries,
    latency: parseFioLog(separateLogs[`recorded_clat.${job}.log`] ?? '').entries,
  }));
  const files = Object.entries(separateLogs).map(([name, text]) => [name.replace('recorded', 'step'), text]);
  expectAlike(inShell(Object.fromEntries(files)).found, ofCore(jobs));
});

test('whatever jobs wrote: as core says', () => {
  fc.assert(
    fc.property(anyJobs, (jobs) => {
      expectAlike(inShell(filesOf(jobs)).found, ofCore(jobs));
    }),
    { numRuns: 40 },
  );
});

const usual = filesOf([{ iops: entriesOf([50, 50, 50]), latency: entriesOf([1e6, 1e6, 1e6]) }]);
const said = 'run-fio: step "randread" has no IOPS and latency over time: ';
test.each<[string, Record<string, string>, string]>([
  ['no logs', {}, 'fio wrote no logs'],
  ['none of latency', { 'step_iops.1.log': usual['step_iops.1.log'] ?? '' }, 'fio wrote no logs'],
  ['empty ones', { 'step_iops.1.log': '', 'step_clat.1.log': '' }, 'the logs are empty'],
  ['none of IOPS', { ...usual, 'step_iops.1.log': '' }, 'the logs have no whole point'],
  [
    'a line that is cut',
    { ...usual, 'step_iops.1.log': '1000, 50, 0, 0, 0\n2000, 5' },
    'line 2 of .*/step_iops.1.log is none of fio',
  ],
  [
    'text',
    { ...usual, 'step_clat.1.log': 'fio: "out" of $(space)\n' },
    'line 1 of .*/step_clat.1.log is none of fio',
  ],
  [
    'times that are too far apart',
    { ...usual, 'step_iops.1.log': '1000, 5, 0, 0\n9000000000000, 5, 0, 0\n' },
    'the times of the logs are too far apart',
  ],
])('%s: null, and why on standard error', (_, files, why) => {
  const { found, stderr } = inShell(files);
  expect(found).toBeNull();
  expect(stderr).toMatch(new RegExp(`^${said}${why}\n$`));
});
