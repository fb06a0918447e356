/**
 * The AWS CLI lines are read by a real shell-word splitter and bash, held against the service model of botocore, and run
 * against the local EC2: afterwards the volumes there have the figures of the layout.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import {
  CreateVolumeCommand,
  DescribeVolumesCommand,
  EC2Client,
  RunInstancesCommand,
  type Volume,
} from '@aws-sdk/client-ec2';
import { type Layout, layoutKinds, provisioned } from '../../../../core/plan/layout.ts';

import type { Current } from '../../../../core/plan/step-commands.ts';
import { sendJson } from '../../../../local/load-fleet.ts';
import {
  freePort,
  plainEnvironment,
  type RunningProcess,
  startProcess,
} from '../../../../local/processes.ts';
import { ensurePython } from '../../../../local/python.ts';
import { writtenSteps } from '../../../../report/steps/written-steps.ts';
import { temporaryDirectory } from '../../../fixtures/temporary-directory.ts';
import { examples, gp2, gp3 } from './layouts.ts';

const root = join(__dirname, '../../../..');
const account = '111122223333';
const region = 'us-east-1';
const zone = 'us-east-1a';
const directory = temporaryDirectory();

let server: RunningProcess;
let endpoint: string;
let client: EC2Client;
let instanceId: string;
let cli: ChildProcess;
let answers: AsyncIterator<string>;

beforeAll(async () => {
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  server = await startProcess({
    command: python,
    args: [join(root, 'local/ec2/serve.py'), '--port', `${port}`, '--account', account],
    env: plainEnvironment(),
    readyUrl: `${endpoint}/_stripewise/ready`,
    logFile: join(directory.path, 'ec2.log'),
  });
  // What is modified is so at once: the steps wait for nothing here.
  await sendJson('PUT', `${endpoint}/_stripewise/modifications`, {
    modifyingSeconds: 0,
    optimizingSeconds: 0,
  });
  cli = spawn(python, [join(root, 'test/fixtures/run_aws_cli.py'), endpoint], {
    env: plainEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  answers = createInterface({ input: cli.stdout as Readable })[Symbol.asyncIterator]();
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  client = new EC2Client({ endpoint, region, credentials });
  const started = await client.send(
    new RunInstancesCommand({
      ImageId: 'ami-12c6146b',
      InstanceType: 'm5.large',
      MinCount: 1,
      MaxCount: 1,
      Placement: { AvailabilityZone: zone },
    }),
  );
  instanceId = String(started.Instances?.[0]?.InstanceId);
}, 300_000);
afterAll(async () => {
  client?.destroy();
  cli?.stdin?.end();
  await server?.stop();
});

/** What stands for each placeholder, with what was printed. */
type Values = Record<string, string>;

/** As a person would: what is asked for in angle brackets is put in. */
async function run(lines: readonly string[]): Promise<Values> {
  const values = {
    '<instance-id>': instanceId,
    '<availability-zone>': zone,
    '<outpost-arn>': 'arn:aws:outposts:us-east-1:111122223333:outpost/op-0123456789abcdef0',
    '<mount-point>': '/data',
    '<new-mount-point>': '/mnt/new',
    '<mdadm-conf>': '/etc/mdadm.conf',
    '<md-device>': '/dev/md0',
    '<logical-volume>': '/dev/vg/data',
  };
  cli.stdin?.write(`${JSON.stringify({ lines, values })}\n`);
  const answer = JSON.parse((await answers.next()).value) as { values: Values } | { refused: string };
  if ('refused' in answer) throw new Error(answer.refused);
  return answer.values;
}

async function volumesOf(ids: readonly string[]): Promise<Volume[]> {
  const { Volumes = [] } = await client.send(new DescribeVolumesCommand({ VolumeIds: [...ids] }));
  return Volumes;
}

/** What of a volume can be set; the local EC2 leaves IOPS of before on a type that has none. */
const figuresOf = ({ VolumeType, Size, Iops, Throughput }: Volume, like: Layout): object => {
  const { iops, throughputMiBps } = provisioned(like, 'region');
  return {
    volumeType: VolumeType,
    sizeGiB: Size,
    ...(iops === undefined ? {} : { iops: Iops }),
    ...(throughputMiBps === undefined ? {} : { throughputMiBps: Throughput }),
  };
};

const newIds = (values: Values): string[] =>
  Object.entries(values).flatMap(([name, id]) => (name.startsWith('<new-volume-id-') ? [id] : []));

async function currentVolumes(layout: Layout): Promise<Current> {
  const { volumeType, sizeGiB, iops, throughputMiBps } = provisioned(layout, 'region');
  const made = Array.from({ length: layout.members }, () =>
    client.send(
      new CreateVolumeCommand({
        AvailabilityZone: zone,
        VolumeType: volumeType,
        Size: sizeGiB,
        Iops: iops,
        Throughput: throughputMiBps,
      }),
    ),
  );
  return { layout, volumeIds: (await Promise.all(made)).map(({ VolumeId }) => String(VolumeId)) };
}

test.each(examples)('$what: the commands make it and attach it', async ({ layout, deployment, each }) => {
  const values = await run(writtenSteps(layout, null, { region, deployment }).awsCli);
  const volumes = await volumesOf(newIds(values));
  expect(volumes.map((volume) => figuresOf(volume, layout))).toEqual(
    Array.from({ length: layout.members }, () => each),
  );
  expect(volumes.map(({ Attachments }) => Attachments?.[0]?.InstanceId)).toEqual(
    volumes.map(() => instanceId),
  );
  expect(volumes.map(({ Tags }) => Tags?.[0])).toEqual(
    volumes.map((_, i) => ({ Key: 'Name', Value: `data-${i + 1}` })),
  );
});

const inPlace: { what: string; from: Layout; to: Layout; builtWith?: 'lvm' | 'mdadm' }[] = [
  { what: 'a gp2 to gp3', from: gp2(), to: gp3() },
  {
    what: 'a gp3 to more of everything',
    from: gp3(),
    to: gp3({ sizeGiB: 600, iops: 6_000, throughputMiBps: 500 }),
  },
  { what: 'a gp3 to the fastest io2', from: gp3(), to: gp3({ volumeType: 'io2', iops: 256_000 }) },
  { what: 'an io1 to gp2', from: gp3({ volumeType: 'io1' }), to: gp2() },
  {
    what: 'a stripe of 3 gp2 to gp3',
    from: gp2({ kind: 'stripe', members: 3 }),
    to: gp3({ kind: 'stripe', members: 3 }),
  },
  {
    what: 'a stripe of 2 gp3, larger, in LVM',
    from: gp3({ kind: 'stripe', members: 2 }),
    to: gp3({ kind: 'stripe', members: 2, sizeGiB: 700 }),
    builtWith: 'lvm',
  },
];

test.each(inPlace)('$what: the same volumes have the new figures', async ({ from, to, builtWith }) => {
  const current = await currentVolumes(from);
  const { awsCli, inPlace } = writtenSteps(to, { ...current, builtWith }, { region, deployment: 'region' });
  expect(inPlace).toBe(true);
  expect(newIds(await run(awsCli))).toEqual([]);
  const { deployment: _, ...each } = provisioned(to, 'region');
  const volumes = await volumesOf(current.volumeIds);
  expect(volumes.map((volume) => figuresOf(volume, to))).toEqual(current.volumeIds.map(() => each));
});

test.each(layoutKinds.filter((kind) => kind !== 'single'))(
  'one gp2 to a %s of 4: new volumes are made, and the old one is left as it is',
  async (kind) => {
    const current = await currentVolumes(gp2());
    const { awsCli } = writtenSteps(gp3({ kind, members: 4 }), current, { region, deployment: 'region' });
    const values = await run(awsCli);
    expect(newIds(values)).toHaveLength(4);
    expect(values['<snapshot-id-1>']).toMatch(/^snap-/);
    const [old] = await volumesOf(current.volumeIds);
    expect(old).toMatchObject({ VolumeType: 'gp2', Size: 500 });
  },
);

test('a magnetic becomes a gp3 through a snapshot', async () => {
  const current = await currentVolumes(gp3({ volumeType: 'standard', iops: 100, throughputMiBps: 40 }));
  const { awsCli } = writtenSteps(gp3({ sizeGiB: 600 }), current, { region, deployment: 'region' });
  const values = await run(awsCli);
  const [volume] = await volumesOf(newIds(values));
  expect(volume).toMatchObject({ VolumeType: 'gp3', Size: 600, SnapshotId: values['<snapshot-id-1>'] });
});

test.each([
  { lines: ['aws ec2 create-volume --region us-east-1 --sizes 5'], why: 'the CLI would refuse it' },
  { lines: ['aws ec2 create-volume --region us-east-1 --size five'], why: 'the CLI would refuse it' },
  { lines: ['aws ec2 create-volumes --region us-east-1'], why: 'the CLI would refuse it' },
  {
    lines: ['aws ec2 create-volume --region us-east-1 --size <size>'],
    why: 'a placeholder that nobody can fill',
  },
  { lines: ["echo 'open"], why: 'bash would refuse it' },
])('$lines does not pass here', async ({ lines, why }) => {
  await expect(run(lines)).rejects.toThrow(why);
});
