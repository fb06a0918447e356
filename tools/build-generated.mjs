/**
 * What is made of other files, as modules that every form of ours can import (checkout, installed form, a Lambda, a test): the
 * client of each page, and what pictures are drawn with. Made anew where an input changed; `tools/run.mjs` asks at each start.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** Of which files of packages, and of which state of ours. */
const stamp = 'report/pages/generated/made-from.json';
const require = createRequire(import.meta.url);

const pictureAssets = 'report/charts/generated/picture-assets.js';
const pictureFiles = {
  wasmBase64: '@resvg/resvg-wasm/index_bg.wasm',
  fontBase64: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
};
const pages = ['audit', 'card'];
/** Whatever the client of a page may be made of. */
const sources = ['report/browser', 'report/charts', 'report/wording', 'core'];
const others = ['package-lock.json', 'tools/build-generated.mjs'];

function* filesBelow(directory) {
  for (const entry of readdirSync(join(root, directory), { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== 'generated') yield* filesBelow(path);
    } else if (/\.(tsx?|css|json)$/.test(entry.name)) yield path;
  }
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const path of [...sources.flatMap((directory) => [...filesBelow(directory)]), ...others].sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Moved into place whole: another command may import it at this moment. */
function write(path, text) {
  const place = join(root, path);
  mkdirSync(join(place, '..'), { recursive: true });
  const part = `${place}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, place);
}

const constant = (name, text) => `export const ${name} = ${JSON.stringify(text)};\n`;

/**
 * The script and the style of a page, each as one text.
 * @param folder of the checkout: its main.tsx is the page. @param tsconfig from the checkout.
 */
export async function bundlePage(folder, tsconfig) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: [join(root, folder, 'main.tsx')],
    tsconfig: join(root, tsconfig),
    outdir: join(root, 'report/pages/generated'),
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    minify: true,
    legalComments: 'inline',
    charset: 'ascii',
    logLevel: 'warning',
  });
  const text = (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css'), inputs: Object.keys(metafile.inputs) };
}

/** @returns the paths of all that is in it, from the checkout. */
async function buildPage(name) {
  const { script, style, inputs } = await bundlePage(
    `report/browser/${name}`,
    'report/browser/tsconfig.json',
  );
  write(`report/pages/generated/${name}-client.js`, constant('script', script) + constant('style', style));
  return inputs;
}

function buildPictureAssets() {
  const base64 = (name) => readFileSync(require.resolve(name)).toString('base64');
  const constants = Object.entries(pictureFiles).map(([name, file]) => constant(name, base64(file)));
  write(pictureAssets, constants.join(''));
  return Object.values(pictureFiles).map((file) => `node_modules/${file}`);
}

/** @returns whether anything was made. */
export async function buildGenerated() {
  const now = fingerprint();
  const isThere = [...pages.map((name) => `report/pages/generated/${name}-client.js`), pictureAssets].every(
    (path) => existsSync(join(root, path)),
  );
  const before = join(root, stamp);
  if (isThere && existsSync(before) && JSON.parse(readFileSync(before, 'utf8')).fingerprint === now)
    return false;
  const inputs = buildPictureAssets();
  for (const page of pages) inputs.push(...(await buildPage(page)));
  const packaged = inputs.filter((path) => path.includes('node_modules/'));
  write(stamp, `${JSON.stringify({ fingerprint: now, inputs: packaged })}\n`);
  return true;
}

/** @returns the paths of files of packages that are in what was made, from the checkout. */
export const generatedInputs = () => JSON.parse(readFileSync(join(root, stamp), 'utf8')).inputs;
