/** Only the user can read what is kept among their caches, also where the directory was there before. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../../adapters/files/private-file.ts';
import { BadInput } from '../../../core/errors.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const { getuid } = process;
const cacheBefore = process.env['XDG_CACHE_HOME'];
let count = 0;
let cache: string;
let reports: string;

beforeEach(() => {
  const home = join(directory.path, `home-${count++}`);
  cache = join(home, 'stripewise');
  reports = join(cache, 'reports');
  process.env['XDG_CACHE_HOME'] = home;
  mkdirSync(cache, { recursive: true });
});
afterEach(() => {
  Object.assign(process, { getuid });
});
afterAll(() => {
  if (cacheBefore === undefined) delete process.env['XDG_CACHE_HOME'];
  else process.env['XDG_CACHE_HOME'] = cacheBefore;
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

function expectRefused(why: string): void {
  const write = () => writePrivateFile('a.html', 'mine');
  expect(write).toThrow(BadInput);
  expect(write).toThrow(
    `${reports}: cannot be written: ${why}; remove it, or let XDG_CACHE_HOME name a directory of yours`,
  );
}

test('a directory that is made is the user’s alone', () => {
  const path = writePrivateFile('run-a/b.html', 'mine');
  expect(path).toBe(join(reports, 'run-a_b.html'));
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect([modeOf(reports), modeOf(path)]).toEqual(['700', '600']);
});

test('one that others could read is closed to them', () => {
  mkdirSync(reports);
  chmodSync(reports, 0o777);
  const path = writePrivateFile('a.html', 'mine');
  expect([modeOf(reports), modeOf(path)]).toEqual(['700', '600']);
});

test('a link is refused, and where it leads nothing is written or closed', () => {
  const elsewhere = join(cache, 'elsewhere');
  mkdirSync(elsewhere);
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, reports);
  expectRefused('it is no directory, or a link');
  expect([readdirSync(elsewhere), modeOf(elsewhere)]).toEqual([[], '755']);
});

test('a link that leads nowhere is refused', () => {
  symlinkSync(join(cache, 'nowhere'), reports);
  expectRefused('it is no directory, or a link');
});

test('a file is refused', () => {
  writeFileSync(reports, 'text');
  expectRefused('it is no directory, or a link');
});

test('a directory of another user is refused', () => {
  mkdirSync(reports);
  chmodSync(reports, 0o755);
  Object.assign(process, { getuid: () => statSync(reports).uid + 1 });
  expectRefused('it belongs to another user');
  expect(modeOf(reports)).toBe('755');
});

test('a file that cannot take its place leaves nothing behind', () => {
  mkdirSync(join(reports, 'a.html'), { recursive: true });
  expect(() => writePrivateFile('a.html', 'mine')).toThrow(BadInput);
  expect(readdirSync(reports)).toEqual(['a.html']);
});
