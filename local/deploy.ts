/** Deploys the stacks into the local AWS, with the CDK's own command line. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SNSClient } from '@aws-sdk/client-sns';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { delay } from 'es-toolkit/promise';
import { z } from 'zod';
import { auditStack, benchmarkStackOf } from '../core/stacks.ts';
import { runToEnd } from './processes.ts';
import { noteProcess } from './running.ts';
import { localAccount, localRegion, type Services } from './services.ts';
import { localBot, localWebhookPath } from './slack/server.ts';

const auditOutputsSchema = z.object({
  RunsBucket: z.string(),
  AuditStateMachine: z.string(),
  Dashboard: z.string(),
  FindingsTopic: z.string(),
  ChannelSecrets: z.string(),
  DeliveriesQueue: z.string(),
  DeadLetterQueue: z.string(),
  SpendTable: z.string(),
  /** Only where something must be asked for and is not. */
  NotIncluded: z.string().optional(),
  /** Only where a channel has buttons. */
  SlackActions: z.string().optional(),
  /** Only where a channel is a topic. */
  ChannelTopics: z.string().optional(),
  /** Only where reports are opened by links. */
  ReportLinks: z.string().optional(),
  ReportLinkKey: z.string().optional(),
  /** Only where there are changes. */
  ChangesUrl: z.string().optional(),
  ChangesStateMachine: z.string().optional(),
  /** Only where hosts are asked. */
  StripesDocument: z.string().optional(),
});
/** Only where there is a benchmark. */
const benchmarkOutputsSchema = z.object({ BenchStateMachine: z.string(), BenchCleanup: z.string() });
export type StackOutputs = z.infer<typeof auditOutputsSchema> &
  Partial<z.infer<typeof benchmarkOutputsSchema>>;

const outputsFileOf = ({ directory }: Services): string => join(directory, 'outputs.json');

/** Of the stacks that were deployed into these servers, together. */
export function outputsIn(services: Services): StackOutputs {
  const stacks = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(outputsFileOf(services), 'utf8')));
  const audit = auditOutputsSchema.parse(stacks[auditStack]);
  const ofBenchmark = stacks[benchmarkStackOf(auditStack)];
  return ofBenchmark === undefined ? audit : { ...audit, ...benchmarkOutputsSchema.parse(ofBenchmark) };
}

/** How a client of the SDK reaches the local AWS, whatever the environment of this process says. */
export const clientSettings = ({ urls }: Pick<Services, 'urls'>) => ({
  endpoint: urls.aws,
  region: localRegion,
  credentials: { accessKeyId: localAccount, secretAccessKey: 'test' },
});

/** Buckets, queues and topics of ours refuse plain HTTP: a client says that TLS ended before the server. */
export function overTls<Client extends S3Client | SNSClient | SQSClient>(client: Client): Client {
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
  /** Without the app: it runs for each command in a folder that names one, for seconds. @default of the checkout */
  cwd?: string;
}

const logOf = ({ directory }: Services, command: string): string => join(directory, `cdk-${command}.log`);

function cdk({ root, services, cwd = root }: Cdk, command: string, args: readonly string[]): Promise<void> {
  const { env, directory } = services;
  return runToEnd({
    name: `cdk ${command}`,
    command: process.execPath,
    args: [
      join(root, 'node_modules/aws-cdk/bin/cdk'),
      ...[command, ...args],
      ...['--no-notices', '--no-version-reporting', '--progress', 'events'],
    ],
    env: {
      ...env,
      ...{ CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
      // Of templates the CDK only warns here, after three seconds; `npm run lint:templates` is what holds them to it.
      CDK_VALIDATION: 'false',
    },
    cwd,
    logFile: logOf(services, command),
    onSpawn: (pid) => noteProcess(directory, pid),
  });
}

/** Makes the account ready for the CDK; once more does no harm. */
export const bootstrap = (root: string, services: Services): Promise<void> =>
  cdk({ root, services, cwd: services.directory }, 'bootstrap', [
    `aws://${localAccount}/${localRegion}`,
    // What is the default; MiniStack does not resolve it in the template.
    ...['--cloudformation-execution-policies', 'arn:aws:iam::aws:policy/AdministratorAccess'],
  ]);

const assemblyOf = ({ directory }: Services): string => join(directory, 'cdk.out');

/**
 * Of what the app is run with.
 * @param configFile by default the one of the demo and the end-to-end tests.
 * @param asMyself true: without the roles of the bootstrap, which MiniStack does not let do all that they need under AUTH.
 */
const ofApp = (root: string, services: Services, configFile?: string, asMyself = false): string[] => [
  ...['--output', assemblyOf(services)],
  ...['-c', `config=${configFile ?? join(root, 'local/stripewise.local.yaml')}`],
  ...(asMyself ? ['-c', 'synthesizer=cli-credentials'] : []),
];

const toDeploy = (services: Services): string[] => [
  ...['--all', '--require-approval', 'never', '--outputs-file', outputsFileOf(services)],
];

/** Deploys into an account that is bootstrapped. */
export async function deployBootstrapped(
  root: string,
  services: Services,
  configFile?: string,
  asMyself = false,
): Promise<StackOutputs> {
  const app = ofApp(root, services, configFile, asMyself);
  await cdk({ root, services }, 'deploy', [...toDeploy(services), ...app]);
  return outputsIn(services);
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
  const app = ofApp(root, services, configFile, asMyself);
  // Where one fails, the other is not left running.
  const settled = await Promise.allSettled([
    bootstrap(root, services),
    cdk({ root, services }, 'synth', ['--all', '--quiet', ...app]),
  ]);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  const synthesized = ['--app', assemblyOf(services)];
  await cdk({ root, services, cwd: services.directory }, 'deploy', [...toDeploy(services), ...synthesized]);
  return outputsIn(services);
}

/** How far `deployStack` is, as the CDK's command line writes it down. */
export function deployProgress(services: Services): string {
  const isBegun = (command: string): boolean => existsSync(logOf(services, command));
  const running = isBegun('deploy') ? ['deploy'] : ['bootstrap', 'synth'].filter(isBegun);
  return running
    .map((command) => {
      const [, done, all] =
        readFileSync(logOf(services, command), 'utf8').match(/.*\|\s+(\d+)\/(\d+) \|/s) ?? [];
      return `cdk ${command}${done === undefined ? '' : `: ${done} of ${all} resources`}`;
    })
    .join('; ');
}

/** As somebody removes the service; what CloudFormation cannot remove is in the error. */
export const destroyStack = (root: string, services: Services, configFile: string): Promise<void> =>
  cdk({ root, services }, 'destroy', ['--all', '--force', ...ofApp(root, services, configFile)]);

/** With which the local Slack signs what buttons send. */
export const localSigningSecret = 'a signing secret of the local Slack';

/** What the secret of channels holds for a bot of the local Slack. */
export const localBotSecret = (slackUrl: string) => ({
  ...{ botToken: localBot.token, signingSecret: localSigningSecret, teamIds: [localBot.teamId] },
  apiUrl: `${slackUrl}/api/`,
});

/** Gives the stack the address of the fake Slack: to the webhook `slack`, and to the bot `dba` where there is one. */
export async function connectSlack(services: Services, outputs: StackOutputs): Promise<void> {
  const secrets = new SecretsManagerClient(clientSettings(services));
  const { slack } = services.urls;
  await secrets.send(
    new PutSecretValueCommand({
      SecretId: outputs.ChannelSecrets,
      SecretString: JSON.stringify({
        slack: { webhookUrl: `${slack}${localWebhookPath}` },
        dba: localBotSecret(slack),
      }),
    }),
  );
  secrets.destroy();
}

const pollMs = 250;
const maxSeconds = 120;

/** Until every message that the topics said is with its channels; what waits for a later try is no longer waited for then. */
export async function deliveriesDone(services: Services, { DeliveriesQueue }: StackOutputs): Promise<void> {
  const sqs = overTls(new SQSClient(clientSettings(services)));
  const until = Date.now() + maxSeconds * 1000;
  // Twice empty: what is published just now is in the queue a moment later.
  for (let empty = 0; empty < 2 && Date.now() < until; await delay(pollMs)) {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: DeliveriesQueue, AttributeNames: ['All'] }),
    );
    const waiting =
      Number(Attributes?.['ApproximateNumberOfMessages']) +
      Number(Attributes?.['ApproximateNumberOfMessagesNotVisible']);
    empty = waiting === 0 ? empty + 1 : 0;
  }
  sqs.destroy();
}
