/** Needs whose cheapest volumes an independent reference computed from AWS's rules and the prices of us-east-1. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import { plan } from '../../../core/plan/plan.ts';
import type { Planned } from '../../../core/schemas/plan-answer.ts';
import { aRequest, rates } from './requests.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');

/** Members, type, and of each member GiB, IOPS and MiB/s. */
type Row = [number, Layout['volumeType'], number, number, number];

const rowOf = ({ layout }: Planned['options'][number]): Row => [
  layout.members,
  layout.volumeType,
  layout.sizeGiB,
  layout.iops,
  layout.throughputMiBps,
];

function planned(need: [number, number, number], maxMembers: number): Planned {
  const request = aRequest(rates(...need), { types: ['gp3', 'io2'], maxMembers, maxAnnualFailureRate: 1 });
  return plan(request, regionCatalog);
}

// A GiB of gp3 is 0.08 USD, of io2 0.125; an IOPS of gp3 above 3,000 is 0.005, a MiB/s above 125 is 0.04;
// an IOPS of io2 is 0.065 up to 32,000, 0.0455 up to 64,000 and 0.03185 beyond.
test.each<[[number, number, number], Row, number, Row | null, number | null]>([
  // IOPS, MiB/s, GiB; the cheapest and its USD; the cheapest single volume and its USD
  [[3_000, 125, 100], [1, 'gp3', 100, 3_000, 125], 8, [1, 'gp3', 100, 3_000, 125], 8], // 100 x 0.08
  [[6_000, 125, 500], [2, 'gp3', 250, 3_000, 125], 40, [1, 'gp3', 500, 6_000, 125], 55], // 40 + 3,000 x 0.005
  [[10_000, 250, 1_000], [4, 'gp3', 250, 3_000, 125], 80, [1, 'gp3', 1_000, 10_000, 250], 120], // 80 + 35 + 5
  [[15_000, 625, 1_000], [5, 'gp3', 200, 3_000, 125], 80, [1, 'gp3', 1_000, 15_000, 625], 160], // 80 + 60 + 20
  [[16_000, 1_000, 2_000], [8, 'gp3', 250, 3_000, 125], 160, [1, 'gp3', 2_000, 16_000, 1_000], 260],
  [[40_000, 1_000, 4_000], [8, 'gp3', 500, 5_000, 125], 400, [1, 'gp3', 4_000, 40_000, 1_000], 540], // 320 + 8 x 10
  [[80_000, 625, 3_500], [8, 'gp3', 438, 10_000, 125], 560.32, [1, 'gp3', 3_500, 80_000, 625], 685],
  [[80_000, 2_000, 200], [8, 'gp3', 25, 10_000, 250], 336, [1, 'gp3', 200, 80_000, 2_000], 476], // 16 + 280 + 40
  // io2: 375 + 32,000 x 0.065 + 32,000 x 0.0455 + 36,000 x 0.03185 = 375 + 2,080 + 1,456 + 1,146.60
  [[100_000, 2_000, 3_000], [8, 'gp3', 375, 12_500, 250], 660, [1, 'io2', 3_000, 100_000, 4_000], 5_057.6],
  // 500 IOPS a GiB: 32,000 IOPS need 64 GiB, though 300 / 8 would hold the data
  [[256_000, 4_000, 300], [8, 'gp3', 64, 32_000, 500], 1_320.96, [1, 'io2', 300, 256_000, 4_000], 9_688.7],
  [[300_000, 8_000, 10_000], [8, 'gp3', 1_250, 37_500, 1_000], 2_460, null, null], // io2 ends at 256,000
])('%j: IOPS, MiB/s, GiB', (need, cheapest, usd, single, singleUsd) => {
  const { options } = planned(need, 8);
  expect(options.map(rowOf)[0]).toEqual(cheapest);
  expect(options[0]?.monthlyUsd.total).toBe(usd);
  const one = options.find(({ layout }) => layout.kind === 'single');
  expect(one === undefined ? null : rowOf(one)).toEqual(single);
  expect(one?.monthlyUsd.total ?? null).toBe(singleUsd);
});

test('five, eight and ten members cost the same, 1,000 GiB x 0.08: five is the answer', () => {
  const request = aRequest(
    rates(15_000, 625, 1_000),
    { types: ['gp3'], maxMembers: 10, maxAnnualFailureRate: 1 },
    10,
  );
  const { options } = plan(request, regionCatalog);
  expect(options.slice(0, 3).map(({ layout, monthlyUsd }) => [layout.members, monthlyUsd.total])).toEqual([
    [5, 80],
    [8, 80],
    [10, 80],
  ]);
  expect(options[1]?.reasons[0]).toMatchObject({ code: 'same-price', hasMoreMembers: true });
});
