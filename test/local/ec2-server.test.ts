/** The local EC2 tells what it was given, in pages and with faults, through the real SDK. */
import {
  CreateVolumeCommand,
  DescribeInstancesCommand,
  type DescribeInstancesCommandOutput,
  DescribeInstanceTypesCommand,
  DescribeVolumesCommand,
  type DescribeVolumesCommandOutput,
  type EC2Client,
  paginateDescribeInstances,
  paginateDescribeVolumes,
} from '@aws-sdk/client-ec2';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { simulateFleet } from '../simulator/fleet.ts';
import { type LocalEc2, startEc2 } from './ec2.ts';

const { path: directory } = temporaryDirectory();
const fleet = simulateFleet({ hours: 2 });

interface Volumes {
  Volumes: { VolumeId: string; VolumeType: string; State: string; Attachments: object[] }[];
}
interface Reservations {
  Reservations: { ReservationId: string; Instances: { InstanceId: string }[] }[];
}
type Described = Volumes & Reservations;
const described = Object.fromEntries(
  fleet.regions.map(({ region, describeVolumes, describeInstances }) => [
    region,
    { ...describeVolumes, ...describeInstances } as Described,
  ]),
);
const volumesOf = (region: string): Volumes['Volumes'] => described[region]?.Volumes ?? [];
const reservationsOf = (region: string): Reservations['Reservations'] =>
  described[region]?.Reservations ?? [];

let server: LocalEc2;
let url: string;

async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const reply = await fetch(`${url}/_stripewise/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${reply.status} ${JSON.stringify(answer)}`);
  return answer;
}

const putInventory = (region: string, Volumes: object[], Reservations: object[]): Promise<unknown> =>
  ask('PUT', `inventory?region=${region}`, { Volumes, Reservations });

const putFleet = (region: string): Promise<unknown> =>
  putInventory(region, volumesOf(region), reservationsOf(region));

const ec2 = (region: string): EC2Client => server.client(region);

beforeAll(async () => {
  server = await startEc2(directory);
  url = server.url;
}, 300_000);
afterAll(() => server?.stop());
afterEach(() => ask('DELETE', 'faults'));

/** As the CLI prints it: the SDK has read the times, the CLI writes them with zeros and an offset. */
function printed(value: unknown): unknown {
  if (value instanceof Date) return isoFromEpochSeconds(Math.floor(value.getTime() / 1_000));
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
    return isoFromEpochSeconds(Math.floor(Date.parse(value) / 1_000));
  }
  if (Array.isArray(value)) return value.map(printed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, printed(one)]));
}

const volumeIds = (page: DescribeVolumesCommandOutput): (string | undefined)[] =>
  (page.Volumes ?? []).map(({ VolumeId }) => VolumeId);

describe.each(['us-east-1', 'eu-central-1'])('the simulated fleet of %s', (region) => {
  beforeAll(() => putFleet(region));

  test('comes back whole: every field of every volume and instance', async () => {
    const { Volumes, NextToken } = await ec2(region).send(new DescribeVolumesCommand({}));
    expect(NextToken).toBeUndefined();
    expect(printed(Volumes)).toEqual(printed(volumesOf(region)));
    const { Reservations } = await ec2(region).send(new DescribeInstancesCommand({}));
    expect(printed(Reservations)).toEqual(printed(reservationsOf(region)));
  });

  test('comes back page by page, in the same order and none twice', async () => {
    const volumePages: DescribeVolumesCommandOutput[] = [];
    for await (const page of paginateDescribeVolumes({ client: ec2(region), pageSize: 7 }, {})) {
      volumePages.push(page);
    }
    expect(volumePages).toHaveLength(Math.ceil(volumesOf(region).length / 7));
    expect(printed(volumePages.flatMap(({ Volumes }) => Volumes))).toEqual(printed(volumesOf(region)));

    const instancePages: DescribeInstancesCommandOutput[] = [];
    for await (const page of paginateDescribeInstances({ client: ec2(region), pageSize: 5 }, {})) {
      instancePages.push(page);
    }
    expect(instancePages).toHaveLength(Math.ceil(reservationsOf(region).length / 5));
    const reservations = instancePages.flatMap(({ Reservations }) => Reservations);
    expect(printed(reservations)).toEqual(printed(reservationsOf(region)));
  });
});

describe('what moto cannot hold', () => {
  const odd = {
    VolumeId: 'vol-0aaaaaaaaaaaaaaaa',
    VolumeType: 'gp9',
    Size: 10,
    State: 'creating',
    AvailabilityZone: 'us-west-2a',
    Iops: 3_000,
    Throughput: 125,
    MultiAttachEnabled: true,
    OutpostArn: 'arn:aws:outposts:us-west-2:111122223333:outpost/op-1',
    Attachments: [
      { InstanceId: 'i-0aaaaaaaaaaaaaaaa', State: 'attached', Device: '/dev/sdf' },
      { InstanceId: 'i-0bbbbbbbbbbbbbbbb', State: 'busy', Device: '/dev/sdf' },
      { AssociatedResource: 'arn:aws:ecs:us-west-2:111122223333:task/x/y', State: 'attached' },
    ],
    Tags: [{ Key: 'Name', Value: '<&"\u{1F4A9}' }],
  };

  test('is reported as it was put in', async () => {
    await putInventory('us-west-2', [odd], []);
    const { Volumes } = await ec2('us-west-2').send(new DescribeVolumesCommand({}));
    expect(Volumes).toEqual([odd]);
  });

  test('is found by its id and by filters', async () => {
    await putInventory('us-west-2', [odd, { ...odd, VolumeId: 'vol-0bbbbbbbbbbbbbbbb', Tags: [] }], []);
    const client = ec2('us-west-2');
    const byId = new DescribeVolumesCommand({ VolumeIds: ['vol-0bbbbbbbbbbbbbbbb'] });
    expect(volumeIds(await client.send(byId))).toEqual(['vol-0bbbbbbbbbbbbbbbb']);
    const byTag = new DescribeVolumesCommand({ Filters: [{ Name: 'tag-key', Values: ['N*'] }] });
    expect(volumeIds(await client.send(byTag))).toEqual(['vol-0aaaaaaaaaaaaaaaa']);
    const unknown = new DescribeVolumesCommand({ VolumeIds: ['vol-0cccccccccccccccc'] });
    await expect(client.send(unknown)).rejects.toMatchObject({ name: 'InvalidVolume.NotFound' });
  });

  test('goes when another inventory comes, with what clients made meanwhile', async () => {
    const client = ec2('us-west-2');
    const made = await client.send(
      new CreateVolumeCommand({ AvailabilityZone: 'us-west-2a', Size: 8, VolumeType: 'gp3' }),
    );
    expect(volumeIds(await client.send(new DescribeVolumesCommand({})))).toContain(made.VolumeId);
    await putInventory('us-west-2', [], []);
    expect((await client.send(new DescribeVolumesCommand({}))).Volumes ?? []).toEqual([]);
    expect((await client.send(new DescribeInstancesCommand({}))).Reservations ?? []).toEqual([]);
  });
});

describe('what EC2 would refuse', () => {
  test.each([
    { MaxResults: 4, name: 'InvalidParameterValue' }, // 5 is the least
    { MaxResults: 501, name: 'InvalidParameterValue' }, // 500 is the most
    { NextToken: 'not one of ours', name: 'InvalidNextToken' },
    { MaxResults: 5, VolumeIds: ['vol-0aaaaaaaaaaaaaaaa'], name: 'InvalidParameterCombination' },
  ])('is refused: %o', async ({ name, ...input }) => {
    await expect(ec2('us-east-1').send(new DescribeVolumesCommand(input))).rejects.toMatchObject({ name });
  });

  test('is refused for instances above 1,000', async () => {
    const client = ec2('us-east-1');
    await expect(client.send(new DescribeInstancesCommand({ MaxResults: 1_000 }))).resolves.toBeDefined();
    await expect(client.send(new DescribeInstancesCommand({ MaxResults: 1_001 }))).rejects.toMatchObject({
      name: 'InvalidParameterValue',
    });
  });
});

describe('beside the API', () => {
  test('calls are counted by operation until they are reset', async () => {
    await ask('POST', 'counts/reset');
    const client = ec2('us-east-1');
    await client.send(new DescribeVolumesCommand({}));
    await client.send(new DescribeVolumesCommand({ MaxResults: 5 }));
    await client.send(new DescribeInstancesCommand({}));
    expect(await ask('GET', 'counts')).toEqual({ calls: { DescribeVolumes: 2, DescribeInstances: 1 } });
    await ask('POST', 'counts/reset');
    expect(await ask('GET', 'counts')).toEqual({ calls: {} });
  });

  test('a fault is EC2 failing so many times, in that Region alone', async () => {
    const order = { operation: 'DescribeVolumes', region: 'us-east-1', code: 'RequestLimitExceeded' };
    await ask('POST', 'faults', { ...order, status: 503, times: 2 });
    const call = (region: string) => ec2(region).send(new DescribeVolumesCommand({}));
    const limited = { name: 'RequestLimitExceeded', $metadata: { httpStatusCode: 503 } };
    await expect(call('us-east-1')).rejects.toMatchObject(limited);
    await expect(call('eu-central-1')).resolves.toBeDefined();
    await expect(call('us-east-1')).rejects.toMatchObject(limited);
    await expect(call('us-east-1')).resolves.toBeDefined();
  });

  test('a fault of -1 times stays until faults are cleared', async () => {
    await ask('POST', 'faults', {
      operation: 'DescribeInstances',
      code: 'UnauthorizedOperation',
      status: 403,
      times: -1,
    });
    const call = () => ec2('eu-central-1').send(new DescribeInstancesCommand({}));
    for (let n = 0; n < 3; n += 1) {
      await expect(call()).rejects.toMatchObject({ name: 'UnauthorizedOperation' });
    }
    await ask('DELETE', 'faults');
    await expect(call()).resolves.toBeDefined();
  });

  test('what cannot be understood is refused in one line', async () => {
    await expect(ask('PUT', 'inventory?region=us-east-1', { Volumes: [] })).rejects.toThrow(/Reservations/);
    await expect(ask('PUT', 'inventory', { Volumes: [], Reservations: [] })).rejects.toThrow(/which Region/);
    await expect(ask('POST', 'faults', { operation: 'DescribeVolumes' })).rejects.toThrow(/code/);
    await expect(ask('GET', 'nothing')).rejects.toThrow(/there is no GET/);
  });

  test("everything else is moto's: instance types and their EBS limits", async () => {
    const { InstanceTypes } = await ec2('us-east-1').send(
      new DescribeInstanceTypesCommand({ InstanceTypes: ['m5.large'] }),
    );
    expect(InstanceTypes?.[0]?.EbsInfo?.EbsOptimizedInfo?.BaselineIops).toBe(3_600);
  });
});
