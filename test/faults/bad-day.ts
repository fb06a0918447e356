/** The service deployed into a local AWS whose calls pass a gateway, where trouble can be ordered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  LambdaClient,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { storedMarketKey } from '../../core/audit/run-keys.ts';
import { clientSettings, connectSlack, deployStack, type StackOutputs } from '../../local/deploy.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../local/gateway/gateway.ts';
import { lastWholeHour, loadFleet } from '../../local/load-fleet.ts';
import { type DeployedRun, runDeployedAudit } from '../../local/run-audit.ts';
import { type Services, startServices } from '../../local/services.ts';
import { type SmallFleet, smallFleet } from './small-fleet.ts';

const root = join(__dirname, '../..');

/** Waits in functions take so much of their time: a client that gives up after 30 s does after 1.5 s. */
const waitScale = 0.05;
/** Those of the workflow between two tries: all of them together take 5 minutes, here a second. */
const workflowWaitScale = 0.003;

export interface BadDay {
  services: Services;
  outputs: StackOutputs;
  gateway: Gateway;
  fleet: SmallFleet;
  /** Runs the deployed audit over the fleet's time, in its usual form, and lets it tell. */
  run(input?: object): Promise<DeployedRun>;
  /** The same, twenty minutes later as far as telling is concerned: claims of a run that died are free by then. */
  runLater(): Promise<DeployedRun>;
  /** Prices and instance types are read anew by the next run. */
  forgetMarket(): Promise<void>;
  /** Everything is news again. */
  forgetTold(): Promise<void>;
  /** How many findings the messages in Slack tell of, in all. */
  findingsPosted(): Promise<number>;
  /** How many there are to tell of this fleet. */
  toldInAll: number;
  /** More environment for functions with this part in their name; they start anew with it. */
  setEnvironment(functionPart: string, variables: Record<string, string>): Promise<void>;
  remove(): Promise<void>;
}

/** A claim without confirmation is free after fifteen. */
const minutesLater = 20;

const messagesSchema = z.array(z.object({ message: z.object({ text: z.string() }) }));

async function tableWith(client: DynamoDBDocumentClient, part: string): Promise<string> {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const found = TableNames.find((name) => name.includes(part));
  if (found === undefined) throw new Error(`there is no table with ${part} in its name`);
  return found;
}

interface StartBadDay {
  options?: GatewayOptions;
  /** For MiniStack and its functions. */
  environment?: Record<string, string>;
  endEpochSeconds?: number;
}

export async function startBadDay({
  options = {},
  environment = {},
  endEpochSeconds = lastWholeHour(new Date()),
}: StartBadDay = {}): Promise<BadDay> {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-local-'));
  const gateway = await startGateway(options);
  const everywhere = Object.fromEntries(
    ['', '_EC2', '_CLOUDWATCH', '_PRICING', '_SSM'].map((of) => [`AWS_ENDPOINT_URL${of}`, gateway.url]),
  );
  const services = await startServices({
    root,
    directory,
    say: (line) => process.stderr.write(`${line}\n`),
    forFunctions: () => ({
      ...everywhere,
      NODE_OPTIONS: `--require ${join(root, 'local/gateway/function-conditions.cjs')}`,
      STRIPEWISE_WAIT_SCALE: `${waitScale}`,
      SFN_WAIT_SCALE: `${workflowWaitScale}`,
      ...environment,
    }),
  });
  const remove = async (): Promise<void> => {
    await services.stop();
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const { ec2, cloudWatch, pricing, aws } = services.urls;
    gateway.route({ ec2, cloudwatch: cloudWatch, pricing }, aws);
    const fleet = smallFleet(endEpochSeconds);
    await loadFleet(services.urls, { endEpochSeconds, regions: [fleet] });
    const outputs = await deployStack(root, services);
    await connectSlack(services, outputs);
    const s3 = new S3Client({ ...clientSettings(services), forcePathStyle: true });
    const told = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings(services)));
    const lambda = new LambdaClient(clientSettings(services));
    const TableName = await tableWith(told, 'Told');
    const window = {
      regions: [fleet.region],
      lookbackDays: 26 / 24,
      until: new Date(endEpochSeconds * 1000).toISOString(),
      tell: true,
    };
    const run = (input = {}) => runDeployedAudit(services, outputs, { ...window, ...input });
    const setEnvironment: BadDay['setEnvironment'] = async (part, variables) => {
      const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
      for (const { FunctionName, Environment } of Functions) {
        if (!FunctionName?.includes(part)) continue;
        const Variables = { ...Environment?.Variables, ...variables };
        await lambda.send(
          new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }),
        );
      }
    };
    return {
      services,
      outputs,
      gateway,
      fleet,
      remove,
      run,
      setEnvironment,
      toldInAll: 11,
      runLater: async () => {
        await setEnvironment('TellFindings', {
          STRIPEWISE_CLOCK: new Date(Date.now() + minutesLater * 60_000).toISOString(),
        });
        const later = await run();
        await setEnvironment('TellFindings', { STRIPEWISE_CLOCK: '' });
        return later;
      },
      forgetTold: async () => {
        const { Items = [] } = await told.send(new ScanCommand({ TableName }));
        for (const { findingId } of Items)
          await told.send(new DeleteCommand({ TableName, Key: { findingId } }));
      },
      findingsPosted: async () => {
        const reply = await fetch(`${services.urls.slack}/_stripewise/messages`);
        const messages = messagesSchema.parse(await reply.json());
        return messages.reduce((total, { message }) => total + Number(/\d+/.exec(message.text)?.[0]), 0);
      },
      forgetMarket: async () => {
        const Key = storedMarketKey(fleet.region);
        await s3.send(new DeleteObjectCommand({ Bucket: outputs.RunsBucket, Key }));
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
