// npm run build: the command line as one file for `npm install --global .`; Node runs no TypeScript inside node_modules.
import { build } from 'esbuild';

await build({
  entryPoints: ['bin/stripewise.ts'],
  outfile: 'dist/stripewise.js',
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
