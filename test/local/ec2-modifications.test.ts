/** The local EC2 modifies volumes over time, by a clock that is set, and tells of it as our client reads it. */
import {
  CreateVolumeCommand,
  DescribeVolumesModificationsCommand,
  type EC2Client,
  ModifyVolumeCommand,
} from '@aws-sdk/client-ec2';
import { describeVolumeModifications } from '../../adapters/aws/describe-volume-modifications.ts';
import { latestModification, modifyVolume, volumeNow } from '../../adapters/aws/modify-volume.ts';
import type { VolumeSettings } from '../../core/schemas/volume-change.ts';
import { secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { account, type LocalEc2, startEc2 } from './ec2.ts';

const { path: directory } = temporaryDirectory();
const region = 'us-east-1';
const volumeId = 'vol-0aaaaaaaaaaaaaaaa';
const begin = Date.parse('2026-11-28T12:00:00.250Z') / 1_000;
const gp3 = (iops: number, throughputMiBps = 125): VolumeSettings => ({
  ...{ volumeType: 'gp3', sizeGiB: 100, iops, throughputMiBps },
});

let server: LocalEc2;
let client: EC2Client;

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(`${server.url}/_stripewise/${path}`, { method, ...text });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}
const clockAfter = (seconds: number): Promise<unknown> =>
  ask('PUT', 'clock', { now: new Date((begin + seconds) * 1_000).toISOString() });
const begun = async (): Promise<number> => (await ask<object[]>('GET', 'modifications')).length;
const modify = (settings: VolumeSettings) => modifyVolume(client, volumeId, settings);
const stateNow = async () => (await latestModification(client, volumeId))?.state;
const settingsNow = async () => (await volumeNow(client, volumeId))?.settings;

beforeAll(async () => {
  server = await startEc2(directory);
  client = server.client(region);
}, 300_000);
afterAll(() => server?.stop());
beforeEach(async () => {
  await ask('DELETE', 'faults');
  await ask('PUT', `inventory?region=${region}`, {
    Reservations: [],
    Volumes: [
      {
        ...{ VolumeId: volumeId, VolumeType: 'gp2', Size: 100, Iops: 300, State: 'in-use' },
        ...{ AvailabilityZone: 'us-east-1a', Attachments: [], Tags: [{ Key: 'team', Value: 'orders' }] },
      },
    ],
  });
  await ask('PUT', 'modifications', { modifyingSeconds: 30, optimizingSeconds: secondsPerHour });
  await clockAfter(0);
});

test('a modification is modifying for 30 s, optimizing for an hour, then completed', async () => {
  expect(await latestModification(client, volumeId)).toBeNull();
  expect((await describeVolumeModifications(client, region)).size).toBe(0);
  expect(await modify(gp3(4_000, 250))).toEqual({ code: 'begun' });
  expect(await latestModification(client, volumeId)).toEqual({
    ...{ startSeconds: Math.floor(begin), endSeconds: null, state: 'modifying', target: gp3(4_000, 250) },
  });
  await clockAfter(29);
  expect(await settingsNow()).toEqual({ volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null });
  await clockAfter(30);
  expect([await stateNow(), await settingsNow()]).toEqual(['optimizing', gp3(4_000, 250)]);
  const going = { state: 'optimizing', startEpochSeconds: begin, endEpochSeconds: null };
  expect([...(await describeVolumeModifications(client, region))]).toEqual([[volumeId, [going]]]);
  await clockAfter(30 + secondsPerHour);
  const completed = { state: 'completed', endEpochSeconds: begin + 30 + secondsPerHour };
  expect((await describeVolumeModifications(client, region)).get(volumeId)).toMatchObject([completed]);
  expect(await latestModification(client, volumeId)).toMatchObject({
    ...{ state: 'completed', endSeconds: Math.floor(begin + 30 + secondsPerHour) },
  });
  // Its tags are as they were.
  expect((await volumeNow(client, volumeId))?.tags).toEqual({ team: 'orders' });
});

test('times have milliseconds', async () => {
  await modify(gp3(4_000));
  const { VolumesModifications = [] } = await client.send(new DescribeVolumesModificationsCommand({}));
  expect(VolumesModifications.map(({ StartTime }) => StartTime?.toISOString())).toEqual([
    '2026-11-28T12:00:00.250Z',
  ]);
});

test('the next one begins once the last one is completed, and the fifth of a day later', async () => {
  expect(await modify(gp3(4_000))).toEqual({ code: 'begun' });
  await clockAfter(60);
  expect(await modify(gp3(5_000))).toEqual({ code: 'throttled' });
  // Each is completed after an hour and 30 s: begun at 0, 2, 4 and 6 h.
  for (const hours of [2, 4, 6]) {
    await clockAfter(hours * secondsPerHour);
    expect(await modify(gp3(4_000 + hours))).toEqual({ code: 'begun' });
  }
  await clockAfter(8 * secondsPerHour);
  expect(await modify(gp3(9_000))).toEqual({ code: 'throttled' });
  await clockAfter(secondsPerDay);
  expect(await modify(gp3(9_000))).toEqual({ code: 'begun' });
  // The latest is told alone.
  expect((await latestModification(client, volumeId))?.target).toEqual(gp3(9_000));
  expect(await begun()).toBe(5);
});

test('one that fails leaves the volume as it was', async () => {
  await ask('PUT', `modifications?volume=${volumeId}`, { modifyingSeconds: 30, fails: true });
  await modify(gp3(4_000));
  await clockAfter(30);
  expect([await stateNow(), (await settingsNow())?.volumeType]).toEqual(['failed', 'gp2']);
  await ask('PUT', `modifications?volume=${volumeId}`, { modifyingSeconds: 30 });
  expect(await modify(gp3(4_000))).toEqual({ code: 'begun' });
});

const lost = { operation: 'ModifyVolume', code: 'InternalError', times: 1, after: true };

test.each([
  ['says an error of the service', { ...lost, status: 500 }],
  ['never comes: the connection ends', { ...lost, status: 0 }],
])('it begins, and the answer %s', async (_, fault) => {
  await ask('POST', 'faults', fault);
  expect(await modify(gp3(4_000))).toEqual({ code: 'unknown' });
  expect([await begun(), await stateNow()]).toEqual([1, 'modifying']);
});

test('the rate of EC2 is no refusal of the change', async () => {
  await ask('POST', 'faults', { ...lost, code: 'RequestLimitExceeded', status: 503, after: false });
  expect(await modify(gp3(4_000))).toEqual({ code: 'throttled' });
  expect(await begun()).toBe(0);
});

const input = (settings: object) =>
  client.send(new ModifyVolumeCommand({ VolumeId: volumeId, ...settings })).then(
    () => 'begun',
    (error: Error) => error.name,
  );

test.each([
  ['a size that shrinks', { Size: 99 }, 'InvalidParameterValue'],
  ['more IOPS than gp3 has', { VolumeType: 'gp3', Iops: 80_001 }, 'InvalidParameterValue'],
  ['less than gp3 has', { VolumeType: 'gp3', Iops: 2_999 }, 'InvalidParameterValue'],
  // 100 GiB x 500.
  ['more IOPS than its size has', { VolumeType: 'gp3', Iops: 50_001 }, 'InvalidParameterCombination'],
  // 3,000 x 0.25 MiB/s.
  [
    'more throughput than its IOPS have',
    { VolumeType: 'gp3', Throughput: 751 },
    'InvalidParameterCombination',
  ],
  ['IOPS of gp2', { Iops: 4_000 }, 'InvalidParameterCombination'],
  ['io2 without IOPS', { VolumeType: 'io2' }, 'MissingParameter'],
  ['a type that EC2 has not', { VolumeType: 'gp9' }, 'InvalidParameterValue'],
  ['a volume that is not there', { VolumeId: 'vol-0bbbbbbbbbbbbbbbb' }, 'InvalidVolume.NotFound'],
])('%s is refused', async (_, settings, code) => {
  expect(await input(settings)).toBe(code);
  expect(await begun()).toBe(0);
});

test('a volume that is being made is refused', async () => {
  const creating = { VolumeId: volumeId, VolumeType: 'gp3', Size: 100, State: 'creating' };
  await ask('PUT', `inventory?region=${region}`, { Reservations: [], Volumes: [creating] });
  expect(await modify(gp3(4_000))).toEqual({ code: 'refused', error: 'IncorrectState' });
});

test("moto's own volumes are modified over time too", async () => {
  const made = { AvailabilityZone: 'us-east-1a', Size: 100, VolumeType: 'gp3' as const };
  const { VolumeId = '' } = await client.send(
    new CreateVolumeCommand({ ...made, Iops: 3_000, Throughput: 125 }),
  );
  expect(await modifyVolume(client, VolumeId, gp3(6_000, 500))).toEqual({ code: 'begun' });
  await clockAfter(60);
  expect((await volumeNow(client, VolumeId))?.settings).toEqual(gp3(6_000, 500));
  expect((await latestModification(client, VolumeId))?.state).toBe('optimizing');
  expect(await ask('GET', `counts?account=${account}`)).toMatchObject({ calls: { CreateVolume: 1 } });
});
