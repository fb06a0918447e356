/** The latest modification of each volume of a Region, by replies of the SDK. */
import { DescribeVolumesModificationsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { describeVolumeModifications } from '../../../adapters/aws/describe-volume-modifications.ts';
import { AccessDenied, Unavailable, Unreadable } from '../../../core/errors.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const region = 'eu-central-1';
const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region });
const read = () => describeVolumeModifications(client, region);

const start = new Date('2026-11-20T10:00:00.000Z');
const startEpochSeconds = start.getTime() / 1_000;
const twentyMinutesLater = new Date('2026-11-20T10:20:00.000Z');
const completed = (VolumeId: string) => ({
  ...{ VolumeId, ModificationState: 'completed' as const, StartTime: start, EndTime: twentyMinutesLater },
  ...{ TargetSize: 100, TargetVolumeType: 'gp3' as const, TargetIops: 4_000, Progress: 100 },
});

beforeEach(() => {
  ec2.reset();
});

test('of each volume when its latest one began and ended', async () => {
  ec2.on(DescribeVolumesModificationsCommand).resolves({ VolumesModifications: [completed('vol-1')] });
  expect([...(await read())]).toEqual([
    ['vol-1', [{ state: 'completed', startEpochSeconds, endEpochSeconds: startEpochSeconds + 1_200 }]],
  ]);
});

test('one that goes on has no end, and of a volume that was never modified nothing is known', async () => {
  const { EndTime, ...going } = completed('vol-1');
  ec2.on(DescribeVolumesModificationsCommand).resolves({
    VolumesModifications: [{ ...going, ModificationState: 'optimizing' }, { VolumeId: 'vol-2' }],
  });
  expect([...(await read())]).toEqual([
    ['vol-1', [{ state: 'optimizing', startEpochSeconds, endEpochSeconds: null }]],
  ]);
});

test('every page is followed, and one that comes on two pages is one, as it came last', async () => {
  const { EndTime, ...going } = completed('vol-2');
  const asked = answerInTurn(ec2.on(DescribeVolumesModificationsCommand), [
    {
      VolumesModifications: [completed('vol-1'), { ...going, ModificationState: 'optimizing' }],
      NextToken: 'two',
    },
    { VolumesModifications: [completed('vol-2')], NextToken: 'three' },
    { VolumesModifications: [completed('vol-3')] },
  ]);
  const found = await read();
  expect([...found.keys()]).toEqual(['vol-1', 'vol-2', 'vol-3']);
  expect(found.get('vol-2')).toMatchObject([{ state: 'completed' }]);
  expect(asked.map(({ NextToken, MaxResults }) => [NextToken, MaxResults])).toEqual([
    [undefined, 500],
    ['two', 500],
    ['three', 500],
  ]);
});

test.each([
  ['a missing permission', awsError('UnauthorizedOperation', 'not you', 403), AccessDenied],
  ['a fault of EC2', awsError('InternalError', 'try later', 500), Unavailable],
])('%s is one of our errors, and says what was asked', async (_, error, kind) => {
  ec2.on(DescribeVolumesModificationsCommand).rejects(error);
  await expect(read()).rejects.toThrow(kind);
  await expect(read()).rejects.toThrow(/ec2:DescribeVolumesModifications in eu-central-1/);
});

test('a state that nobody knows is not taken for one, and a reply without a list is none', async () => {
  ec2.on(DescribeVolumesModificationsCommand).resolves({
    VolumesModifications: [{ ...completed('vol-1'), ModificationState: 'other' as 'completed' }],
  });
  await expect(read()).rejects.toThrow(Unreadable);
  ec2.on(DescribeVolumesModificationsCommand).resolves({});
  await expect(read()).rejects.toThrow(Unavailable);
});
