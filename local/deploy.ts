/** Deploys the stack into the local AWS, with the CDK's own command line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import { runToEnd } from './processes.ts';
import { noteProcess } from './running.ts';
import { localAccount, localRegion, type Services } from './services.ts';
import { localWebhookPath } from './slack/server.ts';

const outputsSchema = z.object({
  Stripewise: z.object({
    RunsBucket: z.string(),
    AuditStateMachine: z.string(),
    Dashboard: z.string(),
    FindingsTopic: z.string(),
    SlackWebhookSecret: z.string(),
    NotPostedQueue: z.string(),
    /** Only where reports are opened by links. */
    ReportLinks: z.string().optional(),
    ReportLinkKey: z.string().optional(),
    /** Only where hosts are asked. */
    StripesDocument: z.string().optional(),
    /** Only where there is a benchmark. */
    BenchStateMachine: z.string().optional(),
    BenchJanitor: z.string().optional(),
  }),
});
export type StackOutputs = z.infer<typeof outputsSchema>['Stripewise'];

/** How a client of the SDK reaches the local AWS, whatever the environment of this process says. */
export const clientSettings = ({ urls }: Services) => ({
  endpoint: urls.aws,
  region: localRegion,
  credentials: { accessKeyId: localAccount, secretAccessKey: 'test' },
});

/** Buckets, queues and topics of ours refuse plain HTTP: a client says that TLS ended before the server. */
export function overTls<Client extends S3Client | SQSClient>(client: Client): Client {
  const { middlewareStack } = client as S3Client;
  middlewareStack.add(
    (next) => (args) => {
      (args.request as { headers: Record<string, string> }).headers['x-forwarded-proto'] = 'https';
      return next(args);
    },
    { step: 'build', name: 'stripewiseOverTls' },
  );
  return client;
}

interface Cdk {
  root: string;
  services: Services;
  /** @default the one of the demo and the end-to-end tests */
  configFile?: string | undefined;
  /** True: without the roles of the bootstrap, which MiniStack does not let do all that they need under AUTH. */
  asMyself?: boolean;
}

function cdk({ root, services, configFile, asMyself = false }: Cdk, args: readonly string[]): Promise<void> {
  const { env, directory } = services;
  const config = configFile ?? join(root, 'local/stripewise.local.yaml');
  const name = `cdk ${args[0]}`;
  return runToEnd({
    name,
    command: process.execPath,
    args: [
      join(root, 'node_modules/aws-cdk/bin/cdk'),
      ...args,
      ...['--output', join(directory, 'cdk.out'), '-c', `config=${config}`],
      ...(asMyself ? ['-c', 'synthesizer=cli-credentials'] : []),
      ...['--no-notices', '--no-version-reporting', '--progress', 'events'],
    ],
    env: { ...env, CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
    cwd: root,
    logFile: join(directory, `${name.replace(' ', '-')}.log`),
    onSpawn: (pid) => noteProcess(directory, pid),
  });
}

/** Makes the account ready for the CDK; once more does no harm. */
export const bootstrap = (root: string, services: Services): Promise<void> =>
  cdk({ root, services }, ['bootstrap', `aws://${localAccount}/${localRegion}`]);

/** Deploys into an account that is bootstrapped. */
export async function deployBootstrapped(
  root: string,
  services: Services,
  configFile?: string,
  asMyself = false,
): Promise<StackOutputs> {
  const outputsFile = join(services.directory, 'outputs.json');
  await cdk({ root, services, configFile, asMyself }, [
    'deploy',
    '--all',
    '--require-approval',
    'never',
    '--outputs-file',
    outputsFile,
  ]);
  return outputsSchema.parse(JSON.parse(readFileSync(outputsFile, 'utf8'))).Stripewise;
}

/**
 * Bootstraps and deploys. Slack has no address yet, as in a real account: see `connectSlack`.
 * @param configFile the path of a configuration; local/stripewise.local.yaml by default.
 */
export async function deployStack(
  root: string,
  services: Services,
  configFile?: string,
  asMyself = false,
): Promise<StackOutputs> {
  await bootstrap(root, services);
  return deployBootstrapped(root, services, configFile, asMyself);
}

/** As somebody removes the service; what CloudFormation cannot remove is in the error. */
export const destroyStack = (root: string, services: Services, configFile: string): Promise<void> =>
  cdk({ root, services, configFile }, ['destroy', '--all', '--force']);

/** Gives the stack the address of the fake Slack. */
export async function connectSlack(services: Services, outputs: StackOutputs): Promise<void> {
  const secrets = new SecretsManagerClient(clientSettings(services));
  const webhookUrl = `${services.urls.slack}${localWebhookPath}`;
  await secrets.send(
    new PutSecretValueCommand({
      SecretId: outputs.SlackWebhookSecret,
      SecretString: JSON.stringify({ webhookUrl }),
    }),
  );
  secrets.destroy();
}
