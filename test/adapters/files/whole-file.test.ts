/** A file is there whole, or what was there before is. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  expect(there()).toEqual(['a.html.part']);
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
  for (const name of [path, `${path}.part`]) {
    writeFileSync(name, 'before');
    chmodSync(name, 0o666);
  }
  const file = wholeFile(path, 0o600);
  file.write('mine');
  file.keep();
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
});

test('a pipe is not waited for, a device not replaced', () => {
  execFileSync('mkfifo', [path]);
  expect(() => wholeFile(path)).toThrow(BadInput);
  expect(() => wholeFile('/dev/null')).toThrow(
    '/dev/null: cannot be written: it is no regular file; give the path of a file',
  );
});
