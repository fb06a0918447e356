/** What scenarios need of the simulator beside the fleet: moves, gaps, stripes, sharing, balances, truth by the second. */
import { causeOf, causesIn } from './causes.ts';
import { at, type VolumeLedger } from './ledgers.ts';
import { burstsIn, closedLoop, windows, workers } from './loads.ts';
import { simulateInstances } from './move.ts';
import type { InstancePlan, VolumePlan } from './plan.ts';
import { publish } from './publish.ts';
import type { SimulatedInstance, SimulatedVolume, Window } from './simulate.ts';
import { stripedInstance } from './stripe-plans.ts';

const windowOf = (minutes: number): Window => ({ startEpochSeconds: 1_795_046_400, minutes, seed: 1 });
const on = (volumes: readonly VolumePlan[], rest: Partial<InstancePlan> = {}): InstancePlan => ({
  name: 'host',
  region: 'us-east-1',
  zone: 'us-east-1a',
  instanceType: 'm5.8xlarge',
  volumes,
  ...rest,
});
const gp3 = (name: string, rest: Partial<VolumePlan>): VolumePlan => ({
  name,
  volumeType: 'gp3',
  sizeGiB: 100,
  ...rest,
});
const simulated = (plan: InstancePlan, minutes: number): SimulatedInstance =>
  simulateInstances([plan], windowOf(minutes))[0] as SimulatedInstance;
const volumeOf = ({ volumes }: SimulatedInstance, index = 0): SimulatedVolume =>
  volumes[index] as SimulatedVolume;
const ledgerOf = (instance: SimulatedInstance, index = 0): VolumeLedger =>
  volumeOf(instance, index).ledger as VolumeLedger;
const boundIn = (ledger: VolumeLedger, minute: number): string[] => causesIn(at(ledger.boundBy, minute));
const exact = { noise: 0 };

describe('the truth of a minute', () => {
  test('counts the seconds in which load was throttled', () => {
    // 9,000 for 5 s from second 20: 3,000 a second leave 6,000 more waiting each; 30,000 waiting take 10 s more
    const burst = { fromSecond: 20, seconds: 5, ioPerSecond: 9_000, spread: 1 };
    const load = workers(8, 0, {
      ...exact,
      maxWaitingIo: Number.POSITIVE_INFINITY,
      burst: burstsIn([2], burst),
    });
    const ledger = ledgerOf(simulated(on([gp3('bursts', { load })]), 4));
    expect(Array.from(ledger.heldSeconds)).toEqual([0, 0, 14, 0]); // the last of the 15 s serves all that is left
    expect(Array.from(ledger.cause, causeOf)).toEqual(['none', 'none', 'volume-iops', 'none']);
  });

  test('names both limits of a volume where both are reached: 3,000 x 42.67 KiB are 125 MiB/s', () => {
    const load = closedLoop({ ioKiB: 128 / 3, workers: 64, thinkMs: 0 });
    const ledger = ledgerOf(simulated(on([gp3('both', { load })]), 2));
    expect(boundIn(ledger, 1)).toEqual(['volume-iops', 'volume-throughput']);
    expect([at(ledger.iopsExceeded, 1), at(ledger.throughputExceeded, 1)]).toEqual([60, 60]);
  });

  test('names the volume and its instance where both throttle in the same second', () => {
    // 16,000 IOPS demanded of each of two volumes that have 10,000; m5.4xlarge leaves 18,750 of their 20,000
    const load = workers(4, 16_000, exact);
    const volumes = ['a', 'b'].map((name) => gp3(name, { iops: 10_000, throughputMiBps: 1_000, load }));
    const instance = simulated(on(volumes, { instanceType: 'm5.4xlarge' }), 2);
    expect(boundIn(ledgerOf(instance), 1)).toEqual(['volume-iops', 'instance-iops']);
    expect(causeOf(ledgerOf(instance).cause[1])).toBe('instance-iops');
  });

  test('keeps what bound for a few seconds beside what bound for most', () => {
    // the volume for 40 s; a stall is reported by the whole minute
    const burst = { fromSecond: 0, seconds: 40, ioPerSecond: 4_000, spread: 1 };
    const load = workers(8, 100, { burst: burstsIn([1], burst), stalled: (minute) => minute === 2 });
    const ledger = ledgerOf(simulated(on([gp3('two', { load })]), 4));
    expect(boundIn(ledger, 1)).toEqual(['volume-iops']);
    expect(boundIn(ledger, 2)).toEqual(['stalled']);
    expect(at(ledger.heldSeconds, 2)).toBe(60);
  });
});

describe('a volume that moves to another instance', () => {
  const load = workers(8, windows(100, [5, 5, 4_000], [20, 5, 4_000]));
  const moved = gp3('moved', { load, movedFrom: { instance: 'first', atMinute: 15 } });
  const plans = [on([], { name: 'first' }), on([moved], { name: 'second' })];
  const instances = simulateInstances(plans, windowOf(30));

  test('has one history, on both of them', () => {
    const [first, second] = instances as [SimulatedInstance, SimulatedInstance];
    const ledger = ledgerOf(second);
    const held = Array.from(ledger.cause, causeOf).flatMap((cause, minute) =>
      cause === 'none' ? [] : [minute],
    );
    expect(held).toEqual([5, 6, 7, 8, 9, 20, 21, 22, 23, 24]);
    expect(first.volumes).toEqual([]);
    expect(at(first.ledger.servedIo, 7) / 60).toBeCloseTo(3_000, 0);
    expect(at(second.ledger.servedIo, 7)).toBe(0);
    expect(at(second.ledger.servedIo, 22) / 60).toBeCloseTo(3_000, 0);
  });

  test('is described on the second, and its checks come in two series', () => {
    const { describeVolumes, getMetricData } = publish(instances, windowOf(30));
    const second = instances[1] as SimulatedInstance;
    expect(describeVolumes.Volumes).toMatchObject([{ Attachments: [{ InstanceId: second.instanceId }] }]);
    const checks = getMetricData.MetricDataResults.filter(({ Label }) =>
      Label.endsWith(' VolumeIOPSExceededCheck'),
    );
    expect(checks.map(({ Values }) => Values.length)).toEqual([15, 15]);
    expect(checks.map(({ Values }) => Values.filter((value) => value === 1).length)).toEqual([5, 5]);
  });
});

test('a metric can be missing for a while or at all, of a volume and of an instance', () => {
  const missing = [
    { metric: 'VolumeQueueLength' },
    { metric: 'VolumeReadOps', span: { fromMinute: 4, minutes: 3 } },
  ];
  const plan = on([gp3('gaps', { load: workers(8, 100), missing })], {
    missing: [{ metric: 'InstanceEBSIOPSExceededCheck' }],
  });
  const { getMetricData } = publish([simulated(plan, 10)], windowOf(10));
  const points = (metric: string): number =>
    getMetricData.MetricDataResults.find(({ Label }) => Label.endsWith(` ${metric}`))?.Values.length ?? -1;
  expect(points('VolumeQueueLength')).toBe(0);
  expect(points('VolumeReadOps')).toBe(7);
  expect(points('VolumeWriteOps')).toBe(10);
  expect(points('InstanceEBSIOPSExceededCheck')).toBe(0);
  expect(points('InstanceEBSThroughputExceededCheck')).toBe(10);
});

test('an instance publishes the sums over its volumes by the minute, or by five', () => {
  const volumes = [gp3('a', { load: workers(8, 100, exact) }), gp3('b', { load: workers(16, 50, exact) })];
  const valuesWith = (monitoring: 'basic' | 'detailed'): readonly number[] => {
    const { getMetricData } = publish([simulated(on(volumes, { monitoring }), 10)], windowOf(10));
    return getMetricData.MetricDataResults.find(({ Label }) => Label.endsWith(' EBSReadOps'))?.Values ?? [];
  };
  expect(valuesWith('detailed')).toHaveLength(10);
  // half of 150 a second are reads: 75 x 300 in five minutes
  expect(valuesWith('basic')).toHaveLength(2);
  expect((valuesWith('basic')[1] ?? 0) / (75 * 300)).toBeCloseTo(1, 2);
});

describe('an instance at its limit', () => {
  // 25,000 + 100 are asked of 18,750
  const wide = { iops: 30_000, throughputMiBps: 1_000 };
  const volumes = [
    gp3('busy', { ...wide, load: closedLoop({ ioKiB: 4, workers: 25, thinkMs: 0 }) }),
    gp3('quiet', { load: workers(4, 100, exact) }),
  ];
  const latencyMs = ({ timeSeconds, servedIo }: VolumeLedger): number =>
    (at(timeSeconds, 2) / at(servedIo, 2)) * 1_000;

  test('that shares fairly leaves a small neighbour alone', () => {
    const instance = simulated(on(volumes, { instanceType: 'm5.4xlarge', sharing: 'fair' }), 4);
    expect(causeOf(ledgerOf(instance, 0).cause[2])).toBe('instance-iops');
    expect(at(ledgerOf(instance, 0).servedIo, 2) / 60).toBeCloseTo(18_750 - 100, -1);
    expect(causeOf(ledgerOf(instance, 1).cause[2])).toBe('none');
    expect(latencyMs(ledgerOf(instance, 1))).toBeLessThan(1);
  });

  test('that shares in proportion lets everybody wait', () => {
    const instance = simulated(on(volumes, { instanceType: 'm5.4xlarge' }), 4);
    expect(causeOf(ledgerOf(instance, 1).cause[2])).toBe('instance-iops');
    expect(latencyMs(ledgerOf(instance, 1))).toBeGreaterThan(10);
  });

  test('starts with the balances that it is given', () => {
    // 10 % of (18,750 - 3,600) x 1,800 s last 180 s at the maximum
    const load = closedLoop({ ioKiB: 4, workers: 64, thinkMs: 0 });
    const plan = on([gp3('busy', { ...wide, load })], {
      instanceType: 'm5.large',
      startIoBalancePercent: 10,
    });
    const { ledger } = simulated(plan, 5);
    expect(Array.from(ledger.cause, causeOf)).toEqual([
      'instance-iops',
      'instance-iops',
      'instance-iops',
      'instance-credits',
      'instance-credits',
    ]);
  });
});

describe('a stripe', () => {
  test('shows the same operations on all members in each minute', () => {
    const instance = simulated(stripedInstance(), 30);
    const [first, ...others] = instance.volumes.map(({ ledger }) => Array.from(ledger?.servedIo ?? []));
    // 4,000 a second over four members
    expect((first?.[3] ?? 0) / 60 / 1_000).toBeCloseTo(1, 1);
    expect(others).toEqual([first, first, first]);
  });

  test('with a straggler shows it by its queue and latency, not by its rate', () => {
    const instance = simulated(stripedInstance({ straggler: { member: 2, serviceFactor: 5 } }), 30);
    const ledgers = instance.volumes.map(({ ledger }) => ledger as VolumeLedger);
    const times = ledgers.map(({ timeSeconds, servedIo }) => at(timeSeconds, 9) / at(servedIo, 9));
    const factor = (times[2] ?? 0) / (times[0] ?? 0);
    expect(factor).toBeGreaterThan(4.4); // service times differ by 5 % from minute to minute and member to member
    expect(factor).toBeLessThan(5.6);
    expect(at(ledgers[2]?.servedIo as Float64Array, 9)).toBeCloseTo(
      at(ledgers[0]?.servedIo as Float64Array, 9),
      6,
    );
    expect(ledgers.every(({ cause }) => cause.every((code) => code === 0))).toBe(true);
  });
});
