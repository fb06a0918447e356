/** What a volume could cost less: over-provisioned, cheaper-type, cheaper-stripe. */

import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { configurationOf, type Volume } from '../../../core/inventory.ts';
import { known, unknown } from '../../../core/known.ts';
import type { Rates } from '../../../core/plan/layout.ts';
import {
  observedNeed,
  type Saving,
  type SavingsOf,
  volumeSavings,
} from '../../../core/recommendations/savings.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

const { ebs } = builtInRegionCatalog('us-east-1').prices;

type Seen = SavingsOf['seen'];

/** A peak as if it had been seen over a week. */
const peak = (iops: number, throughputMiBps: number): Seen => {
  const rates: Rates = { iops: Math.ceil(iops * 1.25), throughputMiBps: Math.ceil(throughputMiBps * 1.25) };
  return known({
    peak: { iops, throughputMiBps },
    rates,
    cutIops: rates.iops,
    knownSeconds: 7 * secondsPerDay,
    periodSeconds: 60,
    confidence: 'high',
  });
};
const notSeen: Seen = unknown({ code: 'throttled', minutes: 5 });

function savings(volume: Partial<Volume>, seen: Seen, others: Partial<SavingsOf> = {}): Saving[] {
  const all = aVolume({ volumeId: 'vol-0123456789abcdef0', ...volume });
  const configured = configurationOf(all);
  if (!configured.known || !ebs.known) throw new Error('not a volume');
  return volumeSavings({
    thresholds: defaultThresholds,
    volume: all,
    current: { ...configured.value, prices: ebs.value },
    seen,
    atItsLimit: false,
    alike: [],
    freeAttachments: 20,
    throttledMinutesWith: () => 0,
    ...others,
  });
}

const notified = (found: readonly Saving[]): Record<string, number[]> =>
  Object.fromEntries(
    found.map(({ draft, recommendations }) => [
      draft.kind,
      recommendations.map(({ monthlyUsdDelta }) => monthlyUsdDelta as number),
    ]),
  );

const gp2 = { volumeType: 'gp2', iops: null, throughputMiBps: null };

describe('by replay', () => {
  /** So many minutes throttled with fewer IOPS than today's 6,000, none with them. */
  const lessIs = (minutes: number): Partial<SavingsOf> => ({
    throttledMinutesWith: ({ iops }) => (iops < 6_000 ? minutes : 0),
  });

  test('the minutes before and after stand in the recommendation', () => {
    const [saving] = savings({ iops: 6_000 }, peak(2_000, 50), lessIs(0));
    expect(saving?.recommendations[0]).toMatchObject({
      effect: { throttledMinutesBefore: 0, throttledMinutesAfter: 0 },
    });
  });

  test('what would throttle for one minute is not recommended', () => {
    expect(savings({ iops: 6_000 }, peak(2_000, 50), lessIs(1))).toEqual([]);
  });

  test('headroom decides, and what is reported is of the load as it was', () => {
    // 2,500 IOPS with headroom: throttled for 5 minutes by less than 2,500 at times 1.25, for none as it was
    const throttledMinutesWith: SavingsOf['throttledMinutesWith'] = ({ iops }, times) =>
      iops < 2_000 * times ? 5 : 0;
    const [saving] = savings({ iops: 6_000 }, peak(2_000, 50), { throttledMinutesWith });
    expect(saving?.recommendations[0]).toMatchObject({
      effect: { throttledMinutesBefore: 0, throttledMinutesAfter: 0 },
    });
    const needsMore: SavingsOf['throttledMinutesWith'] = ({ iops }, times) => (iops < 4_000 * times ? 5 : 0);
    expect(savings({ iops: 6_000 }, peak(2_000, 50), { throttledMinutesWith: needsMore })).toEqual([]);
  });

  test('without a load to replay there is nothing before and after', () => {
    const [saving] = savings({ ...gp2, sizeGiB: 500 }, notSeen, { throttledMinutesWith: null });
    expect(saving?.recommendations[0]).toMatchObject({
      effect: { throttledMinutesBefore: null, throttledMinutesAfter: null },
    });
  });
});

describe('over-provisioned', () => {
  test.each([
    // 2,000 x 1.25 = 2,500 < 3,000 free: (6,000 - 3,000) x 0.005 = 15
    { iops: 6_000, mibps: 125, seen: peak(2_000, 50), saved: 15 },
    // 4,000 x 1.25 = 5,000: (6,000 - 5,000) x 0.005 = 5
    { iops: 6_000, mibps: 125, seen: peak(4_000, 50), saved: 5 },
    // 4,001 x 1.25 = 5,002: 4.99, and it is reported from 5 on
    { iops: 6_000, mibps: 125, seen: peak(4_001, 50), saved: null },
    // 200 x 1.25 = 250 MiB/s: (500 - 250) x 0.04 = 10
    { iops: 3_000, mibps: 500, seen: peak(100, 200), saved: 10 },
    // 1,000 MiB/s with headroom take 4,000 IOPS: (8,000 - 4,000) x 0.005 + (2,000 - 1,000) x 0.04 = 60
    { iops: 8_000, mibps: 2_000, seen: peak(1_000, 800), saved: 60 },
    { iops: 16_000, mibps: 1_000, seen: notSeen, saved: null },
  ])('gp3 of $iops IOPS and $mibps MiB/s: $saved USD', ({ iops, mibps, seen, saved }) => {
    const all = savings({ sizeGiB: 100, iops, throughputMiBps: mibps }, seen, { freeAttachments: 1 });
    expect(notified(all)['over-provisioned']).toEqual(saved === null ? undefined : [-saved]);
    if (saved === null || !seen.known) return;
    expect(all[0]?.recommendations[0]).toMatchObject({ headroomPercent: 25, sizedFor: seen.value.rates });
  });

  test('io2 goes down to what its throughput takes: 100 MiB/s with headroom are 500 IOPS', () => {
    // (1,000 - 500) x 0.065 = 32.50
    const found = notified(savings({ volumeType: 'io2', iops: 1_000, throughputMiBps: null }, peak(80, 100)));
    expect(found).toEqual({ 'over-provisioned': [-32.5] });
  });
});

describe('cheaper-type', () => {
  test('gp2 of 500 GiB: gp3 with all that the burst had saves 5 USD, with what the load needs 10', () => {
    // 50.00; gp3 40.00 + (250 - 125) x 0.04 = 45.00; with 125 MiB/s 40.00
    const [saving] = savings({ ...gp2, sizeGiB: 500 }, peak(400, 10));
    expect(notified(saving === undefined ? [] : [saving])).toEqual({ 'cheaper-type': [-5, -10] });
    expect(commandsOf(saving?.recommendations[0]).join('\n')).toMatch(
      /modify-volume .*vol-0123456789abcdef0.* --volume-type gp3 .*--iops 3000 --throughput 250/,
    );
  });

  test('gp2 of 200 GiB: 250 MiB/s of gp3 would cost more, so it takes a load that needs less', () => {
    // 20.00; gp3 16.00 + 5.00 = 21.00; with 125 MiB/s 16.00
    expect(notified(savings({ ...gp2, sizeGiB: 200 }, notSeen))).toEqual({});
    expect(notified(savings({ ...gp2, sizeGiB: 200 }, peak(400, 10)))).toEqual({ 'cheaper-type': [-4] });
  });

  test('what was seen never asks for more than the volume can do today', () => {
    // Its peak with headroom is above 3,000 IOPS and 128 MiB/s: those are taken. 10.00 - (8.00 + 3 x 0.04) = 1.88
    expect(notified(savings({ ...gp2, sizeGiB: 100 }, peak(2_900, 127)))).toEqual({
      'cheaper-type': [-1.88],
    });
  });

  test('io1: gp3 with a word on its consistency, and io2 where that is cheaper too', () => {
    // 100 + 40,000 x 0.065 = 2,700; gp3 of 40,000 IOPS: 64 + 37,000 x 0.005 + (625 - 125) x 0.04 = 269
    // io2: 100 + 32,000 x 0.065 + 8,000 x 0.0455 = 2,544
    const found = savings({ volumeType: 'io1', sizeGiB: 800, iops: 40_000, throughputMiBps: null }, notSeen);
    expect(notified(found)).toEqual({ 'cheaper-type': [-2_431, -156] });
    expect(found[0]?.recommendations[0]?.risks).toEqual([{ code: 'less-consistent', from: 99.9, to: 99 }]);
  });

  test('io1 that needs little: gp3 with less is reported, and not lower figures of io1 for more', () => {
    // 100 + 40,000 x 0.065 = 2,700; io1 of 2,500 IOPS 262.50; gp3 with 3,000 and 125 MiB/s 64.00: the saving 2,636
    const found = savings(
      { volumeType: 'io1', sizeGiB: 800, iops: 40_000, throughputMiBps: null },
      peak(2_000, 50),
    );
    expect(Object.keys(notified(found))).toEqual(['cheaper-type']);
    expect(Math.min(...(notified(found)['cheaper-type'] ?? []))).toBe(-2_636);
    expect(found[0]?.draft.evidence).toMatchObject({ recommendedMonthlyUsd: 64, monthlyUsd: 2_700 });
  });

  test('st1 to sc1 only where the load fits what sc1 has all the time', () => {
    // sc1 of 2,048 GiB has 24 MiB/s: 19 x 1.25 = 23.75 fit, 20 x 1.25 = 25 do not. 2,048 x (0.045 - 0.015) = 61.44
    const st1 = { volumeType: 'st1', sizeGiB: 2_048, iops: null, throughputMiBps: null };
    expect(notified(savings(st1, peak(10, 19)))).toEqual({ 'cheaper-type': [-61.44] });
    expect(notified(savings(st1, peak(10, 20)))).toEqual({});
    expect(notified(savings(st1, notSeen))).toEqual({});
  });

  test('a volume that was throttled at its limit is told that the same speed is not enough', () => {
    const [saving] = savings({ ...gp2, sizeGiB: 500 }, notSeen, { atItsLimit: true });
    expect(saving?.recommendations[0]?.risks).toEqual([{ code: 'also-at-the-limit' }]);
  });

  test('io2 and gp3 are given up for no other type: durability is not for sale', () => {
    expect(notified(savings({ volumeType: 'io2', iops: 100, throughputMiBps: null }, peak(10, 1)))).toEqual(
      {},
    );
    expect(notified(savings({}, peak(10, 1)))).toEqual({});
  });
});

describe('cheaper-stripe', () => {
  // 160.00: 80 + 12,000 x 0.005 + 500 x 0.04; as five times 200 GiB with nothing provisioned: 80.00
  const one = { sizeGiB: 1_000, iops: 15_000, throughputMiBps: 625 };

  test('a busy gp3 of 15,000 IOPS and 625 MiB/s: a stripe of five saves 80 USD', () => {
    const found = savings(one, peak(14_000, 600));
    expect(notified(found)).toEqual({ 'cheaper-stripe': [-80] });
    expect(found[0]?.draft.evidence).toMatchObject({
      recommendedMembers: 5,
      recommendedSizeGiB: 200,
      recommendedIops: 3_000,
    });
    expect(found[0]?.draft.severity).toBe('warning');
    // Nothing in place serves it for less than today.
    expect(found[0]?.draft.evidence).toMatchObject({
      ...{ recommendedMonthlyUsd: 80, monthlyUsd: 160, inPlaceMonthlyUsd: 160 },
    });
    expect(found[0]?.recommendations).toMatchObject([
      {
        ...{ action: 'migrate', inPlace: false, sizedBy: 'type-minimum', headroomPercent: 25 },
        // 1.25 x 14,000 and 600 are more than it has: it is sized for what it has.
        sizedFor: { iops: 15_000, throughputMiBps: 625 },
        risks: [
          { code: 'downtime' },
          { code: 'no-root-volume' },
          // 1 - (1 - 0.002)^5 = 0.996 %
          { code: 'data-loss-rate', from: 0.002, to: expect.closeTo(0.009_96, 5) },
        ],
      },
    ]);
  });

  test('where it is cheaper in place too, the stripe must beat that', () => {
    // Needs 5,000 IOPS and 250 MiB/s: in place 80 + 10 + 5 = 95; two of 500 GiB 80: 15 less, not 20.
    expect(notified(savings(one, peak(4_000, 200)))).toEqual({ 'over-provisioned': [-65] });
  });

  test.each([
    { why: 'its load does not show what it needs', seen: notSeen, others: {} },
    {
      why: 'another volume is like it, and may be the same stripe',
      seen: peak(14_000, 600),
      others: { alike: ['vol-1'] },
    },
    {
      why: 'its instance has no room for more volumes',
      seen: peak(14_000, 600),
      others: { freeAttachments: 1 },
    },
    {
      why: 'what its instance takes is not known',
      seen: peak(14_000, 600),
      others: { freeAttachments: null },
    },
  ])('none where $why', ({ seen, others }) => {
    expect(notified(savings(one, seen, others))).toEqual({});
  });

  test('only as many members as the instance has room for', () => {
    // Three: 334 GiB x 0.08 x 3 + 3 x (2,000 x 0.005 + 84 x 0.04) = 80.16 + 40.08
    const found = savings(one, peak(14_000, 600), { freeAttachments: 3 });
    expect(found[0]?.draft.evidence).toMatchObject({ recommendedMembers: 3 });
  });
});

test('on an Outpost, and for Multi-Attach, nothing is reported', () => {
  expect(savings({ iops: 16_000, deployment: 'outposts' }, peak(10, 1))).toEqual([]);
  expect(savings({ volumeType: 'io1', iops: 4_000, multiAttach: true }, peak(10, 1))).toEqual([]);
});

test('volumes alike are named: a stripe is changed as one', () => {
  const [saving] = savings({ ...gp2, sizeGiB: 500 }, notSeen, { alike: ['vol-1', 'vol-2'] });
  expect(saving?.recommendations[0]?.risks).toEqual([{ code: 'like-volumes', count: 2 }]);
});

test('five-minute points make the confidence low, and the saving an information', () => {
  const idle = repeat(288, 0);
  const load = loadOf(metricSet(readsOf16KiB(repeat(288, 300_000), { VolumeIdleTime: idle }), 300));
  const { need: seen } = observedNeed(
    load,
    'gp3',
    { startEpochSeconds: 0, endEpochSeconds: secondsPerDay },
    0,
    defaultThresholds,
  );
  expect(seen).toMatchObject({ value: { confidence: 'low' } });
  // 13,000 x 0.005 = 65 USD, a warning if it were sure
  const [saving] = savings({ sizeGiB: 100, iops: 16_000 }, seen);
  expect(saving?.draft.severity).toBe('info');
  expect(saving?.recommendations[0]).toMatchObject({
    // 1,000 IOPS over the seconds that were not idle, and a quarter more.
    ...{ headroomPercent: 25, sizedFor: { iops: 1_250 } },
    risks: [{ code: 'averages-hide-bursts', minutes: 5 }],
  });
});
