/** Whatever path a person names, reading it ends soon, within its bounds, with a text or with one line. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readConfig } from '../../../adapters/files/config-file.ts';
import { readText } from '../../../adapters/files/read-file.ts';
import { BadInput } from '../../../core/errors.ts';
import { bytesPerMiB } from '../../../core/units.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const at = (name: string): string => join(directory.path, name);
const packed = (name: string, bytes: Buffer): string => {
  writeFileSync(at(name), bytes);
  return at(name);
};
const [pipe, link] = [at('pipe'), at('link-to-zero')];

beforeAll(() => {
  execFileSync('mkfifo', [pipe]);
  symlinkSync('/dev/zero', link);
});

describe.each(['/dev/zero', '/dev/full', pipe, link])('%s, which is no file', (path) => {
  test.each([
    ['as a text', readText],
    ['as a configuration', readConfig],
  ])('%s', (_, read) => {
    expect(() => read(path)).toThrow(BadInput);
    expect(() => read(path)).toThrow(
      /^\S+: cannot be read.*it is a pipe or a device; save it to a file, and give that$/,
    );
  });
});

const maxMiB = 1;

test('a file of more than its bound is refused before it is read, one within is read whole', () => {
  const path = directory.write('large.json', '');
  truncateSync(path, 3 * 1024 * bytesPerMiB);
  const before = process.memoryUsage().rss;
  expect(() => readText(path)).toThrow(
    /large\.json: cannot be read: it is larger than 512 MiB; give it in smaller files$/,
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * bytesPerMiB);
  truncateSync(path, bytesPerMiB / 2);
  expect(readText(path, { maxMiB })).toHaveLength(bytesPerMiB / 2);
});

test('a file that says it is empty and is not, as those of /proc, is read up to its bound', () => {
  expect(readText('/proc/self/status', { maxMiB })).toContain('VmRSS');
});

test('a small file that unpacks to a large one is refused', () => {
  const bomb = packed('bomb.json.gz', gzipSync(Buffer.alloc(4 * bytesPerMiB)));
  expect(() => readText(bomb, { maxMiB })).toThrow(
    /bomb\.json\.gz: cannot be read: unpacked it is larger than 1 MiB; give it in smaller files$/,
  );
  expect(readText(packed('fine.gz', gzipSync(Buffer.alloc(1_000))), { maxMiB })).toHaveLength(1_000);
});

test('what is no gzip file, or half of one, is one line', () => {
  const none = directory.write('none.gz', 'text');
  expect(() => readText(none)).toThrow(/it is called \.gz and is no gzip file; pack it again/);
  const cut = packed('cut.gz', gzipSync('text of some length').subarray(0, 12));
  expect(() => readText(cut)).toThrow(/it is cut short; give the whole gzip file$/);
});
