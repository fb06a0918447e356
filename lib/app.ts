/** The CDK app: the stacks of one configuration, held against the rules of AWS Solutions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  App,
  type AppProps,
  CliCredentialsStackSynthesizer,
  type Environment,
  type IStackSynthesizer,
  Validations,
} from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readConfig } from '../adapters/files/config-file.ts';
import { BadConfig } from '../core/config/check.ts';
import { BadInput } from '../core/errors.ts';
import { auditStack, benchmarkStackOf } from '../core/stacks.ts';
import { BenchmarkStack } from './benchmark-stack.ts';
import { bundledFunctions } from './shared/bundle.ts';
import { StripewiseStack } from './stripewise-stack.ts';

/** For who makes the app, and imports nothing else. */
export { BadConfig };

export interface StripewiseApp {
  /** The checkout. */
  root: string;
  /** @default what `-c config=FILE` says, else stripewise.yaml */
  configFile?: string;
  /** @default of any account and Region */
  env?: Environment;
  /** Makes one for each stack. @default the CDK's own; with `-c synthesizer=cli-credentials` whoever deploys takes no role of the bootstrap */
  synthesizer?: () => IStackSynthesizer;
  appProps?: AppProps;
}

/** @throws BadConfig where the configuration cannot be used. */
export function stripewiseApp({ root, configFile, env = {}, synthesizer, appProps }: StripewiseApp): App {
  // The CDK's own command line hands these on; whoever calls us without it gets the same template.
  const { context } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8')) as { context: object };
  const app = new App({ ...appProps, context: { ...context, ...appProps?.context, root } });
  const ofContext = app.node.tryGetContext('config') as string | undefined;
  const file = configFile ?? ofContext ?? join(root, 'stripewise.yaml');
  const config = readConfig(file);
  // What every NodeFunction looks for its code in.
  app.node.setContext('functions', bundledFunctions(root));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const asMyself = app.node.tryGetContext('synthesizer') === 'cli-credentials';
  // CDK's own types do not hold under exactOptionalPropertyTypes: it is an IStackSynthesizer.
  const own = asMyself ? () => new CliCredentialsStackSynthesizer() as IStackSynthesizer : undefined;
  const chosen = synthesizer ?? own;
  const props = () => ({ config, env, ...(chosen && { synthesizer: chosen() }) });
  saying(file, () => {
    const audit = new StripewiseStack(app, auditStack, props());
    const { benchmark } = config;
    if (benchmark === undefined) return;
    const ofBenchmark = new BenchmarkStack(app, benchmarkStackOf(auditStack), { benchmark, ...props() });
    // The order of deploying and removing, and nothing in the templates.
    ofBenchmark.addStackDependency(audit);
  });
  return app;
}

/** What AWS would not take of a configuration is reported as any other trouble of it. */
function saying(file: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    throw error instanceof BadInput ? new BadConfig(`${file}: ${error.message}`, { cause: error }) : error;
  }
}
