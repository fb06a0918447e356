/** A simulated volume lives on: what is measured of it follows its load and the limits that EC2 tells of it by then. */
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import type { EC2Client } from '@aws-sdk/client-ec2';
import { modifyVolume } from '../../adapters/aws/modify-volume.ts';
import type { VolumeSettings } from '../../core/schemas/volume-change.ts';
import { secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { type Lived, liveOn } from '../../local/changes/live-on.ts';
import { type LocalCloudWatch, startCloudWatch } from '../../local/cloudwatch/server.ts';
import { sendJson } from '../../local/load-fleet.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { closedLoop } from '../simulator/loads.ts';
import { type LocalEc2, startEc2 } from './ec2.ts';

const { path: directory } = temporaryDirectory();
const region = 'us-east-1';
const volumeId = 'vol-0aaaaaaaaaaaaaaaa';
const InstanceId = 'i-0aaaaaaaaaaaaaaaa';
const begin = Date.parse('2026-11-28T00:00:00Z') / 1_000;

/** 50 workers from 9 to 10 of each day, 10 in the other hours: 10 ms an I/O and its pause are 5,000 and 1,000 IOPS. */
const load = closedLoop({
  ...{ ioKiB: 8, thinkMs: 9.2, noise: 0 },
  workers: (minute) => (Math.floor(minute / 60) % 24 === 9 ? 50 : 10),
});

let ec2: LocalEc2;
let cloudWatch: LocalCloudWatch;
let client: EC2Client;
const balances = new Map<string, number>();

const clock = (seconds: number): Promise<unknown> =>
  sendJson('PUT', `${ec2.url}/_stripewise/clock`, { now: new Date(seconds * 1_000).toISOString() });
async function live(from: number, to: number): Promise<Lived> {
  const lived = await liveOn({
    ...{ cloudWatch: cloudWatch.url, ec2: client, region, from, to, balances },
    loads: { [volumeId]: load },
  });
  return lived.get(volumeId) as Lived;
}

beforeAll(async () => {
  [ec2, cloudWatch] = await Promise.all([startEc2(directory), startCloudWatch({ quotas: 'none' })]);
  client = ec2.client(region);
  await sendJson('PUT', `${ec2.url}/_stripewise/inventory?region=${region}`, {
    Volumes: [
      {
        ...{
          VolumeId: volumeId,
          VolumeType: 'gp3',
          Size: 100,
          Iops: 3_000,
          Throughput: 125,
          State: 'in-use',
        },
        ...{ AvailabilityZone: 'us-east-1a', Attachments: [{ InstanceId, State: 'attached' }], Tags: [] },
      },
    ],
    Reservations: [
      {
        ReservationId: 'r-0aaaaaaaaaaaaaaaa',
        Instances: [
          {
            ...{ InstanceId, InstanceType: 'm5.4xlarge', State: { Name: 'running' } },
            Placement: { AvailabilityZone: 'us-east-1a' },
          },
        ],
      },
    ],
  });
}, 300_000);
afterAll(async () => {
  await Promise.all([ec2?.stop(), cloudWatch?.stop()]);
});

test('an hour at the limit each day, until the limit is raised', async () => {
  // 5,000 IOPS are asked for in 60 minutes of the day, and 3,000 are there.
  expect((await live(begin, begin + secondsPerDay)).throttledMinutes).toBe(60);
  await clock(begin + secondsPerDay);
  await sendJson('PUT', `${ec2.url}/_stripewise/modifications`, { modifyingSeconds: 60 });
  const raised: VolumeSettings = { volumeType: 'gp3', sizeGiB: 100, iops: 6_000, throughputMiBps: 125 };
  await modifyVolume(client, volumeId, raised);
  // It is what was asked from optimizing on: the first hour is lived under the limits of before.
  expect((await live(begin + secondsPerDay, begin + secondsPerDay + secondsPerHour)).throttledMinutes).toBe(
    0,
  );
  await clock(begin + secondsPerDay + secondsPerHour);
  const after = await live(begin + secondsPerDay + secondsPerHour, begin + 2 * secondsPerDay);
  expect(after.throttledMinutes).toBe(0);
});

test('CloudWatch has each minute of both days once', async () => {
  const reader = new CloudWatchClient({
    ...{ endpoint: cloudWatch.url, region },
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  });
  await sendJson('PUT', `${cloudWatch.url}/_stripewise/clock`, {
    now: new Date((begin + 2 * secondsPerDay) * 1_000).toISOString(),
  });
  const of = (Id: string, MetricName: string, more: object[] = []) => ({
    Id,
    MetricStat: {
      Metric: {
        ...{ Namespace: 'AWS/EBS', MetricName },
        Dimensions: [{ Name: 'VolumeId', Value: volumeId }, ...(more as { Name: string; Value: string }[])],
      },
      ...{ Period: 60, Stat: 'Sum' },
    },
  });
  const { MetricDataResults = [] } = await reader.send(
    new GetMetricDataCommand({
      StartTime: new Date(begin * 1_000),
      EndTime: new Date((begin + 2 * secondsPerDay) * 1_000),
      MetricDataQueries: [
        of('ops', 'VolumeReadOps'),
        of('check', 'VolumeIOPSExceededCheck', [{ Name: 'InstanceId', Value: InstanceId }]),
      ],
    }),
  );
  reader.destroy();
  expect(MetricDataResults.map(({ Timestamps }) => Timestamps?.length)).toEqual([2 * 1_440, 2 * 1_440]);
  // That hour of the first day.
  expect(MetricDataResults[1]?.Values?.reduce((sum, one) => sum + one, 0)).toBe(60);
});
