/**
 * The stack deployed once for all that it is made of, with the CDK's own command line, and kept as the state that MiniStack writes
 * down when it stops. A local AWS that begins with it is up in seconds, with nothing in it but the stack.
 * EC2 is moto, which keeps nothing: a stack with a benchmark, which has a launch template there, is deployed by who needs it.
 */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedDirectoryLater, hashOfInputs } from '../lib/shared/build-cache.ts';
import { deployStack, outputsIn, type StackOutputs } from './deploy.ts';
import { type Services, type StartServices, startServices } from './services.ts';

/** What the stack is made of, and what it is deployed with and into. */
const inputs = [
  ...[
    'bin',
    'lib',
    'lambdas',
    'core',
    'adapters',
    'report',
    'ssm-documents',
    'cdk.json',
    'package-lock.json',
  ],
  ...['local/ministack', 'local/ec2', 'local/cloudwatch', 'local/pricing', 'local/ssm', 'local/slack'],
  'local/compute-optimizer',
  ...['local/requirements.txt', 'local/services.ts', 'local/deploy.ts', 'local/saved-deployment.ts'],
];

/** In place of the port that MiniStack had, which stands in the addresses of queues and functions. */
const portMark = '{{port of MiniStack}}';

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(directory, name));

function replaceInFiles(files: readonly string[], from: string, to: string): void {
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (text.includes(from)) writeFileSync(file, text.replaceAll(from, to));
  }
}

const portOf = (services: Pick<Services, 'urls'>): string => new URL(services.urls.aws).port;

/** @returns the directory with `state` and `outputs.json`. */
function savedDeployment(root: string, config: string, say: (line: string) => void): Promise<string> {
  const hashNow = (): string => hashOfInputs(root, inputs, config);
  return cachedDirectoryLater({ root, kind: 'deployments', hash: hashNow(), hashNow }, async (directory) => {
    say('deploying the stack once, for all tests of this configuration ...');
    const working = join(directory, 'working');
    const services = await startServices({ root, directory: working, say, keepsState: true });
    const configFile = join(directory, 'stripewise.yaml');
    writeFileSync(configFile, config);
    try {
      await deployStack(root, services, configFile);
    } finally {
      // It writes its state down now.
      await services.stop();
    }
    for (const name of ['state', 'outputs.json']) renameSync(join(working, name), join(directory, name));
    rmSync(working, { recursive: true, force: true });
    const files = [...filesIn(join(directory, 'state')), join(directory, 'outputs.json')];
    replaceInFiles(files, `:${portOf(services)}/`, `:${portMark}/`);
  });
}

/** As if it had been deployed now: schedules count from there. */
function createdNow(schedules: string): void {
  const text = readFileSync(schedules, 'utf8');
  writeFileSync(schedules, text.replace(/"CreationDate": [\d.]+/g, `"CreationDate": ${Date.now() / 1000}`));
}

export interface Deployed {
  services: Services;
  outputs: StackOutputs;
}

/**
 * A local AWS of the caller's own, with the stack of this configuration deployed in it: for the first who asks by a deployment,
 * for all others in a few seconds.
 * @param config of stripewise, in YAML.
 */
export async function startDeployed(
  config: string,
  options: Omit<StartServices, 'initialState' | 'keepsState'>,
): Promise<Deployed> {
  const saved = await savedDeployment(options.root, config, options.say);
  const services = await startServices({
    ...options,
    initialState: (directory, urls) => {
      cpSync(join(saved, 'state'), directory, { recursive: true });
      replaceInFiles(filesIn(directory), `:${portMark}/`, `:${portOf({ urls })}/`);
      createdNow(join(directory, 'scheduler.json'));
    },
  });
  const outputs = join(services.directory, 'outputs.json');
  cpSync(join(saved, 'outputs.json'), outputs);
  replaceInFiles([outputs], `:${portMark}/`, `:${portOf(services)}/`);
  return { services, outputs: outputsIn(services) };
}
