/** The replay by hand: every figure can be added up. */
import { causeCode } from '../../../core/diagnosis/causes.ts';
import { type ConfigurationOptions, replayConfiguration } from '../../../core/replay/configuration.ts';
import { replay, replayColumns, throttledMinutesOf } from '../../../core/replay/replay.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { aLayout, gp2, load, times } from './loads.ts';

const gp3 = (options: ConfigurationOptions = {}) => replayConfiguration(aLayout(), options);

describe('10 minutes at 4,000 IOPS of 16 KiB, then 2,000, on 3,000', () => {
  const series = load([...times(10, 4_000), ...times(20, 2_000)]);

  test('1,000 a second are left over for 600 s: 600,000 wait, 200 s of capacity', () => {
    expect(replay(series, gp3()).backlogSecondsMax).toBeCloseTo(200, 9);
    expect(replayColumns(series, gp3()).backlog[9]).toBeCloseTo(600_000, 6);
  });

  test('they drain at 1,000 a second: 10 more minutes are throttled, then none', () => {
    const { throttledMinutes, byCause, backlogIoAtEnd } = replay(series, gp3());
    expect({ throttledMinutes, byCause, backlogIoAtEnd }).toEqual({
      throttledMinutes: 20,
      byCause: { 'volume-iops': 20 },
      backlogIoAtEnd: 0,
    });
  });

  test('first in, first out: what is not served in its own period', () => {
    // The backlog in thousands, a minute each: 60, 120, 180, then 240 and more while 240 are asked; from 540 down to 60
    // while 120 are asked. Late: 60 + 120 + 180 + 7 x 240 + 8 x 120 + 60 = 3,060 of 10 x 240 + 20 x 120 = 4,800.
    expect(replay(series, gp3()).unservedShare).toBeCloseTo(3_060 / 4_800, 12);
  });

  test('the 95th percentile of 30 periods is the 29th: 180 s', () => {
    // 0.95 x 30 = 28.5, so the 29th of 30; the longest are 200 (after minute 10), 180 (after 9 and 11).
    expect(replay(series, gp3()).backlogSecondsP95).toBeCloseTo(180, 9);
  });

  test('period by period', () => {
    const { served, cause } = replayColumns(series, gp3());
    expect(served[0]).toBeCloseTo(3_000, 9);
    expect(served[19]).toBeCloseTo(3_000, 9); // the last of the backlog and 2,000 new ones
    expect([...served.slice(20)]).toEqual(times(10, 2_000));
    expect([...cause]).toEqual([...times(20, causeCode['volume-iops']), ...times(10, causeCode.none)]);
  });

  test('throttled minutes alone, and enough of them', () => {
    expect(throttledMinutesOf(series, gp3())).toBe(20);
    expect(throttledMinutesOf(series, gp3(), 5)).toBe(6);
    expect(throttledMinutesOf(series, gp3(), 20)).toBe(20);
  });
});

test('exactly the limit is not throttled', () => {
  expect(replay(load(times(60, 3_000)), gp3()).throttledMinutes).toBe(0);
  expect(replay(load(times(60, 3_001)), gp3()).throttledMinutes).toBe(60);
});

test('what waits for less than a second into the next period does not throttle it', () => {
  // 3,010 for a minute leave 600 I/O; beside 1,000 a second they are gone in 0.3 s, beside 2,500 in 1.2 s.
  expect(replay(load([3_010, 1_000]), gp3()).throttledMinutes).toBe(1);
  expect(replay(load([3_010, 2_500]), gp3()).throttledMinutes).toBe(2);
});

describe('which limit', () => {
  test.each([
    // 1,500 x 128 KiB = 187.5 MiB/s against 125
    ['bytes', 1_500, 128, 'volume-throughput'],
    // 4,000 x 16 KiB = 62.5 MiB/s
    ['I/O', 4_000, 16, 'volume-iops'],
    // 4,000 x 64 KiB = 250 MiB/s: 1.33 times the IOPS, twice the MiB/s
    ['the one that is exceeded most', 4_000, 64, 'volume-throughput'],
  ])('%s', (_, iops, ioKiB, cause) => {
    expect(replay(load([iops], ioKiB), gp3()).byCause).toEqual({ [cause]: 1 });
  });

  test('one share of I/O and bytes: the mix is kept', () => {
    // 125 of 187.5 MiB/s are served, so two thirds of the I/O.
    expect(replayColumns(load([1_500], 128), gp3()).served[0]).toBeCloseTo(1_000, 9);
  });

  test('the instance where it has less, the volume where that has less', () => {
    const small = gp3({ instance: ebs(2_000, 500) });
    const large = gp3({ instance: ebs(5_000, 500) });
    expect(replay(load([4_000]), small).byCause).toEqual({ 'instance-iops': 1 });
    expect(replay(load([4_000]), large).byCause).toEqual({ 'volume-iops': 1 });
    expect(replay(load([1_500], 64), gp3({ instance: ebs(5_000, 50) })).byCause).toEqual({
      'instance-throughput': 1,
    });
  });
});

describe('what is counted', () => {
  test.each([
    ['16 KiB on a stripe is one', 16, 1],
    ['64 KiB, the chunk, is one', 64, 1],
    ['65 KiB are two pieces', 65, 2],
    ['256 KiB are four pieces', 256, 4],
  ])('%s', (_, ioKiB, pieces) => {
    const stripe = replayConfiguration(aLayout({ kind: 'stripe', members: 8, throughputMiBps: 750 }), {});
    const most = 24_000 / pieces;
    expect(replay(load([most], ioKiB), stripe).throttledMinutes).toBe(0);
    expect(replay(load([most * 1.001], ioKiB), stripe).throttledMinutes).toBe(1);
  });

  test('160 MiB/s of 1 MiB are 640 IOPS of one volume, not 160', () => {
    const io1 = replayConfiguration(aLayout({ volumeType: 'io1', iops: 639 }), {});
    expect(replay(load([160], 1_024), io1).byCause).toEqual({ 'volume-iops': 1 });
  });

  test('RAID10 writes twice, RAID5 four times', () => {
    const of = (kind: 'raid10' | 'raid5') => replayConfiguration(aLayout({ kind, members: 4 }), {});
    const half = { writeShare: 0.5 };
    // 12,000 member I/O: RAID10 0.5 + 0.5 x 2 = 1.5 each, RAID5 0.5 + 0.5 x 4 = 2.5
    expect(replay(load([8_000], 4, half), of('raid10')).throttledMinutes).toBe(0);
    expect(replay(load([8_001], 4, half), of('raid10')).throttledMinutes).toBe(1);
    expect(replay(load([4_800], 4, half), of('raid5')).throttledMinutes).toBe(0);
    expect(replay(load([4_801], 4, half), of('raid5')).throttledMinutes).toBe(1);
  });

  test('by the writes of each period', () => {
    const raid10 = replayConfiguration(aLayout({ kind: 'raid10', members: 4 }), {});
    const series = load([8_000, 8_000], 4, { writeShare: Float64Array.of(0.4, 0.6) });
    expect([...replayColumns(series, raid10).cause]).toEqual([causeCode.none, causeCode['volume-iops']]);
  });

  test('bytes by the share of the bytes that are written', () => {
    // 400 MiB/s on 500: written they are 800, read 400. Nearly all of the I/O are writes, of little.
    const raid10 = replayConfiguration(aLayout({ kind: 'raid10', members: 4, iops: 6_000 }), {});
    const series = { ...load([1_000], 409.6), writeShare: 1 };
    expect(replay(series, raid10).byCause).toEqual({ 'volume-throughput': 1 });
    expect(replay({ ...series, writeByteShare: 0 }, raid10).throttledMinutes).toBe(0);
  });

  test('a stripe delivers what its efficiency says', () => {
    const at98 = replayConfiguration(aLayout({ kind: 'stripe', members: 2 }), { stripeEfficiency: 0.98 });
    expect(replay(load([5_880]), at98).throttledMinutes).toBe(0); // 2 x 3,000 x 0.98
    expect(replay(load([5_881]), at98).throttledMinutes).toBe(1);
  });

  test('bytes without I/O count by their units', () => {
    const series = { ...load([0, 0]), mibps: Float64Array.of(100, 130) };
    expect(replay(series, gp3()).byCause).toEqual({ 'volume-throughput': 1 });
    const stripe = replayConfiguration(aLayout({ kind: 'stripe', members: 2 }), {});
    expect(replay(series, stripe)).toMatchObject({ unknownMinutes: 0, throttledMinutes: 0 });
  });
});

describe('unknown', () => {
  test('a gap is counted, and nothing drains or is saved in it', () => {
    const series = load([4_000, 0]);
    series.epochSeconds[1] = 60 * 60; // 59 minutes of 61 have no entry
    expect(replay(series, gp3())).toMatchObject({ minutes: 61, unknownMinutes: 59, throttledMinutes: 2 });
  });

  test('so is a period without figures', () => {
    const series = load([4_000, Number.NaN, 0]);
    expect(replay(series, gp3())).toMatchObject({ minutes: 3, unknownMinutes: 1, throttledMinutes: 2 });
    const { served, backlog, cause } = replayColumns(series, gp3());
    expect(served[1]).toBeNaN();
    expect(backlog[1]).toBeCloseTo(60_000, 9);
    expect(cause[1]).toBe(causeCode.unknown);
  });

  test('what is beside and not known makes the period unknown on an instance, and only there', () => {
    const beside = { iops: Float64Array.of(Number.NaN), mibps: Float64Array.of(0) };
    const series = load([1_000], 16, { beside });
    expect(replay(series, gp3({ instance: ebs(4_000, 500) })).unknownMinutes).toBe(1);
    expect(replay(series, gp3()).unknownMinutes).toBe(0);
  });

  test('nothing known at all: nothing was replayed', () => {
    expect(replay(load(times(3, Number.NaN)), replayConfiguration(gp2(500), {}))).toEqual({
      minutes: 3,
      unknownMinutes: 3,
      throttledMinutes: 0,
      unservedShare: 0,
      backlogSecondsP95: 0,
      backlogSecondsMax: 0,
      backlogIoAtEnd: 0,
      lowestCreditPercent: 100,
      lowestCredits: { volume: 100, instanceIo: null, instanceBytes: null },
      byCause: {},
      burstMinutes: null,
    });
  });
});

describe('bursts inside a period', () => {
  test('hold on average, and not in the seconds that were not idle', () => {
    const activeTimeIops = Float64Array.of(3_100, 2_900, 4_000);
    // The last does not hold on average either: it is throttled, and so is no such minute.
    expect(replay(load([1_000, 1_000, 3_500], 16, { activeTimeIops }), gp3())).toMatchObject({
      burstMinutes: 1,
      throttledMinutes: 1,
    });
  });

  test('bytes come as fast as the I/O do', () => {
    // 50 MiB/s on average, in a third of the time 150 against 125
    const activeTimeIops = Float64Array.of(1_200);
    expect(replay(load([400], 128, { activeTimeIops }), gp3()).burstMinutes).toBe(1);
  });

  test('one minute of a longer period', () => {
    const activeTimeIops = Float64Array.of(4_000);
    const series = { ...load([1_000], 16, { activeTimeIops }), periodSeconds: 300 };
    expect(replay(series, gp3()).burstMinutes).toBe(1);
  });

  test('unknown where idle time is not known', () => {
    expect(replay(load([1_000]), gp3()).burstMinutes).toBeNull();
  });
});

test('a period of five minutes counts five', () => {
  const series = { ...load([4_000, 0]), periodSeconds: 300, epochSeconds: Float64Array.of(0, 300) };
  expect(replay(series, gp3())).toMatchObject({ minutes: 10, throttledMinutes: 10, backlogSecondsMax: 100 });
});
