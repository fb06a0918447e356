/** `stripewise compare`: two files, two runs of the deployed service, or one of each. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { runComparisonSchema } from '../../core/schemas/run-comparison.ts';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { anEvaluation, aResult, onVolume } from '../fixtures/findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { aWholeFinding } from '../fixtures/whole-findings.ts';
import { deployedStack } from './deployed-stack.ts';
import { expectOneLine } from './expect-one-line.ts';
import { calm, calmQueue, full, minutes, vol } from './one-volume.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const stack = deployedStack();
const here = ['--region', 'us-east-1'];

/** What `audit --json` writes of a day in which so many minutes were at the limit of 3,000 IOPS. */
async function audited(name: string, throttledMinutes: number, volume: object = {}): Promise<string> {
  const { out } = await runCli(
    'audit',
    ...['--volumes', directory.write('volumes.json', describeVolumes(volume as Record<string, unknown>))],
    ...['--instances', directory.write('instances.json', describeInstances({}))],
    '--metrics',
    directory.write(
      'metrics.json',
      getMetricData(
        ...load(vol, day(calm, minutes(100, 100 + throttledMinutes, full)), {
          VolumeQueueLength: day(calmQueue, minutes(100, 100 + throttledMinutes, 64)),
        }),
      ),
    ),
    '--json',
  );
  return directory.write(name, { ...JSON.parse(out), runId: name });
}

/** As a run lies in the bucket. */
function stored({ findings, volumes, ...summary }: AuditResult): void {
  const lines = (values: readonly object[]): string =>
    values.map((one) => `${JSON.stringify(one)}\n`).join('');
  stack.objects[`runs/${summary.runId}/summary.json`] = summary;
  stack.objects[`runs/${summary.runId}/findings.jsonl`] = lines(findings);
  stack.objects[`runs/${summary.runId}/volumes.jsonl`] = lines(volumes);
}

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) =>
      line
        .split('│')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );

test('two files of audits: a trouble that is resolved, in the headline, in the figures and by name', async () => {
  const [before, after] = [await audited('before.json', 80), await audited('after.json', 0)];
  const { code, out, err } = await runCli('compare', before, after);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [headline, first, second] = out.split('\n');
  expect(headline).toBe('0 new, 0 worse, 0 better, 1 resolved, 0 ongoing.');
  expect(first).toMatch(/^before {2}before\.json, 2026-11-18 00:00 to 2026-11-19 00:00 UTC$/);
  expect(second).toMatch(/^after {3}after\.json, 2026-11-18 00:00 to 2026-11-19 00:00 UTC$/);
  expect(rowsOf(out)).toEqual(
    expect.arrayContaining([
      ['critical', '1', '0', '-1'],
      ['throttled volume-minutes, peak 24 h', '80', '0', '-80'],
      ['volumes', '1', '1', '0'],
      ['volumes cost a month', '8.00 USD', '8.00 USD', '0.00 USD'], // 100 GiB of gp3
    ]),
  );
  expect(out).toMatch(
    new RegExp(`^resolved {7}critical: ${vol} .*: throttled at its maximum of 3,000 IOPS`, 'm'),
  );
});

test('the same audits the other way round, and with fewer minutes', async () => {
  const [calmDay, eighty, eight] = [
    await audited('none.json', 0),
    await audited('eighty.json', 80),
    await audited('eight.json', 8),
  ];
  expect((await runCli('compare', calmDay, eighty)).out).toMatch(/^1 new, 0 worse/);
  const { out } = await runCli('compare', eighty, eight);
  expect(out).toMatch(/^0 new, 0 worse, 1 better, 0 resolved/);
  expect(out).toMatch(new RegExp(`^better {9}critical -> warning: ${vol} `, 'm'));
  expect(out).toContain('Peak 24 h: 80 -> 8 min.');
});

test('--json is one document of its schema', async () => {
  const [before, after] = [await audited('before.json', 20), await audited('after.json', 0)];
  const compared = runComparisonSchema.parse(await cliJson('compare', before, after));
  expect(compared.counts).toMatchObject({ new: 0, resolved: 1 });
  expect(JSON.parse((await runCli('schema', 'compare')).out)).toHaveProperty('properties.counts');
});

test('two runs of the deployed service, and a file beside a run', async () => {
  stored(aResult([aWholeFinding()], { runId: 'run-a' }));
  stored(aResult([], { runId: 'run-b', volumes: [anEvaluation({ status: 'healthy' })] }));
  const { code, out } = await runCli('compare', 'run-a', 'run-b', ...here);
  expect(code).toBe(0);
  expect(out).toMatch(/^0 new, 0 worse, 0 better, 1 resolved, 0 ongoing\.\nbefore {2}run-a, /);
  const window = { start: '2026-11-17T00:00:00Z', end: '2026-11-18T00:00:00Z' };
  stored(aResult([aWholeFinding()], { runId: 'run-0', window }));
  const file = await audited('after.json', 0);
  expect((await runCli('compare', 'run-0', file, ...here)).out).toContain('1 not evaluated.'); // another volume
});

describe('where one of the runs is partial', () => {
  const { coverage } = aResult([]);
  const incomplete = {
    coverage: { ...coverage, incomplete: [{ code: 'more-pages' as const, file: 'reply.json' }] },
  };
  const whole = directory.write('whole.json', aResult([], { volumes: [anEvaluation()] }));
  const partial = directory.write(
    'partial.json',
    aResult([aWholeFinding()], { runId: 'run-2', ...incomplete }),
  );

  test('the exit code is 3, and the last line says which', async () => {
    const { code, out, err } = await runCli('compare', whole, partial);
    expect({ code, err }).toEqual({ code: 3, err: '' });
    expect(out.split('\n').at(-1)).toBe('The later run is partial: not all metrics could be read.');
  });

  test('--json says so too', async () => {
    const { code, out } = await runCli('compare', whole, partial, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ before: { partial: false }, after: { partial: true } });
  });
});

test('a volume that was deleted since is resolved where its Region was read in whole', async () => {
  const unattached = aWholeFinding({ kind: 'unattached', severity: 'info' });
  const [before, after] = [
    directory.write('with.json', aResult([unattached])),
    directory.write('without.json', aResult([], { runId: 'run-2', wholeRegions: ['us-east-1'] })),
  ];
  expect((await runCli('compare', before, after)).out).toMatch(/^0 new, .* 1 resolved, /);
});

test('a name from the account is shown, and nothing in it acts', async () => {
  const evil = aWholeFinding({ resource: onVolume('vol-1', { name: 'db\u001b[31m' }) });
  const before = directory.write('evil.json', aResult([], { volumes: [anEvaluation()] }));
  const later = directory.write('evil-after.json', aResult([evil], { runId: 'run-2' }));
  const { out } = await runCli('compare', before, later);
  expect(out).toContain('db\\u{1b}[31m');
  expect(out).not.toContain('\u001b');
});

describe('bad input is one line', () => {
  const lastYear = { start: '2025-11-06T00:00:00Z', end: '2025-11-20T00:00:00Z' };
  test.each<[string, (good: string) => string[], RegExp]>([
    [
      'no such file',
      (good) => [good, './nowhere.json'],
      /nowhere\.json: cannot be read: there is no such file/,
    ],
    ['no JSON', (good) => [directory.write('text.json', '{"findings":'), good], /text\.json: not whole JSON/],
    [
      'another document',
      (good) => [good, directory.write('other.json', { runs: [] })],
      /other\.json: .* is not as expected: .*; expected what `audit --json` writes/,
    ],
    [
      'a file of version 1',
      (good) => [
        directory.write('v1.json', {
          ...aResult([]),
          summary: undefined,
          findings: [{ recommendation: [] }],
        }),
        good,
      ],
      /v1\.json: .* its findings are of version 1, which this version does not read \(run the audit again\); expected what `audit --json` writes$/,
    ],
    ['one run alone', (good) => [good], /missing required argument 'after'/],
    ['the same run twice', (good) => [good, good], /both are the run \S+: give two different runs$/],
    [
      'the later run first',
      (good) => [good, directory.write('old.json', aResult([], { runId: 'run-0', window: lastYear }))],
      /the window of the first run ends 2026-11-19T00:00:00Z, after that of the second, 2025-11-20T00:00:00Z: give the earlier run first$/,
    ],
    ['no name of a run', (good) => [good, 'a\nb'], /"a\\u\{a\}b" is no name of a run/],
    [
      'a run that is not kept',
      (good) => [good, 'run-9', ...here],
      /run run-9 of the stack Stripewise in us-east-1 is not kept: there is no such run and no such file, or its time is over; `report list` names what there is$/,
    ],
  ])('%s', async (_, argv, line) => {
    await expectOneLine(['compare', ...argv(await audited('good.json', 0))], line);
  });

  test('a run that another version wrote', async () => {
    stored(aResult([], { runId: 'run-a' }));
    stored(aResult([], { runId: 'run-b' }));
    stack.objects['runs/run-a/findings.jsonl'] = '{"recommendation":[]}\n';
    await expectOneLine(
      ['compare', 'run-a', 'run-b', ...here],
      /run run-a of the stack Stripewise in us-east-1 was written by another version of stripewise.*: give a later run$/,
    );
  });
});
