/** A tick of monitoring, from what is due to what is reported: with the engine, in memory. */
import fc from 'fast-check';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { Unavailable } from '../../../core/errors.ts';
import type { Volume } from '../../../core/inventory.ts';
import type { MetricCollector } from '../../../core/load/metrics.ts';
import { budgetNow } from '../../../core/monitoring/pace.ts';
import type { MonitoringCall } from '../../../core/monitoring/plan-tick.ts';
import type { MonitoringObservation } from '../../../core/monitoring/say.ts';
import { newWatch } from '../../../core/monitoring/watch.ts';
import {
  type RegionFleet,
  type WatchWith,
  watchVolumes,
} from '../../../lambdas/watch-volumes/watch-volumes.ts';
import { WatchesInMemory } from '../../../tools/bench/monitoring-watches.ts';
import { evidenceIn } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const start = 1_795_132_800;
/** 100 GiB of gp2: 300 IOPS all the time, 3,000 on credits: a full bucket lasts 5.4 million / 2,700 = 2,000 s. */
const gp2 = aVolume({ volumeId: 'vol-0a', volumeType: 'gp2', iops: 300, throughputMiBps: null });

class World {
  regions = ['us-east-1'];
  volumes: Volume[] = [gp2];
  readonly kept = new WatchesInMemory();
  readonly watches = this.kept.byId;
  observations: MonitoringObservation[] = [];
  readonly notified: string[] = [];
  now = start;
  /** How old CloudWatch's newest minutes are, by Region. */
  delays: Record<string, number> = {};
  isNew = true;
  calls: MonitoringCall[] = [];
  bound: number | null = null;
  mostChanges = 500;
  private settled: boolean[] = [];
  steps: string[] = [];
  /** Balance in percent at a time. */
  balance: (epochSeconds: number) => number = () => 100;
  fails: (volumeId: string) => boolean = () => false;
  dies: string | null = null;

  private step(name: string): void {
    this.steps.push(name);
    if (this.dies === name) throw new Unavailable(`died at ${name}`);
  }

  private answer(
    { resourceId, metric }: MonitoringCall['queries'][number],
    call: MonitoringCall,
    to: MetricCollector,
  ) {
    const times: number[] = [];
    const first = Math.ceil(call.startEpochSeconds / 60) * 60;
    const delay = this.delays[call.region] ?? 60;
    for (let time = first; time <= this.now - delay - 60; time += 60) times.push(time);
    const value = (time: number): number => {
      if (metric === 'BurstBalance') return this.balance(time);
      const isDraining = this.balance(time) < this.balance(time - 60);
      if (metric.endsWith('Ops')) return isDraining ? 90_000 : 600;
      return metric.endsWith('Bytes')
        ? 600 * 16_384
        : metric === 'VolumeQueueLength'
          ? isDraining
            ? 2
            : 0.01
          : 0;
    };
    if (this.fails(resourceId))
      to.unread(resourceId, { code: 'metrics-not-read', reason: 'CloudWatch was not there' });
    else to.add(resourceId, metric, times, times.map(value));
  }

  private fleets(): RegionFleet[] {
    return this.regions.map((region) => {
      const here = this.volumes.filter((volume) => volume.region === region);
      const volumes = new Map(here.map((volume) => [volume.volumeId, volume]));
      return { region, fleet: { volumes, published: null }, isNew: this.isNew };
    });
  }

  use(): WatchWith {
    this.settled = [];
    const watches = this.kept.store();
    return {
      nowEpochSeconds: () => this.now,
      rules: {
        tickSeconds: 60,
        mostPoints: 4_000_000,
        mostChanges: this.mostChanges,
        thresholds: defaultThresholds,
        advising: () => ({ known: false, reason: { code: 'no-ebs-prices', region: 'us-east-1' } }),
      },
      fleet: {
        regions: async () => this.fleets(),
        settled: async (_, isReconciled) => {
          this.settled.push(isReconciled);
          this.isNew = this.settled.includes(false);
        },
      },
      watches: {
        ...watches,
        write: async (some) => {
          this.step('write');
          await watches.write(some);
        },
      },
      budget: {
        now: async (at) => (this.bound === null ? null : budgetNow(this.kept.budget, this.bound, at)),
        keep: async (budget) => {
          this.step('keep the budget');
          return this.kept.keepBudget(budget) ? 'kept' : 'overtaken';
        },
      },
      read: async (call, collector) => {
        this.step('read');
        this.calls.push(call);
        for (const query of call.queries) this.answer(query, call, collector);
        return call.queries.length;
      },
      findings: {
        see: async (observations) => {
          this.step('see');
          this.observations.push(...observations);
          return observations.flatMap(({ findingId, finding }) => (finding === null ? [] : [findingId]));
        },
        notify: async (findingIds) => {
          this.notified.push(...findingIds);
        },
      },
    };
  }

  /** Ticks, a minute apart. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      await watchVolumes(this.use());
      this.now += 60;
    }
  }

  found(): string[] {
    return this.observations.flatMap(({ finding }) =>
      finding === null ? [] : [`${finding.kind} ${finding.severity}`],
    );
  }
}

test('a new volume is polled, and not again before its bucket could be half empty', async () => {
  const world = new World();
  await world.pass(1);
  const watch = world.watches.get(gp2.volumeId);
  expect(watch?.balance).toMatchObject({ percent: 100 });
  const { length } = world.calls;
  world.now = (watch?.nextPollEpochSeconds ?? 0) - 60;
  await world.pass(1);
  expect(world.calls).toHaveLength(length);
});

test('a bucket that is being spent is reported before it is empty, with the minutes that are left', async () => {
  const world = new World();
  await world.pass(5);
  // From now on 5 % a minute: empty in 20 minutes.
  const begin = world.now;
  world.balance = (time) => Math.max(0, 100 - (5 * Math.max(0, time - begin)) / 60);
  await world.pass(19);
  const [first] = world.observations.filter(({ finding }) => finding?.kind === 'credits-will-exhaust');
  expect(first?.finding?.resource).toMatchObject({ id: gp2.volumeId, region: 'us-east-1' });
  const { secondsToEmpty } = evidenceIn(first?.finding ?? undefined);
  expect(secondsToEmpty).toBeGreaterThan(0);
  expect(first?.atEpochSeconds).toBeLessThan(begin + 20 * 60);
  expect(world.notified).toContain(first?.findingId);
});

test('a quiet volume says nothing for a day, in few metrics', async () => {
  const world = new World();
  await world.pass(1_440);
  expect(world.found()).toEqual([]);
  expect(world.notified).toEqual([]);
  const metrics = world.calls.reduce((sum, { queries }) => sum + queries.length, 0);
  // Every five minutes the balance alone would be 288.
  expect(metrics).toBeLessThan(288);
});

test('what could not be read stays due, and is asked for by the next tick', async () => {
  const world = new World();
  world.fails = () => true;
  expect(await watchVolumes(world.use())).toMatchObject({ polls: 0, unread: [gp2.volumeId] });
  expect([...world.watches.values()]).toMatchObject([{ nextPollEpochSeconds: start }]);
  world.fails = () => false;
  expect(await watchVolumes(world.use())).toMatchObject({ polls: 1, unread: [] });
});

test('what is refused is not asked for by the next tick, but ten minutes later', async () => {
  const world = new World();
  world.fails = () => true;
  const use = { ...world.use(), refuses: () => true };
  expect(await watchVolumes(use)).toMatchObject({ polls: 0, unread: [gp2.volumeId] });
  expect([...world.watches.values()]).toMatchObject([{ nextPollEpochSeconds: start + 600 }]);
  expect(await watchVolumes(use)).toMatchObject({ polls: 0, unread: [] });
});

test('a volume that is gone is not watched any more, and what was open of it is said to be gone', async () => {
  const world = new World();
  await world.pass(2);
  const begin = world.now;
  world.balance = (time) => Math.max(0, 100 - (5 * Math.max(0, time - begin)) / 60);
  await world.pass(15);
  expect(world.found().length).toBeGreaterThan(0);
  world.volumes = [];
  world.isNew = true;
  world.observations = [];
  await world.pass(1);
  expect(world.watches.size).toBe(0);
  expect(world.observations.map(({ finding }) => finding)).toContain(null);
});

test('a volume that came is watched from the next reading of the inventory on', async () => {
  const world = new World();
  await world.pass(1);
  world.volumes.push({ ...gp2, volumeId: 'vol-0b' });
  world.isNew = true;
  await world.pass(1);
  expect([...world.watches.keys()]).toEqual(['vol-0a', 'vol-0b']);
});

/** How many volumes come, and how many of those that are there go, before each of some ticks; each may die. */
const changes = fc.array(
  fc.record({
    come: fc.nat({ max: 9 }),
    goShare: fc.double({ min: 0, max: 1, noNaN: true }),
    dies: fc.option(fc.constantFrom('write', 'read', 'see'), { freq: 4 }),
  }),
  { maxLength: 12 },
);

test('whatever comes and goes: each volume is registered once, a few at a time, and none stays that is gone', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.integer({ min: 1, max: 4 }), async (steps, mostChanges) => {
      const world = new World();
      world.mostChanges = mostChanges;
      world.regions = ['us-east-1', 'eu-west-1'];
      world.volumes = [];
      const registered: string[] = [];
      const tick = async (): Promise<void> => {
        const before = new Set(world.watches.keys());
        const result = await watchVolumes(world.use()).catch((error: unknown) => {
          expect(error).toBeInstanceOf(Unavailable);
          return null;
        });
        const came = [...world.watches.keys()].filter((id) => !before.has(id));
        registered.push(...came);
        expect(came.length).toBeLessThanOrEqual(mostChanges);
        expect([...before].filter((id) => !world.watches.has(id)).length).toBeLessThanOrEqual(mostChanges);
        const missing = world.volumes.filter(({ volumeId }) => !world.watches.has(volumeId));
        if (result !== null) expect(result.unregistered).toBe(missing.length);
        world.now += 60;
      };
      let ids = 0;
      for (const { come, goShare, dies } of steps) {
        const stay = world.volumes.slice(Math.floor(goShare * world.volumes.length));
        const others = Array.from({ length: come }, () => ({
          ...{ ...gp2, volumeId: `vol-${ids++}` },
          region: ids % 3 === 0 ? 'eu-west-1' : 'us-east-1',
        }));
        world.volumes = [...stay, ...others];
        world.isNew = true;
        world.dies = dies;
        await tick();
      }
      world.dies = null;
      // As many ticks as all of them take, one change at a time.
      for (let left = 2 * ids + 1; left > 0; left--) await tick();
      expect([...world.watches.keys()].sort()).toEqual(world.volumes.map(({ volumeId }) => volumeId).sort());
      expect(new Set(registered).size).toBe(registered.length);
      expect(world.isNew).toBe(false);
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('20,000 volumes that come at once are registered by 500 a tick; the others are counted, and wait for the next ticks', async () => {
  const world = new World();
  world.volumes = Array.from({ length: 20_000 }, (_, i) => ({ ...gp2, volumeId: `vol-${i}` }));
  // Too little for any poll: what is registered is what is looked at here.
  world.bound = 1;
  expect(await watchVolumes(world.use())).toMatchObject({ unregistered: 19_500 });
  expect(world.watches.size).toBe(500);
  world.now += 60;
  expect(await watchVolumes(world.use())).toMatchObject({ unregistered: 19_000 });
});

test('volumes of several Regions are polled in one tick, in calls of their own Region, with the checks of each', async () => {
  const world = new World();
  world.regions = ['us-east-1', 'eu-west-1'];
  world.volumes.push({ ...gp2, volumeId: 'vol-0b', region: 'eu-west-1' });
  expect(await watchVolumes(world.use())).toMatchObject({ polls: 2, unread: [] });
  const asked = (of: string) =>
    world.calls
      .filter(({ region }) => region === of)
      .flatMap(({ queries }) => queries.map(({ resourceId, metric }) => `${resourceId} ${metric}`));
  expect(new Set(asked('us-east-1').map((query) => query.split(' ')[0]))).toEqual(new Set(['vol-0a']));
  expect(asked('eu-west-1')).toContain('vol-0b VolumeIOPSExceededCheck');
  expect(asked('eu-west-1')).toHaveLength(asked('us-east-1').length);
});

test.each(['write', 'read', 'see'])('new volumes are watched though a tick dies at "%s"', async (step) => {
  const world = new World();
  world.dies = step;
  await expect(watchVolumes(world.use())).rejects.toThrow(Unavailable);
  world.dies = null;
  expect(await watchVolumes(world.use())).toMatchObject({ polls: 1 });
});

test('the budget is kept before it is spent, and what it does not pay for waits', async () => {
  const world = new World();
  world.volumes = Array.from({ length: 40 }, (_, i) => ({ ...gp2, volumeId: `vol-${i}` }));
  // 900 metrics a month are 30 a day: what is saved pays for few first polls.
  world.bound = 900;
  const tick = await watchVolumes(world.use());
  expect(world.steps.slice(0, 3)).toEqual(['write', 'keep the budget', 'read']);
  expect(tick.metrics).toBeLessThanOrEqual(30);
  expect(tick.waiting).toBeGreaterThan(0);
  expect(tick.polls + tick.waiting).toBeGreaterThanOrEqual(40);
});

test('what is taken of the budget of some accounts is given back where another has not enough', async () => {
  const world = new World();
  const use = world.use();
  const changes: string[] = [];
  const storeOf = (name: string, takes: boolean) => ({
    accounts: new Set(['111122223333']),
    now: async (at: number) => ({ metricsPerMonth: 3_000, left: 100, atEpochSeconds: at }),
    keep: async (_: unknown, metrics: number) => {
      changes.push(`${name} ${metrics < 0 ? 'gets back' : 'is asked for'} ${Math.abs(metrics)}`);
      return takes ? ('kept' as const) : ('spent-by-others' as const);
    },
  });
  const tick = await watchVolumes({
    ...use,
    fleet: {
      ...use.fleet,
      regions: async () => (await use.fleet.regions()).map((one) => ({ ...one, account: '111122223333' })),
    },
    budgetsOfAccounts: [storeOf('its own', true), storeOf('that of its unit', false)],
  });
  const [first = ''] = changes;
  const metrics = first.slice(first.lastIndexOf(' ') + 1);
  expect(changes).toEqual([
    `its own is asked for ${metrics}`,
    `that of its unit is asked for ${metrics}`,
    `its own gets back ${metrics}`,
  ]);
  expect(tick).toMatchObject({ metrics: 0, polls: 0, waiting: 1 });
});

test('a tick that a later one overtook asks for nothing and leaves what the later one kept: its volumes stay due', async () => {
  const world = new World();
  world.bound = 1_000_000;
  const use = world.use();
  const later = { metricsPerMonth: 1_000_000, left: 7, atEpochSeconds: world.now + 60 };
  const tick = await watchVolumes({
    ...use,
    watches: {
      ...use.watches,
      // The later tick begins and keeps its budget while this one asks what is due.
      due: async (...asked) => {
        world.kept.budget = later;
        return use.watches.due(...asked);
      },
    },
  });
  expect(tick).toMatchObject({ isOvertaken: true, polls: 0, metrics: 0 });
  expect([world.kept.budget, world.calls]).toEqual([later, []]);
  expect(world.isNew).toBe(true);
  world.now += 120;
  expect(await watchVolumes(world.use())).toMatchObject({ isOvertaken: false, polls: 1 });
});

test('a tick that dies between saying and remembering says it again', async () => {
  const world = new World();
  await world.pass(2);
  const begin = world.now;
  world.balance = (time) => Math.max(0, 100 - (5 * Math.max(0, time - begin)) / 60);
  world.dies = 'write';
  for (let minute = 0; minute < 18 && world.found().length === 0; minute++) {
    await watchVolumes(world.use()).catch((error: unknown) => expect(error).toBeInstanceOf(Unavailable));
    world.now += 60;
  }
  const before = world.found().length;
  expect(before).toBeGreaterThan(0);
  world.dies = null;
  await world.pass(1);
  expect(world.found().length).toBeGreaterThan(before);
});

test('a watch survives a trip through JSON', () => {
  expect(JSON.parse(JSON.stringify(newWatch(gp2, start)))).toEqual(newWatch(gp2, start));
});

test('how late CloudWatch is in a Region is measured by its newest minutes, and remembered', async () => {
  const world = new World();
  const far = aVolume({ ...gp2, volumeId: 'vol-0b', region: 'eu-west-1' });
  const idle = aVolume({ ...gp2, volumeId: 'vol-0c', region: 'ap-south-1' });
  world.volumes = [gp2, far, idle];
  world.regions = world.volumes.map(({ region }) => region);
  // Of the third nothing was published for an hour: that says nothing of CloudWatch.
  world.delays = { 'eu-west-1': 600, 'ap-south-1': 3_600 };
  expect((await watchVolumes(world.use())).delaySeconds).toEqual({ 'us-east-1': 60, 'eu-west-1': 600 });
  const remembered = ['vol-0a', 'vol-0b', 'vol-0c'].map((id) => world.watches.get(id)?.delaySeconds);
  expect(remembered).toEqual([60, 600, null]);
});
