/** dist/sbom.cdx.json of `npm run build`: every package that is deployed or installed, no other, and nothing of this machine. */
import { chmodSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type BillOfMaterials, npmSbom, withoutDevelopment } from '../../tools/bill-of-materials.ts';
import { packagesOfLock } from '../../tools/licences.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const lock = readJson('package-lock.json');
const { name, ...dependencies } = z
  .object({
    name: z.string(),
    dependencies: z.record(z.string(), z.string()),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(readJson('package.json'));

let whole: unknown;
let bom: BillOfMaterials;
beforeAll(() => {
  whole = npmSbom({ root });
  bom = withoutDevelopment({ bom: whole, lock, name });
});

const idsOf = ({ components }: BillOfMaterials): string[] =>
  components.map((component) => `${component.name}@${component.version}`).sort();

test('it has each package that is not for development alone, once, with its hash and its licence', () => {
  const packages = packagesOfLock(lock);
  expect(packages.length).toBeGreaterThan(100);
  expect(idsOf(bom)).toEqual(packages.map((one) => `${one.name}@${one.version}`).sort());
  for (const component of bom.components)
    expect(component).toMatchObject({
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
  const licences = new Map(packages.map((one) => [`${one.name}@${one.version}`, one.licence]));
  for (const component of bom.components) {
    const licence = licences.get(`${component.name}@${component.version}`);
    expect([
      { licenses: [{ license: { id: licence } }] },
      { licenses: [{ expression: licence }] },
    ]).toContainEqual({
      licenses: component['licenses'],
    });
  }
});

test('the project needs what package.json names, and each package that another needs is there', () => {
  const direct = { ...dependencies.dependencies, ...dependencies.optionalDependencies };
  const own = bom.metadata.component;
  expect(own).toMatchObject({ name, type: 'application' });
  expect(bom.dependencies.find(({ ref }) => ref === own['bom-ref'])?.dependsOn.toSorted()).toEqual(
    Object.entries(direct)
      // Under another name, a second version of a package: for a test.
      .filter(([, version]) => !version.startsWith('npm:'))
      .map(([one, version]) => `${one}@${version}`)
      .sort(),
  );
  const there = new Set([own['bom-ref'], ...bom.components.map((component) => component['bom-ref'])]);
  expect(bom.dependencies.map(({ ref }) => ref).sort()).toEqual([...there].sort());
  expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !there.has(ref))).toEqual([]);
});

test('no path of this machine and no address, but that of the schema', () => {
  const { $schema, ...rest } = bom;
  expect($schema).toMatch(/^http:\/\/cyclonedx\.org\/schema\/bom-1\.\d\.schema\.json$/);
  const text = JSON.stringify(rest);
  expect(text).not.toMatch(/[a-z]+:\/\//);
  expect(text).not.toContain(root);
  // npm calls the project by the name of its folder.
  const elsewhere = { ...bom.metadata.component, name: basename(directory.path) };
  const moved = { ...(whole as BillOfMaterials), metadata: { ...bom.metadata, component: elsewhere } };
  expect(JSON.stringify(withoutDevelopment({ bom: moved, lock, name }))).not.toContain(elsewhere.name);
});

test('a package that npm lists for each of its folders is there once', () => {
  const { components, dependencies } = whole as BillOfMaterials;
  const again = {
    components: [...components, ...components],
    dependencies: [...dependencies, ...dependencies],
  };
  expect(withoutDevelopment({ bom: { ...(whole as BillOfMaterials), ...again }, lock, name })).toEqual(bom);
});

test('what is for development alone is in what npm says, and left out', () => {
  expect(JSON.stringify(whole)).toContain('"jest@');
  expect(JSON.stringify(bom)).not.toContain('"jest@');
});

describe('where npm makes none, one line says what is needed and why', () => {
  const needed = 'no bill of materials, for which `npm sbom` of npm 10.2 or newer is needed: ';
  const failure = (what: Parameters<typeof npmSbom>[0]): string => {
    try {
      npmSbom(what);
    } catch (error) {
      return (error as Error).message;
    }
    return 'it made one';
  };

  test('there is no npm', () => {
    const npm = join(directory.path, 'no-npm');
    expect(failure({ root, npm })).toBe(`${needed}spawnSync ${npm} ENOENT`);
  });

  test('npm is older than the command', () => {
    const npm = directory.write('npm', '#!/bin/sh\necho \'Unknown command: "sbom"\'\nexit 1\n');
    chmodSync(npm, 0o755);
    expect(failure({ root, npm })).toBe(`${needed}Unknown command: "sbom"`);
  });

  test('there is no lock file: npm itself refuses', () => {
    expect(failure({ root: directory.path })).toBe(
      `${needed}A package lock or shrinkwrap file is required in package-lock-only mode`,
    );
  });
});
