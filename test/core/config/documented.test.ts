/** docs/configuration.md says every key, its default and its bounds; what it shows can be used. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checked, defaultConfig } from '../../../core/config/check.ts';
import { channelKinds } from '../../../core/config/config.ts';
import { allKeys } from '../../../core/config/known-keys.ts';
import { boundsText, configurableThresholds, thresholdBounds } from '../../../core/config/thresholds.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';

const text = readFileSync(join(process.cwd(), 'docs', 'configuration.md'), 'utf8');
const examples = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml as string);

/** The cells of the row of a key. */
const rowOf = (key: string): string[] | undefined =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`| \`${key}\` `))
    .map((line) => line.split('|').map((cell) => cell.trim()))[0]
    ?.slice(2, -1);

const sections = [
  'exclude',
  'thresholds',
  'audit',
  'monitoring',
  'notifications',
  'channels',
  'routes',
  'budget',
  'alarms',
  'functions',
  'report',
  'keep',
];

test.each(allKeys().filter((key) => !sections.includes(key) && !key.startsWith('thresholds.')))(
  '%s has a row',
  (key) => {
    expect(rowOf(key)).toBeDefined();
  },
);

test('each section is told of', () => {
  for (const section of sections) expect(text).toContain(`\`${section}`);
  expect(
    allKeys()
      .filter((key) => !/[.[]/.test(key))
      .sort(),
  ).toEqual([...sections, 'benchmark', 'regions'].sort());
});

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const defaultOf = (key: string): unknown =>
  key
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], defaultConfig());
const scalars = allKeys().filter(
  (key) => !/\*|\[\]|^benchmark|^thresholds/.test(key) && !sections.includes(key),
);

test.each(scalars)('the row of %s says its default', (key) => {
  const said = rowOf(key)?.[0]?.replaceAll(/[`"]/g, '');
  expect(said).toBe(plain(defaultOf(key)));
});

test.each(configurableThresholds)('the row of the threshold %s says its figure and its bounds', (name) => {
  const [documented, range = ''] = rowOf(name) ?? [];
  expect(documented).toBe(`${defaultThresholds[name]}`);
  expect(boundsText(thresholdBounds[name])).toContain(range);
  expect(range).toMatch(/^[\d.]+ to \d+/);
});

test.each(examples.map((yaml) => [yaml.trim().split('\n').slice(0, 3).join(' '), yaml]))(
  'the example can be used: %s',
  (_, yaml) => {
    expect(checked(parse(yaml)).problems).toEqual([]);
  },
);

test('each kind of channel has an example', () => {
  const shown = examples.flatMap((yaml) => {
    const { channels = {} } = parse(yaml) as { channels?: Record<string, { kind: string }> };
    return Object.values(channels).map(({ kind }) => kind);
  });
  for (const kind of channelKinds) expect(shown).toContain(kind);
});
