/** Dependencies and their licences: docs/contribute/licences.md lists what is pinned, and all of it may be used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  copyleft,
  licencesPage,
  licensedRequirements,
  notAllowed,
  type PythonMetadata,
  packagesOfLock,
  permissive,
  pythonLicence,
  pythonOfPage,
  readOfNpm,
  readOfPython,
  requirementsOf,
} from '../../tools/licences.ts';

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const page = read('docs/contribute/licences.md');
const npm = packagesOfLock(JSON.parse(read('package-lock.json')));
const python = pythonOfPage(page);

test('the page is what `npm run generate:licences` writes of package-lock.json today', () => {
  expect(page).toBe(licencesPage({ npm, python }));
});

test('it lists the Python packages of local/requirements.txt, in their versions', () => {
  const listed = python.map(({ name, version }) => `${name} ${version}`);
  expect(listed).toEqual(
    requirementsOf(read('local/requirements.txt'))
      .map(({ name, version }) => `${name} ${version}`)
      .sort(),
  );
});

test('each licence is allowed: permissive, or copyleft with a reason for that package', () => {
  expect(notAllowed([...npm, ...python])).toEqual([]);
});

test('what is allowed, or was read in files, is still needed', () => {
  const all = [...npm, ...python];
  const licences = new Set(all.map(({ licence }) => licence));
  expect(permissive.filter((licence) => !licences.has(licence))).toEqual([]);
  const names = new Set(all.map(({ name }) => name));
  expect(
    Object.keys({ ...copyleft, ...readOfNpm, ...readOfPython }).filter((one) => !names.has(one)),
  ).toEqual([]);
});

test('copyleft is refused where no reason stands: another package, or another licence of the same', () => {
  expect(
    notAllowed([
      { name: 'zod', version: '4.0.0', licence: 'MIT' },
      { name: 'certifi', version: '1.0', licence: 'MPL-2.0' },
      { name: 'certifi', version: '2.0', licence: 'GPL-3.0-only' },
      { name: 'other', version: '1.0', licence: 'MPL-2.0' },
    ]),
  ).toEqual([
    'certifi 2.0 is under GPL-3.0-only, which tools/licences.ts does not allow',
    'other 1.0 is under MPL-2.0, which tools/licences.ts does not allow',
  ]);
});

describe('packages of a lock file', () => {
  const packages = {
    '': { version: '0.1.0', license: 'Apache-2.0' },
    'node_modules/@scope/a': { version: '1.0.0', license: 'MIT' },
    'node_modules/b': { version: '2.0.0', license: 'ISC', dev: true },
    'node_modules/@scope/a/node_modules/c': { version: '3.0.0', license: '0BSD' },
    'node_modules/c': { version: '3.0.0', license: '0BSD' },
    'node_modules/d/node_modules/c': { version: '4.0.0', license: '0BSD' },
  };

  test('each version once, of any depth; not those for development alone', () => {
    expect(packagesOfLock({ packages })).toEqual([
      { name: '@scope/a', version: '1.0.0', licence: 'MIT' },
      { name: 'c', version: '3.0.0', licence: '0BSD' },
      { name: 'c', version: '4.0.0', licence: '0BSD' },
    ]);
  });

  test('one without a licence is an error', () => {
    const nameless = { packages: { ...packages, 'node_modules/e': { version: '5.0.0' } } };
    expect(() => packagesOfLock(nameless)).toThrow('e 5.0.0 has no licence in package-lock.json');
  });
});

describe('the licence of a Python package', () => {
  const metadata = (said: Partial<PythonMetadata>): PythonMetadata => ({
    ...{ name: 'some_Package', version: '1.0', expression: null, license: null, classifiers: [] },
    ...said,
  });

  test.each([
    ['its expression', metadata({ expression: 'MIT-0', license: 'MIT' }), 'MIT-0'],
    ['a name that has one meaning', metadata({ license: 'Apache License 2.0' }), 'Apache-2.0'],
    [
      'a classifier, where the field has the whole text',
      metadata({ license: 'Copyright ...', classifiers: ['MIT License'] }),
      'MIT',
    ],
    [
      'what was read in its files',
      metadata({ name: 'Jinja2', classifiers: ['BSD License'] }),
      'BSD-3-Clause',
    ],
  ])('%s', (_, said, licence) => {
    expect(pythonLicence(said)).toBe(licence);
  });

  test.each([
    ['none', metadata({})],
    ['one that may mean two', metadata({ license: 'BSD', classifiers: ['BSD License'] })],
    ['copyleft of another package', metadata({ license: 'MPL-2.0' })],
  ])('%s is an error, not a guess', (_, said) => {
    expect(() => pythonLicence(said)).toThrow('the licence of some_Package is not clear');
  });

  test('one that is not installed, or in another version, is an error', () => {
    const demand = [{ name: 'some-package', version: '1.0', hashes: [] }];
    const installed = metadata({ expression: 'MIT' });
    expect(licensedRequirements(demand, [installed])).toEqual([
      { name: 'some-package', version: '1.0', licence: 'MIT' },
    ]);
    expect(() => licensedRequirements(demand, [{ ...installed, version: '1.1' }])).toThrow(
      'is not installed',
    );
    expect(() => licensedRequirements(demand, [])).toThrow('some-package 1.0 is not installed');
  });
});
