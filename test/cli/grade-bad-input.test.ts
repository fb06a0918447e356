/** What cannot be graded is one line: the file, why, and what would be right. */
import { fio3, type Job } from '../fixtures/fio-output.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const read = { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 3, p95Ms: 5 };
const job: Job = { name: 'read', read, options: { rw: 'randread', bs: '8k', numjobs: '16' } };
const result = fio3(job);
const text = JSON.stringify(result, null, 2);
const good = directory.write('good.json', text);

/** The result with something else in its first job, or in its reads. */
const withJob = (change: object) => ({ ...result, jobs: [{ ...result.jobs?.[0], ...change }] });
const withRead = (change: object) => withJob({ read: { ...result.jobs?.[0]?.read, ...change } });
const withLatency = (change: object) =>
  withRead({ clat_ns: { ...result.jobs?.[0]?.read?.clat_ns, ...change } });

const right = /; give what `fio --output-format=json` \(or json\+\) printed, or a result of run-fio, whole$/;

test.each<[string, string | object, RegExp]>([
  ['empty', '', /odd\.json: is empty/],
  ['nothing but blanks and lines', `${' '.repeat(1e6)}\n`.repeat(3), /odd\.json: is empty/],
  ['nothing but zeros', '\0'.repeat(1e6), /has no result of fio/],
  [
    "fio's text",
    'read: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=1000',
    /has no result of fio in it \(without --output-format=json fio prints text\)/,
  ],
  ['cut within a figure', text.slice(0, text.length / 2), /odd\.json: it is cut short \(/],
  ['cut after a bracket', JSON.stringify(result).slice(0, -2), /it is (cut short|no whole JSON) \(/],
  [
    'two results',
    `${text}\n${text}`,
    /something follows its result, such as another one \(--status-interval\)/,
  ],
  ['a list', [result], /has no result of fio in it/],
  ['broken', `${text.slice(0, -1)}, "a": -nan }`, /it is no whole JSON \(No number after minus sign/],
  ['something else', { hello: 'world' }, /odd\.json: fio version is not as fio prints it/],
  ['no jobs', { 'fio version': 'fio-3.33' }, /odd\.json: has no job in it/],
  ['no job', { ...result, jobs: [] }, /odd\.json: has no job in it/],
  ['jobs that are none', { ...result, jobs: 'many' }, /odd\.json: jobs is not as fio prints it/],
  ['a negative rate', withRead({ iops: -5 }), /jobs\[0\]\.read\.iops is not as fio prints it/],
  ['an absurd rate', withRead({ iops: 1e300 }), /jobs\[0\]\.read\.iops is not as fio prints it/],
  ['a negative latency', withLatency({ mean: -1 }), /jobs\[0\]\.read\.clat_ns\.mean is not as/],
  [
    'a 50th percentile above the 95th',
    withLatency({ percentile: { '50.000000': 9e6, '95.000000': 5e6, '99.000000': 10e6 } }),
    /clat_ns\.percentile is not as fio prints it: a percentile that is less than one below it/,
  ],
  [
    'a 100th percentile below the 99th',
    withLatency({ percentile: { '100.000000': 1, '99.000000': 5e6 } }),
    /a percentile that is less than one below it/,
  ],
  ['a percentile of nothing', withLatency({ percentile: { '0x32': 1 } }), /clat_ns\.percentile.* is not as/],
  ['a rate that is text', withRead({ iops: '1000' }), /jobs\[0\]\.read\.iops is not as/],
  ['a time without end', withLatency({ bins: { ['9'.repeat(400)]: 1 } }), /clat_ns\.bins.* is not as/],
  [
    'bins of fio 2 without end',
    withLatency({ bins: { FIO_IO_U_PLAT_VAL: 64, '1000000': 1 } }),
    /bins that fio cannot have/,
  ],
  [
    'bins of fio 2, none for each doubling',
    withLatency({ bins: { FIO_IO_U_PLAT_VAL: 0, '1': 1 } }),
    /bins that fio cannot have/,
  ],
  ['shares that are none', withJob({ latency_ms: { '2': 300 } }), /latency_ms\.2 is not as/],
  ['another document', { document: 'build-stripe', version: 1 }, /is not as fio prints it/],
])('%s', async (_name, content, line) => {
  const file = directory.write('odd.json', content);
  await expectOneLine(['grade', file], line);
  await expectOneLine(['grade', file], right);
  await expectOneLine(['grade', good, file, '--json'], /odd\.json/);
});

test('no file, a directory without results, none given', async () => {
  await expectOneLine(['grade', '/nowhere.json'], /\/nowhere\.json: cannot be read: there is no such file/);
  directory.write('logs/card_iops.1.log', '');
  await expectOneLine(
    ['grade', `${directory.path}/logs`],
    /logs: has no \.json in it; give a directory with results/,
  );
  await expectOneLine(['grade'], /missing required argument 'file'/);
});

test.each([
  [['--repeats'], /--repeats needs the files of two runs or more: give them all/],
  [['--access', 'random'], /--access "random" is not known: give one of read, write, randread/],
  [['--users', '0'], /--users "0" cannot be 0: give a whole number from 1 to 100000/],
  [['--users', 'many'], /--users "many" is not a number/],
  [['--monthly-usd', '-1'], /--monthly-usd "-1" cannot be negative: give USD a month/],
  [['--repeats', good], /good\.json is given twice: give each file once/],
  [[`${directory.path}/./good.json`], /good\.json is given twice: give each file once/],
])('%j', async (options, line) => {
  await expectOneLine(['grade', good, ...options], line);
});

test('the price is of one layout', async () => {
  const other = directory.write('other.json', text);
  await expectOneLine(
    ['grade', good, other, '--monthly-usd', '42'],
    /--monthly-usd is of one layout: grade its file alone, or give --repeats/,
  );
  expect((await runCli('grade', '--repeats', good, other, '--monthly-usd', '42')).code).toBe(0);
});

test.each([
  ['a note before', `fio: this platform does not support process shared mutexes\n${text}`],
  ['a note after', `${text}\nfio: file hash not empty on exit\n`],
  ['both, and Windows’ ends of lines', `note\r\n${text.replaceAll('\n', '\r\n')}\r\nnote`],
  ['a mark of its encoding', `\uFEFF${text}`],
  ['a hundred thousand lines of nothing', `${'\n'.repeat(1e5)}${text}${'\n'.repeat(1e5)}`],
])('%s is no trouble', async (_name, content) => {
  const file = directory.write('noted.json', content);
  const { code, out } = await runCli('grade', file);
  expect([code, out.includes('95 % within 5 ms')]).toEqual([0, true]);
});
