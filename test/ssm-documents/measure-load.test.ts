/** What measure-load makes of its parameters, in a shell, without a host: its job file, and what does not go together. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commonSection } from '../../core/benchmark/profiles.ts';

const usual = {
  ...{
    directory: '/srv/data',
    access: 'randread',
    blockKiB: '16',
    readPercent: '50',
    users: '4',
    ioDepth: '8',
  },
  ...{ iops: '', seconds: '60', fileSizeMiB: '1024', timeLimitSeconds: '7200' },
};

function inShell(command: string, parameters: Partial<typeof usual>) {
  const variables = Object.entries({ ...usual, ...parameters }).map(([name, value]) => [
    `SSM_${name}`,
    value,
  ]);
  return spawnSync(
    'sh',
    [
      '-euc',
      `document=measure-load own_directory=.own
       . ./shared/steps.sh; . ./shared/fio-common.sh; . ./measure-load/job.sh; ${command}`,
    ],
    {
      cwd: join(__dirname, '../../ssm-documents'),
      env: { PATH: process.env['PATH'], ...Object.fromEntries(variables) },
      encoding: 'utf8',
    },
  );
}

/** Lines behind what all job files begin with. */
function jobOf(parameters: Partial<typeof usual>): string[] {
  const { status, stdout, stderr } = inShell('load_job', parameters);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(commonSection)).toBe(true);
  return stdout.slice(commonSection.length).trimEnd().split('\n');
}
const rateOf = (parameters: Partial<typeof usual>): string | undefined =>
  jobOf(parameters).find((line) => line.startsWith('rate='));

test('at random: every user on the whole file', () => {
  expect(jobOf({})).toEqual([
    ...['[global]', 'runtime=60', 'ramp_time=2', '[load]', 'filename=/srv/data/.own/data', 'rw=randread'],
    ...['bs=16k', 'numjobs=4', 'iodepth=8', 'size=1024m'],
  ]);
});

test('in sequence: each user on a part of its own', () => {
  // 1000 / 3, whole MiB.
  expect(jobOf({ access: 'rw', users: '3', fileSizeMiB: '1000', readPercent: '70' }).slice(-3)).toEqual([
    ...['size=333m', 'offset_increment=333m', 'rwmixread=70'],
  ]);
});

test.each([
  // 100 / 4 = 25 x 16 KiB of each.
  { of: { iops: '100' }, rate: 'rate=409600,409600' },
  // Reads 70 / 4 = 17.5 x 16 KiB, writes 30 / 4 = 7.5 x 16 KiB: not 18 and 8.
  { of: { iops: '100', access: 'randrw', readPercent: '70' }, rate: 'rate=286720,122880' },
  // 7 / 3 x 1 KiB = 2389.3, rounded up.
  { of: { iops: '7', users: '3', blockKiB: '1', access: 'write' }, rate: 'rate=2390,2390' },
  // 0 would be no limit at all.
  { of: { iops: '100', access: 'rw', readPercent: '100' }, rate: 'rate=409600,1' },
  // The largest: 9,999,999 x 9,999 KiB of one.
  { of: { iops: '9999999', users: '1', blockKiB: '9999' }, rate: 'rate=102389749761024,102389749761024' },
  { of: { iops: '' }, rate: undefined },
])('$of: $rate', ({ of, rate }) => {
  expect(rateOf(of)).toBe(rate);
});

test.each([
  [
    // 10 / 16 MiB: none.
    { fileSizeMiB: '10', users: '16' },
    'fileSizeMiB is 10: each of 16 users needs a part of its own that has a block of 16 KiB',
  ],
  [
    // 30 / 10 = 3 MiB = 3072 KiB.
    { fileSizeMiB: '30', users: '10', blockKiB: '3073' },
    'fileSizeMiB is 30: each of 10 users needs a part of its own that has a block of 3073 KiB',
  ],
  [{ seconds: '60', timeLimitSeconds: '62' }, 'timeLimitSeconds is 62, and the load alone takes 62 s'],
  [{ iops: '3' }, 'iops is 3, and must be one for each of 4 users or more'],
])('%p is refused', (parameters, why) => {
  const { status, stdout, stderr } = inShell('check_together', parameters);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`measure-load: step "check the parameters" failed: ${why}\n`);
});

test('what just goes together is not refused', () => {
  const least = { fileSizeMiB: '30', users: '10', blockKiB: '3072', iops: '10', timeLimitSeconds: '63' };
  expect(inShell('check_together', least)).toMatchObject({ status: 0, stderr: '' });
});
