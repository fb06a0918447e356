/** Each rule that AWS does not document does what it says, and the usual ones change nothing. */
import { at } from './ledgers.ts';
import { database, steady, windows, workers } from './loads.ts';
import type { InstancePlan, VolumePlan } from './plan.ts';
import { publish } from './publish.ts';
import { isCheckSet, isPublished, type Rules, ruleLevels, usualRules } from './rules.ts';
import type { MetricDataResult } from './series.ts';
import { type SimulatedInstance, simulateInstance, type Window } from './simulate.ts';

const gp3 = (load: VolumePlan['load']): VolumePlan => ({
  ...{ name: 'data', volumeType: 'gp3', sizeGiB: 100 },
  ...(load === undefined ? {} : { load }),
});
const on = (
  volume: VolumePlan,
  instanceType: InstancePlan['instanceType'] = 'm6i.8xlarge',
): InstancePlan => ({
  ...{ name: 'host', region: 'us-east-1', zone: 'us-east-1a', instanceType, volumes: [volume] },
});
const windowOf = (rules: Partial<Rules>, minutes: number): Window => ({
  ...{ startEpochSeconds: 1_795_046_400, minutes, seed: 1, firstPlanMinute: 0, rules },
});

function ran(plan: InstancePlan, rules: Partial<Rules>, minutes = 4): SimulatedInstance {
  return simulateInstance(plan, windowOf(rules, minutes));
}
function ledgerOf({ volumes: [volume] }: SimulatedInstance) {
  if (volume?.ledger == null) throw new Error('nothing ran');
  return volume.ledger;
}
function published(plan: InstancePlan, rules: Partial<Rules>, minutes = 4): Record<string, MetricDataResult> {
  const { getMetricData } = publish([ran(plan, rules, minutes)], windowOf(rules, minutes));
  return Object.fromEntries(
    getMetricData.MetricDataResults.map((one) => [one.Label.split(' ')[1] as string, one]),
  );
}

/** 20 s of each minute above the limit, a third of it on average. */
const inBursts = gp3(
  database(16, 100, {
    ...{ noise: 0, maxWaitingIo: 64 },
    burst: () => ({ fromSecond: 10, seconds: 20, ioPerSecond: 4_000, spread: 1 }),
  }),
);
const allTheTime = gp3(workers(16, 6_000, { noise: 0 }));

test.each([
  ['any-second', 1, 0, true],
  ['half-the-minute', 29, 1, false],
  ['half-the-minute', 30, 0, true],
  ['whole-minute', 59, 1, false],
  ['whole-minute', 60, 0, true],
  ['average-at-the-limit', 60, 0.94, false],
  ['average-at-the-limit', 0, 0.95, true],
] as const)(
  'a check by %s, with %i s exceeded and an average of %d of the limit: %s',
  (rule, seconds, share, is) => {
    expect(isCheckSet(rule, seconds, share)).toBe(is);
  },
);

test.each([
  ['any-second', 1, 1],
  ['half-the-minute', 0, 1],
  ['whole-minute', 0, 1],
  ['average-at-the-limit', 0, 1],
] as const)('%s: 20 s of a minute give %i, all of it %i', (check, ofBursts, ofAll) => {
  const checkOf = (volume: VolumePlan) =>
    published(on(volume), { check })['VolumeIOPSExceededCheck']?.Values[1];
  expect([checkOf(inBursts), checkOf(allTheTime)]).toEqual([ofBursts, ofAll]);
});

test('checks that are never published are not there; the other metrics are', () => {
  const names = Object.keys(published(on(allTheTime), { check: null }));
  expect(names.filter((name) => name.includes('Exceeded'))).toEqual([]);
  expect(names).toContain('VolumeReadOps');
});

test.each([
  [{ delaySeconds: 180 }, 4, 4],
  [{ delaySeconds: 300 }, 2, 2],
  [{ delaySeconds: 60, checkDelaySeconds: 240 }, 4, 2],
  [{ checkDelaySeconds: 360 }, 4, 1],
])(
  '%o: of four minutes, asked for 180 s after the last, %i are there, and %i checks',
  (rules, ops, checks) => {
    const of = published(on(allTheTime), rules);
    expect(of['VolumeReadOps']?.Values.length).toBe(ops);
    expect(of['VolumeIOPSExceededCheck']?.Values.length).toBe(checks);
  },
);

test('one minute in a hundred never comes: the same minutes of all metrics of a volume', () => {
  const of = published(on(gp3(steadyLoad)), { neverShare: 0.01 }, 3_000);
  const [reads, writes] = [of['VolumeReadOps'], of['VolumeWriteOps']];
  const missing = 3_000 - (reads?.Values.length ?? 0);
  expect(missing).toBeGreaterThan(15);
  expect(missing).toBeLessThan(50);
  expect(writes?.Timestamps).toEqual(reads?.Timestamps);
});

const steadyLoad = workers(16, 500, { noise: 0 });

test('what was left of a limit may be spent above it: after idle seconds 5 s of 3,000 I/O more, and no further', () => {
  const load = workers(16, windows(0, [1, 1, 6_000]), { noise: 0, maxWaitingIo: 0 });
  const servedIn = (spareSeconds: number): number =>
    at(ledgerOf(ran(on(gp3(load)), { spareSeconds })).servedIo, 1);
  expect(servedIn(5) - servedIn(0)).toBeCloseTo(5 * 3_000, -2);
  expect(servedIn(1) - servedIn(0)).toBeCloseTo(3_000, -2);
});

test('a volume that delivers 90 % for ten minutes of each thirty is throttled there by its limit, at 2,700 of 3,000', () => {
  const load = workers(16, steady(2_900), { noise: 0 });
  const ledger = ledgerOf(ran(on(gp3(load)), { deliveredShare: 0.9 }, 30));
  expect(at(ledger.servedIo, 5) / 60).toBeCloseTo(2_700, 0);
  expect(at(ledger.heldSeconds, 5)).toBeGreaterThan(30);
  expect(at(ledger.heldSeconds, 29)).toBe(0);
});

test('credits of an instance start as the rule says, unless its plan says otherwise', () => {
  const first = (plan: InstancePlan): number =>
    at(ran(plan, { instanceStartPercent: 0 }).ledger.lowestIoBalancePercent, 0);
  expect(first(on(gp3(steadyLoad), 'm5.large'))).toBeLessThan(1);
  expect(first({ ...on(gp3(steadyLoad), 'm5.large'), startIoBalancePercent: 80 })).toBeGreaterThan(79);
});

test('the usual rules publish every minute, and each level differs from them in something', () => {
  const one = { resource: 'vol-1', minute: 3, minutes: 4, askedAfterSeconds: 0 };
  expect(isPublished(usualRules, one)).toBe(true);
  for (const { rules } of Object.values(ruleLevels).flat())
    expect({ ...usualRules, ...rules }).not.toEqual(usualRules);
});
