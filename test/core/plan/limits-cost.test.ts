/** What the limits of a plan cost, and what today's volumes could be in place. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { plan } from '../../../core/plan/plan.ts';
import type { PlanNote } from '../../../core/schemas/plan-answer.ts';
import { aRequest, rates } from './requests.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');
const widerLimits = (...request: Parameters<typeof aRequest>): PlanNote[] =>
  plan(aRequest(...request), regionCatalog).notes.filter(({ code }) => code === 'wider-limit');
/** 1 - (1 - 0.002)^N, to five digits. */
const lossOf = (members: number) => expect.closeTo(1 - 0.998 ** members, 5) as number;

test('eight members are a limit: ten of gp3 would cost 530.00 USD instead of 560.32', () => {
  // 10 x 350 GiB x 0.08 + 10 x 5,000 x 0.005 = 280 + 250
  expect(widerLimits(rates(80_000, 625, 3_500))).toContainEqual({
    ...{ code: 'wider-limit', maxMembers: 10, chunkKiB: null, maxAnnualFailureRate: null },
    ...{ members: 10, volumeType: 'gp3', annualFailureRate: lossOf(10) },
    ...{ monthlyUsd: 530, monthlyUsdLess: 30.32 },
  });
});

test('the chunk is a limit: 1 MiB I/O is 16 of 64 KiB', () => {
  const scan = { ...rates(4_000, 4_000, 100), ioSizeKiB: 1_024, access: 'sequential' as const };
  expect(widerLimits(scan)).toContainEqual(
    expect.objectContaining({ chunkKiB: 1_024, maxMembers: null, members: 8, volumeType: 'gp3' }),
  );
});

test('the ceiling on failure is a limit', () => {
  const strict = { maxAnnualFailureRate: 0.003 };
  // One gp3 (0.2 %) costs 160.00; five of them 80.00 at 0.996 %.
  expect(widerLimits(rates(15_000, 625, 1_000), strict)).toContainEqual({
    ...{ code: 'wider-limit', maxMembers: null, chunkKiB: null, maxAnnualFailureRate: 0.01 },
    ...{ members: 5, volumeType: 'gp3', annualFailureRate: lossOf(5) },
    ...{ monthlyUsd: 80, monthlyUsdLess: 80 },
  });
});

test('nothing is said where a wider limit gains nothing, or no instance carries the load', () => {
  expect(widerLimits(rates(3_000, 125, 100))).toEqual([]);
  expect(widerLimits(rates(3_000_000, 46_875, 500))).toEqual([]);
});

describe('against what stands today', () => {
  const current = {
    layout: {
      kind: 'single',
      members: 1,
      volumeType: 'gp3',
      sizeGiB: 1_000,
      iops: 12_000,
      throughputMiBps: 500,
    },
    volumeIds: [],
  } as const;

  test('what the same volume could be in place is an option, though a smaller one is cheaper', () => {
    const { options } = plan({ ...aRequest(rates(3_000, 47, 500)), current }, regionCatalog);
    expect(options[0]).toMatchObject({ layout: { sizeGiB: 500 }, steps: { inPlace: false } });
    const inPlace = options.find(({ steps }) => steps.inPlace);
    // 1,000 x 0.08 = 80.00; today 80 + 9,000 x 0.005 + 375 x 0.04 = 140.00
    expect(inPlace).toMatchObject({
      layout: { kind: 'single', sizeGiB: 1_000, iops: 3_000, throughputMiBps: 125 },
      monthlyUsd: { total: 80 },
      change: { monthlyUsdDelta: -60 },
    });
    expect(inPlace?.reasons[0]).toEqual({
      ...{ code: 'dearer', monthlyUsdMore: 40, isPricedElsewhere: false }, // 80 - 500 x 0.08
      ...{ shownAs: 'in-place', lowerRisk: null },
    });
  });

  test('a lower price at a higher chance of loss is said', () => {
    const io2 = { ...current.layout, volumeType: 'io2' as const };
    const { options } = plan(
      { ...aRequest(rates(3_000, 47, 1_000)), current: { layout: io2, volumeIds: [] } },
      regionCatalog,
    );
    expect(options[0]?.reasons).toContainEqual({
      ...{ code: 'loses-data-more-often', currentAnnualFailureRate: expect.closeTo(0.000_01, 9) },
      annualFailureRate: expect.closeTo(0.002, 9),
    });
  });
});
