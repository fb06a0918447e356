/** `bench plan`: a table, a document, and a request that `bench start` reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestInFile } from '../../cli/bench-request.ts';
import { type BenchPlanAnswer, benchPlanAnswerSchema } from '../../core/schemas/bench-plan-answer.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const load = ['--layouts', 'gp3:100', '--instance-types', 'm5.large', '--users', '4', '--seconds', '60'];
const planned = (...argv: string[]) => cliJson<BenchPlanAnswer>('bench', 'plan', ...argv);

test('what it takes and costs, by hand', async () => {
  const answer = await planned(...load);
  expect(benchPlanAnswerSchema.parse(answer)).toEqual(answer);
  // 360 s to start, build and end; 4,096 MiB at the instance's 77.49 MiB/s: 52.9; 60 + 2 ramp + 5; 5 for the step
  const hours = (360 + 4_096 / 77.49 + 67 + 5) / 3_600;
  expect(answer.hours).toBeCloseTo(hours, 4);
  const [cell, ...others] = answer.cells;
  expect(others).toEqual([]);
  expect(cell?.id).toBe('single-gp3-m5-large');
  expect(cell?.instanceUsd).toBeCloseTo(0.096 * hours, 5);
  expect(cell?.volumesUsd).toBeCloseTo((108 * 0.08 * hours) / 730, 5); // 100 GiB and 8 of its root
  expect(cell?.addressUsd).toBeCloseTo(0.005 * hours, 6);
  expect(answer.totalUsd).toBe(cell?.totalUsd);
});

test('the table names each host, the whole, and that nothing is launched', async () => {
  const { code, out, err } = await runCli(
    'bench',
    'plan',
    '--layouts',
    'gp3:100',
    '4xgp3:50',
    ...load.slice(2),
  );
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/│ single-gp3-m5-large +│ 8 min 4 s \(485 s\) +│ 0\.01 USD │ 0\.00 USD │ 0\.02 USD │/);
  expect(out).toMatch(/│ stripe-4xgp3-m5-large /);
  expect(out).toMatch(
    /\n2 hosts in us-east-1, 4 at once: about 8 min 4 s \(485 s\) and 0\.03 USD by list prices; it is ended before it costs 5\.00 USD\.\n/,
  );
  expect(out).toMatch(/note: stripe-4xgp3 on m5\.large: the instance is the limit, not the volumes/);
  expect(out).toMatch(/Nothing is launched by this\. With --out FILE it can be started\.$/);
});

test('the file that it writes is what `bench start` reads', async () => {
  const file = join(directory.path, 'request.json');
  const { out } = await runCli('bench', 'plan', ...load, '--out', file);
  expect(out).toMatch(`Start it with: stripewise bench start ${file}`);
  const { request } = await planned(...load);
  expect(requestInFile(file)).toEqual(request);
  expect(readFileSync(file, 'utf8')).toMatch(/^\{\n {2}"layouts": \[/);
});

test('a request of a file is planned like that of options', async () => {
  const { request } = await planned(...load);
  const file = directory.write('again.json', request);
  expect((await planned('--request', file)).request).toEqual(request);
});

test.each<[string, string[], object]>([
  ['one volume', ['gp3:100'], { name: 'single-gp3', kind: 'single', members: 1, sizeGiB: 100 }],
  ['several are a stripe', ['6xio2:20:600'], { name: 'stripe-6xio2', kind: 'stripe', members: 6, iops: 600 }],
  ['another kind', ['linear:6xio2:20:600'], { name: 'linear-6xio2', kind: 'linear' }],
  ['all figures', ['gp3:500:6000:250'], { iops: 6_000, throughputMiBps: 250 }],
  ['a name', ['now=gp2:500'], { name: 'now', kind: 'single', volumeType: 'gp2' }],
])('a layout as people type it: %s', async (_, layouts, layout) => {
  const { request } = await planned(
    '--layouts',
    ...layouts,
    '--instance-types',
    'm5.4xlarge',
    '--users',
    '4',
  );
  expect(request.layouts).toMatchObject([layout]);
});

test.each<[string, string[], object]>([
  ['a profile', ['--work', 'report-card'], { kind: 'profile', profile: 'report-card', variant: 'full' }],
  ['a short one', ['--work', 'oltp', '--short'], { kind: 'profile', profile: 'oltp', variant: 'short' }],
  [
    'a search',
    [
      '--goal',
      'max IOPS with p95 under 2 ms',
      '--access',
      'randrw',
      '--read-percent',
      '80',
      '--block-kib',
      '8',
    ],
    {
      ...{ kind: 'search', goal: { percentile: 'p95', limitMs: 2 } },
      load: { access: 'randrw', readPercent: 80, blockKiB: 8 },
    },
  ],
  [
    'a load',
    ['--users', '8', '--io-depth', '4', '--iops', '1000', '--file-size-mib', '256'],
    { kind: 'load', load: { users: 8, ioDepth: 4, iops: 1_000 }, seconds: 300, fileSizeMiB: 256 },
  ],
])('what is measured: %s', async (_, work, expected) => {
  const { request } = await planned('--layouts', 'gp3:100', '--instance-types', 'm5.large', ...work);
  expect(request.work).toMatchObject(expected);
});

test('what is said of the whole', async () => {
  const whole = ['--repeats', '3', '--prepare', 'initialize', '--ceiling-usd', '2', '--hours-at-most', '6'];
  const { request } = await planned(...load, ...whole, '--hosts-at-once', '1');
  expect(request).toMatchObject({
    ...{ repeats: 3, prepare: 'initialize', ceilingUsd: 2, hoursAtMost: 6, hostsAtOnce: 1 },
  });
});
