/** What is dear to make: made once for its inputs, by one process, whole or not at all. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  type Cached,
  cachedDirectory,
  cachedDirectoryLater,
  hashOfInputs,
} from '../../lib/shared/build-cache.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
let count = 0;
/** A checkout with one file of which things are made. */
function checkout(): { root: string; file: string; hash: () => string } {
  const name = `checkout-${count++}`;
  const file = directory.write(`${name}/lib/input.txt`, 'one');
  const root = join(directory.path, name);
  return { root, file, hash: () => hashOfInputs(root, ['lib']) };
}

/** Makes it in both ways: each test holds for both. */
type Make = (cached: Cached, make: (directory: string) => void) => Promise<string>;
const ways: [name: string, Make][] = [
  ['at once', async (cached, make) => cachedDirectory(cached, make)],
  ['in steps', (cached, make) => cachedDirectoryLater(cached, async (fresh) => make(fresh))],
];

describe('the hash of inputs', () => {
  test('is the same of the same files and texts', () => {
    const { root, hash } = checkout();
    expect(hash()).toBe(hash());
    expect(hashOfInputs(root, ['lib'], 'a')).toBe(hashOfInputs(root, ['lib'], 'a'));
    expect(hash()).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is the same wherever the checkout lies', () => {
    expect(checkout().hash()).toBe(checkout().hash());
  });

  test.each<[string, (root: string) => void]>([
    ['another content', (root) => writeFileSync(join(root, 'lib/input.txt'), 'two')],
    ['another file', (root) => writeFileSync(join(root, 'lib/more.txt'), '')],
    [
      'a file in a folder',
      (root) => {
        mkdirSync(join(root, 'lib/inner'));
        writeFileSync(join(root, 'lib/inner/more.txt'), '');
      },
    ],
  ])('is another with %s', (_, change) => {
    const { root, hash } = checkout();
    const before = hash();
    change(root);
    expect(hash()).not.toBe(before);
  });

  test('is another with another text, and with texts in another order', () => {
    const { root } = checkout();
    const hashes = [[], ['a'], ['a', 'b'], ['b', 'a'], ['ab']].map((texts) =>
      hashOfInputs(root, ['lib'], ...texts),
    );
    expect(new Set(hashes).size).toBe(5);
  });

  test('is the same whatever Python leaves beside its files', () => {
    const { root, hash } = checkout();
    const before = hash();
    mkdirSync(join(root, 'lib/__pycache__'));
    writeFileSync(join(root, 'lib/__pycache__/input.pyc'), 'x');
    expect(hash()).toBe(before);
  });
});

describe.each(ways)('what is made %s', (_, make) => {
  const kind = 'things';

  test('is made once, and is there for who asks again', async () => {
    const { root, hash } = checkout();
    let made = 0;
    const ask = () =>
      make({ root, kind, hash: hash() }, (fresh) => {
        made += 1;
        writeFileSync(join(fresh, 'thing'), readFileSync(join(root, 'lib/input.txt')));
      });
    const place = await ask();
    expect(await ask()).toBe(place);
    expect(made).toBe(1);
    expect(readFileSync(join(place, 'thing'), 'utf8')).toBe('one');
    expect(place).toMatch(new RegExp(`^${root}/node_modules/\\.cache/stripewise/things/[0-9a-f]{32}$`));
    expect(readdirSync(dirname(place))).toHaveLength(1);
  });

  test('is made again where an input has changed, and not where it is as it was', async () => {
    const { root, file, hash } = checkout();
    let made = 0;
    const ask = () =>
      make({ root, kind, hash: hash() }, () => {
        made += 1;
      });
    const first = await ask();
    writeFileSync(file, 'two');
    expect(await ask()).not.toBe(first);
    writeFileSync(file, 'one');
    expect(await ask()).toBe(first);
    expect(made).toBe(2);
  });

  test('leaves nothing where making it fails, and is made when somebody asks again', async () => {
    const { root, hash } = checkout();
    const cached = { root, kind, hash: hash() };
    const failing = make(cached, (fresh) => {
      writeFileSync(join(fresh, 'half'), '');
      throw new Error('no disk');
    });
    await expect(failing).rejects.toThrow('no disk');
    expect(readdirSync(join(root, 'node_modules/.cache/stripewise/things'))).toEqual([]);
    expect(readdirSync(await make(cached, (fresh) => writeFileSync(join(fresh, 'whole'), '')))).toEqual([
      'whole',
    ]);
  });

  test('is not kept where an input was changed meanwhile', async () => {
    const { root, file, hash } = checkout();
    const cached = { root, kind, hash: hash(), hashNow: hash };
    const failing = make(cached, () => writeFileSync(file, 'two'));
    await expect(failing).rejects.toThrow(
      'things: a file that they are made of was changed while they were made: run it again',
    );
    expect(readdirSync(join(root, 'node_modules/.cache/stripewise/things'))).toEqual([]);
  });

  test.each([
    ['of a process that is gone', '4194305', 0], // Linux gives no number above 4194304
    ['without a number, older than 10 s', '', 11],
    ['of a process that lives, older than a quarter of an hour', `${process.pid}`, 901],
  ])('a lock %s is taken', async (__, owner, ageSeconds) => {
    const { root, hash } = checkout();
    const cached = { root, kind, hash: hash() };
    const lock = join(root, 'node_modules/.cache/stripewise/things', `${cached.hash.slice(0, 32)}.lock`);
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, owner);
    const at = Date.now() / 1_000 - ageSeconds;
    utimesSync(lock, at, at);
    const place = await make(cached, (fresh) => writeFileSync(join(fresh, 'whole'), ''));
    expect(readdirSync(place)).toEqual(['whole']);
    expect(existsSync(lock)).toBe(false);
  });

  test('goes once three others are newer and nobody used it for an hour, with what killed processes left', async () => {
    const { root, file, hash } = checkout();
    const minutesAgo = (path: string, minutes: number) => {
      const at = Date.now() / 1_000 - minutes * 60;
      utimesSync(path, at, at);
    };
    const ask = (text: string) => {
      writeFileSync(file, text);
      return make({ root, kind, hash: hash() }, () => undefined);
    };
    const places = [];
    for (const text of ['a', 'b', 'c', 'd']) places.push(await ask(text));
    const [a = '', b = '', c = '', d = ''] = places;
    const things = dirname(a);
    for (const left of [`${'0'.repeat(32)}.1.new`, `${'1'.repeat(32)}.1.new`])
      mkdirSync(join(things, left, 'inner'), { recursive: true });
    writeFileSync(join(things, `${'0'.repeat(32)}.lock`), '1');
    for (const path of [
      a,
      b,
      c,
      d,
      ...['.1.new', '.lock'].map((end) => join(things, `${'0'.repeat(32)}${end}`)),
    ])
      minutesAgo(path, 61);
    minutesAgo(a, 62);
    minutesAgo(b, 59);
    expect(await ask('d')).toBe(d); // used again
    const e = await ask('e');
    // The newest three are b, d and e; a and c are old.
    expect(
      readdirSync(things)
        .map((name) => join(things, name))
        .sort(),
    ).toEqual([b, d, e, join(things, `${'1'.repeat(32)}.1.new`)].sort());
    expect(statSync(d).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  test('stays, as old as it is, where no newer are there', async () => {
    const { root, file, hash } = checkout();
    const ask = () => make({ root, kind, hash: hash() }, () => undefined);
    const first = await ask();
    utimesSync(first, 0, 0);
    writeFileSync(file, 'two');
    const second = await ask();
    expect(readdirSync(dirname(first)).sort()).toEqual([first, second].map((path) => path.slice(-32)).sort());
  });
});

test.each(['cachedDirectory', 'cachedDirectoryLater'])(
  '%s: of four processes that ask at once, one makes it and the others wait',
  async (way) => {
    const { root, hash } = checkout();
    const module = pathToFileURL(join(__dirname, '../../lib/shared/build-cache.ts')).href;
    const log = join(root, 'made.log');
    const script = `
      import { appendFileSync, writeFileSync } from 'node:fs';
      import { ${way} } from '${module}';
      const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      const make = (fresh) => {
        appendFileSync(${JSON.stringify(log)}, 'made\\n');
        wait();
        writeFileSync(fresh + '/whole', '');
      };
      const cached = { root: ${JSON.stringify(root)}, kind: 'things', hash: '${hash()}' };
      process.stdout.write(await ${way}(cached, make));
    `;
    const processes = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]),
    );
    const places = (await Promise.all(processes)).map(({ stdout }) => stdout);
    expect(new Set(places).size).toBe(1);
    expect(readdirSync(places[0] ?? '')).toEqual(['whole']);
    expect(readFileSync(log, 'utf8')).toBe('made\n');
  },
);
