/** What cannot be a campaign is one line and exit code 2, before anything is asked of AWS. */
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson } from './run-cli.ts';

const directory = temporaryDirectory();
const places = ['--layouts', 'gp3:100', '--instance-types', 'm5.large'];
const plan = (...argv: string[]) => ['bench', 'plan', ...argv];
const layout = (text: string) => plan('--layouts', text, '--instance-types', 'm5.large', '--users', '4');

test.each<[string, string[], RegExp]>([
  ['nothing at all', plan(), /what is compared, and where\? give --layouts .* or --request FILE$/],
  ['no work', plan(...places), /what is measured\? give one of --work .*, --goal .* and --users/],
  ['two works', plan(...places, '--users', '4', '--work', 'oltp'), /what is measured\? give one of/],
  ['no layout', layout('100GB'), /--layouts "100GB" is not a layout: give \[NAME=\]\[KIND:\]\[Nx\]TYPE:GIB/],
  ['no volume type', layout('gp9:100'), /--layouts "gp9:100" is not a layout/],
  ['no kind', layout('raid6:6xgp3:100'), /is not a layout: .*kinds: single, linear, stripe, raid0/],
  ['no volumes', layout('0xgp3:100'), /has 0 volumes: give 1 to 24/],
  ['too many volumes', layout('25xgp3:100'), /has 25 volumes: give 1 to 24/],
  [
    'a mirror of three',
    layout('raid10:3xgp3:100'),
    /the request: layouts\.0\.members: raid10 has 4 volumes or more/,
  ],
  ['a text for a shell', layout('a;reboot=gp3:100'), /is not a layout/],
  ['what EBS would refuse', layout('gp3:100:900000'), /IOPS/],
  [
    'the same twice',
    plan('--layouts', 'gp3:100', 'gp3:200', ...places.slice(2), '--users', '4'),
    /two layouts are called single-gp3/,
  ],
  [
    'an instance that is none',
    plan(...places.slice(0, 3), 'm5', '--users', '4'),
    /instanceTypes\.0: not the name of a type/,
  ],
  [
    'one that is not there',
    plan(...places.slice(0, 3), 'm99.large', '--users', '4'),
    /m99\.large is not known in us-east-1/,
  ],
  [
    'a goal',
    plan(...places, '--goal', 'fast please'),
    /goal "fast please" is not understood: give one like "max IOPS/,
  ],
  [
    'a load beside a finding, whose load it is',
    plan('--from-finding', '0123456789abcdef', '--access', 'read'),
    /a finding says what is measured: leave out --access$/,
  ],
  ['a profile', plan(...places, '--work', 'fast'), /--work.*report-card/],
  ['no users', plan(...places, '--users', '0'), /--users/],
  ['too many users', plan(...places, '--users', '65'), /--users/],
  [
    'fewer operations than users',
    plan(...places, '--users', '8', '--iops', '4'),
    /work\.load\.iops: must be as many as users or more/,
  ],
  [
    'a search repeated',
    plan(...places, '--goal', 'max IOPS with p95 under 2 ms', '--repeats', '2'),
    /repeats: a search repeats what it finds by itself/,
  ],
  ['a preparation', plan(...places, '--users', '4', '--prepare', 'format'), /--prepare/],
  ['a ceiling of nothing', plan(...places, '--users', '4', '--ceiling-usd', '0'), /--ceiling-usd/],
  [
    'a price above the ceiling',
    plan(...places, '--users', '4', '--ceiling-usd', '0.01'),
    /it would cost about 0\.02 USD, above the ceiling of 0\.01 USD: ask for less, or raise ceilingUsd/,
  ],
  [
    'three days',
    plan(...places, '--users', '4', '--hours-at-most', '72'),
    /hoursAtMost: Too big: expected number to be <=48/,
  ],
  [
    'a file that does not fit',
    [...layout('gp3:4'), '--file-size-mib', '4096'],
    /holds 4,096 MiB, too little for a file of 4,096/,
  ],
  ['a Region', plan(...places, '--users', '4', '--region', 'mars'), /--region/],
  [
    'a Region without prices',
    plan(...places, '--users', '4', '--region', 'eu-west-1'),
    /what it costs is not known, so no ceiling can be kept/,
  ],
  [
    'a file that cannot be written',
    plan(...places, '--users', '4', '--out', '/nowhere/request.json'),
    /\/nowhere\/request\.json/,
  ],
])('plan: %s', async (_, argv, line) => {
  await expectOneLine(argv, line);
});

describe.each(['plan', 'start'])('%s with a file', (command) => {
  const argv = (file: string) =>
    command === 'plan' ? plan('--request', file) : ['bench', 'start', file, '--region', 'us-east-1'];
  const written = (name: string, content: string | object) => argv(directory.write(name, content));

  test('that is not there', async () => {
    await expectOneLine(argv('/nowhere/request.json'), /\/nowhere\/request\.json/);
  });

  test('that is no JSON', async () => {
    await expectOneLine(
      written('text.json', 'layouts: gp3'),
      /text\.json: is no JSON \(.*\): give what `bench plan --out` wrote$/,
    );
  });

  test.each<[string, object, RegExp]>([
    ['a list', [], /odd\.json: as a whole: /],
    ['a field that is none', { gpus: 8 }, /odd\.json: as a whole: Unrecognized key: "gpus"$/],
    ['a field that is wrong', { repeats: 'often' }, /odd\.json: repeats: /],
  ])('that is %s', async (_, change, line) => {
    const { request } = await cliJson<{ request: object }>(...plan(...places, '--users', '4'));
    const content = Array.isArray(change) ? change : { ...request, ...change };
    await expectOneLine(written('odd.json', content), line);
  });
});

test.each<[string, string[], RegExp]>([
  ['no campaign', ['bench', 'report'], /campaign/],
  ['a command', ['bench', 'stop'], /stop/],
])('%s', async (_, argv, line) => {
  await expectOneLine(argv, line);
});
