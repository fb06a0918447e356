// Runs a script or a tool of the project on Node 24, after installing what the lock file names.
// It is the one file that must also run on Node 20: plain JavaScript, no dependency.
//   node tools/run.mjs tools/demo.ts [args]      a TypeScript file of ours (Node 24 strips the types)
//   node tools/run.mjs jest [args]               a tool from node_modules
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.stripewise-installed');

const say = (line) => process.stderr.write(`${line}\n`);

function installIfChanged() {
  const inputs = ['package.json', 'package-lock.json', '.npmrc'].map((name) =>
    readFileSync(join(root, name)),
  );
  const wanted = createHash('sha256')
    .update(Buffer.concat([...inputs, Buffer.from(`${process.platform}-${process.arch}`)]))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('stripewise: first run here (or the dependencies changed): installing them into node_modules ...');
  // `install --no-save`, not `ci`: `ci` refuses a lock file that lacks another platform's optional binary.
  // Versions and hashes still come from the lock file, and nothing is written back to it.
  const npm = spawnSync(
    'npm',
    ['install', '--no-save', '--include=dev', '--include=optional', '--no-progress', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (npm.status !== 0) {
    const why = npm.error === undefined ? 'see its lines above' : npm.error.message;
    say(`stripewise: \`npm install\` failed: ${why}; it needs npm, and its registry once.`);
    process.exit(4);
  }
  writeFileSync(stamp, wanted);
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
installIfChanged();
const node = node24();
const file = /\.(ts|mjs)$/.test(target) ? join(root, target) : toolFile(target);
// Tools run in the checkout; our own commands run where the person stands, so that paths mean what they wrote.
const ours = target.startsWith('bin/') || target.startsWith('tools/');
const child = spawn(node, [file, ...args], {
  stdio: 'inherit',
  cwd: ours ? (process.env.INIT_CWD ?? process.cwd()) : root,
  env: { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  say(`stripewise: Node 24 could not be started: ${error.message}`);
  process.exit(4);
});
child.on('exit', (code, signal) =>
  process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0)),
);
