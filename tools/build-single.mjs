// npm run build:single: the command line as one file with Node in it, for who has no Node: dist/single/stripewise. A single
// executable application is a Node with a script and its compiled code in a section of its own.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist/single');
const target = join(folder, 'stripewise');
/** By which Node knows that a script was put in (documentation of Node.js, Single executable applications). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** The packaged Node: that of a distribution may need libraries that are not everywhere. */
const packaged = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

if (process.platform !== 'linux' || !existsSync(packaged)) {
  console.error(
    `npm run build:single: no Node is packaged for ${process.platform}-${process.arch}: build it on Linux (x64 or arm64)`,
  );
  process.exit(4);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const script = join(folder, 'stripewise.cjs');
const blob = join(folder, 'stripewise.blob');
const configuration = join(folder, 'sea.json');

await build({
  absWorkingDir: root,
  // Its script is CommonJS, which has no `await` outside of functions.
  stdin: {
    contents: `
      import { main } from './cli/main.ts';
      import { processIo } from './cli/process-io.ts';
      main(process.argv.slice(2), processIo).then((code) => { process.exitCode = code; });`,
    resolveDir: root,
  },
  outfile: script,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  define: { 'import.meta.url': 'urlOfThis' },
  // What is not in it (DuckDB) is looked for beside the file. As it is, `import` would look where the script was built, `require` nowhere.
  supported: { 'dynamic-import': false },
  banner: {
    js: `const urlOfThis = require('node:url').pathToFileURL(process.execPath).href;
require = require('node:module').createRequire(urlOfThis);`,
  },
});
writeFileSync(
  configuration,
  JSON.stringify({ main: script, output: blob, disableExperimentalSEAWarning: true, useCodeCache: true }),
);
const made = spawnSync(packaged, ['--experimental-sea-config', configuration], { encoding: 'utf8' });
if (made.status !== 0) {
  console.error(
    `npm run build:single: Node made nothing of the script: ${made.stderr.trim().split('\n')[0]}`,
  );
  process.exit(4);
}
copyFileSync(packaged, target);
chmodSync(target, 0o755);
await inject(target, 'NODE_SEA_BLOB', readFileSync(blob), { sentinelFuse: fuse });
for (const file of [script, blob, configuration]) rmSync(file);
