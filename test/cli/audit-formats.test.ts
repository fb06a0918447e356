/** `audit --top`, `--sort`, `--format`: what each prints of the same fleet, and what cannot be asked for together. */
import { parse } from 'csv-parse/sync';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { day, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { minutes, vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const [burst, spare] = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2'];

/** `vol` "zeta" is throttled for 70 minutes, `burst` "alpha" for 10; `spare` "mid" is attached to nothing. */
const files = [
  '--volumes',
  directory.write(
    'volumes.json',
    describeVolumes(
      { Tags: [{ Key: 'Name', Value: 'zeta' }] },
      { VolumeId: burst, Tags: [{ Key: 'Name', Value: 'alpha' }] },
      {
        ...{ VolumeId: spare, State: 'available', Attachments: [], Size: 4_000 },
        Tags: [{ Key: 'Name', Value: '=mid|@all' }],
      },
    ),
  ),
  '--metrics',
  directory.write(
    'metrics.json',
    getMetricData(
      ...load(vol, day(60, minutes(100, 170, 2_900 * 60)), {
        VolumeIOPSExceededCheck: day(0, minutes(100, 170, 1)),
      }),
      ...load(burst, day(60, minutes(100, 110, 2_900 * 60)), {
        VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)),
      }),
    ),
  ),
];

const audited = async (...options: string[]): Promise<string> => {
  const { code, out, err } = await runCli('audit', ...files, ...options);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};
const csvOf = async (...options: string[]): Promise<string[][]> =>
  parse(`${await audited('--format', 'csv', ...options)}\n`) as string[][];
const resourcesOf = async (...options: string[]): Promise<(string | undefined)[]> =>
  (await csvOf(...options)).slice(1).map(([, , resource]) => resource);

test('--format json is --json', async () => {
  const json = await audited('--json');
  expect(await audited('--format', 'json')).toBe(json);
  expect(await audited('--format', 'json', '--json')).toBe(json);
});

test('--format table is what is printed where nothing is said', async () => {
  expect(await audited('--format', 'table')).toBe(await audited());
});

test('--format csv has a row for each finding of the JSON', async () => {
  const { findings } = auditResultSchema.parse(JSON.parse(await audited('--json')));
  const [head, ...rows] = await csvOf();
  const idAt = head?.indexOf('finding id') ?? -1;
  expect(rows.map((row) => row[idAt]).toSorted()).toEqual(findings.map(({ id }) => id).toSorted());
  expect(rows.map(([, , , name]) => name)).toContain("'=mid|@all");
});

test('--format markdown is a headline and a table, in which no text of the account is mark-up', async () => {
  const lines = (await audited('--format', 'markdown')).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    expect.stringMatching(/^\*\*stripewise: 1 critical, 2 warnings\. .*3 volumes, 1 Region\.\*\*$/),
    '',
    '| Severity | Resource | Problem | Fix |',
    '| --- | --- | --- | --- |',
  ]);
  expect(lines.slice(4).filter((line) => line.startsWith('| '))).toHaveLength(3);
  expect(lines.join('\n')).toContain(`| ${spare} "=mid｜＠all" `);
});

test('--sort: by impact where nothing is said, by savings, by name', async () => {
  expect(await resourcesOf()).toEqual([vol, burst, spare]);
  expect(await resourcesOf('--sort', 'impact')).toEqual([vol, burst, spare]);
  expect((await resourcesOf('--sort', 'savings'))[0]).toBe(spare);
  // "=mid" stands before letters
  expect(await resourcesOf('--sort', 'name')).toEqual([spare, burst, vol]);
});

test('--sort orders JSON, Markdown and blocks alike', async () => {
  const byName = await resourcesOf('--sort', 'name');
  const { findings } = auditResultSchema.parse(JSON.parse(await audited('--json', '--sort', 'name')));
  expect(findings.map(({ resource }) => resource.id)).toEqual(byName);
  const idsIn = (text: string): string[] =>
    text.split('\n').flatMap((line) => /^(?:\d+\. |\|) .*?(vol-\w+)/.exec(line)?.[1] ?? []);
  expect(idsIn(await audited('--sort', 'name', '--format', 'markdown'))).toEqual(byName);
  expect(idsIn(await audited('--sort', 'name'))).toEqual(byName);
});

test('--top: so many blocks, or rows of Markdown', async () => {
  const text = await audited('--top', '1');
  expect(text.match(/^ {4}Problem /gm)).toHaveLength(1);
  expect(text).toContain('\nFinding 1 of 3, by impact');
  const markdown = await audited('--top', '1', '--format', 'markdown');
  expect(markdown.match(/^\| (critical|warning) /gm)).toHaveLength(1);
  expect(markdown).toMatch(/\n\n\.\.\. and 2 more findings$/);
});

test('with --resource all are blocks, and --top, --sort and --format mean the same', async () => {
  const asked = ['--resource', vol, burst, spare];
  expect((await audited(...asked)).match(/^ {4}Problem /gm)).toHaveLength(3);
  expect((await audited(...asked, '--top', '1')).match(/^ {4}Problem /gm)).toHaveLength(1);
  expect(await resourcesOf('--resource', burst, spare, '--sort', 'name')).toEqual([spare, burst]);
});

test('other formats have no color and are not folded', async () => {
  for (const format of ['csv', 'markdown', 'json'])
    expect(await audited('--format', format)).not.toContain('\u001b');
});

test.each([
  [
    ['--json', '--format', 'csv'],
    /^stripewise: --json is --format json, and --format csv is given too: leave one of them out$/,
  ],
  [['--json', '--format', 'table'], /--format table is given too/],
  [['--format', 'xml'], /--format "xml" is not known: give one of table, json, csv, markdown$/],
  [['--sort', 'size'], /--sort "size" is not known: give one of impact, savings, name$/],
  [['--top', '-1'], /--top "-1" cannot be negative: give a whole number from 0 to 10000$/],
  [['--top', '1.5'], /--top "1\.5" cannot be 1\.5: give a whole number/],
  [
    ['--top', '5', '--format', 'csv'],
    /--top is for --format table and markdown, csv has every finding: leave it out$/,
  ],
  [
    ['--top', '5', '--json'],
    /--top is for --format table and markdown, json has every finding: leave it out$/,
  ],
])('%j is one line', async (options, line) => {
  await expectOneLine(['audit', ...files, ...options], line);
});

test('what cannot be printed is refused before anything is read', async () => {
  await expectOneLine(
    ['audit', '--volumes', '/nowhere.json', '--metrics', '/nowhere.json', '--json', '--format', 'csv'],
    /leave one of them out$/,
  );
});

test('--help shows each of them in an example', async () => {
  const { code, out } = await runCli('audit', '--help');
  expect(code).toBe(0);
  const examples = out.slice(out.indexOf('Examples:'));
  for (const option of ['--top 3', '--sort savings', '--format csv', '--format markdown'])
    expect(examples).toContain(option);
});
