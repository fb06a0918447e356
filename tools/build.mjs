// npm run build: the command line as a package without dependencies, for `npm install --global`; Node runs no TypeScript inside
// node_modules. What a command loads when it is asked for (the SDK, pages, pictures) are files of their own: a start reads none of
// them. Beside it lies what it is made of: a bill of materials, and the licences of what is bundled.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { npmSbom, withoutDevelopment } from './bill-of-materials.ts';
import { generatedInputs } from './build-generated.mjs';
import { distManifest, foldersOf, thirdPartyLicences } from './dist-package.ts';

const root = join(import.meta.dirname, '..');
const parts = 'stripewise';
const billOfMaterials = join(root, 'dist/sbom.cdx.json');
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));

rmSync(billOfMaterials, { force: true });
try {
  const { name } = readJson('package.json');
  const bom = withoutDevelopment({ bom: npmSbom({ root }), lock: readJson('package-lock.json'), name });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(billOfMaterials, `${JSON.stringify(bom, null, 2)}\n`);
} catch (error) {
  console.error(`npm run build: ${error.message}`);
  process.exit(4);
}

// Of an earlier build: their names change with their content.
rmSync(join(root, 'dist', parts), { recursive: true, force: true });

const { metafile } = await build({
  metafile: true,
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

const dist = (name) => join(root, 'dist', name);
writeFileSync(dist('package.json'), `${JSON.stringify(distManifest(readJson('package.json')), null, 2)}\n`);
copyFileSync(join(root, 'LICENSE'), dist('LICENSE'));
copyFileSync(join(root, 'tools/package/README.md'), dist('README.md'));
writeFileSync(
  dist('THIRD-PARTY-LICENSES.txt'),
  thirdPartyLicences(root, foldersOf([...Object.keys(metafile.inputs), ...generatedInputs()])),
);
