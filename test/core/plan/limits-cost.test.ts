/** What the limits of a plan cost, and what today's volumes could be in place. */
import { builtInMarket } from '../../../core/catalogue/market.ts';
import { plan } from '../../../core/plan/plan.ts';
import { aRequest, rates } from './requests.ts';

const market = builtInMarket('us-east-1');
const notes = (...request: Parameters<typeof aRequest>): string[] => plan(aRequest(...request), market).notes;

test('eight members are a limit: ten of gp3 would cost 530.00 USD instead of 560.32', () => {
  // 10 x 350 GiB x 0.08 + 10 x 5,000 x 0.005 = 280 + 250
  expect(notes(rates(80_000, 625, 3_500))).toContain(
    'with --max-members 10 it would be 10 x gp3, lost with 1.9821 % a year for 530.00 USD a month, 30.32 USD less than the cheapest here',
  );
});

test('the chunk is a limit: 1 MiB I/O is 16 of 64 KiB', () => {
  const scan = { ...rates(4_000, 4_000, 100), ioSizeKiB: 1_024, access: 'sequential' as const };
  expect(notes(scan).join()).toMatch(/with --chunk-kib 1024 it would be 8 x gp3/);
});

test('the ceiling on failure is a limit', () => {
  const strict = { maxAnnualFailureRate: 0.003 };
  // One gp3 (0.2 %) costs 160.00; five of them 80.00 at 0.996 %.
  expect(notes(rates(15_000, 625, 1_000), strict).join()).toMatch(
    /with --max-annual-failure-rate 0.01 it would be 5 x gp3, lost with 0.996 % a year for 80.00 USD a month, 80.00 USD less/,
  );
});

test('nothing is said where a wider limit gains nothing, or no instance carries the load', () => {
  expect(notes(rates(3_000, 125, 100)).join()).not.toMatch(/it would be/);
  expect(notes(rates(3_000_000, 46_875, 500)).join()).not.toMatch(/it would be/);
});

describe('against what stands today', () => {
  const present = {
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
    const { options } = plan({ ...aRequest(rates(3_000, 47, 500)), present }, market);
    expect(options[0]).toMatchObject({ layout: { sizeGiB: 500 }, steps: { inPlace: false } });
    const inPlace = options.find(({ steps }) => steps.inPlace);
    // 1,000 x 0.08 = 80.00; today 80 + 9,000 x 0.005 + 375 x 0.04 = 140.00
    expect(inPlace).toMatchObject({
      layout: { kind: 'single', sizeGiB: 1_000, iops: 3_000, throughputMiBps: 125 },
      monthlyUsd: { total: 80 },
      change: { monthlyUsdDelta: -60 },
    });
    expect(inPlace?.reasons[0]).toBe('in place: 40.00 USD a month more than the cheapest');
  });

  test('a lower price at a higher chance of loss is said', () => {
    const io2 = { ...present.layout, volumeType: 'io2' as const };
    const { options } = plan(
      { ...aRequest(rates(3_000, 47, 1_000)), present: { layout: io2, volumeIds: [] } },
      market,
    );
    expect(options[0]?.reasons).toContain('it loses data with 0.2 % a year, what stands today with 0.001 %');
  });
});
