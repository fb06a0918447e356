/** A host by its tags: where it is at, its volumes by their devices, and whether it can be reached. */
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { DescribeInstanceInformationCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { findHosts, pingStatusOf } from '../../../../adapters/aws/bench/find-host.ts';
import { AccessDenied, Unavailable } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const ec2 = mockClient(EC2Client);
const ssm = mockClient(SSMClient);
const ofEc2 = new EC2Client({ region: 'us-east-1' });
const ofSsm = new SSMClient({ region: 'us-east-1' });
const profile = 'arn:aws:iam::111122223333:instance-profile/hosts';
const origin = { launchTemplateIds: { x86_64: 'lt-1', arm64: 'lt-2' }, instanceProfileArn: profile };
const own = {
  IamInstanceProfile: { Arn: profile },
  Tags: [{ Key: 'aws:ec2launchtemplate:id', Value: 'lt-1' }],
};
const cell = { campaignId: 'c1', cellId: 'stripe-m5-large' };

beforeEach(() => {
  ec2.reset();
  ssm.reset();
});

const described = {
  ImageId: 'ami-1',
  ...{ InstanceId: 'i-1', State: { Name: 'running' }, LaunchTime: new Date('2026-11-22T12:00:00Z') },
  IamInstanceProfile: own.IamInstanceProfile,
  Tags: [...own.Tags, { Key: 'stripewise:expires', Value: '2026-11-22T14:00:00Z' }],
  BlockDeviceMappings: [
    { DeviceName: '/dev/xvda', Ebs: { VolumeId: 'vol-root' } },
    { DeviceName: '/dev/sdf', Ebs: { VolumeId: 'vol-1' } },
    // On its way.
    { DeviceName: '/dev/sdg', Ebs: {} },
  ],
};

test('EC2 is asked by the tags of the cell, whatever became of its hosts', async () => {
  const asked = answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations: [] }]);
  expect(await findHosts(ofEc2, 'us-east-1', origin, cell)).toEqual([]);
  expect(asked[0]?.Filters).toEqual([
    { Name: 'tag:aws:ec2launchtemplate:id', Values: ['lt-1', 'lt-2'] },
    { Name: 'tag:stripewise:campaign', Values: ['c1'] },
    { Name: 'tag:stripewise:cell', Values: ['stripe-m5-large'] },
  ]);
});

test('it is reported with its volumes by the names of their devices', async () => {
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances: [described as never] }, {}] });
  const [host, ...others] = await findHosts(ofEc2, 'us-east-1', origin, cell);
  expect(others).toEqual([]);
  expect(host).toMatchObject({
    ...{ instanceId: 'i-1', state: 'running', launchedAt: '2026-11-22T12:00:00.000Z' },
    ...{ expiresAt: '2026-11-22T14:00:00Z', imageId: 'ami-1' },
  });
  expect([...(host?.volumes ?? [])]).toEqual([
    ['/dev/xvda', 'vol-root'],
    ['/dev/sdf', 'vol-1'],
  ]);
});

test('of what has ended EC2 says why: its message, else its code', async () => {
  const ended = (StateReason: object | undefined) => ({
    ...{ ...described, State: { Name: 'terminated' }, StateReason },
  });
  const Message = 'Client.InternalError: Client error on launch';
  const Instances = [
    ended({ Code: 'Client.InternalError', Message }),
    ended({ Code: 'X' }),
    ended({}),
    ended(undefined),
  ];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances: Instances as never }] });
  const found = await findHosts(ofEc2, 'us-east-1', origin, cell);
  expect(found.map(({ stateReason }) => stateReason)).toEqual([Message, 'X', null, null]);
});

test.each([
  [
    'another stack with a campaign of that name',
    { ...own, Tags: [{ Key: 'aws:ec2launchtemplate:id', Value: 'lt-9' }] },
  ],
  ['somebody who wrote our tags on it', { ...own, Tags: [] }],
  ['another role', { ...own, IamInstanceProfile: { Arn: `${profile}-of-others` } }],
  ['no role', { ...own, IamInstanceProfile: undefined }],
])('an instance of %s is no host of ours', async (_, instance) => {
  const Instances = [{ ...described, ...instance } as never];
  ec2.on(DescribeInstancesCommand).resolves({ Reservations: [{ Instances }] });
  expect(await findHosts(ofEc2, 'us-east-1', origin, cell)).toEqual([]);
});

test('a tag that somebody removed is null', async () => {
  ec2
    .on(DescribeInstancesCommand)
    .resolves({ Reservations: [{ Instances: [{ ...own, InstanceId: 'i-1' }] }] });
  expect(await findHosts(ofEc2, 'us-east-1', origin, cell)).toMatchObject([
    { instanceId: 'i-1', expiresAt: null },
  ]);
});

test('a reply without a list is not an empty one, and a refusal names the call', async () => {
  answerInTurn(ec2.on(DescribeInstancesCommand), [{}, awsError('UnauthorizedOperation', 'No.', 403)]);
  await expect(findHosts(ofEc2, 'us-east-1', origin, cell)).rejects.toThrow(Unavailable);
  const refused = findHosts(ofEc2, 'us-east-1', origin, cell);
  await expect(refused).rejects.toThrow(AccessDenied);
  await expect(refused).rejects.toThrow('ec2:DescribeInstances in us-east-1 failed: UnauthorizedOperation');
});

test('Systems Manager says whether it is reached, or does not know it', async () => {
  const asked = answerInTurn(ssm.on(DescribeInstanceInformationCommand), [
    { InstanceInformationList: [{ InstanceId: 'i-1', PingStatus: 'Online' }] },
    { InstanceInformationList: [] },
  ]);
  expect(await pingStatusOf(ofSsm, 'us-east-1', 'i-1')).toBe('Online');
  expect(await pingStatusOf(ofSsm, 'us-east-1', 'i-1')).toBeNull();
  expect(asked[0]?.Filters).toEqual([{ Key: 'InstanceIds', Values: ['i-1'] }]);
});

test('a reply of it without a list is no answer', async () => {
  ssm.on(DescribeInstanceInformationCommand).resolves({});
  await expect(pingStatusOf(ofSsm, 'us-east-1', 'i-1')).rejects.toThrow(Unavailable);
});
