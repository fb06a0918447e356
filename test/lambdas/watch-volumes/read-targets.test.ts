/** Which targets of a shard are entered and read, from what is kept of them; and what holds one up alone. */
import { noHosts } from '../../../core/benchmark/campaign/benchmark-hosts.ts';
import { NotEntered, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { pace } from '../../../core/monitoring/pace.ts';
import { placeText } from '../../../core/monitoring/shards.ts';
import type { MonitoringInventory } from '../../../core/monitoring/watched.ts';
import type { Target } from '../../../core/schemas/accounts.ts';
import { readTargets } from '../../../lambdas/watch-volumes/read-targets.ts';
import { type InventoryIndex, TargetInventories } from '../../../lambdas/watch-volumes/target-inventories.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const now = 1_795_132_800;
const hour = 3_600;
const target = (account: string, region = 'us-east-1'): Target => ({ partition: 'aws', account, region });
const [a, b] = [target('111122223333'), target('222233334444')];
const inventory = (of: Target, madeEpochSeconds: number): MonitoringInventory => ({
  ...{ madeEpochSeconds, published: null, isReconciled: false },
  volumes: [aVolume({ ...of, volumeId: `vol-${of.account}` })],
});

class World {
  now = now;
  due = new Set<string>();
  index: InventoryIndex = {};
  store = new Map<string, MonitoringInventory>();
  memory = new Map<string, MonitoringInventory>();
  fails: Record<string, Error> = {};
  asked: string[] = [];
  refused: string[] = [];
  unread: string[] = [];
  unkept: string[] = [];

  private async answer<T>(what: string, of: Target, value: () => T): Promise<T> {
    this.asked.push(`${what} ${placeText(of)}`);
    const error = this.fails[`${what} ${placeText(of)}`];
    if (error !== undefined) throw error;
    return value();
  }

  /** A target as it was kept, and whether its watches are made. */
  kept(of: Target, madeEpochSeconds: number, isReconciled = true): void {
    this.index[placeText(of)] = { madeEpochSeconds, isReconciled };
    this.store.set(placeText(of), inventory(of, madeEpochSeconds));
  }

  inventories(): TargetInventories {
    return new TargetInventories(this.index, this.memory, {
      get: (of) =>
        this.answer('get', of, () => {
          const kept = this.store.get(placeText(of));
          if (kept === undefined) throw new Unreadable('not there');
          return kept;
        }),
      put: (of, value) => this.answer('put', of, () => void this.store.set(placeText(of), value)),
      putIndex: async (index) => {
        this.asked.push('put the index');
        const error = this.fails['put the index'];
        if (error !== undefined) throw error;
        this.index = index;
      },
      onUnkept: (what, reason) => this.unkept.push(`${what}: ${reason}`),
    });
  }

  read(targets: Target[], inventories = this.inventories()) {
    return readTargets(targets, {
      ...{ nowEpochSeconds: this.now, tickSeconds: 60, inventories },
      isDue: (of) => this.due.has(placeText(of)),
      enter: (of) =>
        this.answer('enter', of, () => ({
          excludeTags: {},
          describeVolumes: () => this.answer('describe', of, () => inventory(of, 0).volumes),
          listPublishedChecks: async () => null,
          benchmarkHosts: async () => noHosts,
        })),
      onRefused: ({ account }, { code }) => this.refused.push(`${account} ${code}`),
      onUnread: (of, reason) => this.unread.push(`${placeText(of)}: ${reason}`),
    });
  }
}
let world: World;
beforeEach(() => {
  world = new World();
});

describe('a target', () => {
  test('that was read within the hour and has nothing due is neither entered nor fetched', async () => {
    world.kept(a, now - hour + 1);
    expect(await world.read([a])).toEqual([]);
    expect(world.asked).toEqual([]);
  });

  test('of which a volume is due is taken as it was kept', async () => {
    world.kept(a, now - 60);
    world.due.add(placeText(a));
    const [fleet] = await world.read([a]);
    expect(fleet).toMatchObject({ ...a, isNew: false });
    expect([...(fleet?.fleet.volumes.keys() ?? [])]).toEqual(['vol-111122223333']);
    expect(world.asked).toEqual([`enter ${placeText(a)}`, `get ${placeText(a)}`]);
  });

  test('whose watches are not all made goes on with them', async () => {
    world.kept(a, now - 60, false);
    expect(await world.read([a])).toMatchObject([{ ...a, isNew: true }]);
  });

  test('that nobody read within the hour is read', async () => {
    world.kept(a, now - hour);
    expect(await world.read([a])).toMatchObject([{ ...a, isNew: true }]);
    expect(world.asked).toContain(`describe ${placeText(a)}`);
  });

  test('that lets nobody in is left as it is, and the others are read', async () => {
    world.fails[`enter ${placeText(a)}`] = new NotEntered({ code: 'role-refused', reason: 'no' });
    world.due.add(placeText(a));
    expect(await world.read([a, b])).toMatchObject([b]);
    expect(world.refused).toEqual(['111122223333 role-refused']);
    expect(world.unread).toEqual([]);
  });

  test('that cannot be read is taken as it was kept, however old; without that it is left out', async () => {
    world.kept(a, now - 2 * hour);
    for (const one of [a, b]) world.fails[`describe ${placeText(one)}`] = new Throttled('slow down');
    expect(await world.read([a, b])).toMatchObject([{ ...a, isNew: false }]);
    expect(world.unread.sort()).toEqual([`${placeText(a)}: slow down`, `${placeText(b)}: slow down`]);
  });
});

test('a fault of ours ends the tick', async () => {
  world.fails[`enter ${placeText(a)}`] = new TypeError('ours');
  await expect(world.read([a])).rejects.toThrow('ours');
});

test('so many are read anew in one tick, and all of them after a few, though the first ones fail each time', async () => {
  const all = Array.from({ length: 50 }, (_, i) => target(`${100_000_000_000 + i}`));
  for (const one of all.slice(0, 20)) world.fails[`describe ${placeText(one)}`] = new Throttled('slow down');
  const read = new Set<string>();
  for (let tick = 0; tick < 5; tick++) {
    world.asked = [];
    const inventories = world.inventories();
    for (const { account } of await world.read(all, inventories)) {
      read.add(account);
      await inventories.settled(target(account), true);
    }
    await inventories.end(all);
    expect(world.asked.filter((what) => what.startsWith('describe')).length).toBeLessThanOrEqual(
      pace.inventoriesPerTick,
    );
    world.now += 60;
  }
  expect(read.size).toBe(30);
});

describe('what is kept', () => {
  test('of a target that another function read since is not what this one remembers', async () => {
    world.kept(a, now - 60);
    world.memory.set(placeText(a), inventory(a, now - 600));
    expect(await world.inventories().kept(a)).toMatchObject({ madeEpochSeconds: now - 60 });
    world.asked = [];
    expect(await world.inventories().kept(a)).toMatchObject({ madeEpochSeconds: now - 60 });
    expect(world.asked).toEqual([]);
  });

  test('by who died before it wrote the index has no watches yet, for all that is known', async () => {
    world.kept(a, now - 600);
    world.store.set(placeText(a), inventory(a, now - 60));
    expect(await world.inventories().kept(a)).toMatchObject({
      ...{ madeEpochSeconds: now - 60, isReconciled: false },
    });
  });

  test('is written at the end of the tick, and only what changed; a target that is none any more is left out', async () => {
    world.kept(b, now - 60);
    const inventories = world.inventories();
    inventories.hold(a, inventory(a, now));
    await inventories.settled(a, true);
    await inventories.end([a]);
    expect(world.index).toEqual({ [placeText(a)]: { madeEpochSeconds: now, isReconciled: true } });
    world.asked = [];
    const next = world.inventories();
    await next.kept(a);
    await next.settled(a, true);
    await next.end([a]);
    expect(world.asked).toEqual([]);
  });

  test.each([
    [`put ${placeText(a)}`, `${placeText(a)}: gone`],
    ['put the index', 'the index: gone'],
  ])('where it cannot be (%s) it is read again', async (what, said) => {
    world.fails[what] = new Unavailable('gone');
    const inventories = world.inventories();
    inventories.hold(a, inventory(a, now));
    await inventories.settled(a, true);
    await inventories.end([a]);
    expect(world.index).toEqual({});
    expect(world.unkept).toEqual([said]);
  });
});
