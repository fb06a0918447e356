/**
 * node test/lib/synthesize.ts DIRECTORY: writes what the stacks are in every named configuration. A process of its own, because
 * Jest takes many times as long to load the CDK. Ends with 1 where a configuration cannot be synthesized.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { stripewiseApp } from '../../lib/app.ts';
import { buildPlainTemplate } from '../../lib/plain-template.ts';
import { configurations, plainConfigurations } from './configurations.ts';

const root = join(import.meta.dirname, '../..');
const [, , directory = ''] = process.argv;
if (directory === '') throw new Error('usage: synthesize.ts DIRECTORY');
/** All in one: code that several have is copied once. */
const outdir = join(directory, 'cdk.out');

type App = ReturnType<typeof stripewiseApp>;

/** Of every acknowledgement of a rule in the app. */
function reasonsOf(app: App): string[] {
  const key = Validations.ACKNOWLEDGED_RULES_METADATA_KEY;
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata.filter(({ type }) => type === key).map(({ data }) => data))
    .flatMap((data) => Object.values(data as Record<string, string>));
}

function synthesize(name: string, config: object): void {
  const configFile = join(directory, `${name}.yaml`);
  writeFileSync(configFile, JSON.stringify(config));
  const app = stripewiseApp({ root, configFile, appProps: { outdir } });
  const violations = new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.map(({ ruleName }) => ruleName);
  writeFileSync(join(directory, `${name}.nag.json`), JSON.stringify({ violations, reasons: reasonsOf(app) }));
  for (const { stackName, templateFullPath } of app.synth().stacks)
    renameSync(templateFullPath, join(directory, `${name}.${stackName}.template.json`));
}

function synthesizePlain(name: string): void {
  const out = join(directory, 'plain', name);
  buildPlainTemplate({ root, out, configFile: join(directory, `${name}.yaml`) });
}

function notifying(name: string, synthesis: () => void): void {
  try {
    synthesis();
  } catch (error) {
    console.error(`The configuration ${name} cannot be synthesized:`, error);
    process.exit(1);
  }
}

for (const [name, config] of Object.entries(configurations)) notifying(name, () => synthesize(name, config));
rmSync(outdir, { recursive: true });
for (const name of plainConfigurations) notifying(`${name} (plain)`, () => synthesizePlain(name));
