/** The import tools and npm scripts as processes, on small recordings made here. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryDirectory } from './fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const root = join(__dirname, '..');
const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: directory.path,
    encoding: 'utf8',
    env: { ...process.env, STRIPEWISE_CATALOG_REFRESH: 'off' },
  });

test('a block trace, imported and audited: bursts that the average hides are shown', () => {
  // 10 minutes of one burst each: 600 writes in 0.6 s, so 10 IOPS on average and 600 in the one busy second
  const lines = Array.from(
    { length: 6_000 },
    (_, i) => `${Math.floor(i / 600) * 60e6 + (i % 600) * 1000},write,4096,0`,
  );
  writeFileSync(
    join(directory.path, 'trace.csv.gz'),
    gzipSync(['time_us,op,bytes,lbn', ...lines].join('\n')),
  );
  const imported = run(
    'tools/import-block-trace.ts',
    'trace.csv.gz',
    '--into',
    'rec',
    '--id',
    'vm',
    '--type',
    'gp2',
    '--size-gib',
    '100',
  );
  expect(imported.stderr).toBe('');
  expect(imported.status).toBe(0);
  const audited = run('bin/stripewise.ts', 'audit', '--recorded', 'rec', '--json');
  expect(JSON.parse(audited.stdout).volumes[0]).toMatchObject({
    volumeId: 'vm',
    status: 'healthy',
    topAverageIops: 10,
    activeTimeIopsInTopPeriod: 600,
    periodsBusyOverTwiceAverage: 10,
    activePeriods: 10,
  });
});

test('a byte series with a gap and repeated timestamps: unknown time, reported repetitions, the scale said', () => {
  const at = (minute: number): string =>
    `2014-03-09 ${String(1 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
  const minutes = [...Array.from({ length: 10 }, (_, i) => i * 5), 106, 106, 111]; // after minute 45 nothing until 106
  directory.write(
    'bytes.csv',
    ['timestamp,value', ...minutes.map((minute) => `${at(minute)},163840`)].join('\n'),
  );
  const imported = run(
    'tools/import-byte-series.ts',
    'bytes.csv',
    '--into',
    'series',
    '--id',
    'web',
    '--type',
    'gp3',
    '--size-gib',
    '500',
    '--io-size-kib',
    '16',
    '--scale',
    '8',
  );
  expect(imported.stderr).toBe('');
  const audited = run('bin/stripewise.ts', 'audit', '--recorded', 'series');
  expect(audited.stdout).toContain('in I/O of 16 KiB, multiplied by 8');
  expect(audited.stdout).toContain(
    'no row for 61 min from 2014-03-09T01:45:00Z to 2014-03-09T02:46:00Z. Of it 56 min are unknown',
  );
  expect(audited.stdout).toContain(
    '1 row with a timestamp that comes again (2014-03-09T02:46:00Z). The last of each was kept.',
  );
  expect(audited.stdout).toContain('60 / 56');
});

test.each([
  ['tools/import-block-trace.ts', 'time_us,op,bytes\n1,erase,5', /line 2: "1,erase,5" is not a request/],
  ['tools/import-block-trace.ts', 'when,what\n1,2', /its header is "when,what"/],
  ['tools/import-byte-series.ts', 'timestamp,value\nnever,5', /line 2: "never,5" is not a point/],
])('%s refuses %j in one line', (tool, content, line) => {
  directory.write('bad.csv', content);
  const ioSize = tool.includes('byte') ? ['--io-size-kib', '16'] : [];
  const { status, stderr } = run(
    tool,
    'bad.csv',
    '--into',
    'bad',
    '--id',
    'x',
    '--type',
    'gp2',
    '--size-gib',
    '10',
    ...ioSize,
  );
  expect(stderr).toMatch(line);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
});

test('the tests of the lab are not passed where there can be no lab: SKIPPED, the reason, and an exit code of their own', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/test-lab.ts')], {
    ...{ cwd: directory.path, encoding: 'utf8' },
    // Nobody's machine has its tools here, nor apt-get to install them with.
    env: { PATH: directory.path },
  });
  expect({ status, stderr }).toEqual({
    status: 77,
    stderr: expect.stringMatching(/^SKIPPED: .+\. Nothing of the lab was tested\.\n$/),
  });
});
