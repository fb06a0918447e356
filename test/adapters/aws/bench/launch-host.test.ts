/** One host: where it finds room, and what becomes of what EC2 answers. */
import {
  type BlockDeviceMapping,
  EC2Client,
  RunInstancesCommand,
  type TagSpecification,
} from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { type HostRequest, launchHost, NoCapacity } from '../../../../adapters/aws/bench/launch-host.ts';
import { tagsOf } from '../../../../core/benchmark/campaign/cells.ts';
import { AccessDenied, Throttled, Unreadable } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: 'us-east-1' });

beforeEach(() => {
  ec2.reset();
});

const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 4_000, deployment: 'region' } as const;
const request: HostRequest = {
  ...{ region: 'us-east-1', clientToken: 'campaign-1-stripe', launchTemplateId: 'lt-1' },
  ...{ instanceType: 'm5.large', subnetIds: ['subnet-a', 'subnet-b'] },
  volumes: [
    { deviceName: '/dev/sdf', configuration: gp3, cardIndex: null },
    { deviceName: '/dev/sdg', configuration: gp3, cardIndex: 1 },
  ],
  tags: tagsOf('campaign-1', 'stripe-m5-large', '2026-11-22T12:00:00Z'),
  ...{ minutesToLive: 90, kmsKeyArn: null },
};
const launched = { Instances: [{ InstanceId: 'i-1' }] };
const full = (code = 'InsufficientInstanceCapacity') =>
  awsError(code, `We currently do not have room.\nA second line (${code}).`, 500);

test('the first subnet that has room is taken; the image is that of the template', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [launched]);
  expect(await launchHost(client, request)).toEqual({ instanceId: 'i-1', subnetId: 'subnet-a' });
  expect(asked).toMatchObject([
    {
      ...{ InstanceType: 'm5.large', SubnetId: 'subnet-a', MinCount: 1, MaxCount: 1 },
      LaunchTemplate: { LaunchTemplateId: 'lt-1' },
    },
  ]);
  expect(asked[0]).not.toHaveProperty('ImageId');
});

test('its volumes are encrypted, go with it, and are on the card that was chosen', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [launched]);
  await launchHost(client, request);
  const volume = {
    VolumeType: 'gp3',
    VolumeSize: 100,
    Iops: 4_000,
    DeleteOnTermination: true,
    Encrypted: true,
  };
  expect(asked[0]?.BlockDeviceMappings).toEqual([
    { DeviceName: '/dev/sdf', Ebs: volume },
    { DeviceName: '/dev/sdg', Ebs: { ...volume, EbsCardIndex: 1 } },
  ]);
});

test('they are encrypted with the key of the configuration, where it names one', async () => {
  const kmsKeyArn = 'arn:aws:kms:us-east-1:111122223333:key/k-1';
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [launched]);
  await launchHost(client, { ...request, kmsKeyArn });
  expect(asked[0]?.BlockDeviceMappings?.map(({ Ebs }: BlockDeviceMapping) => Ebs?.KmsKeyId)).toEqual([
    kmsKeyArn,
    kmsKeyArn,
  ]);
});

test('it ends itself when its time is over, whatever became of us', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [launched]);
  await launchHost(client, request);
  const script = Buffer.from(asked[0]?.UserData ?? '', 'base64').toString();
  expect(script).toBe('#!/bin/sh\nshutdown -P +90\ndnf -q -y install nvme-cli\n');
});

test('all that it makes carries the tags by which it is found', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [launched]);
  await launchHost(client, request);
  const specifications: TagSpecification[] = asked[0]?.TagSpecifications ?? [];
  expect(specifications.map(({ ResourceType }) => ResourceType)).toEqual([
    'instance',
    'volume',
    'network-interface',
  ]);
  for (const { Tags } of specifications)
    expect(Tags).toEqual([
      { Key: 'stripewise:campaign', Value: 'campaign-1' },
      { Key: 'stripewise:cell', Value: 'stripe-m5-large' },
      { Key: 'stripewise:expires', Value: '2026-11-22T12:00:00Z' },
      { Key: 'Name', Value: 'stripewise campaign-1 stripe-m5-large' },
    ]);
});

test.each([
  'InsufficientInstanceCapacity',
  'InsufficientVolumeCapacity',
  'InsufficientFreeAddressesInSubnet',
  'Unsupported',
])('%s: the next subnet is tried, with a token of its own', async (code) => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [full(code), launched]);
  expect(await launchHost(client, request)).toEqual({ instanceId: 'i-1', subnetId: 'subnet-b' });
  expect(asked.map(({ SubnetId }) => SubnetId)).toEqual(['subnet-a', 'subnet-b']);
  const tokens = asked.map(({ ClientToken = '' }) => ClientToken);
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/); // EC2 takes 64 characters
});

test('asked again, it asks with the same tokens', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [full(), launched, full(), launched]);
  expect(await launchHost(client, request)).toEqual(await launchHost(client, request));
  const tokens = asked.map(({ ClientToken }) => ClientToken);
  expect(tokens.slice(2)).toEqual(tokens.slice(0, 2));
});

test('a stack with a campaign of the same name asks with other tokens: EC2 would answer with our instance', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [launched, launched]);
  await launchHost(client, request);
  await launchHost(client, { ...request, launchTemplateId: 'lt-2' });
  expect(asked[0]?.ClientToken).not.toBe(asked[1]?.ClientToken);
});

test('no room anywhere: every subnet with its reason, in one line', async () => {
  answerInTurn(ec2.on(RunInstancesCommand), [full(), full('Unsupported')]);
  const launch = launchHost(client, request);
  await expect(launch).rejects.toThrow(NoCapacity);
  await expect(launch).rejects.toThrow(
    /^no room for m5\.large: subnet-a: InsufficientInstanceCapacity: We currently do not have room\.; subnet-b: Unsupported: We currently do not have room\.$/,
  );
});

test.each([
  ['UnauthorizedOperation', 403, AccessDenied],
  ['RequestLimitExceeded', 503, Throttled],
  ['VcpuLimitExceeded', 400, Unreadable],
  ['InvalidParameterValue', 400, Unreadable],
])('%s is no matter of the subnet: it is thrown', async (code, status, kind) => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [awsError(code, 'You may not.', status)]);
  const launch = launchHost(client, request);
  await expect(launch).rejects.toThrow(kind);
  await expect(launch).rejects.toThrow(`ec2:RunInstances in us-east-1 failed: ${code}: You may not.`);
  await expect(launch).rejects.not.toThrow(NoCapacity);
  expect(asked).toHaveLength(1);
});

test('more than one instance is an error: IAM knows no condition on their number', async () => {
  answerInTurn(ec2.on(RunInstancesCommand), [{ Instances: [{ InstanceId: 'i-1' }, { InstanceId: 'i-2' }] }]);
  await expect(launchHost(client, request)).rejects.toThrow(
    'ec2:RunInstances in us-east-1 launched 2 instances, not one',
  );
});

test('a reply without an instance is an error, not another try', async () => {
  const asked = answerInTurn(ec2.on(RunInstancesCommand), [{ Instances: [] }]);
  await expect(launchHost(client, request)).rejects.toThrow(
    'ec2:RunInstances in us-east-1 named no instance',
  );
  expect(asked).toHaveLength(1);
});
