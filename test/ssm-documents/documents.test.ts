/** Every document can be put together and sent, and a shell can read what hosts are given. */
import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandDocument } from '../../lib/shared/command-document.ts';

const root = join(__dirname, '../..');
const directory = join(root, 'ssm-documents');
const names = readdirSync(directory).filter((name) => name !== 'shared');
const scriptOf = (name: string): string =>
  `${commandDocument(root, name).mainSteps[0].inputs.runCommand.join('\n')}\n`;

test('there is the one that asks hosts', () => {
  expect(names).toContain('describe-stripes');
});

describe.each(names)('%s', (name) => {
  test('is a document below 64 KB', () => {
    expect(JSON.stringify(commandDocument(root, name)).length).toBeLessThan(64 * 1024);
  });

  test('has a script that sh reads to its end', () => {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: scriptOf(name), encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});

test('every file that scripts share is in one of them', () => {
  const whole = names.map(scriptOf).join('');
  // A list of files to read has nothing of its own but its first line.
  const ownOf = (text: string): string =>
    text.includes('\n. "') ? text.slice(0, text.indexOf('\n')) : text.trimEnd();
  const unread = globSync('shared/*.sh', { cwd: directory }).filter(
    (path) => !whole.includes(ownOf(readFileSync(join(directory, path), 'utf8'))),
  );
  expect(unread).toEqual([]);
});
