/** Price against IOPS: the curve is the search, and where it says that another one becomes the cheapest is found one by one too. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { planDefaults } from '../../../core/plan/asked.ts';
import { type CurveAsked, cheapestAt, priceCurve, pricesAt } from '../../../core/plan/price-curve.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');
const asked = (part: Partial<CurveAsked>): CurveAsked => ({
  ...planDefaults,
  ...{ throughputMiBps: null, capacityGiB: 1_000 },
  ...part,
});

test('one gp3 up to its 3,000 IOPS, a stripe of gp3 up to 8 x 80,000', () => {
  const { first, crossings, points } = priceCurve(asked({}), regionCatalog);
  expect(first).toBe('one-gp3');
  expect(crossings).toEqual([
    { iops: 3_001, from: 'one-gp3', to: 'stripe-of-gp3', monthlyUsd: expect.closeTo(80, 9) }, // 1,000 x 0.08
    { iops: 640_001, from: 'stripe-of-gp3', to: null, monthlyUsd: expect.any(Number) },
  ]);
  const lastOf = (name: 'one-gp3' | 'one-io2'): number | undefined =>
    points.findLast((point) => point[name] !== null)?.iops;
  expect(lastOf('one-gp3')).toBe(80_000);
  expect(lastOf('one-io2')).toBe(256_000);
});

test('where no stripe is allowed one io2 follows on one gp3', () => {
  const { crossings } = priceCurve(asked({ maxMembers: 1 }), regionCatalog);
  // 256,000 IOPS of io2: 32,000 x 0.065 + 32,000 x 0.0455 + 192,000 x 0.03185, and 1,000 x 0.125
  expect(crossings).toEqual([
    { iops: 80_001, from: 'one-gp3', to: 'one-io2', monthlyUsd: expect.any(Number) },
    { iops: 256_001, from: 'one-io2', to: null, monthlyUsd: expect.closeTo(9_776.2, 6) },
  ]);
});

describe('crossings are those that are found IOPS by IOPS', () => {
  test.each<[string, Partial<CurveAsked>, number]>([
    ['10 GiB', { capacityGiB: 10 }, 20_000],
    ['1,000 GiB and 500 MiB/s', { throughputMiBps: 500 }, 20_000],
    ['1 KiB an I/O, where MiB/s never decide', { ioSizeKiB: 1 }, 12_000],
    ['256 KiB an I/O, where a chunk cuts it in 4', { ioSizeKiB: 256 }, 12_000],
    ['1 MiB an I/O', { ioSizeKiB: 1_024 }, 12_000],
    ['4 volumes and 90 %', { maxMembers: 4, stripeEfficiency: 0.9 }, 20_000],
    ['20,000 GiB on Outposts', { capacityGiB: 20_000, deployment: 'outposts' }, 30_000],
    ['a failure rate that only io2 has', { maxAnnualFailureRate: 0.0001 }, 12_000],
    ['no stripe', { maxMembers: 1, capacityGiB: 50 }, 90_000],
  ])('%s', (_, part, toIops) => {
    const curve = priceCurve(asked(part), regionCatalog);
    const at = pricesAt(asked(part), regionCatalog);
    const found: [number, string | null][] = [];
    let before = cheapestAt(at(100));
    expect(curve.first).toBe(before);
    for (let iops = 101; iops <= toIops; iops++) {
      const cheapest = cheapestAt(at(iops));
      if (before !== null && cheapest !== before) found.push([iops, cheapest]);
      before = cheapest;
    }
    const said = curve.crossings.filter(({ iops }) => iops <= toIops).map(({ iops, to }) => [iops, to]);
    expect(said).toEqual(found);
  });
});

test('a Region without prices is drawn by those of another, and says so', () => {
  expect(priceCurve(asked({}), regionCatalog).isPricedElsewhere).toBe(false);
  expect(priceCurve(asked({}), builtInRegionCatalog('eu-west-3')).isPricedElsewhere).toBe(true);
});
