/** Instances of a Region as EC2 describes them, by replies of the SDK. */
import { DescribeInstancesCommand, EC2Client, type Instance } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { describeInstances } from '../../../adapters/aws/describe-instances.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { anInstance } from '../../fixtures/inventory.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const place = { region: 'us-east-1', account: '111122223333' };
const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: place.region });

const reply = (instance: Instance = {}): Instance => ({
  InstanceId: 'i-1',
  InstanceType: 'm6i.large',
  State: { Code: 16, Name: 'running' },
  Placement: { AvailabilityZone: 'us-east-1a' },
  ...instance,
});

beforeEach(() => {
  ec2.reset();
});

test('an instance comes out in the words of the engine, with its name and place', async () => {
  const Instances = [reply({ Tags: [{ Key: 'Name', Value: 'web' }] })];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ OwnerId: '999', Instances }] });
  expect(await describeInstances(client, place)).toEqual({
    instances: [anInstance({ name: 'web', availabilityZone: 'us-east-1a' })],
    attachedVolumeIds: [],
  });
});

test('its bandwidth weighting comes along; where EC2 tells none it is unknown', async () => {
  const Instances = [
    reply({ NetworkPerformanceOptions: { BandwidthWeighting: 'ebs-1' } }),
    reply({ InstanceId: 'i-2', NetworkPerformanceOptions: {} }),
  ];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances }] });
  const { instances } = await describeInstances(client, place);
  expect(instances.map(({ bandwidthWeighting }) => bandwidthWeighting)).toEqual(['ebs-1', null]);
});

test('every reservation of every page is read; an instance that comes again is one, as it came last', async () => {
  const stopped = { State: { Code: 80, Name: 'stopped' } } as const;
  const asked = answerInTurn(ec2.on(DescribeInstancesCommand), [
    {
      Reservations: [
        { Instances: [reply(), reply({ InstanceId: 'i-2' })] },
        { Instances: [reply({ InstanceId: 'i-3' })] },
      ],
      NextToken: 'two',
    },
    { Reservations: [{ Instances: [reply({ InstanceId: 'i-2', ...stopped })] }, {}] },
  ]);
  const { instances } = await describeInstances(client, place);
  expect(instances.map(({ instanceId, state }) => [instanceId, state])).toEqual([
    ['i-1', 'running'],
    ['i-2', 'stopped'],
    ['i-3', 'running'],
  ]);
  expect(asked).toEqual([{ MaxResults: 1_000 }, { MaxResults: 1_000, NextToken: 'two' }]);
});

test('the volumes that EC2 names as theirs come along, each once', async () => {
  const mapped = (VolumeId: string) => ({ DeviceName: '/dev/xvda', Ebs: { VolumeId } });
  const Instances = [
    reply({ BlockDeviceMappings: [mapped('vol-1'), mapped('vol-2')] }),
    reply({ InstanceId: 'i-2', BlockDeviceMappings: [mapped('vol-2'), { DeviceName: '/dev/sdb' }] }),
  ];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances }] });
  expect((await describeInstances(client, place)).attachedVolumeIds).toEqual(['vol-1', 'vol-2']);
});

test('the volume that it starts from is the one at its root device', async () => {
  const mapped = (DeviceName: string, VolumeId: string) => ({ DeviceName, Ebs: { VolumeId } });
  const BlockDeviceMappings = [mapped('/dev/sdf', 'vol-data'), mapped('/dev/xvda', 'vol-root')];
  const Instances = [
    reply({ RootDeviceName: '/dev/xvda', BlockDeviceMappings }),
    reply({ InstanceId: 'i-2', RootDeviceName: '/dev/sda1', BlockDeviceMappings }),
    reply({ InstanceId: 'i-3', BlockDeviceMappings }),
  ];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ OwnerId: '999', Instances }] });
  const { instances } = await describeInstances(client, place);
  expect(instances.map(({ rootVolumeId }) => rootVolumeId)).toEqual(['vol-root', undefined, undefined]);
});

test('some alone are asked for by a filter, 200 at once: 450 ids are three calls, and none who is gone is an error', async () => {
  const asked = answerInTurn(ec2.on(DescribeInstancesCommand), [
    { Reservations: [] },
    { Reservations: [{ Instances: [reply()] }] },
    { Reservations: [] },
  ]);
  const ids = Array.from({ length: 450 }, (_, i) => `i-${i}`);
  expect((await describeInstances(client, place, ids)).instances).toEqual([
    anInstance({ availabilityZone: 'us-east-1a' }),
  ]);
  expect(asked.map(({ Filters }) => [Filters?.[0]?.Name, Filters?.[0]?.Values?.length])).toEqual([
    ['instance-id', 200],
    ['instance-id', 200],
    ['instance-id', 50],
  ]);
});

test('an account without instances has none', async () => {
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [] });
  expect(await describeInstances(client, place)).toEqual({ instances: [], attachedVolumeIds: [] });
});

test('a refusal names the call and the Region', async () => {
  ec2.on(DescribeInstancesCommand).rejects(awsError('UnauthorizedOperation', 'No.', 403));
  const read = describeInstances(client, place);
  await expect(read).rejects.toThrow(AccessDenied);
  await expect(read).rejects.toThrow('ec2:DescribeInstances in us-east-1 failed: UnauthorizedOperation: No.');
});

test('an instance without a state is Unreadable', async () => {
  const { State: _, ...rest } = reply();
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances: [rest] }] });
  await expect(describeInstances(client, place)).rejects.toThrow(Unreadable);
});
