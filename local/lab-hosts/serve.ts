/**
 * node local/lab-hosts/serve.ts --ministack http://127.0.0.1:4566 --ec2 http://127.0.0.1:4570 --directory PATH
 *   [--account 111122223333] [--region us-east-1] [--port 4573] [--pace 0] [--all]
 *
 * In the place of local/ssm/serve.ts: an instance of a campaign is a guest of the lab, and commands really run in it. The
 * directory is of this server alone: emptied first, and removed when it ends, in whatever way.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EC2Client } from '@aws-sdk/client-ec2';
import { S3Client } from '@aws-sdk/client-s3';
import { ensureImage } from '../lab/image.ts';
import { labDirectory } from '../lab/lab.ts';
import { ownDirectory, releaseDirectory } from '../owned-process.ts';
import { endRunning } from '../running.ts';
import { deployedDocuments } from '../ssm/documents.ts';
import { askMiniStack } from '../ssm/elsewhere.ts';
import { eventsToMiniStack } from '../ssm/events.ts';
import { startSsm, usualPace } from '../ssm/server.ts';
import { Guests } from './guests.ts';
import { Ec2Hosts } from './hosts.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    account: { type: 'string', default: '111122223333' },
    region: { type: 'string', default: 'us-east-1' },
    ministack: { type: 'string' },
    ec2: { type: 'string' },
    directory: { type: 'string' },
    /** Of the usual time that a host takes at least. */
    pace: { type: 'string', default: '0' },
    all: { type: 'boolean', default: false },
  },
});
const { port, account, region, ministack } = values;
if (ministack === undefined || values.ec2 === undefined || values.directory === undefined)
  throw new Error(
    'give --ministack URL (documents, parameters and S3), --ec2 URL and --directory PATH (of this server alone)',
  );
const pace = Number(values.pace);
const say = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

const directory = resolve(values.directory);
// The kernel's bound of the path of a UNIX socket, with its end.
const maxBytes = 107;
const longest = join(directory, 'i-00000000000000000', 'agent');
if (Buffer.byteLength(longest) > maxBytes)
  throw new Error(`--directory ${directory} is too long: ${longest} must have ${maxBytes} bytes at most`);

const image = ensureImage(labDirectory(join(import.meta.dirname, '..', '..')), say);
if (existsSync(directory)) {
  const names = readdirSync(directory);
  const strange = names.find((name) => !/^(volumes|i-[0-9a-f]+)$/.test(name));
  if (strange !== undefined)
    throw new Error(
      `--directory ${directory} would be emptied, and has ${strange}, which is of somebody else: give one of this server alone`,
    );
  for (const name of names) await endRunning(join(directory, name));
  rmSync(directory, { recursive: true });
}
ownDirectory(directory);
mkdirSync(directory, { recursive: true });

const credentials = { accessKeyId: account, secretAccessKey: 'test' };
const s3 = new S3Client({ endpoint: ministack, region, credentials, forcePathStyle: true });
const ec2 = new EC2Client({ endpoint: values.ec2, region, credentials });
const guests = new Guests({ image, directory, s3, say });
const hosts = new Ec2Hosts({
  ...{ region, guests, ec2, say, isAll: values.all },
  maxStarting: availableParallelism(),
});
const server = await startSsm({
  ...{ port: Number(port), account, hosts },
  pace: { pendingMs: pace * usualPace.pendingMs, runningMs: pace * usualPace.runningMs },
  findDocument: deployedDocuments(ministack, account),
  askElsewhere: askMiniStack(ministack),
  sendEvent: eventsToMiniStack(ministack, account),
});
process.stdout.write(`Systems Manager of account ${account} at ${server.url}, hosts are guests of the lab\n`);

const ending = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort());
void hosts.follow(ending.signal);
ending.signal.addEventListener('abort', async () => {
  await guests.close();
  releaseDirectory(directory);
  process.exit(0);
});
