// Runs a script or a tool of the project on Node 24, after installing what the lock file names.
// With local/watchdog.mjs it is what must also run on Node 20: plain JavaScript, no dependency.
//   node tools/run.mjs tools/demo.ts [args]      a TypeScript file of ours (Node 24 strips the types)
//   node tools/run.mjs jest [args]               a tool from node_modules
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.stripewise-installed');
/** There while an installation goes on, or was interrupted: the number of its process. */
const installing = join(modules, '.stripewise-installing');

const say = (line) => process.stderr.write(`${line}\n`);

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
  for (let notified = false; ; await after(500)) {
    mkdirSync(modules, { recursive: true });
    writeFileSync(mine, `${process.pid}`);
    try {
      // A link is there or not, and never without its content.
      linkSync(mine, installing);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    } finally {
      rmSync(mine);
    }
    if (isInstalling(Number(readFileSync(installing, 'utf8')))) {
      if (!notified) say('stripewise: another command is installing the dependencies: waiting for it ...');
      notified = true;
      continue;
    }
    // npm takes a package that it half unpacked for a whole one.
    say('stripewise: an installation was interrupted: its node_modules is removed.');
    rmSync(modules, { recursive: true, force: true });
  }
}

async function installIfChanged() {
  const inputs = ['package.json', 'package-lock.json', '.npmrc'].map((name) =>
    readFileSync(join(root, name)),
  );
  const demand = createHash('sha256')
    .update(Buffer.concat([...inputs, Buffer.from(`${process.platform}-${process.arch}`)]))
    .digest('hex');
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === demand;
  if (isInstalled() && !existsSync(installing)) return;
  await claimInstallation();
  if (!isInstalled()) await install();
  writeFileSync(stamp, demand);
  rmSync(installing);
}

async function install() {
  say('stripewise: first run here (or the dependencies changed): installing them into node_modules ...');
  // npm puts ours first in PATH, and it may have been removed with the rest.
  const node = existsSync(process.execPath) ? process.execPath : 'node';
  const watchdog = spawn(node, [join(root, 'local/watchdog.mjs')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // `install --no-save`, not `ci`: `ci` takes node_modules away first, with the claim that others wait for, and with the Node
  // that runs this. Versions and hashes still come from the lock file, and nothing is written back to it.
  const npm = spawn(
    'npm',
    ['install', '--no-save', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
      // A group of its own, which the watchdog ends with this process.
      detached: process.platform !== 'win32',
    },
  );
  if (npm.pid !== undefined) watchdog.stdin.write(`+${npm.pid}\n`);
  const { status, why } = await new Promise((resolve) => {
    npm.on('error', (error) => resolve({ why: error.message }));
    npm.on('exit', (status) => resolve({ status, why: 'see its lines above' }));
  });
  watchdog.stdin.end();
  if (status === 0) return;
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
  say(
    `stripewise: needs Node 24 and found ${process.versions.node}; none is packaged for ${name}: install Node 24 yourself.`,
  );
  process.exit(4);
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

const [target, ...args] = process.argv.slice(2);
if (target === undefined) {
  say('usage: node tools/run.mjs SCRIPT-OR-TOOL [ARGUMENTS]');
  process.exit(2);
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
await installIfChanged();
// The build of it takes packages that are there from here on.
const { buildGenerated } = await import('./build-generated.mjs');
try {
  if (target !== 'biome') await buildGenerated();
} catch (error) {
  say(`stripewise: the pages of reports could not be built: ${error.message}`);
  process.exit(4);
}
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
child.on('error', (error) => {
  say(`stripewise: Node 24 could not be started: ${error.message}`);
  process.exit(4);
});
child.on('exit', (code, signal) =>
  process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0)),
);
