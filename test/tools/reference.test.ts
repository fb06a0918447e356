/** docs/reference is what the schemas and commands say today, and its example can be used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { allKeys, checked } from '../../core/config/check.ts';
import { channelKinds } from '../../core/config/config.ts';
import { commandLinePage, configurationPage, historyPage, schemasPage } from '../../tools/reference-pages.ts';

const read = (name: string): string => readFileSync(join(process.cwd(), 'docs', 'reference', name), 'utf8');
const example = read('stripewise.example.yaml');

test('the reference of the configuration is current', () => {
  expect(read('configuration.md')).toBe(configurationPage(example));
});

test('the reference of the command line is current', async () => {
  expect(read('command-line.md')).toBe(await commandLinePage());
});

test('the reference of the schemas is current', () => {
  expect(read('schemas.md')).toBe(schemasPage());
});

test('the reference of the views of an archive is current', () => {
  expect(read('history.md')).toBe(historyPage());
});

test('each key that has a value of its own has a row with its meaning', () => {
  const page = read('configuration.md');
  const without = allKeys()
    .filter((key) => !allKeys().some((other) => other.startsWith(`${key}.`) || other.startsWith(`${key}[`)))
    .filter(
      (key) => !page.split('\n').some((line) => line.startsWith(`| \`${key}\` |`) && !line.endsWith('|  |')),
    );
  expect(without).toEqual([]);
});

test('the example is valid, and has each kind of channel', () => {
  const file = parse(example) as { channels: Record<string, { kind: string }> };
  expect(checked(file).problems).toEqual([]);
  expect(new Set(Object.values(file.channels).map(({ kind }) => kind))).toEqual(new Set(channelKinds));
});
