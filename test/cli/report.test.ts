/** `report open` and `report list` on an account: what is fetched, where it lies, who may read it. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type RunEntry, runEntry, runManifestSchema, withRun } from '../../core/report/run-manifest.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { aFinding, aResult } from '../fixtures/findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { deployedStack } from './deployed-stack.ts';
import { expectOneLine } from './expect-one-line.ts';
import { browser, cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const stack = deployedStack();
const page = '<!doctype html><title>a report</title>\n';
const before = process.env['XDG_CACHE_HOME'];

beforeEach(() => {
  browser.opened = [];
  browser.trouble = null;
  process.env['XDG_CACHE_HOME'] = directory.path;
});
afterAll(() => {
  process.env['XDG_CACHE_HOME'] = before;
});

const entryOf = (runId: string, madeAt: string, more: Partial<RunEntry> = {}): RunEntry => ({
  ...runEntry(aResult([aFinding({ severity: 'critical' }), aFinding({ id: 'f2' })], { runId }), {
    madeAt,
    byHand: false,
    report: `runs/${runId}/report.html`,
  }),
  ...more,
});

/** Runs, the newest first, each with its page. */
function stored(...entries: RunEntry[]): void {
  stack.objects['runs/manifest.json'] = entries.reduce(
    (manifest, entry) => withRun(manifest, entry, 400),
    withRun(null, entries[0] as RunEntry, 400),
  );
  stack.objects['runs/latest.json'] = { runId: entries[0]?.runId };
  for (const { runId, report } of entries) stack.objects[report] = `${page}<!-- ${runId} -->`;
}
const twoRuns = (): void =>
  stored(entryOf('run-b', '2026-11-20T06:00:00Z'), entryOf('run-a', '2026-11-19T06:00:00Z'));

const here = ['--region', 'us-east-1'];
const open = (...argv: string[]) => runCli('report', 'open', ...here, ...argv);

describe('open', () => {
  const cached = join(directory.path, 'stripewise/reports/run-run-b.html');

  test('the newest, where only the user can read it, in the browser', async () => {
    twoRuns();
    const { code, out, err } = await open();
    expect({ code, out, err }).toEqual({ code: 0, out: `The report of run run-b is ${cached}`, err: '' });
    expect(browser.opened).toEqual([cached]);
    expect(readFileSync(cached, 'utf8')).toBe(`${page}<!-- run-b -->`);
    expect((statSync(cached).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(join(cached, '..')).mode & 0o777).toString(8)).toBe('700');
  });

  test('where nothing can be shown it says where it is, and goes on', async () => {
    twoRuns();
    browser.trouble = 'there is no display here';
    const { code, out, err } = await open();
    expect([code, out]).toEqual([0, `The report of run run-b is ${cached}`]);
    expect(err).toBe(
      'stripewise: it could not be opened: there is no display here; open the file in a browser',
    );
  });

  test('an earlier run, without a browser', async () => {
    twoRuns();
    const { out } = await open('--run', 'run-a', '--no-browser');
    expect(out).toMatch(/^The report of run run-a is .*\/reports\/run-run-a\.html$/);
    expect(browser.opened).toEqual([]);
  });

  test('to a path that a person names, and then nothing is opened', async () => {
    twoRuns();
    const file = join(directory.path, 'mine.html');
    const { out } = await open('--file', file);
    expect(out).toBe(`The report of run run-b is ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(`${page}<!-- run-b -->`);
    expect(browser.opened).toEqual([]);
  });

  test('of a campaign its report card', async () => {
    stack.objects['campaigns/c1/report.html'] = page;
    const { out } = await open('--campaign', 'c1');
    expect(out).toMatch(/^The report of campaign c1 is .*\/reports\/campaign-c1\.html$/);
  });

  test('a name with what means something to a system is a file beside the others', async () => {
    const runId = 'a b;$(x)"..';
    stack.objects[`runs/${runId}/report.html`] = page;
    const { out } = await open('--run', runId);
    expect(out).toMatch(/\/reports\/run-a_b___x__\.\.\.html$/);
    expect(existsSync(browser.opened[0] as string)).toBe(true);
  });
});

describe('what cannot be opened is one line', () => {
  test.each<[string, string[], () => void, RegExp]>([
    [
      'no stack',
      [],
      () => stack.cloudFormation.on(DescribeStacksCommand).rejects(awsError('ValidationError', 'none')),
      /there is no stack Stripewise in us-east-1: give --region and --stack, or deploy it/,
    ],
    [
      'another stack',
      ['--stack', 'Other'],
      () => stack.outputs({ Something: 'else' }),
      /the stack Other in us-east-1 keeps no runs: give the --stack that stripewise was deployed as$/,
    ],
    ['no run yet', [], () => {}, /the stack Stripewise in us-east-1 has no run yet: wait for the first/],
    [
      'runs from before there were reports',
      [],
      () => {
        stack.objects['runs/latest.json'] = { runId: 'run-0' };
      },
      /no run of the stack Stripewise in us-east-1 has a report yet: the newest, run-0, was made before reports were; wait for the next$/,
    ],
    [
      'a run whose time is over',
      ['--run', 'run-0'],
      twoRuns,
      /run run-0 of the stack Stripewise in us-east-1 has no report: there is no such run, its time is over, or it was made before reports were; `report list` names what there is$/,
    ],
    ['a campaign that is not there', ['--campaign', 'c9'], () => {}, /campaign c9 .* `bench status` names/],
    ['two at once', ['--run', 'a', '--campaign', 'c'], () => {}, /--run and --campaign are two reports/],
    ['no name of a run', ['--run', '../x'], () => {}, /"\.\.\/x" is no name of a run: give one of those/],
    ['no name of a campaign', ['--campaign', 'a b'], () => {}, /"a b" is no name of a campaign/],
    [
      'a path below nothing',
      ['--file', '/nowhere/r.html'],
      twoRuns,
      /cannot be written: .*no such directory/,
    ],
  ])('%s', async (_, argv, arrange, line) => {
    arrange();
    await expectOneLine(['report', 'open', ...here, ...argv], line);
    expect(browser.opened).toEqual([]);
  });

  test('a permission that is missing is named, and what was at the path stays', async () => {
    stack.s3.on(ListObjectsV2Command).rejects(awsError('AccessDenied', 'No.', 403));
    const file = join(directory.path, 'kept.html');
    writeFileSync(file, 'before');
    const { code, err } = await open('--file', file);
    expect(code).toBe(4);
    expect(err).toBe('stripewise: failed: s3:ListBucket of runs/manifest.json failed: AccessDenied: No.');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(directory.path).filter((name) => name.includes('kept.html'))).toEqual(['kept.html']);
  });
});

describe('list', () => {
  test('a row a run, the newest first', async () => {
    stored(
      entryOf('run-b', '2026-11-20T06:00:00Z', { savedMonthlyUsd: 1_234.5, partial: true, unknown: 2 }),
      entryOf('run-a', '2026-11-19T06:00:00Z', { byHand: true, window: null }),
    );
    const { code, out } = await runCli('report', 'list', ...here);
    const rows = out.split('\n').map((line) => line.split('│').map((cell) => cell.trim()));
    expect(code).toBe(0);
    expect(rows.find((row) => row[1] === 'run-b')).toEqual(
      expect.arrayContaining(['2026-11-20 06:00', 'up to 1,234.50 USD', 'partial, 2 unknown']),
    );
    expect(rows.find((row) => row[1] === 'run-a')).toEqual(
      expect.arrayContaining(['2026-11-19 06:00', '-', 'by hand']),
    );
    expect(out.indexOf('run-b')).toBeLessThan(out.indexOf('run-a'));
  });

  test('as JSON', async () => {
    twoRuns();
    const list = await cliJson('report', 'list', ...here);
    expect(runManifestSchema.parse(list).runs.map(({ runId }) => runId)).toEqual(['run-b', 'run-a']);
  });

  test('none yet', async () => {
    expect((await runCli('report', 'list', ...here)).out).toMatch(/^There is no report yet\./);
    expect(await cliJson('report', 'list', ...here)).toEqual({ version: 1, runs: [] });
  });
});
