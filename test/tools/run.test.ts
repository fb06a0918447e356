/** tools/run.mjs in a checkout of its own, with an npm and a Python that do what a test asks of them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();

interface Ran {
  status: number | null;
  lines: string[];
}

/** What the shell waits for no longer than ten seconds. */
const until = (condition: string): string =>
  `i=0; until ${condition}; do i=$((i + 1)); [ $i -lt 200 ] || exit 9; sleep 0.05; done`;
/** As local/make_venv.py leaves it: called with the script, the directory, the requirements and the stamp. */
const makesVenv = 'mkdir -p "$2/bin"; touch "$2/bin/python"; printf %s "$4" > "$2/installed"';

/** @param npm, python what they do, in the checkout, beside writing down that they began. */
function checkout({ npm = '', python = makesVenv, minor = 12 } = {}) {
  const place = mkdtempSync(join(directory.path, 'checkout-'));
  const at = (path: string): string => join(place, path);
  for (const path of ['tools', 'bin', 'local']) mkdirSync(at(path));
  const files = ['package.json', 'package-lock.json', '.npmrc', 'tools/run.mjs'];
  for (const name of [...files, 'local/watchdog.mjs', 'local/venv.cjs'])
    cpSync(join(root, name), join(place, name));
  writeFileSync(at('local/requirements.txt'), '# none\n');
  writeFileSync(at('tools/build-generated.mjs'), 'export const buildGenerated = () => undefined;');
  for (const name of ['demo.ts', 'other.ts'])
    writeFileSync(at(`tools/${name}`), `console.log('${name} ran');`);
  const script = (name: string, text: string): void => {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${text}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  };
  script('npm', `echo npm >> begun; ${npm}`);
  script('python3', `if [ "$1" = -c ]; then echo ${minor}; exit; fi; echo python >> begun; ${python}`);
  for (const name of ['3.14', '3.13', '3.12', '3.11']) script(`python${name}`, 'exit 1');
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [at('tools/run.mjs'), ...args], {
      cwd: place,
      env: { PATH: `${at('bin')}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const run = async (...args: string[]): Promise<Ran> => {
    const child = start(...args);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { status, lines: text.trimEnd().split('\n') };
  };
  return {
    ...{ at, start, run },
    begun: () => (existsSync(at('begun')) ? readFileSync(at('begun'), 'utf8').trim().split('\n') : []),
  };
}

const installs =
  'stripewise: first run here (or the dependencies changed): installing them into node_modules ...';
const failed = (place: string, why: string): string =>
  `stripewise: the Python packages of the local AWS could not be installed into ${place}: ${why}`;

test('Python packages are installed while npm installs its own, and then the demo runs', async () => {
  // Each waits for the other to have begun.
  const { run, begun } = checkout({
    npm: until('grep -q python begun'),
    python: `${until('grep -q npm begun')}; ${makesVenv}`,
  });
  expect(await run('tools/demo.ts')).toEqual({ status: 0, lines: [installs, 'demo.ts ran'] });
  expect(begun().toSorted()).toEqual(['npm', 'python']);
  // Both are there now.
  expect(await run('tools/demo.ts')).toEqual({ status: 0, lines: ['demo.ts ran'] });
  expect(begun()).toHaveLength(2);
});

test('the demo begins when the slower of them is done', async () => {
  const { run } = checkout({ python: `sleep 0.5; ${makesVenv}; echo python is done` });
  expect(await run('tools/demo.ts')).toEqual({
    status: 0,
    lines: [installs, 'stripewise: python is done', 'demo.ts ran'],
  });
});

test.each([
  ['a command that needs no local AWS', ['tools/other.ts']],
  ['help', ['tools/demo.ts', '--help']],
  ['ending a demo', ['tools/demo.ts', '--stop']],
])('for %s no Python is needed', async (_, args) => {
  const { run, begun } = checkout({ minor: 9 });
  expect(await run(...args)).toMatchObject({ status: 0 });
  expect(begun()).toEqual(['npm']);
});

test('without a Python that is new enough one line says so, before npm takes its time', async () => {
  const { run, begun } = checkout({ minor: 9 });
  expect(await run('tools/demo.ts')).toEqual({
    status: 4,
    lines: [
      'stripewise: the local AWS needs Python 3.11 or newer, and python3 is 3.9: install one that PATH reaches as python3.',
    ],
  });
  expect(begun()).toEqual([]);
});

test('where Python packages cannot be installed one line says why, and those of npm stay', async () => {
  const { run, at, begun } = checkout({ python: 'echo line >&2; echo "no index answers" >&2; exit 1' });
  expect(await run('tools/demo.ts')).toEqual({
    status: 4,
    lines: [installs, failed(at('.local-aws/venv'), 'no index answers')],
  });
  // Its own commands install them from here on.
  expect(await run('tools/demo.ts')).toEqual({ status: 0, lines: ['demo.ts ran'] });
  expect(begun().filter((name) => name === 'npm')).toHaveLength(1);
});

/** Whether the process that wrote its number down goes on. Where nobody collects orphans, dead ones stay. */
function goesOn(file: string): boolean {
  if (!existsSync(file)) return false;
  const pid = readFileSync(file, 'utf8').trim();
  return /^[^Z]/.test(spawnSync('ps', ['-p', pid, '-o', 'stat='], { encoding: 'utf8' }).stdout.trim());
}
const waits = (name: string): string => `[ -e quick ] || { echo $$ > ${name}.pid; sleep 60; }`;
async function comesTrue(condition: () => boolean): Promise<boolean> {
  for (const deadline = Date.now() + 10_000; !condition(); await new Promise((go) => setTimeout(go, 50)))
    if (Date.now() > deadline) return false;
  return true;
}

test('where npm fails, Python is not left installing', async () => {
  const { run, at } = checkout({ npm: `${until('[ -s python.pid ]')}; exit 1`, python: waits('python') });
  expect(await run('tools/demo.ts')).toEqual({
    status: 4,
    lines: [
      installs,
      'stripewise: `npm install` failed: see its lines above; it needs npm, and its registry once.',
    ],
  });
  expect(await comesTrue(() => !goesOn(at('python.pid')))).toBe(true);
});

test('what is killed while both install leaves neither, and the next command installs both', async () => {
  const { run, start, at } = checkout({ npm: waits('npm'), python: `${waits('python')}; ${makesVenv}` });
  const child = start('tools/demo.ts');
  const files = [at('npm.pid'), at('python.pid')];
  expect(await comesTrue(() => files.every(goesOn))).toBe(true);
  child.kill('SIGKILL');
  expect(await comesTrue(() => !files.some(goesOn))).toBe(true);
  writeFileSync(at('quick'), '');
  const interrupted = 'stripewise: an installation was interrupted: its node_modules is removed.';
  expect(await run('tools/demo.ts')).toEqual({ status: 0, lines: [interrupted, installs, 'demo.ts ran'] });
  expect(existsSync(at('.local-aws/venv/installed'))).toBe(true);
});

test('every two seconds a line says how far both are', async () => {
  const { run } = checkout({
    npm: 'mkdir -p node_modules/zod; touch node_modules/zod/package.json; sleep 2.5',
    python: `echo 'Python packages: 7 of 74 read'; sleep 2.5; ${makesVenv}`,
  });
  const { lines } = await run('tools/demo.ts');
  expect(lines[1]).toMatch(
    // Two seconds, and what a machine at work is late.
    /^stripewise: \d s: npm packages: 1 of about \d{3}; Python packages: 7 of 74 read$/,
  );
});
