// Runs a script or a tool of the project on Node 24, after installing what the lock file names.
// With local/watchdog.mjs and local/venv.cjs it is what must also run on Node 20: plain JavaScript, no dependency.
//   node tools/run.mjs tools/demo.ts [args]      a TypeScript file of ours (Node 24 strips the types)
//   node tools/run.mjs jest [args]               a tool from node_modules
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPython, venvOf, whyNotMade } from '../local/venv.cjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.stripewise-installed');
/** There while an installation goes on, or was interrupted: the number of its process. */
const installing = join(modules, '.stripewise-installing');

const say = (line) => process.stderr.write(`${line}\n`);
function fail(line) {
  say(`stripewise: ${line}`);
  process.exit(4);
}

const [target, ...args] = process.argv.slice(2);
if (target === undefined) {
  say('usage: node tools/run.mjs SCRIPT-OR-TOOL [ARGUMENTS]');
  process.exit(2);
}

/** What cannot do without the local AWS; whatever else comes to need its Python packages installs them then. */
const needsPython =
  (/^tools\/(demo|demo-bench|demo-changes|lint-templates)\.ts$/.test(target) &&
    !args.some((one) => ['-h', '--help', '--stop'].includes(one))) ||
  ['jest', 'jest --config jest.resilience.config.mjs'].includes([target, ...args].join(' '));

/** Says every two seconds how far each part is: who waits sees that it goes on. @returns what ends that. */
function showProgress(...parts) {
  const begunMs = performance.now();
  const show = () => {
    const texts = parts.map((progress) => progress()).filter((text) => text !== undefined);
    say(`stripewise: ${Math.round((performance.now() - begunMs) / 1_000)} s: ${texts.join('; ')}`);
  };
  const showing = setInterval(show, 2_000);
  return () => clearInterval(showing);
}

/** How many there are of those that the lock file has for this machine; it has a few that npm leaves out. */
function npmProgress() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isFor = (names, mine) => names === undefined || names.includes(mine);
  const paths = Object.keys(packages).filter((path) => {
    const { os, cpu } = packages[path];
    return path !== '' && isFor(os, process.platform) && isFor(cpu, process.arch);
  });
  const there = paths.filter((path) => existsSync(join(root, path, 'package.json')));
  return `npm packages: ${there.length} of about ${paths.length}`;
}

function isInstalling(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Numbers come again. Where there is no ps, it counts as ours.
  const { stdout } = spawnSync('ps', ['-p', `${pid}`, '-o', 'args='], { encoding: 'utf8' });
  return !stdout || stdout.includes('run.mjs');
}

/** Claims the installation for this process: others wait, and what one that was killed left half done is removed. */
async function claimInstallation() {
  const mine = `${installing}-${process.pid}`;
  let stopShowing = () => {};
  for (let isWaiting = false; ; await after(500)) {
    mkdirSync(modules, { recursive: true });
    writeFileSync(mine, `${process.pid}`);
    try {
      // A link is there or not, and never without its content.
      linkSync(mine, installing);
      stopShowing();
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(mine);
    }
    if (isInstalling(Number(readFileSync(installing, 'utf8')))) {
      if (isWaiting) continue;
      say('stripewise: another command is installing the dependencies: waiting for it ...');
      stopShowing = showProgress(npmProgress);
      isWaiting = true;
      continue;
    }
    // npm takes a package that it half unpacked for a whole one.
    say('stripewise: an installation was interrupted: its node_modules is removed.');
    rmSync(modules, { recursive: true, force: true });
  }
}

/** What ends all that is installed when this process is gone, and while it is there what it is told. */
function startWatchdog() {
  // npm puts ours first in PATH, and it may have been removed with the rest.
  const node = existsSync(process.execPath) ? process.execPath : 'node';
  const { stdin } = spawn(node, [join(root, 'local/watchdog.mjs')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Where somebody ended it, what is installed goes on.
  stdin.on('error', () => {});
  return stdin;
}

/** A group of its own, which the watchdog ends with this process. */
function spawnWatched(watchdog, command, commandArgs, stdio) {
  const isWindows = process.platform === 'win32';
  const child = spawn(command, commandArgs, { cwd: root, stdio, shell: isWindows, detached: !isWindows });
  if (child.pid !== undefined) watchdog.write(`+${child.pid}\n`);
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: undefined, why: error.message }));
    child.on('close', (status) => {
      watchdog.write(`-${child.pid}\n`);
      resolve({ status, why: 'see its lines above' });
    });
  });
  return { child, ended };
}

/** Makes the virtual environment of the local AWS. @returns how far it is, and at its end why it failed, or null. */
function startPython(command, { directory, makerArguments }, watchdog) {
  const { child, ended } = spawnWatched(watchdog, command, makerArguments, ['ignore', 'pipe', 'pipe']);
  let line = 'Python packages: begun';
  createInterface(child.stdout).on('line', (text) => {
    if (text.startsWith('Python packages: ')) line = text;
    else say(`stripewise: ${text}`);
  });
  let trouble = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    trouble += text;
  });
  const failure = ended.then(({ status, why }) => {
    line = 'Python packages: done';
    return status === 0 ? null : whyNotMade(directory, status, trouble || (status === undefined ? why : ''));
  });
  return { progress: () => line, failure };
}

/** Where there is none, that is said before what takes a minute. */
function pythonOrFail() {
  try {
    return findPython();
  } catch (error) {
    return fail(error.message);
  }
}

/** @returns what was started beside it and may still go on: the Python packages, or null. */
async function installIfChanged() {
  const inputs = ['package.json', 'package-lock.json', '.npmrc'].map((name) =>
    readFileSync(join(root, name)),
  );
  const demand = createHash('sha256')
    .update(Buffer.concat([...inputs, Buffer.from(`${process.platform}-${process.arch}`)]))
    .digest('hex');
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === demand;
  if (isInstalled() && !existsSync(installing)) return null;
  const venv = needsPython ? venvOf(root) : null;
  const python = venv === null || venv.isInstalled ? null : pythonOrFail();
  await claimInstallation();
  const beside = isInstalled() ? null : await install(python, venv);
  writeFileSync(stamp, demand);
  rmSync(installing);
  return beside;
}

/** @param python makes the virtual environment meanwhile; null: it is there, or not needed. */
async function install(python, venv) {
  say('stripewise: first run here (or the dependencies changed): installing them into node_modules ...');
  const watchdog = startWatchdog();
  const beside = python === null ? null : startPython(python, venv, watchdog);
  // `install --no-save`, not `ci`: `ci` takes node_modules away first, with the claim that others wait for, and with the Node
  // that runs this. Versions and hashes still come from the lock file, and nothing is written back to it.
  const { ended } = spawnWatched(
    watchdog,
    'npm',
    ['install', '--no-save', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'],
    ['ignore', 2, 2],
  );
  const stopShowing = showProgress(
    () => npmProgress(),
    () => beside?.progress(),
  );
  const { status, why } = await ended;
  stopShowing();
  if (status === 0) {
    // It goes with the last of them.
    if (beside === null) watchdog.end();
    else beside.failure.then(() => watchdog.end());
    return beside;
  }
  say(`stripewise: \`npm install\` failed: ${why}; it needs npm, and its registry once.`);
  // Killed, it left who knows what; having failed by itself, it left what was there before.
  if (status !== null) rmSync(installing);
  process.exit(4);
}

function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const name = `${process.platform}-${process.arch}`;
  const shipped = [`node-${name}`, `node-bin-${name}`]
    .map((folder) => join(modules, folder, 'bin', 'node'))
    .find((path) => existsSync(path));
  if (shipped !== undefined) return shipped;
  return fail(
    `needs Node 24 and found ${process.versions.node}; none is packaged for ${name}: install Node 24 yourself.`,
  );
}

/** The file behind a tool's name, from the `bin` of its package. */
function toolFile(name) {
  const folder =
    { depcruise: 'dependency-cruiser', biome: '@biomejs/biome', tsc: 'typescript', cdk: 'aws-cdk' }[name] ??
    name;
  const manifest = JSON.parse(readFileSync(join(modules, folder, 'package.json'), 'utf8'));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[name];
  return join(modules, folder, bin);
}

// Where npm is killed, nobody tells us; what is started by hand may outlive its shell.
const startedBy = process.ppid;
let end = () => process.exit(143);
if (process.env.npm_lifecycle_event !== undefined) {
  const watching = setInterval(() => {
    if (process.ppid === startedBy) return;
    clearInterval(watching);
    end();
  }, 250).unref();
}
const beside = await installIfChanged();
let building = 'building the pages of reports';
const stopShowing = showProgress(
  () => building,
  () => beside?.progress(),
);
// The build of it takes packages that are there from here on.
const { buildGenerated } = await import('./build-generated.mjs');
try {
  if (target !== 'biome') await buildGenerated();
} catch (error) {
  fail(`the pages of reports could not be built: ${error.message}`);
}
building = undefined;
const pythonFailure = (await beside?.failure) ?? null;
if (pythonFailure !== null) fail(pythonFailure);
stopShowing();
const node = node24();
const file = /\.(ts|mjs)$/.test(target) ? join(root, target) : toolFile(target);
// Tools run in the checkout; our own commands run where the person stands, so that paths mean what they wrote.
const ours = target.startsWith('bin/') || target.startsWith('tools/');
// Its workers inherit it: they collect their garbage in time, and one that needs more fails.
const flags = target === 'jest' ? ['--max-old-space-size=1200'] : [];
const child = spawn(node, [...flags, file, ...args], {
  stdio: 'inherit',
  cwd: ours ? (process.env.INIT_CWD ?? process.cwd()) : root,
  env: { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
end = () => {
  child.kill('SIGTERM');
  // Nobody waits for it, and what it started ends with it.
  setTimeout(() => child.kill('SIGKILL'), 3_000).unref();
};
child.on('error', (error) => fail(`Node 24 could not be started: ${error.message}`));
child.on('exit', (code, signal) =>
  process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0)),
);
