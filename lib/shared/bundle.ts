/** One file for a function, with all it needs: what was tested is what runs, whatever SDK the runtime brings. */
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** @returns the directory that holds index.js, below `outdir`. */
export function bundle(root: string, outdir: string, name: string): string {
  const directory = join(outdir, 'functions', name);
  buildSync({
    entryPoints: [join(root, 'lambdas', name, 'index.ts')],
    outfile: join(directory, 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Names stay as written, so that a stack trace can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return directory;
}
