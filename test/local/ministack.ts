/** MiniStack for a test file, with or without the patches, and what tests do with it. */
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { freePort, plainEnvironment, startProcess } from '../../local/processes.ts';
import { ensurePython } from '../../local/python.ts';

const root = join(__dirname, '..', '..');
const account = '111122223333';
const role = `arn:aws:iam::${account}:role/test`;

/** A zip archive of one file, stored as it is: all that Lambda needs. */
function zipOf(name: string, text: string): Uint8Array {
  const data = Buffer.from(text);
  const about = Buffer.alloc(26); // what the local header and the directory say alike, from "version needed" on
  about.writeUInt16LE(20, 0);
  about.writeUInt32LE(crc32(data), 10);
  about.writeUInt32LE(data.length, 14);
  about.writeUInt32LE(data.length, 18);
  about.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), data]);
  const rest = Buffer.alloc(14); // comment, disk, attributes, and the offset 0 of the local header
  const directory = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
    about,
    rest,
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}

/** Asks until there is an answer. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await after(50)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error('there was no answer within 30 s');
}

export interface MiniStack {
  url: string;
  s3: S3Client;
  sfn: SFNClient;
  lambda: LambdaClient;
  cloudFormation: CloudFormationClient;
  /** Deploys the body of `async (event, context) => { ... }`; returns the ARN. */
  deploy(name: string, body: string, timeoutSeconds?: number): Promise<string>;
  /** Creates a JSONata workflow, runs it with that input and waits for its end. */
  run(definition: object, input: unknown): Promise<DescribeExecutionCommandOutput>;
  stop(): Promise<void>;
}

/** Asks CloudWatch Logs, of which no client is installed. @returns the reply as text. */
export async function askLogs({ url }: MiniStack, operation: string, input: object): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Logs_20140328.${operation}`,
    },
    body: JSON.stringify(input),
  });
  return reply.text();
}

export async function startMiniStack(
  patches: 'all' | 'none',
  directory: string,
  environment: Record<string, string> = {},
): Promise<MiniStack> {
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startProcess({
    command: python,
    args: [join(root, 'local', 'ministack', 'launch.py'), '--patches', patches],
    env: {
      ...plainEnvironment(),
      // What MiniStack leaves behind when it is stopped: the code of its Lambdas, and a key that it makes.
      TMPDIR: directory,
      STATE_DIR: join(directory, 'state'),
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_REGION: 'us-east-1',
      MINISTACK_ACCOUNT_ID: account,
      SFTP_ENABLED: '0',
      IOT_MTLS_ENABLED: '0',
      NODE_PATH: join(root, 'node_modules'),
      AWS_ENDPOINT_URL_EC2: 'http://127.0.0.1:9',
      ...environment,
    },
    readyUrl: `${url}/_ministack/health`,
    logFile: join(directory, `ministack-${patches}.log`),
  });

  const settings = {
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: account, secretAccessKey: 'test' },
  };
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  const sfn = new SFNClient(settings);
  const lambda = new LambdaClient(settings);
  const cloudFormation = new CloudFormationClient(settings);
  let machines = 0;
  return {
    url,
    s3,
    sfn,
    lambda,
    cloudFormation,
    async deploy(name, body, timeoutSeconds = 10) {
      const { FunctionArn } = await lambda.send(
        new CreateFunctionCommand({
          FunctionName: name,
          Role: role,
          Runtime: 'nodejs24.x',
          Architectures: ['arm64'],
          Handler: 'index.handler',
          Timeout: timeoutSeconds,
          MemorySize: 512,
          Code: {
            ZipFile: zipOf('index.js', `exports.handler = async (event, context) => {\n${body}\n};\n`),
          },
        }),
      );
      return FunctionArn ?? '';
    },
    async run(definition, input) {
      machines += 1;
      const { stateMachineArn } = await sfn.send(
        new CreateStateMachineCommand({
          name: `machine-${machines}`,
          roleArn: role,
          definition: JSON.stringify({ QueryLanguage: 'JSONata', ...definition }),
        }),
      );
      const started = new StartExecutionCommand({
        stateMachineArn,
        name: `run-${machines}`,
        input: JSON.stringify(input),
      });
      const { executionArn } = await sfn.send(started);
      return eventually(async () => {
        const notified = await sfn.send(new DescribeExecutionCommand({ executionArn }));
        return notified.status === 'RUNNING' ? undefined : notified;
      });
    },
    async stop() {
      for (const client of [s3, sfn, lambda, cloudFormation]) client.destroy();
      await server.stop();
    },
  };
}
