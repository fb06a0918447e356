/** What the Regions have, from tick to tick: read within the hour, read anew, or not kept. */
import { noHosts } from '../../../core/benchmark/campaign/benchmark-hosts.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import type { MonitoringInventory } from '../../../core/monitoring/watched.ts';
import { Inventories } from '../../../lambdas/watch-volumes/inventories.ts';
import { readFleets } from '../../../lambdas/watch-volumes/read-fleet.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const start = 1_795_132_800;
const volume = aVolume();

class World {
  now = start;
  readonly stored = new Map<string, MonitoringInventory>();
  memory = new Map<string, MonitoringInventory>();
  readonly unkept: string[] = [];
  asked: string[] = [];
  putFails: Error | null = null;

  tick(): Inventories {
    return new Inventories(this.memory, {
      get: async (region) => {
        this.asked.push(`get ${region}`);
        return this.stored.get(region) ?? null;
      },
      put: async (region, inventory) => {
        if (this.putFails !== null) throw this.putFails;
        this.stored.set(region, inventory);
      },
      onUnkept: (region, reason) => this.unkept.push(`${region}: ${reason}`),
    });
  }

  /** @returns is what the tick watches new? */
  async fleets(inventories: Inventories): Promise<boolean[]> {
    const fleets = await readFleets(['us-east-1'], {
      ...{ nowEpochSeconds: this.now, excludeTags: {} },
      kept: (region) => inventories.kept(region),
      hold: (region, inventory) => inventories.hold(region, inventory),
      describeVolumes: async (region) => {
        this.asked.push(`describe ${region}`);
        return [volume];
      },
      listPublishedChecks: async () => null,
      benchmarkHosts: async () => noHosts,
      onUnread: (region, reason) => this.unkept.push(`${region}: ${reason}`),
    });
    return fleets.map(({ isNew }) => isNew);
  }

  /** A whole tick, of which the last step can be left out. */
  async pass(isEnded = true, isReconciled = true): Promise<boolean[]> {
    const inventories = this.tick();
    const isNew = await this.fleets(inventories);
    if (isEnded) await inventories.settled('us-east-1', isReconciled);
    return isNew;
  }
}
let world: World;
beforeEach(() => {
  world = new World();
});

test('what a tick read serves the next ones for an hour, without a call', async () => {
  expect(await world.pass()).toEqual([true]);
  expect(world.asked).toEqual(['get us-east-1', 'describe us-east-1']);
  world.asked = [];
  world.now += 3_599;
  expect(await world.pass()).toEqual([false]);
  expect(world.asked).toEqual([]);
  world.now += 1;
  expect(await world.pass()).toEqual([true]);
  expect(world.asked).toEqual(['describe us-east-1']);
});

test('a function that is new has it from where it is kept, once', async () => {
  await world.pass();
  world.memory = new Map();
  world.asked = [];
  expect([await world.pass(), await world.pass()]).toEqual([[false], [false]]);
  expect(world.asked).toEqual(['get us-east-1']);
});

test('what is not compared in whole is kept for the next ticks, without another call, until it is', async () => {
  expect([await world.pass(true, false), await world.pass(true, false)]).toEqual([[true], [true]]);
  world.memory = new Map();
  expect([await world.pass(), await world.pass()]).toEqual([[true], [false]]);
  expect(world.asked).toEqual(['get us-east-1', 'describe us-east-1', 'get us-east-1']);
  expect(world.stored.get('us-east-1')?.isReconciled).toBe(true);
});

test('a tick that dies leaves nothing behind: the next one reads again, and compares', async () => {
  expect(await world.pass(false)).toEqual([true]);
  expect(world.stored.size + world.memory.size).toBe(0);
  expect(await world.pass()).toEqual([true]);
});

test('what was read is watched though it cannot be kept, and is read again in the next tick', async () => {
  world.putFails = new AccessDenied('s3:PutObject failed: no');
  expect([await world.pass(), await world.pass()]).toEqual([[true], [true]]);
  expect(world.unkept).toEqual(['us-east-1: s3:PutObject failed: no', 'us-east-1: s3:PutObject failed: no']);
});

test('a fault of ours is thrown, not taken as a store that cannot be written', async () => {
  world.putFails = new TypeError('x is not a function');
  await expect(world.pass()).rejects.toThrow(TypeError);
  expect(world.unkept).toEqual([]);
});

test('a Region that was not read in the tick is not kept again', async () => {
  world.putFails = new Unreadable('nobody puts anything');
  await world.tick().settled('eu-west-1', true);
  expect(world.unkept).toEqual([]);
});
