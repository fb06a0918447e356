/** A file is there whole, or what was there before is. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wholeFile } from '../../../adapters/files/whole-file.ts';
import { BadInput } from '../../../core/errors.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
let path: string;
const there = (): string[] => readdirSync(join(path, '..'));

beforeEach(() => {
  const own = join(directory.path, expect.getState().currentTestName?.replaceAll(/\W/g, '-') ?? '');
  mkdirSync(own);
  path = join(own, 'a.html');
});

test('nothing stands under its name before it is kept', () => {
  const file = wholeFile(path);
  file.write('one ');
  expect(there()).toEqual([expect.stringMatching(/^\.a\.html\.[\da-f-]{36}\.part$/)]);
  file.write(Buffer.from('two'));
  file.keep();
  expect(there()).toEqual(['a.html']);
  expect(readFileSync(path, 'utf8')).toBe('one two');
});

test('dropped, nothing is left; what was there before stays', () => {
  wholeFile(path).drop();
  expect(there()).toEqual([]);
  writeFileSync(path, 'before');
  const file = wholeFile(path);
  file.write('after');
  file.drop();
  file.drop();
  expect(there()).toEqual(['a.html']);
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('one that only the user may read is so also where an earlier one was not', () => {
  writeFileSync(path, 'before');
  chmodSync(path, 0o666);
  const file = wholeFile(path, 0o600);
  file.write('mine');
  file.keep();
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
});

test('a file of somebody else beside it stays, and a link planted there leads nowhere', () => {
  const [neighbor, victim] = [`${path}.part`, `${path}.victim`];
  writeFileSync(victim, 'theirs');
  symlinkSync(victim, neighbor);
  for (const end of ['drop', 'keep'] as const) {
    const file = wholeFile(path);
    file.write('mine');
    file[end]();
  }
  expect(there().sort()).toEqual(['a.html', 'a.html.part', 'a.html.victim']);
  expect([readlinkSync(neighbor), readFileSync(victim, 'utf8')]).toEqual([victim, 'theirs']);
});

test('two that write to one path do not disturb each other: the last one kept stands there', () => {
  const [one, two] = [wholeFile(path), wholeFile(path)];
  one.write('one, ');
  two.write('two');
  one.write('whole');
  one.keep();
  expect(readFileSync(path, 'utf8')).toBe('one, whole');
  two.keep();
  expect(readFileSync(path, 'utf8')).toBe('two');
  one.drop();
  expect(there()).toEqual(['a.html']);
});

test('what is there is not touched before it is kept', () => {
  writeFileSync(path, 'before');
  const before = lstatSync(path);
  const file = wholeFile(path);
  file.write('after');
  const { ino, mtimeMs, ctimeMs } = lstatSync(path);
  expect({ ino, mtimeMs, ctimeMs }).toEqual({
    ...{ ino: before.ino, mtimeMs: before.mtimeMs, ctimeMs: before.ctimeMs },
  });
  file.drop();
});

test('a link that leads nowhere stays until the file is kept, and nothing is made where it leads', () => {
  symlinkSync('nowhere', path);
  wholeFile(path).drop();
  expect([there(), readlinkSync(path)]).toEqual([['a.html'], 'nowhere']);
  const file = wholeFile(path);
  file.write('mine');
  file.keep();
  expect(there()).toEqual(['a.html']);
  expect([lstatSync(path).isFile(), readFileSync(path, 'utf8')]).toEqual([true, 'mine']);
});

test('a name as long as a file system takes', () => {
  const long = join(path, '..', 'ä'.repeat(127));
  const file = wholeFile(long);
  file.write('mine');
  file.keep();
  expect(readFileSync(long, 'utf8')).toBe('mine');
  expect(() => wholeFile(`${long}ä`)).toThrow(BadInput);
});

test('a directory, a link to one, and what names no file are refused', () => {
  const directoryThere = join(path, '..');
  symlinkSync(directoryThere, path);
  for (const [no, why] of [
    [directoryThere, 'it is a directory'],
    [path, 'it is a directory'],
    [`${path}-new/`, 'it names no file'],
    ['', 'it names no file'],
  ] as const)
    expect(() => wholeFile(no)).toThrow(`${no}: cannot be written: ${why}; give the path of a file`);
  expect(there()).toEqual(['a.html']);
});

test('a pipe is not waited for, a device not replaced', () => {
  execFileSync('mkfifo', [path]);
  expect(() => wholeFile(path)).toThrow(BadInput);
  expect(() => wholeFile('/dev/null')).toThrow(
    '/dev/null: cannot be written: it is no regular file; give the path of a file',
  );
});

test('what replaces a file is as open to others as it was', () => {
  writeFileSync(path, 'before');
  chmodSync(path, 0o640);
  const file = wholeFile(path);
  file.write('after');
  file.keep();
  expect((statSync(path).mode & 0o777).toString(8)).toBe('640');
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ended by %s nothing is left, and it is the signal that ended it',
  async (signal) => {
    const module = pathToFileURL(join(__dirname, '../../../adapters/files/whole-file.ts'));
    writeFileSync(path, 'before');
    const script = `
    import { wholeFile } from '${module}';
    wholeFile(process.argv[1]).write('after');
    console.log('open');
    setInterval(() => {}, 1_000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(there()).toHaveLength(2);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(there()).toEqual(['a.html']);
    expect(readFileSync(path, 'utf8')).toBe('before');
  },
);

test('without an open file no signal is listened to', () => {
  const before = process.listenerCount('SIGINT');
  const [one, other] = [wholeFile(path), wholeFile(`${path}2`)];
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
  one.keep();
  expect(process.listenerCount('SIGINT')).toBe(before + 1);
  other.drop();
  expect(process.listenerCount('SIGINT')).toBe(before);
});
