/** Files of what hosts printed: which host each is of, and what cannot be used. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readHosts } from '../../../adapters/files/host-evidence.ts';
import { BadInput } from '../../../core/errors.ts';
import { disk, hostDocument, ids, lsblkText, lvmStripe } from '../../core/stripes/hosts.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const [first, second] = ['i-0123456789abcdef0', 'i-0123456789abcdef1'];
const striped = hostDocument(lvmStripe());

test('each file is of the instance that it is called after', () => {
  const alone = hostDocument({ lsblk: lsblkText(disk(7, { fstype: 'xfs', mountpoint: '/var' })) });
  const hosts = readHosts([
    directory.write(`${first}.json`, striped),
    directory.write(`there/${second}.txt`, alone),
  ]);
  expect([...hosts.keys()]).toEqual([first, second]);
  expect(hosts.get(first)?.arrays).toMatchObject([{ name: 'data/data', memberVolumeIds: ids(1, 2, 3, 4) }]);
  expect(hosts.get(second)).toMatchObject({ arrays: [], singleVolumeIds: ids(7) });
});

test('of no file nothing is known', () => {
  expect(readHosts([])).toEqual(new Map());
});

test('without an ending, packed, or with a byte order mark it is the same', () => {
  const packed = join(directory.path, `${second}.json.gz`);
  writeFileSync(packed, gzipSync(striped));
  const whole = readHosts([directory.write(`whole/${first}.json`, striped)]).get(first);
  expect(readHosts([directory.write(first, striped)]).get(first)).toEqual(whole);
  expect(readHosts([packed]).get(second)).toEqual(whole);
  expect(readHosts([directory.write(`marked/${first}.json`, `\uFEFF${striped}`)]).get(first)).toEqual(whole);
});

const expected = 'expected what ssm-documents/describe-stripes/describe-stripes.sh prints on the host';

test.each([
  ['hosts.json', striped, 'its name is no instance id: call it like i-0123456789abcdef0.json'],
  ['i-0123456789abcdefg.json', striped, 'its name is no instance id'],
  ['i-.json', striped, 'its name is no instance id'],
  [`${first}.json`, '', `its answer is not the document that the script prints; ${expected}`],
  [`${first}.json`, 'sh: lsblk: not found', 'its answer is not the document'],
  [`${first}.json`, striped.slice(0, -2), 'its answer is not the document'],
  [`${first}.json`, '{"Volumes":[]}', 'its answer is not the document'],
  [`${first}.json`, striped.replace('"version":1', '"version":2'), 'its answer is not the document'],
  [
    `${first}.json`,
    hostDocument({ lsblk: 'NAME TYPE' }),
    `lsblk did not print what can be read; ${expected}`,
  ],
  [
    `${first}.json`,
    JSON.stringify({ version: 1, lsblk: { error: 'lsblk took longer than 10 s' }, dmsetup: null, md: '' }),
    `lsblk took longer than 10 s; ${expected}`,
  ],
  [
    `${first}.json`,
    '{"version":1,"tooLarge":{"characters":30000,"most":23999}}',
    `its devices take 30000 characters, and Run Command hands over 23999; ${expected}`,
  ],
])('%s with %j is refused', (name, content, why) => {
  const path = directory.write(name, content);
  expect(() => readHosts([path])).toThrow(BadInput);
  expect(() => readHosts([path])).toThrow(`${path}: ${why}`);
});

test('two files of one host are refused: which of them holds, nobody could tell', () => {
  const paths = ['one', 'two'].map((folder) => directory.write(`${folder}/${first}.json`, striped));
  expect(() => readHosts(paths)).toThrow(
    `${paths[1]}: there is a file of ${first} before it, and which is newer is not known`,
  );
});

test('a file that is not there', () => {
  expect(() => readHosts([`/nowhere/${first}.json`])).toThrow('cannot be read: there is no such file');
});
