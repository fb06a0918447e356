/** `audit --html FILE` and `--chart FILE`: a page and a picture beside what the audit says. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditReport } from '../../core/report/audit-report.ts';
import { seriesInPage } from '../../report/pages/series-in-page.ts';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { dataInPage } from '../fixtures/page-parts.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { calm, calmQueue, full, instance, minutes, vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const quiet = 'vol-0123456789abcdef1';
const at = (name: string): string => join(directory.path, name);
const untrusted = '</script><script>alert(1)</script>';

/** `vol` at its 3,000 IOPS from 14:00 to 14:10; `quiet` beside it. */
const fleet = (): string[] => [
  '--volumes',
  directory.write(
    'volumes.json',
    describeVolumes({ Tags: [{ Key: 'Name', Value: untrusted }] }, { VolumeId: quiet }),
  ),
  '--instances',
  directory.write('instances.json', describeInstances({})),
  '--metrics',
  directory.write(
    'metrics.json',
    getMetricData(
      ...load(vol, day(calm, minutes(840, 850, full)), {
        VolumeQueueLength: day(calmQueue, minutes(840, 850, 20)),
        VolumeIOPSExceededCheck: day(0, minutes(840, 850, 1)),
        VolumeThroughputExceededCheck: day(0),
      }),
      ...load(quiet, day(calm)),
    ),
  ),
];
const audited = (...options: string[]) => runCli('audit', ...fleet(), ...options);
const reportAt = (name: string): AuditReport => dataInPage(readFileSync(at(name), 'utf8'));
const seriesAt = (name: string) => seriesInPage(readFileSync(at(name), 'utf8'));
const leftAt = (name: string): string[] => readdirSync(directory.path).filter((one) => one.startsWith(name));

describe('--html', () => {
  test('the page has the result, and the series of what was found alone', async () => {
    const { code, out, err } = await audited('--html', at('r.html'), '--json');
    expect(code).toBe(0);
    const result = JSON.parse(out);
    const { length } = result.findings;
    expect(err).toMatch(
      new RegExp(`^wrote ${at('r.html')} \\(${length} findings?, [\\d.]+ .iB\\): open it in a browser$`),
    );
    const report = reportAt('r.html');
    expect(report).toMatchObject({ version: 1, madeAt: '2026-11-20T12:34:56.000Z', label: null, result });
    expect(report.withSeries).toContain(vol);
    const series = seriesAt('r.html');
    expect(series.map(({ resourceId }) => resourceId)).toEqual(report.withSeries);
    const [first] = series.filter(({ resourceId }) => resourceId === vol);
    expect(first?.limits).toMatchObject({ baselineIops: 3_000, baselineMiBps: 125 });
    const throttled = first?.whole.throttled.minutes.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    expect(throttled).toBe(10); // of 840 to 850
  });

  test('a name that is HTML is data', async () => {
    await audited('--html', at('r.html'));
    expect(readFileSync(at('r.html'), 'utf8')).not.toContain(untrusted);
  });

  test('it changes nothing of what the audit says, nor of how it ends', async () => {
    for (const options of [[], ['--json'], ['--resource', vol], ['--fail-on', 'warning']]) {
      const without = await audited(...options);
      const { err, ...withPage } = await audited(
        ...options,
        '--html',
        at('r.html'),
        '--minutes',
        at('m.csv'),
      );
      expect({ ...withPage, err: without.err }).toEqual(without);
      expect(err).toMatch(/^wrote /);
      expect(existsSync(at('m.csv'))).toBe(true);
    }
  });

  test('of some resources alone it tells of those', async () => {
    await audited('--resource', quiet, '--html', at('only.html'));
    const { result } = reportAt('only.html');
    expect(result.volumes.map(({ volumeId }) => volumeId)).toEqual([quiet]);
    expect(seriesAt('only.html').map(({ resourceId }) => resourceId)).not.toContain(vol);
  });

  test('of recorded series it says so first', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const ops = i >= 30 && i < 35 ? 180_000 : 6_000;
      return `2026-11-18T00:${String(i).padStart(2, '0')}:00Z,${ops},0,${ops * 16_384},0`;
    });
    const header = 'timestamp,read_ops,write_ops,read_bytes,write_bytes';
    directory.write('recorded/s.csv', [header, ...rows].join('\n'));
    const volume = { volumeId: 'db', series: 's.csv', volumeType: 'gp3', sizeGiB: 100 };
    directory.write('recorded/volumes.json', { volumes: [volume] });
    const { code } = await runCli('audit', '--recorded', at('recorded'), '--html', at('recorded.html'));
    expect(code).toBe(0);
    expect(reportAt('recorded.html').label).toBe(
      'recorded series, evaluated on volumes as they were described',
    );
  });

  test('where the audit fails, what was there stays', async () => {
    writeFileSync(at('kept.html'), 'before');
    const { code } = await audited(
      '--resource',
      'vol-none',
      '--html',
      at('kept.html'),
      '--chart',
      at('new.svg'),
    );
    expect(code).toBe(2);
    expect(readFileSync(at('kept.html'), 'utf8')).toBe('before');
    expect([leftAt('kept.html'), leftAt('new.svg')]).toEqual([['kept.html'], []]);
  });
});

describe('--compare-with', () => {
  const earlier = async (): Promise<string> => {
    const { out } = await audited('--json');
    const result = JSON.parse(out);
    return directory.write('earlier.json', { ...result, runId: 'earlier', findings: [] });
  };

  test('the page says what is new since then', async () => {
    await audited('--compare-with', await earlier(), '--html', at('later.html'));
    const { comparison, result } = reportAt('later.html');
    expect(result.findings.length).toBeGreaterThan(0);
    expect(comparison).toMatchObject({
      known: true,
      value: { before: { runId: 'earlier' }, counts: { new: result.findings.length, ongoing: 0 } },
    });
  });

  test('without it there is nothing to compare with', async () => {
    await audited('--html', at('alone.html'));
    expect(reportAt('alone.html').comparison).toBeNull();
  });

  test.each<[string, (file: string) => string[], RegExp]>([
    [
      'without a page',
      (file) => ['--compare-with', file],
      /--compare-with with an earlier audit is for the page: give --html too/,
    ],
    [
      'of a part',
      (file) => ['--compare-with', file, '--html', at('part.html'), '--resource', vol],
      /--compare-with compares whole audits: leave out --resource/,
    ],
    [
      'no such file',
      () => ['--compare-with', at('nowhere.json'), '--html', at('part.html')],
      /nowhere\.json: cannot be read: there is no such file/,
    ],
    [
      'no audit',
      () => ['--compare-with', directory.write('other.json', { runs: [] }), '--html', at('part.html')],
      /other\.json: has no recommendations for EBS volumes; expected what `audit --json` wrote earlier, what `aws /,
    ],
  ])('%s is one line', async (_, options, line) => {
    await expectOneLine(['audit', ...fleet(), ...options(await earlier())], line);
    expect(leftAt('part.html')).toEqual([]);
  });
});

describe('--chart', () => {
  test('as SVG: the load of the most urgent finding', async () => {
    const { code, err } = await audited('--chart', at('load.svg'));
    expect(code).toBe(0);
    expect(err).toMatch(new RegExp(`^wrote ${at('load.svg')} \\(load of ${vol}, [\\d.]+ .iB\\)$`));
    const svg = readFileSync(at('load.svg'), 'utf8');
    expect(svg).toMatch(/^<svg /);
    expect(svg).toContain(vol);
  });

  test('as PNG, by its ending, whatever its case', async () => {
    await audited('--chart', at('load.PNG'));
    expect(readFileSync(at('load.PNG')).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  });

  test.each([
    ['a healthy volume', quiet],
    ['an instance', instance],
  ])('of %s that is asked for by its id', async (_, id) => {
    const { err } = await audited('--resource', id, '--chart', at('one.svg'));
    expect(err).toMatch(new RegExp(`\\(load of ${id}, `));
    expect(readFileSync(at('one.svg'), 'utf8')).toContain(id);
  });

  test('where there is nothing to draw it says why, and the audit ends as it would', async () => {
    const metrics = directory.write('none.json', getMetricData(...load(quiet, day(calm))));
    const one = [
      '--volumes',
      directory.write('one.json', describeVolumes({ VolumeId: quiet, Attachments: [] })),
    ];
    const { code, err } = await runCli(
      ...['audit', ...one, '--metrics', metrics, '--resource', quiet, quiet, '--chart', at('no.svg')],
    );
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/load of/) });
    const unread = await runCli(
      ...[
        'audit',
        ...one,
        '--metrics',
        directory.write('no.json', getMetricData()),
        '--chart',
        at('no2.svg'),
      ],
    );
    expect(unread.err.split('\n')).toEqual([
      expect.stringMatching(
        /^stripewise: --chart: nothing was found that has a load to draw .*: no picture is written$/,
      ),
      expect.stringMatching(/^stripewise: Partial, exit code 3\. 1 volume unknown /),
    ]);
    expect(leftAt('no2.svg')).toEqual([]);
  });

  test.each(['load.gif', 'load', 'load.svg.gz'])('%s is no picture', async (name) => {
    await expectOneLine(
      ['audit', ...fleet(), '--chart', at(name)],
      /--chart ".*" is no picture: give a path that ends in \.svg or \.png$/,
    );
  });
});

test.each([
  ['--html', '/nowhere/r.html'],
  ['--chart', '/nowhere/r.svg'],
])('%s where nothing can be written is one line, before anything is read', async (option, path) => {
  await expectOneLine(
    ['audit', '--recorded', '/nowhere', '--minutes', at('early.csv'), option, path],
    /cannot be written: there is no such directory; make it, or give another path$/,
  );
  expect(leftAt('early.csv')).toEqual([]);
});

test('two options for one file are refused', async () => {
  await expectOneLine(
    ['audit', ...fleet(), '--html', at('same.svg'), '--chart', at('./same.svg')],
    /--html and --chart name the same file: give each its own$/,
  );
});
