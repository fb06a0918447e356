/** One file for a function, with all it needs: what was tested is what runs, whatever SDK the runtime brings. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { cachedDirectory, hashOfInputs } from './build-cache.ts';

/** All that a bundle is made of: ours, and the versions of everybody else's. */
const inputs = ['lambdas', 'core', 'adapters', 'report', 'package-lock.json', 'lib/shared/bundle.ts'];

/** Of all that the functions are made of: the same hash, the same code. */
export const hashOfFunctions = (root: string): string => hashOfInputs(root, inputs);

const names = (root: string): string[] =>
  readdirSync(join(root, 'lambdas'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .map(({ name }) => name);

/**
 * All functions in one call, once for their inputs: a call a function takes twice as long.
 * @returns a directory with a folder <name> for each function, which holds index.js alone, and esbuild's metafile.json.
 */
export function bundledFunctions(root: string): string {
  const hashNow = (): string => hashOfFunctions(root);
  return cachedDirectory({ root, kind: 'functions', hash: hashNow(), hashNow }, (directory) => {
    const { metafile } = buildSync({
      entryPoints: names(root).map((name) => ({
        in: join(root, 'lambdas', name, 'index.ts'),
        out: join(name, 'index'),
      })),
      outdir: directory,
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      target: 'node24',
      format: 'cjs',
      // Names stay as written, so that a stack trace can be read.
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'none',
      logLevel: 'warning',
      metafile: true,
    });
    writeFileSync(join(directory, 'metafile.json'), JSON.stringify(metafile));
  });
}
