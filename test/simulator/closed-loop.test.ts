import { sum } from 'simple-statistics';
import { type VolumeType, volumeLimits } from '../../core/limits/volume-limits.ts';
import { causeOf } from './causes.ts';
import { ClosedLoopRun } from './closed-loop-run.ts';
import { InstanceRun } from './instance-run.ts';
import { instanceLimits } from './instance-types.ts';
import { at, type VolumeLedger } from './ledgers.ts';
import { type ClosedLoop, closedLoop, windows, workers } from './loads.ts';
import { uniformSource } from './random.ts';
import { VolumeRun } from './volume-run.ts';

interface Spec {
  volumeType?: VolumeType;
  sizeGiB?: number;
  iops?: number;
  throughputMiBps?: number;
  load: ClosedLoop;
  minutes?: number;
  startBalancePercent?: number;
}

/** A gp3 of 3,000 IOPS and 125 MiB/s unless said otherwise: 0.8 ms for an I/O (+- 5 % by the minute) and its transfer. */
function closed(spec: Spec): ClosedLoopRun {
  const { volumeType = 'gp3', sizeGiB = 100, minutes = 5, startBalancePercent = 100, load, ...rest } = spec;
  return new ClosedLoopRun({
    limits: volumeLimits({ volumeType, sizeGiB, ...rest, deployment: 'region' }),
    load,
    startBalancePercent,
    seconds: minutes * 60,
    firstPlanMinute: 0,
    uniform: uniformSource(7, 'test'),
  });
}

function ledgerOf(spec: Spec): VolumeLedger {
  const run = closed(spec);
  // 80,000 IOPS and more than any of these volumes reaches
  new InstanceRun(instanceLimits('r5b.8xlarge'), [run], spec.minutes ?? 5).run();
  return run.ledger;
}

const perSecond = (column: Float64Array, minute: number): number => at(column, minute) / 60;
const latencyMs = (ledger: VolumeLedger, minute: number): number =>
  (at(ledger.timeSeconds, minute) / at(ledger.servedIo, minute)) * 1_000;
const causesOf = ({ cause }: VolumeLedger): string[] => Array.from(cause, causeOf);
const exact = { noise: 0, ioKiB: 4, thinkMs: 0 } as const;

describe('a closed loop that nothing throttles', () => {
  test('reaches workers / (service + think)', () => {
    // 2 workers, 0.8 ms + 4 KiB at 125 MiB/s = 0.03 ms, + 9.17 ms of thinking = 10 ms: 200 a second
    const ledger = ledgerOf({ load: closedLoop({ ...exact, workers: 2, thinkMs: 9.17 }) });
    for (let minute = 0; minute < 5; minute++) {
      // the service time of a minute is 5 % more or less, 0.4 % of the cycle
      expect(perSecond(ledger.servedIo, minute)).toBeGreaterThan(200 / 1.005);
      expect(perSecond(ledger.servedIo, minute)).toBeLessThan(200 / 0.995);
      expect(at(ledger.demandIo, minute)).toBeCloseTo(at(ledger.servedIo, minute), 6);
    }
    expect(causesOf(ledger)).toEqual(Array(5).fill('none'));
  });

  test('without thinking keeps all its workers in flight and is never idle', () => {
    const ledger = ledgerOf({ load: closedLoop({ ...exact, workers: 2 }) });
    expect(at(ledger.queueLength, 1)).toBeCloseTo(2, 9);
    expect(at(ledger.idleSeconds, 1)).toBe(0);
    // Little: 2 in flight, each for 0.83 ms
    expect(latencyMs(ledger, 1)).toBeGreaterThan(0.83 * 0.94);
    expect(latencyMs(ledger, 1)).toBeLessThan(0.83 * 1.06);
    expect(perSecond(ledger.servedIo, 1) * (latencyMs(ledger, 1) / 1_000)).toBeCloseTo(2, 9);
  });

  test('is idle while all its workers think', () => {
    // one worker, 0.83 of 8.3 ms in flight: idle 90 % of the time; two: 0.9 x 0.9
    const one = ledgerOf({ load: closedLoop({ ...exact, workers: 1, thinkMs: 7.47 }) });
    const two = ledgerOf({ load: closedLoop({ ...exact, workers: 2, thinkMs: 7.47 }) });
    expect(at(one.idleSeconds, 1) / 60).toBeCloseTo(0.9, 2);
    expect(at(two.idleSeconds, 1) / 60).toBeCloseTo(0.81, 1);
    const nobody = ledgerOf({ load: closedLoop({ ...exact, workers: 0 }) });
    expect(at(nobody.idleSeconds, 1)).toBe(60);
    expect(at(nobody.servedIo, 1)).toBe(0);
  });

  test('varies by a few per cent from second to second, the queue of a loop without thinking does not', () => {
    const load = closedLoop({ ioKiB: 4, workers: 2, thinkMs: 0, noise: 0.03 });
    const { servedIo, queueLength } = ledgerOf({ load });
    expect(perSecond(servedIo, 1)).not.toBeCloseTo(perSecond(servedIo, 2), 3);
    expect(at(queueLength, 1)).toBeCloseTo(2, 9);
  });
});

describe('a closed loop at a limit of C', () => {
  test('serves C, and whoever does not think waits: n in flight, each for n / C', () => {
    // 32 / 0.83 ms would be 38,500 a second; 3,000 are served, 32 / 3,000 = 10.7 ms each
    const ledger = ledgerOf({ load: closedLoop({ ...exact, workers: 32 }) });
    expect(perSecond(ledger.servedIo, 2)).toBeCloseTo(3_000, 6);
    expect(perSecond(ledger.demandIo, 2)).toBeGreaterThan(36_000);
    expect(at(ledger.queueLength, 2)).toBeCloseTo(32, 9);
    expect(latencyMs(ledger, 2)).toBeCloseTo(32 / 3, 6);
    expect(at(ledger.idleSeconds, 2)).toBe(0);
    expect(causesOf(ledger)).toEqual(Array(5).fill('volume-iops'));
    expect(Array.from(ledger.heldSeconds)).toEqual(Array(5).fill(60));
    expect(Array.from(ledger.iopsExceeded)).toEqual(Array(5).fill(60));
  });

  test('leaves C x z of its workers thinking', () => {
    // 100 workers, 20 ms of thinking: 100 / 20.83 ms = 4,800 a second demanded; at 3,000, 60 think and 40 wait 13.3 ms
    const ledger = ledgerOf({ load: closedLoop({ ...exact, workers: 100, thinkMs: 20 }) });
    expect(perSecond(ledger.servedIo, 2)).toBeCloseTo(3_000, 6);
    expect(perSecond(ledger.demandIo, 2) / 4_800).toBeCloseTo(1, 1);
    expect(at(ledger.queueLength, 2)).toBeCloseTo(40, 6);
    expect(latencyMs(ledger, 2)).toBeCloseTo(40 / 3, 6);
  });

  test('by its bytes: 1 MiB I/O at 125 MiB/s', () => {
    const ledger = ledgerOf({ load: closedLoop({ ...exact, ioKiB: 1_024, workers: 8 }) });
    expect(perSecond(ledger.servedMiB, 2)).toBeCloseTo(125, 6);
    expect(latencyMs(ledger, 2)).toBeCloseTo((8 / 125) * 1_000, 6); // 64 ms
    expect(causesOf(ledger)).toEqual(Array(5).fill('volume-throughput'));
  });

  test('of its instance: the instance is the cause, and its volume has no check', () => {
    // an m5.large without credits leaves 3,600 of the 16,000 IOPS
    const fast = { iops: 16_000, throughputMiBps: 1_000, load: closedLoop({ ...exact, workers: 64 }) };
    const run = closed({ ...fast, minutes: 2 });
    const limits = instanceLimits('m5.large');
    const instance = new InstanceRun(limits, [run], 2);
    instance.io.balance = 0;
    instance.run();
    expect(perSecond(run.ledger.servedIo, 1)).toBeCloseTo(3_600, 6);
    expect(at(run.ledger.queueLength, 1)).toBeCloseTo(64, 9);
    expect(causesOf(run.ledger)).toEqual(['instance-credits', 'instance-credits']);
    expect(at(instance.ledger.iopsExceeded, 1)).toBe(60);
  });

  test('leaves no backlog: the minute after the limit lifts is calm', () => {
    const count = windows(2, [2, 10, 64]);
    const ledger = ledgerOf({ load: closedLoop({ ...exact, workers: count }), minutes: 14 });
    const causes = causesOf(ledger);
    expect([causes.indexOf('volume-iops'), causes.lastIndexOf('volume-iops')]).toEqual([2, 11]);
    expect(at(ledger.queueLength, 12)).toBeCloseTo(2, 9);
    const open = workers(4, windows(1_500, [2, 10, 4_000]), { maxWaitingIo: Number.POSITIVE_INFINITY });
    const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
    const times = { seconds: 14 * 60, firstPlanMinute: 0, startBalancePercent: 100 };
    const run = new VolumeRun({ ...times, limits, load: open, uniform: uniformSource(7, 'open') });
    new InstanceRun(instanceLimits('r5b.8xlarge'), [run], 14).run();
    expect(causesOf(run.ledger)[12]).toBe('volume-iops');
  });

  test('falls to the baseline when the credits are spent', () => {
    // 100 GiB gp2: 3,000 a second spend 2,700 credits; 10 % of 5.4 million last 200 s
    const load = closedLoop({ ...exact, workers: 16 });
    const ledger = ledgerOf({ volumeType: 'gp2', load, startBalancePercent: 10 });
    expect(perSecond(ledger.servedIo, 1)).toBeCloseTo(3_000, 6);
    expect(perSecond(ledger.servedIo, 4)).toBeCloseTo(300, 6);
    expect(latencyMs(ledger, 4)).toBeCloseTo((16 / 300) * 1_000, 6); // 53 ms
    expect(causesOf(ledger)).toEqual([...Array(3).fill('volume-iops'), ...Array(2).fill('volume-credits')]);
  });
});

test('a closed loop that stalls has all its workers in flight, and their wait is reported when they return', () => {
  const load = closedLoop({ ...exact, workers: 8, stalled: (minute) => minute === 2 });
  const ledger = ledgerOf({ load });
  expect(at(ledger.servedIo, 2)).toBe(0);
  expect(at(ledger.queueLength, 2)).toBe(8);
  expect(at(ledger.timeSeconds, 2)).toBe(0);
  expect(at(ledger.timeSeconds, 3)).toBeCloseTo(8 * 60 + 8 * 60, 6);
  expect(causesOf(ledger)[2]).toBe('stalled');
});

test('a closed loop conserves I/O and keeps Little’s law', () => {
  const load = closedLoop({ ioKiB: 16, workers: windows(3, [5, 10, 90]), thinkMs: 12 });
  const run = closed({ load, minutes: 30 });
  new InstanceRun(instanceLimits('r5b.8xlarge'), [run], 30).run();
  const { issuedIo, servedIo, timeSeconds, queueLength } = run.ledger;
  expect(sum(Array.from(servedIo)) + run.inFlight).toBeCloseTo(sum(Array.from(issuedIo)), 6);
  expect(sum(Array.from(timeSeconds))).toBeCloseTo(sum(Array.from(queueLength)) * 60, 6);
});

test('an open load demanded all that arrived, also what its clients gave up', () => {
  // 5,000 a second of which 3,000 are served and at most 64 wait: 2,000 a second are given up
  const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
  const run = new VolumeRun({
    limits,
    load: workers(8, 5_000, { noise: 0, maxWaitingIo: 64 }),
    startBalancePercent: 100,
    seconds: 120,
    firstPlanMinute: 0,
    uniform: uniformSource(7, 'open'),
  });
  new InstanceRun(instanceLimits('r5b.8xlarge'), [run], 2).run();
  expect(perSecond(run.ledger.demandIo, 1)).toBeCloseTo(5_000, 0);
  expect(perSecond(run.ledger.issuedIo, 1)).toBeCloseTo(3_000, 0);
});
