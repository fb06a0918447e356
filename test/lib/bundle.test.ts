/** The code of the functions as it is deployed: one file each, with all that it needs and nothing that only we need. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { limitAsync } from 'es-toolkit/array';
import { z } from 'zod';
import { bundledFunctions } from '../../lib/shared/bundle.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { patience, root } from './synthesized.ts';

const directory = temporaryDirectory();
const names = readdirSync(join(root, 'lambdas')).filter((name) => name !== 'shared');
let functions: string;
beforeAll(() => {
  functions = bundledFunctions(root);
}, patience);

test('every function has one file', () => {
  expect(readdirSync(functions).sort()).toEqual([...names, 'metafile.json'].sort());
  for (const name of names) expect(readdirSync(join(functions, name))).toEqual(['index.js']);
});

describe('in a directory where nothing else is, and without the environment of a deployment', () => {
  const loads: Record<string, unknown> = {};
  /** Prints what a module exports, and from which files it was loaded. */
  const script = `
    const handlers = require(process.argv[1]);
    const files = Object.keys(require.cache);
    process.stdout.write(JSON.stringify({ handler: typeof handlers.handler, files }));
  `;
  beforeAll(async () => {
    const load = async (name: string): Promise<void> => {
      const at = join(directory.path, name);
      mkdirSync(at);
      const file = join(at, 'index.js');
      copyFileSync(join(functions, name, 'index.js'), file);
      const loaded = await promisify(execFile)(process.execPath, ['--eval', script, file], {
        cwd: at,
        env: {},
      }).catch((error: { stderr: string }) => ({ stdout: JSON.stringify(error.stderr) }));
      loads[name] = JSON.parse(loaded.stdout);
    };
    await Promise.all(names.map(limitAsync(load, availableParallelism())));
  }, patience);

  test.each(names)('%s loads on Node 24, from its one file, and has a handler', (name) => {
    expect(process.versions.node).toMatch(/^24\./);
    expect(loads[name]).toEqual({ handler: 'function', files: [join(directory.path, name, 'index.js')] });
  });
});

describe('what they are made of', () => {
  const outputSchema = z.object({
    inputs: z.record(z.string(), z.unknown()),
    imports: z.array(z.object({ path: z.string(), external: z.boolean().default(false) })),
  });
  const metafileSchema = z.object({ outputs: z.record(z.string(), outputSchema) });
  const lockSchema = z.object({
    packages: z.record(z.string(), z.object({ dev: z.boolean().default(false) })),
  });
  let outputs: z.output<typeof outputSchema>[];
  let files: string[];
  beforeAll(() => {
    const metafile = JSON.parse(readFileSync(join(functions, 'metafile.json'), 'utf8'));
    outputs = Object.values(metafileSchema.parse(metafile).outputs);
    files = outputs.flatMap(({ inputs }) => Object.keys(inputs));
  });

  test('no package that only we need: the lock file marks those for development, with what they bring', () => {
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
    expect(packages['node_modules/esbuild']).toEqual({ dev: true });
    const places = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file) ?? []);
    expect(places).toContain('node_modules/zod');
    for (const place of new Set(places)) expect([place, packages[place]]).toEqual([place, { dev: false }]);
  });

  test('of our own files those of lambdas, core, adapters and report', () => {
    const folders = files.filter((file) => !file.includes('node_modules/')).map((file) => file.split('/')[0]);
    expect([...new Set(folders)].sort()).toEqual(['adapters', 'core', 'lambdas', 'report']);
  });

  test('nothing that is loaded later, but modules of Node', () => {
    const later = outputs.flatMap(({ imports }) =>
      imports.flatMap(({ path, external }) => (external ? [path] : [])),
    );
    expect(later).not.toEqual([]);
    expect([...new Set(later)].filter((path) => !isBuiltin(path))).toEqual([]);
  });
});

test('a function that draws no pictures is at most 6.4 MB, one that does 10.2 MB: a quarter more than on 2026-11-23', () => {
  // grade-campaign 5.09 MB x 1.25 = 6.36; deliver-messages, with resvg and a font, 8.11 MB x 1.25 = 10.14.
  const tooLarge = names.filter(
    (name) =>
      statSync(join(functions, name, 'index.js')).size >
      (name === 'deliver-messages' ? 10_140_000 : 6_360_000),
  );
  expect(tooLarge).toEqual([]);
});
