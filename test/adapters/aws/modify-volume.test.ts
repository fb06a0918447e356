/** What EC2 says of a volume, its modification, and a call of ModifyVolume. */
import {
  DescribeVolumesCommand,
  DescribeVolumesModificationsCommand,
  EC2Client,
  ModifyVolumeCommand,
} from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { latestModification, modifyVolume, volumeNow } from '../../../adapters/aws/modify-volume.ts';

const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: 'us-east-1', maxAttempts: 1 });
const id = 'vol-0123456789abcdef0';
const refusal = (name: string, httpStatusCode: number): Error =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
beforeEach(() => ec2.reset());

test('a volume: what is provisioned where its type has that, its tags, and who manages it', async () => {
  ec2.on(DescribeVolumesCommand).resolves({
    Volumes: [
      {
        ...{ VolumeId: id, VolumeType: 'gp2', Size: 100, Iops: 300 },
        Tags: [{ Key: 'team', Value: 'db' }],
        Attachments: [{ InstanceId: 'i-1' }],
        Operator: { Managed: true, Principal: 'eks.amazonaws.com' },
      },
    ],
  });
  expect(await volumeNow(client, id)).toEqual({
    settings: { volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null },
    tags: { team: 'db' },
    operator: { managed: true, principal: 'eks.amazonaws.com' },
    instanceIds: ['i-1'],
  });
});

test('a volume that is gone is null; what cannot be read is no such volume', async () => {
  ec2.on(DescribeVolumesCommand).rejects(refusal('InvalidVolume.NotFound', 400));
  expect(await volumeNow(client, id)).toBeNull();
  ec2.on(DescribeVolumesCommand).rejects(refusal('UnauthorizedOperation', 403));
  await expect(volumeNow(client, id)).rejects.toThrow('UnauthorizedOperation');
});

test('its latest modification, in seconds of the clock of EC2', async () => {
  ec2.on(DescribeVolumesModificationsCommand).resolves({
    VolumesModifications: [
      {
        ...{ VolumeId: id, ModificationState: 'optimizing', StartTime: new Date('2026-11-20T12:00:00.900Z') },
        ...{ TargetVolumeType: 'gp3', TargetSize: 100, TargetIops: 3_000, TargetThroughput: 125 },
      },
    ],
  });
  expect(await latestModification(client, id)).toEqual({
    startSeconds: Date.parse('2026-11-20T12:00:00Z') / 1_000,
    endSeconds: null,
    state: 'optimizing',
    target: { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 },
  });
});

test.each([
  [
    'no modification',
    () => ec2.on(DescribeVolumesModificationsCommand).resolves({ VolumesModifications: [] }),
  ],
  [
    'one without a start',
    () => ec2.on(DescribeVolumesModificationsCommand).resolves({ VolumesModifications: [{ VolumeId: id }] }),
  ],
  [
    'an error that says so',
    () =>
      ec2.on(DescribeVolumesModificationsCommand).rejects(refusal('InvalidVolumeModification.NotFound', 400)),
  ],
])('a volume that was never modified: %s', async (_, answers) => {
  answers();
  expect(await latestModification(client, id)).toBeNull();
});

describe('ModifyVolume', () => {
  const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 4_000, throughputMiBps: 250 } as const;

  test('is one call with every attribute that the type has', async () => {
    ec2.on(ModifyVolumeCommand).resolves({});
    expect(await modifyVolume(client, id, gp3)).toEqual({ code: 'begun' });
    await modifyVolume(client, id, { volumeType: 'st1', sizeGiB: 500, iops: null, throughputMiBps: null });
    expect(ec2.commandCalls(ModifyVolumeCommand).map(({ args: [{ input }] }) => input)).toEqual([
      { VolumeId: id, VolumeType: 'gp3', Size: 100, Iops: 4_000, Throughput: 250 },
      { VolumeId: id, VolumeType: 'st1', Size: 500 },
    ]);
  });

  test.each([
    ['InvalidParameterCombination', 400, { code: 'refused', error: 'InvalidParameterCombination' }],
    ['IncorrectModificationState', 400, { code: 'throttled' }],
    ['VolumeModificationRateExceeded', 400, { code: 'throttled' }],
    ['UnauthorizedOperation', 403, { code: 'refused', error: 'UnauthorizedOperation' }],
    ['RequestLimitExceeded', 503, { code: 'throttled' }],
    ['InternalError', 500, { code: 'unknown' }],
    ['TimeoutError', 0, { code: 'unknown' }],
  ])('%s (%i)', async (name, status, answer) => {
    ec2.on(ModifyVolumeCommand).rejects(refusal(name, status));
    expect(await modifyVolume(client, id, gp3)).toEqual(answer);
    expect(ec2.commandCalls(ModifyVolumeCommand)).toHaveLength(1);
  });
});
