/** .ci/run in a copy, with an npm that passes or fails as it is reported, and a record that is as it is reported. */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { partNames } from '../../tools/checked-parts.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const log = join(directory.path, 'log');
const isPartOf = {
  emulator: 'test -- test/local/',
  lab: 'test:lab',
  bench: 'test:bench',
  'demo-bench': 'demo:bench',
};

beforeAll(() => {
  mkdirSync(join(directory.path, '.ci'));
  copyFileSync(join(__dirname, '../../.ci/run'), join(directory.path, '.ci/run'));
  const script = (name: string, text: string): void =>
    chmodSync(directory.write(`bin/${name}`, `#!/bin/sh\n${text}\n`), 0o755);
  script(
    'npm',
    `echo "npm $*" >> ${log}; echo "said by $*"
     case "$*" in *"$FAILS"*) exit 3;; *"$HANGS"*) echo "hangs $$" >> ${log}; sleep 600;; esac`,
  );
  // Other commands on this machine have processes of their own.
  script('grep', 'exit 1');
  script(
    'node',
    `echo "node $*" >> ${log}
     case "$*" in
       *" unchanged "*) for part in $UNCHANGED; do if [ "$part" = "$4" ]; then echo "unchanged: $4"; exit 0; fi; done; exit 1;;
       *" record "*) cd "$4" && for file in *.seconds; do echo "$file: $(cat "$file")" >> ${log}; done;;
     esac`,
  );
});

interface Done {
  status: number | null;
  stdout: string;
  stderr: string;
  /** What was called: npm, and node for the record. */
  calls: string[];
}

function ciRun(
  args: readonly string[],
  { unchanged = '', fails = 'nothing at all', hangs = 'nothing at all' } = {},
): Done {
  rmSync(log, { force: true });
  const env = {
    PATH: `${join(directory.path, 'bin')}:${process.env['PATH']}`,
    UNCHANGED: unchanged,
    FAILS: fails,
    HANGS: hangs,
    TMPDIR: directory.path,
  };
  const { status, stdout, stderr } = spawnSync('bash', [join(directory.path, '.ci/run'), ...args], {
    ...{ env, encoding: 'utf8', cwd: '/' },
  });
  const calls = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  return { status, stdout, stderr, calls };
}

const ran = ({ calls }: Done): string[] =>
  partNames.filter((name) => calls.some((call) => call.startsWith('npm') && call.includes(isPartOf[name])));

test.each([
  [['--bogus'], /^\.ci\/run: unknown argument --bogus: it takes --all, --all --record or --help\n$/],
  [['--all', 'lab'], /^\.ci\/run: unknown argument lab: .+\n$/],
  [['--record'], /^\.ci\/run: --record without --all .+\n$/],
])('%j is refused in one line, and nothing runs', (args, line) => {
  expect(ciRun(args)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(line), calls: [] });
});

test('--help says what it takes, and nothing runs', () => {
  const { status, stdout, calls } = ciRun(['--help']);
  expect({ status, calls }).toEqual({ status: 0, calls: [] });
  expect(stdout.split('\n')).toEqual([
    expect.stringContaining('Everything that must hold'),
    ...['.ci/run  ', '.ci/run --all  ', '.ci/run --all --record  '].map((text) =>
      expect.stringContaining(text),
    ),
    '',
  ]);
});

test('a part that is unchanged is not run, says so, and the rest goes on; each step says its seconds', () => {
  const done = ciRun([], { unchanged: 'lab demo-bench' });
  expect(ran(done)).toEqual(['emulator', 'bench']);
  expect(done.stdout).toMatch(/== the documents on a real Linux.*\nunchanged: lab\n-- \d+ s: the documents/);
  expect(done.stdout).toMatch(/\n== everything holds: \d+ s\n$/);
  expect(done.calls).toContain('npm run -s test:resilience');
  expect(done.status).toBe(0);
  const titles = (pattern: RegExp): (string | undefined)[] =>
    [...done.stdout.matchAll(pattern)].map(([, title]) => title);
  expect(titles(/^-- \d+ s: (.+)$/gm)).toEqual(titles(/^== (?!everything)(.+)$/gm));
});

test('what is quick comes first: what reads files alone before the first test, guests at the end', () => {
  const { calls } = ciRun(['--all']);
  const npm = calls.filter((call) => call.startsWith('npm'));
  expect(npm.slice(0, 3).sort()).toEqual(['npm run -s dead-code', 'npm run -s lint', 'npm run -s types']);
  const at = (text: string): number => npm.findIndex((call) => call.includes(text));
  expect(at('test:package')).toBeLessThan(at('build:template'));
  expect(at('npm test')).toBeLessThan(at('test:resilience'));
  for (const text of ['test:resilience', 'demo:changes']) expect(at(text)).toBeLessThan(at('test:bench'));
  expect(at('test:bench')).toBeLessThan(at('test:lab'));
});

test('what a step of a lane says stands whole between its title and its seconds', () => {
  const { stdout } = ciRun([]);
  for (const [title, call] of [
    ['types', 'run -s types'],
    ['dead code', 'run -s dead-code'],
    ['tests', 'test -- ^(?!.*/local/ministack-)'],
    ['resilience tests', 'run -s test:resilience'],
    ['demo', 'run demo'],
  ] as const) {
    expect(stdout).toContain(`.. begun: ${title}\n`);
    expect(stdout.replace(/-- \d+ s/g, '-- 0 s')).toContain(
      `\n== ${title}\nsaid by ${call}\n-- 0 s: ${title}\n`,
    );
  }
});

// `test:package` and the tests are side by side: each of them is ended where the other fails.
test.each([
  ['test:package', 'test -- ^', 'the installed form'],
  ['test -- ^', 'test:package', 'tests'],
])('where %s fails, %s beside it is ended, and what failed is said whole', (fails, hangs, title) => {
  const { status, stdout, calls } = ciRun([], { fails, hangs });
  expect(status).toBe(3);
  expect(stdout).toMatch(new RegExp(`\n== ${title}\nsaid by .+\n-- \\d+ s: FAILED: ${title}\n`));
  expect(calls.some((call) => call.includes('resilience') || call.includes('demo'))).toBe(false);
  const hung = calls.flatMap((call) => /^hangs (\d+)$/.exec(call)?.[1] ?? []);
  for (const pid of hung) expect(existsSync(`/proc/${pid}`)).toBe(false);
});

test('each test file is in one of the two calls of Jest', () => {
  const patterns = ciRun([])
    .calls.filter((call) => call.startsWith('npm test -- '))
    .map((call) => new RegExp(call.slice('npm test -- '.length).trim()));
  expect(patterns).toHaveLength(2);
  const files = globSync('test/**/*.test.ts', { cwd: join(__dirname, '../..') });
  expect(files.filter((file) => patterns.filter((pattern) => pattern.test(file)).length !== 1)).toEqual([]);
  expect(files.filter((file) => patterns[1]?.test(file)).length).toBeGreaterThan(10);
});

test('--all tries the two models with more sequences', () => {
  const models = 'npm test -- --selectProjects unit -- test/model';
  expect(ciRun([]).calls).not.toContain(models);
  expect(ciRun(['--all']).calls).toContain(models);
});

test('--all asks no record and runs every part', () => {
  const done = ciRun(['--all'], { unchanged: partNames.join(' ') });
  expect(ran(done)).toEqual([...partNames]);
  expect(done.calls.filter((call) => call.includes('check-record'))).toEqual([]);
});

test('--all --record notes each part before it runs, with the results of its tests, and records at the end', () => {
  const { status, calls } = ciRun(['--all', '--record'], { unchanged: partNames.join(' ') });
  expect(status).toBe(0);
  const checks = calls.filter((call) => call.includes('check-record'));
  expect(checks.map((call) => call.split(' ').slice(3, 5).join(' '))).toEqual([
    ...['begin emulator', 'begin bench', 'begin demo-bench', 'begin lab'],
    expect.stringMatching(/^record /),
  ]);
  for (const name of partNames) {
    // Another lane may call something in between.
    const begun = calls.findIndex((call) => call.includes(`begin ${name} `));
    const call = calls.slice(begun).find((one) => one.includes(isPartOf[name]));
    expect(call).toMatch(
      name === 'demo-bench'
        ? /^npm run demo:bench$/
        : new RegExp(`--json --outputFile=\\S+/${name}\\.tests\\.json$`),
    );
  }
  // The figures: how long each took.
  expect(calls.filter((call) => /\.seconds: \d+$/.test(call))).toHaveLength(partNames.length);
});

test.each([
  ['dead-code', 'npm test'],
  ['test:resilience', 'test:bench'],
  ['test:lab', 'load-accounts'],
])('where %s fails, so does all of it: %s is not begun, and nothing is recorded', (fails, later) => {
  const { status, stdout, calls } = ciRun(['--all', '--record'], { fails });
  expect(status).toBe(3);
  expect(stdout).not.toContain('everything holds');
  expect(calls.filter((call) => call.includes(' record '))).toEqual([]);
  expect(calls.some((call) => call.includes(fails))).toBe(true);
  expect(calls.filter((call) => call.includes(later))).toEqual([]);
});

describe('tools/check-record.ts', () => {
  const root = join(__dirname, '../..');
  const checkRecord = (...args: string[]) => {
    const done = spawnSync(process.execPath, [join(root, 'tools/check-record.ts'), ...args], {
      encoding: 'utf8',
    });
    return { status: done.status, stdout: done.stdout, stderr: done.stderr };
  };

  test.each([[[]], [['unchanged']], [['unchanged', 'tests']], [['begin', 'lab']], [['record']]])(
    'asked %j it says in one line what it takes',
    (args) => {
      expect(checkRecord(...args)).toEqual({
        ...{ status: 2, stdout: '' },
        stderr: expect.stringMatching(
          /^check-record: unchanged PART, .+ emulator, lab, bench, demo-bench; .+\n$/,
        ),
      });
    },
  );

  test('a part that did not run, or whose tests did not pass, leaves the record as it is', () => {
    const file = join(root, '.ci/record.json');
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    expect(checkRecord('record', directory.path)).toEqual({
      ...{ status: 4, stdout: '' },
      stderr: 'check-record: emulator: it did not run; nothing is recorded\n',
    });
    expect(checkRecord('begin', 'emulator', directory.path)).toEqual({ status: 0, stdout: '', stderr: '' });
    directory.write('emulator.seconds', '5\n');
    directory.write('emulator.tests.json', { success: false, numPassedTests: 3 });
    expect(checkRecord('record', directory.path)).toEqual({
      ...{ status: 4, stdout: '' },
      stderr: 'check-record: emulator: Jest does not say that its tests passed; nothing is recorded\n',
    });
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(before);
  });
});
