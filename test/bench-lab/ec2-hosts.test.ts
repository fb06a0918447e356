/** The EBS lab behind the local EC2 and Systems Manager: what the SDK asks for really happens to a guest. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import {
  AttachVolumeCommand,
  CreateVolumeCommand,
  DeleteVolumeCommand,
  DescribeVolumesCommand,
  DetachVolumeCommand,
  EC2Client,
  ModifyVolumeCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { CreateBucketCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import {
  DescribeInstanceInformationCommand,
  GetCommandInvocationCommand,
  SendCommandCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { campaignTag } from '../../core/benchmark/campaign/cells.ts';
import { runFioSchema } from '../../core/report-card/fio-result.ts';
import { commandDocument } from '../../lib/shared/command-document.ts';
import { watchProcessorWait } from '../../local/lab/processor-wait.ts';
import { freePort, plainEnvironment, type RunningProcess, startProcess } from '../../local/processes.ts';
import { ensurePython } from '../../local/python.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { isWithinTenth, measuredUndisturbed } from '../lab/measuring.ts';
import { type MiniStack, startMiniStack } from '../local/ministack.ts';
import { create } from '../local/stacks.ts';

const root = join(__dirname, '../..');
const region = 'us-east-1';
const account = '111122223333';
const bucket = 'benchmark-results';
const { path: scratch } = temporaryDirectory();
const directory = join(root, '.local-aws/lab/test-ec2-hosts');

const listing = {
  schemaVersion: '2.2',
  mainSteps: [
    {
      action: 'aws:runShellScript',
      name: 'list',
      inputs: { runCommand: ['lsblk --nodeps --noheadings --output SERIAL | grep ^vol | sort'] },
    },
  ],
};

interface ReportedHost {
  instanceId: string;
  state: string;
  pid: number | null;
  problem: string | null;
  disks: { volumeId: string; iops: number }[];
}

let ministack: MiniStack;
let moto: RunningProcess;
let server: RunningProcess;
let ec2: EC2Client;
let ssm: SSMClient;
let serverUrl: string;
let urls: { ec2: string };

async function startServer(): Promise<void> {
  const port = await freePort();
  serverUrl = `http://127.0.0.1:${port}`;
  server = await startProcess({
    command: process.execPath,
    args: [
      ...[join(root, 'local/lab-hosts/serve.ts'), '--port', `${port}`, '--account', account],
      ...['--region', region, '--ministack', ministack.url, '--ec2', urls.ec2, '--directory', directory],
    ],
    env: plainEnvironment(),
    readyUrl: `${serverUrl}/_stripewise/counts`,
    logFile: join(scratch, 'lab-hosts.log'),
  });
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  ssm = new SSMClient({ endpoint: serverUrl, region, credentials });
}

beforeAll(async () => {
  const python = await ensurePython({ root, say: () => {} });
  const port = await freePort();
  urls = { ec2: `http://127.0.0.1:${port}` };
  [ministack, moto] = await Promise.all([
    startMiniStack('all', scratch),
    startProcess({
      command: python,
      args: [join(root, 'local/ec2/serve.py'), '--port', `${port}`, '--account', account],
      env: plainEnvironment(),
      readyUrl: `${urls.ec2}/_stripewise/ready`,
      logFile: join(scratch, 'ec2.log'),
    }),
  ]);
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  ec2 = new EC2Client({ endpoint: urls.ec2, region, credentials });
  await ministack.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  await startServer();
  // Documents come into MiniStack by CloudFormation alone.
  for (const [Name, Content] of [
    ['build-stripe', commandDocument(root, 'build-stripe')],
    ['measure-load', commandDocument(root, 'measure-load')],
    ['listing', listing],
  ] as const)
    await create(ministack, Name, {
      Document: { Type: 'AWS::SSM::Document', Properties: { Name, Content, DocumentType: 'Command' } },
    });
});
afterAll(async () => {
  ec2?.destroy();
  ssm?.destroy();
  await Promise.all([server?.stop(), moto?.stop(), ministack?.stop()]);
});

async function until<T>(what: string, look: () => Promise<T | undefined>, seconds = 60): Promise<T> {
  for (const deadline = Date.now() + seconds * 1_000; Date.now() < deadline; await after(100)) {
    const seen = await look();
    if (seen !== undefined) return seen;
  }
  throw new Error(`not seen within ${seconds} s: ${what}\n${readFileSync(join(scratch, 'lab-hosts.log'))}`);
}

async function hosts(): Promise<ReportedHost[]> {
  const reply = await fetch(`${serverUrl}/_stripewise/hosts`);
  return ((await reply.json()) as { hosts: ReportedHost[] }).hosts;
}
const hostOf = async (id: string) => (await hosts()).find(({ instanceId }) => instanceId === id);

/** Once a guest has exactly these volumes, and limits. */
const untilDisks = (id: string, expected: Record<string, number>) =>
  until(`disks ${JSON.stringify(expected)}`, async () => {
    const disks = (await hostOf(id))?.disks.map(({ volumeId, iops }) => [volumeId, iops] as const) ?? [];
    const now = Object.fromEntries(disks);
    const isSame =
      disks.length === Object.keys(expected).length &&
      Object.entries(expected).every(([volumeId, iops]) => now[volumeId] === iops);
    return isSame || undefined;
  });

const managed = async (id: string): Promise<true | undefined> => {
  const { InstanceInformationList: [host] = [] } = await ssm.send(
    new DescribeInstanceInformationCommand({ Filters: [{ Key: 'InstanceIds', Values: [id] }] }),
  );
  return host?.PingStatus === 'Online' || undefined;
};

/** Processes of guests, by the directory in their command line. */
const qemus = (): number[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return line.startsWith('qemu-system') && line.includes(directory) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });

async function runInstance(volumes: number, tags: Record<string, string>): Promise<string> {
  const { Instances } = await ec2.send(
    new RunInstancesCommand({
      ...{ ImageId: 'ami-12345678', InstanceType: 'm6i.large', MinCount: 1, MaxCount: 1 },
      BlockDeviceMappings: Array.from({ length: volumes }, (_, index) => ({
        DeviceName: `/dev/sd${'fghijk'[index]}`,
        Ebs: { VolumeType: 'io2', VolumeSize: 4, Iops: 600, DeleteOnTermination: true },
      })),
      TagSpecifications: [
        { ResourceType: 'instance', Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) },
      ],
    }),
  );
  return Instances?.[0]?.InstanceId ?? '';
}

/** Without its root volume. */
async function volumesOf(instanceId: string): Promise<string[]> {
  const { Volumes = [] } = await ec2.send(
    new DescribeVolumesCommand({
      Filters: [
        { Name: 'attachment.instance-id', Values: [instanceId] },
        { Name: 'volume-type', Values: ['io2'] },
      ],
    }),
  );
  return Volumes.map(({ VolumeId = '' }) => VolumeId).toSorted();
}

async function ran(InstanceId: string, DocumentName: string, parameters: Record<string, string> = {}) {
  const given = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, [value]]));
  const { Command } = await ssm.send(
    new SendCommandCommand({ DocumentName, InstanceIds: [InstanceId], Parameters: given }),
  );
  const CommandId = Command?.CommandId ?? '';
  return until(DocumentName, async () => {
    const notified = await ssm.send(new GetCommandInvocationCommand({ CommandId, InstanceId }));
    return ['Pending', 'InProgress'].includes(notified.Status ?? '') ? undefined : notified;
  });
}

/** What a test left is ended, so that the next one begins with a server that has no guest. */
async function endAll(): Promise<void> {
  if (!existsSync(directory)) await startServer();
  const InstanceIds = (await hosts()).map(({ instanceId }) => instanceId);
  if (InstanceIds.length > 0) await ec2.send(new TerminateInstancesCommand({ InstanceIds }));
  await until('no host', async () => (await hosts()).length === 0 || undefined);
}

const load = {
  ...{ directory: '/srv/data', access: 'randread', blockKiB: '16', users: '4', ioDepth: '16' },
  ...{ seconds: '4', fileSizeMiB: '256', keepFile: 'yes' },
};
const listed = async (id: string): Promise<string[]> =>
  (await ran(id, 'listing')).StandardOutputContent?.trim().split('\n') ?? [];
const serials = (...volumeIds: string[]) => volumeIds.map((id) => id.replace('-', '')).toSorted();

describe('an instance of a campaign with two io2 volumes of 600 IOPS', () => {
  let id: string;
  let other: string;
  let members: string[];
  beforeAll(async () => {
    [id, other] = await Promise.all([
      runInstance(2, { [campaignTag]: 'c-1' }),
      runInstance(1, { Name: 'of somebody else' }),
    ]);
    members = await volumesOf(id);
    await until('managed', () => managed(id));
  });
  afterAll(endAll);
  /** It stands already where an earlier test built it. */
  const buildStripe = () =>
    ran(id, 'build-stripe', {
      ...{ name: 'data', layout: 'stripe', members: members.join(','), chunkKiB: '128' },
      fileSystems: 'data=/srv/data:100',
    });

  test('is managed once its guest answers, and has its volumes by their serials', async () => {
    await untilDisks(id, Object.fromEntries(members.map((volumeId) => [volumeId, 600])));
    expect(await listed(id)).toEqual(serials(...members));
    expect((await hosts()).map(({ instanceId }) => instanceId)).not.toContain(other);
  });

  test('documents run: a stripe is built, does what its members do, and the result is in S3', async () => {
    const built = await buildStripe();
    expect([built.Status, built.StandardErrorContent]).toEqual(['Success', '']);
    const measure = async (runId: string) => {
      const s3Uri = `s3://${bucket}/c-1/cell-1`;
      const said = await ran(id, 'measure-load', { ...load, runId, s3Uri });
      expect([said.Status, said.StandardErrorContent]).toEqual(['Success', '']);
      const { Body } = await ministack.s3.send(
        new GetObjectCommand({ Bucket: bucket, Key: `c-1/cell-1/${runId}.json` }),
      );
      const result = runFioSchema.parse(JSON.parse((await Body?.transformToString()) ?? ''));
      return result.steps[0]?.fio.jobs?.[0]?.read?.iops ?? 0;
    };
    const pid = (await hostOf(id))?.pid ?? 0;
    const vm = { watchProcessorWait: () => watchProcessorWait(pid) };
    const names = ['first', 'once-more'].values();
    const iops = await measuredUndisturbed(
      { vm },
      'measure-load',
      () => measure(names.next().value ?? ''),
      (rate) => isWithinTenth(rate, 1_200),
    );
    // 2 x 600 = 1,200, within a tenth.
    expect(iops).toBeGreaterThan(1_080);
    expect(iops).toBeLessThan(1_320);
  });

  test('a bucket that is not there fails the command, as it does on AWS', async () => {
    await buildStripe();
    const s3Uri = 's3://no-such-bucket/c-1';
    const failed = await ran(id, 'measure-load', { ...load, seconds: '1', runId: 'second', s3Uri });
    expect(failed.Status).toBe('Failed');
    expect(failed.StandardErrorContent).toMatch(
      /aws s3 cp to s3:\/\/no-such-bucket\/c-1\/second\.json ended with status 1: .*\(NoSuchBucket\) when calling the PutObject operation/,
    );
  });

  test('volumes that are attached, changed and detached are so in the guest', async () => {
    const { VolumeId = '' } = await ec2.send(
      new CreateVolumeCommand({ AvailabilityZone: `${region}a`, VolumeType: 'io2', Size: 4, Iops: 300 }),
    );
    const before = Object.fromEntries(members.map((volumeId) => [volumeId, 600]));
    await ec2.send(new AttachVolumeCommand({ InstanceId: id, VolumeId, Device: '/dev/sdp' }));
    await untilDisks(id, { ...before, [VolumeId]: 300 });
    expect(await listed(id)).toEqual(serials(...members, VolumeId));
    await ec2.send(new ModifyVolumeCommand({ VolumeId, Iops: 900 }));
    await untilDisks(id, { ...before, [VolumeId]: 900 });
    await ec2.send(new DetachVolumeCommand({ InstanceId: id, VolumeId }));
    await untilDisks(id, before);
    expect(await listed(id)).toEqual(serials(...members));
    // Its data stay for whoever attaches it next, until it is deleted.
    const file = join(directory, 'volumes', `${VolumeId}.raw`);
    expect(existsSync(file)).toBe(true);
    await ec2.send(new DeleteVolumeCommand({ VolumeId }));
    await until('its file is gone', async () => !existsSync(file) || undefined);
  });

  test('terminated, it leaves no process and no file', async () => {
    expect(qemus()).toEqual([(await hostOf(id))?.pid]);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await until('no host', async () => (await hosts()).length === 0 || undefined, 10);
    await until(
      'no volume',
      async () => readdirSync(join(directory, 'volumes')).length === 0 || undefined,
      5,
    );
    expect(await managed(id)).toBeUndefined();
    expect(qemus()).toEqual([]);
    expect(readdirSync(directory)).toEqual(['volumes']);
  });
});

describe('an instance of its own', () => {
  beforeEach(endAll);
  afterAll(endAll);

  test('terminated while it starts, it leaves nothing either', async () => {
    const id = await runInstance(1, { [campaignTag]: 'c-2' });
    await until('a process', async () => (await hostOf(id))?.pid ?? undefined);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await until('no host', async () => (await hosts()).length === 0 || undefined, 15);
    await until(
      'no volume',
      async () => readdirSync(join(directory, 'volumes')).length === 0 || undefined,
      5,
    );
    expect(qemus()).toEqual([]);
    expect(readdirSync(directory)).toEqual(['volumes']);
  });

  test('a guest that does not start is said, and its instance is not managed', async () => {
    const id = await runInstance(1, { [campaignTag]: 'c-3' });
    process.kill(await until('a process', async () => (await hostOf(id))?.pid ?? undefined), 'SIGKILL');
    const failed = await until('failed', async () => {
      const host = await hostOf(id);
      return host?.state === 'failed' ? host : undefined;
    });
    expect(failed).toMatchObject({
      pid: null,
      problem: expect.stringMatching(/^not managed: the lab's guest did not start/),
    });
    expect(await managed(id)).toBeUndefined();
    expect(readdirSync(directory)).toEqual(['volumes']);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await until('no host', async () => (await hosts()).length === 0 || undefined, 5);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('%s to the server: nothing is left', async (signal) => {
    const id = await runInstance(1, { [campaignTag]: 'c-4' });
    await until('a process', async () => (await hostOf(id))?.pid ?? undefined);
    process.kill(server.pid, signal);
    await until('no process', async () => qemus().length === 0 || undefined, 5);
    await until('no directory', async () => !existsSync(directory) || undefined, 5);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await server.stop();
  });
});
