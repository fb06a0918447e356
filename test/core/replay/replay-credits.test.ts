/** Credits in the replay, by hand: of gp2, st1 and instances, and what an instance carries beside. */
import { creditBucket, creditsAfter } from '../../../core/credits/credits.ts';
import { causeCode } from '../../../core/diagnosis/causes.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { type ConfigurationOptions, replayConfiguration } from '../../../core/replay/configuration.ts';
import { replay, replayColumns } from '../../../core/replay/replay.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { aLayout, gp2, load, times } from './loads.ts';

const gp3 = (options: ConfigurationOptions = {}) => replayConfiguration(aLayout(), options);

describe('gp2 of 500 GiB', () => {
  const full = replayConfiguration(gp2(500), {});

  test('at 3,000 the bucket lasts 5.4 M / (3,000 - 1,500) = 3,600 s, then its credits throttle it', () => {
    const { byCause, lowestCreditPercent, lowestCredits } = replay(load(times(70, 3_000)), full);
    expect(byCause).toEqual({ 'volume-credits': 10 });
    expect(lowestCreditPercent).toBe(0);
    expect(lowestCredits).toEqual({ volume: 0, instanceIo: null, instanceBytes: null });
  });

  test('above the burst it is its IOPS that throttle it, while there are credits', () => {
    expect(replay(load(times(3, 4_000)), full).byCause).toEqual({ 'volume-iops': 3 });
  });

  test('a bucket that runs dry within a minute gives what it has', () => {
    // From 1 %: 54,000 credits, at 3,000 spent in 36 s. 60 x 1,500 + 54,000 = 144,000 of 180,000 I/O.
    const almostEmpty = replayConfiguration(gp2(500), { startPercent: { volume: 1 } });
    const { served, backlog, cause } = replayColumns(load([3_000, 0]), almostEmpty);
    expect(served[0]).toBeCloseTo(144_000 / 60, 9);
    expect(backlog[0]).toBeCloseTo(36_000, 9);
    expect(cause[0]).toBe(causeCode['volume-credits']);
    // The next minute is idle: the 36,000 drain in 24 s.
    expect(served[1]).toBeCloseTo(600, 9);
    expect([backlog[1], cause[1]]).toEqual([0, causeCode['volume-credits']]);
  });

  test('the lowest balance is that of creditsAfter', () => {
    const bucket = creditBucket(volumeLimits({ volumeType: 'gp2', sizeGiB: 500, deployment: 'region' }));
    if (bucket === null) throw new Error('gp2 of 500 GiB has a bucket');
    const rates = [2_500, 1_800, 0, 3_000, 3_000, 700];
    let credits = bucket.capacity * 0.8;
    let lowest = credits;
    for (const rate of rates) {
      credits = creditsAfter(bucket, credits, rate, 60);
      lowest = Math.min(lowest, credits);
    }
    const from80 = replayConfiguration(gp2(500), { startPercent: { volume: 80 } });
    const { volume } = replay(load(rates), from80).lowestCredits;
    expect(volume).toBeCloseTo((100 * lowest) / bucket.capacity, 9);
  });

  test('two of them in a stripe last as long at twice the load', () => {
    const stripe = replayConfiguration(gp2(500, { kind: 'stripe', members: 2 }), {});
    expect(replay(load(times(70, 6_000)), stripe).byCause).toEqual({ 'volume-credits': 10 });
  });

  test('without load it stays full', () => {
    expect(replay(load(times(10, 0)), full).lowestCreditPercent).toBe(100);
  });
});

test('st1 of 2 TiB spends MiB: 500 MiB/s last 2 TiB / (500 - 80) = 4,993 s', () => {
  const st1 = replayConfiguration(
    aLayout({ volumeType: 'st1', sizeGiB: 2_048, iops: 80, throughputMiBps: 80 }),
    {},
  );
  // 500 a second of 1 MiB: 83 whole minutes are within 4,993 s, the 84th runs dry 13 s in.
  const { byCause, throttledMinutes } = replay(load(times(90, 500), 1_024), st1);
  expect({ byCause, throttledMinutes }).toEqual({ byCause: { 'volume-credits': 7 }, throttledMinutes: 7 });
});

describe('an instance with credits', () => {
  // 2,000 I/O a second all the time, 3,000 at most: (3,000 - 2,000) x 1,800 s = 1.8 M I/O of credits.
  const instance = ebs(2_000, 500, { maximumIops: 3_000 });
  const on = (options: ConfigurationOptions = {}) =>
    replayConfiguration(aLayout({ iops: 8_000 }), { instance, ...options });

  test('30 minutes at the maximum, then its credits throttle it', () => {
    const { byCause, lowestCredits } = replay(load(times(35, 3_000)), on());
    expect(byCause).toEqual({ 'instance-credits': 5 });
    expect(lowestCredits).toEqual({ volume: null, instanceIo: 0, instanceBytes: null });
  });

  test('above the maximum it is its IOPS', () => {
    expect(replay(load([4_000]), on()).byCause).toEqual({ 'instance-iops': 1 });
  });

  test('refilled by what the load leaves of the baseline', () => {
    // From empty, 30 minutes at 1,000 earn 1,000 x 1,800 = all of it: 30 minutes at 3,000 are served again.
    const empty = on({ startPercent: { instanceIo: 0 } });
    const again = load([...times(30, 1_000), ...times(30, 3_000)]);
    expect(replay(again, empty).throttledMinutes).toBe(0);
    expect(replay(load([...times(29, 1_000), ...times(30, 3_000)]), empty).throttledMinutes).toBe(1);
  });

  test('idle it is full again within 24 h, though its baseline is small', () => {
    // (8,000 - 100) x 1,800 = 14.22 M, which 100 a second would earn in 39.5 h. After 12 idle hours there are 7.11 M of
    // them, and at 8,000 they last 7.11 M / 7,900 = 900 s.
    const small = { instance: ebs(100, 500, { maximumIops: 8_000 }), startPercent: { instanceIo: 0 } };
    const series = load([...times(12 * 60, 0), ...times(20, 8_000)]);
    expect(replay(series, on(small)).byCause).toEqual({ 'instance-credits': 5 });
  });

  test('shared with what is beside, by what each wants', () => {
    // 3,000 here and 6,000 beside want 9,000 of 3,000: a third of each.
    const beside = { iops: Float64Array.of(6_000), mibps: Float64Array.of(0) };
    const { served, cause } = replayColumns(load([3_000], 16, { beside }), on());
    expect(served[0]).toBeCloseTo(1_000, 9);
    expect(cause[0]).toBe(causeCode['instance-iops']);
  });

  test('what the volume cannot do is not asked of the instance', () => {
    // The volume lets 3,000 of 9,000 through; with 1,000 beside that is 4,000 of 4,000.
    const beside = { iops: Float64Array.of(1_000), mibps: Float64Array.of(0) };
    const roomy = gp3({ instance: ebs(4_000, 500) });
    expect(replay(load([9_000], 16, { beside }), roomy).byCause).toEqual({ 'volume-iops': 1 });
    expect(replayColumns(load([9_000], 16, { beside }), roomy).served[0]).toBeCloseTo(3_000, 9);
  });

  test('what is beside throttles nothing here where nothing is asked', () => {
    const beside = { iops: Float64Array.of(9_000), mibps: Float64Array.of(0) };
    expect(replay(load([0], 16, { beside }), on())).toMatchObject({
      throttledMinutes: 0,
      backlogSecondsMax: 0,
    });
  });

  test('what is beside counts on an instance alone, and spends its credits', () => {
    const beside = { iops: Float64Array.of(2_500), mibps: Float64Array.of(0) };
    expect(replay(load([0], 16, { beside }), gp3()).lowestCreditPercent).toBeNull();
    // (2,500 - 2,000) x 60 = 30,000 of 1.8 M
    expect(replay(load([0], 16, { beside }), on()).lowestCreditPercent).toBeCloseTo(100 - 30_000 / 18_000, 9);
  });
});
