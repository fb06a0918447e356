/** A volume's load against other layouts, on its instance as it is. */

import { instancesToEvaluate, Observed } from '../../../core/audit/observed.ts';
import { VolumeReplay } from '../../../core/audit/volume-replay.ts';
import type { RegionCatalogs } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';
import { type Columns, diagnosed, times } from './diagnosed.ts';

const large = anInstanceType({ instanceType: 'm1.large', ebs: ebs(10_000, 500) });
const small = anInstanceType({ instanceType: 'm1.small', ebs: ebs(4_000, 100) });
const regionCatalogs: RegionCatalogs = () => aRegionCatalog([large, small]);

const gp3 = { volumeId: 'vol-1', volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 };
const gp2 = { ...gp3, volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null };
const layout = (iops: number, throughputMiBps = 125): Layout => ({
  ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 500, iops, throughputMiBps },
});

interface Around {
  volume?: Partial<Volume>;
  instance?: Partial<Instance>;
  /** IOPS of 16 KiB that a second volume of the instance does, in each minute. */
  neighbour?: number;
}

function replayOf(columns: Columns, { volume = gp3, instance = {}, neighbour }: Around = {}): VolumeReplay {
  const one = diagnosed({ attachments: on('i-1'), ...volume }, columns);
  const on1 = anInstance({ instanceType: 'm1.large', ...instance });
  const volumes = [
    one.volume,
    ...(neighbour === undefined ? [] : [aVolume({ volumeId: 'vol-2', stripeTag: volume.stripeTag ?? null })]),
  ];
  const collector = new MetricCollector(60);
  const add = (id: string, rates: readonly number[]): void => {
    const at = rates.map((_, i) => i * 60);
    const ops = rates.map((rate) => rate * 60);
    collector.add(id, 'VolumeReadOps', at, ops);
    collector.add(id, 'VolumeWriteOps', at, times(at.length, 0));
    collector.add(
      id,
      'VolumeReadBytes',
      at,
      ops.map((count) => count * 16_384),
    );
    collector.add(id, 'VolumeWriteBytes', at, times(at.length, 0));
  };
  add('vol-1', columns.iops);
  if (neighbour !== undefined) add('vol-2', times(columns.iops.length, neighbour));
  const toEvaluate = instancesToEvaluate([on1], volumes);
  const observed = new Observed(collector.finish(), regionCatalogs, toEvaluate, new Map(), defaultThresholds);
  return new VolumeReplay(one, {
    observed,
    regionCatalogs,
    thresholds: defaultThresholds,
    instances: new Map([['i-1', on1]]),
  });
}

/** 100 IOPS, and ten minutes at 3,000 that demanded 4,200. */
const throttled: Columns = {
  iops: [...times(10, 100), ...times(10, 3_000), ...times(10, 100)],
  causes: [...times(10, 'none' as const), ...times(10, 'volume-iops' as const)],
  low: [...times(10, 100), ...times(10, 4_200), ...times(10, 100)],
  high: [...times(10, 100), ...times(10, 4_200), ...times(10, 100)],
};

describe('a volume that its own limit throttled', () => {
  const demand = replayOf(throttled).demandOf(10);

  test('today’s layout shows the minutes, and those in which the backlog is worked off', () => {
    // 1,200 too many for 600 s are 720,000; 2,900 a second work them off in 248 s: 10 + 5 minutes
    expect(demand.throttledMinutesWith(layout(3_000))).toBe(15);
    expect(demand.throttledMinutes).toBe(10);
  });

  test('its demand at most throttles nothing, and less does', () => {
    expect(demand.throttledMinutesWith(layout(4_200))).toBe(0);
    // 200 a second wait for 600 s: 120,000, worked off at 3,900 in 31 s
    expect(demand.throttledMinutesWith(layout(4_000))).toBe(11);
  });

  test('it is sized with a quarter of headroom where the bounds are near', () => {
    // 1.25 x 4,200 = 5,250 IOPS of 16 KiB = 82 MiB/s
    expect(demand.most.rates).toEqual({ iops: 5_250, throughputMiBps: expect.closeTo(82.03, 2) });
    expect(demand.openMinutes).toBe(0);
  });

  test('the same load a quarter higher needs more', () => {
    expect(demand.throttledMinutesWith(layout(4_200), { times: 1.25 })).toBeGreaterThan(0);
    expect(demand.throttledMinutesWith(layout(5_250), { times: 1.25 })).toBe(0);
  });
});

test('between the bounds: throttled at most, likely not', () => {
  const high = throttled.high?.map((rate) => (rate === 4_200 ? 6_000 : rate)) ?? [];
  const low = throttled.low?.map((rate) => (rate === 4_200 ? 3_000 : rate)) ?? [];
  const demand = replayOf({ ...throttled, low, high }).demandOf(10);
  // sqrt(3,000 x 6,000) = 4,243; with headroom 5,303
  expect(demand.throttledMinutesWith(layout(4_300))).toBeGreaterThan(10);
  expect(demand.throttledMinutesWith(layout(4_300), { line: 'likely' })).toBe(0);
  expect(demand.likely.rates.iops).toBeCloseTo(5_303.3, 1);
  expect(demand.most.rates.iops).toBe(6_000);
});

describe('on an instance that does 4,000 IOPS', () => {
  const on4000 = { instance: { instanceType: 'm1.small' } };

  test('a volume of 6,000 is throttled by it, and would not be alone', () => {
    const demand = replayOf(throttled, on4000).demandOf(10);
    expect(demand.throttledMinutesWith(layout(6_000))).toBe(11);
    expect(demand.throttledMinutesWith(layout(6_000), { withoutInstance: true })).toBe(0);
    expect(demand.instance).toEqual({
      ...{ instanceId: 'i-1', instanceType: 'm1.small', iops: 4_000, throughputMiBps: 100 },
    });
  });

  test('what a neighbour does is not there for it', () => {
    // 4,200 and 6,000 beside it are 10,200 of the 10,000 of the larger one
    const beside = replayOf(throttled, { neighbour: 6_000 }).demandOf(10);
    expect(beside.throttledMinutesWith(layout(6_000))).toBeGreaterThanOrEqual(10);
    const alone = replayOf(throttled, { neighbour: 5_000 }).demandOf(10);
    expect(alone.throttledMinutesWith(layout(6_000))).toBe(0);
  });

  test('of a type that is not known, or of several, it is left out', () => {
    const unknown = replayOf(throttled, { instance: { instanceType: 'x9.huge' } }).demandOf(10);
    expect(unknown.instance).toBeNull();
    expect(unknown.throttledMinutesWith(layout(6_000))).toBe(0);
    const several = replayOf(throttled, { ...on4000, volume: { ...gp3, attachments: on('i-1', 'i-2') } });
    expect(several.demandOf(10).instance).toBeNull();
  });
});

test('minutes that stalled, or that its instance throttled unseen, stay whatever the volume is', () => {
  const causes = times(10, 'none' as const);
  const demand = replayOf({
    iops: times(10, 500),
    causes: [...causes.slice(0, 6), 'stalled', 'stalled', 'instance-iops', 'none'],
  }).demandOf(3);
  expect(demand.throttledMinutesWith(layout(80_000, 2_000))).toBe(3);
});

test('two volumes with the tag of a stripe are members: neither can be striped alone', () => {
  const isMember = (stripeTag: string | null): boolean =>
    replayOf(throttled, { volume: { ...gp3, stripeTag }, neighbour: 100 }).demandOf(10).isMember;
  expect(isMember('data')).toBe(true);
  expect(isMember(null)).toBe(false);
});

describe('what is coming for a gp2 whose credits run out', () => {
  // 1,200 IOPS on a baseline of 300; 20 % of 5.4 million last 1,080,000 / 900 = 1,200 s
  const draining: Columns = { iops: times(40, 1_200), balancePercent: times(40, 20) };
  const gp2Layout: Layout = { ...layout(300, 75), volumeType: 'gp2', sizeGiB: 100 };

  test('is throttled for 100 of the next 120 minutes, and with gp3 for none', () => {
    const coming = replayOf(draining, { volume: gp2 }).demandOf(0).coming();
    expect(coming).toMatchObject({ throttledMinutes: 100, isComing: true, openMinutes: 0 });
    expect(coming?.throttledMinutesWith(gp2Layout)).toBe(100);
    expect(coming?.throttledMinutesWith({ ...layout(3_000), sizeGiB: 100 })).toBe(0);
    // No less than its burst: 3,000 IOPS and 128 MiB/s
    expect(coming?.most.rates).toEqual({ iops: 3_000, throughputMiBps: 128 });
  });

  test('a full bucket lasts 100 of them: 5.4 million / 900 = 6,000 s', () => {
    const full = replayOf({ ...draining, balancePercent: times(40, 100) }, { volume: gp2 });
    expect(full.demandOf(0).coming()?.throttledMinutes).toBe(20);
  });

  test.each([
    ['the rate drains nothing', { iops: times(40, 300), balancePercent: times(40, 20) }, gp2],
    ['there is no bucket', { iops: times(40, 1_200) }, gp3],
    ['the last half hour is not known', { ...draining, mibps: times(40, Number.NaN) }, gp2],
  ])('is nothing where %s', (_, columns, volume) => {
    expect(replayOf(columns, { volume }).demandOf(0).coming()).toBeNull();
  });
});
