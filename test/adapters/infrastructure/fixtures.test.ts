import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expectedPlans } from './expected-plans.ts';
import { expectedTemplates } from './expected-templates.ts';
import { summaryOf } from './summary.ts';

const fixtures = 'test/fixtures/infrastructure';
const expected = { ...expectedPlans, ...expectedTemplates };
const folders = ['terraform', 'cloudformation', 'cloud-assemblies', 'kubernetes'];
const all = folders
  .flatMap((folder) => readdirSync(join(fixtures, folder)).map((name) => `${folder}/${name}`))
  // A chart is refused as a whole: infrastructure.test.ts.
  .filter((name) => name !== 'kubernetes/chart.yaml');

// Counts of the raw files: nothing of the readers is used.

interface Module {
  resources?: { address: string; mode: string }[];
  child_modules?: Module[];
}
interface Plan {
  planned_values?: { root_module: Module };
  prior_state?: { values: { root_module: Module } };
  resource_changes: { address: string; mode: string; deposed?: string }[];
}

const inModule = (module: Module | undefined): { address: string; mode: string }[] => [
  ...(module?.resources ?? []),
  ...(module?.child_modules ?? []).flatMap(inModule),
];

/** Each address once, and what is deposed beside it. */
function countOfPlan(text: string): number {
  const plan = JSON.parse(text) as Plan;
  const managed = plan.resource_changes.filter(({ mode }) => mode === 'managed');
  const standing = [plan.planned_values?.root_module, plan.prior_state?.values.root_module].flatMap(inModule);
  const addresses = [...managed, ...standing.filter(({ mode }) => mode === 'managed')].map(
    ({ address }) => address,
  );
  return new Set(addresses).size + managed.filter(({ deposed }) => deposed !== undefined).length;
}

/** Logical ids of JSON; of YAML the lines that have one, below the last section. */
const countOfTemplate = (name: string, text: string): number =>
  name.endsWith('.json')
    ? Object.keys((JSON.parse(text) as { Resources?: object }).Resources ?? {}).length
    : (
        text
          .slice(text.indexOf('\nResources:'))
          .match(/^ {2}\w+:$/gm)
          ?.filter((line) => line !== '') ?? []
      ).length;

const countOfFile = (name: string): number => {
  const path = join(fixtures, name);
  if (statSync(path).isDirectory())
    return (readdirSync(path, { recursive: true }) as string[])
      .filter((file) => file.endsWith('.template.json'))
      .reduce((sum, file) => sum + countOfTemplate(file, readFileSync(join(path, file), 'utf8')), 0);
  const text = readFileSync(path, 'utf8');
  if (name.startsWith('terraform/')) return countOfPlan(text);
  return name.startsWith('kubernetes/')
    ? (text.match(/^kind: /gm) ?? []).length
    : countOfTemplate(name, text);
};

const sumOf = (counted: string): number =>
  (counted.match(/ \d+(?=,|$)/g) ?? []).reduce((sum, count) => sum + Number(count), 0);

describe('each fixture', () => {
  test('has its expectation, and is named in the README with its origin', () => {
    expect(Object.keys(expected).sort()).toEqual([...all].sort());
    expect(all.length).toBeGreaterThanOrEqual(24);
    const readme = readFileSync(join(fixtures, 'README.md'), 'utf8');
    for (const name of all) expect(readme).toContain(`| ${name.replace(/\.(?:json|yaml)$/, '')} |`);
  });
  test.each(all)('%s is read as expected: figures, findings, what was not checked', (name) => {
    expect(summaryOf(join(fixtures, name))).toEqual(expected[name]);
  });
  test.each(all)('%s: seen = understood + not made + unknown = the count of the raw file', (name) => {
    const { seen, understood, notMade, unknown } = summaryOf(join(fixtures, name));
    expect(seen).toBe(countOfFile(name));
    expect(seen).toBe(understood + notMade + sumOf(unknown));
  });
});
