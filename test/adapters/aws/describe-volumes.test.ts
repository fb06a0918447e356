/** Volumes of a Region as EC2 describes them, by replies of the SDK. */
import { DescribeVolumesCommand, EC2Client, type Volume } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { describeVolumes } from '../../../adapters/aws/describe-volumes.ts';
import { AccessDenied, Unavailable, Unreadable } from '../../../core/errors.ts';
import { aVolume, on } from '../../fixtures/inventory.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const place = { region: 'eu-central-1', account: '111122223333' };
const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: place.region });

/** As DescribeVolumes answers for a volume in use. */
const reply = (volume: Volume = {}): Volume => ({
  Attachments: [{ InstanceId: 'i-1', VolumeId: 'vol-1', State: 'attached', Device: '/dev/sdf' }],
  AvailabilityZone: 'eu-central-1a',
  CreateTime: new Date('2025-01-01T00:00:00Z'),
  Encrypted: false,
  Size: 100,
  SnapshotId: '',
  State: 'in-use',
  VolumeId: 'vol-1',
  Iops: 3_000,
  Tags: [],
  VolumeType: 'gp3',
  MultiAttachEnabled: false,
  Throughput: 125,
  ...volume,
});

beforeEach(() => {
  ec2.reset();
});

const read = (volume: Volume) => {
  ec2.on(DescribeVolumesCommand).resolves({ Volumes: [reply(volume)] });
  return describeVolumes(client, place).then(([first]) => first);
};

test('a volume comes out in the words of the engine, with its place', async () => {
  expect(await read({})).toEqual(aVolume({ region: 'eu-central-1' }));
});

test('every page is followed, and a volume that comes on two pages is one, as it came last', async () => {
  const asked = answerInTurn(ec2.on(DescribeVolumesCommand), [
    { Volumes: [reply({ VolumeId: 'vol-1' }), reply({ VolumeId: 'vol-2' })], NextToken: 'two' },
    {
      Volumes: [reply({ VolumeId: 'vol-2', Size: 200 }), reply({ VolumeId: 'vol-3' })],
      NextToken: 'three',
    },
    { Volumes: [reply({ VolumeId: 'vol-4' })] },
  ]);
  const volumes = await describeVolumes(client, place);
  expect(volumes.map(({ volumeId, sizeGiB }) => [volumeId, sizeGiB])).toEqual([
    ['vol-1', 100],
    ['vol-2', 200],
    ['vol-3', 100],
    ['vol-4', 100],
  ]);
  expect(asked).toEqual([
    { MaxResults: 500 },
    { MaxResults: 500, NextToken: 'two' },
    { MaxResults: 500, NextToken: 'three' },
  ]);
});

test('some alone are asked for by a filter, 200 at once: 450 ids are three calls, and none who is gone is an error', async () => {
  const asked = answerInTurn(ec2.on(DescribeVolumesCommand), [
    { Volumes: [reply({ VolumeId: 'vol-7' })] },
    { Volumes: [] },
    { Volumes: [reply({ VolumeId: 'vol-449' })] },
  ]);
  const ids = Array.from({ length: 450 }, (_, i) => `vol-${i}`);
  const volumes = await describeVolumes(client, place, ids);
  expect(volumes.map(({ volumeId }) => volumeId)).toEqual(['vol-7', 'vol-449']);
  expect(asked.map(({ Filters }) => [Filters?.[0]?.Name, Filters?.[0]?.Values?.length])).toEqual([
    ['volume-id', 200],
    ['volume-id', 200],
    ['volume-id', 50],
  ]);
  expect(asked.flatMap(({ Filters }) => Filters?.[0]?.Values)).toEqual(ids);
});

test('pages without end are a failure: half an inventory is none', async () => {
  ec2.on(DescribeVolumesCommand).resolves({ Volumes: [reply()], NextToken: 'again' });
  await expect(describeVolumes(client, place)).rejects.toThrow(
    'ec2:DescribeVolumes in eu-central-1 failed: Error: the same NextToken came 5 times in 5 pages: its list has no end',
  );
});

test('a reply without any list is no empty account: a proxy may have answered', async () => {
  ec2.on(DescribeVolumesCommand).resolves({});
  const read = describeVolumes(client, place);
  await expect(read).rejects.toThrow(Unavailable);
  await expect(read).rejects.toThrow('a reply came without volumes: it is no list of them');
});

test('an account without volumes has none', async () => {
  ec2.on(DescribeVolumesCommand).resolves({ Volumes: [] });
  expect(await describeVolumes(client, place)).toEqual([]);
});

test('an Outpost ARN makes it a volume on Outposts; an empty one, as EC2 also answers, does not', async () => {
  expect(await read({ OutpostArn: 'arn:aws:outposts:eu-central-1:1:outpost/op-1' })).toMatchObject({
    deployment: 'outposts',
  });
  expect(await read({ OutpostArn: '' })).toMatchObject({ deployment: 'region' });
});

test('a Multi-Attach volume keeps all of its instances', async () => {
  const Attachments = [{ InstanceId: 'i-1' }, { InstanceId: 'i-2' }, { InstanceId: 'i-3' }];
  expect(await read({ MultiAttachEnabled: true, Attachments })).toMatchObject({
    multiAttach: true,
    attachments: on('i-1', 'i-2', 'i-3'),
  });
});

test('the EBS card of an attachment comes along: 0 is a card, and none told is unknown', async () => {
  const Attachments = [
    { InstanceId: 'i-1', EbsCardIndex: 0 },
    { InstanceId: 'i-2', EbsCardIndex: 1 },
    { InstanceId: 'i-3' },
  ];
  expect(await read({ Attachments })).toMatchObject({
    attachments: [
      { instanceId: 'i-1', ebsCardIndex: 0 },
      { instanceId: 'i-2', ebsCardIndex: 1 },
      { instanceId: 'i-3', ebsCardIndex: null },
    ],
  });
});

test('an attachment without an instance id (a managed service has it) is in use and attached to none', async () => {
  expect(await read({ Attachments: [{ State: 'attached' }] })).toMatchObject({
    state: 'in-use',
    attachments: [],
  });
});

test('the Name tag is its name, whatever stands in it and however many others there are', async () => {
  const Tags = [
    { Key: 'team', Value: 'data' },
    { Key: 'Name', Value: '<!channel>\u202e' },
  ];
  expect(await read({ Tags })).toMatchObject({ name: '<!channel>\u202e' });
  expect(await read({ Tags: [{ Key: 'name', Value: 'not this one' }] })).toMatchObject({ name: null });
});

test('what EC2 does not say is null and never 0: IOPS and throughput of a magnetic volume', async () => {
  ec2.on(DescribeVolumesCommand).callsFake(() => {
    const { Iops: _, Throughput: __, Tags: ___, ...rest } = reply({ VolumeType: 'standard' });
    return { Volumes: [rest] };
  });
  const [volume] = await describeVolumes(client, place);
  expect(volume).toMatchObject({ iops: null, throughputMiBps: null, name: null });
});

test.each([
  [awsError('UnauthorizedOperation', 'You are not authorized.', 403), AccessDenied],
  [awsError('InternalError', 'An internal error has occurred', 500), Unavailable],
  [awsError('InvalidParameterValue', 'Strange', 400), Unreadable],
])('%s is one line with the call and the Region', async (error, kind) => {
  ec2.on(DescribeVolumesCommand).rejects(error);
  const failed = await describeVolumes(client, place).catch((thrown: unknown) => thrown);
  expect(failed).toBeInstanceOf(kind);
  expect((failed as Error).message).toBe(
    `ec2:DescribeVolumes in eu-central-1 failed: ${error.name}: ${error.message}`,
  );
});

test('a second page that fails is a failure of all: half an inventory is none', async () => {
  ec2
    .on(DescribeVolumesCommand)
    .resolvesOnce({ Volumes: [reply()], NextToken: 'two' })
    .rejectsOnce(awsError('InternalError', 'no', 500));
  await expect(describeVolumes(client, place)).rejects.toThrow(Unavailable);
});

test('a volume without a size is Unreadable, by the name of what is missing', async () => {
  ec2.on(DescribeVolumesCommand).callsFake(() => {
    const { Size: _, ...rest } = reply();
    return { Volumes: [rest] };
  });
  await expect(describeVolumes(client, place)).rejects.toThrow(
    'ec2:DescribeVolumes in eu-central-1 failed: ZodError: Size: Invalid input: expected number, received undefined',
  );
});
