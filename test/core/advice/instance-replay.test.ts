/** Which instance type to take by replay of what the volumes of one wanted, and what is promised of it. */

import {
  type InstanceLoadWanted,
  type InstanceWanted,
  instanceAdvice,
} from '../../../core/advice/instance-advice.ts';
import type { Market } from '../../../core/catalogue/market.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';
import { aMarket, anInstanceType, ebs } from '../../fixtures/market.ts';

const today = anInstanceType({
  instanceType: 'm6i.xlarge',
  ebs: ebs(6_000, 156, { maximumIops: 40_000, maximumMiBps: 1_200 }),
});
const twice = anInstanceType({ instanceType: 'm6i.8xlarge', ebs: ebs(50_000, 1_200) });
const usdPerHour = { 'm6i.xlarge': 0.2, 'm6i.8xlarge': 1.5 };

function advise(market: Market = aMarket([today, twice], usdPerHour), wanted: InstanceWanted | null = null) {
  const instance = anInstance({ instanceType: 'm6i.xlarge' });
  const to = {
    ...{ instance, volumes: [aVolume()], market, needOf: () => null, wanted },
    thresholds: defaultThresholds,
  };
  const [advice] = instanceAdvice('throttled-instance-iops', to, null);
  if (advice === undefined) throw new Error('no advice');
  return advice;
}

/** Held back for 40 minutes where it can do less at its maximum, for 10 where only its credits do it. */
const load = (iops: number, today = 40): InstanceLoadWanted => ({
  rates: { iops, throughputMiBps: 200 },
  heldBackMinutesWith: ({ baselineIops, maximumIops }) => {
    if (maximumIops === 40_000) return today;
    if (maximumIops < iops) return 40;
    return baselineIops < iops ? 10 : 0;
  },
});
const by = (most: InstanceLoadWanted, likely = most, market?: Market) =>
  advise(market, { most, likely, heldBackMinutes: 35 });

test('the cheapest that holds nothing back, with the minutes before and after', () => {
  const { text: action, ...rest } = by(load(45_000));
  expect(rest).toMatchObject({
    monthlyUsdDelta: 949,
    effect: { throttledMinutesBefore: 35, throttledMinutesAfter: 0 },
  });
  expect(action).toContain(
    'The cheapest type that holds nothing back by replay of what its volumes wanted (45,000 IOPS and 200 MiB/s at most, each within its own limits): m6i.8xlarge (+949.00 USD a month',
  );
  expect(action).not.toContain('does not show the whole need');
  expect(action).not.toContain('burst credits');
});

test('one that needs its credits for it is taken where they suffice, and that is said', () => {
  const bursting = anInstanceType({
    instanceType: 'm6i.2xlarge',
    ebs: ebs(12_000, 312, { maximumIops: 50_000 }),
  });
  const market = aMarket([today, bursting, twice], { ...usdPerHour, 'm6i.2xlarge': 0.4 });
  const suffices = { ...load(45_000), heldBackMinutesWith: load(10_000).heldBackMinutesWith };
  const { text: action, monthlyUsdDelta } = by(suffices, suffices, market);
  expect(monthlyUsdDelta).toBe(146); // (0.4 - 0.2) x 730
  expect(action).toContain(
    'For that it spends its EBS burst credits; AWS does not document how they come back',
  );
  // 10 minutes held back with them: then it is not taken
  expect(by(load(45_000), load(45_000), market).monthlyUsdDelta).toBe(949);
});

test('a replay that shows less than half of what was measured says nothing of another type', () => {
  const { text: action, effect, sizedBy } = by(load(45_000, 17));
  expect(effect).toMatchObject({
    ...{ method: 'estimated', throttledMinutesBefore: 35, throttledMinutesAfter: null },
  });
  expect(sizedBy).toBe('limit-headroom');
  expect(action).toContain('whose baseline has a quarter more IOPS than its maximum today');
  expect(action).toContain('What was held back does not show the whole need.');
});

test('where no type carries what was wanted at most, one for what is likely, without a promise', () => {
  const { text: action, effect, sizedBy } = by(load(900_000), load(48_000));
  expect(effect).toMatchObject({ method: 'estimated', throttledMinutesAfter: null });
  expect(sizedBy).toBe('headroom');
  expect(action).toContain(
    'that holds nothing back by replay of what its volumes likely wanted and a quarter more (48,000 IOPS and 200 MiB/s; no type known here carries what they wanted at most): m6i.8xlarge',
  );
});
