// npm run build: the command line for `npm install --global .`; Node runs no TypeScript inside node_modules. What a command
// loads when it is asked for (the SDK, pages, pictures) are files of their own: a start reads none of them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const parts = 'stripewise';
// Of an earlier build: their names change with their content.
rmSync(join(root, 'dist', parts), { recursive: true, force: true });

await build({
  absWorkingDir: root,
  entryPoints: ['bin/stripewise.ts'],
  outdir: 'dist',
  entryNames: 'stripewise',
  chunkNames: `${parts}/[name]-[hash]`,
  splitting: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'linked',
  // Some dependencies are CommonJS and ask for node's modules by require.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
