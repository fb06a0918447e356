/** Which polls a tick takes, and in which calls. */

import fc from 'fast-check';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Volume } from '../../../core/inventory.ts';
import { pointsPerCall, queriesPerCall } from '../../../core/load/metrics.ts';
import { type Budget, budgetNow, metricsForUsd, newBudget, spent } from '../../../core/monitoring/pace.ts';
import {
  type MonitoringFleet,
  newWatches,
  planTick,
  type TickContext,
} from '../../../core/monitoring/plan-tick.ts';
import type { Watch } from '../../../core/monitoring/watch.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { aGp2, aWatch, openFrom, start, tickSeconds } from './watching.ts';

const fleetOf = (volumes: readonly Volume[]): MonitoringFleet => ({
  volumes: new Map(volumes.map((volume) => [volume.volumeId, volume])),
  published: null,
});
const context = (more: Partial<TickContext> = {}): TickContext => ({
  ...{ nowEpochSeconds: start + 900, tickSeconds, budget: null, thresholds: defaultThresholds },
  mostPoints: 4_000_000,
  mostGone: 500,
  ...more,
});
const volumesOf = (count: number, volume: Partial<Volume> = {}): Volume[] =>
  Array.from({ length: count }, (_, i) => aVolume({ volumeId: `vol-${i}`, ...volume }));
const idsOf = (polls: readonly { watch: Watch }[]): string[] => polls.map(({ watch }) => watch.volumeId);
const far = { iops: 0.05, throughput: 0.05, atEpochSeconds: start };

test('quiet volumes of a Region share full calls', () => {
  const volumes = volumesOf(1_200);
  const due = volumes.map((volume) => aWatch(volume, { lately: far }));
  const plan = planTick(due, fleetOf(volumes), context());
  expect(plan.metrics).toBe(1_200);
  expect(plan.calls.map(({ queries }) => queries.length)).toEqual([500, 500, 200]);
});

test('a call is for one Region', () => {
  const [here, there] = [aVolume({ volumeId: 'vol-1' }), aVolume({ volumeId: 'vol-2', region: 'eu-west-1' })];
  const due = [here, there].map((volume) => aWatch(volume, { lately: far }));
  const { calls } = planTick(due, fleetOf([here, there]), context());
  expect(calls.map(({ region }) => region).toSorted()).toEqual(['eu-west-1', 'us-east-1']);
});

test('every query is in one call, and no call is more than CloudWatch takes', () => {
  const hours = fc.integer({ min: 0, max: 23 });
  fc.assert(
    fc.property(fc.array(hours, { minLength: 1, maxLength: 300 }), (ages) => {
      const volumes = volumesOf(ages.length);
      const due = volumes.map((volume, i) => {
        const before = start - (ages[i] as number) * 3_600;
        return aWatch(volume, {
          askedEpochSeconds: { balance: null, queue: before, checks: before, rates: before },
          learnedUntilEpochSeconds: before,
        });
      });
      const plan = planTick(due, fleetOf(volumes), context());
      const all = plan.calls.flatMap(({ queries }) => queries);
      expect(all).toHaveLength(plan.metrics);
      expect(new Set(all).size).toBe(plan.metrics);
      for (const { queries, startEpochSeconds, endEpochSeconds } of plan.calls) {
        expect(queries.length).toBeLessThanOrEqual(queriesPerCall);
        expect((queries.length * (endEpochSeconds - startEpochSeconds)) / 60).toBeLessThanOrEqual(
          pointsPerCall,
        );
      }
      const earliest = new Map(
        plan.calls.flatMap((call) => call.queries.map((query) => [query, call.startEpochSeconds])),
      );
      for (const { poll } of plan.polls)
        for (const query of poll.queries)
          expect(earliest.get(query)).toBeLessThanOrEqual(poll.fromEpochSeconds);
    }),
    { seed: 5, numRuns: 30 },
  );
});

test('volumes that came get a watch, of those that went it is said, and the watch is removed', () => {
  const volume = aVolume();
  expect(newWatches([volume], () => false, start)).toMatchObject([
    { volumeId: 'vol-1', nextPollEpochSeconds: start },
  ]);
  expect(newWatches([volume], () => true, start)).toEqual([]);
  const open = { 'credits-exhausted': openFrom(start) };
  const plan = planTick([aWatch(volume, { open })], fleetOf([]), context());
  expect(idsOf(plan.gone.map((watch) => ({ watch })))).toEqual(['vol-1']);
  expect(plan.observations).toMatchObject([{ kind: 'credits-exhausted', finding: null }]);
  expect(plan.polls).toEqual([]);
});

test('what is attached to nothing is asked about again after a while, without a metric', () => {
  const volume = aVolume({ state: 'available', attachments: [] });
  const plan = planTick([aWatch(volume)], fleetOf([volume]), context());
  expect(plan.metrics).toBe(0);
  expect(plan.unwatched).toMatchObject([{ volumeId: 'vol-1', nextPollEpochSeconds: start + 900 + 1_800 }]);
});

test('what was open of it is said to be gone, as often as it takes, and then nothing', () => {
  const volume = aVolume({ state: 'available', attachments: [] });
  let watch = aWatch(volume, { open: { 'credits-exhausted': openFrom(start) } });
  const said: number[] = [];
  for (let tick = 0; tick < 60; tick++) {
    const nowEpochSeconds = start + tick * tickSeconds;
    if (watch.nextPollEpochSeconds > nowEpochSeconds) continue;
    const plan = planTick([watch], fleetOf([volume]), context({ nowEpochSeconds }));
    said.push(
      ...plan.observations.map(({ finding, atEpochSeconds }) => (finding === null ? atEpochSeconds : -1)),
    );
    watch = plan.unwatched[0] as Watch;
  }
  // By the rules of life three polls over a quarter of an hour settle it.
  expect(said.length).toBeGreaterThanOrEqual(4);
  expect(Math.min(...said)).toBeGreaterThan(0);
  expect((said.at(-1) as number) - (said[0] as number)).toBeGreaterThanOrEqual(900);
  expect(watch.open).toEqual({});
});

test('after a gap a tick reads no more than it can, the most urgent first, and the next ones read the rest', () => {
  const gap = 24 * 3_600;
  const volumes = volumesOf(10_000);
  const before = start - gap;
  let due = volumes.map((volume) =>
    aWatch(volume, {
      askedEpochSeconds: { balance: null, queue: before, checks: before, rates: before },
      learnedUntilEpochSeconds: before,
    }),
  );
  let ticks = 0;
  for (; due.length > 0 && ticks < 100; ticks++) {
    const plan = planTick(due, fleetOf(volumes), context());
    const points = plan.calls.map(
      ({ queries, startEpochSeconds: from, endEpochSeconds: to }) => (queries.length * (to - from)) / 60,
    );
    expect(points.reduce((sum, one) => sum + one, 0)).toBeLessThan(1.1 * 4_000_000);
    expect(plan.waiting.volumes).toBe(due.length - plan.polls.length);
    const polled = new Set(idsOf(plan.polls));
    due = due.filter(({ volumeId }) => !polled.has(volumeId));
  }
  expect(ticks).toBeLessThan(40);
});

test('what calmed down since it was written waits for its own time', () => {
  const volume = aVolume();
  const plan = planTick(
    [aWatch(volume, { lately: far, nextPollEpochSeconds: start })],
    fleetOf([volume]),
    context({ nowEpochSeconds: start + 60 }),
  );
  expect(plan.unwatched.map(({ nextPollEpochSeconds }) => nextPollEpochSeconds)).toEqual([start + 900]);
});

test('of a thousand new volumes a tick polls a quarter', () => {
  const volumes = volumesOf(1_000);
  const plan = planTick(
    newWatches(volumes, () => false, start),
    fleetOf(volumes),
    context(),
  );
  expect(plan.polls).toHaveLength(250);
  expect(plan.waiting).toMatchObject({ volumes: 750, longestDelaySeconds: 900 });
});

describe('a budget', () => {
  const budget = (left: number): Budget => ({ metricsPerMonth: 43_200, left, atEpochSeconds: start });

  test('1 USD pays for 100,000 metrics', () => {
    expect(metricsForUsd(1)).toBe(100_000);
  });

  test('comes in minute by minute, and no more than a day of it is saved', () => {
    // 43,200 a month are one a minute.
    expect(budgetNow(budget(0), 43_200, start + 600).left).toBeCloseTo(10);
    expect(budgetNow(budget(0), 43_200, start + 30 * 86_400).left).toBe(1_440);
    expect(newBudget(43_200, start).left).toBe(1_440);
    expect(budgetNow(budget(5), 43_200, start - 60)).toEqual(budget(5));
  });

  test('goes to who is throttled, then to buckets that drain, then to who is near, and last to the quiet', () => {
    const volumes = volumesOf(4).map((volume, i) => (i === 2 ? aGp2(100, { volumeId: 'vol-2' }) : volume));
    const [quiet, near, drains, throttled] = volumes as [Volume, Volume, Volume, Volume];
    const now = start + 900;
    const due = [
      aWatch(quiet, { lately: far, nextPollEpochSeconds: now }),
      aWatch(near, { lately: { iops: 0.9, throughput: 0, atEpochSeconds: now }, nextPollEpochSeconds: now }),
      aWatch(drains, {
        lately: far,
        balance: { percent: 20, untilEpochSeconds: now - 120 },
        nextPollEpochSeconds: now,
      }),
      aWatch(throttled, {
        ...{ lately: { iops: 1, throughput: 0, atEpochSeconds: now }, nextPollEpochSeconds: now },
        throttled: { fromEpochMinutes: now / 60 - 2, codes: 'B' },
      }),
    ];
    const taken = (left: number): string[] =>
      idsOf(planTick(due, fleetOf(volumes), context({ budget: budget(left) })).polls);
    const all = taken(1_000);
    expect(all).toEqual(['vol-3', 'vol-2', 'vol-1', 'vol-0']);
    for (let left = 0; left < 12; left++) expect(all.slice(0, taken(left).length)).toEqual(taken(left));
  });

  test('what it does not cover waits, is counted, and comes before others that wait less long', () => {
    const volumes = volumesOf(3);
    const due = volumes.map((volume, i) =>
      aWatch(volume, { lately: far, nextPollEpochSeconds: start + 900 - 60 * i }),
    );
    const plan = planTick(due, fleetOf(volumes), context({ budget: budget(1) }));
    expect(idsOf(plan.polls)).toEqual(['vol-2']);
    expect(plan.waiting).toEqual({ volumes: 2, longestDelaySeconds: 60 });
    expect(plan.budget).toEqual(spent(budget(1), 1));
  });

  test('of some accounts bounds them alone; who is in two keeps to both', () => {
    // A quiet poll is one metric: six of each account.
    const accounts = ['a', 'b', 'c'];
    const volumes = volumesOf(18);
    const due = volumes.map((volume, i) => aWatch(volume, { lately: far, account: `${accounts[i % 3]}` }));
    const planned = (left: number, ofBoth: number) => {
      const budgetsOfAccounts = [
        { accounts: new Set(['a']), left },
        { accounts: new Set(['a', 'b']), left: ofBoth },
      ];
      const plan = planTick(due, fleetOf(volumes), context({ budget: budget(100), budgetsOfAccounts }));
      const polls = (account: string) => plan.polls.filter(({ watch }) => watch.account === account).length;
      return { polls: accounts.map(polls), ofAccounts: plan.ofAccounts, waiting: plan.waiting.volumes };
    };
    expect(planned(6, 12)).toEqual({ polls: [6, 6, 6], ofAccounts: [6, 12], waiting: 0 });
    expect(planned(2, 12)).toEqual({ polls: [2, 6, 6], ofAccounts: [2, 8], waiting: 4 });
    expect(planned(6, 0)).toEqual({ polls: [0, 0, 6], ofAccounts: [0, 0], waiting: 12 });
    const { polls, ofAccounts } = planned(2, 5);
    expect([polls[2], ofAccounts[1], (polls[0] ?? 0) + (polls[1] ?? 0)]).toEqual([6, 5, 5]);
  });

  test('is never overdrawn', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 20 }), (left, count) => {
        const volumes = volumesOf(count);
        const due = volumes.map((volume, i) => aWatch(volume, { lately: far, suspect: i % 3 === 0 }));
        const plan = planTick(due, fleetOf(volumes), context({ budget: budget(left) }));
        expect(plan.metrics).toBeLessThanOrEqual(left);
        expect(plan.budget?.left).toBe(left - plan.metrics);
        expect(plan.polls.length + plan.waiting.volumes).toBe(count);
      }),
      { seed: 9 },
    );
  });
});
