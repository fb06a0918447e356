/** What the parts of .ci/run say that they depend on: it covers what they import and start, and each byte of it counts. */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, matchesGlob } from 'node:path';
import { buildSync } from 'esbuild';
import { type PartName, partNames, parts, readVersions, stateOf } from '../../tools/checked-parts.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');

/** What a command of .ci/run or of package.json, or the CDK, names. */
const entryPoints: Record<PartName, string[]> = {
  emulator: ['jest.config.mjs', 'test/local/ministack-*.test.ts'],
  lab: ['tools/test-lab.ts', 'jest.lab.config.mjs', 'test/lab/*.test.ts'],
  bench: ['tools/test-lab.ts', 'jest.bench.config.mjs', 'test/bench-lab/*.test.ts'],
  'demo-bench': ['tools/demo-bench.ts', 'bin/app.ts', 'lambdas/*/index.ts'],
};

/** Of ours, with what they import themselves; what is imported for its types alone does not run. */
function importsOf(files: readonly string[]): string[] {
  const { metafile } = buildSync({
    entryPoints: files.map((file) => join(root, file)),
    absWorkingDir: root,
    outdir: 'nowhere',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

/**
 * Files that a text names, from the root of the checkout or from its own folder: what is started ('local/ssm/serve.ts'), read
 * (`cdk.json`) or joined of several texts. A word alone is no path.
 */
function filesNamedIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/',\s*'/g, '/');
  return [...text.matchAll(/['"`](?:<rootDir>\/)?([\w-]+(?:[./][\w-]+)+)['"`]/g)]
    .flatMap(([, path = '']) => [path, join(dirname(file), path)])
    .filter((path) => existsSync(join(root, path)) && statSync(join(root, path)).isFile());
}

const isCode = (file: string): boolean => /\.(ts|tsx|mjs|cjs)$/.test(file);
/** Packages are what package-lock.json says. */
const isOurs = (file: string): boolean => !file.startsWith('node_modules/');

/** All files that are reached from these: imported, or named and then imported from. */
function reachedFrom(patterns: readonly string[]): string[] {
  const reached = new Set<string>();
  for (let fresh = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })); fresh.length > 0; ) {
    const found = [...fresh, ...importsOf(fresh.filter(isCode))].filter((file) => !reached.has(file));
    for (const file of found) reached.add(file);
    const named = new Set(found.filter(isCode).flatMap(filesNamedIn));
    fresh = [...named].filter((file) => isOurs(file) && !reached.has(file));
  }
  return [...reached].sort();
}

const isBelow = (file: string, input: string): boolean =>
  file === input || file.startsWith(`${input}/`) || matchesGlob(file, input);

test.each(partNames)('%s: whatever it imports or starts is below its inputs', (name) => {
  const { inputs } = parts[name];
  const reached = reachedFrom(entryPoints[name]);
  // It found what is only started, not imported.
  const started = ['local/watchdog.mjs', name === 'lab' ? 'test/lab/order.cjs' : 'local/ec2/serve.py'];
  expect(reached).toEqual(expect.arrayContaining(started));
  // What suites may cost: their order and a bill, and nothing of what comes of them.
  const counted = reached.filter((file) => file !== 'test/tiers/budgets.json');
  expect(counted.filter((file) => !inputs.some((input) => isBelow(file, input)))).toEqual([]);
});

test.each(partNames)('%s: each of its inputs is there', (name) => {
  expect(parts[name].inputs.filter((input) => globSync(input, { cwd: root }).length === 0)).toEqual([]);
});

test('what counts besides files: Node, where Python runs its version, where guests run QEMU, the kernel and fio', () => {
  const versions = readVersions(root, parts.emulator);
  expect(versions).toEqual({
    known: true,
    value: {
      platform: `${process.platform}-${process.arch}`,
      node: process.versions.node,
      python: expect.any(String),
    },
  });
  expect(parts.lab.needs).toEqual(['guest']);
  expect(parts.bench.needs).toEqual(['python', 'guest']);
  expect(parts['demo-bench'].needs).toEqual(['python', 'guest']);
});

describe('versions of what is not installed', () => {
  const { path: tools } = temporaryDirectory();
  const before = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = before;
    for (const name of readdirSync(tools)) rmSync(join(tools, name));
  });
  const tool = (name: string, prints: string): void =>
    writeFileSync(join(tools, name), `#!/bin/sh\nprintf '${prints}'\n`, { mode: 0o755 });
  const ofLab = () => {
    process.env['PATH'] = tools;
    return readVersions(root, parts.lab);
  };
  const index = 'Package: fio\\nVersion: 3.33-3\\n\\nPackage: qemu-system-x86\\nVersion: 1:7.2+dfsg-7\\n';

  test('without QEMU, and without an index of packages, they are not known', () => {
    expect(ofLab()).toEqual({ known: false, reason: expect.stringMatching(/^apt-cache .+/) });
  });

  test('without QEMU it is the version that a lab would install: the same as when it is there', () => {
    tool('apt-cache', index.replace('Package: fio\\nVersion: 3.33-3\\n\\n', ''));
    const wouldBe = ofLab();
    tool('qemu-system-x86_64', 'QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)\\nCopyright (c)\\n');
    const is = ofLab();
    expect(is).toEqual(wouldBe);
    expect(is).toMatchObject({ known: true, value: { qemu: '1:7.2+dfsg-7' } });
  });

  test('a QEMU that is not from Debian has the version that it says', () => {
    tool('apt-cache', index);
    tool('qemu-system-x86_64', 'QEMU emulator version 9.1.0\\n');
    expect(ofLab()).toMatchObject({
      value: { qemu: 'QEMU emulator version 9.1.0', fio: '3.33-3' },
    });
  });
});

describe('one byte', () => {
  const { path: copy } = temporaryDirectory();
  const filesOf = (input: string): string[] =>
    globSync(input, { cwd: copy }).flatMap((path) =>
      statSync(join(copy, path)).isFile()
        ? [path]
        : readdirSync(join(copy, path), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
            .map((entry) => join(entry.parentPath, entry.name).slice(copy.length + 1)),
    );
  /** The first of each kind of file. */
  const ofEachKind = (files: readonly string[]): string[] => [
    ...new Map(
      files
        .toSorted()
        .reverse()
        .map((file) => [extname(file), file]),
    ).values(),
  ];
  beforeAll(() => {
    for (const path of new Set(partNames.flatMap((name) => parts[name].inputs)))
      for (const found of globSync(path, { cwd: root })) {
        mkdirSync(dirname(join(copy, found)), { recursive: true });
        cpSync(join(root, found), join(copy, found), { recursive: true });
      }
  });

  test.each(partNames)('%s: of any kind of file of any input, it counts, and nothing else does', (name) => {
    const part = parts[name];
    const before = stateOf(copy, part, {});
    for (const input of part.inputs)
      for (const file of ofEachKind(filesOf(input))) {
        const content = readFileSync(join(copy, file));
        const other = Buffer.from(content);
        other[0] = (other[0] ?? 0) ^ 1;
        writeFileSync(join(copy, file), other);
        const after = stateOf(copy, part, {});
        writeFileSync(join(copy, file), content);
        const differing = Object.keys(after.inputs).filter((one) => after.inputs[one] !== before.inputs[one]);
        expect({ file, hash: after.hash === before.hash, differing }).toEqual({
          ...{ file, hash: false },
          differing: part.inputs.filter((one) => isBelow(file, one)),
        });
      }
    expect(stateOf(copy, part, {})).toEqual(before);
  });

  test('a file that is new or gone counts, also where a pattern names it; and so does a version', () => {
    const stateOfLab = (fio = '3.33-3') => stateOf(copy, parts.lab, { fio });
    const before = stateOfLab();
    for (const [input, file] of [
      ['ssm-documents', 'ssm-documents/build-stripe/new.sh'],
      ['core/*.ts', 'core/new.ts'],
    ] as const) {
      writeFileSync(join(copy, file), '');
      const after = stateOfLab();
      expect(after.hash).not.toBe(before.hash);
      expect(after.inputs).toEqual({
        ...before.inputs,
        [input]: expect.not.stringMatching(`${before.inputs[input]}`),
      });
      rmSync(join(copy, file));
      expect(stateOfLab()).toEqual(before);
    }
    expect(stateOfLab('3.36-1').hash).not.toBe(before.hash);
  });
});
