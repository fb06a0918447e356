/** What `doctor --deploy` asks of the role that CloudFormation works as, held against the templates of both stacks. */
import { checked } from '../../core/config/check.ts';
import type { Config } from '../../core/config/config.ts';
import { neededBootstrapVersion, reservedCallsOf, resourceTypesOf } from '../../core/doctor/deploy-checks.ts';
import { type ConfigurationName, configurations } from './configurations.ts';
import { patience, type Synthesized, synthesized, synthesizedBenchmark } from './synthesized.ts';

const names = [
  'usual',
  'everything',
  'benchmark',
  'askingHosts',
  'least',
  'organization',
] satisfies ConfigurationName[];
const stacks = new Map<string, Synthesized>();
const benchmarks = new Map<string, Synthesized>();
beforeAll(async () => {
  for (const name of names) stacks.set(name, await synthesized(name));
  for (const name of ['everything', 'benchmark'] as const)
    benchmarks.set(name, await synthesizedBenchmark(name));
}, patience);

const stackOf = (name: ConfigurationName): Synthesized => stacks.get(name) as Synthesized;
/** Of its stacks, one or two. */
const stacksOf = (name: ConfigurationName): Synthesized[] =>
  [stackOf(name), benchmarks.get(name) ?? []].flat();
const configOf = (name: ConfigurationName): Config => checked(configurations[name]).config as Config;

test.each(names)('the kinds of resources that it asks about are those of the template: %s', (name) => {
  const resources = stacksOf(name).flatMap(({ json }) => Object.values(json.Resources));
  const types = new Set(resources.map(({ Type }) => Type));
  expect(resourceTypesOf(configOf(name)).toSorted()).toEqual([...types].toSorted());
});

test('the version of the bootstrap is the one that the template asks for', () => {
  const { CheckBootstrapVersion } = stackOf('usual').json['Rules'] as { CheckBootstrapVersion: unknown };
  const refused = Array.from({ length: neededBootstrapVersion - 1 }, (_, i) => String(i + 1));
  expect(JSON.stringify(CheckBootstrapVersion)).toContain(JSON.stringify(refused));
});

const reservedIn = (name: ConfigurationName): number =>
  stacksOf(name)
    .flatMap((stack) => stack.all('AWS::Lambda::Function'))
    .reduce((sum, [, { Properties }]) => sum + Number(Properties['ReservedConcurrentExecutions'] ?? 0), 0);

test('the calls that are reserved are those of the template', () => {
  expect(reservedIn('everything')).toBe(reservedCallsOf(configOf('everything')));
});

test('and of several accounts those of the shards besides', () => {
  const callsOf = (name: ConfigurationName): number =>
    stackOf(name)
      .all('AWS::Lambda::Function')
      .filter(([id]) => id.includes('WatchVolumes'))
      .reduce((sum, [, { Properties }]) => sum + Number(Properties['ReservedConcurrentExecutions']), 0);
  expect(callsOf('organization') - callsOf('everything')).toBe(
    reservedCallsOf(configOf('organization')) - reservedCallsOf(configOf('everything')),
  );
});
