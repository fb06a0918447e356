/** dist/ as npm packs it: installed into an empty folder without network, and run whole on the oldest Node that is promised. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { commandsFor } from '../../cli/main.ts';
import { processIo } from '../../cli/process-io.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { examples, withoutAccount } from './examples.ts';
import { build, describeEachCommand, runTool } from './run-form.ts';

const root = join(__dirname, '../..');
const node20 = join(root, `node_modules/node-20-${process.platform}-${process.arch}/bin/node`);
const maxBytes = 25e6;

const directory = temporaryDirectory();
const folder = join(directory.path, 'empty');
const installed = join(folder, 'node_modules');
const at = (name: string): string => join(installed, 'stripewise', name);

beforeAll(() => {
  directory.write('empty/package.json', { private: true });
  build('build');
  runTool('npm', ['pack', '--silent', '--pack-destination', directory.path], join(root, 'dist'));
  const [archive = ''] = readdirSync(directory.path).filter((name) => name.endsWith('.tgz'));
  runTool(
    'npm',
    [
      ...['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'],
      ...['--cache', join(directory.path, 'cache'), join(directory.path, archive)],
    ],
    folder,
  );
});

const bytesOf = (path: string): number => {
  const found = lstatSync(path);
  return found.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
    : found.size;
};

test('it is one package below 25 MB, which needs no other', () => {
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['stripewise']);
  const bytes = bytesOf(at('.'));
  console.log(`unpacked ${(bytes / 1e6).toFixed(1)} MB`);
  expect(bytes).toBeLessThan(maxBytes);
});

test('its manifest: name, version, licence, and the oldest Node of the checkout', () => {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name, version, license, engines, bin: { stripewise: 'stripewise.js' } });
  expect(Object.keys(manifest).filter((key) => /dependencies|private|scripts/i.test(key))).toEqual([
    'peerDependencies',
    'peerDependenciesMeta',
  ]);
  // What is bundled needs no other package: the only one is asked by two commands, and may be absent.
  expect(manifest.peerDependenciesMeta).toEqual({ '@duckdb/node-api': { optional: true } });
});

test('it has the licences of what is bundled, the bill of materials, and no path of this machine', () => {
  const licences = readFileSync(at('THIRD-PARTY-LICENSES.txt'), 'utf8');
  // Of a command, of a page, and of what pictures are drawn with.
  for (const name of ['commander', 'preact', '@resvg/resvg-wasm', 'dejavu-fonts-ttf', '@aws-sdk/client-ec2'])
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+: `, 'm'));
  expect(JSON.parse(readFileSync(at('sbom.cdx.json'), 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' });
  for (const file of ['stripewise.js', 'THIRD-PARTY-LICENSES.txt'])
    expect(readFileSync(at(file), 'utf8')).not.toContain(root);
});

const leavesOf = (command: Command, above: string[] = []): string[] => {
  const words = [...above, command.name()];
  const below = command.commands.flatMap((one) => leavesOf(one, words));
  // One with an argument or an action of its own beside others: `audit`, `audit queries`.
  return below.length === 0 || command.name() === 'audit' ? [words.join(' '), ...below] : below;
};

test('each command has an example', async () => {
  const commands = await commandsFor([], processIo, () => {});
  const lines = [...examples, ...withoutAccount].map(({ words }) => words.join(' '));
  const without = commands
    .flatMap((command) => leavesOf(command))
    .filter((leaf) => !lines.some((line) => `${line} `.startsWith(`${leaf} `)));
  expect(without).toEqual([]);
});

test('the Node is of the version that is promised', () => {
  expect(runTool(node20, ['--version'])).toMatch(/^v20\./);
});

describe('on Node 20', () => {
  describeEachCommand(() => [node20, join(installed, '.bin/stripewise')]);
});
