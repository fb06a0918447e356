/** The oldest Node is promised in one place, and the compiler refuses what it lacks in all that the command line reaches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** What the compiler says of each line, with the options of `bin/tsconfig.json`. */
function refusedLines(lines: readonly string[]): string[] {
  const file = directory.write('sample.ts', `${lines.join('\n')}\nexport {};\n`);
  const { config } = ts.readConfigFile(join(root, 'bin/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'bin'));
  const program = ts.createProgram([file], { ...options, typeRoots: [join(root, 'node_modules/@types')] });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ start = 0, file: source }) => lines[source?.getLineAndCharacterOfPosition(start).line ?? -1] ?? '',
    );
}

test('what came with Node 21 and 22 is refused; what Node 20 has is not', () => {
  const newer = [
    'Map.groupBy([1], String);',
    'Object.groupBy([1], String);',
    'void Promise.withResolvers();',
    'void Array.fromAsync([]);',
    'new Set([1]).union(new Set([2]));',
    '[1].values().map(String).toArray();',
  ];
  const older = [
    "'a'.toWellFormed();",
    '[2, 1].toSorted();',
    '[1].findLast(Boolean);',
    'structuredClone(1);',
  ];
  expect([...new Set(refusedLines([...older, ...newer]))].sort()).toEqual(newer.toSorted());
});

test('`npm run types` checks it, and it begins where the command line does', () => {
  expect(JSON.parse(read('package.json')).scripts.types).toContain('tsc --noEmit -p bin ');
  expect(JSON.parse(read('bin/tsconfig.json'))).toMatchObject({ files: ['stripewise.ts'], include: [] });
});

test('manifest, build and documents name the same Node', () => {
  const { engines } = JSON.parse(read('package.json'));
  expect(engines.node).toBe('>=20.12');
  expect(read('tools/build.mjs')).toContain("target: 'node20'");
  for (const name of ['docs/start/install.md', 'tools/package/README.md'])
    expect(read(name)).toContain('Node 20.12 or newer');
  for (const name of ['README.md', 'docs/start/quick-start.md'])
    expect(read(name)).toContain('Node >= 20.12');
});
