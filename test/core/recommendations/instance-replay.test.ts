/** Which instance type to take by replay of what the volumes of one demanded, and what is promised of it. */

import type { RegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { InstanceDemand, InstanceLoadDemand } from '../../../core/recommendations/instance-demand.ts';
import { instanceRecommendation } from '../../../core/recommendations/instance-recommendation.ts';
import type { RateUnit } from '../../../core/schemas/recommendation.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const today = anInstanceType({
  instanceType: 'm6i.xlarge',
  ebs: ebs(6_000, 156, { maximumIops: 40_000, maximumMiBps: 1_200 }),
});
const twice = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_200) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5 };

function recommend(
  regionCatalog: RegionCatalog = aRegionCatalog([today, twice], usdPerHour),
  demand: InstanceDemand | null = null,
) {
  const instance = anInstance({ instanceType: 'm6i.xlarge' });
  const to = {
    ...{ instance, volumes: [aVolume()], regionCatalog, needOf: () => null, demand },
    thresholds: defaultThresholds,
  };
  const [recommendation] = instanceRecommendation('throttled-instance-iops', to, null);
  if (recommendation === undefined) throw new Error('no recommendation');
  return recommendation;
}

/** Throttled for 40 minutes where it can do less at its maximum, for 10 where only its credits do it. */
const load = (iops: number, today = 40): InstanceLoadDemand => ({
  rates: { iops, throughputMiBps: 200 },
  throttledMinutesWith: ({ baselineIops, maximumIops }) => {
    if (maximumIops === 40_000) return today;
    if (maximumIops < iops) return 40;
    return baselineIops < iops ? 10 : 0;
  },
});
const by = (most: InstanceLoadDemand, likely = most, regionCatalog?: RegionCatalog) =>
  recommend(regionCatalog, { most, likely, throttledMinutes: 35 });

test('the cheapest that throttles nothing, with the minutes before and after', () => {
  expect(by(load(45_000))).toMatchObject({
    change: { of: 'instance', from: 'm6i.xlarge', to: 'm6i.8xlarge' },
    monthlyUsdDelta: 949,
    effect: { method: 'simulated', throttledMinutesBefore: 35, throttledMinutesAfter: 0 },
    ...{ sizedBy: 'demand', headroomPercent: null },
    sizedFor: { iops: 45_000, throughputMiBps: 200 },
    // It has all of it without credits, and is all that is needed.
    risks: [{ code: 'downtime' }],
  });
});

test('one that needs its credits for it is taken where they suffice, and that is said', () => {
  const bursting = anInstanceType({
    instanceType: 'm6i.2xlarge',
    ebs: ebs(12_000, 312, { maximumIops: 50_000 }),
  });
  const regionCatalog = aRegionCatalog([today, bursting, twice], { ...usdPerHour, 'm6i.2xlarge': 0.4 });
  const suffices = { ...load(45_000), throttledMinutesWith: load(10_000).throttledMinutesWith };
  expect(by(suffices, suffices, regionCatalog)).toMatchObject({
    ...{ change: { to: 'm6i.2xlarge' }, monthlyUsdDelta: 146 }, // (0.4 - 0.2) x 730
    risks: [{ code: 'downtime' }, { code: 'on-instance-credits', refillHours: 24 }],
  });
  // 10 minutes throttled with them: then it is not taken
  expect(by(load(45_000), load(45_000), regionCatalog).monthlyUsdDelta).toBe(949);
});

test('a replay that shows less than half of what was measured says nothing of another type', () => {
  expect(by(load(45_000, 17))).toMatchObject({
    effect: { method: 'estimated', throttledMinutesBefore: 35, throttledMinutesAfter: null },
    ...{ sizedBy: 'limit-headroom', headroomPercent: 25 },
    // 40,000 x 1.25
    sizedFor: { iops: 50_000, throughputMiBps: 156 },
    risks: [{ code: 'downtime' }, { code: 'not-the-whole-need' }],
  });
});

test('where no type carries the demand at most, one for what is likely, without a promise', () => {
  expect(by(load(900_000), load(48_000))).toMatchObject({
    change: { to: 'm6i.8xlarge' },
    effect: { method: 'estimated', throttledMinutesAfter: null },
    ...{ sizedBy: 'headroom', headroomPercent: 25 },
    sizedFor: { iops: 48_000, throughputMiBps: 200 },
    risks: [{ code: 'downtime' }, { code: 'not-for-the-highest-demand' }],
  });
});

describe('bandwidth weighting by replay', () => {
  const weighted = (bandwidthWeightings: string[], instanceType = 'm8i.8xlarge') =>
    anInstanceType({ instanceType, ebs: ebs(40_000, 1_000), bandwidthWeightings });
  const all = ['default', 'ebs-1', 'vpc-1'];
  /** Throttled for 40 minutes where the baseline is below what is demanded. */
  const demandOf = (mibps: number): InstanceLoadDemand => ({
    rates: { iops: 1_000, throughputMiBps: mibps },
    throttledMinutesWith: ({ baselineMiBps }) => (baselineMiBps < mibps ? 40 : 0),
  });
  const weightings = (
    mibps: number,
    bandwidthWeighting: string,
    { type = weighted(all), measured = 35, unit = 'MiB/s' as RateUnit } = {},
  ) => {
    const most = demandOf(mibps);
    const instance = anInstance({ instanceType: type.instanceType, bandwidthWeighting });
    const to = {
      ...{ instance, volumes: [aVolume()], regionCatalog: aRegionCatalog([type]), needOf: () => null },
      demand: { most, likely: most, throttledMinutes: measured },
      thresholds: defaultThresholds,
    };
    const limit = { what: 'baseline', value: 1_000, unit, scope: 'instance' } as const;
    const isOfVpc = bandwidthWeighting === 'vpc-1';
    return instanceRecommendation('instance-credits-exhausted', to, isOfVpc ? null : limit).flatMap(
      ({ change, effect }) =>
        change?.of === 'bandwidth-weighting'
          ? [[change.to, effect.method, effect.throttledMinutesAfter]]
          : [],
    );
  };

  test('byte credits: 1,200 of 1,000 MiB/s, and ebs-1 has 1,250; I/O credits it does not help', () => {
    expect(weightings(1_200, 'default')).toEqual([['ebs-1', 'simulated', 0]]);
    expect(weightings(1_200, 'default', { unit: 'IOPS' })).toEqual([]);
  });

  test('what it does not lessen is not offered', () => {
    expect(weightings(1_300, 'default')).toEqual([]);
  });

  test('from vpc-1 the default where that is enough: nothing explains what was measured, so nothing is promised', () => {
    expect(weightings(900, 'vpc-1')).toEqual([['default', 'estimated', 0]]);
  });

  test('from vpc-1 ebs-1 where the default is not enough and the type has it', () => {
    expect(weightings(1_200, 'vpc-1')).toEqual([
      ['ebs-1', 'simulated', 0],
      ['default', 'simulated', 40],
    ]);
    expect(weightings(1_200, 'vpc-1', { type: weighted(['default', 'vpc-1']) })).toEqual([
      ['default', 'simulated', 40],
    ]);
  });
});
