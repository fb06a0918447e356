/** What a command reads it never writes over, whatever the file is called. */
import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';

const directory = temporaryDirectory();
const input = join(directory.path, 'input.svg');
const [link, hard] = ['symbolic.svg', 'hard.svg'].map((name) => join(directory.path, name)) as [
  string,
  string,
];

beforeAll(() => {
  writeFileSync(input, 'read');
  symlinkSync(input, link);
  linkSync(input, hard);
});

const other = '/nowhere.json';
const commands: [string, (path: string) => string[]][] = [
  ...[
    ...['--volumes', '--metrics', '--instances', '--hosts', '--config', '--compare-with'],
    ...['--modifications', '--prices'],
  ].flatMap((option) =>
    ['--minutes', '--html', '--chart'].map((output): [string, (path: string) => string[]] => [
      `audit ${option} ${output}`,
      (path) => ['audit', option, input, '--resource', 'vol-1', output, path],
    ]),
  ),
  ['audit --recorded', (path) => ['audit', '--recorded', directory.path, '--html', path]],
  ['grade --html', (path) => ['grade', other, input, '--html', path]],
  ['grade --chart', (path) => ['grade', other, input, '--chart', path]],
  ['bench plan --request', (path) => ['bench', 'plan', '--request', input, '--out', path]],
  ['bench plan --audit', (path) => ['bench', 'plan', '--from-finding', 'x', '--audit', input, '--out', path]],
];

test.each(commands.filter(([name]) => !name.includes('--config')))('%s', async (_, argv) => {
  for (const path of [input, link, hard, `${directory.path}/./input.svg`])
    await expectOneLine(
      argv(path),
      / is a file that is read \(.*\/(input|hard|symbolic)\.svg\): give another path$/,
    );
  expect(readFileSync(input, 'utf8')).toBe('read');
});

test('a configuration too', async () => {
  const config = directory.write('good.yaml', 'audit: { everyHours: 12 }\n');
  await expectOneLine(['audit', '--config', config, '--html', config], /good\.yaml is a file that is read/);
});
