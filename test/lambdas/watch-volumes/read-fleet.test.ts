/** The volumes of each Region: as they were kept, read anew, or as they were when they could be read last. */

import { noHosts } from '../../../core/benchmark/campaign/benchmark-hosts.ts';
import { AccessDenied, Throttled, Unreadable } from '../../../core/errors.ts';
import type { Volume } from '../../../core/inventory.ts';
import type { MonitoringInventory } from '../../../core/monitoring/watched.ts';
import { type FleetFrom, readFleets } from '../../../lambdas/watch-volumes/read-fleet.ts';
import { aVolume, on } from '../../fixtures/inventory.ts';

const now = 1_795_132_800;
const anHourAgo = now - 3_600;
const oldVolume = aVolume({ volumeId: 'vol-old' });
const newVolume = aVolume({ volumeId: 'vol-new' });
const oldChecks = { 'vol-old': [{ metric: 'VolumeIOPSExceededCheck' as const, instanceId: null }] };
const newChecks = { 'vol-new': [{ metric: 'VolumeIOPSExceededCheck' as const, instanceId: null }] };
const kept = (madeEpochSeconds: number): MonitoringInventory => ({
  ...{ madeEpochSeconds, volumes: [oldVolume], published: oldChecks },
  isReconciled: true,
});

class World {
  kept = new Map<string, MonitoringInventory>();
  volumes: Volume[] = [newVolume];
  asked: string[] = [];
  unread: string[] = [];
  /** What fails, by what is asked. */
  fails: Record<string, Error> = {};
  excludeTags: FleetFrom['excludeTags'] = {};
  hosts = noHosts;

  private async answer<T>(what: string, region: string, value: () => T): Promise<T> {
    this.asked.push(`${what} ${region}`);
    const error = this.fails[`${what} ${region}`] ?? this.fails[what];
    if (error !== undefined) throw error;
    return value();
  }

  read(...regions: string[]) {
    return readFleets(regions, {
      ...{ nowEpochSeconds: now, excludeTags: this.excludeTags },
      kept: (region) => this.answer('kept', region, () => this.kept.get(region) ?? null),
      hold: (region, inventory) => {
        this.kept.set(region, inventory);
      },
      describeVolumes: (region) => this.answer('describe', region, () => this.volumes),
      listPublishedChecks: (region) => this.answer('list', region, () => newChecks),
      benchmarkHosts: (region) => this.answer('hosts', region, () => this.hosts),
      onUnread: (region, reason) => this.unread.push(`${region}: ${reason}`),
    });
  }
}

const fleet = (volume: Volume, published: typeof oldChecks | typeof newChecks | null) => ({
  volumes: new Map([[volume.volumeId, volume]]),
  published,
});
let world: World;
beforeEach(() => {
  world = new World();
});

test('what was read within the hour is taken as it is: no call, and nothing new', async () => {
  world.kept.set('us-east-1', kept(anHourAgo + 1));
  expect(await world.read('us-east-1')).toEqual([
    { region: 'us-east-1', isNew: false, fleet: fleet(oldVolume, oldChecks) },
  ]);
  expect(world.asked).toEqual(['kept us-east-1']);
});

test.each([anHourAgo + 1, now - 90 * 86_400])(
  'one of which not all volumes have their watches yet is compared again, as it was kept at %s',
  async (made) => {
    world.kept.set('us-east-1', { ...kept(made), isReconciled: false });
    world.fails['describe'] = new Throttled('ec2:DescribeVolumes failed: slow');
    expect(await world.read('us-east-1')).toEqual([
      { region: 'us-east-1', isNew: true, fleet: fleet(oldVolume, oldChecks) },
    ]);
  },
);

test.each([
  ['nothing was kept', null],
  ['what was kept is an hour old', kept(anHourAgo)],
])('%s: it is read, without what is excluded', async (_, before) => {
  if (before !== null) world.kept.set('us-east-1', before);
  world.excludeTags = { environment: ['test'] };
  world.volumes = [newVolume, aVolume({ volumeId: 'vol-test', tags: { environment: 'test' } })];
  expect(await world.read('us-east-1')).toEqual([
    { region: 'us-east-1', isNew: true, fleet: fleet(newVolume, newChecks) },
  ]);
  expect(world.kept.get('us-east-1')).toEqual({
    ...{ madeEpochSeconds: now, volumes: [newVolume], published: newChecks },
    isReconciled: false,
  });
  expect(world.unread).toEqual([]);
});

test('volumes of hosts of the benchmark are not watched: what it measures is no trouble of anybody', async () => {
  world.hosts = { instanceIds: new Set(['i-bench']), volumeIds: new Set() };
  world.volumes = [newVolume, aVolume({ volumeId: 'vol-bench', attachments: on('i-bench') })];
  const [read] = await world.read('us-east-1');
  expect([...(read?.fleet.volumes.keys() ?? [])]).toEqual(['vol-new']);
});

test('hosts of the benchmark that cannot be read: everything is watched, and somebody hears of it', async () => {
  world.fails['hosts'] = new AccessDenied('s3:ListBucket of campaign-hosts/us-east-1/ failed: no');
  world.volumes = [newVolume, aVolume({ volumeId: 'vol-bench', attachments: on('i-bench') })];
  const [read] = await world.read('us-east-1');
  expect([...(read?.fleet.volumes.keys() ?? [])]).toEqual(['vol-new', 'vol-bench']);
  expect(world.unread).toEqual(['us-east-1: s3:ListBucket of campaign-hosts/us-east-1/ failed: no']);
});

test('a Region that cannot be read is watched as it was, however old that is, and somebody hears of it', async () => {
  world.kept.set('us-east-1', kept(now - 90 * 86_400));
  world.fails['describe'] = new Throttled('ec2:DescribeVolumes failed: slow');
  expect(await world.read('us-east-1')).toEqual([
    { region: 'us-east-1', isNew: false, fleet: fleet(oldVolume, oldChecks) },
  ]);
  expect(world.kept.get('us-east-1')).toEqual(kept(now - 90 * 86_400)); // It stays old: the next tick asks again.
  expect(world.unread).toEqual(['us-east-1: ec2:DescribeVolumes failed: slow']);
});

test('one that never was is left out, and the others are watched', async () => {
  world.fails['describe eu-west-1'] = new AccessDenied('ec2:DescribeVolumes failed: no');
  const read = await world.read('eu-west-1', 'us-east-1');
  expect(read.map(({ region }) => region)).toEqual(['us-east-1']);
  expect(world.unread).toEqual(['eu-west-1: ec2:DescribeVolumes failed: no']);
});

test.each([
  ['those of before', kept(anHourAgo), oldChecks],
  ['none, which is not the same as that there are none', null, null],
])('checks that cannot be listed: %s', async (_, before, published) => {
  if (before !== null) world.kept.set('us-east-1', before);
  world.fails['list'] = new Throttled('cloudwatch:ListMetrics failed: slow');
  expect(await world.read('us-east-1')).toEqual([
    { region: 'us-east-1', isNew: true, fleet: fleet(newVolume, published) },
  ]);
  expect(world.unread).toEqual(['us-east-1: cloudwatch:ListMetrics failed: slow']);
});

test('what an earlier version kept, and nobody can read any more, is read anew', async () => {
  world.fails['kept'] = new Unreadable('s3:GetObject failed: ZodError');
  expect(await world.read('us-east-1')).toEqual([
    { region: 'us-east-1', isNew: true, fleet: fleet(newVolume, newChecks) },
  ]);
  expect(world.kept.get('us-east-1')?.volumes).toEqual([newVolume]);
  expect(world.unread).toEqual(['us-east-1: s3:GetObject failed: ZodError']);
});

test.each(['kept', 'describe', 'hosts', 'list'])(
  'a fault of ours in %s is thrown, not taken as an account that cannot be read',
  async (what) => {
    world.kept.set('us-east-1', kept(anHourAgo));
    world.fails[what] = new TypeError('x is not a function');
    await expect(world.read('us-east-1')).rejects.toThrow(TypeError);
  },
);
