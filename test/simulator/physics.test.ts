import { sum } from 'simple-statistics';
import { type VolumeType, volumeLimits } from '../../core/limits/volume-limits.ts';
import { causeOf } from './causes.ts';
import { CreditBucket, InstanceRun } from './instance-run.ts';
import { type InstanceLimits, instanceLimits } from './instance-types.ts';
import { at } from './ledgers.ts';
import { type OpenLoad, planMinutes, stream, windows, workers } from './loads.ts';
import { uniformSource } from './random.ts';
import { VolumeRun } from './volume-run.ts';

const openLoop = { maxWaitingIo: Number.POSITIVE_INFINITY };
const noNoise = { noise: 0 };
const endless: InstanceLimits = {
  nitro: true,
  baselineIops: 1e9,
  maximumIops: 1e9,
  baselineMiBps: 1e9,
  maximumMiBps: 1e9,
  ebsCards: 1,
};

interface Spec {
  volumeType: VolumeType;
  sizeGiB: number;
  iops?: number;
  throughputMiBps?: number;
  load: OpenLoad;
  minutes: number;
  startBalancePercent?: number;
}

const volumeRun = (spec: Spec): VolumeRun =>
  new VolumeRun({
    limits: volumeLimits({ ...spec, deployment: 'region' }),
    load: spec.load,
    startBalancePercent: spec.startBalancePercent ?? 100,
    seconds: spec.minutes * 60,
    firstPlanMinute: 0,
    uniform: uniformSource(7, 'test'),
  });

function alone(spec: Spec): VolumeRun {
  const run = volumeRun(spec);
  new InstanceRun(endless, [run], spec.minutes).run();
  return run;
}

const total = (column: Float64Array): number => sum(Array.from(column));
const causesOf = (run: VolumeRun): string[] => Array.from(run.ledger.cause, causeOf);

describe('a volume, second by second', () => {
  test('conserves I/O: what was served and what still waits is what was issued', () => {
    const load = workers(16, windows(1_500, [10, 20, 4_000]), openLoop);
    for (const minutes of [25, 60]) {
      const run = alone({ volumeType: 'gp3', sizeGiB: 100, load, minutes });
      const { issuedIo, servedIo, servedMiB } = run.ledger;
      expect(total(servedIo) + run.waitingIo).toBeCloseTo(total(issuedIo), 3);
      expect(total(servedMiB)).toBeCloseTo((total(servedIo) * 16) / 1_024, 3);
    }
  });

  test('drains an open loop after the demand falls', () => {
    // 1,000 too many for 20 minutes = 1,200,000 waiting, worked off at 3,000 - 1,500 a second: 800 s = 13.3 minutes
    const load = workers(16, windows(1_500, [10, 20, 4_000]), { ...openLoop, ...noNoise });
    const causes = causesOf(alone({ volumeType: 'gp3', sizeGiB: 100, load, minutes: 60 }));
    expect(causes.lastIndexOf('volume-iops')).toBe(30 + 13);
    expect(causes.filter((cause) => cause === 'volume-iops')).toHaveLength(20 + 14);
  });

  test('lets no more wait than a closed loop has workers', () => {
    const run = alone({
      volumeType: 'gp3',
      sizeGiB: 100,
      load: workers(8, 5_000, { maxWaitingIo: 64 }),
      minutes: 5,
    });
    expect(run.waitingIo).toBe(64);
    // 64 waiting at 3,000 a second are 21 ms, on top of 0.8 ms of service
    const latencyMs = (at(run.ledger.timeSeconds, 3) / at(run.ledger.servedIo, 3)) * 1_000;
    expect(latencyMs).toBeGreaterThan(20);
    expect(latencyMs).toBeLessThan(40);
  });

  test('keeps Little’s law: time in the volume is the queue times the seconds', () => {
    const load = workers(16, windows(1_500, [10, 20, 4_000]), openLoop);
    const { timeSeconds, queueLength } = alone({ volumeType: 'gp3', sizeGiB: 100, load, minutes: 60 }).ledger;
    const inQueueSeconds = total(queueLength) * 60;
    expect(Math.abs(total(timeSeconds) - inQueueSeconds) / inQueueSeconds).toBeLessThan(0.01);
  });

  test('is idle while nothing is in flight', () => {
    const quiet = alone({ volumeType: 'gp3', sizeGiB: 100, load: workers(8, 0), minutes: 2 }).ledger;
    expect(at(quiet.idleSeconds, 1)).toBe(60);
    // 100 I/O of about 0.86 ms one after the other: 0.086 s of each second
    const light = alone({
      volumeType: 'gp3',
      sizeGiB: 100,
      load: workers(8, 100, noNoise),
      minutes: 2,
    }).ledger;
    expect(at(light.idleSeconds, 1)).toBeCloseTo(60 * (1 - 0.086), 0);
    const full = alone({ volumeType: 'gp3', sizeGiB: 100, load: workers(8, 4_000), minutes: 2 }).ledger;
    expect(at(full.idleSeconds, 1)).toBe(0);
  });

  test('completes nothing while it stalls, and names the minute so', () => {
    const load = workers(8, 400, { stalled: (minute) => minute === 2 });
    const run = alone({ volumeType: 'gp3', sizeGiB: 100, load, minutes: 5 });
    expect(at(run.ledger.servedIo, 2)).toBe(0);
    expect(at(run.ledger.idleSeconds, 2)).toBe(0);
    expect(causesOf(run)).toEqual(['none', 'none', 'stalled', 'none', 'none']);
  });

  test.each([
    { ioKiB: 16, demand: 4_000, cause: 'volume-iops', iops: 3_000 }, // 3,000 x 16 KiB = 47 of 125 MiB/s
    { ioKiB: 64, demand: 4_000, cause: 'volume-throughput', iops: 2_000 }, // 125 MiB/s / 64 KiB
    { ioKiB: 512, demand: 400, cause: 'volume-throughput', iops: 250 }, // 125 MiB/s / 512 KiB, 500 of 3,000 operations
  ])('names what binds at $ioKiB KiB', ({ ioKiB, demand, cause, iops }) => {
    const run = alone({ volumeType: 'gp3', sizeGiB: 100, load: workers(ioKiB, demand), minutes: 3 });
    expect(causesOf(run)).toEqual([cause, cause, cause]);
    expect(at(run.ledger.servedIo, 1) / 60).toBeCloseTo(iops, 6);
    expect(at(run.ledger.servedUnits, 1) / 60).toBeCloseTo(iops * Math.ceil(ioKiB / 256), 6);
  });
});

describe('the credits of a volume', () => {
  test('a full 100 GiB gp2 at saturating demand is empty after 2,000 s', () => {
    // 5,400,000 / (3,000 - 300) = 2,000 s = 33 minutes and 20 seconds
    const run = alone({ volumeType: 'gp2', sizeGiB: 100, load: workers(16, 5_000), minutes: 40 });
    const causes = causesOf(run);
    expect(causes.indexOf('volume-credits')).toBe(33);
    expect(at(run.ledger.lowestBalancePercent, 32)).toBeCloseTo((20 / 2_000) * 100, 6);
    expect(at(run.ledger.lowestBalancePercent, 33)).toBe(0);
    expect(total(run.ledger.servedIo)).toBeCloseTo(2_000 * 3_000 + 400 * 300, 3);
  });

  test('a hard disk pays a whole MiB for a small random I/O, and only the bytes of a sequential one', () => {
    // 1 TiB st1: baseline 40 MiB/s. 100 x 1 MiB spend 60 a second; 100 x 16 KiB = 1.6 MiB/s spend nothing.
    const spec = { volumeType: 'st1', sizeGiB: 1_024, minutes: 10, startBalancePercent: 50 } as const;
    const random = alone({ ...spec, load: workers(16, 100, noNoise) });
    const merged = alone({ ...spec, load: stream(16, 100, noNoise) });
    const bucketMiB = 1_024 * 1_024;
    const percentAfter = (mibPerSecond: number): number => 50 + ((mibPerSecond * 600) / bucketMiB) * 100;
    expect(random.capacity.balancePercent()).toBeCloseTo(percentAfter(40 - 100), 1);
    expect(merged.capacity.balancePercent()).toBeCloseTo(percentAfter(40 - 1.6), 1);
  });

  test.each([
    { volumeType: 'gp2', sizeGiB: 20, load: workers(8, 2_000) },
    { volumeType: 'gp2', sizeGiB: 500, load: workers(8, 10) },
    { volumeType: 'st1', sizeGiB: 500, load: stream(1_024, 150) },
    { volumeType: 'sc1', sizeGiB: 500, load: workers(16, 60) },
  ] as const)('stay within the bucket of $volumeType $sizeGiB GiB', ({ volumeType, sizeGiB, load }) => {
    const run = alone({ volumeType, sizeGiB, load, minutes: 180, startBalancePercent: 20 });
    for (const percent of run.ledger.lowestBalancePercent) {
      expect(percent).toBeGreaterThanOrEqual(0);
      expect(percent).toBeLessThanOrEqual(100);
    }
  });
});

describe('an instance and its volumes', () => {
  const gp3 = (ioPerSecond: number): VolumeRun =>
    volumeRun({
      volumeType: 'gp3',
      sizeGiB: 100,
      iops: 16_000,
      throughputMiBps: 1_000,
      load: workers(4, ioPerSecond, { ...noNoise, maxWaitingIo: 0 }),
      minutes: 3,
    });

  test('share in proportion to what each volume could do', () => {
    // 15,000 + 7,500 + 2,500 = 25,000 of 18,750: each gets 75 %
    const runs = [gp3(15_000), gp3(7_500), gp3(2_500)];
    const instance = new InstanceRun(instanceLimits('m5.4xlarge'), runs, 3);
    instance.run();
    const servedIops = runs.map((run) => at(run.ledger.servedIo, 1) / 60);
    expect(servedIops.map(Math.round)).toEqual([11_250, 5_625, 1_875]);
    expect(runs.map((run) => causesOf(run)[1])).toEqual(['instance-iops', 'instance-iops', 'instance-iops']);
    expect(runs.map((run) => at(run.ledger.iopsExceeded, 1))).toEqual([0, 0, 0]);
    expect(at(instance.ledger.iopsExceeded, 1)).toBe(60);
  });

  test('run on credits at the maximum for 30 minutes, then at the baseline', () => {
    const bucket = new CreditBucket(2_000, 11_800);
    expect(bucket.capacity).toBe(17_640_000); // (11,800 - 2,000) x 1,800 s
    let seconds = 0;
    while (bucket.allowed() === 11_800) {
      bucket.settle(11_800);
      seconds++;
    }
    expect(seconds).toBe(1_800);
    expect(bucket.allowed()).toBe(2_000);
  });

  test('refill by what the baseline leaves, and never slower than in 24 hours', () => {
    const plain = new CreditBucket(12_000, 18_750);
    plain.balance = 0;
    plain.settle(2_000);
    expect(plain.balance).toBe(10_000); // 12,000 - 2,000
    const steep = new CreditBucket(10, 800); // 790 x 1,800 = 1,422,000 at 10 a second would take 39.5 hours
    steep.balance = 0;
    for (let second = 0; second < 86_400; second++) steep.settle(0);
    expect(steep.percent()).toBeCloseTo(100, 6);
  });
});

test('the plan is 26 hours long', () => {
  expect(planMinutes).toBe(1_560);
});
