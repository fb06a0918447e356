/** What is left of campaigns, and how it is taken away. */
import {
  DeleteVolumeCommand,
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  EC2Client,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import {
  deleteVolumes,
  findLeftovers,
  terminateInstances,
} from '../../../../adapters/aws/bench/leftovers.ts';
import { AccessDenied, Unavailable } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: 'us-east-1' });

beforeEach(() => {
  ec2.reset();
});

const tags = (campaignId: string, expires?: string) => [
  { Key: 'stripewise:campaign', Value: campaignId },
  ...(expires === undefined ? [] : [{ Key: 'stripewise:expires', Value: expires }]),
];
const instance = (id: string, Tags = tags('c-1', '2026-11-22T12:00:00Z')) => ({
  ...{ InstanceId: id, State: { Name: 'running' }, LaunchTime: new Date('2026-11-22T10:00:00Z'), Tags },
});
const volume = (id: string) => ({
  ...{ VolumeId: id, State: 'available', CreateTime: new Date('2026-11-22T10:00:01Z'), Tags: tags('c-1') },
});

describe('finding', () => {
  test('instances and volumes of every page, each once', async () => {
    const instances = answerInTurn(ec2.on(DescribeInstancesCommand), [
      { Reservations: [{ Instances: [instance('i-1')] }], NextToken: 'two' },
      { Reservations: [{ Instances: [instance('i-1'), instance('i-2')] }, {}] },
    ]);
    const volumes = answerInTurn(ec2.on(DescribeVolumesCommand), [
      { Volumes: [volume('vol-1')], NextToken: 'two' },
      { Volumes: [volume('vol-2')] },
    ]);
    const found = await findLeftovers(client, 'us-east-1', {});
    expect(found.map(({ id, kind }) => [id, kind])).toEqual([
      ['i-1', 'instance'],
      ['i-2', 'instance'],
      ['vol-1', 'volume'],
      ['vol-2', 'volume'],
    ]);
    expect([instances.length, volumes.length]).toEqual([2, 2]);
    expect(instances[1]).toMatchObject({ NextToken: 'two' });
  });

  test('as the sweep needs them: a tag that somebody took away is null', async () => {
    answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations: [{ Instances: [instance('i-1')] }] }]);
    answerInTurn(ec2.on(DescribeVolumesCommand), [{ Volumes: [volume('vol-1')] }]);
    expect(await findLeftovers(client, 'us-east-1', {})).toEqual([
      {
        ...{ id: 'i-1', kind: 'instance', campaignId: 'c-1', expires: '2026-11-22T12:00:00Z' },
        ...{ createdAt: '2026-11-22T10:00:00.000Z', state: 'running' },
      },
      {
        ...{ id: 'vol-1', kind: 'volume', campaignId: 'c-1', expires: null },
        ...{ createdAt: '2026-11-22T10:00:01.000Z', state: 'available' },
      },
    ]);
  });

  test.each([
    [{}, [{ Name: 'tag-key', Values: ['stripewise:campaign'] }]],
    [{ campaignId: 'c-1' }, [{ Name: 'tag:stripewise:campaign', Values: ['c-1'] }]],
    [
      { campaignId: 'c-1', cellId: 'stripe-m5-large' },
      [
        { Name: 'tag:stripewise:campaign', Values: ['c-1'] },
        { Name: 'tag:stripewise:cell', Values: ['stripe-m5-large'] },
      ],
    ],
  ])('EC2 is asked by tags alone: %j', async (which, Filters) => {
    const instances = answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations: [] }]);
    const volumes = answerInTurn(ec2.on(DescribeVolumesCommand), [{ Volumes: [] }]);
    expect(await findLeftovers(client, 'us-east-1', which)).toEqual([]);
    expect([instances[0]?.Filters, volumes[0]?.Filters]).toEqual([Filters, Filters]);
  });

  test('a reply without a list is not an empty one', async () => {
    answerInTurn(ec2.on(DescribeInstancesCommand), [{}]);
    await expect(findLeftovers(client, 'us-east-1', {})).rejects.toThrow(Unavailable);
  });

  test('what may not be read is said', async () => {
    answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations: [] }]);
    answerInTurn(ec2.on(DescribeVolumesCommand), [awsError('UnauthorizedOperation', 'No.', 403)]);
    const finding = findLeftovers(client, 'us-east-1', {});
    await expect(finding).rejects.toThrow(AccessDenied);
    await expect(finding).rejects.toThrow('ec2:DescribeVolumes in us-east-1 failed: UnauthorizedOperation');
  });
});

describe('ending instances', () => {
  const notFound = (id: string) =>
    awsError('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);

  test('a hundred in a call', async () => {
    const asked = answerInTurn(ec2.on(TerminateInstancesCommand), [{}, {}, {}]);
    const ids = Array.from({ length: 205 }, (_, index) => `i-${index}`);
    expect(await terminateInstances(client, 'us-east-1', ids)).toEqual([]);
    expect(asked.map(({ InstanceIds }) => InstanceIds?.length)).toEqual([100, 100, 5]);
    expect(asked.flatMap(({ InstanceIds }) => InstanceIds)).toEqual(ids);
  });

  test('of a call that fails for one each is ended by itself; what is gone is no failure', async () => {
    const asked = answerInTurn(ec2.on(TerminateInstancesCommand), [notFound('i-2'), {}, notFound('i-2'), {}]);
    expect(await terminateInstances(client, 'us-east-1', ['i-1', 'i-2', 'i-3'])).toEqual([]);
    expect(asked.map(({ InstanceIds }) => InstanceIds)).toEqual([
      ['i-1', 'i-2', 'i-3'],
      ['i-1'],
      ['i-2'],
      ['i-3'],
    ]);
  });

  test('one that cannot be ended is told, and the others are ended', async () => {
    const refused = awsError('OperationNotPermitted', "The instance 'i-1' may not be terminated.");
    answerInTurn(ec2.on(TerminateInstancesCommand), [refused, refused, {}]);
    expect(await terminateInstances(client, 'us-east-1', ['i-1', 'i-2'])).toEqual([
      "ec2:TerminateInstances of i-1 in us-east-1 failed: OperationNotPermitted: The instance 'i-1' may not be terminated.",
    ]);
  });

  test('of none nothing is asked', async () => {
    expect(await terminateInstances(client, 'us-east-1', [])).toEqual([]);
    expect(ec2.commandCalls(TerminateInstancesCommand)).toEqual([]);
  });
});

describe('deleting volumes', () => {
  test('one after the other; what is gone is no failure, what is in use is told', async () => {
    const asked = answerInTurn(ec2.on(DeleteVolumeCommand), [
      {},
      awsError('InvalidVolume.NotFound', "The volume 'vol-2' does not exist."),
      awsError('VolumeInUse', 'Volume vol-3 is currently attached to i-9'),
      {},
    ]);
    expect(await deleteVolumes(client, 'us-east-1', ['vol-1', 'vol-2', 'vol-3', 'vol-4'])).toEqual([
      'ec2:DeleteVolume of vol-3 in us-east-1 failed: VolumeInUse: Volume vol-3 is currently attached to i-9',
    ]);
    expect(asked.map(({ VolumeId }) => VolumeId)).toEqual(['vol-1', 'vol-2', 'vol-3', 'vol-4']);
  });
});
